/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls and callbacks that a thread leaves without returning, and threads that end. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "../../recorder/objects/calls.h"
#include "suite.h"

#ifdef __clang__ /* which makes no clones */
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED __attribute__((noinline, noclone))
#endif

static jmp_buf place;
static uint32_t count_within;

static struct ompd_cl_registry_thread_record *mine(void)
{
    return recorder_heap_mine()->thread;
}

/* A call that calls FUNCTION. */
NOT_INLINED static void call(void (*function)(void))
{
    RECORDER_CALL(clFinish, HANDLE(1));
    function();
}

NOT_INLINED static void leave(void)
{
    longjmp(place, 1);
}

NOT_INLINED static void callback_leaves(void)
{
    RECORDER_CALLBACK(destructor, 0, HANDLE(2));
    leave();
}

NOT_INLINED static void look(void)
{
    count_within = mine()->activity_count;
}

/* Call FUNCTION with less of the stack left. */
NOT_INLINED static void deeper(void (*function)(void))
{
    volatile char room[4096];
    for (size_t i = 0; i < sizeof(room); i++) {
        room[i] = 0;
    }
    call(function);
    room[0] = room[1];
}

NOT_INLINED static void call_and_leave(void (*function)(void))
{
    if (!setjmp(place)) {
        call(function);
    }
}

/* Whoever calls next is in that call alone. */
START_TEST(left_by_longjmp)
{
    for (int i = 0; i < 3; i++) {
        call_and_leave(i == 1 ? callback_leaves : leave);
        ck_assert_uint_eq(mine()->activity_count, i == 1 ? 2 : 1);
        if (_i) {
            deeper(look);
        } else {
            call(look);
        }
        ck_assert_uint_eq(count_within, 1);
        ck_assert_uint_eq(mine()->activity_count, 0);
    }
}
END_TEST

NOT_INLINED static void call_again(void)
{
    call(look);
}

/* The activities that it is still in remain, at any depth. */
START_TEST(calls_within_calls)
{
    call(call_again);
    ck_assert_uint_eq(count_within, 2);
    deeper(call_again);
    ck_assert_uint_eq(count_within, 2);
}
END_TEST

static void (*volatile innermost)(void) = leave;

/* More than there is room for, all left. */
NOT_INLINED static void nest(int depth)
{
    RECORDER_CALL(clFlush, HANDLE(1));
    if (depth > 1) {
        nest(depth - 1);
    } else {
        innermost();
    }
}

START_TEST(too_many_left)
{
    if (!setjmp(place)) {
        nest(OMPD_CL_REGISTRY_ACTIVITY_LIMIT + 3);
    }
    ck_assert_uint_eq(mine()->activity_count, OMPD_CL_REGISTRY_ACTIVITY_LIMIT + 3);
    call(look);
    ck_assert_uint_eq(count_within, 1);
}
END_TEST

/* ---- Signal handlers on a stack of their own ------------------------------------------------- */

static char alternate[65536];

static void handle_by_call(int number)
{
    (void)number;
    call(look);
}

static void handle_and_leave(int number)
{
    (void)number;
    call(leave);
}

static void raise_signal(void)
{
    raise(SIGUSR1);
}

static void handle(void (*handler)(int), void *stack)
{
    const stack_t its_stack = {.ss_sp = stack, .ss_size = sizeof(alternate)};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER};
    ck_assert_int_eq(sigaltstack(&its_stack, NULL), 0);
    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
}

START_TEST(handler_within_a_call)
{
    char within[sizeof(alternate)]; /* above all frames */
    handle(handle_by_call, _i ? within : alternate);
    call(raise_signal);
    ck_assert_uint_eq(count_within, 2);
}
END_TEST

START_TEST(handler_that_leaves)
{
    handle(handle_and_leave, alternate);
    if (!setjmp(place)) {
        call(raise_signal);
    }
    ck_assert_uint_eq(mine()->activity_count, 2);
    call(look);
    ck_assert_uint_eq(count_within, 1);
}
END_TEST

/* ---- The end of a thread --------------------------------------------------------------------- */

static pthread_key_t key;

static uint32_t threads_live(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < recorder_heap_count(); i++) {
        count += recorder_heap_get(i)->thread->state == ompd_cl_registry_live;
    }
    return count;
}

static void look_at_threads(void)
{
    count_within = threads_live();
}

/* Called when the recorder's own destructor has been, again and again until glibc has enough. */
static void destroy(void *value)
{
    call(look_at_threads);
    ck_assert_uint_eq(count_within, 2);
    ck_assert_int_eq(pthread_setspecific(key, value), 0);
}

static void *end_late(void *is_known)
{
    if (is_known) {
        call(look);
    }
    ck_assert_int_eq(pthread_setspecific(key, &key), 0);
    return NULL;
}

static void *end_in_callback(void *ignored)
{
    (void)ignored;
    call((void (*)(void))pthread_exit);
    return NULL;
}

static void end_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, argument), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* A thread is listed during a call, and not after it has ended. */
START_TEST(calls_of_destructors)
{
    look();
    ck_assert_int_eq(pthread_key_create(&key, destroy), 0);
    end_thread(end_late, _i ? &key : NULL);
    ck_assert_uint_eq(threads_live(), 1);
    end_thread(end_late, _i ? &key : NULL);
    ck_assert_uint_eq(threads_live(), 1);
    ck_assert_uint_eq(recorder_heap_count(), 2);
}
END_TEST

START_TEST(thread_that_ends_in_a_call)
{
    look();
    end_thread(end_in_callback, NULL);
    ck_assert_uint_eq(threads_live(), 1);
    end_thread(end_in_callback, NULL);
    ck_assert_uint_eq(recorder_heap_count(), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-activities");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, scene_set_up, scene_tear_down);
    tcase_add_loop_test(all, left_by_longjmp, 0, 2);
    tcase_add_test(all, calls_within_calls);
    tcase_add_test(all, too_many_left);
    tcase_add_loop_test(all, handler_within_a_call, 0, 2);
    tcase_add_test(all, handler_that_leaves);
    tcase_add_loop_test(all, calls_of_destructors, 0, 2);
    tcase_add_test(all, thread_that_ends_in_a_call);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
