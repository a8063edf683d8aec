/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct ompd_cl_registry_text text_none;

static void program_run_set(const struct recorder_entry *program, enum ompd_cl_registry_state state)
{
    uint64_t run = OMPD_CL_REGISTRY_RUN(program->heap->lwp, state);
    __atomic_store_n(&recorder_program_record(program)->run, run, __ATOMIC_RELEASE);
    recorder_object_changed(program);
}

/* Set another state of the build in progress, for the thread that began it. */
static void program_state_set(const struct recorder_entry *program,
                              enum ompd_cl_registry_state state)
{
    uint64_t run = __atomic_load_n(&recorder_program_record(program)->run, __ATOMIC_RELAXED);
    uint64_t after = OMPD_CL_REGISTRY_RUN(OMPD_CL_REGISTRY_RUN_LWP(run), state);
    if (OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_running) {
        __atomic_compare_exchange_n(&recorder_program_record(program)->run, &run, after, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        recorder_object_changed(program);
    }
}

static bool program_open(struct recorder_entry *entry, cl_program program, cl_context context,
                         const void *return_address)
{
    if (!program ||
        !recorder_object_open(entry, ompd_cl_registry_program, program, 0, return_address)) {
        return false;
    }
    struct recorder_entry its_context;
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(entry, &its_context);
    struct ompd_cl_registry_program_record *record = recorder_program_record(entry);
    record->run = 0;
    record->error = 0;
    record->lacks_argument_info = 0;
    recorder_text_set(entry->heap, record->options, &record->whole_options, NULL, 0);
    recorder_text_set(entry->heap, record->log, &record->whole_log, NULL, 0);
    return true;
}

void recorder_program_created(cl_program program, cl_context context, const void *return_address)
{
    struct recorder_entry entry;
    if (program_open(&entry, program, context, return_address)) {
        recorder_object_publish(&entry);
    }
}

/* The build of PROGRAM, whose call has returned STATUS, has ended, unless it MAY_GO_ON. */
static void build_settle(const struct recorder_entry *program, cl_int status, bool may_go_on)
{
    if (status == CL_SUCCESS && may_go_on) {
        return;
    }
    __atomic_store_n(&recorder_program_record(program)->error, status, __ATOMIC_RELAXED);
    program_state_set(program,
                      status == CL_SUCCESS ? ompd_cl_registry_done : ompd_cl_registry_failed);
}

void recorder_program_linked(cl_program program, cl_context context, const char *options,
                             cl_int status, bool may_go_on, const void *return_address)
{
    struct recorder_entry entry;
    if (program_open(&entry, program, context, return_address)) {
        struct ompd_cl_registry_program_record *record = recorder_program_record(&entry);
        recorder_text_set(entry.heap, record->options, &record->whole_options, options, SIZE_MAX);
        record->run = OMPD_CL_REGISTRY_RUN(entry.heap->lwp, ompd_cl_registry_running);
        recorder_object_publish(&entry);
        if (recorder_entry_is_there(&entry)) {
            build_settle(&entry, status, may_go_on);
        }
    }
}

void recorder_build_begin(struct recorder_build *build, cl_program handle, const char *options)
{
    if (!recorder_object_find(&build->program, ompd_cl_registry_program, handle)) {
        return;
    }
    struct ompd_cl_registry_program_record *record = recorder_program_record(&build->program);
    struct ompd_cl_registry_text whole_options =
        recorder_text_make(build->program.heap, options, SIZE_MAX);
    recorder_object_lock(&build->program);
    build->run_before = __atomic_load_n(&record->run, __ATOMIC_RELAXED);
    build->error_before = record->error;
    memcpy(build->options_before, record->options, sizeof(record->options));
    memcpy(build->log_before, record->log, sizeof(record->log));
    build->whole_options_before = recorder_text_replace(&record->whole_options, whole_options);
    build->whole_log_before = recorder_text_replace(&record->whole_log, text_none);
    recorder_text_copy(record->options, options, SIZE_MAX);
    record->log[0] = '\0';
    record->error = 0;
    record->lacks_argument_info = 0; /* options may change that */
    program_run_set(&build->program, ompd_cl_registry_running);
    recorder_object_unlock(&build->program);
}

/* Whether a call that returns STATUS was refused before anything was built: then the program is
 * unchanged. Wrong options do not count, because some runtimes find them during the build. */
static bool build_is_refused(cl_int status)
{
    return status == CL_INVALID_VALUE || status == CL_INVALID_DEVICE ||
           status == CL_INVALID_OPERATION || status == CL_INVALID_PROGRAM;
}

/* The call of BUILD was refused, and no other build has ended since it began: restore the former
 * state. */
static void build_undo(const struct recorder_build *build)
{
    const struct recorder_entry *program = &build->program;
    struct ompd_cl_registry_program_record *record = recorder_program_record(program);
    uint64_t begun = OMPD_CL_REGISTRY_RUN(program->heap->lwp, ompd_cl_registry_running);
    struct ompd_cl_registry_text whole_options = build->whole_options_before;
    struct ompd_cl_registry_text whole_log = build->whole_log_before;
    recorder_object_lock(program);
    if (__atomic_compare_exchange_n(&record->run, &begun, build->run_before, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        record->error = build->error_before;
        memcpy(record->options, build->options_before, sizeof(record->options));
        memcpy(record->log, build->log_before, sizeof(record->log));
        whole_options = recorder_text_replace(&record->whole_options, whole_options);
        whole_log = recorder_text_replace(&record->whole_log, whole_log);
    }
    recorder_object_changed(program);
    recorder_object_unlock(program);
    recorder_text_end(program->heap, whole_options);
    recorder_text_end(program->heap, whole_log);
}

void recorder_build_end(const struct recorder_build *build, cl_int status, bool may_go_on)
{
    if (!build->program.object) {
        return;
    }
    bool is_there = recorder_entry_is_there(&build->program);
    if (is_there && RECORDER_UNLIKELY(build_is_refused(status))) {
        build_undo(build);
        return;
    }
    if (is_there) {
        build_settle(&build->program, status, may_go_on);
    }
    recorder_text_end(build->program.heap, build->whole_options_before);
    recorder_text_end(build->program.heap, build->whole_log_before);
}

void recorder_build_set_done(const struct recorder_entry *program)
{
    if (program->object) {
        program_state_set(program, ompd_cl_registry_done);
    }
}

void recorder_build_status_seen(cl_program program, cl_build_status status)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_program, program)) {
        return;
    }
    if (status == CL_BUILD_SUCCESS) {
        program_state_set(&entry, ompd_cl_registry_done);
    } else if (status == CL_BUILD_ERROR) {
        __atomic_store_n(&recorder_program_record(&entry)->error, CL_BUILD_PROGRAM_FAILURE,
                         __ATOMIC_RELAXED);
        program_state_set(&entry, ompd_cl_registry_failed);
    }
}

