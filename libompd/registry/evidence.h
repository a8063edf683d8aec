/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How sure the recorder is that an object is still there: the runtime may have deleted one that the
 * program has released without the recorder's seeing it. */
#ifndef LIBOMPD_EVIDENCE_H
#define LIBOMPD_EVIDENCE_H

#include "registry/registry.h"

/* The number of objects that the one of RECORD keeps alive. */
uint32_t evidence_children(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record);

/* Tell whether the object of RECORD, which is there, is only presumed to be. */
bool evidence_is_presumed(const struct registry *registry, const struct registry_table *table,
                          const uint8_t *record);

#endif
