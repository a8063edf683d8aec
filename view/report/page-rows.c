/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The lists of a page. Rows are JSON in script elements that do not run. page.js makes tables of
 * them when they are viewed. An array has the fields first, then one array for each row:
 *
 *     0              as in the row above
 *     1              there is no such thing
 *     "text"         the text in a table
 *     ["~", "text"]  presumed, not proved
 *     ["?", "text"]  unknown, and why
 *
 * Values missing at the end of a row are as in the row above. A call stack is an object that
 * precedes the first row with its number.
 */
#include <view/report/report.h>

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <view/show/table.h>

#define SAME "0"
#define ABSENT "1"

/* A list of what belongs to a row. */
struct part {
    const char *counted; /* the field with the number of elements */
    const char *title;
    ompd_cl_kind_t kind;
    ompd_cl_kind_t owner; /* 0: any kind that has the field */
};

static const struct part parts[] = {
    {"wait_count", "it waits for", ompd_cl_kind_wait, 0},
    {"pointer_count", "it frees", ompd_cl_kind_svm_pointer, ompd_cl_kind_svm_free},
    {"argument_count", "arguments", ompd_cl_kind_argument, 0},
    {"depth", "calls and callbacks", ompd_cl_kind_activity, ompd_cl_kind_thread},
};
#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

/* A list being written. */
struct writing {
    struct view_page *page;
    const ompd_view_verb_t *verb;
    struct view_renderer renderer;
    struct view_cell cell;                      /* used for one after the other */
    struct text made;                           /* the JSON of one, */
    struct text last[VIEW_FIELDS + PART_COUNT]; /* and of those of the row above */
};

