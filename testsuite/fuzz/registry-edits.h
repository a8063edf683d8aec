/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Edits of a recorder's registry: its root, tables, chunks and records. */
#ifndef FUZZ_REGISTRY_EDITS_H
#define FUZZ_REGISTRY_EDITS_H

#include "edits.h"

#include "../unit/fake-target.h"

/* Apply EDIT to the registry of TARGET. Returns whether it changes bytes or positions, so that
 * parts of numbers and texts are read as others. The result then depends on the target's byte
 * order. */
bool registry_edit_apply(struct fake_target *target, const struct edit *edit);

#endif
