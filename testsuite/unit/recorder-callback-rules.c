/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's rules about calls in callbacks, and about callbacks that are registered twice. */
#include "recorder-scene.h"

#include <check.h>
#include <setjmp.h>
#include <string.h>

#include "../../recorder/core/tables.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/uses.h"
#include "suite.h"

#ifdef __clang__ /* which makes no clones */
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED __attribute__((noinline, noclone))
#endif

#define MEMOBJ ompd_cl_registry_memobj
#define RULE(name) ompd_cl_registry_rule_callback_##name
#define OUTER HANDLE(2)
#define INNER HANDLE(3)
#define QUEUE HANDLE(4)

static jmp_buf place;

/* ---- The recorded mistakes ------------------------------------------------------------------- */

static const struct ompd_cl_registry_mistake_record *mistake_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_mistake, index);
}

static uint32_t mistake_count(void)
{
    uint32_t count = 0;
    while (mistake_at(count)->state == ompd_cl_registry_live) {
        count++;
    }
    return count;
}

/* The only mistake is one of RULE with OBJECT, made TIMES times. */
static void expect(uint32_t rule, const void *object, uint32_t times)
{
    ck_assert_uint_eq(mistake_count(), 1);
    ck_assert_uint_eq(mistake_at(0)->rule, rule);
    ck_assert_uint_eq(mistake_at(0)->handle, (uintptr_t)object);
    ck_assert_uint_eq(mistake_at(0)->repetitions, times);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

NOT_INLINED static void query(void *memobj)
{
    RECORDER_CALL(clGetMemObjectInfo, memobj);
    ck_assert_ptr_ne(activity.thread, NULL);
}

NOT_INLINED static void finish(void *queue)
{
    RECORDER_CALL_WAITING(clFinish, queue, true);
    ck_assert_ptr_ne(activity.thread, NULL);
}

NOT_INLINED static void map_svm(bool is_blocking)
{
    RECORDER_CALL_WAITING(clEnqueueSVMMap, QUEUE, is_blocking);
    ck_assert_ptr_ne(activity.thread, NULL);
}

NOT_INLINED static void build(bool is_blocking)
{
    RECORDER_CALL_WAITING(clBuildProgram, HANDLE(9), true);
    if (is_blocking) {
        recorder_callback_build_check(&activity, NULL);
    }
}

NOT_INLINED static void create_queue(void)
{
    RECORDER_CALL(clCreateCommandQueue, CONTEXT);
    ck_assert_ptr_ne(activity.thread, NULL);
}

/* A call that uses MEMOBJ in another parameter than the first. */
NOT_INLINED static void use(void *memobj)
{
    RECORDER_CALL(clEnqueueReadBuffer, QUEUE);
    recorder_use_as(1, MEMOBJ, memobj, NULL);
    ck_assert_ptr_ne(activity.thread, NULL);
}

NOT_INLINED static void release(void *memobj)
{
    RECORDER_CALL(clReleaseMemObject, memobj);
    scene_release(MEMOBJ, memobj, true);
    ck_assert_ptr_ne(activity.thread, NULL);
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* Register FUNCTION on MEMOBJ, which exists. */
static void *registered_on(void *memobj, void (*function)(void *, void *), const void *user_data)
{
    struct recorder_registration registration;
    ck_assert(recorder_callback_register(&registration, MEMOBJ, memobj, (const void *)function,
                                         user_data, (const void *)0x400010));
    recorder_callback_registered(&registration, (const void *)0x400020);
    return registration.slot_ref;
}

/* Release a new object MEMOBJ, which calls FUNCTION. */
static void destroy(void *memobj, void (*function)(void *, void *))
{
    scene_create(MEMOBJ, memobj, CONTEXT);
    void *slot_ref = registered_on(memobj, function, NULL);
    scene_release(MEMOBJ, memobj, true);
    recorder_callback_run(memobj, slot_ref);
}

static void query_own(void *memobj, void *user_data)
{
    (void)user_data;
    query(memobj);
}

/* The same mistake of two objects is one. */
START_TEST(own_object)
{
    destroy(OUTER, query_own);
    expect(RULE(uses), OUTER, 1);
    ck_assert_uint_eq(mistake_at(0)->object_table, MEMOBJ);
    ck_assert_uint_eq(mistake_at(0)->what, ompd_cl_call_clGetMemObjectInfo);
    ck_assert_uint_eq(mistake_at(0)->function, (uintptr_t)query_own);
    ck_assert_uint_eq(mistake_at(0)->released_caller, 0x400010);
    ck_assert_uint_eq(mistake_at(0)->released_lwp, recorder_heap_mine()->lwp);
    destroy(INNER, query_own);
    expect(RULE(uses), OUTER, 2);
}
END_TEST

static void use_own(void *memobj, void *user_data)
{
    (void)user_data;
    use(memobj);
}

static void release_own(void *memobj, void *user_data)
{
    (void)user_data;
    release(memobj);
}

/* Instead of the use of a released object, and of a release too many. */
START_TEST(own_object_once)
{
    const struct ompd_cl_registry_error_record *error = recorder_record(ompd_cl_registry_error, 0);
    destroy(OUTER, use_own);
    expect(RULE(uses), OUTER, 1);
    destroy(INNER, release_own);
    ck_assert_uint_eq(mistake_count(), 2);
    ck_assert_uint_eq(mistake_at(1)->rule, RULE(releases));
    ck_assert_uint_eq(error->state, ompd_cl_registry_free);
    ck_assert_uint_eq(recorder_root()->counts.over_releases, 0);
}
END_TEST

static void query_outer(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    query(OUTER);
}

static void destroy_another(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    destroy(INNER, query_outer);
}

static void query_another(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    scene_create(MEMOBJ, INNER, CONTEXT);
    query(INNER);
    use(INNER);
    finish(NULL);
}

/* Callbacks within callbacks count, other objects do not. */
START_TEST(which_object)
{
    destroy(OUTER, destroy_another);
    expect(RULE(uses), OUTER, 1);
    destroy(HANDLE(5), query_another);
    ck_assert_uint_eq(mistake_count(), 2);
    ck_assert_uint_eq(mistake_at(1)->rule, RULE(waits));
}
END_TEST

/* A runtime that has freed the object before it calls the callbacks: the handle is of another one.
 */
static void reuse(void *memobj, void *user_data)
{
    (void)user_data;
    scene_create(MEMOBJ, memobj, CONTEXT);
    query(memobj);
    use(memobj);
}

static void leave(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    longjmp(place, 1);
}

/* After that the thread is deeper in the stack than the callback was. */
NOT_INLINED static void query_deeper(void *memobj)
{
    volatile char room[4096];
    memset((void *)room, 0, sizeof(room));
    query(memobj);
    finish(QUEUE);
    room[0] = room[1];
}

START_TEST(silent)
{
    destroy(OUTER, reuse);
    if (!setjmp(place)) {
        destroy(INNER, leave);
    }
    query_deeper(INNER);
    query(HANDLE(6));
    finish(QUEUE);
    create_queue();
    build(true);
    ck_assert_uint_eq(mistake_count(), 0);
}
END_TEST

static void wait_and_create(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    finish(QUEUE);
    create_queue();
    build(true);
}

START_TEST(forbidden_calls)
{
    destroy(OUTER, wait_and_create);
    ck_assert_uint_eq(mistake_count(), 3);
    ck_assert_uint_eq(mistake_at(0)->rule, RULE(waits));
    ck_assert_uint_eq(mistake_at(0)->other, (uintptr_t)QUEUE);
    ck_assert_uint_eq(mistake_at(0)->other_table, ompd_cl_registry_queue);
    ck_assert_uint_eq(mistake_at(1)->rule, RULE(creates));
    ck_assert_uint_eq(mistake_at(1)->other_table, ompd_cl_registry_context);
    ck_assert_uint_eq(mistake_at(2)->rule, RULE(waits));
    ck_assert_uint_eq(mistake_at(2)->other_table, ompd_cl_registry_program);
}
END_TEST

static void wait_otherwise(void *memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
    map_svm(true);
    build(false);
}

static void on_event(void *event, cl_int status, void *user_data)
{
    (void)status;
    (void)user_data;
    map_svm(false);
    build(false);
    map_svm(true);
    query(event);
}

/* The list of clSetMemObjectDestructorCallback has no SVM; clSetEventCallback has no list. */
START_TEST(blocking_calls)
{
    struct recorder_entry entry;
    void *slot_ref = NULL;
    const struct recorder_notification notification = {.table = ompd_cl_registry_event,
                                                       .handle = HANDLE(7),
                                                       .function = (const void *)on_event,
                                                       .return_address = (const void *)0x400010};
    destroy(OUTER, wait_otherwise);
    ck_assert_uint_eq(mistake_count(), 0);
    recorder_event_made(HANDLE(7), CONTEXT, CL_COMMAND_USER, NULL);
    ck_assert(recorder_notification_begin(&entry, &notification, &slot_ref));
    recorder_event_callback_run(HANDLE(7), CL_COMPLETE, slot_ref);
    expect(RULE(waits), HANDLE(7), 1);
    ck_assert_uint_eq(mistake_at(0)->object_table, ompd_cl_registry_event);
    ck_assert_uint_eq(mistake_at(0)->function, (uintptr_t)on_event);
    ck_assert_uint_eq(mistake_at(0)->released_caller, 0x400010);
}
END_TEST

static int data[2];

START_TEST(registered_twice)
{
    RECORDER_CALL(clSetMemObjectDestructorCallback, OUTER);
    ck_assert_ptr_ne(activity.thread, NULL);
    scene_create(MEMOBJ, OUTER, CONTEXT);
    registered_on(OUTER, query_own, NULL);
    registered_on(OUTER, query_own, NULL);
    registered_on(OUTER, query_own, &data[0]);
    registered_on(OUTER, query_own, &data[1]);
    registered_on(OUTER, query_outer, &data[0]);
    scene_create(MEMOBJ, INNER, CONTEXT);
    registered_on(INNER, query_own, &data[0]);
    ck_assert_uint_eq(mistake_count(), 0);
    registered_on(OUTER, query_own, &data[0]);
    expect(RULE(twice), OUTER, 1);
    for (uint32_t i = 1; i < OMPD_CL_REGISTRY_TWICE_COUNTED + 4; i++) {
        registered_on(OUTER, query_own, &data[0]);
    }
    expect(RULE(twice), OUTER, OMPD_CL_REGISTRY_TWICE_COUNTED);
    ck_assert_uint_eq(mistake_at(0)->memory, (uintptr_t)&data[0]);
    ck_assert_uint_eq(mistake_at(0)->caller, 0x400020);
    ck_assert_uint_eq(mistake_at(0)->released_caller, 0x400010);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-callback-rules");
    TCase *tcase = tcase_create("rules");
    tcase_add_checked_fixture(tcase, scene_set_up, scene_tear_down);
    tcase_add_test(tcase, own_object);
    tcase_add_test(tcase, own_object_once);
    tcase_add_test(tcase, which_object);
    tcase_add_test(tcase, silent);
    tcase_add_test(tcase, forbidden_calls);
    tcase_add_test(tcase, blocking_calls);
    tcase_add_test(tcase, registered_twice);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
