/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a runtime has at the handle of an object that the recorder has, too. */
#ifndef LIBOMPD_RUNTIME_OBJECT_H
#define LIBOMPD_RUNTIME_OBJECT_H

#include "findings/heap-chunks.h"
#include "kinds/fields.h"
#include "rows/layout-fields.h"

struct runtime_object {
    struct layout_fields view; /* of an object that is there */
    bool is_there;
    bool is_gone; /* the memory at the handle is given back; neither: that is not known */
};

/* A look may walk through a whole heap, so that there are so many at most: law 13. */
#define HEAP_LOOKS 64

/* The looks at heaps so far.  Begin with {0}. */
struct heap_looks {
    struct heap_chunks chunks;
    uint32_t count;
};

/* Look at the object of ROW of KIND.  Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t runtime_object_look(struct address_space *space, struct heap_looks *looks, uint32_t kind,
                              const union row *row, struct runtime_object *object);

/* Tell in *NUMBER what the runtime has in FIELD of an object that is there.  False: it does not
 * tell. */
bool runtime_object_get(struct runtime_object *object, enum layout_field field, uint64_t *number);

/* Count in *COUNT the destructor callbacks that the runtime has of an object that is there and is
 * not being destroyed.  *IS_TOLD gets false where it does not tell.  Returns as
 * runtime_object_look. */
ompd_rc_t runtime_object_count_callbacks(struct runtime_object *object, uint64_t *count,
                                         bool *is_told);

#endif
