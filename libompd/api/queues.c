/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command queues. */
#include "lists/object.h"

PUBLIC ompd_rc_t ompd_cl_queue_list_open(ompd_address_space_handle_t *space,
                                         const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_queue, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_queue_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                         ompd_size_t capacity, ompd_cl_queue_info_t *rows,
                                         ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_queue, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_queue_find(ompd_address_space_handle_t *space, uint64_t handle,
                                    ompd_cl_queue_id_t *queue)
{
    return object_find(space, ompd_cl_kind_queue, handle, queue == NULL ? NULL : &queue->id);
}

PUBLIC ompd_rc_t ompd_cl_queue_get(ompd_address_space_handle_t *space, ompd_cl_queue_id_t queue,
                                   ompd_cl_queue_info_t *info)
{
    return object_get(space, ompd_cl_kind_queue, queue.id, info);
}
