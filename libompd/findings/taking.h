/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings being taken: what each rule uses to look through rows, and to keep what it finds. */
#ifndef LIBOMPD_TAKING_H
#define LIBOMPD_TAKING_H

#include "kinds/blank.h"
#include "session/address-space.h"

/* What of TAKING's rows a rule is after. */
struct taking;
typedef ompd_rc_t (*row_visit_t)(struct taking *taking, const void *row);

struct taking {
    struct address_space *space;
    struct kept_findings *kept; /* NULL: it is not for findings */
    bool *is_incomplete;        /* what is looked through is not whole */
    uint64_t failures;          /* of taking_get and taking_find so far */
    void *rule;                 /* of the rule that looks through rows */
};

/*
 * Have VISIT look at all rows of KIND; or at those that belong to OBJECT, an id of another kind,
 * where that is not 0.  Rows that could not be read make the findings incomplete.  Returns
 * ompd_rc_ok, or why it could not go on.
 */
ompd_rc_t taking_walk(struct taking *taking, uint32_t kind, uint64_t object, row_visit_t visit);

/* Have *ROW, whose struct_size is set, describe object ID of KIND.  False when that is not to be
 * had whole: *RC says whether the rule can go on; one finding at least is lost. */
bool taking_get(struct taking *taking, uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc);

/* The same for the object of KIND that HANDLE names; that there is none loses nothing. */
bool taking_find(struct taking *taking, uint32_t kind, uint64_t handle, void *row, ompd_rc_t *rc);

/* Tell whether VALUE says something; of which *NUMBER gets the number. */
bool value_is_known(const ompd_cl_value_t *value, uint64_t *number);

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
