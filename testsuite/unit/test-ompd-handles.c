/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handles of address spaces, devices and threads: law 3. */
#include "ompd-session.h"
#include "suite.h"

#include <check.h>

static void set_up(void)
{
    session_open(0);
}

static ompd_address_space_handle_t *make_space(void)
{
    ompd_address_space_context_t *context = (void *)target;
    ompd_address_space_handle_t *space = NULL;

    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, context, &space),
                     ompd_rc_ok);
    return space;
}

/* A handle of thread 1 in SPACE. */
static ompd_thread_handle_t *get_thread(ompd_address_space_handle_t *space)
{
    ompd_thread_handle_t *thread = NULL;

    ck_assert_int_eq(session_find_thread(space, FIRST_LWP + 1, &thread), ompd_rc_ok);
    ck_assert_ptr_nonnull(thread);
    return thread;
}

static ompd_rc_t state_of(const void *thread)
{
    ompd_word_t state = 42;
    ompd_rc_t rc = ompd_get_state((ompd_thread_handle_t *)thread, &state, NULL);

    ck_assert(rc == ompd_rc_ok || state == 42);
    return rc;
}

/* Every way to use a handle, whatever it is of: what the call returns. */
static ompd_rc_t use(unsigned way, void *handle)
{
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_list_t list = {42};
    ompd_word_t word = 42;
    ompd_thread_handle_t *thread = NULL;
    ompd_address_space_handle_t *space = NULL;
    ompd_parallel_handle_t *parallel = NULL;
    ompd_task_handle_t *task = NULL;
    ompd_address_t address;
    ompd_scope_t scope;
    const char *text = NULL;
    uint64_t id = FIRST_LWP;
    int number = 42;

    switch (way) {
    case 0:
        return ompd_cl_memobj_list_open(handle, NULL, &list);
    case 1:
        return ompd_cl_address_space_refresh(handle);
    case 2:
        return ompd_cl_message_get(handle, &text);
    case 3:
        return ompd_cl_library_memory_get(handle, &info);
    case 4:
        return ompd_cl_memory_monitor_set(handle, NULL, NULL);
    case 5:
        return ompd_get_thread_handle(handle, OMPD_CL_THREAD_LWP, 8, &id, &thread);
    case 6:
        return ompd_device_initialize(handle, NULL, OMPD_CL_DEVICE_KIND, 8, &id, &space);
    case 7: /* the first that take a device too */
        return ompd_get_omp_version(handle, &word);
    case 8:
        return ompd_enumerate_states(handle, 0x102, &word, &text, &word);
    case 9:
        return ompd_enumerate_icvs(handle, 0, &id, &text, &scope, &number);
    case 10: /* the first that take a thread */
        return ompd_get_state(handle, &word, NULL);
    case 11:
        return ompd_get_thread_id(handle, OMPD_CL_THREAD_LWP, 8, &id);
    case 12:
        return ompd_thread_handle_compare(handle, handle, &number);
    case 13:
        return ompd_get_device_from_thread(handle, &space);
    case 14:
        return ompd_get_curr_parallel_handle(handle, &parallel);
    case 15:
        return ompd_get_curr_task_handle(handle, &task);
    case 16:
        return ompd_get_tool_data(handle, ompd_scope_thread, &word, &address);
    case 17: /* the first that take neither */
        return ompd_get_thread_in_parallel(handle, 0, &thread);
    case 18:
        return ompd_rel_parallel_handle(handle);
    case 19:
        return ompd_rel_task_handle(handle);
    case 20:
        return ompd_parallel_handle_compare(handle, handle, &number);
    case 21:
        return ompd_get_task_function(handle, &address);
    case 22:
        return ompd_get_icv_from_scope(handle, ompd_scope_thread, 1, &word);
    case 23:
        return ompd_rel_thread_handle(handle);
    case 24:
        return ompd_rel_address_space_handle(handle);
    default:
        ck_abort();
    }
}

#define FIRST_OF_DEVICES 7
#define FIRST_OF_THREADS 10
#define FIRST_OF_NONE 17
#define FIRST_OTHERS 22
#define WAYS 25

