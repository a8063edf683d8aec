/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads wait for, in complete, older and corrupt targets. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <ompd-opencl-calls.h>
#include <string.h>

/* Events of the population. */
#define UNSET EVENT_HANDLE
#define OVER (EVENT_HANDLE + 0x100)
#define PENDING (EVENT_HANDLE + 0x200)
#define FAILED (EVENT_HANDLE + 0x300)

#define HOP_LIMIT 16

static ompd_cl_wait_step_info_t steps[HOP_LIMIT];
static ompd_size_t hop_count;

/* Have the steps at this stop. */
static void follow(ompd_rc_t expected)
{
    ompd_cl_list_t list;

    memset(steps, 0, sizeof(steps));
    steps[0].head.struct_size = sizeof(steps[0]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_wait_step_list_open(population.space, &list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_wait_step_list_next(population.space, list, HOP_LIMIT, steps, &hop_count, NULL),
        expected);
    ck_assert_uint_lt(hop_count, HOP_LIMIT);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

/* Step STEP, from 1, of the chain of thread 4. */
static const ompd_cl_wait_step_info_t *hop_of_thread(uint64_t step)
{
    for (ompd_size_t i = 0; i < hop_count; i++) {
        if (steps[i].thread.value == FIRST_LWP + 4 && steps[i].step.value == 1) {
            ck_assert_uint_lt(i + step - 1, hop_count);
            ck_assert_uint_eq(steps[i + step - 1].chain.value, steps[i].chain.value);
            return &steps[i + step - 1];
        }
    }
    ck_abort_msg("the thread is not shown");
    return NULL;
}

static void put_list(uint64_t address, uint32_t count, uint64_t first)
{
    fake_put_activity(target, population.threads[4], 0, ompd_cl_call_clWaitForEvents | WAITS, count,
                      first);
    fake_put(target, fake_field_address(target, THREAD, population.threads[4], F(lists)), 8,
             address);
}

/* Thread 4 waits for the COUNT events of ALL. */
static void wait_for(const uint64_t *all, uint32_t count)
{
    uint32_t size = target->pointer_size;
    uint64_t address = fake_reserve(target, (uint64_t)count * size, size);

    for (uint32_t i = 0; i < count; i++)
        fake_put(target, address + (uint64_t)i * size, size, all[i]);
    put_list(address, count, all[0]);
}

/* The row names the first incomplete one; the chain continues with the worst. */
START_TEST(several)
{
    const uint64_t all[] = {OVER, PENDING, 0x1234, UNSET};

    rows_begin(_i);
    wait_for(all, 4);
    rows_ask();
    ck_value(answers.threads[3].object, PENDING);
    ck_value(answers.threads[3].event_count, 4);
    ck_none(answers.threads[1].event_count, ompd_cl_status_not_applicable);
    ck_value(answers.found_thread.object, EVENT_HANDLE);

    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(1)->more_events.value, 1);
    ck_assert_uint_eq(hop_of_thread(2)->object.value, UNSET);
    ck_assert_uint_eq(hop_of_thread(2)->end.value, ompd_cl_wait_end_user_event);
    ck_assert_uint_eq(hop_of_thread(2)->more_events.status, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

/* A failed event no longer blocks clWaitForEvents, whatever follows it. */
START_TEST(failed_and_pending)
{
    const uint64_t all[] = {FAILED, UNSET};

    wait_for(all, 2);
    rows_ask();
    ck_value(answers.threads[3].object, UNSET);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(1)->more_events.value, 0);
    ck_assert_uint_eq(hop_of_thread(2)->end.value, ompd_cl_wait_end_user_event);

    wait_for(all, 1);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(2)->end.value, ompd_cl_wait_end_failed);
}
END_TEST

START_TEST(all_over)
{
    const uint64_t all[] = {OVER, 0x1234, OVER};

    wait_for(all, 3);
    rows_ask();
    ck_value(answers.threads[3].object, OVER);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(1)->end.value, ompd_cl_wait_end_unknown);
    ck_assert_str_eq(hop_of_thread(1)->reason.text,
                     "all events of the wait are complete or not recorded");
}
END_TEST

