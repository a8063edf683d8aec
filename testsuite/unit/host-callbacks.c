/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks with a session: each session gets its own calls only, in one thread and in two, freed
 * in any order.  A failing libffi leaks nothing. */
#include "suite.h"

#include <host/base/callbacks.h>

#include <check.h>
#include <ffi.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* ---- A libffi that counts, and fails on demand ----------------------------------------------- */

static _Atomic unsigned closures_made;
static _Atomic unsigned closures_freed;
static unsigned fail_alloc_at; /* from 1; 0 never */
static unsigned fail_prep_at;
static _Atomic unsigned allocs;
static _Atomic unsigned preps;

/* The names that the linker's --wrap creates for libffi's; no program may declare such names. */
void *__real_ffi_closure_alloc(size_t size, void **code);
void *__wrap_ffi_closure_alloc(size_t size, void **code);
void __real_ffi_closure_free(void *closure);
void __wrap_ffi_closure_free(void *closure);
ffi_status __real_ffi_prep_closure_loc(ffi_closure *closure, ffi_cif *cif,
                                       void (*call)(ffi_cif *, void *, void **, void *), void *user,
                                       void *code);
ffi_status __wrap_ffi_prep_closure_loc(ffi_closure *closure, ffi_cif *cif,
                                       void (*call)(ffi_cif *, void *, void **, void *), void *user,
                                       void *code);

void *__wrap_ffi_closure_alloc(size_t size, void **code)
{
    void *closure = NULL;

    if (++allocs != fail_alloc_at)
        closure = __real_ffi_closure_alloc(size, code);
    closures_made += closure != NULL;
    return closure;
}

void __wrap_ffi_closure_free(void *closure)
{
    closures_freed++;
    __real_ffi_closure_free(closure);
}

ffi_status __wrap_ffi_prep_closure_loc(ffi_closure *closure, ffi_cif *cif,
                                       void (*call)(ffi_cif *, void *, void **, void *), void *user,
                                       void *code)
{
    if (++preps == fail_prep_at)
        return FFI_BAD_ABI;
    return __real_ffi_prep_closure_loc(closure, cif, call, user, code);
}

static void set_up(void)
{
    closures_made = 0;
    closures_freed = 0;
    allocs = 0;
    preps = 0;
    fail_alloc_at = 0;
    fail_prep_at = 0;
}

static void tear_down(void)
{
    ck_assert_uint_eq(closures_made, closures_freed);
}

/* ---- A session ------------------------------------------------------------------------------- */

struct session {
    uint64_t allocations;
    uint64_t frees;
    uint64_t prints;
    uint64_t bytes;
    void *freed;
    char printed[64];
    int category;
    ompd_rc_t answer;
};

static ompd_rc_t allocate(void *user, ompd_size_t nbytes, void **ptr)
{
    struct session *session = user;

    session->allocations++;
    session->bytes = nbytes;
    *ptr = session;
    return session->answer;
}

static ompd_rc_t release(void *user, void *ptr)
{
    struct session *session = user;

    session->frees++;
    session->freed = ptr;
    return session->answer;
}

static ompd_rc_t print(void *user, const char *string, int category)
{
    struct session *session = user;

    session->prints++;
    session->category = category;
    strncpy(session->printed, string, sizeof(session->printed) - 1);
    return session->answer;
}

static const ompd_host_functions_t functions = {allocate, release, print};

/* Each callback passes on all its arguments, and returns the session's answer. */
static void use(const ompd_callbacks_t *callbacks, struct session *session)
{
    struct session before = *session;
    void *block = NULL;

    ck_assert_int_eq(callbacks->alloc_memory(UINT64_C(0x123456789abc), &block), session->answer);
    ck_assert_ptr_eq(block, session);
    ck_assert_uint_eq(session->bytes, UINT64_C(0x123456789abc));
    ck_assert_int_eq(callbacks->free_memory(&before), session->answer);
    ck_assert_ptr_eq(session->freed, &before);
    ck_assert_int_eq(callbacks->print_string("hello", -7), session->answer);
    ck_assert_str_eq(session->printed, "hello");
    ck_assert_int_eq(session->category, -7);
    ck_assert_uint_eq(session->allocations, before.allocations + 1);
    ck_assert_uint_eq(session->frees, before.frees + 1);
    ck_assert_uint_eq(session->prints, before.prints + 1);
}

static ompd_host_callbacks_t *bind_session(struct session *session, ompd_callbacks_t *callbacks)
{
    ompd_host_callbacks_t *bound = NULL;

    ck_assert_int_eq(ompd_host_callbacks_create(&functions, session, callbacks, &bound),
                     ompd_rc_ok);
    ck_assert_ptr_nonnull(bound);
    return bound;
}

START_TEST(two_sessions_in_one_thread)
{
    struct session first = {.answer = ompd_rc_ok};
    struct session second = {.answer = ompd_rc_callback_error};
    ompd_callbacks_t one = {0};
    ompd_callbacks_t two = {0};
    ompd_host_callbacks_t *first_bound = bind_session(&first, &one);
    ompd_host_callbacks_t *second_bound = bind_session(&second, &two);
    struct session untouched = second;

    use(&one, &first);
    ck_assert_mem_eq(&second, &untouched, sizeof(second));
    use(&two, &second);
    use(&one, &first);
    ck_assert_uint_eq(first.allocations, 2);
    ck_assert_uint_eq(second.allocations, 1);
    /* `_i` selects which one is first. */
    ompd_host_callbacks_free(_i == 0 ? first_bound : second_bound);
    use(_i == 0 ? &two : &one, _i == 0 ? &second : &first);
    ompd_host_callbacks_free(_i == 0 ? second_bound : first_bound);
}
END_TEST

