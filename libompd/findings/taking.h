/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings being taken: what each rule uses to keep what it finds. */
#ifndef LIBOMPD_TAKING_H
#define LIBOMPD_TAKING_H

#include "lists/row-visit.h"

/* Begin a finding of RULE about the object, callback or command in ROW of KIND.  False when that is
 * doubtful: then nothing is said of it. */
bool finding_begin(ompd_cl_finding_info_t *finding, ompd_cl_rule_t rule, uint32_t kind,
                   const void *row);

/* Name the other object, in ROW of KIND, likewise. */
bool finding_add_other(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row);

/* Set a field of FINDING. */
void finding_set(ompd_cl_finding_info_t *finding, ompd_cl_value_t *value, uint64_t number);

/* What FINDING says is not proved. */
void finding_presume(ompd_cl_finding_info_t *finding);

/* Keep FINDING; one of the same mistake at the same places is counted with the first.  Returns
 * ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t finding_keep(struct taking *taking, const ompd_cl_finding_info_t *finding);

#endif
