/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking through rows within the library: what derived questions use in the place of lists. */
#ifndef LIBOMPD_ROW_VISIT_H
#define LIBOMPD_ROW_VISIT_H

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

#endif
