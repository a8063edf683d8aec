/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call stacks, each distinct one stored once by the recorder. */
#include "api/api.h"

static void copy_frames(const struct target *target, const uint8_t *frames, ompd_size_t capacity,
                        ompd_addr_t *copy, ompd_size_t depth)
{
    for (ompd_size_t i = 0; i < depth && i < capacity; i++)
        copy[i] = target_integer(target, frames + i * sizeof(uint64_t), sizeof(uint64_t));
}

static ompd_rc_t get_stack(struct address_space *space, uint64_t stack, ompd_size_t capacity,
                           ompd_addr_t *frames, ompd_size_t *count)
{
    struct registry *registry;
    struct registry_table *table;
    struct registry_location location;
    const uint8_t *record;
    uint64_t depth;
    ompd_rc_t rc;

    if (count == NULL || (frames == NULL && capacity != 0))
        return address_space_refuse_null(space, "the pointer to the frames or to their count");
    registry = &space->recorder->registry;
    table = &registry->tables[ompd_cl_registry_stack];
    rc = stack == 0 || stack > UINT32_MAX
             ? ompd_rc_unavailable
             : registry_record_view(registry, table, (uint32_t)stack - 1, &record);
    if (rc == ompd_rc_ok && registry_is_free(registry, table, record))
        rc = ompd_rc_unavailable;
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, ompd_rc_bad_input, "there is no such call stack.");
    if (rc == ompd_rc_incomplete)
        *count = 0;
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);

    depth = registry_get(registry, table, record, ompd_cl_registry_field_depth);
    location = table->locations[ompd_cl_registry_field_frames];
    if (depth > location.size / sizeof(uint64_t))
        return address_space_fail(space, ompd_rc_error,
                                  "the recorder's registry is corrupt: a call stack is too deep.");
    if (!address_space_may_set_outputs(space, rc))
        return ompd_rc_interrupted;
    copy_frames(&space->target, record + location.offset, capacity, frames, depth);
    *count = depth;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_stack_get(ompd_address_space_handle_t *handle, uint64_t stack,
                                   ompd_size_t capacity, ompd_addr_t *frames, ompd_size_t *count)
{
    struct address_space *space;
    ompd_size_t depth = 0;
    ompd_rc_t rc;

    rc = sources_enter_recorder(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = get_stack(space, stack, capacity, frames, count == NULL ? NULL : &depth);
    if (address_space_may_set_outputs(space, rc))
        *count = depth;
    return address_space_leave(space, rc);
}
