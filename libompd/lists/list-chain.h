/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of records that link to each other. */
#ifndef LIBOMPD_LIST_CHAIN_H
#define LIBOMPD_LIST_CHAIN_H

#include "lists/list.h"
#include "registry/registry.h"
#include "session/identifier.h"

/* Open a list of the records of KIND that are linked from CHAIN. */
ompd_rc_t list_open_chain(struct address_space *space, uint32_t kind,
                          const struct list_chain *chain, ompd_cl_list_t *id);

/* Let LIST, which goes through many chains, go on with CHAIN. */
void list_chain_begin(struct address_space *space, struct list *list,
                      const struct list_chain *chain);

/* Give the rows of LIST's chain, a list_give_t.  The count that the chain's owner keeps bounds the
 * walk.  What is behind a fault is lost, unless the chain is one of many. */
ompd_rc_t list_chain_give(struct address_space *space, struct list *list, struct batch *batch);

/* Tell whether RECORD is one that CHAIN may link to. */
bool list_chain_has(const struct registry *registry, const struct registry_table *table,
                    const struct list_chain *chain, const uint8_t *record);

/* What starts a chain in the record of an object: its fields for the first link and the count. */
struct object_chain {
    uint32_t link_kind; /* of the rows */
    enum ompd_cl_registry_field_id first;
    enum ompd_cl_registry_field_id count;
    bool links_name_object; /* each link says whose it is */
};

/* Take the chain of SHAPE out of RECORD of TABLE, the object that IDENTIFIER names. */
void object_chain_take(const struct registry *registry, const struct registry_table *table,
                       const uint8_t *record, struct identifier identifier,
                       const struct object_chain *shape, struct list_chain *chain);

#endif
