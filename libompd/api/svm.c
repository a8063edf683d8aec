/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM allocations. */
#include "lists/object.h"

PUBLIC ompd_rc_t ompd_cl_svm_list_open(ompd_address_space_handle_t *space,
                                       const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return object_list_open(space, ompd_cl_kind_svm, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_svm_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                       ompd_size_t capacity, ompd_cl_svm_info_t *rows,
                                       ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_svm, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_svm_find(ompd_address_space_handle_t *space, uint64_t pointer,
                                  ompd_cl_svm_id_t *svm)
{
    return object_find(space, ompd_cl_kind_svm, pointer, svm == NULL ? NULL : &svm->id);
}

PUBLIC ompd_rc_t ompd_cl_svm_get(ompd_address_space_handle_t *space, ompd_cl_svm_id_t svm,
                                 ompd_cl_svm_info_t *info)
{
    return object_get(space, ompd_cl_kind_svm, svm.id, info);
}
