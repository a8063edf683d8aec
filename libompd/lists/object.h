/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about one object, for any kind that has ids. */
#ifndef LIBOMPD_OBJECT_H
#define LIBOMPD_OBJECT_H

#include "lists/list-chain.h"
#include "registry/registry.h"
#include "session/address-space.h"
#include "session/identifier.h"

/* Open the list of all objects of KIND: see ompd_cl_list_open. */
ompd_rc_t object_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/* Find the id of the object of KIND that VALUE, a cl handle or an SVM pointer, names: see
 * ompd_cl_object_find. */
ompd_rc_t object_find(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);

/* Describe object ID of KIND in *INFO: see ompd_cl_object_get. */
ompd_rc_t object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info);

/* Look at object ID of KIND, which only the recorder knows: its id taken apart and its record,
 * which stays while other memory is read.  Returns as ompd_cl_object_list_open. */
ompd_rc_t object_view(struct address_space *space, uint32_t kind, uint64_t id,
                      struct identifier *identifier, const uint8_t **record);

/*
 * Begin a list of LINK_KIND of what belongs to object ID of KIND: look at its record, as
 * object_view does.  Where a layout shows the object, the list is open, and *RECORD NULL.  Returns
 * as ompd_cl_object_list_open.
 */
ompd_rc_t object_open(struct address_space *space, uint32_t kind, uint64_t id, uint32_t link_kind,
                      ompd_cl_list_t *list, struct identifier *identifier, const uint8_t **record);

/* Open a list of what belongs to object ID of KIND: see ompd_cl_object_list_open. */
ompd_rc_t object_chain_open(struct address_space *space, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list);

#endif
