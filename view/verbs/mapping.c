/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The mapping at an address. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* Whether it does not exist any more, as far as that is known. */
static bool mapping_is_unmapped(const struct view_row *row)
{
    struct view_value state = view_row_value(row, "state");

    return view_value_is_known(state) && state.value != ompd_cl_mapping_mapped &&
           state.value != ompd_cl_mapping_unmapping;
}

/* Whether ROW is a better answer than OTHER: it exists, or was made later. */
static bool mapping_is_better(const struct view_row *row, const struct view_row *other)
{
    if (mapping_is_unmapped(row) != mapping_is_unmapped(other))
        return !mapping_is_unmapped(row);
    return view_row_number(row, "order") > view_row_number(other, "order");
}

/* Set *FOUND to the one of ROWS at ADDRESS, if any. */
static bool mapping_find(const struct view_rows *rows, uint64_t address, struct view_row *found)
{
    bool is_found = false;

    for (size_t i = 0; i < rows->count; i++) {
        struct view_row row = view_rows_get(rows, i);

        if (address - view_row_number(&row, "pointer") >= view_row_number(&row, "size") ||
            (is_found && !mapping_is_better(&row, found)))
            continue;
        *found = row;
        is_found = true;
    }
    return is_found;
}

/* Add ", unmapped at main at app.c:12", from the fields CALLER and LWP of ROW. */
static void mapping_call_add(ompd_view_t *view, const struct view_row *row, const char *verb,
                             const char *caller, const char *lwp, struct text *text)
{
    text_add(text, ", %s", verb);
    if (view_value_is_known(view_row_value(row, caller))) {
        text_put(text, " at ");
        view_site_describe_field(view, row, caller, text);
    }
    if (view_value_is_known(view_row_value(row, lwp))) {
        text_put(text, " by ");
        view_thread_describe(view, view_row_number(row, lwp), false, text);
    }
}

static void mapping_write(ompd_view_t *view, const struct view_row *row, uint64_t address)
{
    bool is_svm = view_row_number(row, "object_kind") == ompd_cl_kind_svm;
    struct text text = {0};

    mapping_call_add(view, row, "mapped", "caller", "lwp", &text);
    if (view_row_number(row, "state") == ompd_cl_mapping_unmapped)
        mapping_call_add(view, row, "unmapped", "unmapped_caller", "unmapped_lwp", &text);
    else if (mapping_is_unmapped(row))
        text_put(&text, ", never unmapped before its object ended");
    view_print(
        view, "0x%" PRIx64 " %s byte %" PRIu64 " of a mapping of %s 0x%" PRIx64 "%s.\n", address,
        mapping_is_unmapped(row) ? "was" : "is", address - view_row_number(row, "pointer"),
        is_svm ? "SVM allocation" : "memory object", view_row_number(row, "object"), text.bytes);
    text_free(&text);
    view_row_written(view);
}

bool view_mapping_show(ompd_view_t *view, uint64_t address)
{
    struct view_rows rows = {.kind = view_kind_get(ompd_cl_kind_mapping)};
    struct view_list list;
    struct view_row row;
    bool is_found = false;

    view_list_open_optional(&list, view, ompd_cl_kind_mapping, NULL);
    if (list.is_open) {
        view_rows_read(&rows, &list);
        is_found = mapping_find(&rows, address, &row);
    }
    if (is_found && view->options.is_json)
        view_json_row(view, &row);
    else if (is_found)
        mapping_write(view, &row, address);
    view_rows_free(&rows);
    return is_found;
}
