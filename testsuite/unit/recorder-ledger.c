/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's records of where objects were created, retained and released. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "../../recorder/core/process.h"
#include "../../recorder/core/tables.h"
#include "../../recorder/objects/objects.h"
#include "suite.h"

#define LENGTH 8
#define KEPT ((const void *)0x400010)
#define DROPPED ((const void *)0x400020)
#define EVENT ompd_cl_registry_event

/* The entry at PLACE, when there is a ledger of events alone. */
static const struct ompd_cl_registry_ledger_record *entry_at(uint32_t place)
{
    return recorder_record(ompd_cl_registry_ledger, place);
}

static void set_up(void)
{
    setenv("OMPD_OPENCL_LEDGER", "events,8", 1);
    scene_set_up();
}

static void tear_down(void)
{
    scene_tear_down();
}

static uint32_t count_tell(const void *handle)
{
    (void)handle;
    return 1;
}

static void release(const void *handle, bool succeeds)
{
    struct recorder_release release;
    recorder_release_begin(&release, EVENT, handle, count_tell, DROPPED);
    recorder_release_end(&release, succeeds);
}

static void expect(uint32_t place, uint32_t action, int32_t references, const void *caller)
{
    const struct ompd_cl_registry_ledger_record *entry = entry_at(place);
    ck_assert_uint_eq(entry->state, ompd_cl_registry_live);
    ck_assert_uint_eq(entry->change, recorder_ring_change(place + 1));
    ck_assert_uint_eq(entry->handle, (uintptr_t)HANDLE(2));
    ck_assert_uint_eq(entry->action, action);
    ck_assert_int_eq(entry->references, references);
    ck_assert_uint_eq(entry->caller, (uintptr_t)caller);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->object), EVENT);
    ck_assert_uint_ne(entry->lwp, 0);
    ck_assert_uint_gt(entry->at, UINT64_C(1700000000) * 1000000000);
}

/* Each way in which the count changes, and that it does not, in order. */
START_TEST(life_of_an_event)
{
    scene_create(EVENT, HANDLE(2), CONTEXT);
    uint64_t serial = scene_object(EVENT, HANDLE(2))->serial;
    recorder_object_retained(EVENT, HANDLE(2), KEPT);
    release(HANDLE(2), true);
    release(HANDLE(2), false);
    release(HANDLE(2), true);
    release(HANDLE(2), true);
    expect(0, ompd_cl_registry_action_created, 1, NULL);
    expect(1, ompd_cl_registry_action_retained, 2, KEPT);
    expect(2, ompd_cl_registry_action_released, 1, DROPPED);
    expect(3, ompd_cl_registry_action_released, 0, DROPPED);
    expect(4, ompd_cl_registry_action_refused, 1, NULL);
    expect(5, ompd_cl_registry_action_released, 0, DROPPED);
    expect(6, ompd_cl_registry_action_ended, 0, NULL);
    ck_assert_uint_eq(entry_at(6)->ending, ompd_cl_registry_ending_released);
    expect(7, ompd_cl_registry_action_over_released, 0, DROPPED);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(entry_at(i)->serial, serial);
    }
}
END_TEST

/* The usual release of an object with callbacks takes another path. */
START_TEST(handle_given_out_again)
{
    scene_create(EVENT, HANDLE(2), CONTEXT);
    recorder_object_retained(EVENT, HANDLE(2), KEPT);
    scene_create(EVENT, HANDLE(2), CONTEXT);
    expect(2, ompd_cl_registry_action_ended, 2, NULL);
    ck_assert_uint_eq(entry_at(2)->ending, ompd_cl_registry_ending_reused);
    expect(3, ompd_cl_registry_action_created, 1, NULL);
    ck_assert_uint_ne(entry_at(3)->serial, entry_at(2)->serial);
    release(HANDLE(2), true);
}
END_TEST

/* A retain of an object that the program has released revives it. */
START_TEST(retained_after_the_last_release)
{
    scene_create(EVENT, HANDLE(2), CONTEXT);
    struct recorder_release last;
    recorder_release_begin(&last, EVENT, HANDLE(2), count_tell, DROPPED);
    recorder_object_retained(EVENT, HANDLE(2), KEPT);
    expect(1, ompd_cl_registry_action_released, 0, DROPPED);
    expect(2, ompd_cl_registry_action_retained, 1, KEPT);
    release(HANDLE(2), true);
}
END_TEST

