/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See call-stack.h. */
#include <command/call-stack.h>

#include <command/recorder.h>
#include <string.h>

/* Whether MODULE, NULL when it is not known, is a library called NAME, whatever its version. */
static bool is_library(const char *module, const char *name)
{
    return module != NULL && strncmp(text_file_name(module), name, strlen(name)) == 0;
}

const char *command_function_name(const char *name)
{
    static const char internal[] = "__GI_"; /* glibc's own name for what it calls itself */

    return strncmp(name, internal, strlen(internal)) == 0 ? name + strlen(internal) : name;
}

static void put_function(struct command_call_stack *stack, const char *name,
                         const ompd_host_place_t *place)
{
    const char *module = place->module;

    if (stack->count == COMMAND_CALL_STACK)
        return;
    stack->all[stack->count++] = (struct command_function){
        .name = name != NULL ? command_function_name(name) : NULL,
        .module = module,
        .offset = place->module_offset,
        /* The vdso's are called by the C library alone: on an i386, each time it calls Linux. */
        .is_of_c_library = is_library(module, "libc.so.") || is_library(module, "[vdso]"),
        .is_of_recorder = is_library(module, COMMAND_RECORDER),
    };
}

bool command_may_be_code(struct command_session *session, uint64_t address)
{
    ompd_cl_region_t region;

    return ompd_host_region_get(session->target, address, &region) == ompd_host_rc_ok &&
           region.start <= address &&
           ((region.permissions & ompd_cl_permission_known) == 0 ||
            (region.permissions & ompd_cl_permission_execute) != 0);
}

static void put_frame(struct command_call_stack *stack, struct command_session *session,
                      const ompd_host_frame_t *frame)
{
    /* As if it were called from here, so that functions inlined here are told. */
    ompd_host_place_t place;

    if (ompd_host_place_get(session->target, frame->address + !frame->is_caller, true, &place) !=
            ompd_host_rc_ok ||
        (place.symbol == NULL && place.module == NULL))
        return;
    place.module_offset -= !frame->is_caller;
    put_function(stack, place.symbol, &place);
    for (size_t i = 0; i < place.inlined_count; i++)
        put_function(stack, place.inlined_into[i], &place);
}

void command_call_stack_find(struct command_call_stack *stack, struct command_session *session,
                             uint32_t lwp)
{
    ompd_host_frame_t frames[COMMAND_CALL_STACK];
    size_t count = 0;
    size_t first = 0; /* frame that is in a function */

    *stack = (struct command_call_stack){.count = 0};
    if (ompd_host_stack_get(session->target, lwp, COMMAND_CALL_STACK, frames, &count) !=
        ompd_host_rc_ok)
        return;
    if (!command_may_be_code(session, frames[0].address))
        first = 1;
    for (size_t i = first; i < count; i++) {
        put_frame(stack, session, &frames[i]);
        /* The recorder's are never told. */
        if (i == 1 && first == 1) {
            stack->has_called = true;
            stack->called = frames[0].address;
            stack->is_caller_first =
                stack->count != 0 && stack->all[0].name != NULL && !stack->all[0].is_of_recorder;
        }
    }
}

/* The innermost function that is not called by another one of the C library. */
static size_t skip_c_library(const struct command_function **functions, size_t count)
{
    size_t first = 0;

    while (first + 1 < count && functions[first]->is_of_c_library &&
           functions[first + 1]->is_of_c_library)
        first++;
    return first;
}

struct command_frames command_frames_choose(const struct command_call_stack *stack, size_t first,
                                            size_t end)
{
    const struct command_function *functions[COMMAND_CALL_STACK];
    struct command_frames frames = {.count = 0};
    size_t count = 0;

    for (size_t i = first; i < end; i++)
        if (stack->all[i].name != NULL && !stack->all[i].is_of_recorder)
            functions[count++] = &stack->all[i];
    first = skip_c_library(functions, count);
    while (count > first + 1 && functions[count - 1]->is_of_c_library)
        count--;
    for (size_t i = first; i < count && frames.count < COMMAND_FRAMES; i++) {
        frames.names[frames.count++] = functions[i]->name;
        if (strcmp(functions[i]->name, "main") == 0)
            break;
    }
    return frames;
}
