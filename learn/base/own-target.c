/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <string.h>

/* Nothing is stored, as all memory is mapped. */
static ompd_rc_t own_allocate(ompd_size_t size, void **block)
{
    (void)size;
    *block = NULL;
    return ompd_rc_nomem;
}

static ompd_rc_t own_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    sizes->sizeof_pointer = sizeof(void *);
    return ompd_rc_ok;
}

/* The target's byte order is this process's. */
static ompd_rc_t own_convert(ompd_address_space_context_t *context, const void *input,
                             ompd_size_t unit_size, ompd_size_t count, void *output)
{
    (void)context;
    memcpy(output, input, unit_size * count);
    return ompd_rc_ok;
}

static ompd_rc_t own_lend(ompd_address_space_context_t *context, ompd_addr_t address,
                          ompd_size_t size, const void **bytes)
{
    (void)context;
    *bytes = own_memory_view((uintptr_t)address, size);
    return *bytes != NULL ? ompd_rc_ok : ompd_rc_unavailable;
}

struct target *own_target(void)
{
    static const ompd_callbacks_t callbacks = {
        .alloc_memory = own_allocate,
        .sizeof_type = own_sizes,
        .device_to_host = own_convert,
    };
    static const ompd_cl_extra_t extra = {.struct_size = sizeof(extra), .map_memory = own_lend};
    /* Threads of the runtime use it as well. */
    static _Thread_local struct memory memory;
    static _Thread_local struct target target;
    static _Thread_local bool is_open;

    if (!is_open) {
        memory_open(&memory, &callbacks, &extra);
        is_open = target_open(&target, &memory, &callbacks, &extra, NULL) == ompd_rc_ok;
    }
    target_refresh(&target);
    return is_open ? &target : NULL;
}
