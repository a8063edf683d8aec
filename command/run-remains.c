/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program has left alive: as many entries as there are distinct call stacks. */
#include <command/run.h>

#include <command/json.h>
#include <command/rows.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <text/size.h>

/* The kinds whose objects are listed, and have bytes or not. */
static const struct {
    ompd_cl_kind_t kind;
    bool has_bytes;
} listed[] = {
    {ompd_cl_kind_memobj, true},   {ompd_cl_kind_svm, true},      {ompd_cl_kind_context, false},
    {ompd_cl_kind_queue, false},   {ompd_cl_kind_event, false},   {ompd_cl_kind_kernel, false},
    {ompd_cl_kind_program, false}, {ompd_cl_kind_sampler, false},
};
#define LISTED_COUNT (sizeof(listed) / sizeof(listed[0]))

#define FRAMES 128 /* of a call stack, at most */

#define KEPT 3 /* objects that a group keeps are named, at most */

/* Objects whose handles are somewhere. */
struct holding {
    uint64_t count;
    uint64_t address; /* where that of one is; 0: in a register, or there are none */
};

/* Objects that were made by the same calls. */
struct group {
    uint64_t stack;  /* number of the call stack; 0: none was recorded, */
    uint64_t caller; /* and this is the innermost call; 0: not known */
    bool is_held;    /* the program has released them: other objects hold them */
    uint64_t count;
    uint64_t made;      /* by these calls in all; 0: not known */
    uint64_t bytes;     /* those made of other memory objects not counted twice */
    uint64_t position;  /* of the first in the list */
    size_t suppression; /* that names it */
    char *shown;        /* the call stack as it is printed; NULL before that is known */
    uint64_t lost;      /* whose handles are nowhere in the program's memory */
    struct holding held;
    struct holding presumed; /* in memory that may be the runtime's */
    /* What they keep that the program has released, without 0s between. */
    struct {
        ompd_cl_kind_t kind;
        uint64_t handle;
    } kept[KEPT];
    bool keeps_more;
};

struct kind_remains {
    struct group **groups;
    size_t group_count;
    size_t capacity;
    uint64_t rows; /* that were grouped */
    uint64_t count;
    uint64_t bytes;
    uint64_t held;     /* not in `count`: the program has released them, other objects hold them */
    uint64_t released; /* the same, but the runtime may have deleted them */
    void *root;        /* of the tree of groups, as long as they are found */
};

struct command_remains {
    struct command_session *session;
    struct kind_remains kinds[LISTED_COUNT];
    bool has_died; /* the program had no chance to release them */
    uint64_t suppressed;
    struct text missing; /* the sentence for those that could not be read */
};

static void group_free(struct group *group)
{
    heap_free(group->shown);
    heap_free(group);
}

static int compare_keys(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;

    if (a->stack != b->stack)
        return a->stack < b->stack ? -1 : 1;
    if (a->is_held != b->is_held)
        return a->is_held ? 1 : -1;
    return a->caller < b->caller ? -1 : a->caller > b->caller;
}

