/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the layouts of a target's runtimes tell of.  What none tells of is not known: that nothing
 * of it was found says nothing. */
#ifndef LIBOMPD_TOLD_H
#define LIBOMPD_TOLD_H

#include "session/address-space.h"

/* What a layout may tell, or not. */
enum told {
    told_contexts,
    told_queues,
    told_buffers,
    told_images,
    told_sizes,
    told_references,
    told_svms,
    told_svm_sizes,
    told_svm_frees,
    told_memobj_destructors,
    told_context_destructors,
    told_programs,
    told_kernels,
    told_samplers,
    told_events,
    TOLD_COUNT
};

#define TOLD(part) (UINT32_C(1) << told_##part)
#define TOLD_MEMOBJS (TOLD(buffers) | TOLD(images))
#define TOLD_DESTRUCTORS (TOLD(memobj_destructors) | TOLD(context_destructors))

/* How much is told of something, by all runtimes that may have it. */
enum told_extent { told_wholly, told_in_part, told_nowhere };

/* Tell how much the layouts tell of PARTS, bits of TOLD, at the inventory's stop. */
enum told_extent told_extent(const struct address_space *space, uint32_t parts);

/* Tell whether of one of PARTS a layout says that the runtime has none: it said so where the layout
 * was learned, of the devices that were there. */
bool told_presumes_none(const struct address_space *space, uint32_t parts);

/* The bits of PARTS that the runtime at INDEX may have, and its layout does not tell. */
uint32_t told_lacks(const struct address_space *space, uint32_t index, uint32_t parts);

/* What PART is called. */
const char *told_noun(enum told part);

#endif
