/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Grouping cores by records of a process that a core may have taken over. */
#include "suite.h"

#include <command/triage/triage.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct command_core_groups groups;

static void end(void)
{
    command_core_groups_free(&groups);
}

static const struct command_wait_node *node_of(const char *name, size_t parent)
{
    for (size_t i = 0; i < groups.node_count; i++)
        if (groups.nodes[i].parent == parent && strcmp(groups.nodes[i].name, name) == 0)
            return &groups.nodes[i];
    ck_abort_msg("no node %s", name);
}

static void expect_node(const char *name, size_t parent, uint64_t count, uint64_t ending)
{
    const struct command_wait_node *node = node_of(name, parent);

    ck_assert_uint_eq(node->count, count);
    ck_assert_uint_eq(node->ending, ending);
}

START_TEST(a_tree)
{
    command_core_groups_add(&groups, "one", "hang\nkey\n\nlived | f | g; f | h; f | h\n");
    command_core_groups_add(&groups, "two", "?hang\nkey\n\nlived | f | g | i\n");
    command_core_groups_add(&groups, "three", "crash\nother\n\n\n");
    ck_assert_uint_eq(groups.cores, 3);
    ck_assert_uint_eq(groups.waiting, 2);
    ck_assert_uint_eq(groups.count, 2);
    ck_assert_uint_eq(groups.all[0].count, 2);
    ck_assert(groups.all[0].is_presumed);
    ck_assert(!groups.all[1].is_presumed);
    ck_assert_str_eq(groups.all[0].example, "one");
    ck_assert_uint_eq(groups.node_count, 4);
    expect_node("f", 0, 2, 0);
    expect_node("g", 1, 2, 1);
    expect_node("h", 1, 1, 1);
    expect_node("i", 2, 1, 1);
    ck_assert_str_eq(node_of("i", 2)->example, "two");
}
END_TEST

/* Each program's cores form a separate group, unless the record names no program. */
START_TEST(programs)
{
    command_core_groups_add(&groups, "one", "abort\nmain\nblur\n\n");
    command_core_groups_add(&groups, "two", "abort\nmain\nsharpen\n\n");
    command_core_groups_add(&groups, "three", "abort\nmain\nblur\n\n");
    ck_assert_uint_eq(groups.count, 2);
    ck_assert_uint_eq(groups.all[0].count, 2);
    ck_assert_str_eq(groups.all[0].program, "blur");
    ck_assert_uint_eq(groups.all[1].count, 1);
}
END_TEST

START_TEST(records_that_are_not_whole)
{
    static const char *const records[] = {"", "hang", "hang\nkey\n", "hang\nkey\n\nlived | f"};

    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        command_core_groups_add(&groups, "core", records[i]);
    ck_assert_uint_eq(groups.count, 1);
    ck_assert_str_eq(groups.all[0].class, "");
    ck_assert_str_eq(groups.all[0].coarse, "");
    ck_assert_uint_eq(groups.node_count, 0);
}
END_TEST

/* So many places, and so many functions, as fit. */
START_TEST(hostile_records)
{
    static const char places[] = "f | ; | | a | ";
    char *record = malloc(COMMAND_RECORD + 1);
    size_t size;

    strcpy(record, "?\n?\n\nlived | ");
    size = strlen(record);
    for (unsigned i = 0; size < COMMAND_RECORD - 32; i++)
        size += (size_t)sprintf(record + size, "%u; ", i);
    strcat(record, "\n");
    for (unsigned i = 0; i < 3; i++)
        command_core_groups_add(&groups, "core", record);
    ck_assert_uint_eq(groups.node_count, 4096);
    ck_assert(groups.is_cut);
    end();
    strcpy(record, "\n\n\nlived | ");
    for (size = strlen(record); size < COMMAND_RECORD - 32; size += strlen(places))
        strcpy(record + size, places);
    strcpy(record + size, "\n");
    command_core_groups_add(&groups, "core", record);
    for (size_t i = 0; i < groups.node_count; i++)
        ck_assert_uint_lt(groups.nodes[i].parent, i + 1);
    free(record);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command-core-groups");
    TCase *tests = tcase_create("command-core-groups");

    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, a_tree);
    tcase_add_test(tests, programs);
    tcase_add_test(tests, records_that_are_not_whole);
    tcase_add_test(tests, hostile_records);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
