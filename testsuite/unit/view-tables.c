/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables: marks and notes, the text above them, and what fits a width. */
#include "suite.h"
#include "view-made-row.h"

enum { size, caller, order, source, confidence, doubt, references_of_layouts };

static void add_fields_of_layouts(void)
{
    const ompd_cl_field_t *known = view_kind_field(view_kind_get(ompd_cl_kind_memobj), "doubt");

    add_field("size", ompd_cl_type_bytes);
    add_field("caller", ompd_cl_type_caller);
    add_field("order", ompd_cl_type_count);
    add_field("source", ompd_cl_type_name);
    add_field("confidence", ompd_cl_type_name);
    add_field("doubt", ompd_cl_type_name);
    fields[doubt].names = known->names;
    fields[doubt].name_count = known->name_count;
    set(size, 64, ompd_cl_status_value);
    set(caller, 0, ompd_cl_status_unknown);
    set(order, 0, ompd_cl_status_unknown);
    set(source, ompd_cl_source_layout, ompd_cl_status_value);
}

static void add_row(struct view_table *table, ompd_cl_confidence_t sure, ompd_cl_doubt_t why)
{
    set(confidence, sure, ompd_cl_status_value);
    set(doubt, why, why != 0 ? ompd_cl_status_value : ompd_cl_status_not_applicable);
    view_table_add(table, &row);
}

/* Have fields of rows of layouts of which a table shows their size alone. */
static void show_size(void)
{
    add_fields_of_layouts();
    for (size_t i = caller; i < kind.field_count; i++)
        fields[i].in_table = 0;
}

