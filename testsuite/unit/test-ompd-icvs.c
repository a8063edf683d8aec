/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ICVs: each enumerated, each an integer, each what the threads counted. */
#include "ompd-session.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <ompd-opencl-calls.h>
#include <string.h>

/* The id of the ICV called NAME, and its scope; 0 when HANDLE has none. */
static ompd_icv_id_t find_icv(ompd_address_space_handle_t *handle, const char *name,
                              ompd_scope_t *scope)
{
    ompd_icv_id_t id = 0;
    ompd_icv_id_t found = 0;
    int more = 1;

    while (more) {
        const char *next = NULL;
        ompd_scope_t next_scope;

        ck_assert_int_eq(ompd_enumerate_icvs(handle, id, &id, &next, &next_scope, &more),
                         ompd_rc_ok);
        if (strcmp(next, name) == 0) {
            found = id;
            *scope = next_scope;
        }
        session_release(next);
    }
    return found;
}

static void assert_icv(void *handle, const char *name, int64_t expected, const char *text)
{
    ompd_scope_t scope = ompd_scope_global;
    ompd_icv_id_t id = find_icv(population.space, name, &scope);
    ompd_word_t value = 42;
    const char *string = NULL;

    ck_assert_msg(id != 0, "%s", name);
    ck_assert_msg(ompd_get_icv_from_scope(handle, scope, id, &value) == ompd_rc_ok, "%s", name);
    ck_assert_msg(value == expected, "%s: %lld", name, (long long)value);
    ck_assert_int_eq(ompd_get_icv_string_from_scope(handle, scope, id, &string), ompd_rc_ok);
    ck_assert_str_eq(string, text);
    session_release(string);
}

static ompd_rc_t ask(const char *name)
{
    ompd_scope_t scope = ompd_scope_global;
    ompd_icv_id_t id = find_icv(population.space, name, &scope);
    const char *string = NULL;
    ompd_word_t value = 42;
    ompd_rc_t rc = ompd_get_icv_from_scope(population.space, scope, id, &value);

    ck_assert_int_eq(value == 42, rc != ompd_rc_ok);
    ck_assert_int_eq(ompd_get_icv_string_from_scope(population.space, scope, id, &string), rc);
    ck_assert_int_eq(string == NULL, rc != ompd_rc_ok);
    if (string != NULL)
        session_release(string);
    return rc;
}

/* Each has a unique name, an integer and a string, at any stop. */
START_TEST(all)
{
    char names[64][40];
    unsigned count = 0;
    unsigned of_threads = 0;
    ompd_icv_id_t id = 0;
    int more = 1;

    session_open(_i);
    while (more) {
        ompd_scope_t scope = ompd_scope_global;
        const char *name = NULL;
        const char *string = NULL;
        ompd_word_t value;
        void *handle;

        ck_assert_int_eq(ompd_enumerate_icvs(population.space, id, &id, &name, &scope, &more),
                         ompd_rc_ok);
        ck_assert_uint_eq(id, count + 1);
        ck_assert_uint_lt(strlen(name), 31); /* the width of LLVM's column */
        ck_assert_str_eq(name + strlen(name) - 4, "-var");
        for (unsigned i = 0; i < count; i++)
            ck_assert_str_ne(names[i], name);
        strcpy(names[count++], name);
        ck_assert(scope == ompd_scope_address_space || scope == ompd_scope_thread);
        of_threads += scope == ompd_scope_thread;
        handle = scope == ompd_scope_thread ? (void *)session_thread(2) : population.space;
        ck_assert_int_eq(ompd_get_icv_from_scope(handle, scope, id, &value), ompd_rc_ok);
        ck_assert_int_eq(ompd_get_icv_string_from_scope(handle, scope, id, &string), ompd_rc_ok);
        ck_assert_uint_gt(strlen(string), 0);
        session_release(string);
        session_release(name);
    }
    ck_assert_uint_eq(count, 40);
    ck_assert_uint_eq(of_threads, 7);
}
END_TEST

