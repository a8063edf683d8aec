/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <inttypes.h>
#include <string.h>

/* Whether MODULE, which may be NULL, is a library called NAME, in any version. */
static bool is_library(const char *module, const char *name)
{
    return module != NULL && strncmp(text_file_name(module), name, strlen(name)) == 0;
}

const char *command_function_name(const char *name)
{
    static const char internal[] = "__GI_"; /* glibc's prefix for names of internal calls */

    return strncmp(name, internal, strlen(internal)) == 0 ? name + strlen(internal) : name;
}

void command_function_add(const struct command_function *function, struct text *text)
{
    const char *module = function->module != NULL ? text_file_name(function->module) : "?";

    text_put(text, function->name != NULL ? function->name : module);
    if (function->name == NULL)
        text_add(text, "@0x%" PRIx64, function->offset);
}

void command_frames_add(const struct command_frames *frames, struct text *text)
{
    for (size_t i = 0; i < frames->count; i++) {
        struct text name = {0};

        command_function_add(&frames->all[i], &name);
        text_put(text, i != 0 ? " < " : "");
        text_escape(text, text_get(&name));
        text_free(&name);
    }
}

/* Whether MODULE, which may be NULL, is the file of the session's program. */
static bool is_program(const struct command_session *session, const char *module)
{
    const char *program = session->info.program;

    return module != NULL && program != NULL &&
           strcmp(text_file_name(module), text_file_name(program)) == 0;
}

static void function_add(struct command_call_stack *stack, struct command_session *session,
                         const char *name, const ompd_host_place_t *place)
{
    const char *module = place->module;

    if (stack->count == COMMAND_CALL_STACK)
        return;
    stack->all[stack->count++] = (struct command_function){
        .name = name != NULL ? command_function_name(name) : NULL,
        .module = module,
        .offset = place->module_offset,
        /* Only the C library calls the vdso; on i386, it does so for each system call. */
        .is_of_c_library = is_library(module, "libc.so.") || is_library(module, "[vdso]"),
        .is_of_recorder = is_library(module, COMMAND_RECORDER),
        .is_of_program = is_program(session, module),
    };
}

bool command_may_be_code(struct command_session *session, uint64_t address)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};

    return ompd_host_region_get(session->target, address, &region) == ompd_host_rc_ok &&
           region.start <= address &&
           ((region.permissions & ompd_cl_permission_known) == 0 ||
            (region.permissions & ompd_cl_permission_execute) != 0);
}

static void frame_functions_add(struct command_call_stack *stack, struct command_session *session,
                                const ompd_host_frame_t *frame)
{
    /* Treat it as a return address, so that functions inlined here are found. */
    ompd_host_place_t place;

    if (ompd_host_place_get(session->target, frame->address + !frame->is_caller, true, &place) !=
            ompd_host_rc_ok ||
        (place.symbol == NULL && place.module == NULL))
        return;
    place.module_offset -= !frame->is_caller;
    function_add(stack, session, place.symbol, &place);
    for (size_t i = 0; i < place.inlined_count; i++)
        function_add(stack, session, place.inlined_into[i], &place);
}

/* Whether the function AT of STACK calls the beginning of a program.  glibc's internal function
 * that calls main has no name without debug information. */
static bool calls_main(const struct command_call_stack *stack, size_t at)
{
    static const char start[] = "__libc_start_";

    if (at < stack->count && stack->all[at].is_of_c_library && stack->all[at].name == NULL)
        at++;
    return at < stack->count && stack->all[at].is_of_c_library && stack->all[at].name != NULL &&
           strncmp(stack->all[at].name, start, strlen(start)) == 0;
}

/* Name main in programs without symbols. */
static void name_main(struct command_call_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (stack->all[i].is_of_program && stack->all[i].name == NULL && calls_main(stack, i + 1))
            stack->all[i].name = "main";
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
        frame_functions_add(stack, session, &frames[i]);
        /* The recorder's own functions are never shown. */
        if (i == 1 && first == 1) {
            stack->has_called = true;
            stack->called = frames[0].address;
            stack->is_caller_first =
                stack->count != 0 && stack->all[0].name != NULL && !stack->all[0].is_of_recorder;
        }
    }
    name_main(stack);
}

/* The innermost function that no other function of the C library calls. */
static size_t skip_c_library(const struct command_function **functions, size_t count)
{
    size_t first = 0;

    while (first + 1 < count && functions[first]->is_of_c_library &&
           functions[first + 1]->is_of_c_library)
        first++;
    return first;
}

/* Whether it is main, or a part of it that the compiler moved. */
static bool is_main(const struct command_function *function)
{
    static const char word[] = "main";
    const char *name = function->name;

    return name != NULL && strncmp(name, word, strlen(word)) == 0 &&
           (name[strlen(word)] == '\0' || name[strlen(word)] == '.');
}

/* Whether two functions are shown alike. */
static bool is_same(const struct command_function *one, const struct command_function *other)
{
    if (one->name == NULL || other->name == NULL)
        return one->name == other->name && one->offset == other->offset;
    return strcmp(one->name, other->name) == 0;
}

struct command_frames command_frames_choose(const struct command_call_stack *stack, size_t first,
                                            size_t end)
{
    const struct command_function *functions[COMMAND_CALL_STACK];
    struct command_frames frames = {.count = 0};
    size_t count = 0;

    for (size_t i = first; i < end; i++)
        if ((stack->all[i].name != NULL && !stack->all[i].is_of_recorder) ||
            stack->all[i].is_of_program)
            functions[count++] = &stack->all[i];
    first = skip_c_library(functions, count);
    while (count > first + 1 && functions[count - 1]->is_of_c_library)
        count--;
    for (size_t i = first; i < count && frames.count < COMMAND_FRAMES; i++) {
        if (frames.count == 0 || !is_same(&frames.all[frames.count - 1], functions[i]))
            frames.all[frames.count++] = *functions[i];
        if (is_main(functions[i]))
            break;
    }
    return frames;
}