#define ROUNDS 2000

static void *use_often(void *user)
{
    struct session *session = user;
    ompd_callbacks_t callbacks = {0};
    ompd_host_callbacks_t *bound = NULL;

    if (ompd_host_callbacks_create(&functions, session, &callbacks, &bound) != ompd_rc_ok)
        return NULL;
    for (unsigned i = 0; i < ROUNDS; i++) {
        void *block = NULL;
        callbacks.alloc_memory(i, &block);
        if (block == session)
            callbacks.free_memory(block);
        callbacks.print_string("x", 0);
    }
    ompd_host_callbacks_free(bound);
    return session;
}

START_TEST(two_sessions_in_two_threads)
{
    struct session sessions[2] = {{.answer = ompd_rc_ok}, {.answer = ompd_rc_ok}};
    pthread_t threads[2];

    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_often, &sessions[i]), 0);
    for (unsigned i = 0; i < 2; i++) {
        void *result = NULL;
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_eq(result, &sessions[i]);
        ck_assert_uint_eq(sessions[i].allocations, ROUNDS);
        ck_assert_uint_eq(sessions[i].frees, ROUNDS);
        ck_assert_uint_eq(sessions[i].prints, ROUNDS);
    }
}
END_TEST

#define MANY 300

START_TEST(many_sessions)
{
    static struct session sessions[MANY];
    static ompd_callbacks_t callbacks[MANY];
    static ompd_host_callbacks_t *bound[MANY];

    for (unsigned i = 0; i < MANY; i++)
        bound[i] = bind_session(&sessions[i], &callbacks[i]);
    for (unsigned i = 0; i < MANY; i += 2)
        ompd_host_callbacks_free(bound[i]);
    for (unsigned i = 1; i < MANY; i += 2) {
        use(&callbacks[i], &sessions[i]);
        ompd_host_callbacks_free(bound[i]);
    }
}
END_TEST

START_TEST(other_entries_stay)
{
    struct session session = {.answer = ompd_rc_ok};
    ompd_host_functions_t silent = functions;
    ompd_host_callbacks_t *bound = NULL;
    ompd_callbacks_t callbacks;
    ompd_callbacks_t before;

    memset(&callbacks, 0x5a, sizeof(callbacks));
    before = callbacks;
    silent.print_string = NULL;
    ck_assert_int_eq(ompd_host_callbacks_create(&silent, &session, &callbacks, &bound), ompd_rc_ok);
    ck_assert_ptr_null(callbacks.print_string);
    before.alloc_memory = callbacks.alloc_memory;
    before.free_memory = callbacks.free_memory;
    before.print_string = callbacks.print_string;
    ck_assert_mem_eq(&callbacks, &before, sizeof(callbacks));
    ompd_host_callbacks_free(bound);
    ompd_host_callbacks_free(NULL);
}
END_TEST

START_TEST(bad_input)
{
    ompd_host_functions_t no_alloc = {NULL, release, print};
    ompd_host_functions_t no_free = {allocate, NULL, print};
    ompd_host_callbacks_t *bound = NULL;
    ompd_callbacks_t callbacks = {0};

    ck_assert_int_eq(ompd_host_callbacks_create(NULL, NULL, &callbacks, &bound), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_create(&no_alloc, NULL, &callbacks, &bound),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_create(&no_free, NULL, &callbacks, &bound),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_create(&functions, NULL, NULL, &bound), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_create(&functions, NULL, &callbacks, NULL),
                     ompd_rc_bad_input);
    ck_assert_ptr_null(bound);
    ck_assert_ptr_null(callbacks.alloc_memory);
    ck_assert_uint_eq(closures_made, 0);
}
END_TEST

/* Each of the three closures fails to be allocated, then to be prepared. */
START_TEST(libffi_fails)
{
    struct session session = {.answer = ompd_rc_ok};
    ompd_host_callbacks_t *bound = NULL;
    ompd_callbacks_t callbacks;
    ompd_callbacks_t before;

    memset(&callbacks, 0x5a, sizeof(callbacks));
    before = callbacks;
    fail_alloc_at = _i < 3 ? (unsigned)_i + 1 : 0;
    fail_prep_at = _i < 3 ? 0 : (unsigned)_i - 2;
    ck_assert_int_eq(ompd_host_callbacks_create(&functions, &session, &callbacks, &bound),
                     ompd_rc_nomem);
    ck_assert_ptr_null(bound);
    ck_assert_mem_eq(&callbacks, &before, sizeof(callbacks));
    ck_assert_uint_eq(closures_made, closures_freed);

    ompd_host_callbacks_free(bind_session(&session, &callbacks));
    ck_assert_uint_ge(closures_made, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-callbacks");
    TCase *tcase = tcase_create("host-callbacks");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, two_sessions_in_one_thread, 0, 2);
    tcase_add_test(tcase, two_sessions_in_two_threads);
    tcase_add_test(tcase, many_sessions);
    tcase_add_test(tcase, other_entries_stay);
    tcase_add_test(tcase, bad_input);
    tcase_add_loop_test(tcase, libffi_fails, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
