/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of C++ and Rust functions, in sentences and in narrow columns. */
#include "suite.h"
#include "view-made-row.h"

#include <view/model/model.h>

static const char vector[] = "std::vector<int, std::allocator<int> >";

/* The displayed form of NAME, with a line after it or not. */
static const char *shown(const char *name, bool has_line)
{
    static struct text text;

    text_clear(&text);
    view_function_name(name, has_line, &text);
    return text_get(&text);
}

/* Debuggers differ in whether they return parameters. */
START_TEST(parameters)
{
    static const char *const pairs[][2] = {
        {"main", "main"},
        {"main()", "main"},
        {"keep(_cl_mem*, void*)", "keep"},
        {"a::b<int>::f(void (*)(int)) const", "a::b<int>::f"},
        {"a::operator()(int) const &", "a::operator()"},
        {"a::operator()", "a::operator()"},
        {"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
        {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
        {"(odd)", "(odd)"},
        {"odd)", "odd)"},
        {"f(int) [clone .cold]", "f(int) [clone .cold]"},
        {"<T as core::ops::drop::Drop>::drop", "<T as core::ops::drop::Drop>::drop"},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        ck_assert_str_eq(shown(pairs[i][0], true), pairs[i][1]);
    /* Without a line they distinguish functions. */
    ck_assert_str_eq(shown("keep(int)", false), "keep(int)");
}
END_TEST

START_TEST(templates)
{
    char name[256];

    snprintf(name, sizeof(name), "f<%s >(int)", vector);
    ck_assert_str_eq(shown(name, true), "f<std::vector<int, std::allocator<int> > >");
    snprintf(name, sizeof(name), "registry<int, %s >::keep<&a::operator->, 12345>(int)", vector);
    ck_assert_str_eq(shown(name, true), "registry<...>::keep<...>");
    ck_assert_str_eq(shown(name, false), "registry<...>::keep<...>(int)");
    snprintf(name, sizeof(name), "<alloc::vec::Vec<%s > as core::ops::drop::Drop>::drop", vector);
    ck_assert_str_eq(shown(name, true), "<alloc::vec::Vec<...> as core::ops::drop::Drop>::drop");
    /* What has no end is shown as it is. */
    static const char endless[] = "a_very_long_name_of_a_registry<int, of_what_there_is";
    ck_assert_str_eq(shown(endless, true), endless);
}
END_TEST

START_TEST(last_parts)
{
    static const char *const pairs[][2] = {
        {"f at a.cc:9", "f at a.cc:9"},
        {"a::b<c::d>::f at a.cc:9", "f at a.cc:9"},
        {"a::(b at c)::f at a::b.cc:9", "f at a::b.cc:9"},
        {"<T as core::ops::Drop>::drop at a.rs:9", "drop at a.rs:9"},
        {"a::operator->::f at a.cc:9", "f at a.cc:9"},
        {"a::f in libapp.so", "a::f in libapp.so"},
        {"libapp.so+0x1139", "libapp.so+0x1139"},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        ck_assert_str_eq(view_function_last(pairs[i][0]), pairs[i][1]);
}
END_TEST

/* A long name does not remove a column that fits without the name's scopes. */
START_TEST(narrow_table)
{
    static const struct front_place long_names[] = {
        {0x1000,
         {.symbol = "application::pipeline::details::registry<int>::release(_cl_mem*, void*)",
          .file = "/src/app.cc",
          .line = 9}},
        {0x2000, {.symbol = "keep", .file = "/src/app.cc", .line = 12}},
    };
    struct view_table *table;

    front.places = long_names;
    front.place_count = sizeof(long_names) / sizeof(long_names[0]);
    add_field("object", ompd_cl_type_handle);
    add_field("callback", ompd_cl_type_function);
    for (uint32_t width = 80; width != 0; width -= 40) {
        front.view->width = width;
        table = begin_table(true);
        for (uint64_t i = 1; i <= 2; i++) {
            set(0, i, ompd_cl_status_value);
            set(1, i * 0x1000, ompd_cl_status_value);
            view_table_add(table, &row);
        }
        end_table(table,
                  width == 80
                      ? "#  object  callback\n"
                        "1  0x1     application::pipeline::details::registry<int>::release at "
                        "app.cc:9\n"
                        "2  0x2     keep at app.cc:12\n"
                      : "#  object  callback\n"
                        "1  0x1     release at app.cc:9\n"
                        "2  0x2     keep at app.cc:12\n");
    }
}
END_TEST

/* A name that is too long for any line is broken between its parts. */
START_TEST(broken_names)
{
    struct text text = {0};

    view_lines_wrap(&text, "at aaaa::bbbb::cccc::f\n", 12);
    ck_assert_str_eq(text_get(&text), "at aaaa::\n    bbbb::\n    cccc::f\n");
    text_clear(&text);
    view_lines_wrap(&text, "made at aaaa::f\n", 12);
    ck_assert_str_eq(text_get(&text), "made at\n    aaaa::f\n");
    text_clear(&text);
    view_lines_wrap(&text, "held by LWP 4711\n", 13);
    ck_assert_str_eq(text_get(&text), "held by\n    LWP 4711\n");
    text_free(&text);
}
END_TEST

/* main() of C++ ends a call stack as that of C does. */
START_TEST(stacks)
{
    static const struct front_place frames[] = {
        {0x1000, {.symbol = "keep(int)", .file = "/src/app.cc", .line = 9}},
        {0x2000, {.symbol = "main()", .file = "/src/app.cc", .line = 12}},
        {0x3000, {.symbol = "__libc_start_call_main", .module = "/lib/libc.so.6"}},
    };
    static const ompd_addr_t addresses[] = {0x1000, 0x2000, 0x3000};
    struct text text = {0};

    front.places = frames;
    front.place_count = sizeof(frames) / sizeof(frames[0]);
    view_location_stack(front.view, addresses, 3, "", &text);
    ck_assert_str_eq(text_get(&text), "#0 keep at app.cc:9\n#1 main at app.cc:12\n");
    text_free(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-function-names");
    TCase *tcase = tcase_create("names");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, parameters);
    tcase_add_test(tcase, templates);
    tcase_add_test(tcase, last_parts);
    tcase_add_test(tcase, narrow_table);
    tcase_add_test(tcase, broken_names);
    tcase_add_test(tcase, stacks);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
