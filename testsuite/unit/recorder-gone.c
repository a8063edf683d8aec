/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's records of destroyed objects, and their lifetime. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "../../recorder/core/tables.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/objects.h"
#include "suite.h"

#define LENGTH 4
#define MADE ((const void *)0x400010)
#define RELEASED ((const void *)0x400020)

static const struct ompd_cl_registry_gone_record *gone_at(uint32_t table, uint32_t place)
{
    return recorder_record(ompd_cl_registry_gone, (table - 1) * LENGTH + place);
}

/* The record of HANDLE, the last of TABLE; fails the test without one. */
static const struct ompd_cl_registry_gone_record *gone_find(uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_gone_record *found = NULL;
    for (uint32_t i = 0; i < LENGTH; i++) {
        const struct ompd_cl_registry_gone_record *gone = gone_at(table, i);
        if (gone->state == ompd_cl_registry_live && gone->handle == (uintptr_t)handle &&
            (!found || gone->change > found->change)) {
            found = gone;
        }
    }
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_REFERENCE_TABLE(found->object), table);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_CHANGE_LWP(found->change), 0);
    return found;
}

static void set_up(void)
{
    /* The rings must be the test's own. */
    setenv("OMPD_OPENCL_HISTORY", "0", 1);
    scene_set_up();
    recorder_destroyed_prepare(LENGTH);
}

static uint32_t runtime_count;

static uint32_t count_tell(const void *handle)
{
    (void)handle;
    return runtime_count;
}

static void release_at(uint32_t table, const void *handle, const void *return_address)
{
    struct recorder_release release;
    recorder_release_begin(&release, table, handle, count_tell, return_address);
    recorder_release_end(&release, true);
}

START_TEST(facts_of_a_buffer)
{
    struct recorder_memobj memobj = {.handle = HANDLE(2),
                                     .context = CONTEXT,
                                     .type = CL_MEM_OBJECT_BUFFER,
                                     .flags = CL_MEM_USE_HOST_PTR,
                                     .size = 4096,
                                     .host_pointer = HANDLE(9),
                                     .return_address = MADE};
    recorder_memobj_created(&memobj);
    const struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    uint64_t serial = object->serial;
    uint32_t lwp = object->lwp;
    recorder_object_retained(ompd_cl_registry_memobj, HANDLE(2), NULL);
    recorder_memobj_mapped(HANDLE(2), false);
    recorder_memobj_mapped(HANDLE(2), false);
    recorder_memobj_mapped(HANDLE(2), true);
    release_at(ompd_cl_registry_memobj, HANDLE(2), MADE);
    release_at(ompd_cl_registry_memobj, HANDLE(2), RELEASED);
    const struct ompd_cl_registry_gone_record *gone = gone_find(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(gone->serial, serial);
    ck_assert_uint_eq(gone->type, CL_MEM_OBJECT_BUFFER);
    ck_assert_uint_eq(gone->size, 4096);
    ck_assert_uint_eq(gone->flags, CL_MEM_USE_HOST_PTR);
    ck_assert_uint_eq(gone->host_pointer, (uintptr_t)HANDLE(9));
    ck_assert_uint_eq(gone->context_handle, (uintptr_t)CONTEXT);
    ck_assert_uint_eq(gone->parent_handle, 0);
    ck_assert_uint_eq(gone->map_count, 1);
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_released);
    ck_assert_uint_eq(gone->lwp, lwp);
    ck_assert_uint_eq(gone->caller, (uintptr_t)MADE);
    ck_assert_uint_eq(gone->released_lwp, lwp);
    ck_assert_uint_eq(gone->released_caller, (uintptr_t)RELEASED);
    ck_assert_uint_eq(gone->ended_lwp, lwp);
    ck_assert_uint_ge(gone->ended, serial);
    /* Later than this test was written, sooner than it will be forgotten. */
    ck_assert_uint_gt(gone->ended_at, UINT64_C(1700000000) * 1000000000);
    ck_assert_uint_lt(gone->ended_at, UINT64_C(9000000000) * 1000000000);
}
END_TEST

