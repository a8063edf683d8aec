/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The callbacks of an OMPD library, implemented for a target. */
#include <host/elf/elf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OMPD leaves these types to the tool: a tool context is a target, and a thread context is one
 * of its threads. */
static ompd_host_target_t *target_of(ompd_address_space_context_t *context)
{
    return (ompd_host_target_t *)context;
}

/* Whether the user wants to interrupt the current call on TARGET. */
static bool is_interrupted(const ompd_host_target_t *target)
{
    return target->is_interrupted != NULL && target->is_interrupted(target->progress_user_ptr);
}

/* Convert a return code to OMPD's. */
static ompd_rc_t ompd_code(ompd_host_rc_t rc)
{
    switch (rc) {
    case ompd_host_rc_ok:
        return ompd_rc_ok;
    case ompd_host_rc_bad_input:
        return ompd_rc_bad_input;
    case ompd_host_rc_nomem:
        return ompd_rc_nomem;
    case ompd_host_rc_not_found:
        return ompd_rc_unavailable;
    case ompd_host_rc_not_saved:
    case ompd_host_rc_unreadable:
        return ompd_rc_device_read_error;
    default:
        return ompd_rc_error;
    }
}

static ompd_rc_t alloc_memory(void *session, ompd_size_t nbytes, void **block)
{
    void *allocated = malloc(nbytes);

    (void)session;
    if (allocated == NULL)
        return ompd_rc_nomem;
    *block = allocated;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *session, void *block)
{
    (void)session;
    free(block);
    return ompd_rc_ok;
}

static ompd_rc_t print_string(void *session, const char *string, int category)
{
    (void)session, (void)category;
    return fputs(string, stderr) >= 0 ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    uint8_t word = (uint8_t)target_of(context)->pointer_size;

    if (sizes == NULL)
        return ompd_rc_bad_input;
    *sizes = (ompd_device_type_sizes_t){
        .sizeof_char = 1,
        .sizeof_short = 2,
        .sizeof_int = 4,
        .sizeof_long = word,
        .sizeof_long_long = 8,
        .sizeof_pointer = word,
    };
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *module)
{
    uint64_t found;
    ompd_host_rc_t rc;

    (void)thread;
    if (name == NULL || address == NULL)
        return ompd_rc_bad_input;
    if (is_interrupted(target_of(context)))
        return ompd_rc_interrupted;
    rc = ompd_host_symbol_find(target_of(context), module, name, &found);
    if (rc != ompd_host_rc_ok)
        return ompd_code(rc);
    *address = (ompd_address_t){.segment = ompd_segment_none, .address = found};
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t nbytes, void *buffer)
{
    (void)thread;
    if (address == NULL)
        return ompd_rc_bad_input;
    if (is_interrupted(target_of(context)))
        return ompd_rc_interrupted;
    return ompd_code(ompd_host_memory_read(target_of(context), address->address, nbytes, buffer));
}

/* Read up to NBYTES, or to the NUL that ends the text. */
static ompd_rc_t read_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t nbytes, void *buffer)
{
    char *text = buffer;

    (void)thread;
    if (address == NULL || buffer == NULL)
        return ompd_rc_bad_input;
    for (ompd_size_t i = 0; i < nbytes; i++) {
        ompd_host_rc_t rc =
            ompd_host_memory_read(target_of(context), address->address + i, 1, text + i);
        if (rc != ompd_host_rc_ok)
            return ompd_code(rc);
        if (text[i] == '\0')
            break;
    }
    return ompd_rc_ok;
}

/* Targets are read, never changed. */
static ompd_rc_t write_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const ompd_address_t *address, ompd_size_t nbytes, const void *buffer)
{
    (void)context, (void)thread, (void)address, (void)nbytes, (void)buffer;
    return ompd_rc_unsupported;
}

/* Convert between the target's byte order and this machine's, in either direction. */
static ompd_rc_t swap_bytes(ompd_address_space_context_t *context, const void *input,
                            ompd_size_t unit_size, ompd_size_t count, void *output)
{
    const uint8_t *from = input;
    uint8_t *to = output;

    if (input == NULL || output == NULL)
        return ompd_rc_bad_input;
    if (!target_of(context)->is_swapped) {
        memmove(output, input, unit_size * count);
        return ompd_rc_ok;
    }
    for (ompd_size_t i = 0; i < count; i++, from += unit_size, to += unit_size) {
        /* INPUT and OUTPUT may be the same. */
        for (ompd_size_t j = 0; j < (unit_size + 1) / 2; j++) {
            uint8_t first = from[j];
            to[j] = from[unit_size - 1 - j];
            to[unit_size - 1 - j] = first;
        }
    }
    return ompd_rc_ok;
}

