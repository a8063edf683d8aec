/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program has left alive: as many entries as there are distinct call stacks. */
#include <command/run.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <text/size.h>
#include <view/json.h>
#include <view/place.h>

/* The kinds whose objects are listed, and have bytes or not. */
static const struct {
    ompd_cl_kind_t kind;
    bool has_bytes;
} listed[] = {
    {ompd_cl_kind_memobj, true},
    {ompd_cl_kind_svm, true},
    {ompd_cl_kind_context, false},
    {ompd_cl_kind_queue, false},
};
#define LISTED_COUNT (sizeof(listed) / sizeof(listed[0]))

/* The kinds whose objects are only counted, by the fields of the overview. */
static const struct {
    const char *field;
    const char *singular;
} counted[] = {
    {"programs", "program"},
    {"kernels", "kernel"},
    {"samplers", "sampler"},
    {"events", "event"},
};
#define COUNTED_COUNT (sizeof(counted) / sizeof(counted[0]))

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
    uint64_t counts[COUNTED_COUNT];
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

/* Whether the program has released it, so that it goes with the objects that hold it. */
static bool is_held(size_t index, const struct view_row *row)
{
    return listed[index].kind != ompd_cl_kind_svm &&
           view_row_number(row, "state") == ompd_cl_state_app_released;
}

/* The group of ROW in the tree ROOT, where it is put when it is the first. */
static struct group *group_of(struct command_remains *remains, size_t index, void **root,
                              const struct view_row *row)
{
    struct kind_remains *kind = &remains->kinds[index];
    struct group key = {.stack = view_row_number(row, "stack"),
                        .caller = view_row_number(row, "caller"),
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
    struct view_list list;
    struct view_row row;
    void *root = NULL;

    view_list_open(&list, remains->session->view, listed[index].kind, NULL);
    while (view_list_next(&list, &row)) {
        struct group *group;
        uint64_t bytes;

        if (view_row_number(&row, "confidence") == ompd_cl_confidence_presumed) {
            kind->released++;
            continue;
        }
        group = group_of(remains, index, &root, &row);
        bytes = view_row_number(&row, "parent") == 0 && listed[index].has_bytes
                    ? view_row_number(&row, "size")
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
    if (list.unreadable != 0)
        view_list_describe_unreadable(&list, &kind->missing);
    view_list_close(&list);
    for (size_t i = 0; i < kind->group_count; i++)
        tdelete(kind->groups[i], &root, compare_keys);
    if (kind->group_count != 0)
        qsort(kind->groups, kind->group_count, sizeof(struct group *), compare_sizes);
}

struct command_remains *command_remains_find(struct command_session *session)
{
    struct command_remains *remains = heap_get(sizeof(*remains));
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_row overview = {view_kind_get(ompd_cl_kind_overview), (const void *)&info};

    remains->session = session;
    if (!view_check(session->view, ompd_cl_overview_get(session->view->use.space, &info)))
        return remains;
    for (size_t i = 0; i < COUNTED_COUNT; i++)
        remains->counts[i] = view_row_number(&overview, counted[i].field);
    for (size_t i = 0; i < LISTED_COUNT; i++)
        find_listed(remains, i);
    return remains;
}

bool command_remains_exist(const struct command_remains *remains)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < LISTED_COUNT; i++)
        sum += remains->kinds[i].count + remains->kinds[i].held;
    for (size_t i = 0; i < COUNTED_COUNT; i++)
        sum += remains->counts[i];
    return sum != 0;
}

/* Add "3 memory objects (12 KiB)". */
static void add_count(size_t index, uint64_t count, uint64_t bytes, struct text *text)
{
    const struct view_kind *kind = view_kind_get(listed[index].kind);

    count_add(text, count, kind->noun->singular, kind->noun->plural);
    if (!listed[index].has_bytes)
        return;
    text_add(text, " (");
    size_format(text, bytes);
    text_add(text, ")");
}

/* The call stack of GROUP; one frame where only the caller is known.  Returns how many frames. */
static size_t frames_of(struct command_session *session, const struct group *group,
                        ompd_addr_t *frames)
{
    size_t count = group->stack != 0 ? view_stack_get(session->view, group->stack, frames) : 0;

    if (count == 0 && group->caller != 0) {
        frames[0] = group->caller;
        count = 1;
    }
    return count;
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
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    size_t count = frames_of(session, group, frames);
    struct text text = {0};

    view_place_stack(session->view, frames, count, "    ", &text);
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
    const struct view_kind *kind = view_kind_get(listed[index].kind);

    if (count == 0)
        return;
    text_add(text, "%s: ", what);
    count_add(text, count, kind->noun->singular, kind->noun->plural);
    text_add(text, "\n");
}

static void write_text(struct command_remains *remains)
{
    struct text text = {0};
    bool is_first = true;

    for (size_t i = 0; i < LISTED_COUNT; i++) {
        struct kind_remains *kind = &remains->kinds[i];

        merge_alike(remains->session, kind);
        if (kind->count != 0) {
            text_add(&text, "Left alive: ");
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
    for (size_t i = 0; i < COUNTED_COUNT; i++)
        if (remains->counts[i] != 0) {
            text_add(&text, is_first ? "Left alive: " : ", ");
            count_add(&text, remains->counts[i], counted[i].singular, NULL);
            is_first = false;
        }
    text_add(&text, is_first ? "" : "\n");
    view_write(remains->session->view, text_get(&text));
    text_free(&text);
}

static void write_json_group(struct command_session *session, size_t index,
                             const struct group *group, struct text *text)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    size_t count = frames_of(session, group, frames);
    struct json json;

    json_begin_line(&json, text);
    json_string(&json, "left", view_kind_get(listed[index].kind)->name);
    json_number(&json, "count", (int64_t)group->count);
    if (group->is_held)
        json_boolean(&json, "is_released", true);
    if (listed[index].has_bytes)
        json_number(&json, "bytes", (int64_t)group->bytes);
    view_json_stack(session->view, &json, "stack", frames, count);
    json_end(&json);
    view_json_print(session->view, text);
}

static void write_json(struct command_remains *remains)
{
    struct text text = {0};
    struct json json;

    for (size_t i = 0; i < LISTED_COUNT; i++)
        for (size_t j = 0; j < remains->kinds[i].group_count; j++)
            write_json_group(remains->session, i, remains->kinds[i].groups[j], &text);
    for (size_t i = 0; i < COUNTED_COUNT; i++) {
        if (remains->counts[i] == 0)
            continue;
        json_begin_line(&json, &text);
        json_string(&json, "left", counted[i].singular);
        json_number(&json, "count", (int64_t)remains->counts[i]);
        json_end(&json);
        view_json_print(remains->session->view, &text);
    }
    text_free(&text);
}

void command_remains_write(struct command_remains *remains)
{
    if (remains->session->view->options.is_json)
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
