/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions for a front end's own verbs: their output, their refusals, and how the command
 * ends. */
#include "suite.h"
#include "view-front.h"

#include <view/model/model.h>

#include <check.h>
#include <string.h>

static struct population population;
static struct front front;
static ompd_view_exit_t code; /* of the last command */

/* Names that a target's author may choose to annoy a terminal. */
static const struct front_place places[] = {
    {0x401000, {.symbol = "e\x1b[2Jvil", .file = "/src/app.c", .line = 9}},
    {0x400500,
     {.symbol = "inner", .inlined_into = (const char *const[]){"main"}, .inlined_count = 1}},
};

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

/* Make the verb do WORK, and check its output. */
static void expect(const char *arguments, void (*work)(struct front *front), const char *text)
{
    front.work = work;
    code = front_line(&front, "ask", arguments);
    ck_assert_str_eq(front.text, text);
}

static ompd_view_value_t number(ompd_cl_type_t type, uint64_t value)
{
    return (ompd_view_value_t){.struct_size = sizeof(ompd_view_value_t),
                               .type = type,
                               .status = ompd_cl_status_value,
                               .number = value};
}

static ompd_view_value_t text_value(const char *text)
{
    return (ompd_view_value_t){.struct_size = sizeof(ompd_view_value_t),
                               .type = ompd_cl_type_text,
                               .status = ompd_cl_status_value,
                               .text = text};
}

static ompd_view_value_t of_status(ompd_view_value_t value, ompd_cl_status_t status)
{
    value.status = status;
    return value;
}

#define ok(call) ck_assert_int_eq(call, ompd_rc_ok)
#define is_refused(call) ck_assert_int_eq(call, ompd_rc_bad_input)

/* ---- Text ------------------------------------------------------------------------------------ */

static void write_text(struct front *f)
{
    ok(ompd_view_text_write(f->view, ompd_view_style_heading, "one "));
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "two\nthree\x1b[2J\xff\\n\n"));
    is_refused(ompd_view_text_write(f->view, ompd_view_style_plain, NULL));
    is_refused(ompd_view_text_write(f->view, (ompd_view_style_t)-1, "x"));
    is_refused(ompd_view_text_write(f->view, (ompd_view_style_t)(ompd_view_style_note + 1), "x"));
    is_refused(ompd_view_json_begin(f->view, NULL, false));
}

static void write_long_text(struct front *f)
{
    ok(ompd_view_text_write(f->view, ompd_view_style_note, "a sentence of "));
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "many words\n"));
}

/* Newlines end lines, which fit; what else would move a cursor is shown. */
START_TEST(text)
{
    expect("", write_text, "one two\nthree\\x1b[2J\\xff\\n\n");
    ck_assert_int_eq(code, ompd_view_exit_ok);
    front.width = 16;
    expect("", write_long_text, "a sentence of\n    many words\n");
    is_refused(ompd_view_text_write(front.view, ompd_view_style_plain, "after the verb"));
    is_refused(ompd_view_text_write(NULL, ompd_view_style_plain, "x"));
    is_refused(ompd_view_text_flush(NULL));
}
END_TEST

static void flush_halfway(struct front *f)
{
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "first\n"));
    ck_assert_str_eq(f->text, "");
    ok(ompd_view_text_flush(f->view));
    ck_assert_str_eq(f->text, "first\n");
}

START_TEST(flushed)
{
    expect("", flush_halfway, "first\n");
}
END_TEST

static bool write_back(void *user_ptr, ompd_view_style_t style, const char *bytes, size_t size)
{
    const struct front *f = user_ptr;

    (void)bytes;
    (void)size;
    ck_assert_int_eq(ompd_view_text_write(f->view, style, "again"), ompd_rc_busy);
    return true;
}

static void write_and_flush(struct front *f)
{
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "once"));
    ok(ompd_view_text_flush(f->view));
}

/* A service that uses the view which has called it; a verb that runs another by its own view. */
START_TEST(called_within)
{
    front_close(&front);
    front.front_end.write = write_back;
    front_open(&front);
    expect("", write_and_flush, "");
}
END_TEST

