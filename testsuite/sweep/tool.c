/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define LINE UINT64_C(64)

const char *const sweep_tool_callback_names[tool_callback_count] = {
    [tool_alloc] = "alloc_memory",
    [tool_monitor] = "monitor",
    [tool_limit] = "limit",
    [tool_symbol] = "symbol_addr_lookup",
    [tool_sizes] = "sizeof_type",
    [tool_to_host] = "device_to_host",
    [tool_to_device] = "host_to_device",
    [tool_read] = "read_memory",
    [tool_read_string] = "read_string",
    [tool_thread_context] = "get_thread_context_for_thread_id",
    [tool_region] = "memory_region",
    [tool_map_memory] = "map_memory",
    [tool_module] = "module",
    [tool_module_symbol] = "module_symbol",
    [tool_progress] = "progress",
};

struct tool_copy {
    struct tool_copy *next;
    size_t size;
    bool is_over;   /* of an earlier stop, */
    bool is_filled; /* so that it is silent from now on */
    uint8_t bytes[];
};

/* Count a call; returns whether it is to fail. */
static bool fails(struct sweep_tool *tool, enum tool_callback callback)
{
    const struct tool_fault *fault = &tool->fault;
    uint64_t call = ++tool->calls[callback];
    bool does = fault->at != 0 && fault->callback == callback &&
                (call == fault->at || (fault->is_for_ever && call > fault->at));

    tool->failures += does;
    return does;
}

static struct sweep_tool *tool_of(ompd_address_space_context_t *context)
{
    return (struct sweep_tool *)(void *)context;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_sizes))
        return tool->fault.code;
    return tool->real->callbacks.sizeof_type(tool->real->context, sizes);
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_symbol))
        return tool->fault.code;
    return tool->real->callbacks.symbol_addr_lookup(tool->real->context, thread, name, address,
                                                    file);
}

static bool read_real(const struct sweep_tool *tool, uint64_t address, uint64_t size, void *bytes)
{
    ompd_address_t from = {ompd_segment_none, address};

    return tool->real->callbacks.read_memory(tool->real->context, NULL, &from, size, bytes) ==
           ompd_rc_ok;
}

/* Read the part of [ADDRESS, ADDRESS + SIZE) before the hole; returns whether that is all. */
static bool read_beside_hole(const struct sweep_tool *tool, uint64_t address, uint64_t size,
                             void *bytes)
{
    if (address >= tool->hole_end || address + size <= tool->hole_start)
        return read_real(tool, address, size, bytes);
    if (address < tool->hole_start)
        read_real(tool, address, tool->hole_start - address, bytes);
    return false;
}

/* Take away some of the memory of the read of SIZE bytes at ADDRESS. */
static void make_hole(struct sweep_tool *tool, uint64_t address, uint64_t size)
{
    uint64_t start = address + size * tool->fault.place / TOOL_PLACES;
    uint64_t unit = tool->fault.manner == tool_ends ? PAGE : LINE;

    tool->hole_start = tool->fault.manner == tool_ends ? start : start - start % LINE;
    tool->hole_end = start - start % unit + unit;
}

static ompd_rc_t read_as(struct sweep_tool *tool, enum tool_callback callback,
                         const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    if (fails(tool, callback)) {
        if (tool->fault.manner == tool_fails)
            return tool->fault.code;
        if (tool->fault.manner == tool_fills_half) {
            read_real(tool, from->address, size / 2, buffer);
            return tool->fault.code;
        }
        make_hole(tool, from->address, size);
    }
    if (tool->fault.callback != tool_region && read_beside_hole(tool, from->address, size, buffer))
        return ompd_rc_ok;
    return ompd_rc_error;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    (void)thread;
    return read_as(tool_of(context), tool_read, from, size, buffer);
}

static ompd_rc_t read_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    (void)thread;
    return read_as(tool_of(context), tool_read_string, from, size, buffer);
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_to_host))
        return tool->fault.code;
    return tool->real->callbacks.device_to_host(tool->real->context, input, unit, count, output);
}

/* The way back is the same. */
static ompd_rc_t host_to_device(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_to_device))
        return tool->fault.code;
    return tool->real->callbacks.device_to_host(tool->real->context, input, unit, count, output);
}

static ompd_rc_t get_thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
                                    ompd_size_t size, const void *id,
                                    ompd_thread_context_t **thread)
{
    struct sweep_tool *tool = tool_of(context);

    (void)kind;
    (void)size;
    (void)id;
    if (fails(tool, tool_thread_context))
        return tool->fault.code;
    *thread = (ompd_thread_context_t *)tool;
    return ompd_rc_ok;
}

static ompd_rc_t memory_region(ompd_address_space_context_t *context, ompd_addr_t address,
                               ompd_cl_region_t *region)
{
    struct sweep_tool *tool = tool_of(context);
    ompd_rc_t rc;

    if (fails(tool, tool_region))
        return tool->fault.code;
    if (tool->fault.is_blind)
        return ompd_rc_error;
    rc = tool->real->extra.memory_region(tool->real->context, address, region);
    if (address >= tool->hole_start && address < tool->hole_end) {
        *region = (ompd_cl_region_t){
            .start = tool->hole_start,
            .end = tool->hole_end,
            .permissions = rc == ompd_rc_ok ? region->permissions : 0,
        };
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_ok && address < tool->hole_start && region->end > tool->hole_start)
        region->end = tool->hole_start;
    return rc;
}

