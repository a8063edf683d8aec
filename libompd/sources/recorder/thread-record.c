/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of threads as they are now. */
#include "sources/recorder/recorder.h"

#include <string.h>

static struct registry_table *thread_table(struct address_space *space)
{
    return &space->recorder->registry.tables[ompd_cl_registry_thread];
}

/* Count the activities only that the thread of HEAD is still in. */
static ompd_rc_t drop_left_activities(struct address_space *space, struct thread_head *head)
{
    static const uint8_t fields[] = {
        ompd_cl_registry_field_lwp,         ompd_cl_registry_field_activity_count,
        ompd_cl_registry_field_stack_start, ompd_cl_registry_field_stack_end,
        ompd_cl_registry_field_frames_in,   ompd_cl_registry_field_returns_to,
    };
    const struct registry_table *table = thread_table(space);
    uint64_t values[sizeof(fields)];
    ompd_rc_t rc;

    if (!registry_has(table, ompd_cl_registry_field_frames_in))
        return ompd_rc_ok;
    rc = uncached_fields(space, table, head->address, fields, sizeof(fields), values);
    if (rc != ompd_rc_ok)
        return rc;
    head->activity_count =
        activity_count_held_now(&space->recorder->registry, table, space->recorder->record);
    return space->target.memory->call.is_interrupted ? ompd_rc_interrupted : ompd_rc_ok;
}

static ompd_rc_t read_thread_head(struct address_space *space, uint64_t address,
                                  struct thread_head *head)
{
    static const uint8_t fields[] = {
        ompd_cl_registry_field_serial, ompd_cl_registry_field_pthread,
        ompd_cl_registry_field_lwp,    ompd_cl_registry_field_generation,
        ompd_cl_registry_field_state,  ompd_cl_registry_field_activity_count,
    };
    uint64_t values[sizeof(fields)];
    ompd_rc_t rc;

    rc = uncached_fields(space, thread_table(space), address, fields, sizeof(fields), values);
    if (rc != ompd_rc_ok)
        return rc;
    head->address = address;
    head->serial = values[0];
    head->pthread = values[1];
    head->lwp = (uint32_t)values[2];
    head->generation = (uint32_t)values[3];
    head->is_live = values[4] == ompd_cl_registry_live;
    head->activity_count = (uint32_t)values[5];
    return ompd_rc_ok;
}

static bool head_is_thread(const struct thread_head *head, ompd_thread_id_t kind, uint64_t id)
{
    return head->is_live && (kind == OMPD_CL_THREAD_LWP ? head->lwp : head->pthread) == id;
}

/* More threads than this are searched for each time, so that a corrupt target costs little
 * memory. */
#define MOST_HINTS 65536

/* Add a hint for HEAD, which has none yet. */
static ompd_rc_t add_thread_hint(struct address_space *space, const struct thread_head *head)
{
    struct thread_hints *hints = &space->recorder->hints;
    ompd_rc_t rc;

    if (hints->count == MOST_HINTS)
        return ompd_rc_ok;
    rc = memory_grow(space->target.memory, &hints->hints, hints->count, &hints->capacity,
                     sizeof(hints->hints[0]));
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    hints->hints[hints->count++] = (struct thread_hint){head->address, head->pthread, head->lwp};
    return ompd_rc_ok;
}

/* Whether the thread is where it was last seen. */
static bool thread_is_in_place(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                               struct thread_head *head)
{
    for (size_t i = 0; i < space->recorder->hints.count; i++) {
        const struct thread_hint *hint = &space->recorder->hints.hints[i];

        if ((kind == OMPD_CL_THREAD_LWP ? hint->lwp : hint->pthread) == id)
            return read_thread_head(space, hint->address, head) == ompd_rc_ok &&
                   head_is_thread(head, kind, id);
    }
    return false;
}

/* The thread that is searched for, and the result. */
struct search {
    ompd_thread_id_t kind;
    uint64_t id;
    struct thread_head *found;
    bool is_found;
};

static ompd_rc_t visit_thread(struct address_space *space, uint64_t address, void *context)
{
    struct search *search = context;
    struct thread_head head;
    ompd_rc_t rc;

    rc = read_thread_head(space, address, &head);
    if (rc != ompd_rc_ok || !head.is_live)
        return rc;
    if (head_is_thread(&head, search->kind, search->id)) {
        *search->found = head;
        search->is_found = true;
    }
    return add_thread_hint(space, &head);
}

