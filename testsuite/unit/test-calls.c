/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a callback may do during a call: call the library, have another thread call it, interrupt
 * it, or never return. */
#include "population.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static struct population population;
static ompd_address_space_handle_t *space;

/* The action of read_memory at its call number `hook_at`, from 1; 0: none. */
static void (*hook)(void);
static unsigned hook_at;
static unsigned reads;
static bool interrupts;
static jmp_buf outside;

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t nbytes, void *buffer)
{
    if (++reads == hook_at) {
        if (hook != NULL)
            hook();
        if (interrupts)
            return ompd_rc_interrupted;
    }
    return fake_callbacks.read_memory(context, thread, address, nbytes, buffer);
}

static void open_space(void)
{
    ompd_callbacks_t callbacks = fake_callbacks;

    callbacks.read_memory = read_memory;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&callbacks, NULL, (void *)population.target, &space),
        ompd_rc_ok);
}

static void set_up(void)
{
    population = population_create(false, 8);
    hook = NULL;
    hook_at = 0;
    interrupts = false;
    open_space();
}

static void tear_down(void)
{
    population_free(&population);
}

/* Make read number AT from now on call FUNCTION. */
static void hook_set(void (*function)(void), unsigned at)
{
    hook = function;
    hook_at = at;
    reads = 0;
}

static ompd_cl_list_t open_list(void)
{
    ompd_cl_list_t list = {0};

    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    return list;
}

/* The number of remaining rows of LIST. */
static unsigned count_rows(ompd_cl_list_t list)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 1;
    unsigned sum = 0;

    while (count != 0) {
        ompd_size_t unreadable = 42;

        ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, &row, &count, &unreadable),
                         ompd_rc_ok);
        ck_assert_uint_eq(unreadable, 0);
        sum += (unsigned)count;
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return sum;
}

/* Every call on the address space is refused, and changes nothing. */
static void call_again(void)
{
    ompd_cl_list_t list = {42};
    const char *message = NULL;
    uint64_t id = 42;

    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_busy);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_busy);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_busy);
    ck_assert_int_eq(ompd_cl_object_find(space, ompd_cl_kind_memobj, 1, &id), ompd_rc_busy);
    ck_assert_int_eq(ompd_cl_message_get(space, &message), ompd_rc_busy);
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, 0), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_busy);
    ck_assert_uint_eq(list.id, 42);
    ck_assert_uint_eq(id, 42);
    ck_assert_ptr_null(message);
}

START_TEST(call_from_a_callback)
{
    hook_set(call_again, 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_uint_ge(reads, 1);
    hook_set(call_again, 1);
    ck_assert_uint_eq(count_rows(open_list()), 3);
    ck_assert_uint_ge(reads, 1);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

static void *call_elsewhere(void *nothing)
{
    call_again();
    return nothing;
}

static void start_thread(void)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, call_elsewhere, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

START_TEST(call_from_another_thread)
{
    hook_set(start_thread, 1);
    ck_assert_uint_eq(count_rows(open_list()), 3);
    ck_assert_uint_ge(reads, 1);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

START_TEST(interrupt_a_walk)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list = open_list();

    interrupts = true;
    hook_set(NULL, 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_interrupted);
    ck_assert_uint_eq(reads, 1);
    sentence_expect(space, "the tool interrupted the call");
    hook_set(NULL, 2);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, &row, &count, &unreadable),
                     ompd_rc_interrupted);
    ck_assert_uint_eq(reads, 2);
    ck_assert_uint_eq(count, 42);
    ck_assert_uint_eq(unreadable, 42);
    hook_set(NULL, 0);
    ck_assert_uint_eq(count_rows(list), 3);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

static void leave(void)
{
    longjmp(outside, 1);
}

/* A callback leaves by longjmp at its call number _I.  Only a release is possible then, and it
 * frees all memory (population_free checks that). */
START_TEST(callback_that_never_returns)
{
    ompd_cl_list_t list = {42};

    hook_set(leave, (unsigned)_i);
    if (setjmp(outside) == 0) {
        count_rows(open_list());
        ck_abort_msg("no callback was called");
    }
    hook_set(NULL, 0);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_busy);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_stale_handle);
    ck_assert_uint_eq(population.target->live_blocks, 0);
    open_space();
    ck_assert_uint_eq(count_rows(open_list()), 3);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

/* Callbacks of a call so far, and the one that leaves by longjmp; 0: none. */
static unsigned outcalls;
static unsigned leave_at;

static void count_outcall(void)
{
    if (++outcalls == leave_at)
        leave();
}

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    count_outcall();
    return fake_callbacks.alloc_memory(size, block);
}

static ompd_rc_t free_memory(void *block)
{
    ompd_rc_t rc = fake_callbacks.free_memory(block);

    count_outcall();
    return rc;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    count_outcall();
    return fake_callbacks.sizeof_type(context, sizes);
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit_size, ompd_size_t count, void *output)
{
    count_outcall();
    return fake_callbacks.device_to_host(context, input, unit_size, count, output);
}

