/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A recorder with a program that makes mistakes: commands that use destroyed objects, endless
 * waits, a callback that blocks. */
#ifndef FUZZ_SMALL_SCENE_H
#define FUZZ_SMALL_SCENE_H

#include "small-targets.h"

/* Add it to SMALL, which is of small_make_recorded: to the objects of its runtime. */
void small_scene_add(struct small_target *small);

#endif
