/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which function a thread has called that is to return to an address: told by the machine's code
 * before it. */
#ifndef LIBOMPD_CALL_SITE_H
#define LIBOMPD_CALL_SITE_H

#include "target/target.h"

/*
 * Have in *FUNCTION the function that was called where a thread returns to ADDRESS in code of
 * MACHINE, a number of ELF: an entry of the procedure linkage table is followed to what it leads
 * to.  TABLE is what %ebx of i386 had at the call, by which code finds the global offset table that
 * may be anywhere; 0: it is not known.  Returns ompd_rc_ok; ompd_rc_unavailable when the call is
 * none whose target is told, such as one through a register; as target_view when the code cannot be
 * read.
 */
ompd_rc_t call_site_look(struct target *target, uint32_t machine, uint64_t address, uint64_t table,
                         uint64_t *function);

#endif
