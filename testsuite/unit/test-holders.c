/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The places that have a handle: one search finds them for all rows, and the list is incomplete if
 * memory could not be searched. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define PLACES 5
#define USER_DATA F(user_data)

static uint64_t places[PLACES];
static ompd_cl_reference_site_info_t rows[2 * PLACES];
static ompd_size_t unreadable;

/* Have the handle of the image at some places, and begin. */
static void begin(int variant)
{
    population = population_create_variant(variant);
    target = population.target;
    for (int i = 0; i < PLACES; i++) {
        places[i] = fake_reserve(target, 8, 8);
        fake_put(target, places[i], target->pointer_size, IMAGE_HANDLE);
    }
    population_open(&population);
}

static ompd_cl_list_t open_list(void)
{
    ompd_cl_memobj_id_t image;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE, &image), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_reference_site_list_open(population.space, image, &list),
                     ompd_rc_ok);
    return list;
}

/* The next rows, after COUNT existing ones. */
static ompd_rc_t next(ompd_cl_list_t list, ompd_size_t capacity, ompd_size_t *count)
{
    ompd_size_t more = 0;
    ompd_rc_t rc;

    rows[*count].head.struct_size = sizeof(rows[0]);
    rc = ompd_cl_reference_site_list_next(population.space, list, capacity, &rows[*count], &more,
                                          &unreadable);
    *count += more;
    return rc;
}

/* All rows, CAPACITY at a time; each call returns RC. */
static ompd_size_t ask(ompd_size_t capacity, ompd_rc_t rc)
{
    ompd_cl_list_t list = open_list();
    ompd_size_t count = 0;
    ompd_size_t before;

    do {
        before = count;
        ck_assert_int_eq(next(list, capacity, &count), rc);
        ck_assert_uint_le(count, PLACES + 1);
    } while (count != before);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    return count;
}

static void check_places(ompd_size_t count)
{
    ck_assert_uint_eq(count, PLACES);
    for (ompd_size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(rows[i].address.value, places[i]);
        ck_assert_uint_eq(rows[i].site_kind.value, ompd_cl_site_memory);
        ck_assert_uint_eq(rows[i].owner.status, ompd_cl_status_unknown);
    }
}

START_TEST(batches)
{
    begin(_i);
    for (ompd_size_t capacity = 1; capacity <= PLACES; capacity++) {
        check_places(ask(capacity, ompd_rc_ok));
        ck_assert_uint_eq(unreadable, 0);
    }
    rows_tear_down();
}
END_TEST

/* Objects of the target, and the number of searches. */
START_TEST(one_search)
{
    ompd_cl_list_t list;
    ompd_size_t count = 0;

    begin(_i);
    list = open_list();
    ck_assert_int_eq(next(list, 1, &count), ompd_rc_ok);
    fake_reset(target);
    while (count < PLACES)
        ck_assert_int_eq(next(list, 1, &count), ompd_rc_ok);
    ck_assert_uint_eq(target->calls[fake_read], 0);
    ck_assert_uint_eq(target->calls[fake_map], 0);
    check_places(count);
    /* Another list of the same stop needs none either, one of the next stop does. */
    check_places(ask(PLACES, ompd_rc_ok));
    ck_assert_uint_lt(target->bytes_read, FAKE_SIZE / 8);
    fake_put(target, places[0], target->pointer_size, 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_uint_eq(ask(PLACES, ompd_rc_ok), PLACES - 1);
    rows_tear_down();
}
END_TEST

/* Of the recorder's own memory the user data of callbacks counts, as long as they are to run. */
START_TEST(user_data)
{
    begin(_i);
    fake_set(target, ompd_cl_registry_callback, population.destructors[0], USER_DATA, IMAGE_HANDLE);
    ck_assert_uint_eq(ask(PLACES, ompd_rc_ok), PLACES + 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_uint_eq(ask(1, ompd_rc_ok), PLACES + 1);
    for (ompd_size_t i = 0; i <= PLACES; i++) {
        if (rows[i].site_kind.value != ompd_cl_site_user_data)
            continue;
        ck_assert_uint_eq(rows[i].owner.value, ompd_cl_site_owner_program);
        rows[i] = rows[PLACES];
    }
    fake_set(target, ompd_cl_registry_callback, population.destructors[0], F(run),
             OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_done));
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    check_places(ask(PLACES, ompd_rc_ok));
    rows_tear_down();
}
END_TEST

/* Readable rows are returned, and the list is incomplete. */
START_TEST(holes)
{
    const char *note;

    begin(_i % FAKE_VARIANTS);
    target->hole_start = (places[2] + 0xfff) & ~UINT64_C(0xfff);
    target->hole_end = target->hole_start + 0x4000;
    target->is_hole_known = _i / FAKE_VARIANTS != 0;
    ck_assert_uint_eq(ask(2, ompd_rc_incomplete), PLACES);
    ck_assert_int_eq(ompd_cl_note_get(population.space, 0, &note), ompd_rc_ok);
    ck_assert_ptr_nonnull(strstr(note, "16384 B of the program's memory"));
    ck_assert_ptr_nonnull(
        strstr(note, target->is_hole_known ? "is not in the core" : "not be read"));
    rows_tear_down();
}
END_TEST

/* A list that a tool cancels reports that, and is built anew for another list. */
START_TEST(cancelled)
{
    const char *message;

    begin(_i);
    target->failing = fake_progress;
    target->fail_at = 1;
    ck_assert_uint_le(ask(2, ompd_rc_incomplete), PLACES);
    ck_assert_int_eq(ompd_cl_message_get(population.space, &message), ompd_rc_ok);
    fake_reset(target);
    check_places(ask(2, ompd_rc_ok));
    rows_tear_down();
}
END_TEST

/* When out of memory there is no answer, and the next call has one. */
START_TEST(no_memory)
{
    ompd_size_t count;
    ompd_cl_list_t list;
    uint64_t fail_at = 1;
    ompd_rc_t rc;

    begin(_i);
    list = open_list();
    do {
        ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
        fake_reset(target);
        target->failing = fake_alloc;
        target->fail_at = fail_at++;
        count = 0;
        rc = next(list, PLACES, &count);
        if (target->failures != 0 && rc == ompd_rc_nomem)
            ck_assert_uint_eq(count, 0);
        else
            ck_assert_int_eq(rc, ompd_rc_ok);
        fake_reset(target);
        if (rc == ompd_rc_nomem)
            ck_assert_int_eq(next(list, PLACES, &count), ompd_rc_ok);
        check_places(count);
        ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
        list = open_list();
    } while (fail_at < 12);
    rows_tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("holders");
    TCase *tests = tcase_create("holders");

    tcase_add_loop_test(tests, batches, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, one_search, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, user_data, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, holes, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, cancelled, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_memory, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
