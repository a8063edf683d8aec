/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What instructions of AArch64 do, so far as values are moved by them: of all others which
 * registers and which memory they change. */
#ifndef LIBOMPD_AARCH64_STEP_H
#define LIBOMPD_AARCH64_STEP_H

#include "stacks/code-step.h"

/* See code_stepper_t. */
bool aarch64_step(const uint8_t *bytes, uint32_t count, uint64_t address,
                  struct register_trace *trace, struct code_step *step);

#endif