START_TEST(of_process)
{
    void *space;

    session_open(_i);
    space = population.space;
    fake_put(target, ROOT_MEMBER(counts.over_releases), 8, 1);
    fake_put(target, ROOT_MEMBER(counts.unknown_handles), 8, 7);
    assert_icv(space, "contexts-var", 1, "1 context");
    assert_icv(space, "contexts-peak-var", 1, "at most 1 context");
    assert_icv(space, "queues-var", 1, "1 queue");
    assert_icv(space, "memory-objects-var", 3, "3 memory objects");
    assert_icv(space, "memory-objects-peak-var", 5, "at most 5 memory objects");
    assert_icv(space, "memory-object-bytes-var", (INT64_C(5) << 32) + 4096, "21474840576 B");
    assert_icv(space, "programs-var", 1, "1 program");
    assert_icv(space, "svm-allocations-var", 1, "1 SVM allocation");
    assert_icv(space, "svm-bytes-var", 65536, "65536 B");
    assert_icv(space, "svm-bytes-peak-var", INT64_C(3) << 32, "at most 12884901888 B");
    assert_icv(space, "svm-frees-var", 1, "1 SVM free");
    assert_icv(space, "destructors-var", 3, "3 destructor callbacks");
    assert_icv(space, "threads-var", 4, "4 threads");
    assert_icv(space, "over-releases-var", 1, "1 over-release");
    assert_icv(space, "unknown-handles-var", 7, "7 calls on unknown handles");
    assert_icv(space, "not-recorded-var", 0, "0 objects not recorded");
    assert_icv(space, "recorder-major-var", OMPD_CL_REGISTRY_MAJOR, "1");
    assert_icv(space, "stack-depth-var", 4, "4 frames");
    assert_icv(space, "completion-tracking-var", 0, "off");
    assert_icv(space, "sources-var", 1 << ompd_cl_source_recorder, "recorder");
}
END_TEST

START_TEST(of_threads)
{
    uint32_t thread;

    session_open(_i);
    thread = population.threads[4];
    assert_icv(session_thread(0), "call-var", 0, "none");
    assert_icv(session_thread(0), "handle-var", 0, "none");
    assert_icv(session_thread(0), "depth-var", 0, "0 calls and callbacks");
    assert_icv(session_thread(1), "call-var", ompd_cl_call_clFinish, "clFinish");
    assert_icv(session_thread(1), "handle-var", QUEUE_HANDLE, "0x8040");
    assert_icv(session_thread(1), "depth-var", 1, "1 call or callback");
    assert_icv(session_thread(2), "call-var", ompd_cl_call_clGetEventInfo, "clGetEventInfo");
    assert_icv(session_thread(0), "thread-memory-objects-var", 2, "2 memory objects");
    assert_icv(session_thread(4), "thread-memory-objects-var", -1, "-1 memory objects");
    assert_icv(session_thread(4), "thread-memory-object-bytes-var", -4096, "-4096 B");
    assert_icv(session_thread(0), "thread-svm-bytes-var", 65536, "65536 B");
    fake_set(target, THREAD, population.threads[2], FIELD(activity_count), 1);
    assert_icv(session_thread(2), "call-var", 0, "none"); /* it runs a callback */
    for (unsigned i = 0; i < OMPD_CL_REGISTRY_ACTIVITY_LIMIT; i++)
        fake_enter(target, thread, ompd_cl_call_clFlush, 0, 1);
    assert_icv(session_thread(4), "call-var", -1, "unknown");
    assert_icv(session_thread(4), "handle-var", -1, "unknown");
    assert_icv(session_thread(4), "depth-var", 9, "9 calls and callbacks");
}
END_TEST

