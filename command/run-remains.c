/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program has left alive: as many entries as there are distinct call stacks. */
#include <command/run.h>

#include <command/json.h>
#include <command/rows.h>
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

/* Objects that were made by the same calls. */
struct group {
    uint64_t stack;  /* number of the call stack; 0: none was recorded, */
    uint64_t caller; /* and this is the innermost call; 0: not known */
    bool is_held;    /* the program has released them: other objects hold them */
    uint64_t count;
    uint64_t bytes;    /* those made of other memory objects not counted twice */
    uint64_t position; /* of the first in the list */
    char *shown;       /* the call stack as it is printed; NULL before that is known */
};

struct kind_remains {
    struct group **groups;
    size_t group_count;
    size_t capacity;
    uint64_t count;
    uint64_t bytes;
    uint64_t held;     /* not in `count`: the program has released them, other objects hold them */
    uint64_t released; /* the same, but the runtime may have deleted them */
    struct text missing; /* the sentence for those that could not be read */
};

struct command_remains {
    struct command_session *session;
    struct kind_remains kinds[LISTED_COUNT];
    bool has_died; /* the program, of a signal */
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
    return strcmp(((const struct group *)left)->shown, ((const struct group *)right)->shown);
}

/* The number in a field of ROW, of the kind at INDEX; 0: it is not known, or there is none. */
static uint64_t number_of(size_t index, const void *row, const char *name)
{
    return command_row_number(listed[index].kind, row, name);
}

/* Whether the program has released it, so that it goes with the objects that hold it. */
static bool is_held(size_t index, const void *row)
{
    return listed[index].kind != ompd_cl_kind_svm &&
           number_of(index, row, "state") == ompd_cl_state_app_released;
}

/* The group of ROW in the tree ROOT, where it is put when it is the first. */
static struct group *group_of(struct command_remains *remains, size_t index, void **root,
                              const void *row)
{
    struct kind_remains *kind = &remains->kinds[index];
    struct group key = {.stack = number_of(index, row, "stack"),
                        .caller = number_of(index, row, "caller"),
                        .is_held = is_held(index, row)};
    struct group **found = tfind(&key, root, compare_keys);
    struct group *group;

    if (found != NULL)
        return *found;
    group = heap_get(sizeof(*group));
    *group = key;
    group->position = kind->count;
    if (tsearch(group, root, compare_keys) == NULL)
        abort();
    if (kind->group_count == kind->capacity) {
        kind->capacity = kind->capacity * 2 + 16;
        kind->groups = heap_resize(kind->groups, kind->capacity * sizeof(struct group *));
    }
    kind->groups[kind->group_count++] = group;
    return group;
}

static void find_listed(struct command_remains *remains, size_t index)
{
    struct kind_remains *kind = &remains->kinds[index];
    struct command_rows rows;
    const void *row;
    void *root = NULL;

    command_rows_open(&rows, remains->session, listed[index].kind, NULL);
    while ((row = command_rows_next(&rows)) != NULL) {
        struct group *group;
        uint64_t bytes;

        if (number_of(index, row, "confidence") == ompd_cl_confidence_presumed) {
            kind->released++;
            continue;
        }
        group = group_of(remains, index, &root, row);
        bytes = number_of(index, row, "parent") == 0 && listed[index].has_bytes
                    ? number_of(index, row, "size")
                    : 0;

        group->count++;
        group->bytes += bytes;
        if (group->is_held) {
            kind->held++;
            continue;
        }
        kind->count++;
        kind->bytes += bytes;
    }
    command_rows_close(&rows);
    if (rows.unreadable != 0) {
        count_add(&kind->missing, rows.unreadable, "more row", NULL);
        text_add(&kind->missing, " could not be read.");
    }
    for (size_t i = 0; i < kind->group_count; i++)
        tdelete(kind->groups[i], &root, compare_keys);
    if (kind->group_count != 0)
        qsort(kind->groups, kind->group_count, sizeof(struct group *), compare_sizes);
}

struct command_remains *command_remains_find(struct command_session *session, bool has_died)
{
    struct command_remains *remains = heap_get(sizeof(*remains));

    remains->session = session;
    remains->has_died = has_died;
    for (size_t i = 0; i < LISTED_COUNT; i++)
        find_listed(remains, i);
    return remains;
}

bool command_remains_exist(const struct command_remains *remains)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < LISTED_COUNT; i++)
        sum += remains->kinds[i].count + remains->kinds[i].held;
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

static void add_group(size_t index, const struct group *group, struct text *text)
{
    text_add(text, "  ");
    add_count(index, group->count, group->bytes, text);
    text_add(text, group->shown[0] != '\0' ? " made at\n" : " made at a place that is not known\n");
    text_add(text, "%s", group->shown);
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
        (*found)->bytes += group->bytes;
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
                add_group(i, kind->groups[j], &text);
        add_released(i, "Released, but held by other objects", kind->held, &text);
        add_released(i, "Released, but maybe still held by the runtime", kind->released, &text);
        if (kind->missing.length != 0)
            text_add(&text, "  %s\n", kind->missing.bytes);
    }
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
    if (group->is_held)
        command_json_boolean(view, "is_released", true);
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
        text_free(&remains->kinds[i].missing);
    }
    heap_free(remains);
}
