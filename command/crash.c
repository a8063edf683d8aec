/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See crash.h. */
#include <command/crash.h>

#include <command/target-lines.h>
#include <inttypes.h>

/* FNV-1a of TEXT and the NUL behind it. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (;; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
        if (*text == '\0')
            return hash;
    }
}

static uint64_t hash_frames(uint64_t hash, const struct command_frames *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        hash = hash_text(hash, frames->names[i]);
    return hash;
}

/* What a program is in that has not died. */
static uint64_t hash_waits(uint64_t hash, const struct command_waits *waits)
{
    for (size_t i = 0; i < waits->count; i++) {
        char state[32];

        snprintf(state, sizeof(state), "%" PRIu64, waits->places[i].state);
        hash = hash_frames(hash_text(hash, state), &waits->places[i].frames);
    }
    return hash;
}

void command_crash_find(struct command_crash *crash, struct command_session *session,
                        const struct command_waits *waits)
{
    const ompd_host_target_info_t *info = &session->info;
    struct command_call_stack *stack = &crash->stack;
    struct text signal = {0};
    uint64_t hash = 0xcbf29ce484222325u;

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
    hash = info->signal != 0 ? hash_frames(hash, &crash->frames) : hash_waits(hash, waits);
    snprintf(crash->signature, sizeof(crash->signature), "%016" PRIx64, hash);
    text_free(&signal);
}
