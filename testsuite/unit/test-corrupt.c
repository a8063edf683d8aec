/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Corrupt and incomplete targets. */
#include "population.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <string.h>

#define MEMOBJ ompd_cl_registry_memobj
#define ROOT(member) (population.target->root + offsetof(struct ompd_cl_registry_root, member))

static struct population population;
static struct answers answers;

static void set_up(void)
{
    population = population_create(false, 8);
}

static void tear_down(void)
{
    population_free(&population);
}

/* Every question returns RC and a sentence that contains WORDS. */
static void expect_refusal(ompd_rc_t rc, const char *words)
{
    ompd_cl_list_t list = {42};

    population_open(&population);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), rc);
    ck_assert_uint_eq(list.id, 42);
    sentence_expect(population.space, words);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, rc);
}

START_TEST(no_recorder)
{
    population.target->has_recorder = false;
    expect_refusal(ompd_rc_unavailable, "no OpenCL recorder");
}
END_TEST

START_TEST(recorder_that_comes_later)
{
    population.target->has_recorder = false;
    expect_refusal(ompd_rc_unavailable, "no OpenCL recorder");
    population.target->has_recorder = true;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.memobj_count, 3);
}
END_TEST

/* LLVM's plugin returns ok and all ones for a missing symbol. */
START_TEST(symbol_of_nowhere)
{
    population.target->answers_wrong_symbol = true;
    population.target->wrong_symbol = UINT64_MAX;
    expect_refusal(ompd_rc_unavailable, "no OpenCL recorder");
    population.target->wrong_symbol = 0;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_unavailable);
}
END_TEST

START_TEST(no_memory_and_ok)
{
    ompd_address_space_handle_t *space = NULL;

    population.target->answers_no_memory = true;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, NULL, (void *)population.target, &space),
        ompd_rc_nomem);
    ck_assert_ptr_null(space);
}
END_TEST

START_TEST(no_call_yet)
{
    fake_put(population.target, population.target->root, 8, 0);
    expect_refusal(ompd_rc_unavailable, "has not called OpenCL yet");
}
END_TEST

START_TEST(newer_major)
{
    fake_put(population.target, ROOT(major), 2, 2);
    fake_put(population.target, ROOT(minor), 2, 7);
    expect_refusal(ompd_rc_incompatible, "registry version 2.7");
}
END_TEST

START_TEST(newer_minor)
{
    fake_put(population.target, ROOT(minor), 2, OMPD_CL_REGISTRY_MINOR + 1);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    ck_assert_uint_eq(answers.memobj_count, 3);
}
END_TEST

START_TEST(bad_magic)
{
    fake_put(population.target, population.target->root, 1, 'X');
    expect_refusal(ompd_rc_error, "corrupt");
}
END_TEST

START_TEST(other_pointer_size)
{
    fake_put(population.target, ROOT(pointer_size), 4, 4);
    expect_refusal(ompd_rc_error, "do not have the size");
}
END_TEST

START_TEST(root_not_saved)
{
    population.target->hole_start = population.target->root;
    population.target->hole_end = population.target->root + 4096;
    population.target->is_hole_known = true;
    expect_refusal(ompd_rc_device_read_error, "does not contain the memory");
}
END_TEST

/* What a table's description may not say; each in turn. */
static const struct lie {
    size_t offset;
    unsigned size;
    uint64_t value;
} lies[] = {
#define LIE(member, value)                                                                         \
    {                                                                                              \
        offsetof(struct ompd_cl_registry_table, member),                                           \
            sizeof(((struct ompd_cl_registry_table *)0)->member), value                            \
    }
    LIE(record_size, 0),
    LIE(record_size, 8),
    LIE(record_size, 0xffffffff),
    LIE(records_per_chunk, 0),
    LIE(records_per_chunk, 0xffffffff),
    LIE(chunk_count, 0xffffffff),
    LIE(directory, 0),
    LIE(directory, UINT64_MAX - 16),
    LIE(directory_entry_size, 8),
    LIE(directory_entry_size, 0xffffffff),
    LIE(first_field, 0xffff),
    LIE(field_count, 0xffff),
    LIE(field_count, 0),
};

