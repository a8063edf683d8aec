/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small fake targets in all variants, which can be edited and restored. */
#ifndef FUZZ_SMALL_TARGETS_H
#define FUZZ_SMALL_TARGETS_H

#include "edits.h"

#include "../unit/embree-objects.h"
#include "../unit/fake-objects.h"

struct small_target {
    struct fake_target *fake;
    struct fake_objects objects; /* where the target has a runtime */
    struct fake_embree embree;   /* where it has that */
    struct embree_objects of_embree;
    struct fake_target made; /* as it was; its `bytes` are a copy */
    char *layout;            /* of the runtime */
};

/* The targets that `make` makes, each once. */
typedef void (*small_make_t)(struct small_target *small, int variant);
struct small_target *small_target_get(small_make_t make, int variant);

/* A population of the recorder's. */
void small_make_population(struct small_target *small, int variant);

/* Objects of a runtime, without a recorder; and with one that knows some. */
void small_make_objects(struct small_target *small, int variant);
void small_make_recorded(struct small_target *small, int variant);

/* Objects of Embree, in a process without OpenCL; there is one variant. */
void small_make_embree(struct small_target *small, int variant);

/* Have SMALL be the current target, as it was made. */
void small_target_restore(struct small_target *small);

/* Make the tool's callback number `head[1]` fail at call `head[2]`, if there is such a call. */
void small_target_arm(struct small_target *small, const struct edits *edits);

/* Make [VALUE, VALUE + NUMBER) of the target unreadable. */
void small_target_hide(struct fake_target *target, const struct edit *edit);

#endif
