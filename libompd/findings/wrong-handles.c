/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A handle is the address of an object.  What can be no address of a program's memory, as a
 * variable that was never set has it, was never one: that needs no record of all objects that there
 * were.
 */
#include "findings/wrong-handles.h"

#include "findings/over-release.h"

/* No program has memory in its first page.  Linux gives programs at most the lower 2^56 bytes on
 * machines of 64 bits. */
#define LOWEST 4096
#define ADDRESS_BITS 56

static bool can_be_address(const struct address_space *space, uint64_t handle)
{
    return handle >= LOWEST && (space->target.pointer_size < 8 || handle >> ADDRESS_BITS == 0);
}

static ompd_rc_t check_thread(struct taking *taking, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    ompd_cl_finding_info_t finding;
    uint64_t handle;
    uint64_t call;

    if (!value_is_known(&thread->call, &call) || !value_is_known(&thread->handle, &handle) ||
        handle == 0 || can_be_address(taking->space, handle))
        return ompd_rc_ok;
    finding_begin(&finding, ompd_cl_rule_wrong_handle, ompd_cl_kind_thread, NULL);
    if (thread->handle.status != ompd_cl_status_value)
        finding_presume(&finding);
    finding.source = thread->source;
    if (release_kind(call) != 0)
        finding_set(&finding, &finding.object_kind, release_kind(call));
    finding.object = thread->handle;
    finding.object.status = ompd_cl_status_value;
    finding.thread = thread->lwp;
    finding.call = thread->call;
    return finding_keep(taking, &finding);
}

ompd_rc_t wrong_handles_check(struct taking *taking)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_thread, 0, check_thread);

    /* Neither a recorder nor the tool tells threads. */
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
