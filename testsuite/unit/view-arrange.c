/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Options of lists: columns, sort order and groups. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <view/model/model.h>

static struct population population;
static struct front front;

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

#define NOTE "~  1 memory object: presumed, not proved\n"

/* Fields are named by their keys in JSON or by their titles. */
START_TEST(columns)
{
    const char *table = " #           size  memory object\n"
                        " 1         4096 B  0x9080\n"
                        "~2         1024 B  0x90c0\n"
                        " 3  21474836480 B  0x9100\n" NOTE;

    front_expect(&front, "memobjs", "-columns size,handle", table);
    front_expect(&front, "memobjs", "-col size,memory-object", table);
    /* An empty column was requested nevertheless. */
    front_expect(&front, "memobjs", "-columns sharing -kind buffer", "#  sharing\n1  -\n");
    ck_assert_int_eq(front_line(&front, "threads", "-columns lwp,state"), ompd_view_exit_ok);
    ck_assert_int_eq(strncmp(front.text, "#  thread               state", 20), 0);
}
END_TEST

/* Each title is taken, as it stands in a table or as people type it. */
START_TEST(titles)
{
    const ompd_view_verb_t *verb;

    for (size_t i = 0; (verb = ompd_view_verb_get(front.view, i)) != NULL; i++) {
        const struct view_kind *kind = view_kind_get(verb->kind);

        for (size_t j = 0; (verb->takes & ompd_view_takes_filters) != 0 && j < kind->field_count;
             j++) {
            const char *title = kind->fields[j]->title;
            char words[128];

            if (kind->fields[j]->type == ompd_cl_type_stack)
                continue;
            snprintf(words, sizeof(words), "-columns \"%s\"", title);
            for (char *each = words + 8; *each != '\0'; each++)
                *each = (char)((each - words) % 2 != 0 ? toupper((unsigned char)*each) : *each);
            ck_assert_msg(front_line(&front, verb->name, words) != ompd_view_exit_usage, "%s %s",
                          verb->name, words);
        }
    }
    front_expect(&front, "memobjs", "-columns \"Size, Memory_Object\" -kind buffer",
                 "#    size  memory object\n1  4096 B  0x9080\n");
}
END_TEST

START_TEST(sorted)
{
    front_expect(&front, "memobjs", "-columns size -sort size",
                 " #           size\n"
                 "~1         1024 B\n"
                 " 2         4096 B\n"
                 " 3  21474836480 B\n" NOTE);
    front_expect(&front, "memobjs", "-columns size -sort -size -limit 2",
                 "#           size\n"
                 "1  21474836480 B\n"
                 "2         4096 B\n"
                 "1 more row is not shown: `set opencl limit 3` or `set opencl limit unlimited` "
                 "shows all.\n");
    /* The numbers are those of the table. */
    ck_assert_int_eq(front_line(&front, "memobj", "#1"), ompd_view_exit_ok);
    ck_assert_ptr_nonnull(strstr(front.text, "image2d 0x9100,"));
    /* The second field decides if the first is the same; absent values come last. */
    front_expect(&front, "memobjs", "-columns handle -sort context,-size",
                 " #  memory object\n 1  0x9100\n 2  0x9080\n~3  0x90c0\n" NOTE);
    front_expect(&front, "memobjs", "-columns handle -sort parent",
                 " #  memory object\n~1  0x90c0\n 2  0x9080\n 3  0x9100\n" NOTE);
}
END_TEST

START_TEST(sorted_json)
{
    const char *first;
    const char *second;

    ck_assert_int_eq(front_line(&front, "memobjs", "-sort -size -json"), ompd_view_exit_ok);
    first = strstr(front.text, "\"0x9100\"");
    second = strstr(front.text, "\"0x9080\"");
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(second);
    ck_assert(first < second);
}
END_TEST

