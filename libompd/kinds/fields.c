/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#include <string.h>

static const struct kind *const kinds[] = {
    [ompd_cl_kind_overview] = &kind_of_overview,
    [ompd_cl_kind_platform] = &kind_of_platform,
    [ompd_cl_kind_context] = &kind_of_context,
    [ompd_cl_kind_queue] = &kind_of_queue,
    [ompd_cl_kind_memobj] = &kind_of_memobj,
    [ompd_cl_kind_destructor] = &kind_of_destructor,
    [ompd_cl_kind_svm] = &kind_of_svm,
    [ompd_cl_kind_svm_free] = &kind_of_svm_free,
    [ompd_cl_kind_svm_pointer] = &kind_of_svm_pointer,
    [ompd_cl_kind_wait] = &kind_of_wait,
    [ompd_cl_kind_thread] = &kind_of_thread,
    [ompd_cl_kind_activity] = &kind_of_activity,
    [ompd_cl_kind_usage] = &kind_of_usage,
    [ompd_cl_kind_memory] = &kind_of_memory,
    [ompd_cl_kind_runtime] = &kind_of_runtime,
    [ompd_cl_kind_layout] = &kind_of_layout,
    [ompd_cl_kind_event] = &kind_of_event,
    [ompd_cl_kind_kernel] = &kind_of_kernel,
    [ompd_cl_kind_program] = &kind_of_program,
    [ompd_cl_kind_sampler] = &kind_of_sampler,
    [ompd_cl_kind_device] = &kind_of_device,
    [ompd_cl_kind_command] = &kind_of_command,
    [ompd_cl_kind_finding] = &kind_of_finding,
    [ompd_cl_kind_hop] = &kind_of_hop,
    [ompd_cl_kind_gone] = &kind_of_gone,
    [ompd_cl_kind_error] = &kind_of_error,
    [ompd_cl_kind_holder] = &kind_of_holder,
    [ompd_cl_kind_leak] = &kind_of_leak,
    [ompd_cl_kind_ledger] = &kind_of_ledger,
    [ompd_cl_kind_call] = &kind_of_call,
    [ompd_cl_kind_callback] = &kind_of_callback,
    [ompd_cl_kind_argument] = &kind_of_argument,
};

const struct kind *kind_find(uint32_t kind)
{
    return kind < COUNT(kinds) ? kinds[kind] : NULL;
}

PUBLIC ompd_rc_t ompd_cl_field_get(ompd_cl_kind_t kind, uint32_t index,
                                   const ompd_cl_field_t **field)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || field == NULL)
        return ompd_rc_bad_input;
    if (index >= found->field_count)
        return ompd_rc_unavailable;
    *field = &found->fields[index];
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_kind_get(ompd_cl_kind_t kind, const char **name, ompd_size_t *struct_size)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || name == NULL || struct_size == NULL)
        return ompd_rc_bad_input;
    *name = found->name;
    *struct_size = found->struct_size;
    return ompd_rc_ok;
}

const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        if (strcmp(found->fields[i].name, name) == 0)
            return (const ompd_cl_value_t *)(const void *)((const char *)row +
                                                           found->fields[i].offset);
    }
    return NULL;
}
