/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that have entered OpenCL. */
#include "api/threads.h"

#include "lists/object.h"
#include "registry/record-lookup.h"
#include "session/identifier.h"
#include "session/sources.h"

ompd_rc_t threads_need(struct address_space *space)
{
    ompd_rc_t rc = sources_open_recorder(space);

    /* Where layouts tell nothing either, the reason for that is the better answer. */
    if (rc == ompd_rc_unavailable && space->layouts != NULL && sources_open(space) == ompd_rc_ok)
        return address_space_fail(space, rc,
                                  "only the recorder knows threads and counts what the program "
                                  "holds, and there is none in this process: run the program "
                                  "under it.");
    return rc == ompd_rc_ok ? thread_table_need(space) : rc;
}

ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    struct identifier found = {.kind = ompd_cl_kind_thread};
    ompd_rc_t rc = threads_need(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    rc = ompd_rc_unavailable;
    if (lwp != 0 && lwp <= UINT32_MAX)
        rc = record_find_by_field(&space->registry, ompd_cl_registry_thread,
                                  ompd_cl_registry_field_lwp, lwp, &found.index, &found.generation);
    if (rc == ompd_rc_ok)
        *id = identifier_encode(found, space->salt);
    if (rc == ompd_rc_incomplete)
        *id = 0;
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "no thread with this LWP has entered OpenCL.");
    return address_space_explain(space, rc);
}

ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list)
{
    ompd_rc_t rc = threads_need(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_thread, filter, list);
}