static void run_another(struct front *f)
{
    char *const words[] = {(char *)"memobjs"};

    ck_assert_int_eq(ompd_view_line_run(f->view, "memobjs", ""), ompd_view_exit_usage);
    ck_assert_int_eq(ompd_view_words_run(f->view, 1, words), ompd_view_exit_usage);
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "goes on\n"));
}

START_TEST(runs_no_other)
{
    expect("", run_another, "goes on\n");
    ck_assert_int_eq(code, ompd_view_exit_ok);
}
END_TEST

/* ---- Words ----------------------------------------------------------------------------------- */

static void expect_words(struct front *f, ompd_view_value_t value, const char *words)
{
    ck_assert_str_eq(ompd_view_value_describe(f->view, &value), words);
}

static void describe(struct front *f)
{
    const ompd_addr_t frames[] = {0x401000, 0x400500, 0x1};
    ompd_view_value_t value = number(ompd_cl_type_stack, 0);

    expect_words(f, number(ompd_cl_type_function, 0x401000), "e\\x1b[2Jvil at app.c:9");
    expect_words(f, number(ompd_cl_type_caller, 0x999), "0x999");
    expect_words(f, number(ompd_cl_type_address, 0x5000), "0x5000 <host>");
    expect_words(f, number(ompd_cl_type_handle, 0x31), "0x31");
    expect_words(f, number(ompd_cl_type_bytes, 4096), "4096 B (4 KiB)");
    expect_words(f, number(ompd_cl_type_lwp, FIRST_LWP), "LWP 4711 (thread 1)");
    expect_words(f, number(ompd_cl_type_boolean, 1), "yes");
    expect_words(f, number(ompd_cl_type_number, (uint64_t)-3), "-3");
    expect_words(f, text_value("a\nb\\"), "a\\nb\\\\");
    expect_words(f, of_status(number(ompd_cl_type_count, 3), ompd_cl_status_at_least),
                 "at least 3 (presumed)");
    expect_words(f, of_status(number(ompd_cl_type_count, 3), ompd_cl_status_not_saved),
                 "? (not saved in the core)");
    expect_words(f, of_status(number(ompd_cl_type_count, 12), ompd_cl_status_changing),
                 "? (being changed by LWP 12)");
    expect_words(f, of_status(text_value("no\x1breason"), ompd_cl_status_unknown),
                 "? (no\\x1breason)");
    expect_words(f, of_status(text_value(NULL), ompd_cl_status_not_applicable), "-");
    value.frames = frames;
    value.frame_count = 3; /* what called main is of no use */
    expect_words(f, value, "#0 e\\x1b[2Jvil at app.c:9\n#1 inner, inlined in main\n");
    value.frame_count = 0;
    expect_words(f, value, "");
}

static void describe_nonsense(struct front *f)
{
    ompd_view_value_t value = number(ompd_cl_type_stack, 0);

    value.frame_count = 1;
    expect_words(f, value, "");
    expect_words(f, text_value(NULL), "");
    expect_words(f, number(ompd_cl_type_flags, 1), "");
    expect_words(f, number((ompd_cl_type_t)99, 1), "");
    expect_words(f, of_status(number(ompd_cl_type_count, 1), (ompd_cl_status_t)99), "");
    value = number(ompd_cl_type_count, 1);
    value.struct_size = 8;
    expect_words(f, value, "");
    ck_assert_str_eq(ompd_view_value_describe(f->view, NULL), "");
    ck_assert_str_eq(ompd_view_overview_describe(f->view, NULL), "");
}

static void describe_overview(struct front *f)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};

    ok(ompd_view_rc_check(f->view, ompd_cl_overview_get(f->space, &overview)));
    ok(ompd_view_text_write(f->view, ompd_view_style_plain,
                            ompd_view_overview_describe(f->view, &overview)));
    ok(ompd_view_keepers_write(f->view));
}

START_TEST(words)
{
    expect("", describe, "");
    expect("", describe_nonsense, "");
    ck_assert_str_eq(ompd_view_value_describe(front.view, NULL), "");
    expect("-json", describe, ""); /* they may be of use there */
}
END_TEST

