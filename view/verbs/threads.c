/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* threads: what the threads that have entered OpenCL do and wait for. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <stdlib.h>

/* Threads of the program first, in the order in which they entered OpenCL. */
static uint64_t threads_rank(const struct view_row *row)
{
    struct view_value is_caller = view_row_value(row, "is_caller");
    uint64_t is_runtime = view_value_is_known(is_caller) && is_caller.value == 0;

    return is_runtime << 63 | view_row_number(row, "order");
}

/* List the threads that the recorder has not seen, if all of its own are shown. */
static void threads_others_write(struct view_thread_renderer *threads, uint64_t shown)
{
    ompd_view_t *view = threads->renderer.view;
    const ompd_view_front_end_t *front_end = &view->front_end;
    struct text note = {0};
    const char *others;

    if (threads->lwp_count != shown || front_end->other_threads == NULL)
        return;
    others = front_end->other_threads(front_end->user_ptr, threads->lwps, threads->lwp_count);
    if (others == NULL)
        return;
    text_add(&note, "Not seen in OpenCL: %s.", others);
    view_note_write(view, "", note.bytes);
    text_free(&note);
}

ompd_view_exit_t view_threads_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    static const struct view_listing listing = {.kind = ompd_cl_kind_thread, .rank = threads_rank};
    struct view_thread_renderer threads;
    uint64_t shown;

    (void)line;
    view_thread_renderer_begin(&threads, view);
    shown = view_listing_write(&threads.renderer, &listing);
    if (shown != UINT64_MAX && !view->options.is_json && !view->options.is_filtered)
        threads_others_write(&threads, shown);
    view_thread_renderer_end(&threads);
    return view_result(view);
}