/* A release that the runtime refuses, and one that a retain undoes, leave no record. */
START_TEST(nothing_is_gone)
{
    scene_create(ompd_cl_registry_memobj, HANDLE(2), CONTEXT);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), false);
    runtime_count = 2;
    release_at(ompd_cl_registry_memobj, HANDLE(2), RELEASED);
    recorder_object_retained(ompd_cl_registry_memobj, HANDLE(2), NULL);
    ck_assert_uint_eq(gone_at(ompd_cl_registry_memobj, 0)->state, ompd_cl_registry_free);
    /* A reused handle proves that its object is destroyed; that one was never released. */
    scene_create(ompd_cl_registry_memobj, HANDLE(2), CONTEXT);
    const struct ompd_cl_registry_gone_record *gone = gone_find(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_reused);
    ck_assert_uint_eq(gone->released_lwp, 0);
    ck_assert_uint_eq(gone->released_caller, 0);
    ck_assert_ptr_nonnull(scene_object(ompd_cl_registry_memobj, HANDLE(2)));
}
END_TEST

static void function_of_program(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
}

START_TEST(after_callbacks)
{
    struct recorder_slot callback;
    struct recorder_entry entry;
    scene_create(ompd_cl_registry_memobj, HANDLE(2), CONTEXT);
    ck_assert(recorder_object_find(&entry, ompd_cl_registry_memobj, HANDLE(2)));
    void *slot_ref = recorder_callback_push(
        &callback, &entry, (const void *)(uintptr_t)function_of_program, NULL, NULL);
    release_at(ompd_cl_registry_memobj, HANDLE(2), RELEASED);
    ck_assert_uint_eq(gone_at(ompd_cl_registry_memobj, 0)->state, ompd_cl_registry_free);
    recorder_callback_run(HANDLE(2), slot_ref);
    const struct ompd_cl_registry_gone_record *gone = gone_find(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_callbacks);
    ck_assert_uint_eq(gone->released_caller, (uintptr_t)RELEASED);
}
END_TEST

/* Objects that the runtime held are known to be destroyed with their context. */
START_TEST(known_later)
{
    scene_create(ompd_cl_registry_memobj, HANDLE(2), CONTEXT);
    runtime_count = 2;
    release_at(ompd_cl_registry_memobj, HANDLE(2), RELEASED);
    ck_assert_uint_eq(gone_at(ompd_cl_registry_memobj, 0)->state, ompd_cl_registry_free);
    runtime_count = 1;
    release_at(ompd_cl_registry_context, CONTEXT, RELEASED);
    const struct ompd_cl_registry_gone_record *gone = gone_find(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_later);
    ck_assert_uint_eq(gone->released_caller, (uintptr_t)RELEASED);
    gone = gone_find(ompd_cl_registry_context, CONTEXT);
    ck_assert_uint_eq(gone->context_handle, 0);
}
END_TEST

/* What clSVMFree ends, and what a command ends that the program enqueued. */
START_TEST(svm)
{
    const void *pointers[] = {HANDLE(31)};
    struct recorder_svm_free command = {.queue = HANDLE(3),
                                        .pointers = (void **)pointers,
                                        .pointer_count = 1,
                                        .return_address = RELEASED};
    struct recorder_entry entry;
    for (uintptr_t i = 30; i < 32; i++) {
        recorder_svm_allocated(&(struct recorder_svm){.pointer = HANDLE(i),
                                                      .context = CONTEXT,
                                                      .type = ompd_cl_registry_svm_alloc,
                                                      .size = 64,
                                                      .return_address = MADE});
    }
    recorder_svm_freed(HANDLE(30), false, RELEASED);
    const struct ompd_cl_registry_gone_record *gone = gone_find(ompd_cl_registry_svm, HANDLE(30));
    ck_assert_uint_eq(gone->size, 64);
    ck_assert_uint_eq(gone->caller, (uintptr_t)MADE);
    ck_assert_uint_eq(gone->released_caller, (uintptr_t)RELEASED);
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_released);
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    ck_assert(recorder_svm_free_begin(&entry, &command));
    recorder_svm_free_enqueued(&entry, NULL, 1);
    recorder_svm_free_ended(entry.reference, entry.generation, CL_COMPLETE);
    gone = gone_find(ompd_cl_registry_svm, HANDLE(31));
    ck_assert_uint_eq(gone->released_caller, (uintptr_t)RELEASED);
    ck_assert_uint_eq(gone->ending, ompd_cl_registry_ending_later);
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
}
END_TEST

