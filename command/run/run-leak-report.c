/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program left alive, with one group per call stack. */
#include <command/run/run.h>

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

const struct run_listed run_listed[RUN_LISTED] = {
    {ompd_cl_kind_memobj, true},          {ompd_cl_kind_svm, true},
    {ompd_cl_kind_context, false},        {ompd_cl_kind_queue, false},
    {ompd_cl_kind_event, false},          {ompd_cl_kind_kernel, false},
    {ompd_cl_kind_program, false},        {ompd_cl_kind_sampler, false},
    {ompd_cl_kind_command_buffer, false}, {ompd_cl_kind_semaphore, false},
};

void run_group_free(struct run_group *group)
{
    run_retains_free(&group->retains);
    heap_free(group->shown);
    heap_free(group);
}

static int compare_keys(const void *left, const void *right)
{
    const struct run_group *a = left;
    const struct run_group *b = right;

    if (a->stack != b->stack)
        return a->stack < b->stack ? -1 : 1;
    if (a->is_held != b->is_held)
        return a->is_held ? 1 : -1;
    return a->caller < b->caller ? -1 : a->caller > b->caller;
}

int run_group_compare(const void *left, const void *right)
{
    const struct run_group *a = *(struct run_group *const *)left;
    const struct run_group *b = *(struct run_group *const *)right;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

/* The number in a field of ROW; 0: unknown or no such field. */
static uint64_t row_number(const void *row, const char *name)
{
    return command_row_number(ompd_cl_kind_leak, row, name);
}

/* The index of ROW's kind in run_listed. */
static size_t index_of(const void *row)
{
    uint64_t kind = row_number(row, "kind");
    size_t i = 0;

    while (i < RUN_LISTED - 1 && run_listed[i].kind != kind)
        i++;
    return i;
}

/* Whether the program has released the object, so that it goes with the objects that hold it. */
static bool is_held(const void *row)
{
    return row_number(row, "kind") != ompd_cl_kind_svm &&
           row_number(row, "state") == ompd_cl_object_state_app_released;
}

/* The group of ROW, which is added to the tree of KIND if it is new. */
static struct run_group *group_of(const struct command_session *session, struct run_kind *kind,
                                  const void *row)
{
    struct run_group key = {.stack = row_number(row, "stack"),
                            .caller = row_number(row, "caller"),
                            .is_held = is_held(row)};
    struct run_group **found = tfind(&key, &kind->root, compare_keys);
    struct run_group *group;

    if (found != NULL)
        return *found;
    group = heap_get(sizeof(*group));
    *group = key;
    group->position = kind->rows;
    /* The parent process may have made objects with the same calls. */
    group->made = session->own_lwps == NULL ? row_number(row, "made") : 0;
    if (tsearch(group, &kind->root, compare_keys) == NULL)
        abort();
    kind->groups = heap_grow(kind->groups, kind->group_count, sizeof(struct run_group *));
    kind->groups[kind->group_count++] = group;
    return group;
}

/* Record that GROUP keeps the object of KIND with HANDLE alive; 0: none. */
static void add_kept(struct run_group *group, ompd_cl_kind_t kind, uint64_t handle)
{
    size_t i = 0;

    if (handle == 0)
        return;
    while (i < RUN_KEPT && group->kept[i].handle != 0 && group->kept[i].handle != handle)
        i++;
    if (i == RUN_KEPT) {
        group->keeps_more = true;
        return;
    }
    group->kept[i].kind = kind;
    group->kept[i].handle = handle;
}

/* Add MORE to HOLDING. */
static void add_holders(struct run_holding *holding, struct run_holding more)
{
    holding->count += more.count;
    if (holding->address == 0)
        holding->address = more.address;
}

/* Record where the handle of ROW is, and what its object keeps alive. */
static void handle_place_record(struct run_group *group, const void *row)
{
    uint64_t holding = row_number(row, "holding");
    struct run_holding holder = {1, row_number(row, "holder_address")};

    group->lost += holding == ompd_cl_reachability_lost;
    group->perhaps += holding == ompd_cl_reachability_perhaps_lost;
    group->reachable += holding == ompd_cl_reachability_reachable;
    group->untold += holding == 0 && row_number(row, "state") == ompd_cl_object_state_live;
    if (holding == ompd_cl_reachability_held || holding == ompd_cl_reachability_perhaps_freed)
        add_holders(command_row_is_presumed(ompd_cl_kind_leak, row, "holding") ? &group->presumed
                                                                               : &group->held,
                    holder);
    add_kept(group, ompd_cl_kind_context, row_number(row, "kept_context"));
    add_kept(group, ompd_cl_kind_queue, row_number(row, "kept_queue"));
    add_kept(group, ompd_cl_kind_memobj, row_number(row, "kept_parent"));
    add_kept(group, ompd_cl_kind_program, row_number(row, "kept_program"));
}

void run_group_join(struct run_group *group, const struct run_group *more)
{
    group->lost += more->lost;
    group->perhaps += more->perhaps;
    group->reachable += more->reachable;
    group->untold += more->untold;
    add_holders(&group->held, more->held);
    add_holders(&group->presumed, more->presumed);
    for (size_t i = 0; i < RUN_KEPT; i++)
        add_kept(group, more->kept[i].kind, more->kept[i].handle);
    group->keeps_more |= more->keeps_more;
    run_retains_join(&group->retains, &more->retains);
}

/* Count the live object of ROW in GROUP. */
static void add_live(struct command_leak_report *leaks, struct run_group *group, const void *row)
{
    leaks->live = heap_grow(leaks->live, leaks->live_count, sizeof(leaks->live[0]));
    leaks->live[leaks->live_count++] =
        (struct run_retained){row_number(row, "handle"), row_number(row, "order"), &group->retains};
}

static void leak_row_count(struct command_leak_report *leaks, const void *row)
{
    struct run_kind *kind = &leaks->kinds[index_of(row)];
    struct run_group *group;

    /* The runtime may have destroyed it, so the program has done its part.  The same holds if a
     * last release never returns, because of an exception or because the program ends meanwhile. */
    if (row_number(row, "confidence") == ompd_cl_confidence_presumed ||
        row_number(row, "state") == ompd_cl_object_state_destroying)
        return;
    group = group_of(leaks->session, kind, row);
    kind->rows++;
    group->count++;
    group->bytes += row_number(row, "size");
    handle_place_record(group, row);
    if (!group->is_held)
        add_live(leaks, group, row);
}

/* Find the groups of all kinds. */
static void find_groups(struct command_leak_report *leaks)
{
    struct command_rows rows;
    const void *row;

    command_rows_open(&rows, leaks->session, ompd_cl_kind_leak, NULL);
    while ((row = command_rows_next(&rows)) != NULL)
        if (command_row_is_own(leaks->session, ompd_cl_kind_leak, row))
            leak_row_count(leaks, row);
    command_rows_close(&rows);
    run_retains_find(leaks->session, leaks->live, leaks->live_count);
    heap_free(leaks->live);
    leaks->live = NULL;
    if (rows.unreadable != 0) {
        count_add(&leaks->missing, rows.unreadable, "more row", NULL);
        text_add(&leaks->missing, " could not be read.");
    }
    for (size_t i = 0; i < RUN_LISTED; i++) {
        struct run_kind *kind = &leaks->kinds[i];

        for (size_t j = 0; j < kind->group_count; j++)
            tdelete(kind->groups[j], &kind->root, compare_keys);
        if (kind->group_count != 0)
            qsort(kind->groups, kind->group_count, sizeof(struct run_group *), run_group_compare);
    }
}

ompd_view_value_t run_group_stack(struct command_session *session, const struct run_group *group,
                                  ompd_addr_t *frames)
{
    ompd_view_value_t stack = {.struct_size = sizeof(stack),
                               .type = ompd_cl_type_stack,
                               .status = ompd_cl_status_value,
                               .frames = frames};
    ompd_size_t count = 0;
    ompd_rc_t rc = ompd_rc_unavailable;

    if (group->stack != 0)
        rc = ompd_cl_stack_get(session->space, group->stack, RUN_FRAMES, frames, &count);
    if (rc != ompd_rc_bad_input && rc != ompd_rc_unavailable &&
        ompd_view_rc_check(session->view, rc) != ompd_rc_ok)
        count = 0;
    if (count == 0 && group->caller != 0) {
        frames[0] = group->caller;
        count = 1;
    }
    stack.frame_count = count < RUN_FRAMES ? count : RUN_FRAMES;
    return stack;
}

/* Find the suppression that names the call stack of a group. */
static void name_group(struct command_leak_report *leaks, size_t index, struct run_group *group,
                       struct command_suppressions *suppressions, struct command_baseline *baseline)
{
    ompd_addr_t frames[RUN_FRAMES];
    ompd_view_value_t stack = run_group_stack(leaks->session, group, frames);
    const struct command_suppression *by = NULL;
    struct command_call_places places;

    command_call_places_find(&places, leaks->session, frames, stack.frame_count);
    group->suppression =
        command_suppression_find(suppressions, run_listed[index].kind, &places, group->count);
    if (group->suppression != COMMAND_NOT_SUPPRESSED)
        by = &suppressions->all[group->suppression];
    if (baseline != NULL && (by == NULL || by->place == NULL))
        command_baseline_add(baseline, run_listed[index].kind, &places);
    command_call_places_free(&places);
}

/* Add up the groups of a kind, and drop suppressed ones. */
static void sum_up(struct command_leak_report *leaks, struct run_kind *kind,
                   const struct command_suppressions *suppressions)
{
    size_t kept = 0;

    for (size_t i = 0; i < kind->group_count; i++) {
        struct run_group *group = kind->groups[i];

        if (command_suppression_holds(suppressions, group->suppression)) {
            leaks->suppressed += group->count;
            run_group_free(group);
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

struct command_leak_report *command_leak_report_find(struct command_session *session, bool has_died,
                                                     struct command_suppressions *suppressions,
                                                     struct command_baseline *baseline)
{
    struct command_leak_report *leaks = heap_get(sizeof(*leaks));

    leaks->session = session;
    leaks->has_died = has_died;
    find_groups(leaks);
    for (size_t i = 0; i < RUN_LISTED; i++) {
        for (size_t j = 0; j < leaks->kinds[i].group_count; j++)
            name_group(leaks, i, leaks->kinds[i].groups[j], suppressions, baseline);
    }
    for (size_t i = 0; i < RUN_LISTED; i++) {
        sum_up(leaks, &leaks->kinds[i], suppressions);
        leaks->count += leaks->kinds[i].count;
    }
    return leaks;
}

uint64_t command_leak_report_suppressed(const struct command_leak_report *leaks)
{
    return leaks->suppressed;
}

bool command_leak_report_exist(const struct command_leak_report *leaks)
{
    /* Held objects go with their holder.  If nothing else is left, that is suppressed or being
     * destroyed. */
    return leaks->count != 0;
}

void command_leak_report_free(struct command_leak_report *leaks)
{
    if (leaks == NULL)
        return;
    for (size_t i = 0; i < RUN_LISTED; i++) {
        for (size_t j = 0; j < leaks->kinds[i].group_count; j++)
            run_group_free(leaks->kinds[i].groups[j]);
        heap_free(leaks->kinds[i].groups);
    }
    text_free(&leaks->missing);
    heap_free(leaks);
}
