/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See failures.h. */
#include <view/failures.h>

#include <inttypes.h>
#include <text/heap.h>
#include <text/size.h>
#include <view/finding-words.h>
#include <view/notes.h>

/* More calls that made commands fail are counted, but not told of. */
#define FAILURES 64

/* Commands that one call made fail: of the first the row. */
struct failure {
    struct view_object first;
    uint64_t count;
};

struct failures {
    struct failure *all;
    size_t count;
    uint64_t more; /* commands that others made fail */
};

static bool is_alike(const struct view_row *one, const struct view_row *other)
{
    return view_row_number(one, "failed_event") == view_row_number(other, "failed_event") &&
           view_row_number(one, "failed_caller") == view_row_number(other, "failed_caller") &&
           view_row_number(one, "failed_lwp") == view_row_number(other, "failed_lwp");
}

static void take(struct failures *failures, const struct view_row *row)
{
    struct failure *failure;

    for (size_t i = 0; i < failures->count; i++) {
        if (is_alike(&failures->all[i].first.row, row)) {
            failures->all[i].count++;
            return;
        }
    }
    if (failures->count == FAILURES) {
        failures->more++;
        return;
    }
    if (failures->count == 0)
        failures->all = heap_get(FAILURES * sizeof(failures->all[0]));
    failure = &failures->all[failures->count++];
    failure->count = 1;
    view_object_copy(&failure->first, ompd_cl_kind_command, row->bytes);
}

static void write_one(ompd_view_t *view, struct failure *failure)
{
    const struct view_row *row = &failure->first.row;
    struct view_value status = view_row_value(row, "failed_status");
    bool is_one = failure->count == 1;
    struct text text = {0};

    if (is_one)
        text_add(&text, "Command %" PRIu64 " of command queue 0x%" PRIx64,
                 view_row_number(row, "number"), view_row_number(row, "queue"));
    else
        count_add(&text, failure->count, "command", NULL);
    text_add(&text, " never ran: user event 0x%" PRIx64 ", which %s for, was set to ",
             view_row_number(row, "failed_event"), is_one ? "it waits" : "they wait");
    if (view_value_is_known(status))
        text_add(&text, "%" PRId64, (int64_t)status.value);
    else
        text_put(&text, "an error");
    view_finding_add_maker(view, row, "", "failed_caller", "failed_lwp", &text);
    text_put(&text, ".");
    view_note_write(view, "", text.bytes);
    text_free(&text);
}

/* Write that the user events of so many further commands were set to errors, too. */
static void write_more(ompd_view_t *view, uint64_t more)
{
    struct text text = {0};

    count_add(&text, more, "more command", NULL);
    text_put(&text, " never ran, as other user events were set to errors.");
    view_note_write(view, "", text.bytes);
    text_free(&text);
}

void view_failures_write(ompd_view_t *view, const ompd_cl_filter_t *filter)
{
    struct failures failures = {0};
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, ompd_cl_kind_command, filter);
    while (view_list_next(&list, &row))
        if (view_value_is_known(view_row_value(&row, "failed_event")))
            take(&failures, &row);
    view_list_close(&list);
    for (size_t i = 0; i < failures.count; i++)
        write_one(view, &failures.all[i]);
    if (failures.more != 0)
        write_more(view, failures.more);
    heap_free(failures.all);
}
