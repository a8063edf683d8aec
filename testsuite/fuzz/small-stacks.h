/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small targets with threads: modules with code and unwind tables beside a runtime with objects,
 * and the threads' call stacks. */
#ifndef FUZZ_SMALL_STACKS_H
#define FUZZ_SMALL_STACKS_H

#include "edits.h"
#include "small-targets.h"

/* For small_target_get: of x86-64, or i386 in variants of 32 bits; of AArch64; and the first with a
 * recorder that knows the scene of small-scene.h. */
void small_make_stacks(struct small_target *small, int variant);
void small_make_aarch64_stacks(struct small_target *small, int variant);
void small_make_recorded_stacks(struct small_target *small, int variant);

/* Have the threads be as they were made, in SMALL. */
void small_stacks_restore(const struct small_target *small);

/* The tool's optional table: fake_extra and the threads. */
const ompd_cl_extra_t *small_stacks_extra(void);

/* Apply EDIT to SMALL: to a call stack, code, the unwind tables, or what heap_edit_apply and
 * registry_edit_apply know. */
void small_stacks_edit(struct small_target *small, const struct edit *edit);

#endif
