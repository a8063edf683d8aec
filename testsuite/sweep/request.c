/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "request.h"

#include "arguments.h"
#include "caller.h"

#include <stdlib.h>
#include <string.h>

/* Bytes before and after the memory that an argument points to. */
#define MARGIN 256

static bool is(const struct sweep_signature *signature, const char *name)
{
    return strcmp(signature->name, name) == 0;
}

unsigned sweep_request_variants(const struct sweep_signature *signature,
                                const struct sweep_facts *facts)
{
    if (is(signature, "ompd_enumerate_icvs"))
        return facts->icv_count;
    if (is(signature, "ompd_get_icv_from_scope") || is(signature, "ompd_get_icv_string_from_scope"))
        return facts->icv_count + 1;
    if (sweep_argument_find(signature, sweep_native_kind) < signature->count)
        return 2;
    return 1;
}

/* The bytes that argument I points to; 0 when it is not a pointer into the tool's memory. */
static size_t bytes_pointed_to(const struct sweep_argument *argument)
{
    switch (argument->kind) {
    case sweep_out_rows:
    case sweep_out_frames:
        return (size_t)argument->size * SWEEP_ROOM;
    default:
        return sweep_is_out(argument->kind) || sweep_is_in(argument->kind) ? argument->size : 0;
    }
}

static void make_memory(struct sweep_memory *memory, size_t size)
{
    memory->size = size + 2 * MARGIN;
    memory->bytes = malloc(memory->size);
    memory->before = malloc(memory->size);
    if (memory->bytes == NULL || memory->before == NULL)
        abort();
    memset(memory->before, SWEEP_FILL, memory->size);
}

static void put_native_id(const struct sweep_request *request, void *memory)
{
    const struct sweep_facts *facts = request->facts;
    const uint32_t half = (uint32_t)facts->pthread;

    if (request->variant == 0)
        memcpy(memory, &facts->lwp, sizeof(facts->lwp));
    else if (facts->pthread_size == sizeof(half))
        memcpy(memory, &half, sizeof(half));
    else
        memcpy(memory, &facts->pthread, sizeof(facts->pthread));
}

/* A layout of no runtime that there is, with empty lines up to its size. */
static void put_layout(void *memory)
{
    static const char layout[] = "ompd-opencl-layout 1.0\nruntime None\nmodule none.so\n"
                                 "build-id 5eed\nmachine 62 64 little\ntable 8\n"
                                 "object buffer\nfield size 8 8\n";

    memset(memory, '\n', SWEEP_LAYOUT_SIZE);
    memcpy(memory, layout, sizeof(layout) - 1);
}

/* The contents of the memory that argument I points to, before the call. */
static void fill_memory(struct sweep_request *request, unsigned i)
{
    const struct sweep_argument *argument = &request->signature->arguments[i];
    ompd_size_t struct_size = argument->size;
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter)};
    void *memory = sweep_request_memory_before(request, i);

    switch (argument->kind) {
    case sweep_out_info:
    case sweep_out_rows:
        memcpy(memory, &struct_size, sizeof(struct_size));
        break;
    case sweep_in_callbacks:
        memcpy(memory, &request->session->callbacks, sizeof(request->session->callbacks));
        break;
    case sweep_in_extra:
        memcpy(memory, &request->session->extra, sizeof(request->session->extra));
        break;
    case sweep_in_filter:
        memcpy(memory, &filter, sizeof(filter));
        break;
    case sweep_in_layout:
        put_layout(memory);
        break;
    case sweep_in_device:
        memcpy(memory, &request->facts->device, sizeof(request->facts->device));
        break;
    case sweep_in_native_id:
        put_native_id(request, memory);
        break;
    case sweep_in_variables:
        memcpy(memory, &request->variables, sizeof(request->variables));
        break;
    default:
        break;
    }
}

/* What must have happened before the call. */
static bool prepare_library(struct sweep_request *request)
{
    const struct sweep_signature *signature = request->signature;

    if (is(signature, "ompd_finalize") || is(signature, "ompd_process_initialize")) {
        request->is_initialized =
            ompd_initialize(201811, &request->session->callbacks) == ompd_rc_ok;
        return request->is_initialized;
    }
    if (is(signature, "ompd_rel_display_control_vars"))
        return ompd_get_display_control_vars(request->session->space, &request->variables) ==
               ompd_rc_ok;
    return true;
}

bool sweep_request_begin(struct sweep_request *request, struct sweep_session *session,
                         const struct sweep_facts *facts, const struct sweep_signature *signature,
                         unsigned variant)
{
    memset(request, 0, sizeof(*request));
    request->signature = signature;
    request->session = session;
    request->facts = facts;
    request->variant = variant;
    if (!prepare_library(request))
        return false;
    for (unsigned i = 0; i < signature->count; i++) {
        size_t size = bytes_pointed_to(&signature->arguments[i]);

        if (size == 0) {
            if (!sweep_argument_get(request, i))
                return false;
            continue;
        }
        make_memory(&request->memory[i], size);
        fill_memory(request, i);
        request->words[i] = (uintptr_t)sweep_request_memory(request, i);
    }
    return true;
}

