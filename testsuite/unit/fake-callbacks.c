/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OMPD callbacks of the fake target, which count and fail on demand. */
#include "fake-target.h"

#include <stdlib.h>
#include <string.h>

bool fake_fails(enum fake_callback callback)
{
    uint64_t call = ++fake_current->calls[callback];
    bool fails = fake_current->fail_at != 0 && fake_current->failing == callback &&
                 (call == fake_current->fail_at ||
                  (fake_current->fails_for_ever && call > fake_current->fail_at));

    fake_current->failures += fails;
    return fails;
}

/* Before each block: its size; the block itself is never zeroed. */
#define HEADER 16

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    uint8_t *bytes;

    if (fake_fails(fake_alloc))
        return ompd_rc_nomem;
    if (fake_current->answers_no_memory) {
        *block = NULL;
        return ompd_rc_ok;
    }
    bytes = malloc(size + HEADER);
    memset(bytes, 0xa5, size + HEADER);
    memcpy(bytes, &size, sizeof(size));
    fake_current->live_blocks++;
    fake_current->live_bytes += size;
    if (fake_current->live_bytes > fake_current->peak_bytes)
        fake_current->peak_bytes = fake_current->live_bytes;
    *block = bytes + HEADER;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *block)
{
    uint8_t *bytes = (uint8_t *)block - HEADER;
    ompd_size_t size;

    memcpy(&size, bytes, sizeof(size));
    memset(bytes, 0x5a, size + HEADER);
    fake_current->live_blocks--;
    fake_current->live_bytes -= size;
    fake_current->frees++;
    free(bytes);
    return ompd_rc_ok;
}

struct fake_target *fake_target_of(ompd_address_space_context_t *context)
{
    if ((void *)context != fake_current)
        abort();
    return (struct fake_target *)(void *)context;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    struct fake_target *target = fake_target_of(context);

    if (fake_fails(fake_sizes))
        return ompd_rc_error;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, (uint8_t)target->pointer_size};
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    struct fake_target *target = fake_target_of(context);

    (void)thread;
    (void)file;
    if (fake_fails(fake_symbol))
        return ompd_rc_error;
    address->segment = ompd_segment_none;
    if (target->stack_end != 0 && strcmp(name, "__libc_stack_end") == 0) {
        address->address = target->stack_end;
        return ompd_rc_ok;
    }
    if (!target->has_recorder || strcmp(name, OMPD_CL_REGISTRY_SYMBOL) != 0)
        return ompd_rc_error;
    address->address = target->answers_wrong_symbol ? target->wrong_symbol : target->root;
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    struct fake_target *target = fake_target_of(context);

    (void)thread;
    if (fake_fails(fake_read))
        return ompd_rc_error;
    if (from->address < FAKE_BASE || size > target->size ||
        from->address - FAKE_BASE > target->size - size)
        return ompd_rc_error;
    if (from->address < target->hole_end && from->address + size > target->hole_start)
        return ompd_rc_error;
    memcpy(buffer, target->bytes + (from->address - FAKE_BASE), size);
    target->bytes_read += size;
    if (size > target->largest_read)
        target->largest_read = size;
    return ompd_rc_ok;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    struct fake_target *target = fake_target_of(context);
    bool is_host_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const uint8_t *from = input;
    uint8_t *to = output;

    if (fake_fails(fake_convert))
        return ompd_rc_error;
    for (ompd_size_t i = 0; i < unit * count; i++) {
        ompd_size_t place = i % unit;
        if (target->is_big_endian != is_host_big_endian)
            place = unit - 1 - place;
        to[i] = from[i / unit * unit + place];
    }
    return ompd_rc_ok;
}

const ompd_callbacks_t fake_callbacks = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol_addr_lookup,
    .read_memory = read_memory,
    .device_to_host = device_to_host,
};