/* A list that is not in memory, regardless of its count. */
START_TEST(unreadable)
{
    static const uint64_t addresses[] = {8, UINT64_MAX - 4, FAKE_BASE - 8};

    put_list(addresses[_i], _i == 0 ? 2 : UINT32_MAX, PENDING);
    rows_ask_in_vain();
    ck_assert_uint_ne(answers.threads[3].object.status, ompd_cl_status_value);
    ck_value(answers.threads[3].event_count, _i == 0 ? 2 : UINT32_MAX);
    follow(ompd_rc_incomplete);
    ck_assert_uint_eq(hop_of_thread(1)->end.value, ompd_cl_wait_end_unknown);
    ck_assert_uint_eq(hop_of_thread(1)->is_mistake.status, ompd_cl_status_unknown);
}
END_TEST

/* A recorder of version 1.6 has the first event only. */
START_TEST(older_recorder)
{
    const uint64_t all[] = {PENDING, UNSET};

    wait_for(all, 2);
    fake_forget_field(target, THREAD, F(lists));
    rows_ask();
    ck_value(answers.threads[3].object, PENDING);
    ck_none(answers.threads[3].event_count, ompd_cl_status_unknown);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(1)->more_events.status, ompd_cl_status_unknown);
    ck_assert_uint_eq(hop_of_thread(2)->object_kind.value, ompd_cl_kind_command);

    fake_put_activity(target, population.threads[4], 0, ompd_cl_call_clWaitForEvents | WAITS, 0,
                      OVER);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(1)->end.value, ompd_cl_wait_end_unknown);
}
END_TEST

/* ---- Commands and queues --------------------------------------------------------------------- */

#define COMMAND ompd_cl_registry_command
#define QUEUE ompd_cl_registry_queue

/* The chain of thread 4 goes through the second command to the user event that it waits for. */
static void expect_user_event(uint64_t step, uint64_t handle)
{
    ck_assert_uint_eq(hop_of_thread(step)->object_kind.value, ompd_cl_kind_command);
    ck_assert_uint_eq(hop_of_thread(step + 1)->object_kind.value, ompd_cl_kind_event);
    ck_value(hop_of_thread(step + 1)->object, handle);
    ck_assert_uint_eq(hop_of_thread(step + 1)->end.value, ompd_cl_wait_end_user_event);
}

/* The user event was there before the command that waits for it. */
static void put_event_before(void)
{
    fake_set(target, ompd_cl_registry_event, population.events[0], F(serial), 1);
}

START_TEST(command_waits)
{
    const uint64_t all[] = {PENDING};

    put_event_before();
    wait_for(all, 1);
    follow(ompd_rc_ok);
    expect_user_event(2, UNSET);
}
END_TEST

/* The command waits for a destroyed user event that was never set. */
START_TEST(gone_event)
{
    const uint64_t all[] = {PENDING};
    uint32_t gone = population.gone[3];
    uint64_t first = fake_get(
        target, fake_field_address(target, COMMAND, population.commands[1], F(wait_list)), 4);

    fake_set(target, ompd_cl_registry_address, (uint32_t)first - 1, F(handle), 0x90000);
    fake_set(target, ompd_cl_registry_gone, gone, F(handle), 0x90000);
    fake_set(target, ompd_cl_registry_gone, gone, F(flags), OMPD_CL_REGISTRY_GONE_UNSET);
    fake_set(target, ompd_cl_registry_gone, gone, F(serial), 1);
    wait_for(all, 1);
    follow(ompd_rc_ok);
    expect_user_event(2, 0x90000);
    ck_value(hop_of_thread(3)->state, ompd_cl_object_state_app_released);
}
END_TEST

/* Make the thread wait for the queue, whose last command nothing blocks. */
static void wait_for_queue(uint64_t properties)
{
    put_event_before();
    fake_put_activity(target, population.threads[4], 0, ompd_cl_call_clFinish | WAITS, 0,
                      QUEUE_HANDLE);
    fake_set(target, QUEUE, population.queue, F(flags), properties);
    fake_set(target, COMMAND, population.commands[2], F(run),
             OMPD_CL_REGISTRY_RUN(7, ompd_cl_registry_enqueued));
    fake_set(target, COMMAND, population.commands[2], F(number), 3);
}

