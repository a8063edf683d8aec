/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registers of a thread that does not run, by their numbers in DWARF. */
#ifndef OMPD_HOST_REGISTERS_H
#define OMPD_HOST_REGISTERS_H

#include <host/module.h>
#include <host/process.h>

/* Read the registers of the thread LWP; to be called where the target may be traced.  False:
 * dwfl_errmsg has the reason. */
bool registers_read(ompd_host_target_t *target, struct symbols *symbols, uint32_t lwp,
                    struct registers *registers);

/* The number of the stack pointer; REGISTER_COUNT: it is not known for this machine. */
unsigned registers_stack_pointer(const ompd_host_target_t *target);

/* No known machine has more registers that functions preserve. */
#define PRESERVED_LIMIT 11

/* The numbers of those, but for the stack pointer, in *NUMBERS; gives how many, 0 for a machine
 * that is not known here. */
unsigned registers_preserved(const ompd_host_target_t *target, const uint8_t **numbers);

/* Whether there may be code at ADDRESS: all that is not known to be none. */
bool registers_may_be_code(const ompd_host_target_t *target, uint64_t address);

/*
 * Undo a call to where no code is, which ended at once: REGISTERS get those of the caller, `pc` the
 * address that the call returns to.  False, and nothing done: it is not sure that it was a call.
 */
bool registers_undo_call(ompd_host_target_t *target, struct registers *registers);

#endif
