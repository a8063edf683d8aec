/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about the handles that a refused call was given. */
#include "refusals/refusals.h"

#include "objects/kinds.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The most handles of a list that are looked at. */
#define LIST_LIMIT 4096u

bool refusal_values(struct refusal *refusal, uint64_t first, uint64_t second, uint64_t third)
{
    refusal->values[0] = first;
    refusal->values[1] = second;
    refusal->values[2] = third;
    return true;
}

/* ---- The program's memory -------------------------------------------------------------------- */

bool refusal_read(void *to, const void *from, size_t size)
{
    const struct iovec local = {to, size};
    const struct iovec remote = {(void *)(uintptr_t)from, size};
    int before = errno;
    /* The pointer may be wrong, which may be why the call was refused. */
    bool is_read = from && process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
    errno = before;
    return is_read;
}

/* ---- Objects --------------------------------------------------------------------------------- */

/* The tables of objects with handles. */
static const uint32_t handle_tables[] = {
    ompd_cl_registry_context, ompd_cl_registry_queue,  ompd_cl_registry_memobj,
    ompd_cl_registry_program, ompd_cl_registry_kernel, ompd_cl_registry_sampler,
    ompd_cl_registry_event,
};

bool refusal_is_live(uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    return handle && recorder_object_find(&entry, table, handle) &&
           recorder_state_word_references(recorder_state_word_load(entry.object)) > 0;
}

bool refusal_is_null(struct refusal *refusal, uint32_t table, const void *handle)
{
    (void)refusal;
    (void)table;
    return !handle;
}

/* The table of another kind in which HANDLE is of a live object; 0 for none. */
static uint32_t other_table_find(uint32_t table, const void *handle)
{
    for (size_t i = 0; i < sizeof(handle_tables) / sizeof(handle_tables[0]); i++) {
        if (handle_tables[i] != table && refusal_is_live(handle_tables[i], handle)) {
            return handle_tables[i];
        }
    }
    return 0;
}

bool refusal_is_other_kind(struct refusal *refusal, uint32_t table, const void *handle)
{
    uint32_t other = refusal_is_live(table, handle) ? 0 : other_table_find(table, handle);
    return other && refusal_values(refusal, ADDRESS(handle), other, 0);
}

bool refusal_is_released(struct refusal *refusal, uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    if (!handle) {
        return false;
    }
    bool is_released =
        recorder_object_find(&entry, table, handle)
            ? recorder_state_word_references(recorder_state_word_load(entry.object)) <= 0
            : recorder_object_has_ended(table, handle);
    return is_released && refusal_values(refusal, ADDRESS(handle), 0, 0);
}

bool refusal_is_unknown(struct refusal *refusal, uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    return handle && !recorder_object_find(&entry, table, handle) &&
           !other_table_find(table, handle) && !recorder_object_has_ended(table, handle) &&
           refusal_values(refusal, ADDRESS(handle), 0, 0);
}

cl_context refusal_context_of(uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    struct recorder_family family;
    if (!refusal_is_live(table, handle) || !recorder_object_find(&entry, table, handle)) {
        return NULL;
    }
    if (table == ompd_cl_registry_context) {
        return (cl_context)handle;
    }
    recorder_family_get(&family, entry.object);
    return family.context ? (cl_context)(uintptr_t)family.context->object.handle : NULL;
}

bool refusal_expect_context_of(struct refusal *refusal, uint32_t table, const void *handle)
{
    refusal->context = refusal_context_of(table, handle);
    return true;
}

bool refusal_is_elsewhere(struct refusal *refusal, uint32_t table, const void *handle)
{
    cl_context its = refusal_context_of(table, handle);
    return its && refusal->context && its != refusal->context &&
           refusal_values(refusal, ADDRESS(its), ADDRESS(refusal->context), 0);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* The record of a live event; NULL when there is none. */
static const struct ompd_cl_registry_event_record *event_record_find(const void *handle)
{
    struct recorder_entry entry;
    bool is_live = refusal_is_live(ompd_cl_registry_event, handle) &&
                   recorder_object_find(&entry, ompd_cl_registry_event, handle);
    return is_live ? recorder_event_record(&entry) : NULL;
}

static uint32_t event_state(const struct ompd_cl_registry_event_record *record)
{
    return OMPD_CL_REGISTRY_RUN_STATE(__atomic_load_n(&record->run, __ATOMIC_ACQUIRE));
}

bool refusal_has_failed(struct refusal *refusal, uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_event_record *record = event_record_find(handle);
    (void)table;
    return record && event_state(record) == ompd_cl_registry_failed &&
           refusal_values(refusal, ADDRESS(handle),
                          (uint64_t)(int64_t)__atomic_load_n(&record->error, __ATOMIC_RELAXED), 0);
}

bool refusal_is_no_user_event(struct refusal *refusal, uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_event_record *record = event_record_find(handle);
    (void)table;
    return record && record->object.type != CL_COMMAND_USER &&
           refusal_values(refusal, ADDRESS(handle), 0, 0);
}

bool refusal_is_user_event(struct refusal *refusal, uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_event_record *record = event_record_find(handle);
    (void)table;
    return record && record->object.type == CL_COMMAND_USER &&
           refusal_values(refusal, ADDRESS(handle), 0, 0);
}

bool refusal_is_set(struct refusal *refusal, uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_event_record *record = event_record_find(handle);
    uint32_t state = record ? event_state(record) : 0;
    return (state == ompd_cl_registry_done || state == ompd_cl_registry_failed) &&
           refusal_is_user_event(refusal, table, handle);
}

bool refusal_is_unprofiled(struct refusal *refusal, cl_event event)
{
    const struct ompd_cl_registry_event_record *record = event_record_find(event);
    struct recorder_entry queue;
    return record && record->queue_handle &&
           recorder_object_find(&queue, ompd_cl_registry_queue,
                                (const void *)(uintptr_t)record->queue_handle) &&
           !(recorder_queue_record(&queue)->flags & CL_QUEUE_PROFILING_ENABLE) &&
           refusal_values(refusal, record->queue_handle, 0, 0);
}

bool refusal_is_incomplete(struct refusal *refusal, cl_event event)
{
    cl_int status = CL_COMPLETE;
    return refusal_is_live(ompd_cl_registry_event, event) &&
           refusal->target->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                           &status, NULL) == CL_SUCCESS &&
           status > CL_COMPLETE && refusal_values(refusal, ADDRESS(event), 0, 0);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

bool refusal_list_has(struct refusal *refusal, refusal_test *test, uint32_t table, const void *list,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count && i < LIST_LIMIT; i++) {
        const void *handle;
        if (!refusal_read(&handle, (const char *)list + i * sizeof(handle), sizeof(handle))) {
            return false;
        }
        if (test(refusal, table, handle)) {
            memmove(refusal->values + 1, refusal->values,
                    sizeof(refusal->values) - sizeof(refusal->values[0]));
            refusal->values[0] = i;
            return true;
        }
    }
    return false;
}

void *refusal_handle_at(const void *value)
{
    void *handle;
    return refusal_read(&handle, value, sizeof(handle)) ? handle : NULL;
}
