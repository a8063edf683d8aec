/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The graph of objects and the page of `report`: their contents, and that text of the target stays
 * text. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>
#include <view/report/report.h>

#define MANY 400 /* objects: more than a graph has nodes */

static struct population population;
static struct front front;

/* Names that a target's author may choose to break out of a page or a graph. */
static const struct front_place places[] = {
    {0x400000, {.symbol = "</script><script>alert(1)</script>", .file = "a'\"&.c", .line = 9}},
    {0x400001, {.symbol = "x\\N\" ]; evil [label=\"&quot;\n\xff\x1b[2J", .file = "b.c", .line = 1}},
    {0x401000, {.symbol = "<!--<img src=x onerror=alert(2)>", .file = "c.c", .line = 3}},
};

static const char picture[] =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"8pt\" viewBox=\"0 0 8 8\">\n<!-- n1 -->"
    "<g id=\"node1\" class=\"node memobj\"><title>n1</title>\n"
    "<polygon fill=\"none\" points=\"1,2\"/>\n<text x=\"1\">a &lt; b</text></g>\n</svg>\n";

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front.picture = picture;
    front.program = "/bin/app";
    front.use = (ompd_view_use_t){.struct_size = sizeof(front.use),
                                  .row_limit = UINT64_MAX,
                                  .pid = 4711,
                                  .program = "/bin/<app>",
                                  .build_id = "4a4365a4"};
    front_open(&front);
}

static void tear_down(void)
{
    ck_assert(!front.is_file_open);
    front_close(&front);
    population_free(&population);
}

static void expect_in(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in:\n%.3000s", words, text);
}

static void expect_not_in(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) == NULL, "\"%s\" in:\n%.3000s", words, text);
}

/* How often TEXT has WORDS. */
static unsigned count_of(const char *text, const char *words)
{
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* Write a page, which is complete. */
static void write_page(void)
{
    ompd_view_exit_t code = front_line(&front, "report", "page");

    ck_assert_msg(code == ompd_view_exit_ok, "%d: %s", (int)code, front_message(&front));
    ck_assert(front.is_file_whole);
}

/* ---- Pages ----------------------------------------------------------------------------------- */

START_TEST(page_is_whole)
{
    write_page();
    expect_in(front.text, "Report written to page: ");
    expect_in(front.text, ", without buffer contents.\n");
    expect_not_in(front.text, "no graph");
    ck_assert_ptr_eq(strstr(front.file, "<!DOCTYPE html>\n<html lang=\"en\">\n"), front.file);
    ck_assert_str_eq(front.file + front.file_size - 8, "</html>\n");
    expect_in(front.file, "<h1>&#60;app&#62;, process 4711</h1>");
    expect_in(front.file, "<dt>Build-id</dt><dd>4a4365a4</dd>");
    /* What verbs say, and how they ended. */
    expect_in(front.file, "<p class=\"badge findings\">Findings</p>");
    expect_in(front.file, "LWP 4712 waits");
    /* Rows, by their handles. */
    expect_in(front.file, "\n[\"0x9080\",\"buffer\",");
    expect_in(front.file, "\n[\"0x90c0\",\"sub-buffer\"");
    expect_in(front.file, "\n[\"0xe040\",\"blur\",");
    expect_in(front.file, "<svg width=\"8pt\"");
    expect_not_in(front.file, "<?xml");
    /* Numbers of threads are the debugger's, and no other's. */
    front_line(&front, "threads", "");
    expect_in(front.text, "thread 1");
    expect_not_in(front.file, "(thread 1)");
}
END_TEST

/* The page only runs its own scripts, and declares that. */
START_TEST(nothing_else_runs)
{
    unsigned lists;

    write_page();
    lists = count_of(front.file, "<script type=\"application/json\">");
    ck_assert_uint_gt(lists, 10);
    ck_assert_uint_eq(count_of(front.file, "<script"), lists + 1);
    ck_assert_uint_eq(count_of(front.file, "</script"), lists + 1);
    ck_assert_uint_eq(count_of(front.file, "<style"), 1);
    ck_assert_uint_eq(count_of(front.file, "<!--"), 1); /* the picture's own */
    expect_not_in(front.file, "<img");
    expect_not_in(front.file, "http://");
    expect_not_in(front.file, "https://");
    expect_in(front.file, "content=\"default-src 'none'; style-src 'sha256-");
    expect_in(front.file, "\\u003c/script>\\u003cscript>alert(1)\\u003c/script> at a'\\\"&.c:9");
    front_expect_printable(front.file);
}
END_TEST

/* The command's options and what follows are as if no page had been written. */
START_TEST(commands_after)
{
    static char before[FRONT_TEXT];

    front_line(&front, "memobjs", "");
    strcpy(before, front.text);
    write_page();
    front_expect(&front, "memobjs", "", before);
    ck_assert_int_eq(front_line(&front, "report", "page -json"), ompd_view_exit_ok);
    expect_in(front.text, "{\"schema\": 1, \"file\": \"page\", \"bytes\": ");
    expect_in(front.text, ", \"has_graph\": true}\n");
    ck_assert_uint_eq(count_of(front.text, "\n"), 1);
    front_close(&front);
    front.front_end.json_is_array = true;
    front_open(&front);
    ck_assert_int_eq(front_line(&front, "report", "page -json"), ompd_view_exit_ok);
    ck_assert_ptr_eq(strstr(front.text, "[{\"schema\": 1, "), front.text);
    ck_assert_str_eq(front.text + front.size - 3, "}]\n");
    /* Sentences about it are wrapped like any other line. */
    front.width = 40;
    write_page();
    expect_in(front.text, "Report written to page: ");
    expect_in(front.text, ",\n    without buffer contents.\n");
}
END_TEST

START_TEST(files)
{
    static const struct {
        size_t room;
        const char *message;
    } rooms[] = {{1, "There is no room."}, {40000, "There is no room."}};

    front.file_path = "page";
    ck_assert_int_eq(front_line(&front, "report", "page"), ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "It already exists.");
    ck_assert_uint_eq(front.file_size, 0);
    front.file_path = NULL;
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        front.file_room = rooms[i].room;
        ck_assert_int_eq(front_line(&front, "report", "page"), ompd_view_exit_unreadable);
        ck_assert_str_eq(front_message(&front), rooms[i].message);
        ck_assert(!front.is_file_whole);
        ck_assert_str_eq(front.text, "");
    }
    front.file_room = 0;
    front.is_stopping = true;
    ck_assert_int_eq(front_line(&front, "report", "page"), ompd_view_exit_stopped);
    ck_assert(!front.is_file_open && !front.is_file_whole);
    front.is_stopping = false;
    write_page();
    front_refuses(&front, "report", "", "needs FILE");
    front_close(&front);
    front.front_end.file_end = NULL;
    front_open(&front);
    front_refuses(&front, "report", "page", "Files cannot be written here.");
}
END_TEST

