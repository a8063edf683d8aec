/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of kernels and of commands that run them, and commands whose arguments are
 * destroyed. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define COMMAND ompd_cl_registry_command
#define KERNEL ompd_cl_registry_kernel
#define BLOCK ompd_cl_registry_argument_block
#define KEPT OMPD_CL_REGISTRY_ARGUMENTS
#define MANY (3 * KEPT + 5)
#define FORM(name, size) OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_##name, size)

static ompd_cl_argument_info_t rows[MANY + 1];
static ompd_size_t count;
static ompd_size_t unreadable;

static void put(uint32_t table, uint32_t record, uint32_t number, uint32_t form, uint64_t value)
{
    fake_put_argument(target, table, record, number, form, value);
    fake_touch(target, table, record);
}

/* Read the arguments of command NUMBER of the list; the next call is expected to return RC. */
static void ask_command(size_t number, ompd_rc_t rc)
{
    ompd_cl_list_t list;

    rows_ask();
    ck_assert_int_eq(
        ompd_cl_command_argument_list_open(
            population.space, ompd_cl_command_info_id(&answers.commands[number]), &list),
        ompd_rc_ok);
    rows[0].head.struct_size = sizeof(rows[0]);
    count = 42;
    ck_assert_int_eq(
        ompd_cl_argument_list_next(population.space, list, MANY + 1, rows, &count, &unreadable),
        rc);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

static void expect_object(const ompd_cl_argument_info_t *row, ompd_cl_kind_t kind, uint64_t handle)
{
    ck_value(row->object_kind, kind);
    ck_value(row->object, handle);
    ck_value(row->size, target->pointer_size);
    ck_none(row->value, ompd_cl_status_not_applicable);
}

static void expect_data(const ompd_cl_argument_info_t *row, uint64_t size, uint64_t value)
{
    ck_assert_uint_eq(row->form.value, ompd_cl_argument_data);
    ck_none(row->object_kind, ompd_cl_status_not_applicable);
    ck_none(row->object, ompd_cl_status_not_applicable);
    ck_value(row->size, size);
    ck_value(row->value, value);
}

START_TEST(forms)
{
    const ompd_cl_argument_info_t *arguments = answers.arguments;

    rows_begin(_i);
    rows_ask();
    ck_value(answers.kernels[0].argument_count, ARGUMENT_COUNT);
    ck_assert_uint_eq(answers.argument_count, ARGUMENT_COUNT);
    for (uint64_t i = 0; i < ARGUMENT_COUNT; i++)
        ck_value(arguments[i].number, i);
    ck_value(arguments[0].form, ompd_cl_argument_object);
    expect_object(&arguments[0], ompd_cl_kind_memobj, BUFFER_HANDLE);
    ck_value(arguments[1].form, ompd_cl_argument_object);
    expect_object(&arguments[1], ompd_cl_kind_sampler, SAMPLER_HANDLE);
    ck_value(arguments[2].form, ompd_cl_argument_svm);
    expect_object(&arguments[2], ompd_cl_kind_svm, SVM_POINTER);
    ck_value(arguments[3].form, ompd_cl_argument_data);
    expect_data(&arguments[3], 2, 7);
    ck_value(arguments[4].form, ompd_cl_argument_local);
    ck_value(arguments[4].size, 64);
    ck_none(arguments[4].value, ompd_cl_status_not_applicable);
    ck_value(arguments[5].form, ompd_cl_argument_unset);
    ck_none(arguments[5].size, ompd_cl_status_not_applicable);
    /* It could be the handle of something that the recorder has not seen. */
    ck_assert_uint_eq(arguments[6].form.status, ompd_cl_status_presumed);
    expect_data(&arguments[6], target->pointer_size, 0x1234);
    rows_tear_down();
}
END_TEST

/* Those that its kernel had then: what was made later is not meant. */
START_TEST(of_commands)
{
    uint32_t command;

    rows_begin(_i);
    command = population.commands[0];
    put(COMMAND, command, 0, FORM(value, target->pointer_size), SAMPLER_HANDLE);
    put(COMMAND, command, 1, FORM(value, 3), 7);
    ask_command(0, ompd_rc_ok);
    ck_value(answers.commands[0].argument_count, 2);
    ck_assert_uint_eq(count, 2);
    ck_value(rows[1].form, ompd_cl_argument_data);
    ck_none(rows[1].value, ompd_cl_status_not_applicable);
    fake_set(target, COMMAND, command, F(serial), answers.samplers[0].head.order.value + 1000);
    fake_touch(target, COMMAND, command);
    ask_command(0, ompd_rc_ok);
    ck_value(rows[0].form, ompd_cl_argument_object);
    expect_object(&rows[0], ompd_cl_kind_sampler, SAMPLER_HANDLE);
    fake_set(target, COMMAND, command, F(serial), 1);
    fake_touch(target, COMMAND, command);
    ask_command(0, ompd_rc_ok);
    ck_assert_uint_eq(rows[0].form.value, ompd_cl_argument_data);
    ck_assert_uint_eq(rows[0].form.status, ompd_cl_status_presumed);
    rows_tear_down();
}
END_TEST

static uint32_t blocks[3];

/* Have MANY arguments, each its number, in the first command, and in blocks. */
static void put_many(void)
{
    uint32_t command = population.commands[0];

    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t block = i / KEPT - 1;

        if (i < KEPT) {
            put(COMMAND, command, i, FORM(value, 4), i);
            continue;
        }
        if (i % KEPT == 0) {
            blocks[block] = fake_add(target, BLOCK);
            fake_set(target, BLOCK, blocks[block], F(first_argument), i);
            if (block == 0)
                fake_set(target, COMMAND, command, F(more_arguments), blocks[0] + 1);
            else
                fake_set(target, BLOCK, blocks[block - 1], F(next), blocks[block] + 1);
        }
        put(BLOCK, blocks[block], i % KEPT, FORM(value, 4), i);
    }
    fake_set(target, COMMAND, command, F(argument_count), MANY);
}