static int64_t monitored; /* bytes, as a tool's monitor adds them up */

static bool monitor_sum(void *user_ptr, ssize_t bytes, bool post)
{
    (void)user_ptr;
    (void)post;
    monitored += bytes;
    return true;
}

/* The callbacks, counted. */
static ompd_callbacks_t counted_callbacks(void)
{
    ompd_callbacks_t callbacks = fake_callbacks;

    callbacks.alloc_memory = alloc_memory;
    callbacks.free_memory = free_memory;
    callbacks.sizeof_type = sizeof_type;
    callbacks.device_to_host = device_to_host;
    return callbacks;
}

/* Make an address space whose callbacks are counted and release it; the callback number AT leaves.
 * Returns whether it did. */
static bool make_and_release(unsigned at)
{
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra), .monitor = monitor_sum};
    ompd_callbacks_t callbacks = counted_callbacks();

    outcalls = 0;
    leave_at = at;
    if (setjmp(outside) != 0)
        return true;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&callbacks, &extra, (void *)population.target, &space),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    return false;
}

/* More calls than there are address spaces leave while these are made or released: the next call
 * has all of them again. */
START_TEST(creation_that_never_returns)
{
    unsigned left = 0;

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    for (unsigned i = 0; i <= 256; i++)
        left += make_and_release((unsigned)_i);
    ck_assert_uint_eq(left, 257);
    ck_assert(!make_and_release(0));
    ck_assert_uint_eq(population.target->live_blocks, 0);
    ck_assert_int_eq(monitored, 0);
    open_space();
    ck_assert_uint_eq(count_rows(open_list()), 3);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

/* Ask one for its overview and a list, and release it, whatever came of that; the callback
 * number AT that the questions make leaves.  Returns whether it did. */
static bool ask_and_release(unsigned at)
{
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra), .monitor = monitor_sum};
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_callbacks_t callbacks = counted_callbacks();
    volatile bool has_left = true;

    leave_at = 0;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&callbacks, &extra, (void *)population.target, &space),
        ompd_rc_ok);
    outcalls = 0;
    leave_at = at;
    if (setjmp(outside) == 0) {
        ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_ok);
        ck_assert_uint_eq(count_rows(open_list()), 3);
        has_left = false;
    }
    leave_at = 0;
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    return has_left;
}

/* The monitor was called for all freed memory, whichever callback left, and when. */
START_TEST(questions_that_never_return)
{
    unsigned at = 1;

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    for (; ask_and_release(at); at++) {
        ck_assert_uint_eq(population.target->live_blocks, 0);
        ck_assert_int_eq(monitored, 0);
    }
    ck_assert_int_eq(monitored, 0);
    ck_assert_uint_gt(at, 10);
    open_space();
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

START_TEST(message_outlives_its_list)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = 0};
    ompd_cl_list_t list = open_list();
    ompd_size_t count;
    const char *note;

    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, &row, &count, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    sentence_expect(space, "struct_size of the first row");
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_stale_handle);
    sentence_expect(space, "closed");
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

#define SPACES 256

START_TEST(all_address_spaces)
{
    ompd_address_space_handle_t *spaces[SPACES + 1] = {space};

    for (unsigned i = 1; i < SPACES; i++) {
        open_space();
        spaces[i] = space;
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, (void *)population.target,
                                                  &spaces[SPACES]),
                     ompd_rc_nomem);
    sentence_expect(NULL, "256 address spaces are in use");
    for (unsigned i = 0; i < SPACES; i++)
        ck_assert_int_eq(ompd_rel_address_space_handle(spaces[i]), ompd_rc_ok);
}
END_TEST

/* The figure in the sentence is sufficient, and the named figure is unchanged. */
START_TEST(limit_of_an_address_space)
{
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra), .memory_limit = 1000};
    ompd_address_space_handle_t *other;
    unsigned long needed = 0;
    const char *message;

    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)population.target, &other),
        ompd_rc_nomem);
    ck_assert_int_eq(ompd_cl_message_get(NULL, &message), ompd_rc_ok);
    ck_assert_int_eq(sscanf(strstr(message, "set it to "), "set it to %lu", &needed), 1);
    extra.memory_limit = needed;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)population.target, &other),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(other), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

/* Calls of read_memory that opening and walking a list makes, at least. */
#define READS 3

/* Callbacks that making an address space and releasing it makes. */
#define OUTCALLS 4

int main(void)
{
    Suite *suite = suite_create("calls");
    TCase *tcase = tcase_create("calls");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, call_from_a_callback);
    tcase_add_test(tcase, call_from_another_thread);
    tcase_add_test(tcase, interrupt_a_walk);
    tcase_add_loop_test(tcase, callback_that_never_returns, 1, READS + 1);
    tcase_add_loop_test(tcase, creation_that_never_returns, 1, OUTCALLS + 1);
    tcase_add_test(tcase, questions_that_never_return);
    tcase_add_test(tcase, message_outlives_its_list);
    tcase_add_test(tcase, all_address_spaces);
    tcase_add_test(tcase, limit_of_an_address_space);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