START_TEST(never_given_out)
{
    uint64_t pattern = UINT64_C(0x9e3779b97f4a7c15);
    uintptr_t values[64] = {
        0, 1, 2, 3, 4, 255, 256, 4096, UINTPTR_MAX / 2, UINTPTR_MAX - 1, UINTPTR_MAX,
    };

    values[11] = (uintptr_t)target;
    values[12] = (uintptr_t)population.space + 1;
    values[13] = (uintptr_t)population.space ^ 1;
    values[14] = ~(uintptr_t)population.space;
    for (unsigned i = 15; i < 64; i++) {
        pattern = pattern * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        values[i] = (uintptr_t)pattern;
    }
    for (unsigned i = 0; i < 64; i++) {
        for (unsigned way = 0; way < WAYS; way++) {
            if (values[i] == 0 && way == 2)
                continue; /* the message of a failed creation */
            ck_assert_int_eq(use(way, (void *)values[i]), ompd_rc_bad_input);
        }
    }
}
END_TEST

/* A live handle of each kind, in each way to use one of another kind. */
START_TEST(of_another_kind)
{
    void *process = population.space;
    void *device = session_device(population.space);
    void *thread = session_thread(1);

    for (unsigned way = 0; way < FIRST_OTHERS; way++) {
        if (way >= FIRST_OF_THREADS)
            ck_assert_int_eq(use(way, process), ompd_rc_incompatible_handle);
        if (way < FIRST_OF_DEVICES || way >= FIRST_OF_THREADS)
            ck_assert_int_eq(use(way, device), ompd_rc_incompatible_handle);
        if (way < FIRST_OF_THREADS || way >= FIRST_OF_NONE)
            ck_assert_int_eq(use(way, thread), ompd_rc_incompatible_handle);
    }
    ck_assert_int_eq(ompd_rel_thread_handle(process), ompd_rc_incompatible_handle);
    ck_assert_int_eq(ompd_rel_thread_handle(device), ompd_rc_incompatible_handle);
    ck_assert_int_eq(ompd_rel_address_space_handle(thread), ompd_rc_incompatible_handle);
    ck_assert_int_eq(use(22, process), ompd_rc_incompatible);
    ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(device), ompd_rc_ok);
}
END_TEST

/* What was released is stale in every way, whatever came after it. */
START_TEST(released)
{
    void *thread = session_thread(1);
    void *other_thread = session_thread(4);
    void *device = session_device(population.space);
    void *gone_space = make_space();
    void *gone_thread = get_thread(gone_space);
    void *gone_device = session_device(gone_space);
    void *next_space;
    void *handles[6] = {thread, device, gone_space, gone_thread, gone_device, NULL};

    ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(device), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(gone_space), ompd_rc_ok);
    next_space = make_space();
    ck_assert_ptr_ne(next_space, gone_space);
    ck_assert_ptr_ne(get_thread(next_space), gone_thread);
    for (unsigned i = 0; handles[i] != NULL; i++) {
        for (unsigned way = 0; way < WAYS; way++) {
            ompd_rc_t rc = use(way, handles[i]);
            if (way == 4 && i < 2) /* any thread may call it: it only checks the kind */
                ck_assert_int_eq(rc, ompd_rc_incompatible_handle);
            else
                ck_assert_int_eq(rc, ompd_rc_stale_handle);
        }
    }
    ck_assert_int_eq(state_of(other_thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(next_space), ompd_rc_ok);
}
END_TEST

/* Each request returns another handle, with a lifetime of its own. */
START_TEST(two_of_one_thread)
{
    ompd_thread_handle_t *first = session_thread(1);
    ompd_thread_handle_t *second = session_thread(1);
    int order = 42;

    ck_assert_ptr_ne(first, second);
    ck_assert_int_eq(ompd_thread_handle_compare(first, second, &order), ompd_rc_ok);
    ck_assert_int_eq(order, 0);
    ck_assert_int_eq(ompd_rel_thread_handle(first), ompd_rc_ok);
    ck_assert_int_eq(state_of(first), ompd_rc_stale_handle);
    ck_assert_int_eq(state_of(second), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_thread_handle(first), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_rel_thread_handle(second), ompd_rc_ok);
}
END_TEST

/* Handles that come and go take no more memory than those that live. */
START_TEST(many)
{
    ompd_thread_handle_t *threads[1000];
    uint64_t held;

    for (unsigned i = 0; i < 1000; i++)
        threads[i] = session_thread(i % 3);
    held = target->live_bytes;
    for (unsigned i = 0; i < 100000; i++) {
        unsigned place = i * 7 % 1000;
        ck_assert_int_eq(ompd_rel_thread_handle(threads[place]), ompd_rc_ok);
        threads[place] = session_thread(place % 3);
    }
    ck_assert_uint_le(target->live_bytes, 2 * held);
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t lwp = 0;
        ck_assert_int_eq(ompd_get_thread_id(threads[i], OMPD_CL_THREAD_LWP, 8, &lwp), ompd_rc_ok);
        ck_assert_uint_eq(lwp, FIRST_LWP + i % 3);
    }
}
END_TEST