/* Of a device: its queues and the commands enqueued there. */
START_TEST(of_devices)
{
    static const char *const names[] = {"queues-var", "svm-frees-var"};
    ompd_address_space_handle_t *device = NULL;
    ompd_scope_t scope = ompd_scope_global;
    uint64_t id = DEVICE_HANDLE;
    ompd_icv_id_t icv = 0;
    unsigned answered = 0;
    uint32_t queue;
    int more = 1;

    session_open(_i);
    queue = fake_add_object(target, ompd_cl_registry_queue, QUEUE_HANDLE + 0x40);
    fake_set(target, ompd_cl_registry_queue, queue, FIELD(device), DEVICE_HANDLE);
    fake_set(target, ompd_cl_registry_queue, queue, FIELD(svm_frees), 4);
    queue = fake_add_object(target, ompd_cl_registry_queue, QUEUE_HANDLE + 0x80);
    fake_set(target, ompd_cl_registry_queue, queue, FIELD(device), DEVICE_HANDLE + 1);
    fake_set(target, ompd_cl_registry_queue, queue, FIELD(svm_frees), 8);
    ck_assert_int_eq(
        ompd_device_initialize(population.space, NULL, OMPD_CL_DEVICE_KIND, 8, &id, &device),
        ompd_rc_ok);
    assert_icv(device, "queues-var", 2, "2 queues");
    assert_icv(device, "svm-frees-var", 5, "5 SVM frees");
    for (unsigned i = 0; more; i++) {
        const char *name = NULL;

        ck_assert_int_eq(ompd_enumerate_icvs(device, icv, &icv, &name, &scope, &more), ompd_rc_ok);
        ck_assert_uint_lt(i, 2);
        ck_assert_str_eq(name, names[i]);
        session_release(name);
    }
    for (icv = 1; icv <= 40; icv++) {
        ompd_word_t value = 42;
        ompd_rc_t rc = ompd_get_icv_from_scope(device, ompd_scope_address_space, icv, &value);

        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incompatible);
        answered += rc == ompd_rc_ok;
    }
    ck_assert_uint_eq(answered, 2);
    fake_remove_object(target, ompd_cl_registry_queue, population.queue);
    assert_icv(device, "queues-var", 1, "1 queue");
}
END_TEST

/* A queue has no more commands than there are records of them. */
START_TEST(device_that_cannot_be)
{
    ompd_address_space_handle_t *device = NULL;
    ompd_scope_t scope = ompd_scope_global;
    uint64_t id = DEVICE_HANDLE;
    ompd_word_t value = 42;
    ompd_icv_id_t icv;

    session_open(_i);
    icv = find_icv(population.space, "svm-frees-var", &scope);
    ck_assert_int_eq(
        ompd_device_initialize(population.space, NULL, OMPD_CL_DEVICE_KIND, 8, &id, &device),
        ompd_rc_ok);
    fake_set(target, ompd_cl_registry_queue, population.queue, FIELD(svm_frees), UINT32_MAX);
    ck_assert_int_eq(ompd_get_icv_from_scope(device, scope, icv, &value), ompd_rc_error);
    ck_assert_int_eq(value, 42);
    sentence_expect(population.space, "corrupt");
}
END_TEST

