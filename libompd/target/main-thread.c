/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/target.h"

bool main_thread_has_ended(struct target *target, uint64_t *lwp, uint64_t *count, ompd_rc_t *rc)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t told = ompd_rc_ok;

    *lwp = 0;
    *count = 0;
    for (uint32_t i = 0; told == ompd_rc_ok; i++) {
        told = thread_get(target, i, &thread);
        if (told != ompd_rc_ok)
            break;
        /* The first that is told has the lowest number, mostly: that of the main thread. */
        if (thread.main_lwp == 0 || thread.main_lwp == thread.lwp ||
            (*lwp != 0 && thread.main_lwp != *lwp))
            break;
        *lwp = thread.main_lwp;
        ++*count;
    }
    *rc = told == ompd_rc_unavailable || told == ompd_rc_unsupported ? ompd_rc_ok : told;
    return told == ompd_rc_unavailable && *count != 0;
}