/* The first EXPECTED are listed, and TEXT is why the others are not. */
static void expect_first(uint32_t expected, const char *text)
{
    ask_command(0, text == NULL ? ompd_rc_ok : ompd_rc_incomplete);
    ck_assert_uint_eq(count, expected);
    ck_assert_uint_eq(unreadable, MANY - expected);
    for (uint32_t i = 0; i < expected; i++) {
        ck_value(rows[i].number, i);
        expect_data(&rows[i], 4, i);
    }
    if (text != NULL)
        sentence_expect(population.space, text);
}

static void spoil(uint32_t table, uint32_t record, uint32_t field, uint64_t value)
{
    fake_set(target, table, record, field, value);
    fake_touch(target, table, record);
}

/* Those that the record has no room for are in blocks. */
START_TEST(many)
{
    rows_begin(_i);
    put_many();
    expect_first(MANY, NULL);
    ck_value(answers.commands[0].argument_count, MANY);
    /* A recorder without memory, and an older one. */
    spoil(BLOCK, blocks[1], F(next), 0);
    expect_first(3 * KEPT, "the recorder ran out of memory for the last arguments");
    spoil(COMMAND, population.commands[0], F(more_arguments), 0);
    expect_first(KEPT, "the recorder ran out of memory for the last arguments");
    fake_forget_field(target, COMMAND, F(more_arguments));
    expect_first(KEPT, "the recorder records only the first arguments");
    rows_tear_down();
}
END_TEST

/* Chains with cycles, or with invalid links. */
START_TEST(corrupt_chains)
{
    rows_begin(_i);
    put_many();
    spoil(BLOCK, blocks[2], F(first_argument), 0);
    expect_first(3 * KEPT, "the last arguments of a kernel are not where it says");
    spoil(BLOCK, blocks[1], F(next), blocks[1] + 1);
    expect_first(3 * KEPT, "the last arguments of a kernel are not where it says");
    spoil(BLOCK, blocks[1], F(next), blocks[0] + 1);
    expect_first(3 * KEPT, "the last arguments of a kernel are not where it says");
    spoil(BLOCK, blocks[1], F(state), ompd_cl_registry_free);
    expect_first(2 * KEPT, "the last arguments of a kernel are not where it says");
    spoil(BLOCK, blocks[0], F(next), UINT32_MAX);
    expect_first(2 * KEPT, "the last arguments of a kernel are not where it says");
    spoil(COMMAND, population.commands[0], F(more_arguments), 1000);
    expect_first(KEPT, "the last arguments of a kernel are not where it says");
    rows_tear_down();
}
END_TEST

