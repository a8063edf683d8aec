/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How rows are shown: each type of field, and what is known of it, in tables and in JSON. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>
#include <view/cell.h>
#include <view/json.h>
#include <view/place.h>
#include <view/table.h>

#define FIELDS 8

static struct population population;
static struct front front;
static struct view_renderer renderer;

/* A kind of the test's own, and a row of it. */
static struct view_kind kind;
static ompd_cl_field_t fields[FIELDS];
static union {
    ompd_cl_value_t values[1 + FIELDS]; /* behind what struct_size and an id take */
    unsigned char bytes[(1 + FIELDS) * sizeof(ompd_cl_text_t)];
} content;
static const struct view_row row = {&kind, content.bytes};

static const ompd_cl_name_t names[] = {{1, "one"}, {2, "two"}, {4, "four"}};

static const char *const outer[] = {"ou\tter", "main"};

#define LIBAPP .module = "/lib/libapp.so", .has_module_offset = true, .module_offset = 0x1139

static const struct front_place places[] = {
    {0x1000, {.symbol = "d2", .file = "/src/app.c", .line = 9, .module = "/bin/app"}},
    {0x2000, {.symbol = "d2", .symbol_offset = 4, LIBAPP}},
    {0x3000, {LIBAPP}},
    {0x3001, {.module = "[vdso]"}},
    {0x4000, {.symbol = NULL}},
    {0x6000, {.symbol = "e\x1b[2Jvil\n", .file = "/src/a\rpp.c", .line = 1}},
    {0x7000, {.symbol = "\x07", .module = "/lib/\xc2\x9b.so", .symbol_offset = 1}},
    {0x400500, {.symbol = "inner", .file = "in.h", .inlined_into = outer, .inlined_count = 2}},
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
    front.view->use.space = population.space;
    view_renderer_begin(&renderer, front.view);
    kind = (struct view_kind){.number = ompd_cl_kind_memobj,
                              .noun = {"memory object", "memory objects", "a"},
                              .size = sizeof(content)};
    memset(&content, 0, sizeof(content));
}

static void tear_down(void)
{
    view_renderer_end(&renderer);
    front_close(&front);
    population_free(&population);
}

/* Give the kind one more field; gives its index. */
static size_t add_field(const char *name, ompd_cl_type_t type)
{
    size_t index = kind.field_count++;

    ck_assert_uint_lt(index, FIELDS);
    fields[index] = (ompd_cl_field_t){
        .name = name,
        .title = name,
        .help = "",
        .unit = type == ompd_cl_type_bytes ? "B" : "",
        .names = names,
        .name_count = sizeof(names) / sizeof(names[0]),
        .type = type,
        .offset = (uint32_t)((1 + index) * sizeof(content.values[0])),
        .in_table = 1,
    };
    kind.fields[index] = &fields[index];
    return index;
}

static void set(size_t field, uint64_t value, ompd_cl_status_t status)
{
    content.values[1 + field] =
        (ompd_cl_value_t){value, (uint16_t)status, ompd_cl_source_recorder,
                          status == ompd_cl_status_changing ? FIRST_LWP : 0};
}

/* What the cell of a field shows. */
static const char *cell(size_t field)
{
    static struct view_text text;

    view_text_clear(&text);
    view_cell_add(&renderer, kind.fields[field], &row, &text);
    return view_text_get(&text);
}

static const char *detail(size_t field)
{
    static struct view_text text;

    view_text_clear(&text);
    view_cell_detail(front.view, kind.fields[field], &row, &text);
    return view_text_get(&text);
}

/* What was written since the last question. */
static const char *written(void)
{
    front.size = 0;
    front.text[0] = '\0';
    view_flush(front.view);
    return front.text;
}

/* The row is the JSON "{"schema": 1BODY}". */
static void expect_json(const char *body)
{
    char line[1024];

    written();
    view_json_row(front.view, &row);
    snprintf(line, sizeof(line), "{\"schema\": 1%s}\n", body);
    ck_assert_str_eq(written(), line);
}