/* Without a picture the page reports that, and is written. */
START_TEST(no_picture)
{
    static const char *const others[] = {"", "dot: no such font", "<svg><g></svg>"};

    front.picture = NULL;
    write_page();
    expect_in(front.text, "The report has no graph: the pencil is <blunt>.\n");
    expect_in(front.file, "No graph: the pencil is &#60;blunt&#62;.");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        front.picture = others[i];
        write_page();
        expect_in(front.file, "No graph: the output of dot is not a picture of a graph.");
    }
    front_close(&front);
    front.front_end.draw = NULL;
    front_open(&front);
    write_page();
    expect_in(front.file, "No graph: graphs cannot be drawn here.");
}
END_TEST

/* If there is nothing to show, no file is begun. */
START_TEST(no_opencl)
{
    fake_forget_table(population.target, ompd_cl_registry_context);
    front.space = NULL;
    ck_assert_int_eq(front_line(&front, "report", "page"), ompd_view_exit_unreadable);
    ck_assert_uint_eq(front.file_size, 0);
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_unreadable);
    ck_assert_str_eq(front.text, "");
}
END_TEST

/* An empty list has no table, and one that is not known is not called empty. */
START_TEST(empty_lists)
{
    fake_remove_object(population.target, ompd_cl_registry_sampler, population.sampler);
    fake_forget_table(population.target, ompd_cl_registry_call);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_line(&front, "report", "page");
    ck_assert(front.is_file_whole);
    expect_in(front.file, "<p class=\"empty\">There are no ");
    expect_in(front.file, "samplers");
    expect_not_in(front.file, "id=\"samplers\"");
    expect_not_in(front.file, "id=\"calls\"");
    expect_in(front.file, " are unknown: ");
}
END_TEST

/* ---- Pictures -------------------------------------------------------------------------------- */

START_TEST(pictures)
{
    static const char *const refused[] = {
        "",
        "no picture",
        "<svg>",
        "<svg/> and more",
        "<svg></svg><svg></svg>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><g onload=\"alert(1)\"></g></svg>",
        "<svg><g style=\"fill:red\"></g></svg>",
        "<svg><a href=\"http://example.org\"></a></svg>",
        "<svg><image href=\"/etc/passwd\"/></svg>",
        "<svg><foreignObject></foreignObject></svg>",
        "<svg><g fill=\"url(http://example.org)\"></g></svg>",
        "<svg><g fill=red></g></svg>",
        "<svg><g fill=\"red></g></svg>",
        "<svg><g fill=\"<\"></g></svg>",
        "<svg><!-- </svg>",
        "<svg><![CDATA[<script>]]></svg>",
        "<svg><?php ?></svg>",
        "<svg></g></svg></svg>",
        "<svgx></svgx>",
    };
    size_t size = 0;

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        ck_assert_msg(view_svg_find(refused[i], &size) == NULL, "%s", refused[i]);
    ck_assert_ptr_eq(view_svg_find(picture, &size), strstr(picture, "<svg"));
    ck_assert_uint_eq(size, strlen(strstr(picture, "<svg")) - 1);
    ck_assert_ptr_nonnull(view_svg_find("<svg/>", &size));
    ck_assert_uint_eq(size, 6);
}
END_TEST

