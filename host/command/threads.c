/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* threads: what the threads that have entered OpenCL do and wait for. */
#include <host/command/activities.h>
#include <host/command/listing.h>
#include <host/command/size.h>
#include <host/command/verb.h>

#include <inttypes.h>
#include <stdlib.h>

/* Threads of the program first, in the order in which they entered OpenCL. */
static uint64_t place_of(const struct command_row *row)
{
    struct command_value is_caller = command_row_value(row, "is_caller");
    uint64_t is_runtime = command_value_is_known(is_caller) && is_caller.value == 0;

    return is_runtime << 63 | command_row_number(row, "order");
}

static int compare_lwps(const void *left, const void *right)
{
    const uint32_t *a = left;
    const uint32_t *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* The LWPs of the target's threads that are not among LWPS, sorted; their number in *COUNT. */
static uint32_t *find_others(struct command_session *session, const uint32_t *lwps,
                             size_t lwp_count, size_t *count)
{
    ompd_host_thread_t thread;
    uint32_t *others = NULL;

    *count = 0;
    for (size_t i = 0; ompd_host_thread_get(session->target, i, &thread) == ompd_host_rc_ok; i++) {
        if (lwp_count != 0 && bsearch(&thread.lwp, lwps, lwp_count, sizeof(lwps[0]), compare_lwps))
            continue;
        others = command_memory_resize(others, (*count + 1) * sizeof(others[0]));
        others[(*count)++] = thread.lwp;
    }
    if (*count != 0)
        qsort(others, *count, sizeof(others[0]), compare_lwps);
    return others;
}

/* Add "4711, 4713-4717". */
static void add_runs(const uint32_t *lwps, size_t count, struct command_text *text)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = i;

        while (i + 1 < count && lwps[i + 1] == lwps[i] + 1)
            i++;
        command_text_add(text, "%s%" PRIu32, first != 0 ? ", " : "", lwps[first]);
        if (i != first)
            command_text_add(text, "-%" PRIu32, lwps[i]);
    }
}

/* Name the threads that the recorder has not seen, where all that it has are shown. */
static void write_others(struct command_thread_renderer *threads, uint64_t shown)
{
    struct command_session *session = threads->renderer.session;
    struct command_text note = {0};
    uint32_t *others;
    size_t count;

    if (threads->lwp_count != shown)
        return;
    if (threads->lwp_count != 0)
        qsort(threads->lwps, threads->lwp_count, sizeof(threads->lwps[0]), compare_lwps);
    others = find_others(session, threads->lwps, threads->lwp_count, &count);
    if (count != 0) {
        command_text_add(&note, "Not seen in OpenCL: %s ", count == 1 ? "LWP" : "LWPs");
        add_runs(others, count, &note);
        command_text_add(&note, ".");
        command_note_write(session, "", note.bytes);
    }
    command_text_free(&note);
    free(others);
}

enum command_exit command_threads_run(struct command_session *session,
                                      const struct command_line *line)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_thread, .place = place_of};
    struct command_thread_renderer threads;
    uint64_t shown;

    (void)line;
    command_thread_renderer_begin(&threads, session);
    shown = command_listing_write(&threads.renderer, &listing);
    if (shown != UINT64_MAX && !session->options.is_json && !session->options.is_filtered)
        write_others(&threads, shown);
    command_thread_renderer_end(&threads);
    return command_session_result(session);
}