START_TEST(grouped)
{
    front_expect(&front, "memobjs", "-group kind",
                 "count        bytes  kind\n"
                 "    1  21474836480  image2d\n"
                 "    1         4096  buffer\n"
                 "    1         1024  sub-buffer\n" NOTE);
    front_expect(&front, "memobjs", "-group context",
                 "count        bytes  context\n    3  21474841600  0x7000\n" NOTE);
    front_expect(&front, "memobjs", "-group parent",
                 "count        bytes  parent\n"
                 "    2  21474840576  -\n"
                 "    1         1024  0x9080\n" NOTE);
    front_expect(&front, "destructors", "-group object", "count  object\n    3  0x9080\n");
    /* A value that is not proved is marked, as in other tables. */
    front_expect(&front, "memobjs", "-group state",
                 "count        bytes  state\n"
                 "    2  21474840576  live\n"
                 "    1         1024  app-released~\n" NOTE
                 "~  state of 1 row: presumed, not proved\n");
    front_expect(&front, "memobjs", "-group kind -limit 1",
                 "count        bytes  kind\n"
                 "    1  21474836480  image2d\n" NOTE
                 "2 more rows are not shown: `set opencl limit 3` or `set opencl limit unlimited` "
                 "shows all.\n");
    front_expect(&front, "memobjs", "-group kind -min-size 1T", "No matching memory objects.\n");
}
END_TEST

START_TEST(grouped_json)
{
    front_expect(&front, "memobjs", "-group size -json",
                 "{\"schema\": 1, \"count\": 1, \"bytes\": 21474836480, \"size\": 21474836480}\n"
                 "{\"schema\": 1, \"count\": 1, \"bytes\": 4096, \"size\": 4096}\n"
                 "{\"schema\": 1, \"count\": 1, \"bytes\": 1024, \"size\": 1024, "
                 "\"presumed\": [\"count\"]}\n");
    front_expect(&front, "destructors", "-group object -json",
                 "{\"schema\": 1, \"count\": 3, \"object\": \"0x9080\"}\n");
}
END_TEST

/* Many groups of many rows. */
START_TEST(many_groups)
{
    unsigned lines = 0;

    for (uint32_t i = 0; i < 1000; i++)
        fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 8192 + i / 2);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "memobjs", "-group size"), ompd_view_exit_ok);
    for (const char *line = front.text; *line != '\0'; line = strchr(line, '\n') + 1)
        lines += strncmp(line, "    2  ", 7) == 0;
    ck_assert_uint_eq(lines, 500);
    ck_assert_int_eq(front_line(&front, "memobjs", "-columns size -sort -size -limit 4"),
                     ompd_view_exit_ok);
    ck_assert_ptr_nonnull(strstr(front.text, "2         8691 B\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "3         8691 B\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "4         8690 B\n"));
}
END_TEST

START_TEST(refused)
{
    front_refuses(&front, "memobjs", "-columns sizes",
                  "-columns: unknown field 'sizes'; choose from ");
    front_refuses(&front, "memobjs", "-columns size,", "-columns: unknown field ''");
    front_refuses(&front, "memobjs", "-columns stack", "-columns: unknown field 'stack'");
    front_refuses(&front, "memobjs", "-columns -size", "unknown field '-size'");
    front_refuses(&front, "memobjs", "-sort --size", "unknown field '-size'");
    front_refuses(&front, "memobjs", "-columns size -json", "-columns applies to tables only");
    front_refuses(&front, "memobjs", "-group size,kind", "-group takes one field.");
    front_refuses(&front, "memobjs", "-group size -sort kind",
                  "cannot be combined with -columns or -sort.");
    front_refuses(&front, "destructors", "0x9080 -group state",
                  "-group applies to the list of all");
    front_refuses(&front, "memobj", "0x9080 -sort size", "has no option -sort");
    front_refuses(&front, "overview", "-columns pid", "has no option -columns");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-arrange");
    TCase *tcase = tcase_create("arrange");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, columns);
    tcase_add_test(tcase, titles);
    tcase_add_test(tcase, sorted);
    tcase_add_test(tcase, sorted_json);
    tcase_add_test(tcase, grouped);
    tcase_add_test(tcase, grouped_json);
    tcase_add_test(tcase, many_groups);
    tcase_add_test(tcase, refused);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
