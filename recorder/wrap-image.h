/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recording memory objects whose creating call does not tell everything. */
#ifndef RECORDER_WRAP_IMAGE_H
#define RECORDER_WRAP_IMAGE_H

#include "memobj.h"
#include "wrap.h"

#define recorder_memobj_ask RECORDER_PER_LOADER(recorder_memobj_ask)

/* Record a memory object, having asked the runtime for its size, and for its type when that is 0.
 * Does nothing when its handle is NULL. */
void recorder_memobj_ask(struct recorder_memobj memobj);

#endif