START_TEST(scopes_and_ids)
{
    ompd_word_t value = 42;
    const char *string = NULL;
    ompd_scope_t scope = ompd_scope_global;
    ompd_icv_id_t process_icv;
    ompd_icv_id_t thread_icv;
    ompd_icv_id_t id = 42;
    void *thread;
    int more = 42;

    session_open(0);
    thread = session_thread(1);
    process_icv = find_icv(population.space, "threads-var", &scope);
    thread_icv = find_icv(population.space, "call-var", &scope);
    for (int any = -1; any < 12; any++) {
        bool is_scope = any >= 1 && any <= 8;
        ompd_rc_t expected = is_scope ? ompd_rc_incompatible : ompd_rc_bad_input;

        scope = (ompd_scope_t)any;
        if (any != ompd_scope_address_space)
            ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, process_icv, &value),
                             expected);
        if (any != ompd_scope_thread)
            ck_assert_int_eq(ompd_get_icv_string_from_scope(thread, scope, thread_icv, &string),
                             expected);
        ck_assert_int_eq(ompd_get_icv_from_scope(thread, scope, process_icv, &value), expected);
        ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, thread_icv, &value),
                         expected);
    }
    scope = ompd_scope_address_space;
    ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, 0, &value),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, 41, &value),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, UINT64_MAX, &value),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_icv_from_scope(population.space, scope, process_icv, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_icv_string_from_scope(population.space, scope, process_icv, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(value, 42);
    for (ompd_icv_id_t last = 40; last != 0; last = last == UINT64_MAX ? 0 : UINT64_MAX)
        ck_assert_int_eq(ompd_enumerate_icvs(population.space, last, &id, &string, &scope, &more),
                         ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_icvs(population.space, 0, NULL, &string, &scope, &more),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_icvs(population.space, 0, &id, NULL, &scope, &more),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_icvs(population.space, 0, &id, &string, NULL, &more),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_icvs(population.space, 0, &id, &string, &scope, NULL),
                     ompd_rc_bad_input);
    ck_assert_uint_eq(id, 42);
    ck_assert_int_eq(more, 42);
    ck_assert_ptr_null(string);
}
END_TEST

/* Changing counts are current without a refresh, including those of ended threads. */
START_TEST(as_they_are_now)
{
    session_open(_i);
    assert_icv(population.space, "memory-objects-var", 3, "3 memory objects");
    fake_put_usage(target, population.threads[3], 2, 7, 9);
    assert_icv(population.space, "memory-objects-var", 8, "8 memory objects");
    assert_icv(population.space, "memory-objects-peak-var", 11, "at most 11 memory objects");
    fake_put_usage(target, population.threads[3], 2, 12, 9); /* stopped before its peak was set */
    assert_icv(population.space, "memory-objects-peak-var", 14, "at most 14 memory objects");
    fake_put_usage(target, fake_add_thread(target, 900, true), 2, 100, 100);
    assert_icv(population.space, "memory-objects-var", 113, "113 memory objects");
    assert_icv(population.space, "threads-var", 5, "5 threads");
    for (uint32_t i = 0; i < 3; i++)
        fake_end_thread(target, population.threads[i]);
    assert_icv(population.space, "memory-objects-var", 113, "113 memory objects");
    assert_icv(population.space, "threads-var", 2, "2 threads");
}
END_TEST

/* The peak of one thread's record is what there was at most; those of two are a bound. */
START_TEST(peaks)
{
    population = (struct population){.target = fake_target_create(false, 8, 4)};
    population_open(&population);
    target = population.target;
    fake_put_usage(target, fake_add_thread(target, 1, true), 2, 3, 5);
    assert_icv(population.space, "memory-objects-peak-var", 5, "5 memory objects");
    /* It may have ended what the other made, and made others meanwhile. */
    fake_add_thread(target, 2, true);
    assert_icv(population.space, "memory-objects-peak-var", 5, "at most 5 memory objects");
}
END_TEST

/* A stop may come when one thread has counted an end, and another not yet the making. */
START_TEST(counted_half)
{
    session_open(_i);
    fake_put_usage(target, population.threads[1], 8, -1, 1);
    assert_icv(population.space, "svm-frees-var", -1, "unknown");
    assert_icv(population.space, "svm-frees-peak-var", 1, "at most 1 SVM free");
    fake_put_usage(target, population.threads[1], 8, -THREAD_COUNT - 1, 1);
    ck_assert_int_eq(ask("svm-frees-var"), ompd_rc_error);
}
END_TEST

/* An impossible value is an error, an unreadable one is reported, and neither is a number. */
START_TEST(corrupt_and_unreadable)
{
    ompd_scope_t scope = ompd_scope_global;
    ompd_icv_id_t id;
    ompd_word_t own;
    uint64_t usage;

    session_open(_i);
    fake_put_usage(target, population.threads[0], 2, INT64_MAX, INT64_MAX);
    ck_assert_int_eq(ask("memory-objects-var"), ompd_rc_error);
    ck_assert_int_eq(ask("memory-objects-peak-var"), ompd_rc_error);
    id = find_icv(population.space, "thread-memory-objects-var", &scope);
    ck_assert_int_eq(ompd_get_icv_from_scope(session_thread(0), scope, id, &own), ompd_rc_error);
    fake_put_usage(target, population.threads[1], 2, INT64_MAX, INT64_MAX);
    fake_put_usage(target, population.threads[3], 2, 100, 100);
    ck_assert_int_eq(ask("memory-objects-var"), ompd_rc_error); /* in 64 bits the sum is small */
    fake_put_usage(target, population.threads[1], 2, 0, 0);
    fake_put_usage(target, population.threads[3], 2, 2, 3);
    fake_put_usage(target, population.threads[0], 2, -100, 2);
    ck_assert_int_eq(ask("memory-objects-var"), ompd_rc_error);
    fake_put_usage(target, population.threads[0], 2, 2, 2);
    ck_assert_int_eq(ask("memory-objects-var"), ompd_rc_ok);
    fake_put(target, ROOT_MEMBER(counts.over_releases), 8, UINT64_MAX);
    ck_assert_int_eq(ask("over-releases-var"), ompd_rc_error);

    usage = fake_field_address(target, THREAD, population.threads[3], FIELD(usage));
    target->hole_start = usage + 2 * sizeof(struct ompd_cl_registry_usage);
    target->hole_end = target->hole_start + 1;
    ck_assert_int_eq(ask("memory-objects-var"), ompd_rc_device_read_error);
    ck_assert_int_eq(ask("contexts-var"), ompd_rc_ok);
    target->hole_start = target->tables[THREAD].directory;
    target->hole_end = target->hole_start + 1;
    ck_assert_int_eq(ask("contexts-var"), ompd_rc_device_read_error);
    ck_assert_int_eq(ask("threads-var"), ompd_rc_device_read_error);
    ck_assert_int_eq(ask("recorder-major-var"), ompd_rc_ok);
    target->hole_end = 0;
    fake_forget_threads(target);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ask("contexts-var"), ompd_rc_unavailable);
    ck_assert_int_eq(ask("threads-var"), ompd_rc_unavailable);
    ck_assert_int_eq(ask("sources-var"), ompd_rc_ok);
}
END_TEST

