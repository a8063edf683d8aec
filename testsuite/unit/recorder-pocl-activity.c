/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the records of threads show while a real runtime runs callbacks and makes threads wait. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../recorder/core/core.h"
#include "../../recorder/objects/kinds.h"
#include "recorder-invariants.h"
#include "recorder-runtime.h"
#include "suite.h"

#define WAITS OMPD_CL_REGISTRY_ACTIVITY_WAITS

typedef struct ompd_cl_registry_thread_record thread_record;

static struct recorder_runtime runtime;
static const cl_icd_dispatch *cl;

/* Since PoCL 7 destructor callbacks run later, on a thread of the runtime's own. */
static pthread_t releasing_thread;
static sem_t callback_ran;

static void set_up(void)
{
    recorder_runtime_open(&runtime);
    cl = runtime.cl;
    releasing_thread = pthread_self();
    ck_assert_int_eq(sem_init(&callback_ran, 0, 0), 0);
}

/* Whether a callback runs at once, in the call that released the object. */
static bool is_within_release(void)
{
    return pthread_equal(pthread_self(), releasing_thread) != 0;
}

static void callback_await(void)
{
    while (sem_wait(&callback_ran) != 0) {
        ck_assert_int_eq(errno, EINTR);
    }
}

static thread_record *record_mine(void)
{
    return recorder_heap_self->thread;
}

static uint32_t count_of(const thread_record *thread)
{
    return __atomic_load_n(&thread->activity_count, __ATOMIC_ACQUIRE);
}

static void expect_activity(uint32_t depth, uint32_t what, const void *handle)
{
    ck_assert_uint_gt(count_of(record_mine()), depth);
    ck_assert_uint_eq(record_mine()->activities[depth].what, what);
    ck_assert_uint_eq(record_mine()->activities[depth].handle, (uintptr_t)handle);
}

/* The activity at DEPTH runs the destructor callback FUNCTION. */
static void expect_destructor(uint32_t depth, const void *function, const void *handle)
{
    expect_activity(depth, ompd_cl_registry_runs_destructor, handle);
    uint32_t reference = record_mine()->activities[depth].reference;
    ck_assert_uint_eq(OMPD_CL_REGISTRY_REFERENCE_TABLE(reference), ompd_cl_registry_callback);
    const struct ompd_cl_registry_callback_record *callback =
        recorder_callback_record(OMPD_CL_REGISTRY_REFERENCE_INDEX(reference));
    ck_assert_uint_eq(callback->function, (uintptr_t)function);
    ck_assert_uint_eq(callback->run,
                      OMPD_CL_REGISTRY_RUN(record_mine()->lwp, ompd_cl_registry_running));
}

/* Buffers, each of which is released by the destructor of the previous one. */
#define CHAIN 6
static cl_mem chain[CHAIN];
static uint32_t chain_runs;

static void CL_CALLBACK chain_go_on(cl_mem memobj, void *user_data)
{
    uint32_t link = (uint32_t)(uintptr_t)user_data;
    uint32_t count = is_within_release() ? 2 * link + 2 : 1;
    ck_assert_ptr_eq(memobj, chain[link]);
    ck_assert_uint_eq(count_of(record_mine()), count);
    if (!is_within_release()) {
        expect_destructor(0, (const void *)chain_go_on, memobj);
    }
    for (uint32_t outer = 0; is_within_release() && outer <= link; outer++) {
        if (2 * outer + 1 < OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
            expect_activity(2 * outer, ompd_cl_call_clReleaseMemObject, chain[outer]);
            expect_destructor(2 * outer + 1, (const void *)chain_go_on, chain[outer]);
        }
    }
    if (link + 1 < CHAIN) {
        ck_assert_int_eq(cl->clReleaseMemObject(chain[link + 1]), CL_SUCCESS);
    }
    ck_assert_uint_eq(count_of(record_mine()), count);
    chain_runs++;
    sem_post(&callback_ran);
}

/* Twelve deep, of which the record stores eight. */
START_TEST(callbacks_nest)
{
    for (uintptr_t link = 0; link < CHAIN; link++) {
        chain[link] = cl->clCreateBuffer(runtime.context, 0, 64, NULL, NULL);
        ck_assert_int_eq(
            cl->clSetMemObjectDestructorCallback(chain[link], chain_go_on, (void *)link),
            CL_SUCCESS);
        ck_assert_uint_eq(count_of(record_mine()), 0);
    }
    ck_assert_int_eq(cl->clReleaseMemObject(chain[0]), CL_SUCCESS);
    for (uint32_t link = 0; link < CHAIN; link++) {
        callback_await();
    }
    ck_assert_uint_eq(chain_runs, CHAIN);
    ck_assert_uint_eq(count_of(record_mine()), 0);
    ck_assert_uint_eq(record_mine()->is_caller, 1);
    recorder_runtime_close(&runtime);
}
END_TEST

