/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Programs that break one rule of schema/rules.def each, and their correct twins. They have no
 * finding, and release all that they made when mistake_stop returns.
 */
#ifndef RULES_H
#define RULES_H

#include "mistake.h"

/* A buffer of SIZE bytes. */
cl_mem rules_make_buffer(const scene_t *scene);

/* An allocation of SIZE bytes. Only called where the runtime has SVM. */
void *rules_make_svm(const scene_t *scene);

/* Build SOURCE and make its kernel NAME. */
cl_kernel rules_make_kernel(const scene_t *scene, const char *source, const char *name);

/* Have a thread run BEGIN, and wait for its end. */
void rules_in_thread(void *(*begin)(void *), void *argument);

/* Each ends with an entry without a name. */
extern const mistake_t rules_of_callbacks[]; /* calls in destructor callbacks */
extern const mistake_t rules_of_handles[];   /* objects that are destroyed, or of another kind */
extern const mistake_t rules_of_kernels[];   /* arguments of kernels, and events that failed */
extern const mistake_t rules_of_memory[];    /* mappings, host memory and transfers */
extern const mistake_t rules_of_svm[];       /* shared virtual memory */

#endif
