/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of the target and where their stacks end, as the tool tells them. */
#ifndef LIBOMPD_STACK_POINTER_H
#define LIBOMPD_STACK_POINTER_H

#include "target/target.h"

/* No process has more threads; further ones are not looked at (law 6). */
#define THREAD_LIMIT (UINT32_C(1) << 16)

/* Tell thread number INDEX.  Returns ompd_rc_ok; ompd_rc_unavailable past the last one;
 * ompd_rc_incomplete when the tool failed; ompd_rc_unsupported. */
ompd_rc_t thread_get(struct target *target, uint32_t index, ompd_cl_target_thread_t *thread);

/* The number that DWARF has for the stack pointer of the target's machine; UINT32_MAX when that is
 * not known. */
uint32_t stack_pointer_number(struct target *target);

/* Tell in *ADDRESS the stack pointer, of that NUMBER, of the thread LWP.  Returns as thread_get;
 * ompd_rc_unavailable when it is not known. */
ompd_rc_t stack_pointer_get(struct target *target, uint32_t number, uint64_t lwp,
                            uint64_t *address);

/* Where the first thread's stack began, as the dynamic linker of glibc keeps it; 0: not known. */
uint64_t stack_main_begin(struct target *target);

#endif