/* The last entries remain, with their numbers; objects of other kinds have none. */
START_TEST(last_ones_stay)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_create(EVENT, HANDLE(2), CONTEXT);
    for (uint32_t i = 1; i < 100; i++) {
        recorder_object_retained(EVENT, HANDLE(2), KEPT);
    }
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < LENGTH; i++) {
        ck_assert_uint_eq(entry_at(i)->change >> 32, (uint32_t)entry_at(i)->references);
        ck_assert_int_gt(entry_at(i)->references, 100 - LENGTH);
        sum += (uint32_t)entry_at(i)->references;
    }
    ck_assert_uint_eq(sum, 93 + 94 + 95 + 96 + 97 + 98 + 99 + 100);
    ck_assert_uint_eq(entry_at(LENGTH)->state, ompd_cl_registry_free);
}
END_TEST

/* ---- The environment ------------------------------------------------------------------------- */

#define BIT(table) (UINT32_C(1) << ompd_cl_registry_##table)
#define ALL                                                                                        \
    (BIT(context) | BIT(queue) | BIT(memobj) | BIT(program) | BIT(kernel) | BIT(sampler) |         \
     BIT(event))

static const struct {
    const char *value;
    uint32_t tables;
    uint32_t length;
} wishes[] = {
    {NULL, 0, 16384},
    {"", 0, 16384},
    {"0", 0, 16384},
    {"1", ALL, 16384},
    {"all", ALL, 16384},
    {"all,100", ALL, 100},
    {"100", ALL, 100},
    {"events", BIT(event), 16384},
    {"events,contexts,9", BIT(event) | BIT(context), 9},
    {"9,kernels", BIT(kernel), 9},
    {"event", 0, 16384},
    {"eventsx,memobjs", BIT(memobj), 16384},
    {"events,0", 0, 16384},
    {"all,99999999999999999999", ALL, RECORDER_LEDGER_LIMIT},
    {",,events,,", BIT(event), 16384},
};

START_TEST(what_the_user_wants)
{
    if (wishes[_i].value) {
        setenv("OMPD_OPENCL_LEDGER", wishes[_i].value, 1);
    } else {
        unsetenv("OMPD_OPENCL_LEDGER");
    }
    ck_assert_uint_eq(recorder_environment_ledger(), wishes[_i].tables);
    ck_assert_uint_eq(recorder_environment_ledger_length(), wishes[_i].length);
    ck_assert_uint_eq(recorder_environment_switches() & ~UINT32_C(0xff), wishes[_i].tables << 8);
}
END_TEST

START_TEST(off_by_default)
{
    unsetenv("OMPD_OPENCL_LEDGER");
    scene_set_up();
    scene_create(EVENT, HANDLE(2), CONTEXT);
    release(HANDLE(2), true);
    ck_assert_uint_eq(recorder_ledger_tables, 0);
    ck_assert_uint_eq(recorder_tables[ompd_cl_registry_ledger].chunk_count, 0);
    scene_tear_down();
}
END_TEST

/* How many entries there are of objects of TABLE. */
static uint32_t entries_of(uint32_t table)
{
    uint32_t chunk_count = recorder_tables[ompd_cl_registry_ledger].chunk_count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < chunk_count * RECORDER_RECORDS_PER_CHUNK; i++) {
        count += entry_at(i)->state == ompd_cl_registry_live &&
                 OMPD_CL_REGISTRY_REFERENCE_TABLE(entry_at(i)->object) == table;
    }
    return count;
}

