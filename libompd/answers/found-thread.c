/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call stacks as a source of rows: threads that are in OpenCL. */
#include "answers/answers.h"

/* ---- Of either source ------------------------------------------------------------------------ */

ompd_rc_t threads_require(struct address_space *space)
{
    ompd_rc_t rc = recorder_source_open(space);

    /* If layouts show nothing either, their reason is the better answer. */
    if (rc == ompd_rc_unavailable && space->layouts != NULL && sources_open(space) == ompd_rc_ok)
        return address_space_fail(space, rc,
                                  "only the recorder knows threads and counts of objects, and it "
                                  "is not in this process; run the program under the recorder.");
    return rc == ompd_rc_ok ? thread_table_require(space) : rc;
}

/* Whether threads come from stacks: the target certainly has no recorder, but has a runtime. */
static bool threads_come_from_stacks(struct address_space *space)
{
    ompd_rc_t rc;

    if (!found_threads_are_available(space) || recorder_source_open(space) != ompd_rc_unavailable ||
        !recorder_module_find(space)->is_absent)
        return false;
    rc = runtimes_find(&space->layout->runtimes, &space->target, &space->code, space->layouts);
    return (rc == ompd_rc_ok || rc == ompd_rc_incomplete) && space->layout->runtimes.count != 0;
}

ompd_rc_t threads_open(struct address_space *space, bool *are_recorded)
{
    *are_recorded = !threads_come_from_stacks(space);
    if (*are_recorded)
        return threads_require(space);
    message_clear(&space->message);
    return ompd_rc_ok;
}

/* ---- Read from stacks ------------------------------------------------------------------------ */

/* Why a list of threads by their stacks is short. */
static const char reason_outside[] =
    "only the recorder knows threads outside OpenCL calls, and for certain the arguments of calls; "
    "run the program under the recorder.";
static const char reason_some[] =
    "some threads, their stacks or the code of their callers could not be read.";

/* Return whether LIST wants threads that are in no call, too. */
static bool wants_outside(const struct list *list)
{
    const uint64_t outside = UINT64_C(1) << ompd_cl_thread_state_outside;

    return !list->is_filtered || list->filter.states == 0 || (list->filter.states & outside) != 0;
}

static ompd_rc_t fill_found_threads(struct address_space *space, struct list *list,
                                    struct batch *batch)
{
    const struct kept_rows *kept = &space->stacks->threads;
    const struct found_thread *threads;
    ompd_rc_t rc = found_threads_read(space, list->given == 0);

    if (rc != ompd_rc_ok)
        return rc;
    threads = kept->rows;
    while (list->given < kept->count && batch->count < batch->capacity) {
        ompd_cl_thread_info_t info;

        stack_thread_fill(space, &threads[list->given++], &info);
        batch_add(list, batch, &info, ompd_rc_ok);
    }
    list->missing = kept->missing;
    if (kept->missing.failures != 0)
        list->missing.reason = reason_some;
    else if (wants_outside(list))
        list->missing.reason = reason_outside;
    return ompd_rc_ok;
}

/* Find the thread LWP of this stop.  Returns ompd_rc_ok; ompd_rc_unavailable; as
 * found_threads_read. */
static ompd_rc_t found_thread_view(struct address_space *space, uint64_t lwp,
                                   const struct found_thread **thread)
{
    ompd_rc_t rc = found_threads_read(space, false);

    if (rc != ompd_rc_ok)
        return rc;
    *thread = found_thread_find(space, lwp);
    return *thread != NULL ? ompd_rc_ok : ompd_rc_unavailable;
}

/* The same for a thread whose id was issued. */
static ompd_rc_t view_found_by_id(struct address_space *space, struct identifier identifier,
                                  const struct found_thread **thread)
{
    ompd_rc_t rc;

    if (identifier.kind != ompd_cl_kind_thread)
        return address_space_fail(space, ompd_rc_bad_input, "the id does not belong to a thread.");
    rc = found_thread_view(space, identifier.handle, thread);
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, ompd_rc_stale_handle,
                                  "the thread is no longer in an OpenCL call, or has ended.");
    return rc;
}

static ompd_rc_t get_found_thread(struct address_space *space, struct identifier identifier,
                                  ompd_cl_thread_info_t *info)
{
    const struct found_thread *thread;
    ompd_rc_t rc = view_found_by_id(space, identifier, &thread);

    if (rc == ompd_rc_ok)
        stack_thread_fill(space, thread, info);
    return rc;
}

