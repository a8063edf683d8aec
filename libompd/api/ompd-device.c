/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Address spaces of OpenCL devices (OpenMP 6.0 sections 41.2.2 and 41.2.3). */
#include "api/api.h"

#include <string.h>

static ompd_rc_t create_device_handle(struct address_space *space, ompd_device_t kind,
                                      ompd_size_t sizeof_id, const void *id,
                                      ompd_address_space_handle_t **device_handle)
{
    struct handle_entry entry = {.kind = handle_of_device};
    struct device_usage usage;
    uintptr_t number;
    ompd_rc_t rc;

    if (id == NULL || device_handle == NULL)
        return address_space_refuse_null(space, "the id or the handle");
    if (kind != OMPD_CL_DEVICE_KIND)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the device is not an OpenCL device.");
    entry.address = tool_integer_read(id, sizeof_id);
    if (entry.address == 0)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "a cl_device_id has 4 or 8 bytes and is not 0.");
    rc = uncached_open(space);
    if (rc == ompd_rc_ok)
        rc = device_usage_count(space, entry.address, &usage);
    if (rc != ompd_rc_ok)
        return rc;
    if (usage.queues == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder has no queue for this device.");
    rc = address_space_add_handle(space, &entry, &number);
    if (rc == ompd_rc_ok)
        *device_handle = (ompd_address_space_handle_t *)number;
    return rc;
}

PUBLIC ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *process_handle,
                                        ompd_address_space_context_t *device_context,
                                        ompd_device_t kind, ompd_size_t sizeof_id, void *id,
                                        ompd_address_space_handle_t **device_handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    /* The process has all the data about a device. */
    (void)device_context;
    rc = address_space_enter(process_handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space,
                               create_device_handle(space, kind, sizeof_id, id, device_handle));
}

/* An array of the tool's own, of COUNT elements of SIZE bytes like ELEMENTS. */
static ompd_rc_t copy_array_for_tool(struct memory *memory, const void *elements, size_t size,
                                     void **copy)
{
    ompd_rc_t rc = memory_allocate_for_tool(memory, size, copy);

    if (rc == ompd_rc_ok)
        memcpy(*copy, elements, size);
    return rc;
}

static ompd_rc_t get_id_kinds(struct address_space *space, ompd_thread_id_t **kinds,
                              ompd_size_t **thread_id_sizes, int *count)
{
    const ompd_thread_id_t known[] = {OMPD_CL_THREAD_PTHREAD, OMPD_CL_THREAD_LWP};
    ompd_size_t sizes[sizeof(known) / sizeof(known[0])];
    struct memory *memory = space->target.memory;
    void *kind_array;
    void *size_array;
    ompd_rc_t rc;

    if (kinds == NULL || thread_id_sizes == NULL || count == NULL)
        return address_space_refuse_null(space, "kinds, sizes or count");
    sizes[0] = space->target.pointer_size;
    sizes[1] = sizeof(uint64_t);
    rc = copy_array_for_tool(memory, known, sizeof(known), &kind_array);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    rc = copy_array_for_tool(memory, sizes, sizeof(sizes), &size_array);
    if (rc != ompd_rc_ok) {
        memory_reclaim(memory, kind_array, sizeof(known));
        return address_space_set_message(space, rc);
    }
    memory_hand_over(memory, sizeof(known));
    memory_hand_over(memory, sizeof(sizes));
    *kinds = kind_array;
    *thread_id_sizes = size_array;
    *count = sizeof(known) / sizeof(known[0]);
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
                                                 ompd_thread_id_t **kinds,
                                                 ompd_size_t **thread_id_sizes, int *count)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(device_handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(resolved.space,
                               get_id_kinds(resolved.space, kinds, thread_id_sizes, count));
}
