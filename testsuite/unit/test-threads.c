/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 8: different threads use distinct address spaces at the same time. Also run under the thread
 * sanitizer. */
#include "population.h"
#include "suite.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 200

static struct population population;

/* The fake target's own callbacks count their calls, which threads would contend for: these only
 * read. */

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    *block = malloc(size);
    return *block != NULL ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *block)
{
    free(block);
    return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    (void)context;
    (void)thread;
    (void)name;
    (void)file;
    address->segment = ompd_segment_none;
    address->address = population.target->root;
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    (void)context;
    (void)thread;
    if (from->address < FAKE_BASE || from->address - FAKE_BASE > FAKE_SIZE - size)
        return ompd_rc_error;
    memcpy(buffer, population.target->bytes + (from->address - FAKE_BASE), size);
    return ompd_rc_ok;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    (void)context;
    memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

static const ompd_callbacks_t callbacks = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol_addr_lookup,
    .read_memory = read_memory,
    .device_to_host = device_to_host,
};

/* Ask OMPD for the state of a thread of SPACE, whose handle goes to *LAST and is left to the
 * address space; that of an earlier one is stale, though another thread may have its slot.  Tells
 * whether all is right. */
static bool has_threads(ompd_address_space_handle_t *space, ompd_thread_handle_t **last)
{
    const uint32_t lwp = FIRST_LWP + 1;
    ompd_thread_handle_t *thread = NULL;
    ompd_word_t state = 0;

    if (*last != NULL && ompd_get_state(*last, &state, NULL) != ompd_rc_stale_handle)
        return false;
    if (ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, &thread) !=
            ompd_rc_ok ||
        ompd_rel_thread_handle(thread) != ompd_rc_ok ||
        ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, last) != ompd_rc_ok)
        return false;
    return ompd_get_state(*last, &state, NULL) == ompd_rc_ok &&
           state == OMPD_CL_STATE_BASE + ompd_cl_thread_state_waits_for_queue;
}

/* Count the rounds with the right answers. */
static void *use_address_spaces(void *argument)
{
    ompd_thread_handle_t *last = NULL;
    unsigned *good = argument;

    for (unsigned i = 0; i < ROUNDS; i++) {
        ompd_address_space_handle_t *space = NULL;
        const char *const *left = NULL;
        const char *const *released = NULL;
        struct answers answers;
        bool is_default = i % 2 == 0;
        ompd_rc_t rc = is_default ? ompd_process_initialize(NULL, &space)
                                  : ompd_cl_address_space_create(&callbacks, NULL, NULL, &space);

        if (rc != ompd_rc_ok)
            continue;
        answers_get(space, &answers);
        /* The vectors of all address spaces are linked together. */
        if (ompd_get_display_control_vars(space, &left) != ompd_rc_ok ||
            ompd_get_display_control_vars(space, &released) != ompd_rc_ok ||
            ompd_rel_display_control_vars(&released) != ompd_rc_ok)
            continue;
        if (has_threads(space, &last) && answers.worst == ompd_rc_ok && answers.memobj_count == 3 &&
            answers.destructor_count == DESTRUCTOR_COUNT &&
            ompd_rel_address_space_handle(space) == ompd_rc_ok &&
            ompd_cl_address_space_refresh(space) == ompd_rc_stale_handle)
            ++*good;
    }
    return NULL;
}

START_TEST(address_spaces_of_many_threads)
{
    pthread_t threads[THREADS];
    unsigned good[THREADS] = {0};

    population = population_create(false, 8);
    ck_assert_int_eq(ompd_initialize(201811, &callbacks), ompd_rc_ok);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_address_spaces, &good[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_uint_eq(good[i], ROUNDS);
    }
    ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
    population_free(&population);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, address_spaces_of_many_threads);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
