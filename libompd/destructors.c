/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Destructor callbacks. */
#include "object.h"

/* The recorder pushes a new callback at the head: the chain's order is the call order. */
static const struct object_chain destructors_of_object = {
    .link_kind = ompd_cl_kind_destructor,
    .first = ompd_cl_registry_field_callbacks,
    .count = ompd_cl_registry_field_callback_count,
    .links_name_object = true,
};

PUBLIC ompd_rc_t ompd_cl_destructor_list_open(ompd_address_space_handle_t *space,
                                              const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_destructor, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_memobj_destructor_list_open(ompd_address_space_handle_t *space,
                                                     ompd_cl_memobj_id_t memobj,
                                                     ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_memobj, memobj.id, &destructors_of_object, list);
}

PUBLIC ompd_rc_t ompd_cl_context_destructor_list_open(ompd_address_space_handle_t *space,
                                                      ompd_cl_context_id_t context,
                                                      ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_context, context.id, &destructors_of_object, list);
}

PUBLIC ompd_rc_t ompd_cl_destructor_list_next(ompd_address_space_handle_t *space,
                                              ompd_cl_list_t list, ompd_size_t capacity,
                                              ompd_cl_destructor_info_t *rows, ompd_size_t *count,
                                              ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_destructor, capacity, rows, count, unreadable);
}
