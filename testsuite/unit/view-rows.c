/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How rows are shown: each type of field with each status, as text and as JSON. */
#include "suite.h"
#include "view-made-row.h"

#include <view/model/model.h>
#include <view/show/show.h>

/* The row is the JSON "{"schema": 1BODY}". */
static void expect_json(const char *body)
{
    char line[1024];

    written();
    view_json_row(front.view, &row);
    snprintf(line, sizeof(line), "{\"schema\": 1%s}\n", body);
    ck_assert_str_eq(written(), line);
}

/* VALUE of a field of TYPE is shown as TEXT, and in JSON as BODY. */
static void shows(ompd_cl_type_t type, uint64_t value, const char *text, const char *body)
{
    kind.field_count = 0;
    add_field("it", type);
    set(0, value, ompd_cl_status_value);
    if (text != NULL) {
        ck_assert_str_eq(cell(0), text);
        ck_assert_str_eq(sure(0), strcmp(text, "-") == 0 ? "absent" : "proved");
    }
    expect_json(body);
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
    shows(ompd_cl_type_time, 0, "1970-01-01 00:00:00.000 UTC", ", \"it\": 0");
    shows(ompd_cl_type_time, 951782400007, "2000-02-29 00:00:00.007 UTC", ", \"it\": 951782400007");
    shows(ompd_cl_type_time, 4107542399999, "2100-02-28 23:59:59.999 UTC",
          ", \"it\": 4107542399999");
    shows(ompd_cl_type_time, 1798761599010, "2026-12-31 23:59:59.010 UTC",
          ", \"it\": 1798761599010");
    shows(ompd_cl_type_duration, 7, "0.007 s", ", \"it\": 0.007");
    shows(ompd_cl_type_duration, 61153, "61.153 s", ", \"it\": 61.153");
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
    ompd_cl_memobj_info_t buffer = {.head.struct_size = sizeof(buffer)};
    ompd_cl_memobj_id_t id;
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    struct text text = {0};
    size_t count;

    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &buffer), ompd_rc_ok);
    shows(ompd_cl_type_stack, buffer.head.stack.value, NULL,
          ", \"it\": [{\"address\": \"0x400500\", \"symbol\": \"inner\", "
          "\"inlined_into\": [\"ou\\tter\", \"begin\"], \"file\": \"in.h\", \"line\": 0}, "
          "{\"address\": \"0x400501\"}, {\"address\": \"0x400502\"}]");
    shows(ompd_cl_type_stack, 12345678, NULL, ", \"it\": []");
    count = view_stack_get(front.view, buffer.head.stack.value, frames);
    view_location_stack(front.view, frames, count, "  ", &text);
    ck_assert_str_eq(text.bytes, "  #0 inner at in.h:0, inlined in ou\\tter in begin\n"
                                 "  #1 0x400501\n  #2 0x400502\n");
    /* What called main is of no use. */
    frames[1] = 0x5000;
    text_clear(&text);
    view_location_stack(front.view, frames, count, "", &text);
    ck_assert_ptr_nonnull(strstr(text.bytes, "in begin\n#1 main at app.c:3\n"));
    ck_assert_ptr_null(strstr(text.bytes, "#2"));
    text_free(&text);
}
END_TEST

