/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that never run: who set the event that they wait for, and what stays unsaid about
 * others. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define COMMAND ompd_cl_registry_command

/* Have in command NUMBER of the population that it is in STATE, and which event made it fail. */
static const ompd_cl_command_info_t *ask(size_t number, uint32_t state, uint64_t event)
{
    uint32_t record = population.commands[number];

    fake_set(target, COMMAND, record, F(run), OMPD_CL_REGISTRY_RUN(7, state));
    fake_set(target, COMMAND, record, F(released_lwp), FIRST_LWP + 1);
    fake_set(target, COMMAND, record, F(released_caller), 0x400300);
    fake_set(target, COMMAND, record, F(failed_status), (uint32_t)-5);
    fake_set(target, COMMAND, record, F(failed_event), event);
    fake_touch(target, COMMAND, record);
    rows_ask();
    return &answers.commands[number];
}

static void expect_failed(const ompd_cl_command_info_t *row)
{
    ck_value(row->state, ompd_cl_event_state_failed);
    ck_value(row->failed_event, EVENT_HANDLE + 0x300);
    ck_value(row->failed_status, (uint64_t)-5);
    ck_value(row->failed_lwp, FIRST_LWP + 1);
    ck_value(row->failed_caller, 0x400300);
}

static void expect_none(const ompd_cl_command_info_t *row, uint64_t state)
{
    ck_value(row->state, state);
    ck_none(row->failed_event, ompd_cl_status_not_applicable);
    ck_none(row->failed_status, ompd_cl_status_not_applicable);
    ck_none(row->failed_lwp, ompd_cl_status_not_applicable);
    ck_none(row->failed_caller, ompd_cl_status_not_applicable);
    ck_none(row->failed_stack, ompd_cl_status_not_applicable);
}

START_TEST(by_an_event)
{
    const ompd_cl_command_info_t *row;

    rows_begin(_i);
    row = ask(1, ompd_cl_registry_failed, EVENT_HANDLE + 0x300);
    expect_failed(row);
    ck_none(row->error, ompd_cl_status_not_applicable);
    /* Enqueued behind it: the runtime may never end it, */
    row = ask(1, ompd_cl_registry_enqueued, EVENT_HANDLE + 0x300);
    expect_failed(row);
    ck_none(row->error, ompd_cl_status_unknown);
    /* or the queue has come past it. */
    row = ask(0, ompd_cl_registry_enqueued, EVENT_HANDLE + 0x300);
    expect_failed(row);
    ck_none(row->error, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

START_TEST(by_nothing_known)
{
    rows_begin(_i);
    expect_none(ask(1, ompd_cl_registry_failed, 0), ompd_cl_event_state_failed);
    expect_none(ask(1, ompd_cl_registry_enqueued, 0), ompd_cl_event_state_enqueued);
    /* The runtime has run it all the same. */
    expect_none(ask(1, ompd_cl_registry_done, EVENT_HANDLE + 0x300), ompd_cl_event_state_done);
    rows_tear_down();
}
END_TEST

/* An older recorder records none. */
START_TEST(older)
{
    rows_begin(_i);
    fake_forget_field(target, COMMAND, F(failed_event));
    rows_ask();
    expect_none(&answers.commands[1], ompd_cl_event_state_enqueued);
    rows_tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failed-commands");
    TCase *tests = tcase_create("failed-commands");

    tcase_add_loop_test(tests, by_an_event, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, by_nothing_known, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, older, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