static ompd_rc_t thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
                                ompd_size_t id_size, const void *id, ompd_thread_context_t **thread)
{
    const ompd_host_target_t *target = target_of(context);
    uint64_t wanted = 0;

    if (id == NULL || thread == NULL || (id_size != 4 && id_size != 8))
        return ompd_rc_bad_input;
    if (kind != OMPD_CL_THREAD_LWP && kind != OMPD_CL_THREAD_PTHREAD)
        return ompd_rc_unsupported;
    if (id_size == 4) {
        uint32_t narrow;
        memcpy(&narrow, id, sizeof(narrow));
        wanted = narrow;
    } else {
        memcpy(&wanted, id, sizeof(wanted));
    }
    for (size_t i = 0; i < target->thread_count; i++) {
        struct thread *found = &target->threads[i];
        if (wanted != 0 && wanted == (kind == OMPD_CL_THREAD_LWP ? found->lwp : found->pthread)) {
            *thread = (ompd_thread_context_t *)found;
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

static ompd_rc_t memory_region(ompd_address_space_context_t *context, ompd_addr_t address,
                               ompd_cl_region_t *region)
{
    return ompd_code(ompd_host_region_get(target_of(context), address, region));
}

static ompd_rc_t callback_map_memory(ompd_address_space_context_t *context, ompd_addr_t address,
                                     ompd_size_t nbytes, const void **pointer)
{
    return ompd_code(ompd_host_memory_map(target_of(context), address, nbytes, pointer));
}

static ompd_rc_t callback_module(ompd_address_space_context_t *context, ompd_size_t index,
                                 ompd_cl_module_t *module)
{
    ompd_host_module_t found;
    ompd_cl_module_t known;
    ompd_host_rc_t rc;

    if (module == NULL)
        return ompd_rc_bad_input;
    rc = ompd_host_module_get(target_of(context), index, &found);
    if (rc != ompd_host_rc_ok)
        return ompd_code(rc);
    known = (ompd_cl_module_t){
        .name = found.path,
        .build_id = found.build_id,
        .build_id_size = found.build_id_size,
        .start = found.start,
        .end = found.end,
    };
    struct_fill(module, &known, sizeof(known));
    return ompd_rc_ok;
}

static ompd_rc_t module_symbol(ompd_address_space_context_t *context, ompd_size_t index,
                               const char *name, ompd_addr_t *address)
{
    return ompd_code(ompd_host_module_symbol_find(target_of(context), index, name, address));
}

static bool callback_progress(ompd_address_space_context_t *context, uint64_t done, uint64_t whole)
{
    const ompd_host_target_t *target = target_of(context);

    return target->progress(target->progress_user_ptr, ompd_host_work_search, done, whole);
}

static const ompd_host_functions_t functions = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .print_string = print_string,
};

static const ompd_callbacks_t callbacks_of_targets = {
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol_addr_lookup,
    .read_memory = read_memory,
    .write_memory = write_memory,
    .read_string = read_string,
    .device_to_host = swap_bytes,
    .host_to_device = swap_bytes,
    .get_thread_context_for_thread_id = thread_context,
};

static ompd_rc_t callback_thread(ompd_address_space_context_t *context, ompd_size_t index,
                                 ompd_cl_target_thread_t *found)
{
    ompd_host_thread_t unwound;
    ompd_cl_target_thread_t known;
    ompd_host_rc_t rc;

    if (found == NULL)
        return ompd_rc_bad_input;
    rc = ompd_host_thread_get(target_of(context), index, &unwound);
    if (rc == ompd_host_rc_ok) {
        known = (ompd_cl_target_thread_t){
            .lwp = unwound.lwp,
            .pthread = unwound.pthread,
            .own_lwp = unwound.own_lwp,
            .main_lwp = thread_main_lwp(target_of(context)),
        };
        struct_fill(found, &known, sizeof(known));
    }
    return ompd_code(rc);
}

/* Add a register of FRAME, which has TOLD so far, if the library can use it. */
static void frame_register_add(ompd_host_target_t *target, ompd_cl_frame_t *frame,
                               uint32_t *unwound, uint32_t number, uint64_t value)
{
    if (*unwound == FRAME_REGISTERS)
        return;
    if (frame->register_count == 0) {
        frame->registers = target->frame_registers + *unwound;
        frame->register_size = sizeof(target->frame_registers[0]);
    }
    target->frame_registers[(*unwound)++] =
        (ompd_cl_register_t){.number = number, .size = target->pointer_size, .value = value};
    frame->register_count++;
}

/* Frame number INDEX of the library's array, whose elements are SIZE bytes apart. */
static ompd_cl_frame_t *frame_at(ompd_cl_frame_t *frames, size_t size, size_t index)
{
    return (ompd_cl_frame_t *)(void *)((char *)frames + index * size);
}

/* Add the registers of COUNT FRAMES. */
static void frame_registers_add(ompd_host_target_t *target, const struct registers *registers,
                                const struct preserved *preserved, ompd_cl_frame_t *frames,
                                size_t size, size_t count)
{
    const uint8_t *numbers;
    unsigned number_count = registers_preserved(target, &numbers);
    uint32_t unwound = 0;

    for (uint32_t i = 0; i < REGISTER_COUNT; i++) {
        if (registers->are_known[i])
            frame_register_add(target, &frames[0], &unwound, i, registers->values[i]);
    }
    for (size_t frame = 1; frame < count; frame++) {
        for (unsigned i = 0; i < number_count; i++) {
            if (preserved[frame].are_known[i])
                frame_register_add(target, frame_at(frames, size, frame), &unwound, numbers[i],
                                   preserved[frame].values[i]);
        }
    }
}

/* Maximum number of frames. */
#define FRAME_LIMIT 256

static ompd_rc_t callback_frames(ompd_address_space_context_t *context, uint64_t lwp,
                                 ompd_size_t capacity, ompd_cl_frame_t *found, ompd_size_t *count)
{
    ompd_host_target_t *target = target_of(context);
    ompd_host_frame_t unwound[FRAME_LIMIT];
    struct preserved preserved[FRAME_LIMIT] = {{.are_known = {false}}};
    struct registers registers;
    size_t frame_count;
    size_t size;
    ompd_host_rc_t rc;

    if (found == NULL || count == NULL || capacity == 0)
        return ompd_rc_bad_input;
    if (lwp > UINT32_MAX)
        return ompd_rc_unavailable;
    size = (size_t)found->struct_size;
    if (size < sizeof(found->struct_size))
        return ompd_rc_bad_input;
    rc =
        stack_follow(target, (uint32_t)lwp, capacity < FRAME_LIMIT ? (size_t)capacity : FRAME_LIMIT,
                     unwound, &frame_count, &registers, preserved);
    if (rc != ompd_host_rc_ok)
        return rc == ompd_host_rc_nomem ? ompd_rc_nomem : ompd_rc_unavailable;
    for (size_t i = 0; i < frame_count; i++) {
        ompd_cl_frame_t known = {.pc = unwound[i].address,
                                 .frame_address = unwound[i].frame_address,
                                 .is_caller = unwound[i].is_caller};
        ompd_cl_frame_t *frame = frame_at(found, size, i);

        frame->struct_size = size;
        struct_fill(frame, &known, sizeof(known));
    }
    if (frame_count != 0)
        frame_registers_add(target, &registers, preserved, found, size, frame_count);
    *count = frame_count;
    return ompd_rc_ok;
}

static void reads(ompd_address_space_context_t *context, ompd_addr_t address, ompd_size_t nbytes)
{
    ranges_add(target_of(context)->reads, address, nbytes);
}

/* OMPD gives alloc_memory, free_memory and print_string no context, so TARGET gets functions of
 * its own. */
static ompd_host_rc_t bind_callbacks(ompd_host_target_t *target)
{
    ompd_callbacks_t callbacks = callbacks_of_targets;

    if (target->bound != NULL)
        return ompd_host_rc_ok;
    if (ompd_host_callbacks_create(&functions, target, &callbacks, &target->bound) != ompd_rc_ok)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    target->callbacks = callbacks;
    return ompd_host_rc_ok;
}

PUBLIC ompd_host_rc_t ompd_host_callbacks_get(ompd_host_target_t *target,
                                              ompd_callbacks_t *callbacks, ompd_cl_extra_t *extra,
                                              ompd_address_space_context_t **context)
{
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (callbacks == NULL || context == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "the callbacks pointer is NULL");
    rc = bind_callbacks(target);
    if (rc != ompd_host_rc_ok)
        return rc;
    *callbacks = target->callbacks;
    *context = (ompd_address_space_context_t *)target;
    if (extra != NULL)
        *extra = (ompd_cl_extra_t){
            .struct_size = sizeof(*extra),
            .memory_region = memory_region,
            .map_memory = target_is_core(target) ? callback_map_memory : NULL,
            .module = callback_module,
            .module_symbol = module_symbol,
            .progress = target->progress != NULL ? callback_progress : NULL,
            .thread = callback_thread,
            .frames = callback_frames,
            .on_read = target->reads != NULL ? reads : NULL,
            .log_level = target->log_level,
        };
    return target_message_clear(target);
}

PUBLIC ompd_rc_t ompd_host_address_space_create(ompd_host_target_t *target, size_t memory_limit,
                                                ompd_address_space_handle_t **space)
{
    ompd_address_space_context_t *context;
    ompd_address_space_handle_t *made;
    ompd_callbacks_t callbacks;
    ompd_cl_extra_t extra;
    ompd_rc_t rc;

    if (target == NULL || space == NULL)
        return ompd_rc_bad_input;
    if (ompd_host_callbacks_get(target, &callbacks, &extra, &context) != ompd_host_rc_ok)
        return ompd_rc_nomem;
    extra.memory_limit = memory_limit;
    rc = ompd_cl_address_space_create(&callbacks, &extra, context, &made);
    if (rc != ompd_rc_ok)
        return rc;
    rc = ompd_host_layouts_add(made);
    if (rc == ompd_rc_ok)
        *space = made;
    else
        ompd_rel_address_space_handle(made);
    return rc;
}