static void forget_copies(struct sweep_tool *tool)
{
    while (tool->copies != NULL) {
        struct tool_copy *next = tool->copies->next;
        free(tool->copies);
        tool->copies = next;
    }
}

static ompd_rc_t map_memory(ompd_address_space_context_t *context, ompd_addr_t address,
                            ompd_size_t nbytes, const void **pointer)
{
    struct sweep_tool *tool = tool_of(context);
    struct tool_copy *copy;

    if (!tool->maps_memory)
        return ompd_rc_unsupported;
    if (fails(tool, tool_map_memory))
        return tool->fault.code;
    if (nbytes > SIZE_MAX / 2)
        return ompd_rc_unavailable;
    copy = malloc(sizeof(*copy) + nbytes);
    if (copy == NULL)
        abort();
    copy->next = tool->copies;
    copy->size = nbytes;
    copy->is_over = false;
    copy->is_filled = false;
    tool->copies = copy;
    if (!read_real(tool, address, nbytes, copy->bytes))
        return ompd_rc_unavailable;
    *pointer = copy->bytes;
    return ompd_rc_ok;
}

static ompd_rc_t module(ompd_address_space_context_t *context, ompd_size_t index,
                        ompd_cl_module_t *found)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_module))
        return tool->fault.code;
    return tool->real->extra.module(tool->real->context, index, found);
}

static ompd_rc_t module_symbol(ompd_address_space_context_t *context, ompd_size_t index,
                               const char *name, ompd_addr_t *address)
{
    struct sweep_tool *tool = tool_of(context);

    if (fails(tool, tool_module_symbol))
        return tool->fault.code;
    return tool->real->extra.module_symbol(tool->real->context, index, name, address);
}

static bool progress(ompd_address_space_context_t *context, uint64_t done, uint64_t whole)
{
    (void)done;
    (void)whole;
    return !fails(tool_of(context), tool_progress);
}

static ompd_rc_t refuse_allocation(void *user)
{
    struct sweep_tool *tool = user;

    return fails(tool, tool_alloc) ? tool->fault.code : ompd_rc_ok;
}

static bool allow_allocation(void *user, ssize_t bytes, bool post)
{
    struct sweep_tool *tool = user;

    if (bytes > 0 && fails(tool, tool_monitor)) {
        tool->held += post ? bytes : 0;
        return false;
    }
    tool->held += bytes;
    tool->is_limit_passed |= tool->limit != 0 && tool->held > tool->limit;
    if (bytes > 0 && tool->calls[tool_monitor] < TOOL_ALLOCATION_LIMIT)
        tool->held_at[tool->calls[tool_monitor]] = tool->held;
    return true;
}

void sweep_tool_begin(struct sweep_tool *tool, const struct sweep_target *real)
{
    memset(tool, 0, sizeof(*tool));
    tool->real = real;
    tool->target = (struct sweep_target){
        .name = real->name,
        .callbacks =
            {
                .sizeof_type = sizeof_type,
                .symbol_addr_lookup = symbol_addr_lookup,
                .read_memory = read_memory,
                .read_string = read_string,
                .device_to_host = device_to_host,
                .host_to_device = host_to_device,
                .get_thread_context_for_thread_id = get_thread_context,
            },
        .extra =
            {
                .struct_size = sizeof(ompd_cl_extra_t),
                .memory_region = memory_region,
                .map_memory = map_memory,
                .module = real->extra.module != NULL ? module : NULL,
                .module_symbol = real->extra.module_symbol != NULL ? module_symbol : NULL,
                .progress = progress,
            },
        .context = (ompd_address_space_context_t *)(void *)tool,
        .layout = real->layout,
    };
}

void sweep_tool_end(struct sweep_tool *tool)
{
    forget_copies(tool);
}

void sweep_tool_attach(struct sweep_tool *tool, struct sweep_session *session)
{
    forget_copies(tool);
    sweep_tool_repair(tool);
    tool->held = 0;
    session->heap.refuses = refuse_allocation;
    session->heap.refuses_user = tool;
    session->monitor_allows = allow_allocation;
    session->monitor_user = tool;
}

ompd_rc_t sweep_tool_refresh(struct sweep_tool *tool, ompd_address_space_handle_t *space)
{
    ompd_rc_t rc;

    for (struct tool_copy *copy = tool->copies; copy != NULL; copy = copy->next)
        copy->is_over = true;
    rc = ompd_cl_address_space_refresh(space);
    for (struct tool_copy *copy = tool->copies; copy != NULL; copy = copy->next) {
        if (copy->is_over && !copy->is_filled)
            memset(copy->bytes, SWEEP_FILL, copy->size);
        copy->is_filled = copy->is_over;
    }
    return rc;
}

void sweep_tool_repair(struct sweep_tool *tool)
{
    if (tool->limited != NULL)
        ompd_cl_memory_limit_set(tool->limited, 0);
    tool->limited = NULL;
    tool->limit = 0;
    memset(&tool->fault, 0, sizeof(tool->fault));
    tool->fault.callback = tool_none;
    tool->hole_start = 0;
    tool->hole_end = 0;
}

void sweep_tool_arm(struct sweep_tool *tool, const struct tool_fault *fault)
{
    sweep_tool_repair(tool);
    tool->fault = *fault;
    memset(tool->calls, 0, sizeof(tool->calls));
    tool->failures = 0;
    tool->is_limit_passed = false;
}
