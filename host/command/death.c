/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See death.h. */
#include <host/command/death.h>

#include <host/command/place.h>
#include <host/command/target-lines.h>
#include <inttypes.h>
#include <string.h>

#define LOOKED_AT 64 /* frames of a call stack, and functions inlined there */

/* A function that the thread is in. */
struct function {
    const char *name;
    bool is_of_c_library;
};

struct functions {
    struct function all[LOOKED_AT];
    size_t count;
};

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Whether MODULE, NULL when it is not known, is a library called NAME, whatever its version. */
static bool is_library(const char *module, const char *name)
{
    return module != NULL && strncmp(file_name(module), name, strlen(name)) == 0;
}

static void functions_put(struct functions *functions, const char *name, const char *module)
{
    static const char internal[] = "__GI_"; /* glibc's own name for what it calls itself */
    struct function *function = &functions->all[functions->count];

    if (functions->count == LOOKED_AT || is_library(module, "libompd-opencl-recorder.so"))
        return;
    if (strncmp(name, internal, strlen(internal)) == 0)
        name += strlen(internal);
    function->name = name;
    function->is_of_c_library = is_library(module, "libc.so.");
    functions->count++;
}

/* Put the functions that have names, innermost first, but for the recorder's: the program does the
 * same without them. */
static void find_functions(struct functions *functions, struct command_session *session)
{
    ompd_host_frame_t frames[LOOKED_AT];
    size_t count = 0;

    if (ompd_host_stack_get(session->target, (uint32_t)session->info.signal_lwp, LOOKED_AT, frames,
                            &count) != ompd_host_rc_ok)
        return;
    for (size_t i = 0; i < count; i++) {
        /* As if it were called from here, so that functions inlined here are told. */
        ompd_host_place_t place =
            command_place_get(session, frames[i].address + !frames[i].is_caller, true);

        if (place.symbol == NULL)
            continue;
        functions_put(functions, place.symbol, place.module);
        for (size_t j = 0; j < place.inlined_count; j++)
            functions_put(functions, place.inlined_into[j], place.module);
    }
}

/* Keep the functions that tell deaths apart: neither how the C library raises a signal nor how it
 * starts a thread, which differs with what is known of its symbols. */
static void choose_frames(struct command_death *death, const struct functions *functions)
{
    const struct function *all = functions->all;
    size_t first = 0;
    size_t end = functions->count;

    while (first + 1 < end && all[first].is_of_c_library && all[first + 1].is_of_c_library)
        first++;
    while (end > first + 1 && all[end - 1].is_of_c_library)
        end--;
    for (size_t i = first; i < end && death->frame_count < COMMAND_DEATH_FRAMES; i++) {
        death->frames[death->frame_count++] = all[i].name;
        if (strcmp(all[i].name, "main") == 0)
            return;
    }
}

/* FNV-1a of TEXT and the NUL behind it. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (;; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
        if (*text == '\0')
            return hash;
    }
}

void command_death_find(struct command_death *death, struct command_session *session)
{
    const ompd_host_target_info_t *info = &session->info;
    struct command_text signal = {0};
    struct functions functions = {.count = 0};
    uint64_t hash = 0xcbf29ce484222325u;

    *death = (struct command_death){.program = "a program"};
    if (info->program != NULL)
        death->program = file_name(info->program);
    if (info->signal != 0) {
        command_signal_add(&signal, info->signal);
        find_functions(&functions, session);
        choose_frames(death, &functions);
    }
    hash = hash_text(hash, death->program);
    hash = hash_text(hash, command_text_get(&signal));
    for (size_t i = 0; i < death->frame_count; i++)
        hash = hash_text(hash, death->frames[i]);
    snprintf(death->signature, sizeof(death->signature), "%016" PRIx64, hash);
    command_text_free(&signal);
}
