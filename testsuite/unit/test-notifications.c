/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Event and build callbacks as rows, of complete targets, of older recorders, and of corrupt
 * records. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define NOTIFICATION ompd_cl_registry_notification
#define SHOWN (CALLBACK_COUNT - 1)
#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

START_TEST(rows)
{
    const ompd_cl_callback_info_t *all = answers.callbacks;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.callback_count, SHOWN);
    for (uint32_t i = 0; i < SHOWN; i++) {
        ck_value(all[i].function, 0x400700 + i);
        ck_value(all[i].user_data, 0x600100 + i);
        ck_value(all[i].head.caller, 0x400800 + i);
        ck_value(all[i].context, CONTEXT_HANDLE);
        ck_value(all[i].state, ompd_cl_callback_state_registered);
        ck_none(all[i].running_lwp, ompd_cl_status_not_applicable);
        ck_value(all[i].object_kind, i < 2 ? ompd_cl_kind_event : ompd_cl_kind_program);
    }
    ck_value(all[0].object, EVENT_HANDLE);
    ck_value(all[0].status, 0);
    ck_value(all[1].object, EVENT_HANDLE + 0x200);
    ck_value(all[1].status, 1);
    ck_value(all[2].object, PROGRAM_HANDLE);
    ck_none(all[2].status, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

static void set_up(void)
{
    rows_begin(0);
}

static void set(uint32_t callback, uint32_t field, uint64_t value)
{
    fake_set(target, NOTIFICATION, population.callbacks[callback], field, value);
}

#define F(name) ompd_cl_registry_field_##name

/* One that ran in a thread that is in no such callback was left, whatever has become of its event.
 */
START_TEST(left)
{
    const uint64_t run = OMPD_CL_REGISTRY_RUN(FIRST_LWP + 4, ompd_cl_registry_running);

    set(0, F(run), run);
    set(3, F(run), run);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask();
    ck_assert_uint_eq(answers.callback_count, CALLBACK_COUNT);
    ck_value(answers.callbacks[0].state, ompd_cl_callback_state_left);
    ck_value(answers.callbacks[0].running_lwp, FIRST_LWP + 4);
    ck_value(answers.callbacks[3].state, ompd_cl_callback_state_left);
}
END_TEST

/* What cannot be is marked, and the rest of the row stays. */
START_TEST(lies)
{
    set(0, F(run), OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_done));
    set(1, F(object_table), ompd_cl_registry_memobj);
    set(2, F(object_handle), 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.callback_count, SHOWN);
    ck_none(answers.callbacks[0].state, ompd_cl_status_corrupt);
    ck_value(answers.callbacks[0].object, EVENT_HANDLE);
    ck_none(answers.callbacks[1].object_kind, ompd_cl_status_corrupt);
    ck_value(answers.callbacks[1].function, 0x400701);
    ck_none(answers.callbacks[2].object, ompd_cl_status_unknown);
}
END_TEST

/* An event that no table has does not remove the callback, but then its state is unknown. */
START_TEST(strange_parent)
{
    set(0, F(parent), OMPD_CL_REGISTRY_REFERENCE(99, 0));
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.callback_count, SHOWN);
    ck_value(answers.callbacks[0].object, EVENT_HANDLE);
    ck_none(answers.callbacks[0].state, ompd_cl_status_corrupt);
}
END_TEST

START_TEST(filters)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .kinds = 1 << ompd_cl_kind_program};
    ompd_cl_callback_info_t all[CALLBACK_COUNT] = {{.head.struct_size = sizeof(all[0])}};
    ompd_size_t unreadable = 42;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_callback_list_open(population.space, &filter, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_callback_list_next(population.space, list, CALLBACK_COUNT, all, &count,
                                                &unreadable),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_value(all[0].object, PROGRAM_HANDLE);
    ck_assert_uint_eq(unreadable, 0);
}
END_TEST

static void refuse(const char *words)
{
    ompd_cl_list_t list = {42};

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_callback_list_open(population.space, NULL, &list),
                     ompd_rc_unavailable);
    sentence_expect(population.space, words);
    ck_assert_uint_eq(list.id, 42);
}

/* A recorder of version 1.5 has a root that ends before the table. */
START_TEST(older_recorder)
{
    fake_put(target, ROOT(minor), 2, 5);
    fake_put(target, ROOT(root_size), 4, OMPD_CL_REGISTRY_ROOT_SIZE_1_4);
    refuse("older than registry version 1.6");
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.ledger_count, LEDGER_COUNT);
    ck_assert_uint_eq(answers.call_count, CALL_COUNT);
}
END_TEST

/* More tables than the root has room for are corruption. */
START_TEST(too_many_tables)
{
    ompd_cl_list_t list = {42};

    fake_put(target, ROOT(last_table_count), 4, 5);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_error);
    ck_assert_int_eq(ompd_cl_callback_list_open(population.space, NULL, &list), ompd_rc_error);
    ck_assert_uint_eq(list.id, 42);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("notifications");
    TCase *variants = tcase_create("variants");
    TCase *tcase = tcase_create("notifications");

    tcase_add_loop_test(variants, rows, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, variants);
    tcase_add_checked_fixture(tcase, set_up, rows_tear_down);
    tcase_add_test(tcase, left);
    tcase_add_test(tcase, lies);
    tcase_add_test(tcase, strange_parent);
    tcase_add_test(tcase, filters);
    tcase_add_test(tcase, older_recorder);
    tcase_add_test(tcase, too_many_tables);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