/* The last ones of each kind stay, whatever becomes of others. */
START_TEST(last_ones_stay)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    for (uintptr_t i = 0; i < 1000; i++) {
        scene_create(ompd_cl_registry_sampler, HANDLE(10 + i), CONTEXT);
        scene_release(ompd_cl_registry_sampler, HANDLE(10 + i), true);
    }
    uint32_t seen = 0;
    for (uint32_t i = 0; i < LENGTH; i++) {
        const struct ompd_cl_registry_gone_record *gone = gone_at(ompd_cl_registry_sampler, i);
        uintptr_t number = (uintptr_t)(gone->change >> 32);
        ck_assert_uint_eq(gone->handle, (uintptr_t)HANDLE(9 + number));
        ck_assert_uint_gt(number, 1000 - LENGTH);
        seen |= 1u << (1000 - number);
    }
    ck_assert_uint_eq(seen, (1u << LENGTH) - 1);
    gone_find(ompd_cl_registry_queue, HANDLE(3));
    ck_assert_uint_eq(recorder_chunk_of(ompd_cl_registry_gone, 0)->remote_live, LENGTH + 1);
}
END_TEST

START_TEST(none_wanted)
{
    recorder_destroyed_prepare(0);
    scene_create(ompd_cl_registry_sampler, HANDLE(2), CONTEXT);
    scene_release(ompd_cl_registry_sampler, HANDLE(2), true);
    ck_assert_uint_eq(gone_at(ompd_cl_registry_sampler, 0)->state, ompd_cl_registry_free);
}
END_TEST

static void set_up_by_variable(void)
{
    setenv("OMPD_OPENCL_HISTORY", "4", 1);
    scene_set_up();
}

/* The environment sets how many are recorded of each kind. */
START_TEST(as_many_as_the_variable_says)
{
    for (uintptr_t i = 0; i < 3; i++) {
        scene_create(ompd_cl_registry_sampler, HANDLE(10 + i), CONTEXT);
        scene_release(ompd_cl_registry_sampler, HANDLE(10 + i), true);
    }
    for (uintptr_t i = 0; i < 3; i++) {
        gone_find(ompd_cl_registry_sampler, HANDLE(10 + i));
    }
}
END_TEST

/* ---- Written by several threads, and read meanwhile ------------------------------------------ */

#define THREADS 4
#define ROUNDS 20000

static void buffer_churn(uintptr_t number)
{
    struct recorder_memobj memobj = {.handle = HANDLE(number),
                                     .context = CONTEXT,
                                     .type = CL_MEM_OBJECT_BUFFER,
                                     .flags = CL_MEM_USE_HOST_PTR,
                                     .size = number,
                                     .host_pointer = HANDLE(2 * number),
                                     .return_address = HANDLE(3 * number)};
    recorder_memobj_created(&memobj);
    release_at(ompd_cl_registry_memobj, HANDLE(number), HANDLE(5 * number));
}

static bool is_whole(const struct ompd_cl_registry_gone_record *gone)
{
    uintptr_t number = (uintptr_t)gone->size;
    return gone->state == ompd_cl_registry_free ||
           (gone->handle == (uintptr_t)HANDLE(number) &&
            gone->host_pointer == (uintptr_t)HANDLE(2 * number) &&
            gone->caller == (uintptr_t)HANDLE(3 * number) &&
            gone->released_caller == (uintptr_t)HANDLE(5 * number) && gone->released_lwp &&
            gone->lwp && gone->ending == ompd_cl_registry_ending_released);
}

