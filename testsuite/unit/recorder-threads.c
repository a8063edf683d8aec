/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads record at the same time, and release objects of other threads. */
#include <check.h>
#include <dlfcn.h>

#include "../../recorder/objects/objects.h"
#include "../../recorder/objects/prepare.h"
#include "recorder-invariants.h"
#include "recorder-load.h"
#include "suite.h"

#define THREADS 4

static struct recorder_load loads[THREADS];
static pthread_barrier_t all_here;

static void set_up(void)
{
    ck_assert(recorder_prepare());
    recorder_load_context_create();
    ck_assert_int_eq(pthread_barrier_init(&all_here, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        loads[i] = (struct recorder_load){.first_handle = RECORDER_LOAD_FIRST_HANDLE(i + 1),
                                          .all_here = &all_here};
    }
}

static void all_run(void)
{
    for (int i = 0; i < THREADS; i++) {
        recorder_load_start(&loads[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        recorder_load_join(&loads[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        recorder_load_free(&loads[i]);
    }
}

static void expect_nothing_left(uint32_t callbacks_each)
{
    struct recorder_entry context;
    ck_assert_str_eq(recorder_invariants_check() ? recorder_invariants_check() : "", "");
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_memobj), 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_callback), 0);
    ck_assert(recorder_object_find(&context, ompd_cl_registry_context, RECORDER_LOAD_CONTEXT));
    ck_assert_uint_eq(recorder_children_count(&context), 0);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(loads[i].callbacks_run, callbacks_each);
    }
    ck_assert_uint_eq(recorder_root()->counts.not_recorded, 0);
    ck_assert_uint_eq(recorder_root()->counts.over_releases, 0);
    ck_assert_uint_eq(recorder_root()->counts.unknown_handles, 0);
}

START_TEST(each_for_itself)
{
    for (int i = 0; i < THREADS; i++) {
        loads[i].rounds = 5;
    }
    all_run();
    expect_nothing_left(5 * 2 * RECORDER_LOAD_OBJECTS);
}
END_TEST

/* The slots go back to the threads that they belong to, and are used again. */
START_TEST(each_ends_its_neighbours_objects)
{
    for (int i = 0; i < THREADS; i++) {
        loads[i].rounds = 1;
        loads[i].neighbour = &loads[(i + 1) % THREADS];
    }
    all_run();
    expect_nothing_left(2 * RECORDER_LOAD_OBJECTS);
    for (int i = 0; i < THREADS; i++) {
        loads[i].callbacks_run = 0;
        loads[i].neighbour = NULL;
    }
    all_run();
    expect_nothing_left(2 * RECORDER_LOAD_OBJECTS);
    uint32_t chunks_each = RECORDER_LOAD_OBJECTS / RECORDER_RECORDS_PER_CHUNK + 1;
    ck_assert_uint_eq(recorder_tables[ompd_cl_registry_memobj].chunk_count, THREADS * chunks_each);
}
END_TEST

/* A thread that enters and ends; its record's index. */
static void *thread_pass(void *index)
{
    *(uint32_t *)index = recorder_heap_mine()->number;
    return NULL;
}

static uint32_t record_of_next_thread(void)
{
    pthread_t thread;
    uint32_t index = UINT32_MAX;
    ck_assert_int_eq(pthread_create(&thread, NULL, thread_pass, &index), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    return index;
}

/* Record and generation must distinguish threads for ever. */
START_TEST(record_is_used_up)
{
    uint32_t index = record_of_next_thread();
    struct ompd_cl_registry_thread_record *record = recorder_record(ompd_cl_registry_thread, index);
    record->generation = (UINT32_C(1) << OMPD_CL_REGISTRY_GENERATION_BITS) - 2;
    ck_assert_uint_eq(record_of_next_thread(), index);
    ck_assert_uint_eq(record_of_next_thread(), index);
    ck_assert_uint_ne(record_of_next_thread(), index);
    ck_assert_int_eq(record->state, ompd_cl_registry_free);
}
END_TEST

/* Replaces the C library's function: counts the attributes that the thread destroys. */
static __thread uintptr_t given_back;
static uintptr_t given_back_at_end;

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    int (*destroy)(pthread_attr_t *);
    *(void **)&destroy = dlsym(RTLD_NEXT, "pthread_attr_destroy");
    given_back++;
    given_back_at_end = given_back;
    return destroy(attributes);
}

static void *thread_enter(void *unused)
{
    (void)unused;
    ck_assert_ptr_nonnull(recorder_heap_mine());
    return (void *)given_back;
}

/* The thread would allocate next the memory that the recorder has freed. */
START_TEST(memory_stays_until_the_thread_ends)
{
    pthread_t thread;
    void *while_it_runs;
    ck_assert_int_eq(pthread_create(&thread, NULL, thread_enter, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &while_it_runs), 0);
    ck_assert_uint_eq((uintptr_t)while_it_runs, 0);
    ck_assert_uint_eq(given_back_at_end, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-threads");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_test(all, each_for_itself);
    tcase_add_test(all, each_ends_its_neighbours_objects);
    tcase_add_test(all, record_is_used_up);
    tcase_add_test(all, memory_stays_until_the_thread_ends);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
