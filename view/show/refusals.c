/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <string.h>

/* Further reasons are counted, but not listed. */
#define REFUSALS 32

struct refusals {
    char *sentences[REFUSALS]; /* on the heap */
    size_t count;
    uint64_t more; /* refused calls with other sentences */
};

/* What the library says when it knows no reason. */
#define NO_REASON "the runtime gave no reason"

/* Whether the reason of ROW, of an error, is known. */
static bool has_reason(const struct view_row *row, struct view_value reason)
{
    return row->kind->number == ompd_cl_kind_error && view_value_is_known(reason) &&
           strcmp(reason.text, NO_REASON) != 0;
}

/* Add "clFinish at main at app.c:9 returned CL_INVALID_COMMAND_QUEUE: command_queue is NULL." */
static void describe_refusal(ompd_view_t *view, const struct view_row *row,
                             struct view_value reason, struct text *text)
{
    struct view_value place = view_row_value(row, "caller");

    view_row_name(row, "call", text);
    if (view_value_is_known(place) && place.value != 0) {
        text_put(text, " at ");
        view_site_describe_field(view, row, "caller", text);
    }
    text_put(text, " returned ");
    if (view_value_is_known(view_row_value(row, "error")))
        view_row_name(row, "error", text);
    else
        text_put(text, "NULL");
    text_add(text, ": %s.", reason.text);
}

/* Add SENTENCE, unless there is one like it. */
static void refusals_add(struct refusals *refusals, const char *sentence)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (strcmp(refusals->sentences[i], sentence) == 0)
            return;
    if (refusals->count == REFUSALS)
        refusals->more++;
    else
        refusals->sentences[refusals->count++] = text_copy(sentence);
}

void view_refusals_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    struct refusals refusals = {.count = 0};
    struct view_list list;
    struct view_row row;

    if (kind != ompd_cl_kind_error)
        return;
    view_list_open_optional(&list, view, kind, filter);
    while (view_list_next(&list, &row)) {
        struct view_value reason = view_row_value(&row, "reason");
        struct text text = {0};

        if (has_reason(&row, reason)) {
            describe_refusal(view, &row, reason, &text);
            refusals_add(&refusals, text.bytes);
        }
        text_free(&text);
    }
    view_list_close(&list);
    for (size_t i = 0; i < refusals.count; i++) {
        view_note_write(view, "", refusals.sentences[i]);
        heap_free(refusals.sentences[i]);
    }
    if (refusals.more != 0) {
        struct text text = {0};

        count_add(&text, refusals.more, "more call", NULL);
        text_put(&text, " returned errors for other reasons.");
        view_note_write(view, "", text.bytes);
        text_free(&text);
    }
}
