/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Entries of the ledger and calls as rows, of complete targets, of older recorders, of recorders
 * with fewer records, and of corrupt records. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <ompd-opencl-calls.h>

#define LEDGER ompd_cl_registry_ledger
#define CALL ompd_cl_registry_call
#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

START_TEST(entries)
{
    const ompd_cl_ledger_info_t *rows = answers.ledger;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.ledger_count, LEDGER_COUNT);
    for (uint32_t i = 0; i < LEDGER_COUNT; i++) {
        ck_value(rows[i].head.handle, i < 4 ? EVENT_HANDLE : GONE_HANDLE);
        ck_value(rows[i].object_kind, i < 4 ? ompd_cl_kind_event : ompd_cl_kind_memobj);
        ck_value(rows[i].number, i < 4 ? i + 1 : i + 4);
        ck_value(rows[i].at, 1700000002000 + rows[i].number.value);
        ck_value(rows[i].head.lwp, i == 2 ? FIRST_LWP + 1 : FIRST_LWP);
        ck_assert_uint_eq(rows[i].head.order.value, i < 4 ? answers.events[0].head.order.value
                                                          : answers.gone[0].head.order.value);
    }
    ck_value(rows[0].action, ompd_cl_action_created);
    ck_value(rows[0].references, 1);
    ck_value(rows[0].head.caller, 0x400410);
    ck_none(rows[0].ending, ompd_cl_status_not_applicable);
    ck_value(rows[2].action, ompd_cl_action_retained);
    ck_value(rows[2].references, 3);
    ck_value(rows[4].action, ompd_cl_action_released);
    ck_value(rows[5].action, ompd_cl_action_ended);
    ck_value(rows[5].ending, ompd_cl_ending_released);
    ck_none(rows[5].head.caller, ompd_cl_status_not_applicable);
    ck_none(rows[5].head.stack, ompd_cl_status_not_applicable);
    ck_value(rows[6].action, ompd_cl_action_over_released);
    ck_value(rows[6].head.caller, 0x400450);
    rows_tear_down();
}
END_TEST

START_TEST(calls)
{
    const ompd_cl_call_info_t *rows = answers.calls;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.call_count, CALL_COUNT);
    for (uint32_t i = 0; i < CALL_COUNT; i++) {
        ck_value(rows[i].head.lwp, FIRST_LWP + i / 2);
        ck_value(rows[i].return_order, 500000000000 - i);
        ck_value(rows[i].at, 1700000003000 + i);
        ck_value(rows[i].head.caller, 0x400600 + i);
    }
    ck_value(rows[0].call, ompd_cl_call_clCreateBuffer);
    ck_value(rows[0].object, CONTEXT_HANDLE);
    ck_value(rows[0].result, 0);
    ck_value(rows[1].result, (uint64_t)-38);
    ck_none(rows[2].result, ompd_cl_status_not_applicable);
    ck_none(rows[3].result, ompd_cl_status_unknown);
    rows_tear_down();
}
END_TEST

static void set_up(void)
{
    rows_begin(0);
}

/* What cannot be is marked, and the rest of the row stays. */
START_TEST(lies)
{
    fake_set(target, LEDGER, population.ledger[0], F(action), 99);
    fake_set(target, LEDGER, population.ledger[1], F(object),
             OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm, 0));
    fake_set(target, LEDGER, population.ledger[3], F(references), (uint32_t)-7);
    fake_set(target, LEDGER, population.ledger[5], F(ending), 77);
    fake_set(target, CALL, population.calls[0], F(what), 0x7777);
    rows_ask_in_vain();
    ck_none(answers.ledger[0].action, ompd_cl_status_corrupt);
    ck_value(answers.ledger[0].head.handle, EVENT_HANDLE);
    ck_none(answers.ledger[1].object_kind, ompd_cl_status_corrupt);
    ck_value(answers.ledger[3].references, (uint64_t)-7);
    ck_none(answers.ledger[5].ending, ompd_cl_status_corrupt);
    ck_none(answers.calls[0].call, ompd_cl_status_corrupt);
    ck_value(answers.calls[0].result, 0);
}
END_TEST

/* A record that was being written at the stop is ignored; the number of one that was just being
 * freed is unknown. */
START_TEST(being_written)
{
    fake_set(target, LEDGER, population.ledger[0], F(state), ompd_cl_registry_free);
    fake_set(target, LEDGER, population.ledger[0], F(change), FIRST_LWP);
    fake_set(target, LEDGER, population.ledger[3], F(change), UINT64_C(2) << 32 | FIRST_LWP);
    fake_set(target, CALL, population.calls[1], F(state), ompd_cl_registry_free);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.ledger_count, LEDGER_COUNT - 1);
    ck_value(answers.ledger[0].action, ompd_cl_action_retained);
    ck_none(answers.ledger[2].number, ompd_cl_status_unknown);
    ck_value(answers.ledger[2].references, 2);
    ck_assert_uint_eq(answers.call_count, CALL_COUNT - 1);
    ck_assert_uint_eq(answers.unreadable, 0);
}
END_TEST