/* Most bytes first, then most objects, then the order in which they were made. */
static int compare_sizes(const void *left, const void *right)
{
    const struct group *a = *(struct group *const *)left;
    const struct group *b = *(struct group *const *)right;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

static int compare_shown(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;

    if (a->is_held != b->is_held)
        return a->is_held ? 1 : -1;
    return strcmp(a->shown, b->shown);
}

/* The number in a field of ROW; 0: it is not known, or there is none. */
static uint64_t number_of(const void *row, const char *name)
{
    return command_row_number(ompd_cl_kind_leak, row, name);
}

/* The kind of ROW's object among those that are listed. */
static size_t index_of(const void *row)
{
    uint64_t kind = number_of(row, "kind");
    size_t i = 0;

    while (i < LISTED_COUNT - 1 && listed[i].kind != kind)
        i++;
    return i;
}

/* Whether the program has released it, so that it goes with the objects that hold it. */
static bool is_held(const void *row)
{
    return number_of(row, "kind") != ompd_cl_kind_svm &&
           number_of(row, "state") == ompd_cl_state_app_released;
}

/* The group of ROW, which is put in the tree of KIND when it is the first. */
static struct group *group_of(struct kind_remains *kind, const void *row)
{
    struct group key = {.stack = number_of(row, "stack"),
                        .caller = number_of(row, "caller"),
                        .is_held = is_held(row)};
    struct group **found = tfind(&key, &kind->root, compare_keys);
    struct group *group;

    if (found != NULL)
        return *found;
    group = heap_get(sizeof(*group));
    *group = key;
    group->position = kind->rows;
    group->made = number_of(row, "made");
    if (tsearch(group, &kind->root, compare_keys) == NULL)
        abort();
    if (kind->group_count == kind->capacity) {
        kind->capacity = kind->capacity * 2 + 16;
        kind->groups = heap_resize(kind->groups, kind->capacity * sizeof(struct group *));
    }
    kind->groups[kind->group_count++] = group;
    return group;
}

/* GROUP keeps the object of KIND that has HANDLE, 0 for none. */
static void add_kept(struct group *group, ompd_cl_kind_t kind, uint64_t handle)
{
    size_t i = 0;

    if (handle == 0)
        return;
    while (i < KEPT && group->kept[i].handle != 0 && group->kept[i].handle != handle)
        i++;
    if (i == KEPT) {
        group->keeps_more = true;
        return;
    }
    group->kept[i].kind = kind;
    group->kept[i].handle = handle;
}

/* Add MORE to HOLDING. */
static void add_holders(struct holding *holding, struct holding more)
{
    holding->count += more.count;
    if (holding->address == 0)
        holding->address = more.address;
}

/* Where the handle of ROW is, and what its object keeps. */
static void take_holding(struct group *group, const void *row)
{
    uint64_t holding = number_of(row, "holding");
    struct holding holder = {1, number_of(row, "holder_address")};

    group->lost += holding == ompd_cl_holding_lost;
    if (holding == ompd_cl_holding_held)
        add_holders(command_row_is_presumed(ompd_cl_kind_leak, row, "holding") ? &group->presumed
                                                                               : &group->held,
                    holder);
    add_kept(group, ompd_cl_kind_context, number_of(row, "kept_context"));
    add_kept(group, ompd_cl_kind_queue, number_of(row, "kept_queue"));
    add_kept(group, ompd_cl_kind_memobj, number_of(row, "kept_parent"));
    add_kept(group, ompd_cl_kind_program, number_of(row, "kept_program"));
}

static void take_row(struct command_remains *remains, const void *row)
{
    struct kind_remains *kind = &remains->kinds[index_of(row)];
    struct group *group;

    if (number_of(row, "confidence") == ompd_cl_confidence_presumed) {
        kind->released++;
        return;
    }
    group = group_of(kind, row);
    kind->rows++;
    group->count++;
    group->bytes += number_of(row, "size");
    take_holding(group, row);
}

/* Find the groups of all kinds. */
static void find_groups(struct command_remains *remains)
{
    struct command_rows rows;
    const void *row;

    command_rows_open(&rows, remains->session, ompd_cl_kind_leak, NULL);
    while ((row = command_rows_next(&rows)) != NULL)
        take_row(remains, row);
    command_rows_close(&rows);
    if (rows.unreadable != 0) {
        count_add(&remains->missing, rows.unreadable, "more row", NULL);
        text_add(&remains->missing, " could not be read.");
    }
    for (size_t i = 0; i < LISTED_COUNT; i++) {
        struct kind_remains *kind = &remains->kinds[i];

        for (size_t j = 0; j < kind->group_count; j++)
            tdelete(kind->groups[j], &kind->root, compare_keys);
        if (kind->group_count != 0)
            qsort(kind->groups, kind->group_count, sizeof(struct group *), compare_sizes);
    }
}

/* Put the call stack of GROUP in FRAMES, of which there are FRAMES; one where only the caller is
 * known.  It is of type stack, whatever comes of it. */
static ompd_view_value_t stack_of(struct command_session *session, const struct group *group,
                                  ompd_addr_t *frames)
{
    ompd_view_value_t stack = {.struct_size = sizeof(stack),
                               .type = ompd_cl_type_stack,
                               .status = ompd_cl_status_value,
                               .frames = frames};
    ompd_size_t count = 0;
    ompd_rc_t rc = ompd_rc_unavailable;

    if (group->stack != 0)
        rc = ompd_cl_stack_get(session->space, group->stack, FRAMES, frames, &count);
    if (rc != ompd_rc_bad_input && rc != ompd_rc_unavailable &&
        ompd_view_rc_check(session->view, rc) != ompd_rc_ok)
        count = 0;
    if (count == 0 && group->caller != 0) {
        frames[0] = group->caller;
        count = 1;
    }
    stack.frame_count = count < FRAMES ? count : FRAMES;
    return stack;
}

/* Find what names the places where a group's objects were made. */
static void name_group(struct command_remains *remains, size_t index, struct group *group,
                       struct command_suppressions *suppressions, struct command_baseline *baseline)
{
    ompd_addr_t frames[FRAMES];
    ompd_view_value_t stack = stack_of(remains->session, group, frames);
    const struct command_suppression *by = NULL;
    struct command_call_places places;

    command_call_places_find(&places, remains->session, frames, stack.frame_count);
    group->suppression =
        command_suppression_find(suppressions, listed[index].kind, &places, group->count);
    if (group->suppression != COMMAND_NOT_SUPPRESSED)
        by = &suppressions->all[group->suppression];
    if (baseline != NULL && (by == NULL || by->place == NULL))
        command_baseline_add(baseline, listed[index].kind, &places);
    command_call_places_free(&places);
}

/* Add up the groups of a kind, and drop those that are suppressed. */
static void sum_up(struct command_remains *remains, struct kind_remains *kind,
                   const struct command_suppressions *suppressions)
{
    size_t kept = 0;

    for (size_t i = 0; i < kind->group_count; i++) {
        struct group *group = kind->groups[i];

        if (command_suppression_holds(suppressions, group->suppression)) {
            remains->suppressed += group->count;
            group_free(group);
            continue;
        }
        kind->groups[kept++] = group;
        if (group->is_held) {
            kind->held += group->count;
            continue;
        }
        kind->count += group->count;
        kind->bytes += group->bytes;
    }
    kind->group_count = kept;
}

struct command_remains *command_remains_find(struct command_session *session, bool has_died,
                                             struct command_suppressions *suppressions,
                                             struct command_baseline *baseline)
{
    struct command_remains *remains = heap_get(sizeof(*remains));

    remains->session = session;
    remains->has_died = has_died;
    find_groups(remains);
    for (size_t i = 0; i < LISTED_COUNT; i++) {
        for (size_t j = 0; j < remains->kinds[i].group_count; j++)
            name_group(remains, i, remains->kinds[i].groups[j], suppressions, baseline);
    }
    for (size_t i = 0; i < LISTED_COUNT; i++)
        sum_up(remains, &remains->kinds[i], suppressions);
    return remains;
}

uint64_t command_remains_suppressed(const struct command_remains *remains)
{
    return remains->suppressed;
}

bool command_remains_exist(const struct command_remains *remains)
{
    uint64_t sum = 0;

    /* What is held goes with what holds it: that is suppressed where nothing else is left. */
    for (size_t i = 0; i < LISTED_COUNT; i++)
        sum += remains->kinds[i].count + (remains->suppressed == 0 ? remains->kinds[i].held : 0);
    return sum != 0;
}

/* Add "3 memory objects". */
static void add_objects(size_t index, uint64_t count, struct text *text)
{
    const ompd_cl_noun_t *noun;

    ompd_cl_noun_get(listed[index].kind, &noun);
    count_add(text, count, noun->singular, noun->plural);
}

/* Add "3 memory objects (12 KiB)". */
static void add_count(size_t index, uint64_t count, uint64_t bytes, struct text *text)
{
    add_objects(index, count, text);
    if (!listed[index].has_bytes)
        return;
    text_add(text, " (");
    size_format(text, bytes);
    text_add(text, ")");
}

/* Add "    " and, unless that is all of GROUP, COUNT. */
static void begin_holding(const struct group *group, uint64_t count, struct text *text)
{
    text_put(text, "    ");
    if (count != group->count)
        text_add(text, "%" PRIu64 " ", count);
}

/* Add a line that begins with WORDS, of those of GROUP whose handles are somewhere. */
static void add_held(ompd_view_t *view, const struct group *group, struct holding holding,
                     const char *words, struct text *text)
{
    ompd_view_value_t address = {.struct_size = sizeof(address),
                                 .type = ompd_cl_type_address,
                                 .status = ompd_cl_status_value,
                                 .number = holding.address};

    if (holding.count == 0)
        return;
    begin_holding(group, holding.count, text);
    text_put(text, words);
    if (holding.address != 0)
        text_add(text,
                 holding.count == 1 ? ": its handle is at %s" : ": the handle of one is at %s",
                 ompd_view_value_describe(view, &address));
    text_put(text, "\n");
}

/* Add lines that tell where GROUP's handles are. */
static void add_holding(ompd_view_t *view, const struct group *group, struct text *text)
{
    if (group->lost != 0) {
        begin_holding(group, group->lost, text);
        text_put(text, "lost: nowhere in the program's memory\n");
    }
    add_held(view, group, group->held, "held", text);
    add_held(view, group, group->presumed, "presumably held", text);
}

/* Add a line that tells what GROUP keeps. */
static void add_keeping(const struct group *group, struct text *text)
{
    if (group->kept[0].handle == 0)
        return;
    text_put(text, group->count == 1 ? "    it keeps " : "    they keep ");
    for (size_t i = 0; i < KEPT && group->kept[i].handle != 0; i++) {
        bool is_last = i == KEPT - 1 || group->kept[i + 1].handle == 0;
        const ompd_cl_noun_t *noun;

        ompd_cl_noun_get(group->kept[i].kind, &noun);
        if (i != 0)
            text_put(text, is_last && !group->keeps_more ? " and " : ", ");
        text_add(text, "%s 0x%" PRIx64, noun->singular, group->kept[i].handle);
    }
    text_put(text, group->keeps_more ? " and more, which the program has released\n"
                                     : ", which the program has released\n");
}

static void add_group(ompd_view_t *view, size_t index, const struct group *group, struct text *text)
{
    text_add(text, "  ");
    add_count(index, group->count, group->bytes, text);
    if (group->made >= group->count)
        text_add(text, " of %" PRIu64, group->made);
    text_add(text, group->shown[0] != '\0' ? " made at\n" : " made at a place that is not known\n");
    text_add(text, "%s", group->shown);
    add_holding(view, group, text);
    add_keeping(group, text);
}

/* Set what is printed of the call stack of GROUP. */
static void show_stack(struct command_session *session, struct group *group)
{
    ompd_addr_t frames[FRAMES];
    ompd_view_value_t stack = stack_of(session, group, frames);
    const char *lines = ompd_view_value_describe(session->view, &stack);
    struct text text = {0};

    for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1) {
        text_add(&text, "    ");
        text_append(&text, lines, strcspn(lines, "\n"));
        text_add(&text, "\n");
    }
    group->shown = text_copy(text_get(&text));
    text_free(&text);
}

