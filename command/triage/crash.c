/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <inttypes.h>

/* FNV-1a of TEXT and its NUL. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (;; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
        if (*text == '\0')
            return hash;
    }
}

/* FRAMES, without names that compilers split into several functions.  The offset of a function
 * without a name is meaningful only within one build. */
static uint64_t hash_frames(uint64_t hash, const struct command_frames *frames,
                            const char *build_id)
{
    for (size_t i = 0; i < frames->count; i++) {
        struct text name = {0};

        if (frames->all[i].name != NULL) {
            command_function_name_add(frames->all[i].name, &name);
        } else {
            command_function_add(&frames->all[i], &name);
            text_add(&name, " in %s", build_id);
        }
        hash = hash_text(hash, text_get(&name));
        text_free(&name);
    }
    return hash;
}

/* What a program that did not die was doing. */
static uint64_t hash_waits(uint64_t hash, const struct command_waits *waits, const char *build_id)
{
    for (size_t i = 0; i < waits->count; i++) {
        char state[32];

        snprintf(state, sizeof(state), "%" PRIu64, waits->places[i].state);
        hash = hash_frames(hash_text(hash, state), &waits->places[i].frames, build_id);
    }
    return hash;
}

void command_crash_find(struct command_crash *crash, struct command_session *session,
                        const struct command_waits *waits, bool has_threads)
{
    const ompd_host_target_info_t *info = &session->info;
    struct command_call_stack *stack = &crash->stack;
    const char *build_id = text_get(&session->build_id);
    struct text signal = {0};
    uint64_t hash = 0xcbf29ce484222325u;
    bool is_known;

    *crash = (struct command_crash){.program = "a program"};
    if (info->program != NULL)
        crash->program = text_file_name(info->program);
    if (info->signal != 0) {
        command_signal_add(&signal, info->signal);
        command_call_stack_find(stack, session, (uint32_t)info->signal_lwp);
        crash->frames = command_frames_choose(stack, 0, stack->count);
        crash->has_called = stack->has_called;
        crash->called = stack->called;
        crash->is_caller_first = stack->is_caller_first;
    }
    hash = hash_text(hash, crash->program);
    hash = hash_text(hash, text_get(&signal));
    if (info->signal != 0)
        hash = hash_frames(hash, &crash->frames, build_id);
    else
        hash = hash_waits(hash, waits, build_id);
    is_known = info->signal != 0
                   ? crash->frames.count != 0
                   : waits->count != 0 || (has_threads && command_end_is_known(session));
    if (is_known)
        snprintf(crash->signature, sizeof(crash->signature), "%016" PRIx64, hash);
    text_free(&signal);
}