static ompd_rc_t fill_found_activities(struct address_space *space, struct list *list,
                                       struct batch *batch)
{
    const struct found_thread *thread;
    ompd_rc_t rc = found_thread_view(space, list->handle, &thread);

    if (rc == ompd_rc_unavailable)
        return ompd_rc_ok;
    if (rc != ompd_rc_ok)
        return rc;
    while (list->given < thread->count && batch->count < batch->capacity) {
        ompd_cl_activity_info_t info;

        stack_activity_fill(space, thread, list->given++, &info);
        batch_add(list, batch, &info, ompd_rc_ok);
    }
    list->missing = thread->missing;
    return ompd_rc_ok;
}

ompd_rc_t found_activity_list_open(struct address_space *space, struct identifier identifier,
                                   ompd_cl_list_t *id)
{
    const struct found_thread *thread;
    struct list *list;
    ompd_rc_t rc = view_found_by_id(space, identifier, &thread);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    list = list_open(space, ompd_cl_kind_activity, fill_found_activities, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->handle = identifier.handle;
    return ompd_rc_ok;
}

/* ---- The source ------------------------------------------------------------------------------ */

static bool stack_owns_id(struct identifier identifier)
{
    return identifier.handle != 0 && identifier.kind == ompd_cl_kind_thread;
}

static ompd_rc_t stack_fill(struct address_space *space, struct list *list, struct batch *batch,
                            bool *is_over)
{
    *is_over = list->kind != ompd_cl_kind_thread || !threads_come_from_stacks(space);
    if (*is_over)
        return ompd_rc_ok;
    message_clear(&space->message);
    return fill_found_threads(space, list, batch);
}

/* Threads have no handles: thread_find_by_lwp finds them. */
static ompd_rc_t stack_find(struct address_space *space, uint32_t kind, uint64_t value,
                            uint64_t *id)
{
    (void)kind;
    (void)value;
    (void)id;
    return space->message.length != 0
               ? ompd_rc_unavailable
               : address_space_fail(space, ompd_rc_unavailable, "no such object was found.");
}

static ompd_rc_t stack_get(struct address_space *space, uint32_t kind, uint64_t id,
                           struct identifier identifier, union row *row)
{
    (void)kind;
    (void)id;
    return get_found_thread(space, identifier, &row->thread);
}

const struct source source_stack = {
    .owns_id = stack_owns_id, .fill = stack_fill, .find = stack_find, .get = stack_get};

/* ---- Lists of threads ------------------------------------------------------------------------ */

/* Find the id of the thread with LWP among those in OpenCL. */
static ompd_rc_t find_thread_by_stack(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    const struct found_thread *thread;
    ompd_rc_t rc = found_thread_view(space, lwp, &thread);

    if (rc == ompd_rc_ok)
        *id = identifier_of_handle(ompd_cl_kind_thread, lwp, space->salt);
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "no thread with this LWP is in an OpenCL call.");
    return address_space_set_message(space, rc);
}

/* The same for the recorder's records. */
static ompd_rc_t find_recorded_thread(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    struct identifier found = {.kind = ompd_cl_kind_thread};
    uint64_t recorded = lwp_map_to_recorder(&space->recorder->lwps, lwp);
    ompd_rc_t rc = ompd_rc_unavailable;

    if (recorded != 0 && recorded <= UINT32_MAX)
        rc = record_find_by_field(&space->recorder->registry, ompd_cl_registry_thread,
                                  ompd_cl_registry_field_lwp, recorded, &found.index,
                                  &found.generation);
    if (rc == ompd_rc_ok)
        *id = identifier_encode(found, space->salt);
    if (rc == ompd_rc_incomplete)
        *id = 0;
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "no thread with this LWP has entered OpenCL.");
    return address_space_set_message(space, rc);
}

ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    bool are_recorded;
    ompd_rc_t rc = threads_open(space, &are_recorded);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    return are_recorded ? find_recorded_thread(space, lwp, id)
                        : find_thread_by_stack(space, lwp, id);
}

ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *id)
{
    bool are_recorded;
    ompd_rc_t rc = threads_open(space, &are_recorded);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_thread, filter, id);
}