START_TEST(bad_table)
{
    const struct lie *lie = &lies[_i];

    /* Table number 2 is that of the memory objects. */
    fake_put(population.target, ROOT(tables[2]) + lie->offset, lie->size, lie->value);
    expect_refusal(ompd_rc_error, "table 3");
}
END_TEST

static void expect_memobj_lost(uint32_t count, ompd_size_t lost)
{
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_incomplete);
    ck_assert_uint_eq(answers.memobj_count, count);
    ck_assert_uint_eq(answers.unreadable, lost);
}

START_TEST(chunk_not_saved)
{
    uint64_t record = fake_field_address(population.target, MEMOBJ, population.sub_buffer,
                                         ompd_cl_registry_field_handle);

    population.target->hole_start = record;
    population.target->hole_end = record + 1;
    population.target->is_hole_known = true;
    expect_memobj_lost(2, 1);
    ck_assert_uint_eq(answers.overview.memory_objects.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(answers.overview.memory_objects.value, 2);
    ck_assert_uint_eq(answers.overview.contexts.status, ompd_cl_status_value);
}
END_TEST

START_TEST(chunk_unreadable)
{
    uint64_t record = fake_field_address(population.target, MEMOBJ, population.sub_buffer,
                                         ompd_cl_registry_field_handle);

    population.target->hole_start = record;
    population.target->hole_end = record + 1;
    expect_memobj_lost(2, 1);
    ck_assert_uint_eq(answers.overview.memory_objects.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(answers.overview.memory_objects.value, 2);
}
END_TEST

START_TEST(chunk_of_nowhere)
{
    uint64_t chunk = fake_chunk_address(population.target, MEMOBJ, 0);

    fake_put(population.target, chunk + offsetof(struct ompd_cl_registry_chunk, address), 8,
             UINT64_MAX - 8);
    expect_memobj_lost(0, 4);
}
END_TEST

/* The bytes read of a chunk together with the next one are never fewer than the chunk. */
START_TEST(empty_chunk_in_place_of_another)
{
    struct fake_target *target = population.target;
    uint64_t first = fake_chunk_address(target, MEMOBJ, 0);
    uint64_t second = fake_chunk_address(target, MEMOBJ, 1);
    const size_t address = offsetof(struct ompd_cl_registry_chunk, address);

    for (uint64_t i = 0; target->tables[MEMOBJ].chunk_count < 2; i++)
        fake_add_buffer(target, 0x100000 + i * 64, 0, 64);
    fake_put(target, second + address, 8, fake_get(target, first + address, 8));
    fake_put(target, second + offsetof(struct ompd_cl_registry_chunk, used), 4, 0);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.memobj_count, 4);
}
END_TEST

START_TEST(chunk_used_too_much)
{
    uint64_t chunk = fake_chunk_address(population.target, MEMOBJ, 0);

    fake_put(population.target, chunk + offsetof(struct ompd_cl_registry_chunk, used), 4, 5);
    expect_memobj_lost(0, 4);
}
END_TEST

/* The context's record is missing: the rows exist, their context does not. */
START_TEST(context_not_saved)
{
    uint64_t record = fake_field_address(population.target, ompd_cl_registry_context, 0,
                                         ompd_cl_registry_field_handle);

    population.target->hole_start = record;
    population.target->hole_end = record + 1;
    population.target->is_hole_known = true;
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_incomplete);
    ck_assert_uint_eq(answers.memobj_count, 3);
    ck_assert_uint_eq(answers.memobjs[0].context.status, ompd_cl_status_not_saved);
    ck_assert_uint_eq(answers.memobjs[0].size.value, 4096);
}
END_TEST

static void set_next(unsigned from, uint32_t next)
{
    fake_set(population.target, ompd_cl_registry_callback, population.destructors[from],
             ompd_cl_registry_field_next, next);
}

/* COUNT destructors are returned, the rest is reported as missing, and the walk ends. */
static void expect_chain(unsigned count, ompd_size_t lost)
{
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_incomplete);
    ck_assert_uint_eq(answers.destructor_count, count);
    ck_assert_uint_eq(answers.unreadable, lost);
    ck_assert_uint_lt(population.target->calls[fake_read], 200);
}

START_TEST(cycle_of_callbacks)
{
    set_next(0, population.destructors[2] + 1);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_incomplete);
    ck_assert_uint_eq(answers.destructor_count, DESTRUCTOR_COUNT);
}
END_TEST