void *sweep_request_memory(const struct sweep_request *request, unsigned i)
{
    return request->memory[i].bytes == NULL ? NULL : request->memory[i].bytes + MARGIN;
}

void *sweep_request_memory_before(struct sweep_request *request, unsigned i)
{
    return request->memory[i].bytes == NULL ? NULL : request->memory[i].before + MARGIN;
}

ompd_rc_t sweep_request_send(struct sweep_request *request)
{
    for (unsigned i = 0; i < request->signature->count; i++) {
        struct sweep_memory *memory = &request->memory[i];
        if (memory->bytes != NULL)
            memcpy(memory->bytes, memory->before, memory->size);
    }
    request->rc = sweep_call(request->signature, request->words);
    return request->rc;
}

bool sweep_request_is_untouched(const struct sweep_request *request)
{
    for (unsigned i = 0; i < request->signature->count; i++) {
        const struct sweep_memory *memory = &request->memory[i];
        if (memory->bytes != NULL && memcmp(memory->bytes, memory->before, memory->size) != 0)
            return false;
    }
    return true;
}

/* How much of the memory of argument I the library may write to. */
static size_t bytes_writable(const struct sweep_request *request, unsigned i)
{
    const struct sweep_argument *argument = &request->signature->arguments[i];
    /* The capacity is the argument before. */
    uint64_t capacity = i != 0 ? request->words[i - 1] : 0;

    if (!sweep_is_out(argument->kind))
        return 0;
    if (argument->kind != sweep_out_rows && argument->kind != sweep_out_frames)
        return argument->size;
    return (size_t)argument->size * (size_t)(capacity < SWEEP_ROOM ? capacity : SWEEP_ROOM);
}

bool sweep_request_is_within(const struct sweep_request *request)
{
    for (unsigned i = 0; i < request->signature->count; i++) {
        const struct sweep_memory *memory = &request->memory[i];
        size_t end = MARGIN + bytes_writable(request, i);

        if (memory->bytes != NULL &&
            (memcmp(memory->bytes, memory->before, MARGIN) != 0 ||
             memcmp(memory->bytes + end, memory->before + end, memory->size - end) != 0))
            return false;
    }
    return true;
}

/* The call itself has destroyed this: it must not be released. */
static void note_taken(struct sweep_request *request)
{
    const struct sweep_signature *signature = request->signature;

    if (is(signature, "ompd_rel_address_space_handle") &&
        request->words[0] == (uintptr_t)request->session->space)
        request->session->space = NULL;
    if (is(signature, "ompd_rel_thread_handle"))
        request->threads[0] = NULL;
    if (is(signature, "ompd_cl_list_close"))
        request->list.id = 0;
    if (is(signature, "ompd_rel_display_control_vars"))
        request->variables = NULL;
    if (is(signature, "ompd_finalize"))
        request->is_initialized = false;
    if (is(signature, "ompd_initialize"))
        ompd_finalize();
}

/* Release what the call stored in the memory of argument I. */
static void undo_argument(struct sweep_request *request, unsigned i)
{
    struct sweep_session *session = request->session;
    void *memory = sweep_request_memory(request, i);
    ompd_address_space_handle_t *space;
    ompd_thread_handle_t *thread;
    ompd_cl_list_t list;
    void *block;

    if (memory == NULL || request->words[i] == 0)
        return;
    memcpy(&space, memory, sizeof(space));
    memcpy(&thread, memory, sizeof(thread));
    memcpy(&block, memory, sizeof(block));
    switch (request->signature->arguments[i].kind) {
    case sweep_out_space:
    case sweep_out_device:
        ompd_rel_address_space_handle(space);
        break;
    case sweep_out_thread:
        ompd_rel_thread_handle(thread);
        break;
    case sweep_out_list:
        memcpy(&list, memory, sizeof(list));
        ompd_cl_list_close(session->space, list);
        break;
    case sweep_out_own_text:
    case sweep_out_own_array:
        sweep_heap_free(&session->heap, block);
        break;
    case sweep_out_variables:
        ompd_rel_display_control_vars((const char *const **)memory);
        break;
    default:
        break;
    }
}

void sweep_request_undo(struct sweep_request *request)
{
    if (request->rc != ompd_rc_ok && request->rc != ompd_rc_incomplete)
        return;
    for (unsigned i = 0; i < request->signature->count; i++)
        undo_argument(request, i);
    note_taken(request);
}

void sweep_request_end(struct sweep_request *request)
{
    struct sweep_session *session = request->session;

    if (request->variables != NULL)
        ompd_rel_display_control_vars(&request->variables);
    if (request->list.id != 0)
        ompd_cl_list_close(session->space, request->list);
    if (request->device != NULL)
        ompd_rel_address_space_handle(request->device);
    if (request->is_initialized)
        ompd_finalize();
    for (unsigned i = 0; i < SWEEP_ARGUMENT_LIMIT; i++) {
        if (request->threads[i] != NULL)
            ompd_rel_thread_handle(request->threads[i]);
        free(request->memory[i].bytes);
        free(request->memory[i].before);
    }
    memset(request, 0, sizeof(*request));
}
