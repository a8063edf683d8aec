/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows/argument-rows.h"

#include "base/value.h"
#include "kinds/blank.h"
#include "registry/record-lookup.h"

#define FORM_SIZE 4
#define VALUE_SIZE 8

uint32_t argument_room(const struct registry_table *table)
{
    uint32_t forms = table->locations[ompd_cl_registry_field_argument_forms].size / FORM_SIZE;
    uint32_t values = table->locations[ompd_cl_registry_field_argument_values].size / VALUE_SIZE;

    return forms < values ? forms : values;
}

struct argument argument_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number)
{
    bool is_command = table == &registry->tables[ompd_cl_registry_command];

    return (struct argument){
        .number = number,
        .form = (uint32_t)registry_get_element(
            registry, table, record, ompd_cl_registry_field_argument_forms, number, FORM_SIZE),
        .value = registry_get_element(registry, table, record,
                                      ompd_cl_registry_field_argument_values, number, VALUE_SIZE),
        .order = is_command ? registry_get(registry, table, record, ompd_cl_registry_field_serial)
                            : UINT64_MAX,
    };
}

/* Tell in *IS_OBJECT whether the cl handle that ARGUMENT may be is that of an object in TABLE_ID.
 */
static ompd_rc_t look_for(struct registry *registry, uint32_t table_id,
                          const struct argument *argument, bool *is_object)
{
    struct registry_table *table = &registry->tables[table_id];
    const uint8_t *record;
    uint32_t generation;
    uint32_t index;
    ompd_rc_t rc = record_find(registry, table_id, argument->value, &index, &generation);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, table, index, &record);
    if (rc == ompd_rc_ok)
        *is_object =
            registry_get(registry, table, record, ompd_cl_registry_field_serial) < argument->order;
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* Set in INFO what ARGUMENT, whose bytes may be a cl handle, is. */
static ompd_rc_t resolve(struct address_space *space, const struct argument *argument,
                         ompd_cl_argument_info_t *info)
{
    /* What clSetKernelArg takes beside data (OpenCL 3.0 section 5.9.2). */
    static const struct {
        uint32_t table;
        ompd_cl_kind_t kind;
    } objects[] = {{ompd_cl_registry_memobj, ompd_cl_kind_memobj},
                   {ompd_cl_registry_sampler, ompd_cl_kind_sampler},
                   {ompd_cl_registry_queue, ompd_cl_kind_queue}};
    bool is_object = false;
    ompd_rc_t worst = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]) && argument->value != 0; i++) {
        ompd_rc_t rc = look_for(&space->registry, objects[i].table, argument, &is_object);

        if (rc_is_final(rc))
            return rc;
        if (is_object) {
            recorder_value_set(&info->form, ompd_cl_argument_object);
            recorder_value_set(&info->object_kind, objects[i].kind);
            recorder_value_set(&info->object, argument->value);
            return ompd_rc_ok;
        }
        if (rc != ompd_rc_ok)
            worst = ompd_rc_incomplete;
    }
    recorder_value_set(&info->form, ompd_cl_argument_data);
    recorder_value_set(&info->value, argument->value);
    if (argument->value != 0)
        info->form.status = ompd_cl_status_presumed;
    return worst;
}

/* Set in INFO the number that the bytes of ARGUMENT are, or what they name. */
static ompd_rc_t set_value(struct address_space *space, const struct argument *argument,
                           ompd_cl_argument_info_t *info)
{
    uint32_t size = OMPD_CL_REGISTRY_ARGUMENT_SIZE(argument->form);

    if (size == space->target.pointer_size)
        return resolve(space, argument, info);
    recorder_value_set(&info->form, ompd_cl_argument_data);
    if (size == 1 || size == 2 || size == 4 || size == 8)
        recorder_value_set(&info->value, argument->value);
    return ompd_rc_ok;
}

ompd_rc_t argument_row_fill(struct address_space *space, const struct argument *argument,
                            ompd_cl_argument_info_t *info)
{
    blank_fill(ompd_cl_kind_argument, info, ompd_cl_source_recorder, ompd_cl_status_not_applicable);
    recorder_value_set(&info->number, argument->number);
    recorder_value_set(&info->size, OMPD_CL_REGISTRY_ARGUMENT_SIZE(argument->form));
    switch (OMPD_CL_REGISTRY_ARGUMENT_FORM(argument->form)) {
    case ompd_cl_registry_argument_unset:
        recorder_value_set(&info->form, ompd_cl_argument_unset);
        recorder_value_lack(&info->size, ompd_cl_status_not_applicable);
        return ompd_rc_ok;
    case ompd_cl_registry_argument_value:
        return set_value(space, argument, info);
    case ompd_cl_registry_argument_none:
        recorder_value_set(&info->form, ompd_cl_argument_local);
        return ompd_rc_ok;
    case ompd_cl_registry_argument_svm:
        recorder_value_set(&info->form, ompd_cl_argument_svm);
        recorder_value_set(&info->object_kind, ompd_cl_kind_svm);
        recorder_value_set(&info->object, argument->value);
        return ompd_rc_ok;
    default:
        recorder_value_lack(&info->form, ompd_cl_status_corrupt);
        recorder_value_lack(&info->size, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
}