/* No callback is shown twice. */
START_TEST(callback_after_itself)
{
    set_next(2, population.destructors[2] + 1);
    expect_chain(1, 2);
}
END_TEST

/* A cycle of a hundred links and a count of millions: the walk ends soon. */
START_TEST(long_cycle)
{
    const uint32_t table = ompd_cl_registry_address;
    struct fake_target *target = population.target;
    uint32_t first = fake_add(target, table);
    ompd_cl_svm_pointer_info_t rows[64];
    ompd_size_t total = 0;
    ompd_size_t count;
    ompd_cl_list_t list;

    for (uint32_t i = 1; i < 100; i++)
        fake_set(target, table, fake_add(target, table) - 1, ompd_cl_registry_field_next,
                 first + i + 1);
    fake_set(target, table, first + 99, ompd_cl_registry_field_next, first + 1);
    fake_set(target, ompd_cl_registry_svm_free, population.svm_free,
             ompd_cl_registry_field_pointers, first + 1);
    fake_set(target, ompd_cl_registry_svm_free, population.svm_free,
             ompd_cl_registry_field_pointer_count, 0xffffff);
    population_open(&population);
    answers_get(population.space, &answers);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_open(
                         population.space, ompd_cl_svm_free_info_id(&answers.svm_frees[0]), &list),
                     ompd_rc_ok);
    do {
        ompd_cl_svm_pointer_list_next(population.space, list, 64, rows, &count, NULL);
        total += count;
    } while (count != 0);
    ck_assert_uint_ge(total, 100);
    ck_assert_uint_lt(total, 1000);
}
END_TEST

START_TEST(chain_too_short)
{
    set_next(1, 0);
    expect_chain(2, 1);
}
END_TEST

START_TEST(chain_too_long)
{
    fake_set(population.target, MEMOBJ, population.buffer, ompd_cl_registry_field_callback_count,
             DESTRUCTOR_COUNT - 1);
    expect_chain(DESTRUCTOR_COUNT - 1, 0);
}
END_TEST

START_TEST(chain_to_another_object)
{
    fake_set(population.target, ompd_cl_registry_callback, population.destructors[1],
             ompd_cl_registry_field_object, OMPD_CL_REGISTRY_REFERENCE(MEMOBJ, population.image));
    expect_chain(1, 2);
}
END_TEST

START_TEST(chain_out_of_the_table)
{
    set_next(2, 0xffffff);
    expect_chain(1, 2);
}
END_TEST

START_TEST(cycle_in_hash)
{
    ompd_cl_memobj_id_t id = {0};
    uint32_t reference = OMPD_CL_REGISTRY_REFERENCE(MEMOBJ, population.image);

    fake_set(population.target, MEMOBJ, population.image, ompd_cl_registry_field_hash_next,
             reference);
    population_open(&population);
    /* Same bucket as the image's handle, but not its handle. */
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE + 1, &id),
                     ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE, &id), ompd_rc_ok);
}
END_TEST

START_TEST(stack_too_deep)
{
    fake_set(population.target, ompd_cl_registry_stack, 0, ompd_cl_registry_field_depth, 0xffff);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_error);
    ck_assert_uint_eq(answers.frame_count, 0);
}
END_TEST

/* Hundreds of unreadable chunks: the walk stops. */
START_TEST(nothing_readable)
{
    struct fake_target *target = population.target;
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_cl_list_t list;
    uint64_t start = target->used;

    for (uint32_t i = 0; i < 4000; i++)
        fake_add_buffer(target, 0x100000 + i * UINT64_C(64), 0, 64);
    target->hole_start = FAKE_BASE + start;
    target->hole_end = FAKE_BASE + target->used;
    population_open(&population);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), ompd_rc_ok);
    /* The first chunk was there before. */
    while (count != 0 &&
           ompd_cl_memobj_list_next(population.space, list, 1, &row, &count, NULL) != ompd_rc_error)
        count = 42;
    ck_assert_int_eq(ompd_cl_memobj_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_error);
    ck_assert_uint_lt(target->calls[fake_read], 256 * 20);
}
END_TEST

/* Every eight bytes of the registry in turn become what they should not be: the library ends each
 * time, within a bound of reads. */
