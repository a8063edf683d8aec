/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Edits of a runtime's objects, lists and module. */
#ifndef FUZZ_HEAP_EDITS_H
#define FUZZ_HEAP_EDITS_H

#include "edits.h"
#include "small-targets.h"

/* Apply EDIT to SMALL, which has a runtime. */
void heap_edit_apply(struct small_target *small, const struct edit *edit);

#endif
