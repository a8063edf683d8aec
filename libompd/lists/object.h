/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about one object, for any kind that has ids. */
#ifndef LIBOMPD_OBJECT_H
#define LIBOMPD_OBJECT_H

#include "lists/list.h"
#include "session/address-space.h"
#include "session/identifier.h"

/* The public *_list_open functions for lists of all objects of KIND. */
ompd_rc_t object_list_open(ompd_address_space_handle_t *handle, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/* The public *_find functions: the id of the object of KIND that VALUE, a cl handle or an SVM
 * pointer, names. */
ompd_rc_t object_find(ompd_address_space_handle_t *handle, uint32_t kind, uint64_t value,
                      uint64_t *id);

/* The public *_get functions. */
ompd_rc_t object_get(ompd_address_space_handle_t *handle, uint32_t kind, uint64_t id, void *info);

/*
 * Begin a public function about object ID of KIND: its address space, its id taken apart and its
 * record, which stays while other memory is read.  Returns as ompd_cl_memobj_destructor_list_open.
 */
ompd_rc_t object_enter(ompd_address_space_handle_t *handle, uint32_t kind, uint64_t id,
                       struct address_space **space, struct identifier *identifier,
                       const uint8_t **record);

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

/* The public functions that open a list of what belongs to object ID of KIND. */
ompd_rc_t object_chain_open(ompd_address_space_handle_t *handle, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list);

#endif