/* One chunk of very many records, most of which are unreadable: after the first they are tried by
 * pages, and the records after them are read. */
START_TEST(large_chunk_unreadable)
{
    enum { many = 1536, behind = 100 };
    struct fake_target *target;
    ompd_cl_memobj_info_t rows[behind];
    ompd_size_t count, unreadable = 0, found = 0;
    ompd_cl_list_t list;
    ompd_rc_t rc;

    population_free(&population);
    population = (struct population){.target = fake_target_create(false, 8, many)};
    target = population.target;
    for (uint32_t i = 0; i < many; i++)
        fake_add_buffer(target, 0x100000 + i * UINT64_C(64), 0, 64);
    target->hole_start = fake_field_address(target, MEMOBJ, 0, ompd_cl_registry_field_handle);
    target->hole_end =
        fake_field_address(target, MEMOBJ, many - behind, ompd_cl_registry_field_state) &
        ~UINT64_C(4095);
    population_open(&population);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), ompd_rc_ok);
    for (count = behind; count != 0; found += count) {
        rc = ompd_cl_memobj_list_next(population.space, list, behind, rows, &count, &unreadable);
        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incomplete);
    }
    ck_assert_uint_ge(found, behind);
    ck_assert_uint_eq(found + unreadable, many);
    ck_assert_uint_lt(target->calls[fake_read], many / 2);
}
END_TEST

/* Of how many cases one is tried: fewer than there are words, so that each place is lied about. */
#define USUAL_EVERY 4

START_TEST(any_word)
{
    const unsigned every = suite_every(USUAL_EVERY);
    static const uint64_t words[] = {0, 1, UINT64_MAX, FAKE_BASE, UINT64_C(0x8080808080808080)};
    struct fake_target *target = population.target;
    uint64_t number = 0;

    population_open(&population);
    for (uint64_t place = 0; place + 8 <= target->used; place += 8) {
        uint8_t *bytes = target->bytes + place;
        uint64_t before;

        memcpy(&before, bytes, 8);
        if (before == 0 && place % 4096 >= 256)
            continue;
        for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            if (number++ % every != 0)
                continue;
            memcpy(bytes, &words[i], 8);
            fake_reset(target);
            ompd_cl_address_space_refresh(population.space);
            answers_get(population.space, &answers);
            ck_assert_uint_lt(target->calls[fake_read], 20000);
        }
        memcpy(bytes, &before, 8);
    }
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    fake_touch(target, MEMOBJ, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("corrupt");
    TCase *tcase = tcase_create("corrupt");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, no_recorder);
    tcase_add_test(tcase, recorder_that_comes_later);
    tcase_add_test(tcase, symbol_of_nowhere);
    tcase_add_test(tcase, no_memory_and_ok);
    tcase_add_test(tcase, no_call_yet);
    tcase_add_test(tcase, newer_major);
    tcase_add_test(tcase, newer_minor);
    tcase_add_test(tcase, bad_magic);
    tcase_add_test(tcase, other_pointer_size);
    tcase_add_test(tcase, root_not_saved);
    tcase_add_loop_test(tcase, bad_table, 0, sizeof(lies) / sizeof(lies[0]));
    tcase_add_test(tcase, chunk_not_saved);
    tcase_add_test(tcase, chunk_unreadable);
    tcase_add_test(tcase, chunk_of_nowhere);
    tcase_add_test(tcase, empty_chunk_in_place_of_another);
    tcase_add_test(tcase, chunk_used_too_much);
    tcase_add_test(tcase, context_not_saved);
    tcase_add_test(tcase, cycle_of_callbacks);
    tcase_add_test(tcase, callback_after_itself);
    tcase_add_test(tcase, long_cycle);
    tcase_add_test(tcase, chain_too_short);
    tcase_add_test(tcase, chain_too_long);
    tcase_add_test(tcase, chain_to_another_object);
    tcase_add_test(tcase, chain_out_of_the_table);
    tcase_add_test(tcase, cycle_in_hash);
    tcase_add_test(tcase, stack_too_deep);
    tcase_add_test(tcase, nothing_readable);
    tcase_add_test(tcase, large_chunk_unreadable);
    tcase_add_test(tcase, any_word);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
