/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OMPD functions on targets of any byte order and word size: processes, devices, threads and
 * their ids, and what OpenCL lacks. */
#include "ompd-session.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <string.h>

static ompd_address_space_context_t *context(void)
{
    return (ompd_address_space_context_t *)(void *)target;
}

START_TEST(native_ids)
{
    session_open(_i);
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        uint64_t pthread = FAKE_PTHREAD(FIRST_LWP + i);
        ompd_thread_handle_t *by_lwp = NULL;
        ompd_thread_handle_t *by_pthread = NULL;
        uint64_t wide = FIRST_LWP + i;
        uint32_t narrow = (uint32_t)pthread;
        const void *id = target->pointer_size == 4 ? (const void *)&narrow : &pthread;
        int order = 42;

        if (i == 3) { /* it has ended */
            ck_assert_int_eq(
                ompd_get_thread_handle(population.space, OMPD_CL_THREAD_LWP, 8, &wide, &by_lwp),
                ompd_rc_unavailable);
            ck_assert_ptr_null(by_lwp);
            continue;
        }
        ck_assert_int_eq(
            ompd_get_thread_handle(population.space, OMPD_CL_THREAD_LWP, 8, &wide, &by_lwp),
            ompd_rc_ok);
        ck_assert_int_eq(ompd_get_thread_handle(population.space, OMPD_CL_THREAD_PTHREAD,
                                                target->pointer_size, id, &by_pthread),
                         ompd_rc_ok);
        ck_assert_int_eq(ompd_thread_handle_compare(by_lwp, by_pthread, &order), ompd_rc_ok);
        ck_assert_int_eq(order, 0);
        wide = 0;
        ck_assert_int_eq(ompd_get_thread_id(by_pthread, OMPD_CL_THREAD_LWP, 8, &wide), ompd_rc_ok);
        ck_assert_uint_eq(wide, FIRST_LWP + i);
        ck_assert_int_eq(ompd_get_thread_id(by_pthread, OMPD_CL_THREAD_LWP, 4, &narrow),
                         ompd_rc_ok);
        ck_assert_uint_eq(narrow, FIRST_LWP + i);
        pthread = 0;
        ck_assert_int_eq(
            ompd_get_thread_id(by_lwp, OMPD_CL_THREAD_PTHREAD, target->pointer_size, &pthread),
            ompd_rc_ok);
        ck_assert_uint_eq(pthread, FAKE_PTHREAD(FIRST_LWP + i));
    }
}
END_TEST

START_TEST(wrong_kinds_and_sizes)
{
    ompd_thread_handle_t *thread;
    ompd_thread_handle_t *none = NULL;
    uint64_t id[2] = {FIRST_LWP, 0};

    session_open(_i);
    thread = session_thread(0);
    for (ompd_size_t size = 0; size < 17; size++) {
        if (size != 4 && size != 8) {
            ck_assert_int_eq(
                ompd_get_thread_handle(population.space, OMPD_CL_THREAD_LWP, size, id, &none),
                ompd_rc_bad_input);
            ck_assert_int_eq(ompd_get_thread_id(thread, OMPD_CL_THREAD_LWP, size, id),
                             ompd_rc_bad_input);
        }
        if (size != target->pointer_size)
            ck_assert_int_eq(
                ompd_get_thread_handle(population.space, OMPD_CL_THREAD_PTHREAD, size, id, &none),
                ompd_rc_bad_input);
    }
    for (ompd_thread_id_t kind = 2; kind < 5; kind++) {
        ck_assert_int_eq(ompd_get_thread_handle(population.space, kind, 8, id, &none),
                         ompd_rc_unsupported);
        ck_assert_int_eq(ompd_get_thread_id(thread, kind, 8, id), ompd_rc_unsupported);
    }
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(id[0], FIRST_LWP);
    /* No thread has an id of more than 32 bits, whatever its lower half is. */
    id[0] |= UINT64_C(1) << 32;
    ck_assert_int_eq(ompd_get_thread_handle(population.space, OMPD_CL_THREAD_LWP, 8, id, &none),
                     ompd_rc_unavailable);
}
END_TEST