static void *churn_in_thread(void *number)
{
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        buffer_churn(100 + (uintptr_t)number * 1000 + i % 1000);
    }
    return NULL;
}

START_TEST(threads_share_a_ring)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, churn_in_thread, (void *)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < LENGTH; i++) {
        const struct ompd_cl_registry_gone_record *gone = gone_at(ompd_cl_registry_memobj, i);
        ck_assert_uint_eq(gone->state, ompd_cl_registry_live);
        ck_assert_uint_eq(OMPD_CL_REGISTRY_CHANGE_LWP(gone->change), 0);
        ck_assert(is_whole(gone));
    }
}
END_TEST

#define LOOKS 100

static volatile sig_atomic_t looks;
static volatile sig_atomic_t torn;
static volatile sig_atomic_t missing;

/* The thread is stopped where it is, as a debugger would stop it. */
static void look(int signal_number)
{
    uint32_t there = 0;
    (void)signal_number;
    for (uint32_t i = 0; i < LENGTH; i++) {
        torn += !is_whole(gone_at(ompd_cl_registry_memobj, i));
        there += gone_at(ompd_cl_registry_memobj, i)->state == ompd_cl_registry_live;
    }
    missing += there + 1 < LENGTH;
    looks++;
}

START_TEST(stopped_anywhere)
{
    struct sigaction action = {.sa_handler = look};
    struct itimerval every = {{0, 500}, {0, 500}};
    for (uintptr_t i = 0; i < LENGTH; i++) {
        buffer_churn(100 + i);
    }
    sigaction(SIGPROF, &action, NULL);
    ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
    for (uintptr_t i = 0; looks < LOOKS; i++) {
        buffer_churn(100 + i % 1000);
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
    ck_assert_int_eq(torn, 0);
    ck_assert_int_eq(missing, 0);
}
END_TEST

/* A thread that did not come along into the child of a fork() was writing to a record. */
START_TEST(writer_vanished)
{
    buffer_churn(100);
    struct ompd_cl_registry_gone_record *gone =
        (struct ompd_cl_registry_gone_record *)gone_at(ompd_cl_registry_memobj, 1);
    gone->change = 4711;
    buffer_churn(101);
    ck_assert_uint_eq(gone->state, ompd_cl_registry_free);
    gone_find(ompd_cl_registry_memobj, HANDLE(101));
    recorder_rings_repair(ompd_cl_registry_gone);
    for (uintptr_t i = 0; i < LENGTH; i++) {
        buffer_churn(102 + i);
    }
    for (uint32_t i = 0; i < LENGTH; i++) {
        ck_assert_uint_eq(gone_at(ompd_cl_registry_memobj, i)->state, ompd_cl_registry_live);
        ck_assert(is_whole(gone_at(ompd_cl_registry_memobj, i)));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-gone");
    TCase *tcase = tcase_create("gone");
    TCase *variable = tcase_create("variable");
    runtime_count = 1;
    tcase_add_checked_fixture(tcase, set_up, scene_tear_down);
    tcase_add_test(tcase, facts_of_a_buffer);
    tcase_add_test(tcase, nothing_is_gone);
    tcase_add_test(tcase, after_callbacks);
    tcase_add_test(tcase, known_later);
    tcase_add_test(tcase, svm);
    tcase_add_test(tcase, last_ones_stay);
    tcase_add_test(tcase, none_wanted);
    tcase_add_test(tcase, threads_share_a_ring);
    tcase_add_test(tcase, stopped_anywhere);
    tcase_add_test(tcase, writer_vanished);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(variable, set_up_by_variable, scene_tear_down);
    tcase_add_test(variable, as_many_as_the_variable_says);
    suite_add_tcase(suite, variable);
    return suite_run(suite);
}