/* ---- Graphs ---------------------------------------------------------------------------------- */

START_TEST(graph_of_few)
{
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_ok);
    ck_assert_ptr_eq(strstr(front.text, "digraph \"OpenCL\" {\n"), front.text);
    ck_assert_str_eq(front.text + front.size - 3, "\n}\n");
    expect_in(front.text, "n1 [class=\"context\", label=\"OpenCL context\\n0x7000\"];\n");
    expect_in(front.text, "[class=\"queue\", label=\"command queue\\n0x8040\\n1 command is");
    expect_in(front.text, "[class=\"memobj\", label=\"buffer\\n0x9080\\n4 KiB\"");
    expect_in(front.text, "[class=\"kernel\", label=\"kernel\\n0xe040\\nblur\"");
    expect_in(front.text, "  n1 -> n2 [class=\"has\"];\n");
    expect_in(front.text, ", dir=\"back\", label=\"part of\"];\n");
    expect_in(front.text, ", dir=\"back\", label=\"of\"];\n");
    expect_in(front.text, " [class=\"waits\", label=\"waits for\"];\n");
    /* No line is broken, however narrow the terminal. */
    front.width = 20;
    write_page();
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_ok);
    ck_assert_str_eq(front.text, front.graph);
}
END_TEST

START_TEST(graph_as_json)
{
    ck_assert_int_eq(front_line(&front, "graph", "-json"), ompd_view_exit_ok);
    expect_in(front.text, "{\"schema\": 1, \"node\": 1, \"kind\": \"context\", "
                          "\"handle\": \"0x7000\", \"count\": 1}\n");
    expect_in(front.text, "\"kind\": \"memobj\", \"handle\": \"0x9080\", \"count\": 1, "
                          "\"bytes\": 4096}\n");
    expect_in(front.text, "{\"schema\": 1, \"from\": 1, \"to\": 2, \"relation\": \"has\", "
                          "\"count\": 1}\n");
    expect_in(front.text, "\"relation\": \"waits for\"");
}
END_TEST

/* With many objects those of a kind and place share a node; names stay within their quotes. */
START_TEST(graph_of_many)
{
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t buffer =
            fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 4096);

        fake_set(population.target, ompd_cl_registry_memobj, buffer, ompd_cl_registry_field_caller,
                 0x400000 + i % 2);
    }
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_ok);
    expect_in(front.text, "201 memory objects\\n800 KiB\\nmade at\\n"
                          "x\\\\\\\\N\\\" ]; evil [label=\\\"&amp;quot;\\\\n\\\\xff\\\\x1b[2J "
                          "at b.c:1\"");
    expect_in(front.text, "</script><script>alert(1)</script> at a'\\\"&amp;.c:9\"");
    expect_in(front.text, ", label=\"200\"];\n");
    ck_assert_uint_lt(count_of(front.text, "\n"), 60);
    front_line(&front, "graph", "-json");
    expect_in(front.text, "\"bytes\": 819200, \"caller\": \"0x400001\", "
                          "\"symbol\": ");
    write_page();
    expect_in(front.file, "objects are too many for one graph");
}
END_TEST

/* Commands of no event that wait share a node, too. */
START_TEST(graph_of_many_with_commands)
{
    for (uint32_t i = 0; i < MANY; i++)
        fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 4096);
    fake_set(population.target, ompd_cl_registry_command, population.commands[1],
             ompd_cl_registry_field_event, 0);
    fake_touch(population.target, ompd_cl_registry_command, population.commands[1]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_line(&front, "graph", "-json");
    expect_in(front.text, "\"kind\": \"command\", \"count\": 1}\n");
}
END_TEST

/* With many places, too, there are so many nodes and no more. */
START_TEST(graph_of_many_places)
{
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t buffer =
            fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 4096);

        fake_set(population.target, ompd_cl_registry_memobj, buffer, ompd_cl_registry_field_caller,
                 0x500000 + i);
    }
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_ok);
    expect_in(front.text, "made elsewhere");
    ck_assert_uint_le(count_of(front.text, "class=\"memobj\""), 301);
    ck_assert_uint_gt(count_of(front.text, "class=\"memobj\""), 250);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-page");
    TCase *tcase = tcase_create("page");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, page_is_whole);
    tcase_add_test(tcase, nothing_else_runs);
    tcase_add_test(tcase, commands_after);
    tcase_add_test(tcase, files);
    tcase_add_test(tcase, no_picture);
    tcase_add_test(tcase, no_opencl);
    tcase_add_test(tcase, empty_lists);
    tcase_add_test(tcase, pictures);
    tcase_add_test(tcase, graph_of_few);
    tcase_add_test(tcase, graph_as_json);
    tcase_add_test(tcase, graph_of_many);
    tcase_add_test(tcase, graph_of_many_with_commands);
    tcase_add_test(tcase, graph_of_many_places);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
