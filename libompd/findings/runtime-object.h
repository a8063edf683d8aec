/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a runtime has at the handle of an object that the recorder has, too. */
#ifndef LIBOMPD_RUNTIME_OBJECT_H
#define LIBOMPD_RUNTIME_OBJECT_H

#include "kinds/fields.h"
#include "rows/layout-fields.h"

struct runtime_object {
    struct layout_fields view; /* of an object that is there */
    bool is_there;
    bool is_gone; /* what lies at the handle is no such object; neither: that is not known */
};

/* Look at the object of ROW of KIND.  Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t runtime_object_look(struct address_space *space, uint32_t kind, const union row *row,
                              struct runtime_object *object);

/* Tell in *NUMBER what the runtime has in FIELD of an object that is there.  False: it does not
 * tell. */
bool runtime_object_get(struct runtime_object *object, enum layout_field field, uint64_t *number);

/* Count in *COUNT the destructor callbacks that the runtime has of an object that is there and is
 * not being destroyed.  *IS_TOLD gets false where it does not tell.  Returns as
 * runtime_object_look. */
ompd_rc_t runtime_object_count_callbacks(struct runtime_object *object, uint64_t *count,
                                         bool *is_told);

#endif