/* Objects of one kind push out no entries of others. */
START_TEST(ring_of_each_kind)
{
    setenv("OMPD_OPENCL_LEDGER", "all,8", 1);
    scene_set_up();
    scene_create(EVENT, HANDLE(2), CONTEXT);
    for (uint32_t i = 0; i < 100; i++) {
        scene_create(ompd_cl_registry_sampler, HANDLE(3), CONTEXT);
        scene_release(ompd_cl_registry_sampler, HANDLE(3), true);
    }
    ck_assert_uint_eq(entries_of(ompd_cl_registry_context), 1);
    ck_assert_uint_eq(entries_of(EVENT), 1);
    ck_assert_uint_eq(entries_of(ompd_cl_registry_sampler), LENGTH);
    scene_tear_down();
}
END_TEST

/* ---- Written by several threads, and read meanwhile ------------------------------------------ */

#define THREADS 4
#define ROUNDS 5000

/* The handle, the caller and what becomes of the references go together. */
static void churn(uintptr_t number)
{
    struct recorder_release release;
    scene_create(EVENT, HANDLE(number), CONTEXT);
    recorder_object_retained(EVENT, HANDLE(number), HANDLE(number));
    for (int i = 0; i < 2; i++) {
        recorder_release_begin(&release, EVENT, HANDLE(number), count_tell,
                               (const char *)HANDLE(number) + 1);
        recorder_release_end(&release, true);
    }
}

static bool is_whole(const struct ompd_cl_registry_ledger_record *entry)
{
    uint64_t handle = entry->handle;
    switch (entry->state == ompd_cl_registry_free ? 0 : entry->action) {
    case 0:
        return true;
    case ompd_cl_registry_action_created:
        return entry->references == 1 && entry->caller == 0;
    case ompd_cl_registry_action_retained:
        return entry->references == 2 && entry->caller == handle;
    case ompd_cl_registry_action_released:
        return entry->references <= 1 && entry->caller == handle + 1;
    case ompd_cl_registry_action_ended:
        return entry->references == 0 && entry->ending == ompd_cl_registry_ending_released;
    default:
        return false;
    }
}

static void *churn_in_thread(void *number)
{
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        churn(100 + (uintptr_t)number * 1000 + i % 1000);
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
        ck_assert_uint_eq(entry_at(i)->state, ompd_cl_registry_live);
        ck_assert_uint_eq(OMPD_CL_REGISTRY_CHANGE_LWP(entry_at(i)->change), 0);
        ck_assert(is_whole(entry_at(i)));
    }
}
END_TEST

#define LOOKS 100

static volatile sig_atomic_t looks;
static volatile sig_atomic_t torn;

/* The thread is stopped where it is, as a debugger would stop it. */
static void look(int signal_number)
{
    (void)signal_number;
    for (uint32_t i = 0; i < LENGTH; i++) {
        torn += !is_whole(entry_at(i));
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
        churn(100 + i % 1000);
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    ck_assert_int_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
    ck_assert_int_eq(torn, 0);
}
END_TEST

/* A thread that did not come along into the child of a fork() was writing to a record. */
START_TEST(writer_vanished)
{
    churn(100);
    struct ompd_cl_registry_ledger_record *entry =
        (struct ompd_cl_registry_ledger_record *)entry_at(6);
    entry->change = 4711;
    churn(101);
    ck_assert_uint_eq(entry->state, ompd_cl_registry_free);
    recorder_rings_repair(ompd_cl_registry_ledger);
    churn(102);
    churn(103);
    for (uint32_t i = 0; i < LENGTH; i++) {
        ck_assert_uint_eq(entry_at(i)->state, ompd_cl_registry_live);
        ck_assert(is_whole(entry_at(i)));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-ledger");
    TCase *tcase = tcase_create("ledger");
    TCase *wanted = tcase_create("wanted");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, life_of_an_event);
    tcase_add_test(tcase, handle_given_out_again);
    tcase_add_test(tcase, retained_after_the_last_release);
    tcase_add_test(tcase, last_ones_stay);
    tcase_add_test(tcase, threads_share_a_ring);
    tcase_add_test(tcase, stopped_anywhere);
    tcase_add_test(tcase, writer_vanished);
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(wanted, what_the_user_wants, 0, sizeof(wishes) / sizeof(wishes[0]));
    tcase_add_test(wanted, off_by_default);
    tcase_add_test(wanted, ring_of_each_kind);
    suite_add_tcase(suite, wanted);
    return suite_run(suite);
}
