/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 9 in numbers: symbol lookups, allocations, reads and bytes of lists, of questions about one
 * object, and of refreshes. */
#include "fake-target.h"
#include "suite.h"

#include <check.h>
#include <ompd-opencl-calls.h>

#define CHUNK 512
#define FIRST_HANDLE UINT64_C(0x100000)
#define MIB (UINT64_C(1) << 20)

static struct fake_target *target;
static ompd_address_space_handle_t *space;

static void populate(uint32_t buffers)
{
    target = fake_target_create(false, 8, CHUNK);
    fake_add_object(target, ompd_cl_registry_context, 0x7000);
    for (uint32_t i = 0; i < buffers; i++) {
        uint32_t index = fake_add_buffer(target, FIRST_HANDLE + i * UINT64_C(64), 0, 4096);
        fake_add_destructor(target, index, 0x401000, i);
        fake_add_destructor(target, index, 0x402000, i);
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, (void *)target, &space),
                     ompd_rc_ok);
}

static void tear_down(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

static unsigned count_destructors(ompd_cl_memobj_id_t memobj)
{
    ompd_cl_destructor_info_t rows[4];
    ompd_size_t count = 0;
    unsigned total = 0;
    ompd_cl_list_t list;

    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, memobj, &list), ompd_rc_ok);
    do {
        ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 4, rows, &count, NULL),
                         ompd_rc_ok);
        total += (unsigned)count;
    } while (count != 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return total;
}

/* List all memory objects, and their destructor callbacks if asked. */
static unsigned list_all(bool with_destructors, unsigned *destructors)
{
    ompd_cl_memobj_info_t rows[64];
    ompd_size_t count = 0;
    unsigned total = 0;
    ompd_cl_list_t list;

    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 64, rows, &count, NULL), ompd_rc_ok);
        for (ompd_size_t i = 0; with_destructors && i < count; i++)
            *destructors += count_destructors(ompd_cl_memobj_info_id(&rows[i]));
        total += (unsigned)count;
    } while (count != 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return total;
}

static uint64_t list_and_measure(uint32_t buffers)
{
    unsigned destructors = 0;
    uint64_t mebibytes;
    uint64_t peak;

    populate(buffers);
    fake_reset(target);
    ck_assert_uint_eq(list_all(true, &destructors), buffers);
    ck_assert_uint_eq(destructors, 2 * buffers);
    mebibytes = (target->used + MIB - 1) / MIB;
    ck_assert_uint_eq(target->calls[fake_symbol], 1);
    ck_assert_uint_le(target->calls[fake_alloc], 32);
    ck_assert_uint_le(target->calls[fake_read], mebibytes + 16);
    ck_assert_uint_le(target->bytes_read, target->used + 16 * 4096);
    ck_assert_uint_le(target->largest_read, MIB);
    peak = target->peak_bytes;
    tear_down();
    return peak;
}

/* Four times as many rows need no more memory, but for pieces of two directories, read up to 64 KiB
 * at once. */
START_TEST(full_listing)
{
    uint64_t small = list_and_measure(20000);
    uint64_t large = list_and_measure(80000);

    ck_assert_uint_le(large, small + 2 * 65536);
    ck_assert_uint_lt(large, 3 * MIB);
}
END_TEST

/* The callbacks of BUFFERS objects, two each, by the list of all; returns the peak of memory. */
static uint64_t list_all_destructors(uint32_t buffers)
{
    ompd_cl_destructor_info_t rows[64] = {{.head.struct_size = sizeof(rows[0])}};
    uint64_t mebibytes;
    ompd_size_t count;
    uint64_t total = 0;
    uint64_t peak;
    ompd_cl_list_t list;

    populate(buffers);
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 64, rows, &count, NULL),
                         ompd_rc_ok);
        /* An object's rows are together, the newest callback first. */
        for (ompd_size_t i = 0; i < count; i++, total++)
            suite_require(rows[i].user_data.value == total / 2 &&
                              rows[i].function.value == (total % 2 == 0 ? 0x402000 : 0x401000),
                          "row %u is another", (unsigned)total);
    } while (count != 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    ck_assert_uint_eq(total, 2 * (uint64_t)buffers);
    mebibytes = (target->used + MIB - 1) / MIB;
    ck_assert_uint_le(target->calls[fake_read], mebibytes + 16);
    ck_assert_uint_le(target->bytes_read, target->used + 16 * 4096);
    peak = target->peak_bytes;
    tear_down();
    return peak;
}