static void expect_notes(const char *notes)
{
    written();
    view_renderer_write_notes(&renderer, "");
    ck_assert_str_eq(written(), notes);
    view_renderer_write_notes(&renderer, "");
    ck_assert_str_eq(written(), "");
}

/* VALUE of a field of TYPE is shown as TEXT, and in JSON as BODY. */
static void shows(ompd_cl_type_t type, uint64_t value, const char *text, const char *body)
{
    kind.field_count = 0;
    add_field("it", type);
    set(0, value, ompd_cl_status_value);
    if (text != NULL)
        ck_assert_str_eq(cell(0), text);
    expect_json(body);
    expect_notes("");
}

START_TEST(numbers)
{
    shows(ompd_cl_type_handle, 0xabc, "0xabc", ", \"it\": \"0xabc\"");
    shows(ompd_cl_type_address, 0x5000, "0x5000 <host>", ", \"it\": \"0x5000\"");
    shows(ompd_cl_type_address, 0x5008, "0x5008", ", \"it\": \"0x5008\"");
    shows(ompd_cl_type_bytes, 4096, "4096 B", ", \"it\": 4096");
    shows(ompd_cl_type_count, 3, "3", ", \"it\": 3");
    shows(ompd_cl_type_count, UINT64_MAX, "-1", ", \"it\": -1");
    shows(ompd_cl_type_boolean, 1, "yes", ", \"it\": true");
    shows(ompd_cl_type_boolean, 0, "no", ", \"it\": false");
    shows(ompd_cl_type_lwp, FIRST_LWP, "LWP 4711 (thread 1)", ", \"it\": 4711");
    shows(ompd_cl_type_lwp, 8, "LWP 8", ", \"it\": 8");
}
END_TEST

START_TEST(named)
{
    shows(ompd_cl_type_name, 2, "two", ", \"it\": \"two\"");
    shows(ompd_cl_type_state, 9, "it 9", ", \"it\": \"9\"");
    shows(ompd_cl_type_flags, 5, "one|four", ", \"it\": [\"one\", \"four\"], \"it_value\": 5");
    shows(ompd_cl_type_flags, 24, "0x18", ", \"it\": [\"0x18\"], \"it_value\": 24");
    shows(ompd_cl_type_flags, 9, "one|0x8", ", \"it\": [\"one\", \"0x8\"], \"it_value\": 9");
    shows(ompd_cl_type_flags, 0, "none", ", \"it\": [], \"it_value\": 0");
}
END_TEST

START_TEST(code)
{
    shows(ompd_cl_type_function, 0x1000, "d2 at app.c:9",
          ", \"it\": \"0x1000\", \"symbol\": \"d2\", \"file\": \"/src/app.c\", \"line\": 9");
    shows(ompd_cl_type_function, 0x2000, "d2+4 in libapp.so",
          ", \"it\": \"0x2000\", \"symbol\": \"d2\", \"symbol_offset\": 4, "
          "\"module\": \"/lib/libapp.so\", \"module_offset\": \"0x1139\"");
    shows(ompd_cl_type_caller, 0x3000, "libapp.so+0x1139", ", \"it\": \"0x3000\"");
    shows(ompd_cl_type_caller, 0x3001, "0x3001 in [vdso]", ", \"it\": \"0x3001\"");
    shows(ompd_cl_type_caller, 0x4000, "0x4000", ", \"it\": \"0x4000\"");
    shows(ompd_cl_type_function, 0x4001, "0x4001", ", \"it\": \"0x4001\"");
    shows(ompd_cl_type_function, 0, "-", ", \"it\": \"0x0\"");
}
END_TEST