/* A ring is written anew without a trace in its chunk. */
START_TEST(read_anew)
{
    rows_ask();
    fake_set(target, LEDGER, population.ledger[0], F(references), 42);
    fake_set(target, CALL, population.calls[0], F(handle), 0x4242);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask();
    ck_value(answers.ledger[0].references, 42);
    ck_value(answers.calls[0].object, 0x4242);
}
END_TEST

START_TEST(filter_by_kind)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .kinds = 1 << ompd_cl_kind_memobj};
    ompd_cl_ledger_info_t rows[LEDGER_COUNT] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t unreadable = 42;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_ledger_list_open(population.space, &filter, &list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_ledger_list_next(population.space, list, LEDGER_COUNT, rows, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    filter.struct_size = sizeof(filter.struct_size);
    ck_assert_int_eq(ompd_cl_ledger_list_open(population.space, &filter, &list), ompd_rc_ok);
}
END_TEST

static void refuse_ledger(const ompd_cl_filter_t *filter, const char *words)
{
    ompd_cl_list_t list = {42};

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_ledger_list_open(population.space, filter, &list),
                     ompd_rc_unavailable);
    sentence_expect(population.space, words);
    ck_assert_uint_eq(list.id, 42);
}

static void refuse_calls(const char *words)
{
    ompd_cl_list_t list = {42};

    ck_assert_int_eq(ompd_cl_call_list_open(population.space, &list), ompd_rc_unavailable);
    sentence_expect(population.space, words);
    ck_assert_uint_eq(list.id, 42);
}

/* Each reason for a missing ledger is reported. */
START_TEST(not_kept)
{
    const ompd_cl_filter_t kernels = {.struct_size = sizeof(kernels),
                                      .kinds = 1 << ompd_cl_kind_kernel};
    const ompd_cl_filter_t strange = {.struct_size = sizeof(strange),
                                      .kinds = UINT64_C(1) << ompd_cl_kind_command};
    ompd_cl_list_t list;

    fake_put(target, ROOT(switches), 4, OMPD_CL_REGISTRY_KEEPS_LEDGER(ompd_cl_registry_event));
    refuse_ledger(&kernels, "OMPD_OPENCL_LEDGER named other kinds");
    ck_assert_int_eq(ompd_cl_ledger_list_open(population.space, &strange, &list), ompd_rc_ok);
    fake_put(target, ROOT(switches), 4, OMPD_CL_REGISTRY_KEEPS_COMMANDS);
    refuse_ledger(NULL, "OMPD_OPENCL_LEDGER=1");
    refuse_calls("OMPD_OPENCL_CALLS=256");
    /* A root that ends where it did before version 1.4. */
    fake_put(target, ROOT(root_size), 4, OMPD_CL_REGISTRY_ROOT_SIZE_1_0);
    refuse_ledger(NULL, "older than registry version 1.5");
    refuse_calls("older than registry version 1.5");
}
END_TEST

/* A recorder of version 1.4 has two fewer tables, and no bits for them in its switches. */
START_TEST(older_recorder)
{
    fake_put(target, ROOT(minor), 2, 4);
    fake_put(target, ROOT(more_table_count), 4, 2);
    refuse_ledger(NULL, "older than registry version 1.5");
    refuse_calls("older than registry version 1.5");
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.gone_count, GONE_COUNT);
    ck_assert_uint_eq(answers.error_count, ERROR_COUNT);
}
END_TEST

START_TEST(no_recorder)
{
    ompd_cl_list_t list = {42};

    target->has_recorder = false;
    ompd_cl_address_space_refresh(population.space);
    ck_assert_int_eq(ompd_cl_ledger_list_open(population.space, NULL, &list), ompd_rc_unavailable);
    ck_assert_uint_eq(list.id, 42);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ledger");
    TCase *variants = tcase_create("variants");
    TCase *tcase = tcase_create("ledger");

    tcase_add_loop_test(variants, entries, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, calls, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, variants);
    tcase_add_checked_fixture(tcase, set_up, rows_tear_down);
    tcase_add_test(tcase, lies);
    tcase_add_test(tcase, being_written);
    tcase_add_test(tcase, read_anew);
    tcase_add_test(tcase, filter_by_kind);
    tcase_add_test(tcase, not_kept);
    tcase_add_test(tcase, older_recorder);
    tcase_add_test(tcase, no_recorder);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