START_TEST(all_destructors)
{
    uint64_t small = list_all_destructors(20000);
    uint64_t large = list_all_destructors(80000);

    ck_assert_uint_le(large, small + 2 * 65536);
    ck_assert_uint_lt(large, 3 * MIB);
}
END_TEST

START_TEST(point_question)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id = {0};

    populate(5000);
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_memobj_find(space, FIRST_HANDLE + 4990 * 64, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.size.value, 4096);
    ck_assert_uint_eq(count_destructors(id), 2);
    ck_assert_uint_eq(target->calls[fake_symbol], 1);
    ck_assert_uint_le(target->largest_read, 4096);
    /* The fake's hash is too small on purpose: its chains are long.  A bucket, directories, records
     * of the chain, the context, and two callbacks. */
    ck_assert_uint_le(target->calls[fake_read], 120);
    tear_down();
}
END_TEST

START_TEST(small_target)
{
    unsigned destructors = 0;

    populate(3);
    fake_reset(target);
    ck_assert_uint_eq(list_all(true, &destructors), 3);
    ck_assert_uint_le(target->calls[fake_read], 9);
    ck_assert_uint_le(target->bytes_read, 8 * 4096);
    tear_down();
}
END_TEST

/* After a refresh, what has not changed is not read again. */
START_TEST(refresh)
{
    uint64_t whole;
    uint32_t changed = 1000;

    populate(4000);
    fake_reset(target);
    ck_assert_uint_eq(list_all(false, NULL), 4000);
    whole = target->bytes_read;

    fake_reset(target);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_uint_eq(list_all(false, NULL), 4000);
    /* The root in two parts, the directory, and the contexts. */
    ck_assert_uint_le(target->calls[fake_read], 4);
    ck_assert_uint_lt(target->bytes_read, whole / 10);

    fake_set(target, ompd_cl_registry_memobj, changed, ompd_cl_registry_field_size, 8192);
    fake_touch(target, ompd_cl_registry_memobj, changed);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    {
        ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .min_size = 8192};
        ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
        ompd_size_t count = 0;
        ompd_cl_list_t list;

        ck_assert_int_eq(ompd_cl_memobj_list_open(space, &filter, &list), ompd_rc_ok);
        ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, &row, &count, NULL), ompd_rc_ok);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(row.head.handle.value, FIRST_HANDLE + changed * 64);
    }
    tear_down();
}
END_TEST

/* Peaks do not cost for ever: chunks without live records are not read. */
START_TEST(emptied_chunks)
{
    const uint32_t buffers = 20000;

    populate(buffers);
    for (uint32_t i = 0; i < buffers - 10; i++)
        fake_remove_object(target, ompd_cl_registry_memobj, i);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    fake_reset(target);
    ck_assert_uint_eq(list_all(false, NULL), 10);
    ck_assert_uint_lt(target->bytes_read, 2 * CHUNK * 200);
    tear_down();
}
END_TEST

/* Nor are they when they are between others. */
START_TEST(emptied_chunks_between)
{
    const uint32_t buffers = 20 * CHUNK;
    uint64_t all;

    populate(buffers);
    fake_reset(target);
    ck_assert_uint_eq(list_all(false, NULL), buffers);
    all = target->bytes_read;
    for (uint32_t i = 0; i < buffers; i++) {
        if (i / CHUNK % 2 == 1)
            fake_remove_object(target, ompd_cl_registry_memobj, i);
    }
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    fake_reset(target);
    ck_assert_uint_eq(list_all(false, NULL), buffers / 2);
    ck_assert_uint_lt(target->bytes_read, all * 6 / 10);
    tear_down();
}
END_TEST

#define FIRST_LWP 1000