/* The frames of the population's buffer. */
START_TEST(stacks)
{
    ompd_cl_memobj_info_t buffer = {.struct_size = sizeof(buffer)};
    ompd_cl_memobj_id_t id;
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    struct view_text text = {0};
    size_t count;

    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &buffer), ompd_rc_ok);
    shows(ompd_cl_type_stack, buffer.stack.value, NULL,
          ", \"it\": [{\"address\": \"0x400500\", \"symbol\": \"inner\", "
          "\"inlined_into\": [\"ou\\tter\", \"main\"], \"file\": \"in.h\", \"line\": 0}, "
          "{\"address\": \"0x400501\"}, {\"address\": \"0x400502\"}]");
    shows(ompd_cl_type_stack, 12345678, NULL, ", \"it\": []");
    count = view_stack_get(front.view, buffer.stack.value, frames);
    view_place_stack(front.view, frames, count, "  ", &text);
    ck_assert_str_eq(text.bytes, "  #0 inner at in.h:0, inlined in ou\\tter in main\n"
                                 "  #1 0x400501\n  #2 0x400502\n");
    view_text_free(&text);
}
END_TEST

/* A name reaches the terminal without controls, and JSON as characters. */
START_TEST(hostile_names)
{
    shows(ompd_cl_type_function, 0x6000, "e\\x1b[2Jvil\\n at a\\rpp.c:1",
          ", \"it\": \"0x6000\", \"symbol\": \"e\\u001b[2Jvil\\n\", \"file\": \"/src/a\\rpp.c\", "
          "\"line\": 1");
    shows(ompd_cl_type_function, 0x7000, "\\a+1 in \\xc2\\x9b.so",
          ", \"it\": \"0x7000\", \"symbol\": \"\\u0007\", \"symbol_offset\": 1, "
          "\"module\": \"/lib/\\u009b.so\"");
}
END_TEST

START_TEST(texts)
{
    static const char *const known[][3] = {
        {"a\x1b[m\n\xc2\x9b\x7f", "a\\x1b[m\\n\\xc2\\x9b\\x7f", "a\\u001b[m\\n\\u009b\\u007f"},
        {"\xc3\xa9\xff\xe2\x82", "\xc3\xa9\\xff\\xe2\\x82",
         "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"C:\\n", "C:\\\\n", "C:\\\\n"},
        {"\"\b\f\v\x01", "\"\\b\\f\\v\\x01", "\\\"\\b\\f\\u000b\\u0001"},
        {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80",
         "\xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xed\xa0\x80\xc0\xaf", "\\xed\\xa0\\x80\\xc0\\xaf",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };

    add_field("name", ompd_cl_type_text);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        ompd_cl_text_t text = {.status = ompd_cl_status_value};
        char body[256];

        strcpy(text.text, known[i][0]);
        memcpy(content.bytes + fields[0].offset, &text, sizeof(text));
        ck_assert_str_eq(cell(0), known[i][1]);
        snprintf(body, sizeof(body), ", \"name\": \"%s\"", known[i][2]);
        expect_json(body);
    }
}
END_TEST

/* What is not a plain value never looks like one. */
START_TEST(statuses)
{
    static const struct {
        int status;
        const char *text;
        const char *reason; /* why it is not known; NULL: it is, or is not there */
        const char *in_json;
        const char *in_detail;
    } known[] = {
        {ompd_cl_status_none, "-", NULL, "", NULL},
        {ompd_cl_status_not_applicable, "-", NULL, "", NULL},
        {ompd_cl_status_presumed, "64 B~", "presumed, not proved", "", "64 B (presumed)"},
        {ompd_cl_status_at_least, "at least 64 B~", "presumed, not proved", "",
         "at least 64 B (presumed)"},
        {ompd_cl_status_unknown, "?", "not observed", NULL, "? (not observed)"},
        {ompd_cl_status_not_saved, "?", "not saved in the core", NULL, "? (not saved in the core)"},
        {ompd_cl_status_unreadable, "?", "unreadable", NULL, "? (unreadable)"},
        {ompd_cl_status_changing, "?", "being changed by LWP 4711 (thread 1)",
         "being changed by LWP 4711", "? (being changed by LWP 4711 (thread 1))"},
        {ompd_cl_status_corrupt, "?", "corrupt", NULL, "? (corrupt)"},
        {99, "?", "unknown", NULL, "? (unknown)"},
    };

    add_field("size", ompd_cl_type_bytes);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        bool has_value = strstr(known[i].text, "64") != NULL;
        char notes[128] = "";
        char body[128] = "";

        set(0, has_value ? 64 : 0, (ompd_cl_status_t)known[i].status);
        ck_assert_str_eq(cell(0), known[i].text);
        if (known[i].reason != NULL)
            snprintf(notes, sizeof(notes), "%s  size of 1 row: %s\n", has_value ? "~" : "?",
                     known[i].reason);
        expect_notes(notes);
        if (known[i].in_detail != NULL)
            ck_assert_str_eq(detail(0), known[i].in_detail);
        if (has_value)
            snprintf(body, sizeof(body), ", \"size\": 64, \"presumed\": [\"size\"]%s",
                     known[i].status == ompd_cl_status_at_least ? ", \"at_least\": [\"size\"]"
                                                                : "");
        else if (known[i].reason != NULL)
            snprintf(body, sizeof(body), ", \"size\": null, \"unknown\": {\"size\": \"%s\"}",
                     known[i].in_json != NULL ? known[i].in_json : known[i].reason);
        expect_json(body);
    }
}
END_TEST