/* A name reaches the terminal without controls, and JSON as characters. */
/* Which code is a binding's, by its file or its module. */
START_TEST(bindings)
{
    static const struct {
        const char *file;
        const char *module;
        bool is_binding;
    } cases[] = {
        {"/usr/include/CL/opencl.hpp", "/usr/bin/app", true},
        {"CL/cl2.hpp", NULL, true},
        {"/src/me/opencl.hpp", "/usr/bin/app", false},
        {"/src/me/xCL/opencl.hpp", NULL, false},
        {"/opt/boost/compute/buffer.hpp", NULL, true},
        {"/usr/include/c++/12/bits/shared_ptr.h", NULL, true},
        {"/root/.cargo/registry/src/index/ocl-0.19.7/src/standard/buffer.rs", NULL, true},
        {"/src/ocl-demo/src/main.c", NULL, false},
        {NULL, "/usr/lib/python3/dist-packages/pyopencl/_cl.cpython-311.so", true},
        {NULL, "/usr/bin/python3.11", true},
        {NULL, "/usr/lib/python3/dist-packages/fast.so", false},
        {"fast.c", "/usr/lib/python3/dist-packages/fast.so", false},
        {"mine.c", "/lib/libmine.so.3", false},
        {NULL, NULL, false},
        {"", "", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(ompd_view_code_is_binding(front.view, cases[i].file, cases[i].module) ==
                          cases[i].is_binding,
                      "case %zu", i);
    ck_assert(!ompd_view_code_is_binding(NULL, "CL/cl2.hpp", NULL));
    front.bindings = ":mine.*::lib/libm*.so.*:";
    front_line(&front, "overview", "");
    ck_assert(ompd_view_code_is_binding(front.view, "mine.c", NULL));
    ck_assert(!ompd_view_code_is_binding(front.view, "mine", NULL));
    ck_assert(ompd_view_code_is_binding(front.view, NULL, "/lib/libmine.so.3"));
    ck_assert(!ompd_view_code_is_binding(front.view, NULL, "/lib/mine/libmine.so.3"));
}
END_TEST

/* The program's call is the innermost one outside of bindings, by the front end's patterns. */
START_TEST(sites)
{
    static const ompd_addr_t frames[] = {0x400600, 0x400601, 0x5000};
    struct text text = {0};

    view_site_stack(front.view, frames, 3, "", &text);
    ck_assert_str_eq(text.bytes, "#0 two at app.cc:7, inlined in three at app.cc:8\n"
                                 "#1 main at app.c:3\n");
    text_clear(&text);
    view_site_chain(front.view, frames, 3, &text);
    ck_assert_str_eq(text.bytes, "two at app.cc:7 < three at app.cc:8 < main at app.c:3");
    text_clear(&text);
    view_site_describe(front.view, view_site_get(front.view, 0x400601, 0), &text);
    ck_assert_str_eq(text.bytes, "two at app.cc:7");
    text_clear(&text);
    view_location_stack(front.view, frames, 3, NULL, &text);
    ck_assert_str_eq(text.bytes, "zero at opencl.hpp:5\n"
                                 "one at opencl.hpp:6, inlined in two at app.cc:7 in three at "
                                 "app.cc:8\nmain at app.c:3\n");
    /* Where all are bindings', it is where they call OpenCL. */
    front.bindings = "app.*";
    front_line(&front, "overview", "");
    text_clear(&text);
    view_site_stack(front.view, frames, 3, "", &text);
    ck_assert_ptr_eq(strstr(text.bytes, "#0 zero at opencl.hpp:5\n"), text.bytes);
    text_free(&text);
}
END_TEST

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
        {"a\u202e\u2028\u00ad\ufeff\U000e0041z",
         "a\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xc2\\xad\\xef\\xbb\\xbf\\xf3\\xa0\\x81\\x81z",
         "a\\u202e\\u2028\\u00ad\\ufeff\\udb40\\udc41z"},
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
        text.length = strlen(text.text);
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
        char body[128] = "";

        set(0, has_value ? 64 : 0, (ompd_cl_status_t)known[i].status);
        ck_assert_str_eq(cell(0), known[i].text);
        ck_assert_str_eq(sure(0), known[i].reason != NULL ? known[i].reason : "absent");
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

/* Where there is room for one more column a width is none, unless nothing has a height. */
START_TEST(shapes)
{
    static const char *const tables[] = {"#  object\n1  0x1\n2  0x2\n",
                                         "#  object  width\n1  0x1         8\n2  0x2        16\n",
                                         "#  object  width  height\n"
                                         "1  0x1         8       5\n"
                                         "2  0x2        16       6\n"};
    struct view_table *table;

    add_field("object", ompd_cl_type_handle);
    add_field("width", ompd_cl_type_count);
    add_field("height", ompd_cl_type_count);
    fields[1].in_table = fields[2].in_table = 0;
    for (size_t i = 0; i < 3; i++) {
        front.view->width = i == 2 ? 24 : 16;
        table = begin_table(true);
        for (uint64_t j = 1; j <= 2; j++) {
            set(0, j, ompd_cl_status_value);
            set(1, j * 8, ompd_cl_status_value);
            set(2, j + 4, i == 1 ? ompd_cl_status_not_applicable : ompd_cl_status_value);
            view_table_add(table, &row);
        }
        end_table(table, tables[i]);
    }
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
    tcase_add_test(tcase, bindings);
    tcase_add_test(tcase, sites);
    tcase_add_test(tcase, hostile_names);
    tcase_add_test(tcase, texts);
    tcase_add_test(tcase, statuses);
    tcase_add_test(tcase, json_arrays);
    tcase_add_test(tcase, shapes);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