static void open_threads(uint32_t threads)
{
    target = fake_target_create(false, 8, CHUNK);
    for (uint32_t i = 0; i < threads; i++) {
        fake_add_thread(target, FIRST_LWP + i, true);
        fake_put_usage(target, i, 2, 1, 1);
        fake_enter(target, i, ompd_cl_call_clFinish | OMPD_CL_REGISTRY_ACTIVITY_WAITS, 0, 0x8000);
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, (void *)target, &space),
                     ompd_rc_ok);
}

/* Reads of a walk over all records of threads: those of a MiB, of the chunks' directory, and of the
 * memory around them. */
static void expect_walk(void)
{
    const struct fake_table *table = &target->tables[ompd_cl_registry_thread];
    uint64_t bytes = (uint64_t)table->record_count * table->record_size;

    ck_assert_uint_le(target->calls[fake_symbol], 1);
    ck_assert_uint_le(target->calls[fake_read], bytes / MIB * 2 + 6);
    ck_assert_uint_le(target->bytes_read, bytes + 6 * 4096);
    ck_assert_uint_le(target->largest_read, MIB);
    fake_reset(target);
}

static void list_threads(uint32_t threads)
{
    ompd_cl_thread_info_t rows[64] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t total = 0;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_thread_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        ck_assert_int_eq(ompd_cl_thread_list_next(space, list, 64, rows, &count, NULL), ompd_rc_ok);
        for (ompd_size_t i = 0; i < count; i++)
            ck_assert_uint_eq(rows[i].state.value, ompd_cl_thread_state_waits_for_queue);
        total += count;
    } while (count != 0);
    ck_assert_uint_eq(total, threads);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

static void list_usage(uint32_t threads)
{
    ompd_cl_usage_info_t rows[16] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_usage_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_usage_list_next(space, list, 16, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, ompd_cl_usage_destructors);
    ck_assert_uint_eq(rows[2].live.value, threads);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

static uint64_t ask_of_threads(uint32_t threads)
{
    ompd_cl_thread_id_t thread = {0};
    uint64_t peak;

    open_threads(threads);
    fake_reset(target);
    list_threads(threads);
    expect_walk();
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    list_usage(threads);
    expect_walk();
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_find(space, FIRST_LWP + threads - 1, &thread), ompd_rc_ok);
    expect_walk();
    /* Ended threads retain their counts. */
    for (uint32_t i = 0; i < threads; i++)
        fake_end_thread(target, i);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    list_usage(threads);
    expect_walk();
    list_threads(0);
    peak = target->peak_bytes;
    tear_down();
    return peak;
}

/* Thousands of threads are read in large pieces, and need no more memory than hundreds. */
START_TEST(many_threads)
{
    uint64_t few = ask_of_threads(4000);
    uint64_t many = ask_of_threads(16000);

    ck_assert_uint_le(many, few + 65536);
    ck_assert_uint_lt(many, 2 * MIB);
}
END_TEST

/* What one thread does is known from its record. */
START_TEST(one_thread)
{
    ompd_cl_thread_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_activity_info_t rows[4] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_thread_id_t thread = {0};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    open_threads(5000);
    ck_assert_int_eq(ompd_cl_thread_find(space, FIRST_LWP + 4990, &thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_thread_get(space, thread, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.head.handle.value, FIRST_LWP + 4990);
    ck_assert_int_eq(ompd_cl_activity_list_open(space, thread, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_activity_list_next(space, list, 4, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    /* The chunk's directory entry, and the record, which may be on two pages. */
    ck_assert_uint_le(target->calls[fake_read], 3);
    ck_assert_uint_le(target->largest_read, 4096);
    tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cost");
    TCase *tcase = tcase_create("cost");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, full_listing);
    tcase_add_test(tcase, all_destructors);
    tcase_add_test(tcase, point_question);
    tcase_add_test(tcase, small_target);
    tcase_add_test(tcase, refresh);
    tcase_add_test(tcase, emptied_chunks);
    tcase_add_test(tcase, emptied_chunks_between);
    tcase_add_test(tcase, many_threads);
    tcase_add_test(tcase, one_thread);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
