/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gone, errors, calls: the last ones of something, of which the last come first. */
#include <view/listing.h>
#include <view/verb-runs.h>

static uint64_t rank_of_gone(const struct view_row *row)
{
    return UINT64_MAX - view_row_number(row, "end_order");
}

static uint64_t rank_of_call(const struct view_row *row)
{
    return UINT64_MAX - view_row_number(row, "order");
}

static ompd_view_exit_t list_ring(ompd_view_t *view, const ompd_view_line_t *line,
                                  uint64_t (*rank)(const struct view_row *row))
{
    struct view_listing listing = {.kind = line->verb->kind, .rank = rank, .is_small = true};
    struct view_renderer renderer;

    view_renderer_begin(&renderer, view);
    view_listing_write(&renderer, &listing);
    view_renderer_end(&renderer);
    return view_result(view);
}

ompd_view_exit_t view_gone_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return list_ring(view, line, rank_of_gone);
}

ompd_view_exit_t view_errors_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return list_ring(view, line, rank_of_call);
}

ompd_view_exit_t view_calls_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return list_ring(view, line, rank_of_call);
}
