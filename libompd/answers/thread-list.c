/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "answers/answers.h"

/* Find the id of the thread with LWP, of what the stacks tell. */
static ompd_rc_t find_by_stack(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    const struct found_thread *thread;
    ompd_rc_t rc = found_thread_view(space, lwp, &thread);

    if (rc == ompd_rc_ok)
        *id = identifier_of_handle(ompd_cl_kind_thread, lwp, space->salt);
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "no thread with this LWP is in an OpenCL call.");
    return address_space_explain(space, rc);
}

/* The same of the recorder's records. */
static ompd_rc_t find_recorded(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    struct identifier found = {.kind = ompd_cl_kind_thread};
    uint64_t recorded = lwp_map_recorded(&space->recorder->lwps, lwp);
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
    return address_space_explain(space, rc);
}

ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id)
{
    bool are_recorded;
    ompd_rc_t rc = threads_open(space, &are_recorded);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    return are_recorded ? find_recorded(space, lwp, id) : find_by_stack(space, lwp, id);
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