START_TEST(corrupt)
{
    uint32_t command;

    rows_begin(_i);
    command = population.commands[0];
    put(COMMAND, command, 0, FORM(value, 4) | UINT32_C(9) << 28, 7);
    ask_command(0, ompd_rc_incomplete);
    ck_assert_uint_eq(count, 1);
    ck_none(rows[0].form, ompd_cl_status_corrupt);
    ck_none(rows[0].size, ompd_cl_status_corrupt);
    fake_set(target, COMMAND, command, F(argument_count), UINT32_MAX);
    fake_touch(target, COMMAND, command);
    ask_command(0, ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    sentence_expect(population.space, "registry is corrupt");
    rows_tear_down();
}
END_TEST

/* The findings about a kernel that was enqueued with destroyed objects. */
static ompd_size_t find(ompd_cl_finding_info_t *finding)
{
    ompd_cl_finding_info_t found[16] = {{.head.struct_size = sizeof(found[0])}};
    ompd_size_t total = 0;
    ompd_size_t matching = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_finding_list_open(population.space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_finding_list_next(population.space, list, 16, found, &total, NULL),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    for (ompd_size_t i = 0; i < total; i++) {
        if (found[i].rule.value == ompd_cl_finding_argument_gone) {
            *finding = found[i];
            matching++;
        }
    }
    return matching;
}

START_TEST(gone)
{
    ompd_cl_finding_info_t finding;

    rows_begin(_i);
    ck_assert_uint_eq(find(&finding), 0);
    for (unsigned i = 0; i < 2; i++) {
        put(COMMAND, population.commands[i], 0, FORM(value, 4), 1);
        put(COMMAND, population.commands[i], 1, FORM(value, target->pointer_size), GONE_HANDLE);
        /* It ended before, */
        fake_set(target, COMMAND, population.commands[i], F(serial), 1000 + i);
    }
    ck_assert_uint_eq(find(&finding), 1);
    ck_value(finding.head.confidence, ompd_cl_confidence_certain);
    ck_value(finding.object_kind, ompd_cl_kind_kernel);
    ck_value(finding.object, KERNEL_HANDLE);
    ck_value(finding.other_kind, ompd_cl_kind_memobj);
    ck_value(finding.other, GONE_HANDLE);
    ck_value(finding.size, 4096);
    ck_value(finding.argument, 1);
    ck_value(finding.count, 2);
    ck_value(finding.other_caller, 0x400200);
    /* or after it was enqueued. */
    fake_set(target, COMMAND, population.commands[0], F(serial), 2);
    fake_touch(target, COMMAND, population.commands[0]);
    ck_assert_uint_eq(find(&finding), 1);
    ck_value(finding.count, 1);
    fake_set(target, COMMAND, population.commands[1], F(serial), 2);
    fake_touch(target, COMMAND, population.commands[1]);
    ck_assert_uint_eq(find(&finding), 0);
    rows_tear_down();
}
END_TEST

/* Of several objects that had the handle, the last before the command is meant. */
START_TEST(given_out_again)
{
    ompd_cl_finding_info_t finding;
    uint32_t later;

    rows_begin(_i);
    later = population.gone[1];
    put(COMMAND, population.commands[0], 0, FORM(value, target->pointer_size), GONE_HANDLE);
    fake_set(target, COMMAND, population.commands[0], F(serial), 1000);
    fake_set(target, ompd_cl_registry_gone, later, F(handle), GONE_HANDLE);
    fake_set(target, ompd_cl_registry_gone, later, F(serial), 900);
    fake_set(target, ompd_cl_registry_gone, later, F(ended), 1001);
    fake_touch(target, ompd_cl_registry_gone, later);
    ck_assert_uint_eq(find(&finding), 0);
    fake_set(target, ompd_cl_registry_gone, later, F(ended), 999);
    fake_touch(target, ompd_cl_registry_gone, later);
    ck_assert_uint_eq(find(&finding), 1);
    ck_value(finding.size, 64);
    fake_set(target, ompd_cl_registry_gone, later, F(serial), 1002);
    fake_set(target, ompd_cl_registry_gone, later, F(ended), 1003);
    fake_touch(target, ompd_cl_registry_gone, later);
    ck_assert_uint_eq(find(&finding), 1);
    ck_value(finding.size, 4096);
    rows_tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arguments");
    TCase *tests = tcase_create("arguments");

    tcase_add_loop_test(tests, forms, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, of_commands, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, many, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, corrupt_chains, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, corrupt, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, gone, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, given_out_again, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
