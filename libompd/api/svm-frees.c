/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM-free commands, what they free and what they wait for. */
#include "lists/object.h"

static const struct object_chain pointers_of_command = {
    .link_kind = ompd_cl_kind_svm_pointer,
    .first = ompd_cl_registry_field_pointers,
    .count = ompd_cl_registry_field_pointer_count,
};

static const struct object_chain events_of_command = {
    .link_kind = ompd_cl_kind_wait,
    .first = ompd_cl_registry_field_wait_list,
    .count = ompd_cl_registry_field_wait_count,
};

PUBLIC ompd_rc_t ompd_cl_svm_free_list_open(ompd_address_space_handle_t *space,
                                            const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_svm_free, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_svm_free_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                            ompd_size_t capacity, ompd_cl_svm_free_info_t *rows,
                                            ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_svm_free, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_svm_free_get(ompd_address_space_handle_t *space,
                                      ompd_cl_svm_free_id_t command, ompd_cl_svm_free_info_t *info)
{
    return object_get(space, ompd_cl_kind_svm_free, command.id, info);
}

PUBLIC ompd_rc_t ompd_cl_svm_pointer_list_open(ompd_address_space_handle_t *space,
                                               ompd_cl_svm_free_id_t command, ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_svm_free, command.id, &pointers_of_command, list);
}

PUBLIC ompd_rc_t ompd_cl_svm_pointer_list_next(ompd_address_space_handle_t *space,
                                               ompd_cl_list_t list, ompd_size_t capacity,
                                               ompd_cl_svm_pointer_info_t *rows, ompd_size_t *count,
                                               ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_svm_pointer, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_wait_list_open(ompd_address_space_handle_t *space,
                                        ompd_cl_svm_free_id_t command, ompd_cl_list_t *list)
{
    return object_chain_open(space, ompd_cl_kind_svm_free, command.id, &events_of_command, list);
}

PUBLIC ompd_rc_t ompd_cl_wait_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                        ompd_size_t capacity, ompd_cl_wait_info_t *rows,
                                        ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_wait, capacity, rows, count, unreadable);
}