/* Many threads: a count a thread and no more, and threads are found by few reads. */
START_TEST(many_threads)
{
    ompd_thread_handle_t *handle;
    uint64_t id;

    session_open(0);
    for (uint32_t i = 0; i < 10000; i++)
        fake_put_usage(target, fake_add_thread(target, 10000 + i, true), 0, 1, 1);
    fake_reset(target);
    assert_icv(population.space, "contexts-var", 10001, "10001 contexts");
    ck_assert_uint_le(target->calls[fake_read], 2 * (3 + 10005 + 10005 / 4 + 1));
    fake_reset(target);
    for (uint32_t i = 0; i < 10000; i++) {
        id = 10000 + i;
        ck_assert_int_eq(
            ompd_get_thread_handle(population.space, OMPD_CL_THREAD_LWP, 8, &id, &handle),
            ompd_rc_ok);
    }
    ck_assert_uint_le(target->calls[fake_read], 2 * 10000 + 10005 + 10005 / 4 + 10);
    ck_assert_uint_eq(target->calls[fake_symbol], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ompd-icvs");
    TCase *tcase = tcase_create("ompd-icvs");

    tcase_add_checked_fixture(tcase, NULL, session_close);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, all, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, of_process, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, of_threads, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, of_devices, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, device_that_cannot_be, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, scopes_and_ids);
    tcase_add_loop_test(tcase, as_they_are_now, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, peaks);
    tcase_add_loop_test(tcase, counted_half, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, corrupt_and_unreadable, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, many_threads);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