/* Add to GROUP where the handles of MORE are, and what it keeps. */
static void join_holding(struct group *group, const struct group *more)
{
    group->lost += more->lost;
    add_holders(&group->held, more->held);
    add_holders(&group->presumed, more->presumed);
    for (size_t i = 0; i < KEPT; i++)
        add_kept(group, more->kept[i].kind, more->kept[i].handle);
    group->keeps_more |= more->keeps_more;
}

/* Add up groups whose call stacks print alike: calls in one line of a function, say. */
static void merge_alike(struct command_session *session, struct kind_remains *kind)
{
    size_t count = 0;
    void *root = NULL;

    for (size_t i = 0; i < kind->group_count; i++) {
        struct group *group = kind->groups[i];
        struct group **found;

        show_stack(session, group);
        found = tsearch(group, &root, compare_shown);
        if (found == NULL)
            abort();
        if (*found == group) {
            kind->groups[count++] = group;
            continue;
        }
        (*found)->count += group->count;
        (*found)->made = 0; /* of calls that left nothing it is not known */
        (*found)->bytes += group->bytes;
        join_holding(*found, group);
        if (group->position < (*found)->position)
            (*found)->position = group->position;
        group_free(group);
    }
    for (size_t i = 0; i < count; i++)
        tdelete(kind->groups[i], &root, compare_shown);
    kind->group_count = count;
    if (count != 0)
        qsort(kind->groups, count, sizeof(struct group *), compare_sizes);
}