static uint32_t context_runs;

static void CL_CALLBACK context_gone(cl_context context, void *user_data)
{
    ck_assert_ptr_null(user_data);
    uint32_t depth = 0;
    if (is_within_release()) {
        expect_activity(depth++, ompd_cl_call_clReleaseContext, context);
    }
    ck_assert_uint_eq(count_of(record_mine()), depth + 1);
    expect_destructor(depth, (const void *)context_gone, context);
    context_runs++;
    sem_post(&callback_ran);
}

START_TEST(context_callback_is_seen)
{
    ck_assert_int_eq(cl->clSetContextDestructorCallback(runtime.context, context_gone, NULL),
                     CL_SUCCESS);
    recorder_runtime_close(&runtime);
    callback_await();
    ck_assert_uint_eq(context_runs, 1);
    ck_assert_uint_eq(count_of(record_mine()), 0);
}
END_TEST

static uint32_t svm_free_runs;
static thread_record *svm_free_thread;

static void CL_CALLBACK svm_free_see(cl_command_queue queue, cl_uint count, void *pointers[],
                                     void *user_data)
{
    const thread_record *thread = record_mine();
    uint32_t depth = count_of(thread) - 1;
    ck_assert_ptr_eq(user_data, &svm_free_runs);
    expect_activity(depth, ompd_cl_registry_runs_svm_free, queue);
    uint32_t reference = thread->activities[depth].reference;
    ck_assert_uint_eq(OMPD_CL_REGISTRY_REFERENCE_TABLE(reference), ompd_cl_registry_svm_free);
    const struct ompd_cl_registry_svm_free_record *command =
        recorder_record(ompd_cl_registry_svm_free, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference));
    ck_assert_uint_eq(command->function, (uintptr_t)svm_free_see);
    ck_assert_uint_eq(command->queue_handle, (uintptr_t)queue);
    svm_free_thread = record_mine();
    for (cl_uint i = 0; i < count; i++) {
        cl->clSVMFree(runtime.context, pointers[i]);
    }
    ck_assert_uint_eq(count_of(thread), depth + 1);
    svm_free_runs++;
}

