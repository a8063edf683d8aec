/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the layouts of a target's runtimes tell of.  What none tells of is not known: that nothing
 * of it was found says nothing. */
#ifndef LIBOMPD_COVERAGE_H
#define LIBOMPD_COVERAGE_H

#include "session/address-space.h"

/* What a layout may tell, or not. */
enum coverage_part {
    coverage_contexts,
    coverage_queues,
    coverage_buffers,
    coverage_images,
    coverage_sizes,
    coverage_references,
    coverage_svms,
    coverage_svm_sizes,
    coverage_svm_frees,
    coverage_memobj_destructors,
    coverage_context_destructors,
    coverage_programs,
    coverage_kernels,
    coverage_samplers,
    coverage_events,
    coverage_platforms,
    COVERAGE_COUNT
};

#define COVERAGE(part) (UINT32_C(1) << coverage_##part)
#define COVERAGE_MEMOBJS (COVERAGE(buffers) | COVERAGE(images))
#define COVERAGE_DESTRUCTORS (COVERAGE(memobj_destructors) | COVERAGE(context_destructors))

/* How much is told of something, by all runtimes that may have it. */
enum coverage_extent { coverage_wholly, coverage_in_part, coverage_nowhere };

/* Tell how much the layouts tell of PARTS, bits of COVERAGE, at the inventory's stop. */
enum coverage_extent coverage_extent(const struct address_space *space, uint32_t parts);

/* Tell whether of one of PARTS a layout says that the runtime has none: it said so where the layout
 * was learned, of the devices that were there. */
bool coverage_presumes_none(const struct address_space *space, uint32_t parts);

/* The bits of PARTS that the runtime at INDEX may have, and its layout does not tell. */
uint32_t coverage_lacks(const struct address_space *space, uint32_t index, uint32_t parts);

/* What PART is called. */
const char *coverage_noun(enum coverage_part part);

#endif
