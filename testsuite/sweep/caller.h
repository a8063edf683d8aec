/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls any public function by its signature, with libffi. */
#ifndef SWEEP_CALLER_H
#define SWEEP_CALLER_H

#include "signatures.h"

/* Call SIGNATURE's function, found by name in this program. WORDS are its arguments in order: a
 * pointer, handle, id or number each, truncated to the argument's size. Ends the program when there
 * is no such function. */
ompd_rc_t sweep_call(const struct sweep_signature *signature, const uint64_t *words);

#endif
