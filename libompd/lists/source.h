/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who tells of rows and objects.  Lists and objects ask one source after the other, and none of
 * them chooses. */
#ifndef LIBOMPD_SOURCE_H
#define LIBOMPD_SOURCE_H

#include "kinds/blank.h"
#include "lists/list.h"
#include "session/identifier.h"

struct source {
    /* Whether it is this one that gives out IDENTIFIER. */
    bool (*has_given)(struct identifier identifier);
    /* Give rows of LIST, which are not among those of the sources before, as a list_give_t does.
     * *IS_OVER gets true where it has given the rest and the next source is to go on. */
    ompd_rc_t (*give)(struct address_space *space, struct list *list, struct batch *batch,
                      bool *is_over);
    /* Find the id of the object of KIND that VALUE names.  Returns ompd_rc_unavailable where it
     * knows no such object; else as ompd_cl_object_find. */
    ompd_rc_t (*find)(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);
    /* Describe object ID of KIND, which IDENTIFIER is of, in *ROW.  Returns as ompd_cl_object_get.
     */
    ompd_rc_t (*get)(struct address_space *space, uint32_t kind, uint64_t id,
                     struct identifier identifier, union row *row);
};

/* The sources, in the order in which they are asked. */
#define SOURCE_COUNT 3
extern const struct source *const sources_all[SOURCE_COUNT];

extern const struct source source_recorder;
extern const struct source source_layout;
extern const struct source source_stack;

#endif
