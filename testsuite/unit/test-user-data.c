/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user data of callbacks was at their registration, and that it is invalid now. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <string.h>

#define NOTIFICATION ompd_cl_registry_notification
#define DESTRUCTOR ompd_cl_registry_callback
#define SVM_FREE ompd_cl_registry_svm_free
#define FINDINGS 16
#define PAGE 4096
#define NOWHERE 0xf0000000 /* no memory of the target */

static ompd_cl_finding_info_t findings[FINDINGS];
static ompd_size_t found;

/* Keep those of RULE. */
static void find(ompd_cl_finding_kind_t rule)
{
    ompd_size_t unreadable = 42;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_finding_list_open(population.space, &list), ompd_rc_ok);
    findings[0].head.struct_size = sizeof(findings[0]);
    ck_assert_int_eq(
        ompd_cl_finding_list_next(population.space, list, FINDINGS, findings, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_lt(count, FINDINGS);
    found = 0;
    for (ompd_size_t i = 0; i < count; i++) {
        if (findings[i].rule.value == rule)
            findings[found++] = findings[i];
    }
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

static void set(uint32_t table, uint32_t index, uint32_t field, uint64_t value)
{
    fake_set(target, table, index, field, value);
    fake_touch(target, table, index);
}

START_TEST(places)
{
    rows_begin(_i);
    set(NOTIFICATION, population.callbacks[1], F(user_data_place), ompd_cl_registry_on_stack);
    set(DESTRUCTOR, population.destructors[0], F(user_data_place), ompd_cl_registry_in_data);
    set(SVM_FREE, population.svm_free, F(user_data_place), ompd_cl_registry_on_stack);
    rows_ask();
    ck_none(answers.callbacks[0].user_data_place, ompd_cl_status_not_applicable);
    ck_value(answers.callbacks[1].user_data_place, ompd_cl_user_data_on_stack);
    ck_value(answers.destructors[DESTRUCTOR_COUNT - 1].user_data_place, ompd_cl_user_data_in_data);
    ck_none(answers.destructors[0].user_data_place, ompd_cl_status_not_applicable);
    ck_value(answers.svm_frees[0].user_data_place, ompd_cl_user_data_on_stack);
    set(SVM_FREE, population.svm_free, F(function), 0);
    rows_ask();
    ck_none(answers.svm_frees[0].user_data_place, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

/* Write a chunk of a heap: SIZE bytes at AT, the one before it in use or not. */
static void put_chunk(uint64_t at, uint64_t size, bool before_is_used)
{
    fake_put(target, at + target->pointer_size, target->pointer_size, size | before_is_used);
}

/* Make a heap of three chunks of a page each, the second of which is free; returns its start. */
static uint64_t make_heap(void)
{
    uint64_t start = fake_reserve(target, (uint64_t)5 * PAGE, PAGE);
    uint64_t heap = start + PAGE;

    fake_permit(target, start, heap, 0);
    fake_permit(target, heap, heap + (uint64_t)3 * PAGE,
                ompd_cl_permission_read | ompd_cl_permission_write);
    fake_permit(target, heap + (uint64_t)3 * PAGE, heap + (uint64_t)4 * PAGE, 0);
    put_chunk(heap, PAGE, true);
    put_chunk(heap + PAGE, PAGE, true);
    put_chunk(heap + (uint64_t)2 * PAGE, PAGE, false);
    return heap;
}

#define SET(field, value) set(NOTIFICATION, population.callbacks[0], F(field), value)

START_TEST(freed)
{
    uint64_t heap;

    rows_begin(_i);
    heap = make_heap();
    SET(user_data, heap + PAGE + 2 * target->pointer_size);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    SET(user_data_place, ompd_cl_registry_in_data);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].object, EVENT_HANDLE);
    ck_value(findings[0].object_kind, ompd_cl_kind_event);
    ck_value(findings[0].function, 0x400700);
    ck_value(findings[0].address, heap + PAGE + 2 * target->pointer_size);
    ck_value(findings[0].head.caller, 0x400800);
    ck_value(findings[0].head.confidence, ompd_cl_confidence_presumed);
    ck_none(findings[0].thread, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

/* A heap whose chunks lead nowhere is being changed: no part of it is taken for one. */
START_TEST(being_changed)
{
    uint64_t unit = 2 * (uint64_t)target->pointer_size;
    uint64_t heap = make_heap();
    uint64_t last = heap + (uint64_t)2 * PAGE;

    put_chunk(heap + PAGE, PAGE - unit, true);
    put_chunk(last, PAGE, true);
    SET(user_data_place, ompd_cl_registry_in_data);
    SET(user_data, last + unit);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    put_chunk(heap + PAGE, PAGE, true);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 1);
}
END_TEST

/* Make a heap of another arena, with chunks of a page each that begin 64 bytes into it; the second
 * of four is free. The remains of a chunk that once began with the second page are still there.
 * Returns the heap's start. */
static uint64_t make_arena(void)
{
    const uint64_t most = 1 << 20; /* in 32 bits */
    const uint64_t is_of_arena = 4;
    uint64_t heap = fake_reserve(target, 2 * most, most) + most;

    fake_permit(target, heap - PAGE, heap, 0);
    fake_permit(target, heap, heap + (uint64_t)4 * PAGE,
                ompd_cl_permission_read | ompd_cl_permission_write);
    fake_permit(target, heap + (uint64_t)4 * PAGE, heap + most, 0);
    fake_put(target, heap, target->pointer_size, heap + 16);
    fake_put(target, heap + (uint64_t)2 * target->pointer_size, target->pointer_size,
             (uint64_t)4 * PAGE);
    put_chunk(heap + 64, PAGE | is_of_arena, true);
    put_chunk(heap + PAGE, PAGE, true);
    put_chunk(heap + PAGE + 64, PAGE - 64, true);
    put_chunk(heap + (uint64_t)2 * PAGE, PAGE | is_of_arena, false);
    put_chunk(heap + (uint64_t)3 * PAGE, PAGE | is_of_arena, true);
    return heap;
}

/* What the chunk that once began there would say of its memory does not count. */
START_TEST(arena)
{
    uint64_t heap;

    rows_begin(_i);
    heap = make_arena();
    SET(user_data_place, ompd_cl_registry_in_data);
    SET(user_data, heap + PAGE + (uint64_t)2 * target->pointer_size);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    SET(user_data, heap + PAGE + 64 + (uint64_t)2 * target->pointer_size);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 1);
    /* Nor where the chunks of the heap are being changed. */
    put_chunk(heap + 64, PAGE + 16, true);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    rows_tear_down();
}
END_TEST

/* Unmapped memory, wherever it was; memory not known to have been mapped is not searched for. */
START_TEST(unmapped)
{
    uint64_t heap;

    rows_begin(_i);
    heap = make_heap();
    SET(user_data, NOWHERE);
    find(ompd_cl_finding_user_data_unmapped);
    ck_assert_uint_eq(found, 0);
    SET(user_data_place, ompd_cl_registry_in_mapping);
    find(ompd_cl_finding_user_data_unmapped);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].address, NOWHERE);
    SET(user_data, heap + PAGE + 2 * target->pointer_size);
    find(ompd_cl_finding_user_data_unmapped);
    ck_assert_uint_eq(found, 0);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 1);
    rows_tear_down();
}
END_TEST