START_TEST(id_kinds)
{
    ompd_thread_id_t *kinds = NULL;
    ompd_size_t *sizes = NULL;
    uint64_t held;
    int count = 0;

    session_open(_i);
    held = target->live_blocks;
    ck_assert_int_eq(ompd_get_device_thread_id_kinds(population.space, &kinds, &sizes, &count),
                     ompd_rc_ok);
    ck_assert_int_eq(count, 2);
    ck_assert_uint_eq(kinds[0], OMPD_CL_THREAD_PTHREAD);
    ck_assert_uint_eq(sizes[0], target->pointer_size);
    ck_assert_uint_eq(kinds[1], OMPD_CL_THREAD_LWP);
    ck_assert_uint_eq(sizes[1], 8);
    session_release(kinds);
    session_release(sizes);
    /* The second of the two arrays cannot be allocated: the first is freed. */
    target->failing = fake_alloc;
    target->fail_at = target->calls[fake_alloc] + 2;
    kinds = NULL;
    ck_assert_int_eq(ompd_get_device_thread_id_kinds(population.space, &kinds, &sizes, &count),
                     ompd_rc_nomem);
    ck_assert_ptr_null(kinds);
    ck_assert_uint_eq(target->live_blocks, held);
}
END_TEST

START_TEST(order)
{
    ompd_thread_handle_t *first;
    ompd_thread_handle_t *second;
    int cmp = 42;

    session_open(_i);
    first = session_thread(0);
    second = session_thread(1);
    ck_assert_int_eq(ompd_thread_handle_compare(first, second, &cmp), ompd_rc_ok);
    ck_assert_int_eq(cmp, -1);
    ck_assert_int_eq(ompd_thread_handle_compare(second, first, &cmp), ompd_rc_ok);
    ck_assert_int_eq(cmp, 1);
    fake_set(target, THREAD, population.threads[0], FIELD(serial), UINT64_C(1) << 63);
    ck_assert_int_eq(ompd_thread_handle_compare(first, second, &cmp), ompd_rc_ok);
    ck_assert_int_eq(cmp, 1);
    fake_set(target, THREAD, population.threads[1], FIELD(serial), (UINT64_C(1) << 63) + 1);
    ck_assert_int_eq(ompd_thread_handle_compare(first, second, &cmp), ompd_rc_ok);
    ck_assert_int_eq(cmp, -1);
    ck_assert_int_eq(ompd_thread_handle_compare(first, second, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_thread_handle_compare(first, NULL, &cmp), ompd_rc_bad_input);
}
END_TEST

START_TEST(no_threads_to_tell)
{
    ompd_thread_handle_t *handle = NULL;

    session_open(0);
    ck_assert_int_eq(session_find_thread(population.space, 99, &handle), ompd_rc_unavailable);
    sentence_expect(population.space, "has not entered OpenCL");
    fake_forget_threads(target);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(session_find_thread(population.space, FIRST_LWP, &handle),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_ptr_null(handle);
}
END_TEST

START_TEST(no_recorder_yet)
{
    ompd_address_space_handle_t *space = NULL;
    ompd_thread_handle_t *handle = NULL;
    uint32_t lwp = FIRST_LWP;

    session_open(0);
    target->has_recorder = false;
    ck_assert_int_eq(ompd_initialize(201811, &fake_callbacks), ompd_rc_ok);
    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_ok);
    sentence_expect_none(space);
    ck_assert_int_eq(ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, 4, &lwp, &handle),
                     ompd_rc_unavailable);
    target->has_recorder = true;
    memset(target->bytes + (target->root - FAKE_BASE), 0, 8);
    ck_assert_int_eq(ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, 4, &lwp, &handle),
                     ompd_rc_unavailable);
    ck_assert_ptr_null(handle);
    memcpy(target->bytes + (target->root - FAKE_BASE), OMPD_CL_REGISTRY_MAGIC, 8);
    ck_assert_int_eq(ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, 4, &lwp, &handle),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
}
END_TEST