/* Add a line that begins with WHAT, of COUNT objects; none of 0. */
static void add_released(size_t index, const char *what, uint64_t count, struct text *text)
{
    if (count == 0)
        return;
    text_add(text, "%s: ", what);
    add_objects(index, count, text);
    text_add(text, "\n");
}

static void write_text(struct command_remains *remains)
{
    struct text text = {0};

    for (size_t i = 0; i < LISTED_COUNT; i++) {
        struct kind_remains *kind = &remains->kinds[i];

        merge_alike(remains->session, kind);
        if (kind->count != 0) {
            text_add(&text, "%s: ", remains->has_died ? "Alive when it died" : "Left alive");
            add_count(i, kind->count, kind->bytes, &text);
            text_add(&text, "\n");
        }
        for (size_t j = 0; j < kind->group_count; j++)
            if (!kind->groups[j]->is_held)
                add_group(remains->session->view, i, kind->groups[j], &text);
    }
    for (size_t i = 0; i < LISTED_COUNT; i++) {
        const struct kind_remains *kind = &remains->kinds[i];

        add_released(i, "Released, but held by other objects", kind->held, &text);
        add_released(i, "Released, but maybe still held by the runtime", kind->released, &text);
    }
    if (remains->missing.length != 0)
        text_add(&text, "  %s\n", remains->missing.bytes);
    ompd_view_text_write(remains->session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}

static void write_json_group(struct command_session *session, size_t index,
                             const struct group *group)
{
    ompd_addr_t frames[FRAMES];
    ompd_view_value_t stack = stack_of(session, group, frames);
    ompd_view_t *view = session->view;
    const char *name = NULL;
    ompd_size_t size;

    ompd_cl_kind_get(listed[index].kind, &name, &size);
    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "left", name);
    command_json_number(view, "count", (int64_t)group->count);
    if (group->made >= group->count)
        command_json_number(view, "made", (int64_t)group->made);
    if (group->is_held)
        command_json_boolean(view, "is_released", true);
    else
        command_json_number(view, "lost", (int64_t)group->lost);
    if (listed[index].has_bytes)
        command_json_number(view, "bytes", (int64_t)group->bytes);
    ompd_view_json_value_add(view, "stack", &stack);
    ompd_view_json_end(view);
}

static void write_json(struct command_remains *remains)
{
    for (size_t i = 0; i < LISTED_COUNT; i++)
        for (size_t j = 0; j < remains->kinds[i].group_count; j++)
            write_json_group(remains->session, i, remains->kinds[i].groups[j]);
}

void command_remains_write(struct command_remains *remains)
{
    if (remains->session->is_json)
        write_json(remains);
    else
        write_text(remains);
}

void command_remains_free(struct command_remains *remains)
{
    if (remains == NULL)
        return;
    for (size_t i = 0; i < LISTED_COUNT; i++) {
        for (size_t j = 0; j < remains->kinds[i].group_count; j++)
            group_free(remains->kinds[i].groups[j]);
        heap_free(remains->kinds[i].groups);
    }
    text_free(&remains->missing);
    heap_free(remains);
}