static bool page_has_part(const struct view_kind *kind, const struct part *part)
{
    return view_kind_field(kind, part->counted) != NULL &&
           (part->owner == 0 || part->owner == kind->number);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Whether a table has a column for FIELD by default, given enough space. */
static bool page_is_usual(const ompd_view_verb_t *verb, const ompd_cl_field_t *field)
{
    for (const char *const *also = verb->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return field->in_table != 0 || view_column_fit_is_extra(field);
}

/* The type of FIELD's values, for sorting and display. */
static const char *type_of(const ompd_cl_field_t *field)
{
    if (view_field_is_number(field))
        return "number";
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
        return "address";
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        return "function";
    case ompd_cl_type_stack:
        return "stack";
    default:
        return "text";
    }
}

static void page_field_add(struct text *text, const char *key, const char *title, const char *help,
                           const char *type, bool is_usual_one)
{
    text_put(text, "[");
    view_page_quote(text, key);
    text_put(text, ",");
    view_page_quote(text, title);
    text_put(text, ",");
    view_page_quote(text, help);
    text_add(text, ",\"%s\",%d]", type, is_usual_one);
}

static void write_fields(struct writing *writing, const struct view_kind *kind)
{
    struct text *text = &writing->made;

    text_clear(text);
    text_put(text, "[[");
    for (size_t i = 0; i < kind->field_count; i++) {
        const ompd_cl_field_t *field = kind->fields[i];

        text_put(text, i != 0 ? "," : "");
        page_field_add(text, field->name, field->title, field->help, type_of(field),
                       page_is_usual(writing->verb, field));
    }
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (!page_has_part(kind, &parts[i]))
            continue;
        text_put(text, ",");
        page_field_add(text, parts[i].title, parts[i].title, "", "lines", false);
    }
    text_put(text, "]");
    view_page_put(writing->page, text->bytes);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Put the text of the cell in `made`. */
static void make_cell(struct writing *writing)
{
    const struct view_cell *cell = &writing->cell;
    struct text *text = &writing->made;
    bool is_unknown = cell->sure == view_sure_unknown;

    text_clear(text);
    if (cell->sure == view_sure_absent) {
        text_put(text, ABSENT);
    } else if (cell->sure == view_sure_proved) {
        view_page_quote(text, text_get(&cell->text));
    } else {
        text_put(text, is_unknown ? "[\"" VIEW_UNKNOWN "\"," : "[\"" VIEW_PRESUMED "\",");
        view_page_quote(text, text_get(is_unknown ? &cell->reason : &cell->text));
        text_put(text, "]");
    }
}

/* Add the usual fields of ROW, a part of another, on one line. */
static void add_part_row(struct writing *writing, const struct view_row *row, struct text *text)
{
    for (size_t i = 0; i < row->kind->field_count; i++) {
        const ompd_cl_field_t *field = row->kind->fields[i];

        if (!field->in_table || field->type == ompd_cl_type_stack ||
            view_value_is_absent(view_row_field(row, field)))
            continue;
        text_add(text, "%s%s ", i != 0 && text->length != 0 ? ", " : "", field->title);
        view_cell_add(&writing->renderer, field, row, text);
    }
}

/* Fill the cell with the rows of PART of ROW, one line each. */
static void fill_part(struct writing *writing, const struct view_row *row, const struct part *part)
{
    struct view_value count = view_row_value(row, part->counted);
    struct view_cell *cell = &writing->cell;
    struct text line = {0};
    struct view_list list;
    struct view_row row_of_part;

    if (!view_value_is_known(count) || count.value == 0)
        return;
    view_list_open_parts(&list, writing->page->view, part->kind, row);
    while (view_list_next(&list, &row_of_part)) {
        text_clear(&line);
        add_part_row(writing, &row_of_part, &line);
        text_add(&cell->text, "%s%s", cell->text.length != 0 ? "\n" : "", text_get(&line));
        cell->sure = view_sure_proved;
    }
    if (list.unreadable != 0) {
        text_put(&cell->text, cell->text.length != 0 ? "\n" : "");
        view_list_describe_unreadable(&list, &cell->text);
        cell->sure = view_sure_proved;
    }
    view_list_close(&list);
    text_free(&line);
}

static void fill_field(struct writing *writing, const struct view_row *row,
                       const ompd_cl_field_t *field)
{
    struct view_value value = view_row_field(row, field);

    view_cell_fill(&writing->renderer, field, row, &writing->cell);
    if (strcmp(field->name, "doubt") != 0 || !view_value_is_known(value))
        return;
    text_clear(&writing->cell.text);
    view_field_text_add(field, value.value, &writing->cell.text);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Write the call stacks of ROW that are not in the page yet, or that the page no longer
 * remembers. */
static void write_stacks(struct writing *writing, const struct view_row *row)
{
    struct view_page *page = writing->page;
    ompd_view_t *view = page->view;
    ompd_addr_t frames[VIEW_STACK_FRAMES];

    for (size_t i = 0; i < row->kind->field_count; i++) {
        struct view_value stack = view_row_field(row, row->kind->fields[i]);
        struct text calls = {0};

        if (row->kind->fields[i]->type != ompd_cl_type_stack || !view_value_is_known(stack) ||
            stack.value == 0 || page->stacks[stack.value % VIEW_PAGE_STACKS] == stack.value)
            continue;
        page->stacks[stack.value % VIEW_PAGE_STACKS] = stack.value;
        view_location_stack(view, frames, view_stack_get(view, stack.value, frames), NULL, &calls);
        text_clear(&writing->made);
        text_add(&writing->made, ",\n{\"stack\":\"%" PRIu64 "\",\"calls\":", stack.value);
        view_page_quote(&writing->made, text_get(&calls));
        text_put(&writing->made, "}");
        view_page_put(page, writing->made.bytes);
        text_free(&calls);
    }
}

/* Write cell INDEX, already filled. *SAME counts the unwritten cells before it that equal those
 * of the row above. */
static void write_cell(struct writing *writing, size_t index, size_t *same)
{
    struct text *last = &writing->last[index];

    make_cell(writing);
    if (last->length == writing->made.length &&
        memcmp(last->bytes, writing->made.bytes, last->length) == 0) {
        (*same)++;
        return;
    }
    for (size_t i = index - *same; i < index; i++)
        view_page_put(writing->page, i != 0 ? "," SAME : SAME);
    *same = 0;
    view_page_put(writing->page, index != 0 ? "," : "");
    view_page_put(writing->page, writing->made.bytes);
    text_clear(last);
    text_append(last, writing->made.bytes, writing->made.length);
}

static void write_row(struct writing *writing, const struct view_row *row)
{
    size_t index = 0;
    size_t same = 0;

    write_stacks(writing, row);
    view_page_put(writing->page, ",\n[");
    for (size_t i = 0; i < row->kind->field_count; i++) {
        view_cell_clear(&writing->cell);
        fill_field(writing, row, row->kind->fields[i]);
        write_cell(writing, index++, &same);
    }
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (!page_has_part(row->kind, &parts[i]))
            continue;
        view_cell_clear(&writing->cell);
        fill_part(writing, row, &parts[i]);
        write_cell(writing, index++, &same);
    }
    view_page_put(writing->page, "]");
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* "Memory objects" of "memory objects". */
static void put_title(struct view_page *page, const char *plural)
{
    view_page_add(page, "%c%s", toupper((unsigned char)plural[0]), plural + 1);
}

static void begin_section(struct writing *writing, const struct view_kind *kind)
{
    struct view_page *page = writing->page;

    view_page_add(page, "<section class=\"list\" id=\"%s\">\n<h3>", writing->verb->name);
    put_title(page, kind->noun->plural);
    view_page_put(page, "</h3>\n<script type=\"application/json\">");
    write_fields(writing, kind);
}

static void add_note(struct text *html, const char *note)
{
    text_put(html, "<p class=\"note\">");
    view_html_escape(html, note, strlen(note));
    text_put(html, "</p>\n");
}

/* Note what LIST lacks, at its end. */
static void add_missing(ompd_view_t *view, const struct view_list *list, struct text *html)
{
    struct text note = {0};

    if (list->unreadable != 0) {
        view_list_describe_unreadable(list, &note);
        add_note(html, text_get(&note));
    }
    if (list->has_incompleteness) {
        text_clear(&note);
        view_incompleteness_join(view, &note);
        add_note(html, text_get(&note));
    }
    text_free(&note);
}

static void end_section(struct view_page *page, const struct view_list *list)
{
    struct text html = {0};

    text_put(&html, "\n]</script>\n<p class=\"count\">");
    count_add(&html, list->total, list->kind->noun->singular, list->kind->noun->plural);
    text_put(&html, "</p>\n");
    add_missing(page->view, list, &html);
    view_page_put(page, html.bytes);
    text_clear(&html);
    if (view_page_failure_take(page, &html))
        view_page_note(page, html.bytes);
    view_page_put(page, "</section>\n");
    text_free(&html);
}

/* Text about lists that have no section. */
struct rest {
    struct text empty; /* "samplers, events" */
    struct text notes; /* why some are unknown, HTML */
};

/* Record that LIST has no rows, or why its rows are unknown. */
static void take_empty(struct view_page *page, const struct view_list *list, struct rest *rest)
{
    const char *plural = list->kind->noun->plural;
    struct text why = {0};
    struct text reason = {0};
    bool has_none;

    /* Most processes have no Embree.  A copy that no layout matches is reported. */
    if (list->rc == ompd_rc_unavailable && view_kind_is_embree(list->kind->number)) {
        view_add_reason(page->view, list->rc, &reason);
        has_none = strstr(reason.bytes, "ayout") == NULL;
        text_clear(&reason);
        if (has_none)
            return;
    }
    if (list->rc == ompd_rc_ok && list->unreadable == 0 && !list->is_short && !list->is_unknown) {
        text_add(&rest->empty, "%s%s", rest->empty.length != 0 ? ", " : "", plural);
        return;
    }
    if (!view_page_failure_take(page, &reason) && list->rc != ompd_rc_ok)
        view_add_reason(page->view, list->rc, &reason);
    text_add(&why, "%c%s are unknown", toupper((unsigned char)plural[0]), plural + 1);
    text_add(&why, reason.length != 0 ? ": %s" : ".%s", text_get(&reason));
    add_note(&rest->notes, why.bytes);
    add_missing(page->view, list, &rest->notes);
    text_free(&reason);
    text_free(&why);
}

static void write_list(struct view_page *page, const ompd_view_verb_t *verb, struct rest *rest)
{
    struct writing writing = {.page = page, .verb = verb};
    struct view_list list;
    struct view_row row;
    bool has_begun = false;

    view_renderer_begin(&writing.renderer, page->view);
    view_list_open_optional(&list, page->view, verb->kind, NULL);
    while (view_list_next(&list, &row)) {
        if (!has_begun)
            begin_section(&writing, row.kind);
        has_begun = true;
        write_row(&writing, &row);
    }
    view_list_close(&list);
    if (has_begun)
        end_section(page, &list);
    else if (!page->view->is_stopped)
        take_empty(page, &list, rest);
    view_cell_free(&writing.cell);
    text_free(&writing.made);
    for (size_t i = 0; i < sizeof(writing.last) / sizeof(writing.last[0]); i++)
        text_free(&writing.last[i]);
    view_renderer_end(&writing.renderer);
}

void view_page_lists_write(struct view_page *page)
{
    struct rest rest = {{0}, {0}};
    const ompd_view_verb_t *verb;

    for (size_t i = 0; (verb = view_builtin_verb_get(page->view, i)) != NULL; i++)
        if ((verb->takes & ompd_view_takes_filters) != 0 && !page->view->is_stopped &&
            view_kind_is_shown(page->view, verb->kind))
            write_list(page, verb, &rest);
    if (rest.empty.length != 0) {
        view_page_put(page, "<p class=\"empty\">There are no ");
        view_page_escape(page, rest.empty.bytes);
        view_page_put(page, ".</p>\n");
    }
    view_page_put(page, text_get(&rest.notes));
    text_free(&rest.empty);
    text_free(&rest.notes);
}
