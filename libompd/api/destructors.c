/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Destructor callbacks. */
#include "lists/destructor-list.h"
#include "lists/object.h"

PUBLIC ompd_rc_t ompd_cl_destructor_list_open(ompd_address_space_handle_t *space,
                                              const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_destructor, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_memobj_destructor_list_open(ompd_address_space_handle_t *space,
                                                     ompd_cl_memobj_id_t memobj,
                                                     ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_memobj, memobj.id, &destructor_chain, list);
}

PUBLIC ompd_rc_t ompd_cl_context_destructor_list_open(ompd_address_space_handle_t *space,
                                                      ompd_cl_context_id_t context,
                                                      ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_context, context.id, &destructor_chain, list);
}

PUBLIC ompd_rc_t ompd_cl_destructor_list_next(ompd_address_space_handle_t *space,
                                              ompd_cl_list_t list, ompd_size_t capacity,
                                              ompd_cl_destructor_info_t *rows, ompd_size_t *count,
                                              ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_destructor, capacity, rows, count, unreadable);
}
