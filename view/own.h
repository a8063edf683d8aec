/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the functions for a front end's own verbs have in common. */
#ifndef OMPD_VIEW_OWN_H
#define OMPD_VIEW_OWN_H

#include <text/json.h>
#include <view/table.h>

#define VIEW_JSON_DEPTH 16 /* objects and arrays that are open, each within another */

/* What a verb has begun, and the answer that it got last. */
struct view_own {
    struct text answer;

    /* Of own-table.c: */
    struct view_renderer renderer; /* first in what its functions are given: see there */
    struct view_table *table;      /* NULL: none is open */
    ompd_cl_kind_t kind;           /* of its rows' objects, or 0 */
    ompd_cl_field_t columns[VIEW_FIELDS];
    size_t column_count;
    const ompd_view_value_t *values; /* of the row that is being added */
    const char *below;
    uint64_t rows;

    /* Of own-json.c: */
    struct text line;
    struct json open[VIEW_JSON_DEPTH];
    size_t depth; /* of them, open */
};

/* A call of such a function: the first member of what its work is given. */
struct view_call {
    ompd_view_t *view;
    struct view_own *own; /* for the work */
    ompd_rc_t rc;         /* what it comes to, ompd_rc_ok before */
};

/* Do WORK of CALL, unless the verb may not call it now.  Returns what the function returns. */
ompd_rc_t view_call_run(struct view_call *call, void (*work)(void *call));

/* What VALUE, of a verb, is as one of a field.  False: it makes no sense. */
bool view_own_value(const ompd_view_value_t *value, struct view_value *known);

/* Add why VALUE of a verb is not known. */
void view_own_reason(struct view_value value, struct text *text);

/* A field of TYPE whose key in JSON is NAME; by it values of a verb are shown. */
ompd_cl_field_t view_own_field(const char *name, ompd_cl_type_t type);

/* Whether a value can be of TYPE; it may be one of a stack. */
bool view_own_type_is_known(ompd_cl_type_t type);

/* The verb has returned: give back what it has begun. */
void view_own_end(ompd_view_t *view);

/* Give the table back unwritten. */
void view_own_table_drop(struct view_own *own);

#endif
