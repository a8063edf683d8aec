/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether what a thread has given a call is a handle of the kind that the call wants. */
#ifndef LIBOMPD_HANDLE_JUDGE_H
#define LIBOMPD_HANDLE_JUDGE_H

#include "findings/taking.h"

struct judged_handle {
    const ompd_cl_thread_info_t *thread; /* in the call */
    uint64_t handle;
    uint32_t kind;     /* of the object that the call wants; 0: not known */
    uint32_t argument; /* of the call, from 0 */
    uint64_t order; /* of the command that the call enqueues: what had ended before it is gone; 0:
                     * that is not known */
};

/* Keep a finding where JUDGED is none of its kind.  Returns as finding_keep. */
ompd_rc_t handle_judge(struct taking *taking, const struct judged_handle *judged);

#endif
