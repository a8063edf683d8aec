/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL contexts and the platforms they were created on. */
#include "lists/object.h"

PUBLIC ompd_rc_t ompd_cl_platform_list_open(ompd_address_space_handle_t *space,
                                            ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_platform, NULL, list);
}

PUBLIC ompd_rc_t ompd_cl_platform_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                            ompd_size_t capacity, ompd_cl_platform_info_t *rows,
                                            ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_platform, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_context_list_open(ompd_address_space_handle_t *space,
                                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_context, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_context_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                           ompd_size_t capacity, ompd_cl_context_info_t *rows,
                                           ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_context, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_context_find(ompd_address_space_handle_t *space, uint64_t handle,
                                      ompd_cl_context_id_t *context)
{
    return object_find(space, ompd_cl_kind_context, handle, context == NULL ? NULL : &context->id);
}

PUBLIC ompd_rc_t ompd_cl_context_get(ompd_address_space_handle_t *space,
                                     ompd_cl_context_id_t context, ompd_cl_context_info_t *info)
{
    return object_get(space, ompd_cl_kind_context, context.id, info);
}