/* An overview in short says what its own verb says, and what goes on. */
START_TEST(overview_words)
{
    char counts[256];
    const char *said;

    ck_assert_int_eq(front_line(&front, "overview", ""), ompd_view_exit_ok);
    said = strstr(front.text, "1 context, ");
    ck_assert_ptr_nonnull(said);
    snprintf(counts, sizeof(counts), "%.*s; ", (int)strcspn(said, "\n"), said);
    front.work = describe_overview;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_ok);
    ck_assert_msg(strncmp(front.text, counts, strlen(counts)) == 0, "%s", front.text);
    ck_assert_ptr_nonnull(strstr(front.text, "destructor callback"));
}
END_TEST

/* ---- How the command ends -------------------------------------------------------------------- */

static void fail_twice(struct front *f)
{
    is_refused(ompd_view_command_fail(f->view, ompd_view_exit_ok, "fine"));
    is_refused(ompd_view_command_fail(f->view, ompd_view_exit_findings, "found"));
    is_refused(ompd_view_command_fail(f->view, ompd_view_exit_usage, NULL));
    ck_assert_int_eq(ompd_view_result_get(f->view), ompd_view_exit_ok);
    ok(ompd_view_command_fail(f->view, ompd_view_exit_incomplete, "Too\x1b late"));
    ok(ompd_view_command_fail(f->view, ompd_view_exit_usage, "Later"));
    ck_assert_str_eq(ompd_view_message_get(f->view), "Too\x1b late.");
    ck_assert_int_eq(ompd_view_result_get(f->view), ompd_view_exit_incomplete);
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "goes on\n"));
}

static void check_codes(struct front *f)
{
    ok(ompd_view_rc_check(f->view, ompd_rc_ok));
    ck_assert_int_eq(ompd_view_result_get(f->view), ompd_view_exit_ok);
    ok(ompd_view_rc_check(f->view, ompd_rc_incomplete));
    ck_assert_int_eq(ompd_view_result_get(f->view), ompd_view_exit_incomplete);
}

static void check_failure(struct front *f)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    const ompd_cl_memobj_id_t none = {.id = 12};

    ck_assert_int_eq(ompd_view_rc_check(f->view, ompd_cl_memobj_get(f->space, none, &info)),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_view_result_get(f->view), ompd_view_exit_unreadable);
}

static ompd_view_exit_t returned;

static ompd_view_exit_t return_it(ompd_view_t *view, const ompd_view_line_t *line)
{
    (void)line;
    if (front.work != NULL)
        front.work(&front);
    (void)view;
    return returned;
}

static const ompd_view_verb_t returning = {
    .name = "ask", .summary = "Return what the test says.", .run = return_it};

/* What the verb returns is what the command does, but for what the view knows besides. */
START_TEST(codes)
{
    front_close(&front);
    front.front_end.verbs = &returning;
    front.front_end.verb_count = 1;
    front_open(&front);
    returned = ompd_view_exit_ok;
    expect("", fail_twice, "goes on\n");
    ck_assert_int_eq(code, ompd_view_exit_incomplete);
    ck_assert_str_eq(front_message(&front), "Too\\x1b late.");
    returned = ompd_view_exit_findings;
    expect("", NULL, "");
    ck_assert_int_eq(code, ompd_view_exit_findings);
    ck_assert_str_eq(front_message(&front), "");
    expect("", check_codes, "");
    ck_assert_int_eq(code, ompd_view_exit_findings);
    returned = ompd_view_exit_unreadable;
    expect("", check_codes, "");
    ck_assert_int_eq(code, ompd_view_exit_unreadable);
    returned = ompd_view_exit_ok;
    expect("", check_codes, "");
    ck_assert_int_eq(code, ompd_view_exit_incomplete);
    expect("", check_failure, "");
    ck_assert_int_eq(code, ompd_view_exit_unreadable);
    ck_assert_uint_gt(strlen(front_message(&front)), 10);
    ck_assert_int_eq(ompd_view_result_get(front.view), ompd_view_exit_unreadable);
    ck_assert_int_eq(ompd_view_result_get(NULL), ompd_view_exit_usage);
    ck_assert_int_eq(ompd_view_rc_check(front.view, ompd_rc_ok), ompd_rc_bad_input);
}
END_TEST

