/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>

/* Further calls that made commands fail are counted, but not listed. */
#define FAILURES 64

/* Commands that failed because of one call: the row of the first. */
struct failure {
    struct view_object first;
    uint64_t count;
};

/* The fields of a kind that say who made commands fail. */
struct failure_fields {
    ompd_cl_kind_t kind;
    const char *event;
    const char *caller;
    const char *lwp;
};

struct failures {
    const struct failure_fields *fields;
    struct failure *all;
    size_t count;
    uint64_t more; /* commands that failed because of other calls */
};

static const struct failure_fields commands = {ompd_cl_kind_command, "failed_event",
                                               "failed_caller", "failed_lwp"};
static const struct failure_fields errors = {ompd_cl_kind_error, "handle", "released_caller",
                                             "released_lwp"};

static bool failures_is_alike(const struct failure_fields *fields, const struct view_row *one,
                              const struct view_row *other)
{
    return view_row_number(one, fields->event) == view_row_number(other, fields->event) &&
           view_row_number(one, fields->caller) == view_row_number(other, fields->caller) &&
           view_row_number(one, fields->lwp) == view_row_number(other, fields->lwp);
}

/* Whether the command of ROW never runs. */
static bool has_failed(const struct view_row *row)
{
    return view_value_is_known(view_row_value(row, "failed_status")) &&
           (row->kind->number == ompd_cl_kind_command ||
            view_row_number(row, "error") == ompd_cl_mistake_command_failed);
}

static void failures_row_add(struct failures *failures, const struct view_row *row)
{
    struct failure *failure;

    for (size_t i = 0; i < failures->count; i++) {
        if (failures_is_alike(failures->fields, &failures->all[i].first.row, row)) {
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
    view_object_copy(&failure->first, failures->fields->kind, row->bytes);
}

static void write_one(ompd_view_t *view, const struct failure_fields *fields,
                      const struct failure *failure)
{
    const struct view_row *row = &failure->first.row;
    bool is_one = failure->count == 1;
    struct text text = {0};

    if (is_one && fields == &commands)
        text_add(&text, "Command %" PRIu64 " of command queue 0x%" PRIx64,
                 view_row_number(row, "number"), view_row_number(row, "queue"));
    else
        count_add(&text, failure->count, "command", NULL);
    text_add(&text, " never ran: user event 0x%" PRIx64 ", which %s for, was set to ",
             view_row_number(row, fields->event), is_one ? "it waits" : "they wait");
    text_add(&text, "%" PRId64, (int64_t)view_row_number(row, "failed_status"));
    view_phrase_add_maker(view, row, "", fields->caller, fields->lwp, &text);
    text_put(&text, ".");
    view_note_write(view, "", text.bytes);
    text_free(&text);
}

/* Write that the user events of this many further commands were set to errors, too. */
static void write_more(ompd_view_t *view, uint64_t more)
{
    struct text text = {0};

    count_add(&text, more, "more command", NULL);
    text_put(&text, " never ran, because other user events were set to errors.");
    view_note_write(view, "", text.bytes);
    text_free(&text);
}

void view_failures_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    struct failures failures = {.fields = kind == ompd_cl_kind_error ? &errors : &commands};
    struct view_list list;
    struct view_row row;

    if (kind != failures.fields->kind)
        return;
    view_list_open_optional(&list, view, kind, filter);
    while (view_list_next(&list, &row))
        if (has_failed(&row))
            failures_row_add(&failures, &row);
    view_list_close(&list);
    for (size_t i = 0; i < failures.count; i++)
        write_one(view, failures.fields, &failures.all[i]);
    if (failures.more != 0)
        write_more(view, failures.more);
    heap_free(failures.all);
}