/* A mark follows the number of an uncertain row, and a note below explains it. */
START_TEST(marked_numbers)
{
    struct view_table *table;

    show_size();
    table = begin_table(true);
    add_row(table, ompd_cl_confidence_certain, 0);
    add_row(table, ompd_cl_confidence_presumed, 0);
    add_row(table, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    set(size, 65, ompd_cl_status_value);
    add_row(table, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    end_table(table, " #  size\n 1  64 B\n~2  64 B\n!3  64 B\n!4  65 B\n"
                     "!  2 memory objects: doubtful: another object owns the same memory\n"
                     "~  1 memory object: presumed, not proved\n");
}
END_TEST

/* Where most are presumed it is said once, and the mark is that of the others.  What is in doubt
 * has one in any case. */
START_TEST(presumed_numbers)
{
    struct view_table *table;

    show_size();
    table = begin_table(true);
    add_row(table, ompd_cl_confidence_presumed, 0);
    set(size, 65, ompd_cl_status_value);
    add_row(table, ompd_cl_confidence_presumed, 0);
    end_table(table, "Presumed, not proved: the memory objects themselves.\n"
                     "#  size\n1  64 B\n2  65 B\n");
    table = begin_table(true);
    add_row(table, ompd_cl_confidence_presumed, 0);
    add_row(table, ompd_cl_confidence_presumed, 0);
    set(size, 64, ompd_cl_status_value);
    add_row(table, ompd_cl_confidence_certain, 0);
    add_row(table, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    end_table(table, "Presumed, not proved, unless marked =: the memory objects themselves.\n"
                     " #  size\n 1  65 B\n 2  65 B\n=3  64 B\n!4  64 B\n"
                     "!  1 memory object: doubtful: another object owns the same memory\n"
                     "=  1 memory object: proved\n");
}
END_TEST

/* Each doubt that the library has is a sentence. */
START_TEST(doubts)
{
    const ompd_cl_field_t *field = view_kind_field(view_kind_get(ompd_cl_kind_memobj), "doubt");
    struct view_table *table;
    char text[256];

    show_size();
    ck_assert_ptr_nonnull(field);
    ck_assert_uint_ge(field->name_count, 5);
    for (uint32_t i = 0; i < field->name_count; i++) {
        const char *sentence;

        if (field->names[i].value == ompd_cl_doubt_none)
            continue;
        table = begin_table(true);
        add_row(table, ompd_cl_confidence_doubtful, (ompd_cl_doubt_t)field->names[i].value);
        sentence = detail(doubt);
        ck_assert_msg(strchr(sentence, ' ') != strrchr(sentence, ' '), "%s", sentence);
        ck_assert_ptr_null(strchr(field->names[i].name, ' '));
        ck_assert_int_ne(strncmp(sentence, field->names[i].name, strlen(sentence)), 0);
        snprintf(text, sizeof(text), " #  size\n!1  64 B\n!  1 memory object: doubtful: %s\n",
                 sentence);
        end_table(table, text);
    }
    table = begin_table(true);
    add_row(table, ompd_cl_confidence_doubtful, 99);
    end_table(table, " #  size\n!1  64 B\n!  1 memory object: doubtful: doubt 99\n");
}
END_TEST

/* Fields that only the recorder would know are reported as such, for rows of layouts alone. */
START_TEST(unrecorded)
{
    static const struct {
        ompd_cl_source_t source;
        const char *reason;
        const char *sentence;
    } known[] = {{ompd_cl_source_layout, "not known without the recorder",
                  "Not known without the recorder: caller, order.\n"},
                 {ompd_cl_source_recorder, "not observed", "Not observed: caller, order.\n"}};
    char text[128];

    add_fields_of_layouts();
    for (size_t i = 0; i < 2; i++) {
        struct view_table *table;

        set(source, known[i].source, ompd_cl_status_value);
        ck_assert_str_eq(cell(caller), "?");
        ck_assert_str_eq(sure(order), known[i].reason);
        snprintf(text, sizeof(text), "? (%s)", known[i].reason);
        ck_assert_str_eq(detail(caller), text);
        fields[source].in_table = fields[confidence].in_table = fields[doubt].in_table = 0;
        table = begin_table(false);
        view_table_add(table, &row);
        snprintf(text, sizeof(text), "%ssize\n64 B\n", known[i].sentence);
        end_table(table, text);
    }
}
END_TEST

/* Each reason for an unknown field has a sentence of its own. */
START_TEST(reasons)
{
    struct view_table *table;

    show_size();
    fields[caller].in_table = fields[order].in_table = 1;
    add_field("references", ompd_cl_type_count);
    set(order, 0, ompd_cl_status_unreadable);
    set(references_of_layouts, 0, ompd_cl_status_unknown);
    table = begin_table(false);
    view_table_add(table, &row);
    end_table(table, "Not known without the recorder: caller, references.\n"
                     "Unreadable: order.\n"
                     "size\n64 B\n");
}
END_TEST

/* Fields share a line if the same reason applies to them. */
START_TEST(notes)
{
    struct view_table *table;

    show_size();
    fields[caller].in_table = fields[order].in_table = 1;
    table = begin_table(false);
    view_table_add(table, &row);
    set(order, 1, ompd_cl_status_value);
    set(size, 64, ompd_cl_status_presumed);
    view_table_add(table, &row);
    set(caller, 0x1000, ompd_cl_status_value);
    set(size, 65, ompd_cl_status_value);
    view_table_add(table, &row);
    end_table(table, " size  caller         order\n"
                     "64 B   ?                  ?\n"
                     "64 B~  ?                  1\n"
                     "65 B   d2 at app.c:9      1\n"
                     "?  caller of 2 rows: not known without the recorder\n"
                     "?  order of 1 row: not known without the recorder\n"
                     "~  size of 1 row: presumed, not proved\n");
    set(caller, 0, ompd_cl_status_unknown);
    set(order, 0, ompd_cl_status_unknown);
    table = begin_table(false);
    view_table_add(table, &row);
    set(caller, 0x1000, ompd_cl_status_value);
    set(order, 1, ompd_cl_status_value);
    view_table_add(table, &row);
    end_table(table, "In all rows below: size 65 B.\n"
                     "caller         order\n"
                     "?                  ?\n"
                     "d2 at app.c:9      1\n"
                     "?  caller, order of 1 row: not known without the recorder\n");
}
END_TEST

/* A table of COUNT rows, whose only value is their number's power of ten, is TEXT. */
static void expect_table(size_t count, bool is_numbered, const char *text)
{
    struct view_table *table = begin_table(is_numbered);

    for (size_t i = 0; i < count; i++) {
        content.values[1].value = content.values[1].value * 10 + 5;
        view_table_add(table, &row);
    }
    end_table(table, text);
}

START_TEST(alignment)
{
    add_field("name", ompd_cl_type_name);
    add_field("number", ompd_cl_type_count);
    set(0, 0, ompd_cl_status_value);
    set(1, 5, ompd_cl_status_value);
    expect_table(1, false, "name    number\nname 5       5\n");
    add_field("absent", ompd_cl_type_count);
    set(2, 0, ompd_cl_status_not_applicable);
    set(0, 0, ompd_cl_status_value);
    expect_table(1, false, "name    number\nname 5       5\n");
    expect_table(0, true, "");
    set(0, 0, ompd_cl_status_value);
    add_field("other", ompd_cl_type_count);
    for (size_t i = 0; i < 2; i++) {
        struct view_table *table = begin_table(true);

        for (uint64_t j = 0; j < 3; j++) {
            set(0, j, ompd_cl_status_value);
            set(3, i + j * 10, ompd_cl_status_value);
            view_table_add(table, &row);
        }
        end_table(table, i == 0 ? "In all rows below: number 5.\n"
                                  "#  name    other\n1  name 0      0\n"
                                  "2  one        10\n3  two        20\n"
                                : "In all rows below: number 5.\n"
                                  "#  name    other\n1  name 0      1\n"
                                  "2  one        11\n3  two        21\n");
    }
}
END_TEST

/* Columns stand below each other whatever the characters in them are: two columns wide, or none, as
 * an accent that joins the letter before it. */
START_TEST(widths_of_characters)
{
    static const ompd_cl_name_t wide_names[] = {
        {sizeof(ompd_cl_name_t), 0, "\u540d\u524d", NULL}, /* two ideographs */
        {sizeof(ompd_cl_name_t), 1, "e\u0301t\u00e9",
         NULL}, /* one accent of its own, one within its letter */
        {sizeof(ompd_cl_name_t), 2, "\uff8c\uff9e", NULL},     /* narrow forms of katakana */
        {sizeof(ompd_cl_name_t), 3, "\ud55c\U0001f600", NULL}, /* a syllable of Hangul, an emoji */
    };
    struct view_table *table;

    add_field("name", ompd_cl_type_name);
    add_field("other", ompd_cl_type_count);
    fields[0].names = wide_names;
    fields[0].name_count = sizeof(wide_names) / sizeof(wide_names[0]);
    table = begin_table(true);
    for (uint64_t i = 0; i < 4; i++) {
        set(0, i, ompd_cl_status_value);
        set(1, i, ompd_cl_status_value);
        view_table_add(table, &row);
    }
    end_table(table, "#  name  other\n"
                     "1  \u540d\u524d      0\n"
                     "2  e\u0301t\u00e9       1\n"
                     "3  \uff8c\uff9e        2\n"
                     "4  \ud55c\U0001f600      3\n");
}
END_TEST

/* Lines are broken by what they take on the terminal, and not behind a number, if that can be. */
START_TEST(broken_lines)
{
    struct text text = {0};

    view_lines_wrap(&text, "\u540d\u524d \u540d\u524d ab\n", 9);
    ck_assert_str_eq(text_get(&text), "\u540d\u524d \u540d\u524d\nab\n");
    text_clear(&text);
    view_lines_wrap(&text, "e\u0301e\u0301e\u0301 abcde\n", 9);
    ck_assert_str_eq(text_get(&text), "e\u0301e\u0301e\u0301 abcde\n");
    text_clear(&text);
    view_lines_wrap(&text, "ab 1.5 KiB (3 cd) 0x4\n", 8);
    ck_assert_str_eq(text_get(&text), "ab\n1.5 KiB\n(3 cd)\n0x4\n");
    text_clear(&text);
    view_lines_wrap(&text, "12 34 56\n", 4);
    ck_assert_str_eq(text_get(&text), "12\n34\n56\n");
    text_free(&text);
}
END_TEST

/* ---- What fits ------------------------------------------------------------------------------- */

/* The width of the terminal from now on. */
static void set_width(size_t width)
{
    front.view->width = width;
}

/* Give the kind fields of which some are less worth having than others, and extra ones. */
enum { handle, context, flags, references, parent, state };

static void add_fields_of_objects(void)
{
    static const ompd_cl_name_t flag_names[] = {
        {sizeof(ompd_cl_name_t), 1, "CL_MEM_READ_WRITE", NULL},
        {sizeof(ompd_cl_name_t), 4, "CL_MEM_READ_ONLY", NULL},
        {sizeof(ompd_cl_name_t), 8, "CL_MEM_USE_HOST_PTR", NULL},
    };

    add_field("handle", ompd_cl_type_handle);
    add_field("context", ompd_cl_type_handle);
    add_field("flags", ompd_cl_type_flags);
    add_field("references", ompd_cl_type_count);
    add_field("parent", ompd_cl_type_handle);
    add_field("state", ompd_cl_type_state);
    fields[flags].names = flag_names;
    fields[flags].name_count = 3;
    fields[parent].in_table = 0;
}

/* Two objects without anything in common. */
static void expect_objects(size_t width, const char *text)
{
    struct view_table *table;

    set_width(width);
    table = begin_table(true);
    for (uint64_t i = 1; i <= 2; i++) {
        set(handle, 0x1000 * i, ompd_cl_status_value);
        set(context, 0x100000 * i, ompd_cl_status_value);
        set(flags, i == 1 ? 1 : 12, ompd_cl_status_value);
        set(references, i, ompd_cl_status_value);
        set(parent, 0x2000 * i, ompd_cl_status_value);
        set(state, i, ompd_cl_status_value);
        view_table_add(table, &row);
    }
    end_table(table, text);
}

/* Flags become initials, then columns go in their order; the first stays.  Where there is room for
 * more there is more. */
START_TEST(widths)
{
    add_fields_of_objects();
    expect_objects(SIZE_MAX, "#  handle  context   flags                                 references"
                             "  state\n"
                             "1  0x1000  0x100000  CL_MEM_READ_WRITE                              1"
                             "  one\n"
                             "2  0x2000  0x200000  CL_MEM_READ_ONLY|CL_MEM_USE_HOST_PTR           2"
                             "  two\n");
    expect_objects(80, "#  handle  context   flags                                 references"
                       "  state\n"
                       "1  0x1000  0x100000  CL_MEM_READ_WRITE                              1"
                       "  one\n"
                       "2  0x2000  0x200000  CL_MEM_READ_ONLY|CL_MEM_USE_HOST_PTR           2"
                       "  two\n");
    expect_objects(88, "#  handle  context   flags                                 references"
                       "  parent  state\n"
                       "1  0x1000  0x100000  CL_MEM_READ_WRITE                              1"
                       "  0x2000  one\n"
                       "2  0x2000  0x200000  CL_MEM_READ_ONLY|CL_MEM_USE_HOST_PTR           2"
                       "  0x4000  two\n");
    expect_objects(75, "#  handle  context   flags   references  parent  state\n"
                       "1  0x1000  0x100000  RW               1  0x2000  one\n"
                       "2  0x2000  0x200000  RO|UHP           2  0x4000  two\n");
    expect_objects(46, "#  handle  context   flags   references  state\n"
                       "1  0x1000  0x100000  RW               1  one\n"
                       "2  0x2000  0x200000  RO|UHP           2  two\n");
    expect_objects(45, "No room for: references.\n"
                       "#  handle  context   flags   state\n"
                       "1  0x1000  0x100000  RW      one\n"
                       "2  0x2000  0x200000  RO|UHP  two\n");
    expect_objects(33, "No room for: context, references.\n"
                       "#  handle  flags   state\n"
                       "1  0x1000  RW      one\n"
                       "2  0x2000  RO|UHP  two\n");
    expect_objects(23, "No room for: context,\n    flags, references.\n"
                       "#  handle  state\n"
                       "1  0x1000  one\n"
                       "2  0x2000  two\n");
    expect_objects(9, "No room\nfor:\ncontext,\nflags,\nreferences,\nstate.\n"
                      "#  handle\n1  0x1000\n2  0x2000\n");
    expect_objects(1, "No\nroom\nfor:\ncontext,\nflags,\nreferences,\nstate.\n"
                      "#\nhandle\n1\n0x1000\n2\n0x2000\n");
}
END_TEST

/* One object: columns without room are shown above. */
START_TEST(one_row)
{
    struct view_table *table;

    add_fields_of_objects();
    for (size_t i = 0; i < kind.field_count; i++)
        set(i, i + 1, i == references ? ompd_cl_status_presumed : ompd_cl_status_value);
    set_width(30);
    table = begin_table(true);
    view_table_add(table, &row);
    end_table(table, "In the row below: context 0x2.\n"
                     "Presumed, not proved:\n    references 4.\n"
                     "#  handle  flags   state\n"
                     "1  0x1     RW|0x2  state 6\n");
}
END_TEST

/* Common values are shown once, with their marks; other marks are those of the few. */
START_TEST(marks)
{
    static const ompd_cl_status_t mixed[] = {ompd_cl_status_presumed, ompd_cl_status_presumed,
                                             ompd_cl_status_value, ompd_cl_status_unknown};
    struct view_table *table;

    add_fields_of_objects();
    set_width(SIZE_MAX);
    set(context, 0x7000, ompd_cl_status_value);
    set(flags, 1, ompd_cl_status_presumed);
    set(state, 1, ompd_cl_status_unknown);
    table = begin_table(true);
    for (uint64_t i = 0; i < 4; i++) {
        set(handle, i + 1, i == 3 ? ompd_cl_status_presumed : ompd_cl_status_value);
        set(references, i, mixed[i]);
        view_table_add(table, &row);
    }
    end_table(table, "In all rows below: context 0x7000.\n"
                     "Presumed, not proved, unless marked =: flags CL_MEM_READ_WRITE, "
                     "references.\n"
                     "Not observed: state.\n"
                     "#  handle  references\n"
                     "1  0x1             0\n"
                     "2  0x2             1\n"
                     "3  0x3             2=\n"
                     "4  0x4~            ?\n"
                     "?  references of 1 row: not observed\n"
                     "~  handle of 1 row: presumed, not proved\n"
                     "=  references of 1 row: proved\n");
}
END_TEST

/* Of rows by the thousand, what was said of the first holds until it is said otherwise. */
START_TEST(many_rows)
{
    struct view_table *table;
    unsigned headings = 0;
    unsigned said = 0;

    add_fields_of_objects();
    fields[references].in_table = fields[flags].in_table = 0;
    table = begin_table(true);
    for (uint64_t i = 0; i < 3 * VIEW_BLOCK + 1; i++) {
        set(handle, 0x1000 + i, ompd_cl_status_value);
        set(context, i < 2 * VIEW_BLOCK + 500 ? 0x7000 : 0x8000, ompd_cl_status_value);
        set(state, 1, i == 1500 ? ompd_cl_status_value : ompd_cl_status_presumed);
        view_table_add(table, &row);
    }
    view_table_end(table);
    for (const char *line = written(); *line != '\0'; line = strchr(line, '\n') + 1) {
        headings += *line == '#' || strncmp(line, "   #", 4) == 0;
        said += strncmp(line, "In all rows up to the next heading: context 0x7000.\n", 52) == 0;
        if (strncmp(line, "1501  ", 6) == 0)
            ck_assert_int_eq(strncmp(line, "1501  0x15dc  one=\n", 19), 0);
        if (strncmp(line, "2600  ", 6) == 0)
            ck_assert_int_eq(strncmp(line, "2600  0x1a27  0x8000\n", 21), 0);
    }
    ck_assert_uint_eq(said, 2);
    ck_assert_uint_ge(headings, 3);
}
END_TEST

/* A field that no row has, or that is extra, does not make the heading be written again. */
START_TEST(many_rows_without_a_field)
{
    struct view_table *table;
    const char *heading;

    add_fields_of_objects();
    set_width(80);
    set(parent, 0, ompd_cl_status_not_applicable);
    set(state, 0, ompd_cl_status_not_applicable);
    table = begin_table(true);
    for (uint64_t i = 0; i < 2 * VIEW_BLOCK; i++) {
        set(handle, 0x100000 + i, ompd_cl_status_value);
        set(context, 0x200000 + i, ompd_cl_status_value);
        set(references, i % 2, ompd_cl_status_value);
        set(flags, i % 2, ompd_cl_status_value);
        view_table_add(table, &row);
    }
    view_table_end(table);
    view_flush(front.view);
    heading = strstr(front.text, "handle ");
    ck_assert_ptr_nonnull(heading);
    ck_assert_msg(strstr(heading + 1, "handle ") == NULL, "%.200s", strstr(heading + 1, "handle "));
}
END_TEST

/* At any width there are all rows, and no line is too wide but for one word. */
START_TEST(all_widths)
{
    static const char *const verbs[] = {"overview",    "contexts", "queues",    "memobjs",
                                        "destructors", "svm",      "svm-frees", "threads",
                                        "memory",      "runtimes"};

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        for (uint32_t width = 1; width <= 250; width++) {
            front.width = width;
            ck_assert_int_eq(front_line(&front, verbs[i], ""), ompd_view_exit_ok);
            for (char *line = strtok(front.text, "\n"); line != NULL; line = strtok(NULL, "\n"))
                ck_assert_msg(text_width(line) <= width ||
                                  strchr(line + strspn(line, " "), ' ') == NULL,
                              "%s at %u: %s", verbs[i], width, line);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-tables");
    TCase *tcase = tcase_create("rows");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, marked_numbers);
    tcase_add_test(tcase, presumed_numbers);
    tcase_add_test(tcase, doubts);
    tcase_add_test(tcase, unrecorded);
    tcase_add_test(tcase, reasons);
    tcase_add_test(tcase, notes);
    tcase_add_test(tcase, alignment);
    tcase_add_test(tcase, widths_of_characters);
    tcase_add_test(tcase, broken_lines);
    tcase_add_test(tcase, widths);
    tcase_add_test(tcase, one_row);
    tcase_add_test(tcase, marks);
    tcase_add_test(tcase, many_rows);
    tcase_add_test(tcase, many_rows_without_a_field);
    tcase_add_test(tcase, all_widths);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
