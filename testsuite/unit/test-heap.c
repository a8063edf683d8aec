/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 1 at run time: while the library is on the stack, only the tool's callbacks call the heap.
 * This program interposes the functions of the heap. */
#include "population.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>

/* Set around the questions; the callbacks of the fake target clear it while they run. */
static bool is_in_library;
static unsigned calls_in_library;
static unsigned calls_outside;

static void note_call(void)
{
    if (is_in_library)
        calls_in_library++;
    else
        calls_outside++;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

void *malloc(size_t size)
{
    note_call();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note_call();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    note_call();
    return __libc_realloc(block, size);
}

void free(void *block)
{
    note_call();
    __libc_free(block);
}

/* The callbacks, each marked as the tool's. */
#define OUTSIDE(call)                                                                              \
    bool was_in_library = is_in_library;                                                           \
    ompd_rc_t rc;                                                                                  \
    is_in_library = false;                                                                         \
    rc = call;                                                                                     \
    is_in_library = was_in_library;                                                                \
    return rc

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    OUTSIDE(fake_callbacks.alloc_memory(size, block));
}

static ompd_rc_t free_memory(void *block)
{
    OUTSIDE(fake_callbacks.free_memory(block));
}

START_TEST(heap_is_never_called)
{
    struct population population = population_create(false, 8);
    ompd_callbacks_t callbacks = fake_callbacks;
    struct answers answers;
    ompd_rc_t rc;

    callbacks.alloc_memory = alloc_memory;
    callbacks.free_memory = free_memory;
    calls_outside = 0;
    is_in_library = true;
    rc = ompd_cl_address_space_create(&callbacks, &fake_extra, (void *)population.target,
                                      &population.space);
    is_in_library = false;
    ck_assert_int_eq(rc, ompd_rc_ok);
    for (unsigned i = 0; i < 2; i++) {
        is_in_library = true;
        answers_get(population.space, &answers);
        ompd_cl_address_space_refresh(population.space);
        is_in_library = false;
        ck_assert_uint_eq(answers.memobj_count, 3);
    }
    is_in_library = true;
    rc = ompd_rel_address_space_handle(population.space);
    is_in_library = false;
    ck_assert_int_eq(rc, ompd_rc_ok);
    population.space = NULL;

    ck_assert_uint_eq(calls_in_library, 0);
    /* The interposers work: the tool's own allocations were seen. */
    ck_assert_uint_gt(calls_outside, 4);
    population_free(&population);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tcase = tcase_create("heap");

    tcase_add_test(tcase, heap_is_never_called);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