/* Search all records, and add hints for all threads: others are likely to be requested next. */
static ompd_rc_t search_threads(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                                struct thread_head *found)
{
    struct search search = {kind, id, found, false};
    ompd_rc_t rc;

    space->recorder->hints.count = 0;
    rc = uncached_visit(space, ompd_cl_registry_thread, false, visit_thread, &search);
    /* Others than the one found may be unreadable. */
    if (search.is_found && rc == ompd_rc_device_read_error) {
        message_clear(&space->message);
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_ok && !search.is_found)
        return address_space_fail(space, ompd_rc_unavailable, "the thread has not entered OpenCL.");
    return rc;
}

/* Registries before version 1.1 have no such table. */
ompd_rc_t thread_table_require(struct address_space *space)
{
    if (thread_table(space)->record_size != 0)
        return ompd_rc_ok;
    return address_space_fail(
        space, ompd_rc_unavailable,
        "the recorder in this process is older than this library and records no threads.");
}

ompd_rc_t thread_find(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                      struct thread_head *head)
{
    ompd_rc_t rc = thread_table_require(space);

    if (kind == OMPD_CL_THREAD_LWP)
        id = lwp_map_to_recorder(&space->recorder->lwps, id);
    if (rc != ompd_rc_ok || thread_is_in_place(space, kind, id, head))
        return rc;
    return search_threads(space, kind, id, head);
}

static ompd_rc_t count_thread(struct address_space *space, uint64_t address, void *context)
{
    static const uint8_t field = ompd_cl_registry_field_state;
    int64_t *count = context;
    uint64_t state = 0;
    ompd_rc_t rc;

    rc = uncached_fields(space, thread_table(space), address, &field, 1, &state);
    *count += state == ompd_cl_registry_live;
    return rc;
}

ompd_rc_t thread_count(struct address_space *space, int64_t *count)
{
    ompd_rc_t rc = thread_table_require(space);

    *count = 0;
    if (rc == ompd_rc_ok)
        rc = uncached_visit(space, ompd_cl_registry_thread, false, count_thread, count);
    return rc;
}

ompd_rc_t thread_head_find(struct address_space *space, const struct handle_entry *entry,
                           struct thread_head *head)
{
    ompd_rc_t rc;

    rc = uncached_open(space);
    if (rc != ompd_rc_ok)
        return rc;
    if (entry->incarnation == space->recorder->registry.incarnation) {
        rc = read_thread_head(space, entry->address, head);
        if (rc == ompd_rc_ok && head->is_live && head->activity_count != 0)
            rc = drop_left_activities(space, head);
        if (rc != ompd_rc_ok)
            return uncached_unreadable(space);
        if (head->is_live && head->generation == entry->generation)
            return ompd_rc_ok;
    }
    return address_space_fail(space, ompd_rc_stale_handle, "the thread has ended.");
}

ompd_rc_t thread_activity_read(struct address_space *space, const struct thread_head *head,
                               uint32_t number, struct activity *activity)
{
    const uint64_t size = sizeof(struct ompd_cl_registry_activity);
    uint64_t offset = thread_table(space)->locations[ompd_cl_registry_field_activities].offset;
    uint8_t bytes[sizeof(struct ompd_cl_registry_activity)];

    if (target_read_uncached(&space->target, head->address + offset + number * size, size, bytes) !=
        ompd_rc_ok)
        return uncached_unreadable(space);
    *activity = activity_decode(&space->target, bytes);
    return ompd_rc_ok;
}

static ompd_rc_t fail_activities(struct address_space *space)
{
    return address_space_fail(
        space, ompd_rc_error,
        "the recorder's registry is corrupt: the calls that the thread is in are impossible.");
}

ompd_rc_t thread_depth_check(struct address_space *space, const struct thread_head *head)
{
    if (head->activity_count > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT)
        return fail_activities(space);
    return ompd_rc_ok;
}

ompd_rc_t thread_innermost_read(struct address_space *space, const struct thread_head *head,
                                struct activity *activity, bool *is_known)
{
    ompd_rc_t rc = thread_depth_check(space, head);

    if (rc != ompd_rc_ok)
        return rc;
    *activity = (struct activity){.what = 0};
    *is_known = head->activity_count <= activity_room(thread_table(space));
    if (head->activity_count == 0 || !*is_known)
        return ompd_rc_ok;
    rc = thread_activity_read(space, head, head->activity_count - 1, activity);
    if (rc != ompd_rc_ok)
        return rc;
    /* A newer recorder may know more calls. */
    if (call_state(activity->what) == 0 &&
        space->recorder->registry.minor <= OMPD_CL_REGISTRY_MINOR)
        return fail_activities(space);
    return ompd_rc_ok;
}
