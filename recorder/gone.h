/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is gone: records of the last objects of each kind that have ended, a ring for each. */
#ifndef RECORDER_GONE_H
#define RECORDER_GONE_H

#include "object.h"

/* Keep the last LENGTH objects of each kind, as far as there is memory; 0: keep none.  Before the
 * root is published. */
void recorder_gone_prepare(uint32_t length);

/* The object of ENTRY has ended, as ENDING says; its life word was LIFE before, and its record is
 * still as it was but for that. */
void recorder_gone_keep(const struct recorder_entry *entry, uint64_t life,
                        enum ompd_cl_registry_ending ending);

/* Have in *OBJECT, whose `handle` is set, who has released the last memory object that had this
 * handle and is gone, and in *SIZE its bytes.  False: none is known, or none was released. */
bool recorder_gone_memobj_find(struct ompd_cl_registry_object *object, uint64_t *size);

#endif