START_TEST(refused_processes)
{
    const uint64_t major = offsetof(struct ompd_cl_registry_root, major);
    ompd_address_space_handle_t *space = NULL;

    session_open(0);
    ck_assert_int_eq(ompd_initialize(202411, &fake_callbacks), ompd_rc_ok);
    fake_put(target, target->root + major, 2, OMPD_CL_REGISTRY_MAJOR + 1);
    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_incompatible);
    sentence_expect(NULL, "newer");
    fake_put(target, target->root + major, 2, OMPD_CL_REGISTRY_MAJOR);
    target->hole_start = target->root;
    target->hole_end = target->root + 1;
    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_device_read_error);
    ck_assert_ptr_null(space);
    target->hole_end = 0;
    ck_assert_uint_eq(target->live_blocks, 1); /* the population's own address space */
    ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
}
END_TEST

START_TEST(unreadable)
{
    uint64_t record;
    ompd_thread_handle_t *handle;
    ompd_thread_handle_t *none = NULL;
    ompd_word_t state = 42;
    uint32_t id = 42;

    session_open(_i);
    handle = session_thread(1);
    fake_add_thread(target, 777, true);
    record = fake_field_address(target, THREAD, population.threads[1], FIELD(lwp));
    target->hole_start = record;
    target->hole_end = record + 1;
    /* One that was never seen is found among others. */
    ck_assert_int_eq(session_find_thread(population.space, 777, &none), ompd_rc_ok);
    sentence_expect_none(population.space);
    none = NULL;
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_device_read_error);
    ck_assert_int_eq(ompd_get_thread_id(handle, OMPD_CL_THREAD_LWP, 4, &id),
                     ompd_rc_device_read_error);
    ck_assert_int_eq(session_find_thread(population.space, FIRST_LWP + 1, &none),
                     ompd_rc_device_read_error);
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_device_read_error);
    target->hole_start = target->tables[THREAD].directory;
    target->hole_end = target->hole_start + 64;
    none = NULL;
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_device_read_error);
    target->is_hole_known = true;
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_device_read_error);
    sentence_expect(population.space, "core");
    target->hole_start = target->root;
    target->hole_end = target->root + 8;
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_device_read_error);
    target->hole_end = 0;
    ck_assert_ptr_null(none);
    ck_assert_int_eq(state, 42);
    ck_assert_uint_eq(id, 42);
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_ok);
    ck_assert_int_eq(state, OMPD_CL_STATE_BASE + ompd_cl_thread_state_waits_for_queue);
}
END_TEST

START_TEST(corrupt_table)
{
    const uint64_t used = offsetof(struct ompd_cl_registry_chunk, used);
    uint64_t chunk;
    uint64_t table;
    ompd_thread_handle_t *none = NULL;

    session_open(_i);
    session_thread(0);
    chunk = fake_chunk_address(target, THREAD, 0);
    table = ROOT_MEMBER(tables);
    while (fake_get(target, table, 4) != THREAD)
        table += sizeof(struct ompd_cl_registry_table);
    table += offsetof(struct ompd_cl_registry_table, chunk_count);
    fake_put(target, table, 4, (UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS) / 4 + 1);
    fake_reset(target);
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_error);
    ck_assert_uint_eq(target->calls[fake_read], 2); /* how the root begins, and the count */
    fake_put(target, table, 4, 2);
    fake_put(target, chunk + used, 4, 5);
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_error);
    sentence_expect(population.space, "corrupt");
    fake_put(target, chunk + used, 4, 4);
    fake_put(target, chunk, 8, UINT64_MAX - 16);
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_error);
    fake_put(target, chunk, 8, 0x10);
    ck_assert_int_eq(session_find_thread(population.space, 99, &none), ompd_rc_device_read_error);
    ck_assert_ptr_null(none);
}
END_TEST