/* Memory in use; a callback that runs, which may free it; a place that is not an address. */
START_TEST(not_gone)
{
    uint64_t heap = make_heap();

    SET(user_data, heap + 2 * target->pointer_size);
    SET(user_data_place, ompd_cl_registry_in_data);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    SET(user_data, heap + PAGE + 2 * target->pointer_size);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 1);
    SET(run, OMPD_CL_REGISTRY_RUN(FIRST_LWP + 4, ompd_cl_registry_running));
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
    SET(run, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered));
    SET(user_data_place, 77);
    find(ompd_cl_finding_user_data_freed);
    ck_assert_uint_eq(found, 0);
}
END_TEST

/* Whether the answer reports that something was not searched for. */
static bool is_said(const char *sentence)
{
    const char *text = "";
    bool is_found = false;

    for (uint32_t i = 0; i == 0 || *text != '\0'; i++) {
        ck_assert_int_eq(ompd_cl_note_get(population.space, i, &text), ompd_rc_ok);
        is_found |= strstr(text, sentence) != NULL;
    }
    return is_found;
}

/* One that does not record where user data was. */
START_TEST(older_recorder)
{
    const char *sentence = "freed user data of callbacks was not checked";

    find(ompd_cl_finding_user_data_freed);
    ck_assert(!is_said(sentence));
    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, minor), 2, 9);
    find(ompd_cl_finding_user_data_freed);
    ck_assert(!is_said(sentence));
    ck_assert(is_said("user data of callbacks in unmapped memory was not checked"));
    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, minor), 2, 7);
    find(ompd_cl_finding_user_data_freed);
    ck_assert(is_said(sentence));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("user-data");
    TCase *variants = tcase_create("variants");
    TCase *tcase = tcase_create("user-data");

    tcase_add_loop_test(variants, places, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, freed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, arena, 2, FAKE_VARIANTS); /* those of 32 bits */
    tcase_add_loop_test(variants, unmapped, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, variants);
    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, being_changed);
    tcase_add_test(tcase, not_gone);
    tcase_add_test(tcase, older_recorder);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
