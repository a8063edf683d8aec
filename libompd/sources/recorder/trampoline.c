/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's trampolines, which the runtime holds in place of the program's callbacks. */
#include "sources/recorder/recorder.h"

static bool is_of_recorder(struct address_space *space, uint64_t function)
{
    const struct recorder_module *module = recorder_module_find(space);

    return function >= module->start && function < module->end;
}

#define GET(field) registry_get(registry, table, record, ompd_cl_registry_field_##field)

/* Return whether REFERENCE of GENERATION is to the record of OBJECT. */
static bool is_reference_to(struct registry *registry, uint32_t reference, uint64_t generation,
                            uint64_t object)
{
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);
    struct registry_table *table;
    const uint8_t *record;

    if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT)
        return false;
    table = &registry->tables[id];
    return registry_record_view(registry, table, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference),
                                &record) == ompd_rc_ok &&
           GET(generation) == generation && GET(handle) == object;
}

/* The recorder's user data: generation << 24 | index, as far as they fit in a pointer. */
static bool is_of_generation(const struct address_space *space, uint64_t token, uint64_t generation)
{
    unsigned bits = space->target.pointer_size == 8 ? OMPD_CL_REGISTRY_GENERATION_BITS
                                                    : 32 - OMPD_CL_REGISTRY_INDEX_BITS;

    return token >> OMPD_CL_REGISTRY_INDEX_BITS == (generation & ((UINT64_C(1) << bits) - 1));
}

/* Find TOKEN. Returns false when the registry does not have it. */
static bool find_token(struct address_space *space, uint32_t table_id, uint64_t token,
                       uint64_t object, uint64_t *function, uint64_t *user_data)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[table_id];
    const uint8_t *record;

    if (recorder_source_open(space) != ompd_rc_ok ||
        registry_record_view(registry, table, OMPD_CL_REGISTRY_REFERENCE_INDEX((uint32_t)token),
                             &record) != ompd_rc_ok ||
        registry_is_free(registry, table, record) ||
        !is_of_generation(space, token, GET(generation)))
        return false;
    *function = GET(function);
    *user_data = GET(user_data);
    if (registry_has(table, ompd_cl_registry_field_queue_handle))
        return GET(queue_handle) == object;
    return is_reference_to(registry, (uint32_t)GET(object), GET(object_generation), object);
}

void trampoline_translate(struct address_space *space, uint32_t table_id, uint64_t object,
                          ompd_cl_value_t *function, ompd_cl_value_t *user_data)
{
    uint64_t token = user_data->value;

    if (!is_of_recorder(space, function->value))
        return;
    if (find_token(space, table_id, token, object, &function->value, &user_data->value))
        return;
    message_clear(&space->message);
    layout_value_set_absent(function, ompd_cl_status_unknown);
    layout_value_set_absent(user_data, ompd_cl_status_unknown);
}
