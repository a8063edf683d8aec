/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's records of the last calls of each thread. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "../../recorder/core/process.h"
#include "../../recorder/core/tables.h"
#include "../../recorder/objects/calls.h"
#include "suite.h"

#define LENGTH 4
#define PLACE ((const void *)0x400010)

/* The record at PLACE of the ring of the heap numbered HEAP. */
static const struct ompd_cl_registry_call_record *call_at(uint32_t heap, uint32_t place)
{
    return recorder_record(ompd_cl_registry_call, recorder_heap_get(heap)->calls.first + place);
}

static void set_up(void)
{
    setenv("OMPD_OPENCL_CALLS", "4", 1);
    scene_set_up();
}

/* A call for HANDLE, from the place with the same number, which returns STATUS. */
static void call(const void *handle, cl_int status)
{
    RECORDER_CALL(clFlush, handle);
    ck_assert_int_eq(recorder_status(&activity, status, handle), status);
}

static void make(const void *object, const cl_int *error)
{
    RECORDER_CALL(clCreateBuffer, CONTEXT);
    recorder_made(&activity, object, error, PLACE);
}

START_TEST(facts)
{
    const cl_int refused = CL_INVALID_VALUE;
    call(HANDLE(2), CL_SUCCESS);
    call(HANDLE(3), CL_INVALID_COMMAND_QUEUE);
    make(HANDLE(4), NULL);
    make(NULL, &refused);
    const struct ompd_cl_registry_call_record *first = call_at(0, 0);
    ck_assert_uint_eq(first->state, ompd_cl_registry_live);
    ck_assert_uint_eq(first->change, recorder_ring_change(1));
    ck_assert_uint_eq(first->handle, (uintptr_t)HANDLE(2));
    ck_assert_uint_eq(first->what, ompd_cl_call_clFlush);
    ck_assert_uint_eq(first->caller, (uintptr_t)HANDLE(2));
    ck_assert_uint_eq(first->lwp, recorder_heap_get(0)->lwp);
    ck_assert_int_eq(first->error, CL_SUCCESS);
    ck_assert_uint_gt(first->at, UINT64_C(1700000000) * 1000000000);
    ck_assert_int_eq(call_at(0, 1)->error, CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(call_at(0, 2)->error, CL_SUCCESS);
    ck_assert_uint_eq(call_at(0, 2)->what, ompd_cl_call_clCreateBuffer);
    ck_assert_uint_eq(call_at(0, 2)->handle, (uintptr_t)CONTEXT);
    ck_assert_int_eq(call_at(0, 3)->error, CL_INVALID_VALUE);
    for (uint32_t i = 1; i < LENGTH; i++) {
        ck_assert_uint_ge(call_at(0, i)->moment, call_at(0, i - 1)->moment);
    }
    make(NULL, NULL);
    ck_assert_int_eq(call_at(0, 0)->error, OMPD_CL_REGISTRY_STATUS_UNKNOWN);
    call(HANDLE(5), OMPD_CL_REGISTRY_STATUS_NONE);
    ck_assert_int_eq(call_at(0, 1)->error, OMPD_CL_REGISTRY_STATUS_NONE);
    /* Failures are also recorded with the errors. */
    const struct ompd_cl_registry_error_record *error = recorder_record(ompd_cl_registry_error, 0);
    ck_assert_int_eq(error->error, CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq((error + 1)->error, CL_INVALID_VALUE);
    ck_assert_int_eq((error + 2)->error, 0);
    ck_assert_uint_eq((error + 3)->state, ompd_cl_registry_free);
}
END_TEST

/* A nested call is recorded separately; one too deep is not recorded. */
START_TEST(calls_within_calls)
{
    RECORDER_CALL(clFinish, HANDLE(2));
    call(HANDLE(3), CL_SUCCESS);
    recorder_status(&activity, CL_SUCCESS, PLACE);
    ck_assert_uint_eq(call_at(0, 0)->what, ompd_cl_call_clFlush);
    ck_assert_uint_eq(call_at(0, 0)->handle, (uintptr_t)HANDLE(3));
    ck_assert_uint_eq(call_at(0, 1)->what, ompd_cl_call_clFinish);
    ck_assert_uint_eq(call_at(0, 1)->handle, (uintptr_t)HANDLE(2));
    activity.thread->activity_count = OMPD_CL_REGISTRY_ACTIVITY_LIMIT;
    call(HANDLE(4), CL_SUCCESS);
    ck_assert_uint_eq(call_at(0, 2)->state, ompd_cl_registry_free);
}
END_TEST

START_TEST(off_by_default)
{
    unsetenv("OMPD_OPENCL_CALLS");
    scene_set_up();
    call(HANDLE(2), CL_SUCCESS);
    call(HANDLE(2), CL_INVALID_VALUE);
    ck_assert_uint_eq(recorder_tables[ompd_cl_registry_call].chunk_count, 0);
    ck_assert_int_eq(
        ((const struct ompd_cl_registry_error_record *)recorder_record(ompd_cl_registry_error, 0))
            ->error,
        CL_INVALID_VALUE);
    ck_assert_uint_eq(recorder_root()->switches & OMPD_CL_REGISTRY_KEEPS_CALLS, 0);
}
END_TEST

START_TEST(what_the_user_wants)
{
    setenv("OMPD_OPENCL_CALLS", "0", 1);
    ck_assert_uint_eq(recorder_environment_calls(), 0);
    setenv("OMPD_OPENCL_CALLS", "many", 1);
    ck_assert_uint_eq(recorder_environment_calls(), 0);
    setenv("OMPD_OPENCL_CALLS", "100", 1);
    ck_assert_uint_eq(recorder_environment_calls(), 100);
    ck_assert(recorder_environment_switches() & OMPD_CL_REGISTRY_KEEPS_CALLS);
    setenv("OMPD_OPENCL_CALLS", "99999999999999999999", 1);
    ck_assert_uint_eq(recorder_environment_calls(), RECORDER_HISTORY_LIMIT);
}
END_TEST

/* ---- Threads --------------------------------------------------------------------------------- */

#define THREADS 4
#define ROUNDS 20000

static pthread_barrier_t barrier;

static void *calls_in_thread(void *number)
{
    call(HANDLE(1), CL_SUCCESS);
    uint32_t heap = recorder_heap_self->number;
    pthread_barrier_wait(&barrier); /* so that no thread leaves its heap to another */
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        call(HANDLE(10 + (uintptr_t)number), CL_SUCCESS);
    }
    for (uint32_t i = 0; i < LENGTH; i++) {
        const struct ompd_cl_registry_call_record *record = call_at(heap, i);
        ck_assert_uint_eq(record->handle, (uintptr_t)HANDLE(10 + (uintptr_t)number));
        ck_assert_uint_eq(record->lwp, recorder_heap_self->lwp);
        ck_assert_uint_gt(record->change >> 32, ROUNDS + 1 - LENGTH);
    }
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* The calls of one thread displace none of another's, and remain when it ends. */
START_TEST(ring_of_each_thread)
{
    pthread_t threads[THREADS];
    call(HANDLE(7), CL_SUCCESS);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, calls_in_thread, (void *)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    ck_assert_uint_eq(call_at(0, 0)->handle, (uintptr_t)HANDLE(7));
    ck_assert_uint_eq(call_at(0, 1)->state, ompd_cl_registry_free);
    for (uint32_t heap = 1; heap <= THREADS; heap++) {
        for (uint32_t i = 0; i < LENGTH; i++) {
            ck_assert_uint_eq(call_at(heap, i)->state, ompd_cl_registry_live);
        }
    }
}
END_TEST

/* ---- Read meanwhile -------------------------------------------------------------------------- */

#define LOOKS 100

static volatile sig_atomic_t looks;
static volatile sig_atomic_t torn;

/* The thread is stopped where it is, as a debugger would stop it. */
static void look(int signal_number)
{
    (void)signal_number;
    for (uint32_t i = 0; i < LENGTH; i++) {
        const struct ompd_cl_registry_call_record *record = call_at(0, i);
        torn += record->state != ompd_cl_registry_free && record->handle != record->caller;
    }
    looks++;
}

START_TEST(stopped_anywhere)
{
    struct sigaction action = {.sa_handler = look};
    struct itimerval every = {{0, 500}, {0, 500}};
    sigaction(SIGPROF, &action, NULL);
    ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
    for (uintptr_t i = 0; looks < LOOKS; i++) {
        call(HANDLE(100 + i % 1000), CL_SUCCESS);
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
    ck_assert_int_eq(torn, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-calls");
    TCase *tcase = tcase_create("calls");
    TCase *wanted = tcase_create("wanted");
    tcase_add_checked_fixture(tcase, set_up, scene_tear_down);
    tcase_add_test(tcase, facts);
    tcase_add_test(tcase, calls_within_calls);
    tcase_add_test(tcase, ring_of_each_thread);
    tcase_add_test(tcase, stopped_anywhere);
    suite_add_tcase(suite, tcase);
    tcase_add_test(wanted, off_by_default);
    tcase_add_test(wanted, what_the_user_wants);
    suite_add_tcase(suite, wanted);
    return suite_run(suite);
}