/* The line of TEXT, of SIZE bytes, with the first error; the beginning when there is none. */
static const char *log_error_find(const char *text, size_t size)
{
    static const char word[] = "error";
    const char *line = text;
    for (size_t i = 0; i + sizeof(word) - 1 <= size && text[i]; i++) {
        if (memcmp(text + i, word, sizeof(word) - 1) == 0) {
            return line;
        }
        if (text[i] == '\n') {
            line = text + i + 1;
        }
    }
    return text;
}

/* Write LOG, of at most SIZE bytes, to TO. If the first line is too long, the folder of the first
 * path in it is left out, so that the error itself fits: compilers name a file in the runtime's
 * cache. */
static void log_copy(char to[OMPD_CL_REGISTRY_TEXT_SIZE], const char *log, size_t size)
{
    size_t line = size < INT_MAX ? strnlen(log, size) : strnlen(log, INT_MAX);
    const char *newline = memchr(log, '\n', line);
    const char *folder;
    const char *name;
    if (newline) {
        line = (size_t)(newline - log);
    }
    folder = memchr(log, '/', line);
    name = folder;
    for (const char *next = folder; next && next < log + line && *next != ' ' && *next != ':';
         next++) {
        if (*next == '/') {
            name = next;
        }
    }
    if (line < OMPD_CL_REGISTRY_TEXT_SIZE || name == folder) {
        recorder_text_copy(to, log, size);
        return;
    }
    snprintf(to, OMPD_CL_REGISTRY_TEXT_SIZE, "%.*s...%.*s", (int)(folder - log), log,
             (int)(log + line - name), name);
}

void recorder_build_log_seen(cl_program program, const char *text, size_t size)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_program, program)) {
        return;
    }
    const char *start = log_error_find(text, size);
    size -= (size_t)(start - text);
    struct ompd_cl_registry_program_record *record = recorder_program_record(&entry);
    struct ompd_cl_registry_text whole = recorder_text_make(entry.heap, start, size);
    recorder_object_lock(&entry);
    whole = recorder_text_replace(&record->whole_log, whole);
    log_copy(record->log, start, size);
    recorder_object_unlock(&entry);
    recorder_text_end(entry.heap, whole);
}
