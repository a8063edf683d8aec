/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program left alive, as text and JSON. */
#include <command/run/run.h>

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

/* Add "3 memory objects". */
static void add_objects(size_t index, uint64_t count, struct text *text)
{
    const ompd_cl_noun_t *noun;

    ompd_cl_noun_get(run_listed[index].kind, &noun);
    count_add(text, count, noun->singular, noun->plural);
}

/* Add "3 memory objects (12 KiB)". */
static void add_count(size_t index, uint64_t count, uint64_t bytes, struct text *text)
{
    add_objects(index, count, text);
    if (!run_listed[index].has_bytes)
        return;
    text_add(text, " (");
    size_format(text, bytes);
    text_add(text, ")");
}

/* Add an indent and, unless it is all of GROUP, COUNT. */
static void begin_holding(const struct run_group *group, uint64_t count, struct text *text)
{
    text_put(text, "    ");
    if (count != group->count)
        text_add(text, "%" PRIu64 " ", count);
}

/* Add a line that begins with WORDS about the objects of GROUP whose handles were found. */
static void add_held(ompd_view_t *view, const struct run_group *group, struct run_holding holding,
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

/* Add lines about where GROUP's handles are. */
static void add_holding(ompd_view_t *view, const struct run_group *group, struct text *text)
{
    const struct {
        uint64_t count;
        const char *words;
    } lines[] = {
        {group->lost, "lost: not found in the program's memory\n"},
        {group->perhaps, "only on stacks, where stale copies may remain\n"},
        {group->reachable, "not found, but reachable through objects that the program holds\n"},
        {group->untold, "not found in the readable part of the program's memory\n"},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (lines[i].count == 0)
            continue;
        begin_holding(group, lines[i].count, text);
        text_put(text, lines[i].words);
    }
    add_held(view, group, group->held, "held", text);
    add_held(view, group, group->presumed, "presumably held", text);
}

/* Add a line about the objects that GROUP keeps alive. */
static void kept_objects_add(const struct run_group *group, struct text *text)
{
    bool is_one = group->kept[1].handle == 0 && !group->keeps_more;

    if (group->kept[0].handle == 0)
        return;
    text_put(text, group->count == 1 ? "    it keeps " : "    they keep ");
    for (size_t i = 0; i < RUN_KEPT && group->kept[i].handle != 0; i++) {
        bool is_last = i == RUN_KEPT - 1 || group->kept[i + 1].handle == 0;
        const ompd_cl_noun_t *noun;

        ompd_cl_noun_get(group->kept[i].kind, &noun);
        if (i != 0)
            text_put(text, is_last && !group->keeps_more ? " and " : ", ");
        text_add(text, "%s 0x%" PRIx64, noun->singular, group->kept[i].handle);
    }
    text_add(text, "%s alive after %s release\n", group->keeps_more ? " and more" : "",
             is_one ? "its" : "their");
}

static void leak_group_add(ompd_view_t *view, size_t index, const struct run_group *group,
                           struct text *text)
{
    text_add(text, "  ");
    add_count(index, group->count, group->bytes, text);
    if (group->made >= group->count)
        text_add(text, " of %" PRIu64, group->made);
    text_add(text, group->shown[0] != '\0' ? " made at\n" : " made at an unknown place\n");
    text_add(text, "%s", group->shown);
    add_holding(view, group, text);
    kept_objects_add(group, text);
    run_retains_add(&group->retains, view, group->count, text);
}

static int compare_shown(const void *left, const void *right)
{
    const struct run_group *a = left;
    const struct run_group *b = right;

    if (a->is_held != b->is_held)
        return a->is_held ? 1 : -1;
    return strcmp(a->shown, b->shown);
}

/* Join groups whose call stacks print alike, for example calls in one line of a function. */
static void merge_alike(struct run_alike *alike, size_t index, struct run_kind *kind)
{
    size_t count = 0;
    void *root = NULL;

    for (size_t i = 0; i < kind->group_count; i++) {
        struct run_group *group = kind->groups[i];
        struct run_group **found;

        group->shown = run_stack_show(alike->session, group);
        found = tsearch(group, &root, compare_shown);
        if (found == NULL)
            abort();
        if (*found == group) {
            kind->groups[count++] = group;
            continue;
        }
        (*found)->count += group->count;
        (*found)->made = (*found)->made != 0 && group->made != 0 && !group->is_held
                             ? (*found)->made + group->made
                             : 0;
        (*found)->is_joined = true;
        (*found)->bytes += group->bytes;
        run_group_join(*found, group);
        if (group->position < (*found)->position)
            (*found)->position = group->position;
        run_group_free(group);
    }
    for (size_t i = 0; i < count; i++) {
        struct run_group *group = kind->groups[i];

        tdelete(group, &root, compare_shown);
        /* The number of objects is unknown for call stacks that have left nothing alive. */
        if (group->is_joined && group->made != 0 && !run_alike_is_all(alike, index, group))
            group->made = 0;
    }
    kind->group_count = count;
    if (count != 0)
        qsort(kind->groups, count, sizeof(struct run_group *), run_group_compare);
}

/* Add a line about COUNT objects that other objects hold, unless it is 0. */
static void add_released(size_t index, uint64_t count, struct text *text)
{
    if (count == 0)
        return;
    text_put(text, "Released, but held by other objects: ");
    add_objects(index, count, text);
    text_add(text, "\n");
}

static void leaks_write_text(struct command_leak_report *leaks)
{
    struct text text = {0};
    struct run_alike alike;

    run_alike_begin(&alike, leaks);
    for (size_t i = 0; i < RUN_LISTED; i++) {
        struct run_kind *kind = &leaks->kinds[i];

        merge_alike(&alike, i, kind);
        if (kind->count != 0) {
            text_add(&text, "%s: ", leaks->has_died ? "Alive when it died" : "Left alive");
            add_count(i, kind->count, kind->bytes, &text);
            text_add(&text, "\n");
        }
        for (size_t j = 0; j < kind->group_count; j++)
            if (!kind->groups[j]->is_held)
                leak_group_add(leaks->session->view, i, kind->groups[j], &text);
    }
    /* Otherwise the holder is being destroyed, and they go with it. */
    for (size_t i = 0; i < RUN_LISTED && leaks->count + leaks->suppressed != 0; i++)
        add_released(i, leaks->kinds[i].held, &text);
    if (leaks->missing.length != 0)
        text_add(&text, "  %s\n", leaks->missing.bytes);
    ompd_view_text_write(leaks->session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
    run_alike_end(&alike);
}

static void leak_group_write_json(struct command_session *session, size_t index,
                                  const struct run_group *group)
{
    ompd_addr_t frames[RUN_FRAMES];
    ompd_view_value_t stack = run_group_stack(session, group, frames);
    ompd_view_t *view = session->view;
    const char *name = NULL;
    ompd_size_t size;

    ompd_cl_kind_get(run_listed[index].kind, &name, &size);
    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "left", name);
    command_json_number(view, "count", (int64_t)group->count);
    if (group->made >= group->count)
        command_json_number(view, "made", (int64_t)group->made);
    if (group->is_held)
        command_json_boolean(view, "is_released", true);
    else
        command_json_number(view, "lost", (int64_t)group->lost);
    if (run_listed[index].has_bytes)
        command_json_number(view, "bytes", (int64_t)group->bytes);
    ompd_view_json_value_add(view, "stack", &stack);
    run_retains_json_add(&group->retains, view, group->count);
    ompd_view_json_end(view);
}

static void leaks_write_json(struct command_leak_report *leaks)
{
    for (size_t i = 0; i < RUN_LISTED; i++)
        for (size_t j = 0; j < leaks->kinds[i].group_count; j++)
            leak_group_write_json(leaks->session, i, leaks->kinds[i].groups[j]);
}

/* Write which objects keep released objects alive.  Only the runtime knows which commands are
 * complete. */
static void write_keepers(struct command_session *session)
{
    /* Entries copied from the parent are not the forked process's own. */
    if (session->own_lwps != NULL)
        return;
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder | 1 << ompd_cl_source_layout);
    ompd_view_keepers_write(session->view);
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder);
}

void command_leak_report_write(struct command_leak_report *leaks)
{
    if (leaks->session->is_json)
        leaks_write_json(leaks);
    else
        leaks_write_text(leaks);
    write_keepers(leaks->session);
}