/* ---- Rows of layouts ------------------------------------------------------------------------- */

enum { size, caller, order, source, confidence, doubt };

static void add_fields_of_layouts(void)
{
    add_field("size", ompd_cl_type_bytes);
    add_field("caller", ompd_cl_type_caller);
    add_field("order", ompd_cl_type_count);
    add_field("source", ompd_cl_type_name);
    add_field("confidence", ompd_cl_type_name);
    add_field("doubt", ompd_cl_type_name);
    set(size, 64, ompd_cl_status_value);
    set(caller, 0, ompd_cl_status_unknown);
    set(order, 0, ompd_cl_status_unknown);
    set(source, ompd_cl_source_layout, ompd_cl_status_value);
}

static const char *number(uint64_t shown, ompd_cl_confidence_t sure, ompd_cl_doubt_t why)
{
    static struct view_text text;

    set(confidence, sure, ompd_cl_status_value);
    set(doubt, why, why != 0 ? ompd_cl_status_value : ompd_cl_status_not_applicable);
    view_text_clear(&text);
    view_cell_number(&renderer, shown, &row, &text);
    return view_text_get(&text);
}

/* A mark stands at the number of what is not certain, and a note below says why. */
START_TEST(marked_numbers)
{
    add_fields_of_layouts();
    ck_assert_str_eq(number(1, ompd_cl_confidence_certain, 0), "1");
    ck_assert_str_eq(number(2, ompd_cl_confidence_presumed, 0), "~2");
    ck_assert_str_eq(number(3, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin), "!3");
    ck_assert_str_eq(number(4, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin), "!4");
    expect_notes("!  2 memory objects: doubtful: another object owns the same memory\n"
                 "~  1 memory object: presumed, not proved\n");
}
END_TEST

/* Each doubt that the library has is a sentence. */
START_TEST(doubts)
{
    const ompd_cl_field_t *field = view_kind_field(view_kind_get(ompd_cl_kind_memobj), "doubt");
    char notes[256];

    add_fields_of_layouts();
    ck_assert_ptr_nonnull(field);
    ck_assert_uint_ge(field->name_count, 5);
    for (uint32_t i = 0; i < field->name_count; i++) {
        const char *sentence;

        if (field->names[i].value == ompd_cl_doubt_none)
            continue;
        number(1, ompd_cl_confidence_doubtful, (ompd_cl_doubt_t)field->names[i].value);
        sentence = detail(doubt);
        ck_assert_msg(strchr(sentence, ' ') != strrchr(sentence, ' '), "%s", sentence);
        ck_assert_ptr_null(strchr(field->names[i].name, ' '));
        ck_assert_int_ne(strncmp(sentence, field->names[i].name, strlen(sentence)), 0);
        snprintf(notes, sizeof(notes), "!  1 memory object: doubtful: %s\n", sentence);
        expect_notes(notes);
    }
    ck_assert_str_eq(number(1, ompd_cl_confidence_doubtful, 99), "!1");
    expect_notes("!  1 memory object: doubtful: doubt 99\n");
}
END_TEST

