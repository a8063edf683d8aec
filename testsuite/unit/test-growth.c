/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Growing arrays retain their contents, whatever the tool does. */
#include "base/base.h"

#include "suite.h"

#include <check.h>
#include <stdlib.h>

/* An element that no power of two has the size of. */
struct element {
    uint32_t number;
    uint8_t bytes[9];
};

static struct memory memory;
static ompd_rc_t answer; /* of alloc_memory */
static size_t asked;     /* bytes, last */
static unsigned live;    /* blocks */

static ompd_rc_t allocate(ompd_size_t size, void **block)
{
    asked = size;
    if (answer != ompd_rc_ok)
        return answer;
    *block = malloc(size);
    ck_assert_ptr_nonnull(*block);
    live++;
    return ompd_rc_ok;
}

static ompd_rc_t release(void *block)
{
    live--;
    free(block);
    return ompd_rc_ok;
}

static void set_up(void)
{
    ompd_callbacks_t callbacks = {.alloc_memory = allocate, .free_memory = release};
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra)};

    answer = ompd_rc_ok;
    memory_open(&memory, &callbacks, &extra);
}

static void tear_down(void)
{
    memory_close(&memory);
    ck_assert_uint_eq(live, 0);
}

#define ELEMENTS 1000

START_TEST(grows)
{
    struct element *all = NULL;
    uint32_t capacity = 0;
    unsigned moves = 0;

    for (uint32_t count = 0; count < ELEMENTS; count++) {
        const struct element *before = all;

        ck_assert_int_eq(memory_grow(&memory, &all, count, &capacity, sizeof(all[0])), ompd_rc_ok);
        ck_assert_uint_gt(capacity, count);
        ck_assert_uint_ge(asked, capacity * sizeof(all[0]));
        moves += all != before;
        all[count] = (struct element){.number = count, .bytes[8] = (uint8_t)count};
    }
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        ck_assert_uint_eq(all[i].number, i);
        ck_assert_uint_eq(all[i].bytes[8], (uint8_t)i);
    }
    ck_assert_uint_eq(capacity, 1024);
    ck_assert_uint_le(moves, 7);
    ck_assert_uint_eq(live, 1);
    memory_free(&memory, all);
}
END_TEST

/* A tool that fails, or is interrupted, leaves the array as it was. */
START_TEST(stays)
{
    static const ompd_rc_t answers[] = {ompd_rc_nomem, ompd_rc_error, ompd_rc_interrupted};
    struct element *all = NULL;
    uint32_t capacity = 0;

    ck_assert_int_eq(memory_grow(&memory, &all, 0, &capacity, sizeof(all[0])), ompd_rc_ok);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct element *before = all;
        uint32_t room = capacity;

        all[0].number = 42;
        answer = answers[i];
        /* While there is room no memory is requested. */
        ck_assert_int_eq(memory_grow(&memory, &all, room - 1, &capacity, sizeof(all[0])),
                         ompd_rc_ok);
        ck_assert_int_ne(memory_grow(&memory, &all, room, &capacity, sizeof(all[0])), ompd_rc_ok);
        ck_assert_ptr_eq(all, before);
        ck_assert_uint_eq(capacity, room);
        ck_assert_uint_eq(all[0].number, 42);
        ck_assert_uint_eq(live, 1);
    }
}
END_TEST

/* Sizes that no memory has are not asked for. */
START_TEST(sizes_that_overflow)
{
    char bytes[16];
    char *all = bytes;
    uint32_t capacity = UINT32_C(1) << 31;

    asked = 0;
    ck_assert_int_eq(memory_grow(&memory, &all, capacity, &capacity, 1), ompd_rc_nomem);
    capacity = 16;
    ck_assert_int_eq(memory_grow(&memory, &all, 16, &capacity, SIZE_MAX / 31), ompd_rc_nomem);
    ck_assert_int_eq(memory.refusal, memory_refused_by_limit);
    ck_assert_uint_eq(asked, 0);
    ck_assert_ptr_eq(all, bytes);
    ck_assert_uint_eq(capacity, 16);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth");
    TCase *tests = tcase_create("growth");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, grows);
    tcase_add_test(tests, stays);
    tcase_add_test(tests, sizes_that_overflow);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