/* When out of memory nothing is returned, nothing is lost, and the next call works. */
START_TEST(without_memory)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_thread_handle_t *kept = session_thread(0);
    bool was_refused = false;

    for (unsigned i = 0; i < 100; i++) {
        fake_reset(target);
        target->failing = fake_alloc;
        target->fail_at = 1;
        thread = NULL;
        if (session_find_thread(population.space, FIRST_LWP + 1, &thread) == ompd_rc_ok)
            continue;
        was_refused = true;
        ck_assert_ptr_null(thread);
        ck_assert_int_eq(session_find_thread(population.space, FIRST_LWP + 1, &thread), ompd_rc_ok);
        ck_assert_int_eq(state_of(thread), ompd_rc_ok);
    }
    ck_assert(was_refused);
    ck_assert_int_eq(state_of(kept), ompd_rc_ok);
}
END_TEST

/* A thread that ends takes its handles with it, even when its record and its LWP come again. */
START_TEST(ended_threads)
{
    ompd_thread_handle_t *thread = session_thread(1);
    ompd_thread_handle_t *next = NULL;

    fake_set(target, THREAD, population.threads[1], FIELD(state), ompd_cl_registry_free);
    ck_assert_int_eq(state_of(thread), ompd_rc_stale_handle);
    fake_end_thread(target, population.threads[1]);
    ck_assert_int_eq(state_of(thread), ompd_rc_stale_handle);
    ck_assert_int_eq(session_find_thread(population.space, FIRST_LWP + 1, &next),
                     ompd_rc_unavailable);
    fake_reuse_thread(target, population.threads[1], FIRST_LWP + 1);
    ck_assert_int_eq(state_of(thread), ompd_rc_stale_handle);
    next = session_thread(1);
    ck_assert_int_eq(state_of(next), ompd_rc_ok);
    for (unsigned way = FIRST_OF_THREADS; way < 14; way++)
        ck_assert_int_eq(use(way, thread), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
}
END_TEST

/* After an exec() or in the child of a fork() all is new, wherever the registry is. */
START_TEST(another_process)
{
    ompd_thread_handle_t *thread = session_thread(1);
    ompd_address_space_handle_t *device = session_device(population.space);
    ompd_word_t value = 42;

    fake_put(target, ROOT_MEMBER(pid), 4, 4712);
    ck_assert_int_eq(state_of(thread), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_get_icv_from_scope(device, ompd_scope_address_space, 3, &value),
                     ompd_rc_stale_handle);
    ck_assert_int_eq(state_of(session_thread(1)), ompd_rc_ok);
    ck_assert_int_eq(ompd_get_icv_from_scope(session_device(population.space),
                                             ompd_scope_address_space, 3, &value),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(device), ompd_rc_ok);
}
END_TEST

START_TEST(other_address_space)
{
    ompd_address_space_handle_t *space = make_space();
    ompd_thread_handle_t *here = session_thread(1);
    ompd_thread_handle_t *there = get_thread(space);
    ompd_address_space_handle_t *found = NULL;
    int order = 42;

    ck_assert_int_eq(ompd_thread_handle_compare(here, there, &order), ompd_rc_bad_input);
    ck_assert_int_eq(order, 42);
    ck_assert_int_eq(ompd_get_device_from_thread(here, &found), ompd_rc_ok);
    ck_assert_ptr_eq(found, population.space);
    ck_assert_int_eq(ompd_get_device_from_thread(there, &found), ompd_rc_ok);
    ck_assert_ptr_eq(found, space);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ompd-handles");
    TCase *tcase = tcase_create("ompd-handles");

    tcase_add_checked_fixture(tcase, set_up, session_close);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, never_given_out);
    tcase_add_test(tcase, of_another_kind);
    tcase_add_test(tcase, released);
    tcase_add_test(tcase, two_of_one_thread);
    tcase_add_test(tcase, many);
    tcase_add_test(tcase, without_memory);
    tcase_add_test(tcase, ended_threads);
    tcase_add_test(tcase, another_process);
    tcase_add_test(tcase, other_address_space);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
