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

#endif
