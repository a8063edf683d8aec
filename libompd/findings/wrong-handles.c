/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/wrong-handles.h"

#include "findings/enqueue-arguments.h"
#include "findings/expected-kind.h"
#include "findings/handle-judge.h"

static ompd_rc_t check_thread(struct taking *taking, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct judged_handle judged = {.thread = thread};
    uint64_t before = taking->kept->count + taking->kept->lost;
    uint64_t call;
    ompd_rc_t rc;

    if (!value_is_known(&thread->call, &call) || !value_is_known(&thread->handle, &judged.handle))
        return ompd_rc_ok;
    judged.kind = expected_kind(call);
    rc = handle_judge(taking, &judged);
    if (rc != ompd_rc_ok || taking->kept->count + taking->kept->lost != before)
        return rc;
    return enqueue_arguments_check(taking, thread);
}

ompd_rc_t wrong_handles_check(struct taking *taking)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_thread, 0, check_thread);

    /* Neither a recorder nor the tool tells threads. */
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
