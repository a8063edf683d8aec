/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Growing arrays have room for each new element and retain the others. */
#include "suite.h"

#include <check.h>
#include <stdint.h>
#include <text/heap.h>

#define ELEMENTS 1000

static uint64_t *add(uint64_t *all, size_t count)
{
    all = heap_grow(all, count, sizeof(all[0]));
    all[count] = count;
    return all;
}

static void grow(void *argument)
{
    uint64_t *all = NULL;

    (void)argument;
    for (size_t count = 0; count < ELEMENTS; count++)
        all = add(all, count);
    for (size_t i = 0; i < ELEMENTS; i++)
        ck_assert_uint_eq(all[i], i);
    heap_free(all);
}

/* Elements are taken away, also down to where the array had grown before. */
static void shrink(void *argument)
{
    uint64_t *all = NULL;

    (void)argument;
    for (size_t least = 0; least < 70; least++) {
        for (size_t count = least; count < 70; count++)
            all = add(all, count);
        for (size_t count = least; count < 70; count++)
            ck_assert_uint_eq(all[count], count);
    }
    heap_free(all);
}

START_TEST(growth)
{
    struct heap heap = {0};

    ck_assert(heap_run(&heap, grow, NULL));
    ck_assert(heap_run(&heap, shrink, NULL));
    heap_clear(&heap);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text-heap");
    TCase *tcase = tcase_create("arrays");

    tcase_add_test(tcase, growth);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
