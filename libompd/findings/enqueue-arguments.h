/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What calls that enqueue a command are given beside the queue. */
#ifndef LIBOMPD_ENQUEUE_ARGUMENTS_H
#define LIBOMPD_ENQUEUE_ARGUMENTS_H

#include "findings/taking.h"

/* Keep a finding for each argument that is no handle, of the call that THREAD is in: the recorder
 * keeps them in the record of the command.  Returns as taking_walk. */
ompd_rc_t enqueue_arguments_check(struct taking *taking, const ompd_cl_thread_info_t *thread);

#endif
