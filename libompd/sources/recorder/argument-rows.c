/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the arguments of kernels, and of commands that run kernels. */
#include "sources/recorder/recorder.h"

#define FORM_SIZE 4
#define VALUE_SIZE 8

/* The arguments that a record of TABLE has room for. */
static uint32_t room_in(const struct registry_table *table)
{
    uint32_t forms = table->locations[ompd_cl_registry_field_argument_forms].size / FORM_SIZE;
    uint32_t values = table->locations[ompd_cl_registry_field_argument_values].size / VALUE_SIZE;

    return forms < values ? forms : values;
}

uint64_t argument_limit(const struct registry *registry, const struct registry_table *table,
                        uint64_t count)
{
    uint32_t room = room_in(table);
    bool has_more = registry_has(table, ompd_cl_registry_field_more_arguments) &&
                    room_in(&registry->tables[ompd_cl_registry_argument_block]) != 0;

    return count <= room || has_more ? count : room;
}

/* Have the argument at PLACE of RECORD of TABLE, a block as well, in *ARGUMENT. */
static void get_argument_at(const struct registry *registry, const struct registry_table *table,
                            const uint8_t *record, uint32_t place, struct argument *argument)
{
    argument->form = (uint32_t)registry_get_element(
        registry, table, record, ompd_cl_registry_field_argument_forms, place, FORM_SIZE);
    argument->value = registry_get_element(
        registry, table, record, ompd_cl_registry_field_argument_values, place, VALUE_SIZE);
}

/* Check that the block of CURSOR belongs to the arguments that it names: so no chain is
 * circular. */
static ompd_rc_t view_block(struct registry *registry, const struct argument_cursor *cursor,
                            const uint8_t **block)
{
    struct registry_table *blocks = &registry->tables[ompd_cl_registry_argument_block];
    ompd_rc_t rc = registry_record_view(registry, blocks, cursor->block - 1, block);

    if (rc == ompd_rc_unavailable)
        return ompd_rc_error;
    if (rc == ompd_rc_ok && (registry_is_free(registry, blocks, *block) ||
                             registry_get(registry, blocks, *block,
                                          ompd_cl_registry_field_first_argument) != cursor->first))
        return ompd_rc_error;
    return rc;
}

ompd_rc_t argument_find(struct registry *registry, const struct registry_table *table,
                        const uint8_t *record, uint32_t number, struct argument_cursor *cursor,
                        struct argument *argument)
{
    const struct registry_table *blocks = &registry->tables[ompd_cl_registry_argument_block];
    bool is_command = table == &registry->tables[ompd_cl_registry_command];
    const uint8_t *block;
    ompd_rc_t rc;

    argument->number = number;
    argument->order = is_command
                          ? registry_get(registry, table, record, ompd_cl_registry_field_serial)
                          : UINT64_MAX;
    if (number < room_in(table)) {
        get_argument_at(registry, table, record, number, argument);
        return ompd_rc_ok;
    }
    if (cursor->block == 0) {
        cursor->block =
            (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_more_arguments);
        cursor->first = room_in(table);
    }
    while (cursor->block != 0) {
        rc = view_block(registry, cursor, &block);
        if (rc != ompd_rc_ok)
            return rc;
        if (number - cursor->first < room_in(blocks)) {
            get_argument_at(registry, blocks, block, number - cursor->first, argument);
            return ompd_rc_ok;
        }
        cursor->block =
            (uint32_t)registry_get(registry, blocks, block, ompd_cl_registry_field_next);
        cursor->first += room_in(blocks);
    }
    return ompd_rc_unavailable;
}

/* Set *IS_OBJECT to whether the cl handle that ARGUMENT may be is that of an object in TABLE_ID. */
static ompd_rc_t find_argument_object(struct registry *registry, uint32_t table_id,
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

/* Set the object of ARGUMENT, whose bytes may be a cl handle, in INFO. */
static ompd_rc_t resolve_argument(struct address_space *space, const struct argument *argument,
                                  ompd_cl_argument_info_t *info)
{
    /* The objects that clSetKernelArg takes (OpenCL 3.0 section 5.9.2). */
    static const struct {
        uint32_t table;
        ompd_cl_kind_t kind;
    } objects[] = {{ompd_cl_registry_memobj, ompd_cl_kind_memobj},
                   {ompd_cl_registry_sampler, ompd_cl_kind_sampler},
                   {ompd_cl_registry_queue, ompd_cl_kind_queue}};
    bool is_object = false;
    ompd_rc_t worst = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]) && argument->value != 0; i++) {
        ompd_rc_t rc = find_argument_object(&space->recorder->registry, objects[i].table, argument,
                                            &is_object);

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

/* Set the device address ARGUMENT and the memory object in which it is in INFO. */
static ompd_rc_t set_device_address(struct registry *registry, const struct argument *argument,
                                    ompd_cl_argument_info_t *info)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_memobj];
    const uint8_t *record;
    uint64_t start;
    uint32_t index;
    ompd_rc_t rc =
        record_find_around(registry, ompd_cl_registry_memobj, ompd_cl_registry_field_device_address,
                           argument->value, argument->order, &index, &start);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, table, index, &record);
    if (rc_is_final(rc))
        return rc;
    recorder_value_set(&info->form, ompd_cl_argument_device);
    recorder_value_set(&info->value, argument->value);
    if (rc == ompd_rc_ok) {
        recorder_value_set(&info->object_kind, ompd_cl_kind_memobj);
        recorder_value_set(&info->object,
                           registry_get(registry, table, record, ompd_cl_registry_field_handle));
        return ompd_rc_ok;
    }
    recorder_value_set_absent(&info->object, ompd_cl_status_unknown);
    return rc == ompd_rc_unavailable ? ompd_rc_ok : ompd_rc_incomplete;
}

/* Set the number in the bytes of ARGUMENT, or the object that they name, in INFO. */
static ompd_rc_t set_value(struct address_space *space, const struct argument *argument,
                           ompd_cl_argument_info_t *info)
{
    uint32_t size = OMPD_CL_REGISTRY_ARGUMENT_SIZE(argument->form);

    if (size == space->target.pointer_size)
        return resolve_argument(space, argument, info);
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
        recorder_value_set_absent(&info->size, ompd_cl_status_not_applicable);
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
    case ompd_cl_registry_argument_device:
        return set_device_address(&space->recorder->registry, argument, info);
    default:
        recorder_value_set_absent(&info->form, ompd_cl_status_corrupt);
        recorder_value_set_absent(&info->size, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
}