/* However many threads a target seems to have, few of them are remembered; all are found. */
START_TEST(very_many_threads)
{
    ompd_thread_handle_t *thread = NULL;
    uint64_t held;

    population = (struct population){.target = fake_target_create(false, 8, 64)};
    population_open(&population);
    target = population.target;
    for (uint32_t i = 0; i < 70000; i++)
        fake_add_thread(target, 1 + i, true);
    held = target->live_bytes;
    ck_assert_int_eq(session_find_thread(population.space, 70000, &thread), ompd_rc_ok);
    ck_assert_uint_le(target->live_bytes - held, UINT64_C(2) << 20);
    held = target->live_bytes;
    ck_assert_int_eq(session_find_thread(population.space, 1, &thread), ompd_rc_ok);
    ck_assert_int_eq(session_find_thread(population.space, 69999, &thread), ompd_rc_ok);
    ck_assert_int_eq(session_find_thread(population.space, 70001, &thread), ompd_rc_unavailable);
    ck_assert_uint_eq(target->live_bytes, held);
}
END_TEST

START_TEST(devices)
{
    ompd_address_space_handle_t *device = NULL;
    uint64_t wide = DEVICE_HANDLE;
    uint32_t narrow = DEVICE_HANDLE;
    const ompd_device_t kind = OMPD_CL_DEVICE_KIND;
    ompd_address_space_handle_t *space;

    session_open(_i);
    space = population.space;
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, &device), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(device), ompd_rc_ok);
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 4, &narrow, &device), ompd_rc_ok);
    device = NULL;
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 2, &narrow, &device),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind + 1, 8, &wide, &device),
                     ompd_rc_unsupported);
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, NULL, &device),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, NULL), ompd_rc_bad_input);
    wide++;
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, &device),
                     ompd_rc_unavailable);
    wide = 0;
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, &device),
                     ompd_rc_bad_input);
    fake_remove_object(target, ompd_cl_registry_queue, population.queue);
    wide = DEVICE_HANDLE;
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, &device),
                     ompd_rc_unavailable);
    /* A registry without a table of queues. */
    fake_put(target, ROOT_MEMBER(table_count), 4, 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_device_initialize(space, NULL, kind, 8, &wide, &device),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "no such table");
    ck_assert_ptr_null(device);
}
END_TEST

START_TEST(parallel_regions_and_tasks)
{
    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *parallel = NULL;
    ompd_task_handle_t *task = NULL;
    ompd_frame_info_t frame;

    session_open(0);
    thread = session_thread(1);
    ck_assert_int_eq(ompd_get_curr_parallel_handle(thread, &parallel), ompd_rc_unsupported);
    ck_assert_int_eq(ompd_get_curr_task_handle(thread, &task), ompd_rc_unsupported);
    sentence_expect(population.space, "or tasks");
    ck_assert_int_eq(ompd_get_curr_parallel_handle(thread, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_curr_task_handle(NULL, &task), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_task_frame((void *)thread, &frame, &frame),
                     ompd_rc_incompatible_handle);
    ck_assert_int_eq(ompd_get_task_frame((void *)thread, NULL, &frame), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_task_frame((void *)thread, &frame, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_enclosing_parallel_handle((void *)thread, &parallel),
                     ompd_rc_incompatible_handle);
    ck_assert_int_eq(ompd_get_generating_task_handle((void *)thread, NULL), ompd_rc_bad_input);
    ck_assert_ptr_null(parallel);
    ck_assert_ptr_null(task);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ompd");
    TCase *tcase = tcase_create("ompd");

    tcase_add_checked_fixture(tcase, NULL, session_close);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, native_ids, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, wrong_kinds_and_sizes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, id_kinds, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, order, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, no_threads_to_tell);
    tcase_add_test(tcase, no_recorder_yet);
    tcase_add_test(tcase, refused_processes);
    tcase_add_loop_test(tcase, unreadable, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, corrupt_table, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, very_many_threads);
    tcase_add_loop_test(tcase, devices, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, parallel_regions_and_tasks);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
