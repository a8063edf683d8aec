/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fields of one object, as a layout says where they are. */
#ifndef LIBOMPD_LAYOUT_FIELDS_H
#define LIBOMPD_LAYOUT_FIELDS_H

#include "base/value.h"
#include "kinds/column.h"
#include "kinds/fields.h"
#include "session/layout-source.h"

#include <stddef.h>

/* CL_COMMAND_SVM_FREE */
#define LAYOUT_COMMAND_SVM_FREE 0x1209

/* A member of an info struct, the field of the layout that it is, and what its being 0 means. */
#define LAYOUT_COLUMN(info, member, field, status_of_zero)                                         \
    {                                                                                              \
        offsetof(ompd_cl_##info##_info_t, member), layout_##field, status_of_zero                  \
    }
#define LAYOUT_COLUMN_COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

struct layout_fields {
    struct address_space *space;
    const struct layout_object *object;
    uint64_t handle;
    const uint8_t *bytes; /* at the handle, all fields being at hand; NULL: they are not */
    uint64_t views;       /* of the target, at that time: the next may take the bytes away */
    bool is_scattered;    /* the fields cannot be had at once */
    ompd_rc_t rc;         /* ompd_rc_incomplete or ompd_rc_nomem once a field could not be had */
};

/* Begin to look at the object with HANDLE, which OBJECT describes. */
void layout_fields_begin(struct layout_fields *view, struct address_space *space,
                         const struct layout_object *object, uint64_t handle);

/* Begin to look at HANDLE, which is said to be of KIND, and, if IS_DYING, to be being destroyed.
 * Returns ompd_rc_ok; ompd_rc_unavailable
 * when it is of no runtime that has a layout, or not as that says; ompd_rc_incomplete when that
 * cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_find(struct layout_fields *view, struct address_space *space,
                             enum layout_kind kind, uint64_t handle, bool is_dying);

/* Tell in *HOLDS whether the number of RULE is within its bounds.  Returns ompd_rc_ok;
 * ompd_rc_incomplete when it cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_test(struct layout_fields *view, const struct layout_rule *rule,
                             bool *holds);

/* Set *VALUE to what location_read gave: RC, and NUMBER when that is ompd_rc_ok.  What is not known
 * for want of memory makes *RESULT ompd_rc_incomplete. */
void layout_value_read(struct address_space *space, ompd_cl_value_t *value, ompd_rc_t rc,
                       uint64_t number, ompd_rc_t *result);

/* Set *VALUE to FIELD of VIEW: a fact, unknown where the layout or the object lacks it, or why it
 * could not be read. */
void layout_fields_get(struct layout_fields *view, enum layout_field field, ompd_cl_value_t *value);

/* Set the members of INFO that COUNT columns have, whose fields are of enum layout_field, likewise.
 */
void layout_fields_show(struct layout_fields *view, const struct column *columns, size_t count,
                        void *info);

/* Set the references of ITEM, which VIEW is of, and its state. The runtime's count is a fact. How
 * many of these references the program holds is presumed: an object that was not found may hold
 * some. */
void layout_fields_get_references(struct layout_fields *view, const struct inventory_item *item,
                                  ompd_cl_value_t *of_runtime, ompd_cl_value_t *references,
                                  ompd_cl_value_t *state);

/* What the layout of ITEM's runtime says of its kind. */
static inline const struct layout_object *layout_object_of(const struct address_space *space,
                                                           const struct inventory_item *item)
{
    return &space->layout->runtimes.all[item->runtime].layout->objects[item->kind];
}

/* Begin INFO of KIND: nothing is known but that a layout would know. */
void layout_row_begin(struct address_space *space, uint32_t kind, void *info);

/* Set the confidence and the doubt of a row to those of ITEM. */
void layout_row_judge(const struct inventory_item *item, ompd_cl_value_t *confidence,
                      ompd_cl_value_t *doubt);

#endif
