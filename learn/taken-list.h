/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of objects whose destructor callbacks wait for a thread of the runtime. */
#ifndef OMPD_LEARN_TAKEN_LIST_H
#define OMPD_LEARN_TAKEN_LIST_H

#include <learn/layout-draft.h>
#include <learn/population-maker.h>

/* Let buffers in an OpenCL context of MAKER wait while the callback of another one runs, and set in
 * DRAFT where the runtime has their list, if it calls callbacks on a thread of its own. */
void taken_list_learn(struct layout_draft *draft, const struct maker *maker);

#endif