/* Where commands may run in any order a queue waits for each of them. */
START_TEST(queue_waits)
{
    wait_for_queue(_i == 0 ? 0 : 1);
    follow(ompd_rc_ok);
    ck_assert_uint_eq(hop_of_thread(2)->object_kind.value, ompd_cl_kind_queue);
    ck_value(hop_of_thread(2)->object, QUEUE_HANDLE);
    ck_value(hop_of_thread(2)->head.source, ompd_cl_source_recorder);
    expect_user_event(3, UNSET);
}
END_TEST

/* When memory is refused there are no steps, rather than some of the chains. */
START_TEST(memory_refused)
{
    ompd_cl_list_t list;
    ompd_size_t whole;
    ompd_rc_t rc;

    wait_for_queue(1);
    follow(ompd_rc_ok);
    whole = hop_count;
    ck_assert_uint_gt(whole, 3);
    for (uint64_t at = 1;; at++) {
        ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
        fake_reset(target);
        target->failing = fake_alloc;
        target->fail_at = at;
        rc = ompd_cl_wait_step_list_open(population.space, &list);
        if (rc == ompd_rc_ok) {
            steps[0].head.struct_size = sizeof(steps[0]);
            rc = ompd_cl_wait_step_list_next(population.space, list, HOP_LIMIT, steps, &hop_count,
                                             NULL);
            ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
        }
        if (rc == ompd_rc_ok)
            break;
        ck_assert_int_eq(rc, ompd_rc_nomem);
        ck_assert_uint_eq(target->failures, 1);
    }
    ck_assert_uint_eq(target->failures, 0);
    ck_assert_uint_eq(hop_count, whole);
}
END_TEST

/* ---- Callbacks that have user events ----------------------------------------------------------
 */

#define NOTIFICATION ompd_cl_registry_notification

static void set_callback(uint32_t callback, uint32_t field, uint64_t value)
{
    fake_set(target, NOTIFICATION, population.callbacks[callback], field, value);
}

/* Add an unset user event. */
static void add_unset(uint64_t handle)
{
    uint32_t index = fake_add_object(target, ompd_cl_registry_event, handle);

    fake_set(target, ompd_cl_registry_event, index, F(type), 0x1204);
    fake_set(target, ompd_cl_registry_event, index, F(run), ompd_cl_registry_unset);
}

/* Add a callback of the event HANDLE. */
static void add_callback(uint64_t handle, uint64_t user_data)
{
    uint32_t index = fake_add_object(target, NOTIFICATION, 0);

    fake_set(target, NOTIFICATION, index, F(object_table), ompd_cl_registry_event);
    fake_set(target, NOTIFICATION, index, F(object_handle), handle);
    fake_set(target, NOTIFICATION, index, F(function), 0x400900);
    fake_set(target, NOTIFICATION, index, F(user_data), user_data);
    fake_set(target, NOTIFICATION, index, F(parent),
             OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_event, population.events[0]));
    fake_set(target, NOTIFICATION, index, F(run), ompd_cl_registry_registered);
}

/* The thread waits for a user event, whose callback has USER_DATA. */
static void wait_for_itself(uint64_t user_data)
{
    const uint64_t all[] = {UNSET};

    wait_for(all, 1);
    set_callback(0, F(user_data), user_data);
}

/* The chain ends with the user event, which a callback of FUNCTION has in its user data, that is
 * called for the event HANDLE; 0: none has. */
static void expect_carrier(uint64_t function, uint64_t handle)
{
    const ompd_cl_wait_step_info_t *step = hop_of_thread(2);

    ck_value(step->object, UNSET);
    ck_assert_uint_eq(step->end.value, ompd_cl_wait_end_user_event);
    if (function == 0) {
        ck_none(step->function, ompd_cl_status_not_applicable);
        ck_none(step->event, ompd_cl_status_not_applicable);
        return;
    }
    ck_value(step->function, function);
    ck_value(step->event, handle);
}

/* Nothing else remains: no thread, and nothing to run. */
static void leave_alone(void)
{
    for (uint32_t i = 0; i < 3; i++)
        fake_end_thread(target, population.threads[i]);
    for (uint32_t i = 0; i < COMMAND_COUNT; i++)
        fake_set(target, ompd_cl_registry_command, population.commands[i], F(run),
                 ompd_cl_registry_done);
}