static void use_another(struct front *f)
{
    ompd_view_use_t use = {.struct_size = sizeof(use), .space = population.space, .row_limit = 1};
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};

    is_refused(ompd_view_use_set(f->view, NULL));
    use.struct_size = sizeof(use) + 1;
    is_refused(ompd_view_use_set(f->view, &use));
    use.struct_size = 1;
    is_refused(ompd_view_use_set(f->view, &use));
    use.struct_size = sizeof(use);
    ok(ompd_view_use_set(f->view, &use));
    f->view->use.pid = 5;
    use.struct_size = offsetof(ompd_view_use_t, pid);
    ok(ompd_view_use_set(f->view, &use));
    ck_assert_int_eq(f->view->use.pid, 0);
    ok(ompd_view_rc_check(f->view, ompd_cl_overview_get(population.space, &overview)));
    ck_assert_str_ne(ompd_view_overview_describe(f->view, &overview), "");
}

/* A verb that opens its target itself. */
START_TEST(another_target)
{
    front.space = NULL;
    expect("", use_another, "");
    ck_assert_int_eq(code, ompd_view_exit_ok);
}
END_TEST

/* ---- Tables ---------------------------------------------------------------------------------- */

static void write_table(struct front *f)
{
    ompd_view_value_t values[3] = {text_value("first\n"), number(ompd_cl_type_bytes, 64),
                                   number(ompd_cl_type_function, 0x401000)};

    ok(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    is_refused(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    is_refused(ompd_view_text_write(f->view, ompd_view_style_plain, "between\n"));
    ok(ompd_view_table_column_add(f->view, "na\tme", ompd_cl_type_text));
    is_refused(ompd_view_table_column_add(f->view, NULL, ompd_cl_type_text));
    is_refused(ompd_view_table_column_add(f->view, "flags", ompd_cl_type_flags));
    is_refused(ompd_view_table_column_add(f->view, "stack", ompd_cl_type_stack));
    ok(ompd_view_table_column_add(f->view, "size", ompd_cl_type_bytes));
    ok(ompd_view_table_column_add(f->view, "code", ompd_cl_type_function));
    ok(ompd_view_table_row_add(f->view, NULL, values, 3, "below\x1b\nit\n"));
    is_refused(ompd_view_table_column_add(f->view, "late", ompd_cl_type_text));
    is_refused(ompd_view_table_row_add(f->view, NULL, values, 2, NULL));
    is_refused(ompd_view_table_row_add(f->view, NULL, NULL, 3, NULL));
    is_refused(ompd_view_table_row_add(f->view, values, values, 3, NULL));
    values[0] = number(ompd_cl_type_count, 1);
    is_refused(ompd_view_table_row_add(f->view, NULL, values, 3, NULL));
    values[0] = text_value("second");
    values[1] = of_status(number(ompd_cl_type_bytes, 4096), ompd_cl_status_presumed);
    values[2] = of_status(number(ompd_cl_type_function, 0), ompd_cl_status_unreadable);
    ok(ompd_view_table_row_add(f->view, NULL, values, 3, NULL));
    values[0] = text_value("third");
    values[1] = number(ompd_cl_type_bytes, 8);
    values[2] = number(ompd_cl_type_function, 0);
    ok(ompd_view_table_row_add(f->view, NULL, values, 3, NULL));
    ok(ompd_view_table_end(f->view));
    is_refused(ompd_view_table_end(f->view));
    is_refused(ompd_view_table_row_add(f->view, NULL, values, 3, NULL));
    is_refused(ompd_view_table_column_add(f->view, "late", ompd_cl_type_text));
    ok(ompd_view_text_write(f->view, ompd_view_style_plain, "after\n"));
}

/* Columns of the verb's own, marks with their notes, lines below rows. */
START_TEST(table)
{
    expect("", write_table,
           "na\\tme      size  code\n"
           "first\\n    64 B   e\\x1b[2Jvil at app.c:9\n"
           "     below\\x1b\n"
           "     it\n"
           "second   4096 B~  ?\n"
           "third       8 B   -\n"
           "?  code of 1 row: unreadable\n"
           "~  size of 1 row: presumed, not proved\n"
           "after\n");
    ck_assert_int_eq(code, ompd_view_exit_ok);
    front.width = 17;
    front.work = write_table;
    front_line(&front, "ask", "");
    ck_assert_ptr_null(strstr(front.text, "  code\n")); /* the last has no room */
    ck_assert_msg(strstr(front.text, "second   4096 B~\n") != NULL, "%s", front.text);
}
END_TEST

/* A table of the library's rows, with a column more. */
static void write_memobjs(struct front *f)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_view_value_t value = text_value("mine");
    ompd_cl_list_t list;
    ompd_size_t count;

    ok(ompd_view_table_begin(f->view, ompd_cl_kind_memobj));
    ok(ompd_view_table_column_add(f->view, "whose", ompd_cl_type_text));
    is_refused(ompd_view_table_row_add(f->view, NULL, &value, 1, NULL));
    ok(ompd_cl_memobj_list_open(f->space, NULL, &list));
    while (ompd_cl_memobj_list_next(f->space, list, 1, &info, &count, NULL) == ompd_rc_ok &&
           count == 1) {
        ok(ompd_view_table_row_add(f->view, &info, &value, 1, NULL));
        value.text = "other";
    }
    ompd_cl_list_close(f->space, list);
    ok(ompd_view_table_end(f->view));
}

static void begin_unknown(struct front *f)
{
    is_refused(ompd_view_table_begin(f->view, (ompd_cl_kind_t)VIEW_KIND_COUNT));
    is_refused(ompd_view_table_begin(f->view, (ompd_cl_kind_t)-1));
}

START_TEST(table_of_objects)
{
    expect("", begin_unknown, "");
    front.work = write_memobjs;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_ok);
    ck_assert_msg(strstr(front.text, "memory object  kind ") != NULL, "%s", front.text);
    ck_assert_ptr_nonnull(strstr(front.text, "  whose\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "0x9080 "));
    ck_assert_ptr_nonnull(strstr(front.text, "  mine\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "  other\n"));
}
END_TEST

static void write_many(struct front *f)
{
    ompd_view_value_t value = number(ompd_cl_type_number, 0);
    ompd_rc_t rc;

    ok(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    ok(ompd_view_table_column_add(f->view, "number", ompd_cl_type_number));
    do {
        rc = ompd_view_table_row_add(f->view, NULL, &value, 1, NULL);
        value.number++;
    } while (rc == ompd_rc_ok && value.number < 50000);
    ck_assert_int_eq(ompd_view_table_end(f->view), rc);
}

static void write_two(struct front *f)
{
    ompd_view_value_t value = number(ompd_cl_type_number, 0);

    ok(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    ok(ompd_view_table_column_add(f->view, "number", ompd_cl_type_number));
    for (; value.number < 2; value.number++)
        ok(ompd_view_table_row_add(f->view, NULL, &value, 1, NULL));
    ok(ompd_view_table_end(f->view));
}

/* A complete list does not say that there are more rows. */
START_TEST(table_of_as_many_as_the_limit)
{
    front.use = (ompd_view_use_t){.struct_size = sizeof(front.use), .row_limit = 2};
    expect("", write_two, "number\n     0\n     1\n");
    front.use.row_limit = 1;
    front.work = write_two;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_ok);
    ck_assert_msg(strncmp(front.text, "number\n     0\n1 more row is ", 26) == 0, "%s", front.text);
}
END_TEST

/* The front end limits the number of rows, or stops in the middle. */
START_TEST(long_tables)
{
    const char *note = "not shown: `set opencl limit 50000`";

    front.use = (ompd_view_use_t){.struct_size = sizeof(front.use), .row_limit = 2};
    front.work = write_many;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_ok);
    ck_assert_msg(strncmp(front.text, "number\n     0\n     1\n49998 more rows are ", 41) == 0,
                  "%.200s", front.text);
    ck_assert_ptr_nonnull(strstr(front.text, note));
    front.use.row_limit = UINT64_MAX;
    front.stop_at = 1000;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_stopped);
    ck_assert_ptr_nonnull(strstr(front_message(&front), "opencl ask was interrupted after "));
    ck_assert_uint_eq(front.after, 0);
    front.stop_at = 0;
    front.is_stopping = true;
    ck_assert_int_eq(front_line(&front, "ask", ""), ompd_view_exit_stopped);
    ck_assert_str_eq(front_message(&front), "opencl ask was interrupted.");
}
END_TEST

static void leave_open(struct front *f)
{
    const ompd_view_value_t value = text_value("lost");

    ok(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    ok(ompd_view_table_column_add(f->view, "what", ompd_cl_type_text));
    ok(ompd_view_table_row_add(f->view, NULL, &value, 1, NULL));
}

static void begin_many_columns(struct front *f)
{
    ok(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    for (int i = 0; i < 64; i++)
        ok(ompd_view_table_column_add(f->view, "c", ompd_cl_type_text));
    is_refused(ompd_view_table_column_add(f->view, "c", ompd_cl_type_text));
    ok(ompd_view_table_end(f->view));
}

START_TEST(bounds_of_tables)
{
    expect("", leave_open, "");
    expect("", begin_many_columns, "");
}
END_TEST

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add(struct front *f, const char *key, ompd_view_value_t value)
{
    ok(ompd_view_json_value_add(f->view, key, &value));
}

static void write_json(struct front *f)
{
    const ompd_addr_t frames[] = {0x401000};
    ompd_view_value_t stack = number(ompd_cl_type_stack, 0);
    ompd_view_value_t value = of_status(text_value("x"), ompd_cl_status_presumed);

    stack.frames = frames;
    stack.frame_count = 1;
    ok(ompd_view_json_begin(f->view, NULL, false));
    add(f, "text", text_value("a\x1b\"\xff"));
    add(f, "count", number(ompd_cl_type_count, 3));
    add(f, "bytes", of_status(number(ompd_cl_type_bytes, 8), ompd_cl_status_at_least));
    add(f, "address", number(ompd_cl_type_address, 0x1f));
    add(f, "is_so", number(ompd_cl_type_boolean, 1));
    add(f, "guess", value);
    add(f, "lost", of_status(text_value("gone"), ompd_cl_status_unknown));
    add(f, "absent", of_status(text_value(NULL), ompd_cl_status_not_applicable));
    ok(ompd_view_json_value_add(f->view, "nothing", NULL));
    ok(ompd_view_json_begin(f->view, "list", true));
    add(f, NULL, number(ompd_cl_type_number, (uint64_t)-1));
    add(f, NULL, number(ompd_cl_type_function, 0x401000));
    ok(ompd_view_json_value_add(f->view, NULL, NULL));
    is_refused(ompd_view_json_value_add(f->view, NULL, &value));
    is_refused(ompd_view_json_value_add(f->view, "key", &stack));
    is_refused(ompd_view_json_row_add(f->view, ompd_cl_kind_memobj, frames));
    ok(ompd_view_json_begin(f->view, NULL, false));
    add(f, "caller", number(ompd_cl_type_caller, 0x401000));
    ok(ompd_view_json_end(f->view));
    ok(ompd_view_json_end(f->view));
    add(f, "stack", stack);
    ok(ompd_view_json_end(f->view));
    is_refused(ompd_view_json_end(f->view));
}

static const char json_text[] =
    "{\"schema\": 1, \"text\": \"a\\u001b\\\"\xef\xbf\xbd\", \"count\": 3, \"bytes\": 8, "
    "\"address\": \"0x1f\", \"is_so\": true, \"guess\": \"x\", \"lost\": null, \"nothing\": null, "
    "\"list\": [-1, \"0x401000\", null, {\"caller\": \"0x401000\", \"symbol\": "
    "\"e\\u001b[2Jvil\", \"file\": \"/src/app.c\", \"line\": 9}], \"stack\": [{\"address\": "
    "\"0x401000\", \"symbol\": \"e\\u001b[2Jvil\", \"file\": \"/src/app.c\", \"line\": 9}], "
    "\"unknown\": {\"lost\": \"gone\"}, \"presumed\": [\"bytes\", \"guess\"], "
    "\"at_least\": [\"bytes\"]}\n";

static void refuse_json(struct front *f)
{
    static const char *const bad[] = {"", "a b", "\"", "unknown", "schema", "presumed", "at_least"};
    const ompd_view_value_t value = text_value("x");

    is_refused(ompd_view_text_write(f->view, ompd_view_style_plain, "x"));
    is_refused(ompd_view_table_begin(f->view, (ompd_cl_kind_t)0));
    is_refused(ompd_view_json_value_add(f->view, "early", &value));
    is_refused(ompd_view_json_value_add(f->view, NULL, NULL));
    is_refused(ompd_view_json_row_add(f->view, ompd_cl_kind_memobj, &value));
    is_refused(ompd_view_json_begin(f->view, NULL, true));
    is_refused(ompd_view_json_begin(f->view, "key", false));
    ok(ompd_view_json_begin(f->view, NULL, false));
    is_refused(ompd_view_json_begin(f->view, NULL, false));
    is_refused(ompd_view_json_row_add(f->view, ompd_cl_kind_memobj, NULL));
    is_refused(ompd_view_json_row_add(f->view, (ompd_cl_kind_t)0, &value));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        is_refused(ompd_view_json_value_add(f->view, bad[i], &value));
    for (int depth = 1; depth < 16; depth++)
        ok(ompd_view_json_begin(f->view, depth == 1 ? "deep" : NULL, true));
    is_refused(ompd_view_json_begin(f->view, NULL, true));
    for (int depth = 1; depth < 16; depth++)
        ok(ompd_view_json_end(f->view));
    ok(ompd_view_json_end(f->view));
    ok(ompd_view_json_begin(f->view, NULL, false));
    add(f, "lost", of_status(value, ompd_cl_status_unknown));
}

START_TEST(json)
{
    expect("-json", write_json, json_text);
    expect("-json", refuse_json, "{\"schema\": 1, \"deep\": [[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}\n");
    ck_assert_int_eq(code, ompd_view_exit_ok);
}
END_TEST

static void write_rows(struct front *f)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_rc_t rc = ompd_rc_ok;

    ok(ompd_cl_memobj_list_open(f->space, NULL, &list));
    while (rc == ompd_rc_ok &&
           ompd_cl_memobj_list_next(f->space, list, 1, &info, &count, NULL) == ompd_rc_ok &&
           count == 1) {
        ok(ompd_view_json_begin(f->view, NULL, false));
        ok(ompd_view_json_row_add(f->view, ompd_cl_kind_memobj, &info));
        rc = ompd_view_json_end(f->view);
    }
    ompd_cl_list_close(f->space, list);
}

/* Of rows the keys are those of the list, in an array where the front end wants one. */
START_TEST(json_of_objects)
{
    front.work = write_rows;
    ck_assert_int_eq(front_line(&front, "ask", "-json"), ompd_view_exit_ok);
    ck_assert_int_eq(strncmp(front.text, "{\"schema\": 1, \"handle\": \"0x9080\"", 31), 0);
    front_close(&front);
    front.front_end.json_is_array = true;
    front_open(&front);
    ck_assert_int_eq(front_line(&front, "ask", "-json"), ompd_view_exit_ok);
    ck_assert_int_eq(strncmp(front.text, "[{\"schema\": 1, ", 15), 0);
    ck_assert_ptr_nonnull(strstr(front.text, ",\n {\"schema\": 1, "));
    ck_assert_str_eq(front.text + front.size - 3, "}]\n");
    front.is_stopping = true;
    ck_assert_int_eq(front_line(&front, "ask", "-json"), ompd_view_exit_stopped);
    ck_assert_ptr_null(strstr(front.text, "]\n"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-own-verbs");
    TCase *tcase = tcase_create("own verbs");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, text);
    tcase_add_test(tcase, flushed);
    tcase_add_test(tcase, called_within);
    tcase_add_test(tcase, runs_no_other);
    tcase_add_test(tcase, words);
    tcase_add_test(tcase, overview_words);
    tcase_add_test(tcase, codes);
    tcase_add_test(tcase, another_target);
    tcase_add_test(tcase, table);
    tcase_add_test(tcase, table_of_objects);
    tcase_add_test(tcase, table_of_as_many_as_the_limit);
    tcase_add_test(tcase, long_tables);
    tcase_add_test(tcase, bounds_of_tables);
    tcase_add_test(tcase, json);
    tcase_add_test(tcase, json_of_objects);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