/* The runtime's own thread enters by the callback. */
START_TEST(svm_free_callback_is_seen)
{
    void *pointer = cl->clSVMAlloc(runtime.context, CL_MEM_READ_WRITE, 4096, 0);
    ck_assert_ptr_nonnull(pointer);
    ck_assert_int_eq(cl->clEnqueueSVMFree(runtime.queue, 1, &pointer, svm_free_see, &svm_free_runs,
                                          0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(cl->clFinish(runtime.queue), CL_SUCCESS);
    ck_assert_uint_eq(svm_free_runs, 1);
    ck_assert_uint_eq(svm_free_thread->is_caller, svm_free_thread == record_mine());
    recorder_runtime_close(&runtime);
}
END_TEST

/* A call that waits until `gate` is set, in a separate thread. */
static cl_event gate;
static thread_record *waiting_thread;
static char waiting_bytes[64];
static cl_event waiting_events[2];

static void thread_announce(void)
{
    ck_assert_int_eq(cl->clFlush(runtime.queue), CL_SUCCESS);
    __atomic_store_n(&waiting_thread, record_mine(), __ATOMIC_RELEASE);
}

static void *events_wait(void *argument)
{
    thread_announce();
    waiting_events[0] = gate;
    waiting_events[1] = gate;
    ck_assert_int_eq(cl->clWaitForEvents(2, waiting_events), CL_SUCCESS);
    return argument;
}

static void *queue_finish(void *argument)
{
    ck_assert_int_eq(cl->clEnqueueMarkerWithWaitList(runtime.queue, 1, &gate, NULL), CL_SUCCESS);
    thread_announce();
    ck_assert_int_eq(cl->clFinish(runtime.queue), CL_SUCCESS);
    return argument;
}

static void *buffer_read(void *argument)
{
    cl_mem buffer = cl->clCreateBuffer(runtime.context, 0, 64, NULL, NULL);
    thread_announce();
    ck_assert_int_eq(cl->clEnqueueReadBuffer(runtime.queue, buffer, CL_TRUE, 0, 64, waiting_bytes,
                                             1, &gate, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseMemObject(buffer), CL_SUCCESS);
    return argument;
}

static const struct {
    void *(*wait)(void *argument);
    uint32_t what;
} waits[] = {
    {events_wait, ompd_cl_call_clWaitForEvents},
    {queue_finish, ompd_cl_call_clFinish},
    {buffer_read, ompd_cl_call_clEnqueueReadBuffer},
};

static bool is_waiting(uint32_t what)
{
    const thread_record *thread = __atomic_load_n(&waiting_thread, __ATOMIC_ACQUIRE);
    return thread && count_of(thread) == 1 && thread->activities[0].what == (what | WAITS);
}

START_TEST(waiting_thread_is_seen)
{
    pthread_t thread;
    gate = cl->clCreateUserEvent(runtime.context, NULL);
    ck_assert_ptr_nonnull(gate);
    ck_assert_int_eq(pthread_create(&thread, NULL, waits[_i].wait, NULL), 0);
    while (!is_waiting(waits[_i].what)) {
        sched_yield();
    }
    const void *awaited = _i == 0 ? (const void *)gate : (const void *)runtime.queue;
    ck_assert_uint_eq(waiting_thread->activities[0].handle, (uintptr_t)awaited);
    ck_assert_uint_eq(waiting_thread->activities[0].reference, _i == 0 ? 2 : 0);
    if (_i == 0) {
        ck_assert_uint_eq(waiting_thread->lists[0], (uintptr_t)waiting_events);
    }
    ck_assert_uint_eq(waiting_thread->pthread, (uint64_t)thread);
    ck_assert_uint_eq(waiting_thread->state, ompd_cl_registry_live);
    ck_assert_int_eq(cl->clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(waiting_thread->state, ompd_cl_registry_free);
    ck_assert_int_eq(cl->clReleaseEvent(gate), CL_SUCCESS);
    recorder_runtime_close(&runtime);
}
END_TEST

struct visit {
    thread_record *record;
    thread_record copy; /* a copy from the lifetime of the thread */
};

static void *visit_pay(void *argument)
{
    struct visit *visit = argument;
    ck_assert_int_eq(cl->clFlush(runtime.queue), CL_SUCCESS);
    visit->record = record_mine();
    visit->copy = *visit->record;
    ck_assert_uint_eq(visit->copy.lwp, (uint32_t)syscall(SYS_gettid));
    return NULL;
}

/* A record is free when its thread has ended, and is distinguished from the next thread's. */
START_TEST(record_goes_to_the_next_thread)
{
    struct visit visits[2];
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, visit_pay, &visits[i]), 0);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        ck_assert_uint_eq(visits[i].record->state, ompd_cl_registry_free);
        ck_assert_uint_eq(visits[i].copy.state, ompd_cl_registry_live);
        ck_assert_uint_eq(visits[i].copy.activity_count, 0);
        ck_assert_uint_eq(visits[i].copy.is_caller, 1);
        visits[i].record->activity_count = 3; /* as a thread leaves it that ends within a call */
    }
    ck_assert_ptr_eq(visits[0].record, visits[1].record);
    ck_assert_uint_eq(visits[1].copy.generation, visits[0].copy.generation + 1);
    ck_assert_uint_gt(visits[1].copy.serial, visits[0].copy.serial);
    ck_assert_uint_ne(visits[1].copy.lwp, visits[0].copy.lwp);
    const struct recorder_chunk *chunk = recorder_chunk_of(ompd_cl_registry_thread, 0);
    ck_assert_uint_eq(chunk->local_live + chunk->remote_live,
                      recorder_records_count(ompd_cl_registry_thread));
    recorder_runtime_close(&runtime);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-pocl-activity");
    TCase *all = tcase_create("all");
    const char *reason = recorder_runtime_why_none();
    if (reason) {
        return suite_skip(reason);
    }
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_test(all, callbacks_nest);
    tcase_add_test(all, context_callback_is_seen);
    tcase_add_test(all, svm_free_callback_is_seen);
    tcase_add_loop_test(all, waiting_thread_is_seen, 0, sizeof(waits) / sizeof(waits[0]));
    tcase_add_test(all, record_goes_to_the_next_thread);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