/* That its own callback has its handle is no cycle, and what others do is not known here. */
START_TEST(own_callback)
{
    rows_begin(_i);
    wait_for_itself(UNSET);
    leave_alone();
    follow(ompd_rc_ok);
    expect_carrier(0x400700, UNSET);
    ck_none(hop_of_thread(2)->thread, ompd_cl_status_not_applicable);
    ck_none(hop_of_thread(2)->returns_to, ompd_cl_status_not_applicable);
    ck_assert_uint_eq(hop_of_thread(2)->is_mistake.status, ompd_cl_status_value);
    ck_assert_uint_eq(hop_of_thread(2)->is_mistake.value, 0);
    ck_none(hop_of_thread(2)->other_thread, ompd_cl_status_not_applicable);
    ck_assert_str_eq(hop_of_thread(2)->reason.text, "what other threads do is not known");
    rows_tear_down();
}
END_TEST

/* Whether memory that the user data points to has the handle, and whether that is searched for. */
static const struct {
    uint64_t offset;
    bool is_found;
} places[] = {{0, true}, {24, true}, {56, true}, {64, false}};

START_TEST(pointed)
{
    uint64_t address = fake_reserve(target, 128, 8);

    ck_assert_uint_eq(target->pointer_size, 8);
    fake_put(target, address + places[_i].offset, 8, UNSET);
    wait_for_itself(address);
    follow(ompd_rc_ok);
    expect_carrier(places[_i].is_found ? 0x400700 : 0, UNSET);
}
END_TEST

/* User data that is not an address is never read, and makes nothing incomplete. */
START_TEST(no_address)
{
    static const uint64_t all[] = {0, 1, 8, UINT64_MAX, UINT64_MAX - 7, FAKE_BASE - 8};

    wait_for_itself(all[_i]);
    follow(ompd_rc_ok);
    expect_carrier(0, 0);
}
END_TEST

/* Of several, the one of the event with the lowest handle is reported. */
START_TEST(several_carriers)
{
    wait_for_itself(0);
    add_unset(0x90000);
    add_callback(0x90000, UNSET);
    add_callback(OVER, UNSET);
    follow(ompd_rc_ok);
    expect_carrier(0x400900, OVER);
}
END_TEST

/* A running one is reported with its thread. */
START_TEST(running)
{
    wait_for_itself(UNSET);
    set_callback(0, F(run), OMPD_CL_REGISTRY_RUN(FIRST_LWP + 2, ompd_cl_registry_running));
    fake_enter(target, population.threads[2], ompd_cl_registry_runs_event_callback,
               OMPD_CL_REGISTRY_REFERENCE(NOTIFICATION, 0), UNSET);
    follow(ompd_rc_ok);
    expect_carrier(0x400700, UNSET);
    ck_value(hop_of_thread(2)->thread, FIRST_LWP + 2);
}
END_TEST

/* A recorder of version 1.5 records no callbacks. */
START_TEST(without_callbacks)
{
    wait_for_itself(UNSET);
    fake_forget_table(target, NOTIFICATION);
    follow(ompd_rc_ok);
    expect_carrier(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits");
    TCase *callbacks = tcase_create("callbacks");
    TCase *commands = tcase_create("commands");
    TCase *everywhere = tcase_create("everywhere");
    TCase *tcase = tcase_create("events");

    tcase_add_loop_test(everywhere, several, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, own_callback, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, everywhere);
    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, failed_and_pending);
    tcase_add_test(tcase, all_over);
    tcase_add_loop_test(tcase, unreadable, 0, 3);
    tcase_add_test(tcase, older_recorder);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(commands, rows_set_up, rows_tear_down);
    tcase_add_test(commands, command_waits);
    tcase_add_test(commands, gone_event);
    tcase_add_loop_test(commands, queue_waits, 0, 2);
    tcase_add_test(commands, memory_refused);
    suite_add_tcase(suite, commands);
    tcase_add_checked_fixture(callbacks, rows_set_up, rows_tear_down);
    tcase_add_loop_test(callbacks, pointed, 0, sizeof(places) / sizeof(places[0]));
    tcase_add_loop_test(callbacks, no_address, 0, 6);
    tcase_add_test(callbacks, several_carriers);
    tcase_add_test(callbacks, running);
    tcase_add_test(callbacks, without_callbacks);
    suite_add_tcase(suite, callbacks);
    return suite_run(suite);
}
