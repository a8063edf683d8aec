/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See files.h. */
#include <host/files/files.h>

#include <stdlib.h>
#include <string.h>

static ompd_rc_t alloc_memory(ompd_size_t nbytes, void **block)
{
    *block = malloc(nbytes);
    return *block != NULL ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *block)
{
    free(block);
    return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){
        .sizeof_char = sizeof(char),
        .sizeof_short = sizeof(short),
        .sizeof_int = sizeof(int),
        .sizeof_long = sizeof(long),
        .sizeof_long_long = sizeof(long long),
        .sizeof_pointer = sizeof(void *),
    };
    return ompd_rc_ok;
}

static ompd_rc_t find_symbol(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const char *name, ompd_address_t *address, const char *file)
{
    (void)context, (void)thread, (void)name, (void)address, (void)file;
    return ompd_rc_unsupported;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t nbytes, void *bytes)
{
    (void)context, (void)thread, (void)address, (void)nbytes, (void)bytes;
    return ompd_rc_unsupported;
}

static ompd_rc_t copy_bytes(ompd_address_space_context_t *context, const void *input,
                            ompd_size_t unit, ompd_size_t count, void *output)
{
    (void)context;
    memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

ompd_address_space_handle_t *layout_check_begin(void)
{
    static const ompd_callbacks_t callbacks = {
        .alloc_memory = alloc_memory,
        .free_memory = free_memory,
        .sizeof_type = sizeof_type,
        .symbol_addr_lookup = find_symbol,
        .read_memory = read_memory,
        .device_to_host = copy_bytes,
        .host_to_device = copy_bytes,
    };
    static char nothing; /* a context that is not NULL */
    ompd_address_space_handle_t *space = NULL;

    if (ompd_cl_address_space_create(&callbacks, NULL, (ompd_address_space_context_t *)&nothing,
                                     &space) != ompd_rc_ok)
        return NULL;
    return space;
}

ompd_host_rc_t layout_check(ompd_address_space_handle_t *space, const char *text, size_t size,
                            char **fault)
{
    const char *message = "";
    ompd_rc_t rc = ompd_cl_layout_add(space, text, size);

    *fault = NULL;
    if (rc == ompd_rc_ok)
        return ompd_host_rc_ok;
    if (rc == ompd_rc_nomem)
        return ompd_host_rc_nomem;
    ompd_cl_message_get(space, &message);
    *fault = strdup(message);
    return *fault != NULL ? ompd_host_rc_ok : ompd_host_rc_nomem;
}