/* What only the recorder would know is said to be that, of the rows of layouts alone. */
START_TEST(unrecorded)
{
    static const struct {
        ompd_cl_source_t source;
        const char *reason;
    } known[] = {{ompd_cl_source_layout, "not known without the recorder"},
                 {ompd_cl_source_recorder, "not observed"}};
    char text[128];

    add_fields_of_layouts();
    for (size_t i = 0; i < 2; i++) {
        set(source, known[i].source, ompd_cl_status_value);
        ck_assert_str_eq(cell(caller), "?");
        ck_assert_str_eq(cell(order), "?");
        snprintf(text, sizeof(text), "?  caller, order of 1 row: %s\n", known[i].reason);
        expect_notes(text);
        snprintf(text, sizeof(text), "? (%s)", known[i].reason);
        ck_assert_str_eq(detail(caller), text);
    }
}
END_TEST

/* Fields share a line when it says the same of them. */
START_TEST(notes)
{
    add_fields_of_layouts();
    cell(caller);
    cell(caller);
    cell(order);
    expect_notes("?  caller of 2 rows: not known without the recorder\n"
                 "?  order of 1 row: not known without the recorder\n");
    cell(caller);
    cell(order);
    set(size, 64, ompd_cl_status_presumed);
    cell(size);
    expect_notes("?  caller, order of 1 row: not known without the recorder\n"
                 "~  size of 1 row: presumed, not proved\n");
}
END_TEST

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Write a table of COUNT rows, whose only value is their number's power of ten. */
static const char *table_of(size_t count, bool is_numbered)
{
    const struct view_table_options options = {.indent = "", .is_numbered = is_numbered};
    struct view_table *table = view_table_begin(&renderer, &kind, &options);

    written();
    for (size_t i = 0; i < count; i++) {
        content.values[1].value = content.values[1].value * 10 + 5;
        view_table_add(table, &row);
    }
    view_table_end(table);
    return written();
}

START_TEST(alignment)
{
    add_field("name", ompd_cl_type_name);
    add_field("number", ompd_cl_type_count);
    set(0, 0, ompd_cl_status_value);
    set(1, 5, ompd_cl_status_value);
    ck_assert_str_eq(table_of(2, true), "#  name     number\n"
                                        "1  name 5        5\n"
                                        "2  name 55       5\n");
    add_field("absent", ompd_cl_type_count);
    set(2, 0, ompd_cl_status_not_applicable);
    set(0, 0, ompd_cl_status_value);
    ck_assert_str_eq(table_of(1, false), "name    number\nname 5       5\n");
    ck_assert_str_eq(table_of(0, true), "");
}
END_TEST

/* The array of JSON that one command writes. */
START_TEST(json_arrays)
{
    front.view->front_end.json_is_array = true;
    front.view->options.is_json = true;
    view_json_array_end(front.view);
    ck_assert_str_eq(written(), "[]\n");
    add_field("a", ompd_cl_type_count);
    set(0, 1, ompd_cl_status_value);
    view_json_row(front.view, &row);
    set(0, 0, ompd_cl_status_unknown);
    view_json_row(front.view, &row);
    view_json_array_end(front.view);
    ck_assert_str_eq(written(),
                     "[{\"schema\": 1, \"a\": 1},\n"
                     " {\"schema\": 1, \"a\": null, \"unknown\": {\"a\": \"not observed\"}}]\n");
    view_fail(front.view, ompd_view_exit_unreadable, "No");
    view_json_array_end(front.view);
    ck_assert_str_eq(written(), "\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-rows");
    TCase *tcase = tcase_create("rows");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, numbers);
    tcase_add_test(tcase, named);
    tcase_add_test(tcase, code);
    tcase_add_test(tcase, stacks);
    tcase_add_test(tcase, hostile_names);
    tcase_add_test(tcase, texts);
    tcase_add_test(tcase, statuses);
    tcase_add_test(tcase, marked_numbers);
    tcase_add_test(tcase, doubts);
    tcase_add_test(tcase, unrecorded);
    tcase_add_test(tcase, notes);
    tcase_add_test(tcase, alignment);
    tcase_add_test(tcase, json_arrays);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
