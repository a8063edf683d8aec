/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's records of event and build callbacks, from their registration to their end. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <string.h>

#include "../../recorder/core/core.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/objects.h"
#include "suite.h"

#define NOTIFICATION ompd_cl_registry_notification
#define EVENT ompd_cl_registry_event
#define QUEUE ompd_cl_registry_queue
#define PROGRAM ompd_cl_registry_program

/* A call of the program's function. */
static struct {
    unsigned count;
    const void *object;
    cl_int status;
    void *user_data;
    struct ompd_cl_registry_notification_record record; /* as it was then */
    struct ompd_cl_registry_activity activity;
} called;

static void note(const void *object, cl_int status, void *user_data)
{
    const struct ompd_cl_registry_thread_record *thread = recorder_heap_self->thread;
    called.count++;
    called.object = object;
    called.status = status;
    called.user_data = user_data;
    called.activity = thread->activities[thread->activity_count - 1];
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(called.activity.reference);
    memcpy(&called.record, recorder_record(NOTIFICATION, index), sizeof(called.record));
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user_data)
{
    note(event, status, user_data);
}

static void CL_CALLBACK on_build(cl_program program, void *user_data)
{
    note(program, 0, user_data);
}

static void *registered_for(struct recorder_entry *entry, uint32_t table, const void *handle)
{
    struct recorder_notification notification = {
        .table = table,
        .handle = handle,
        .status = CL_RUNNING,
        .function = table == EVENT ? (const void *)on_event : (const void *)on_build,
        .user_data = &called,
        .return_address = (const void *)0x400010,
    };
    void *slot_ref = NULL;
    ck_assert(recorder_notification_begin(entry, &notification, &slot_ref));
    return slot_ref;
}

static uint32_t state_of(const void *handle)
{
    const struct ompd_cl_registry_object *object = scene_object(EVENT, handle);
    return object ? object->state : ompd_cl_registry_free;
}

/* An event of a command. */
static void *command_event(void)
{
    scene_create(QUEUE, HANDLE(2), CONTEXT);
    scene_enqueue(HANDLE(2), false, HANDLE(3));
    return HANDLE(3);
}

static void set_up(void)
{
    memset(&called, 0, sizeof(called));
    scene_set_up();
}

/* It is known completely. While it is called, the thread is in it; afterwards it is removed. */
START_TEST(event)
{
    struct recorder_entry entry;
    cl_event handle = command_event();
    void *slot_ref = registered_for(&entry, EVENT, handle);
    const struct ompd_cl_registry_notification_record *record = (const void *)entry.object;
    ck_assert_uint_eq(record->object.state, ompd_cl_registry_live);
    ck_assert_uint_eq(record->run, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered));
    ck_assert_uint_eq(record->object_handle, (uintptr_t)handle);
    ck_assert_uint_eq(record->object_table, EVENT);
    ck_assert_uint_eq(record->object.type, CL_RUNNING);
    ck_assert_uint_eq(record->object.caller, 0x400010);
    ck_assert_uint_eq(record->function, (uintptr_t)on_event);
    recorder_event_callback_run(handle, CL_RUNNING, slot_ref);
    ck_assert_uint_eq(called.count, 1);
    ck_assert_ptr_eq(called.object, handle);
    ck_assert_int_eq(called.status, CL_RUNNING);
    ck_assert_ptr_eq(called.user_data, &called);
    ck_assert_uint_eq(called.activity.what, ompd_cl_registry_runs_event_callback);
    ck_assert_uint_eq(called.activity.handle, (uintptr_t)handle);
    ck_assert_uint_eq(called.record.run,
                      OMPD_CL_REGISTRY_RUN(recorder_heap_self->lwp, ompd_cl_registry_running));
    ck_assert_uint_eq(record->object.state, ompd_cl_registry_free);
    ck_assert_uint_eq(recorder_heap_self->thread->activity_count, 0);
}
END_TEST

/* It keeps the event alive that the program has released, but only until it was called. */
START_TEST(keeps_its_event)
{
    struct recorder_entry first;
    struct recorder_entry second;
    cl_event handle = command_event();
    void *slot_ref = registered_for(&first, EVENT, handle);
    void *other = registered_for(&second, EVENT, handle);
    scene_release(EVENT, handle, true);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_app_released);
    recorder_event_callback_run(handle, CL_COMPLETE, slot_ref);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_app_released);
    recorder_event_callback_run(handle, CL_COMPLETE, other);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_free);
    ck_assert_uint_eq(called.count, 2);
}
END_TEST

/* A released user event cannot be set: it is destroyed, and its callback, whose parent is missing,
 * is never called. */
START_TEST(user_event)
{
    struct recorder_entry entry;
    recorder_event_made(HANDLE(4), CONTEXT, CL_COMMAND_USER, NULL);
    registered_for(&entry, EVENT, HANDLE(4));
    const struct ompd_cl_registry_object *object = scene_object(EVENT, HANDLE(4));
    uint32_t generation = object->generation;
    scene_release(EVENT, HANDLE(4), true);
    ck_assert_uint_eq(state_of(HANDLE(4)), ompd_cl_registry_free);
    ck_assert_uint_eq(entry.object->parent_generation, generation);
    ck_assert_uint_ne(object->generation, generation);
}
END_TEST

/* A user event that was set keeps it alive like a command's event. */
START_TEST(set_user_event)
{
    struct recorder_entry entry;
    recorder_event_made(HANDLE(4), CONTEXT, CL_COMMAND_USER, NULL);
    void *slot_ref = registered_for(&entry, EVENT, HANDLE(4));
    recorder_event_set_begin(HANDLE(4), CL_COMPLETE, NULL);
    scene_release(EVENT, HANDLE(4), true);
    ck_assert_uint_eq(state_of(HANDLE(4)), ompd_cl_registry_app_released);
    recorder_event_callback_run(HANDLE(4), CL_COMPLETE, slot_ref);
    ck_assert_uint_eq(state_of(HANDLE(4)), ompd_cl_registry_free);
}
END_TEST

START_TEST(refused)
{
    struct recorder_entry entry;
    cl_event handle = command_event();
    registered_for(&entry, EVENT, handle);
    recorder_notification_withdraw(&entry);
    ck_assert_uint_eq(entry.object->state, ompd_cl_registry_free);
    scene_release(EVENT, handle, true);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_free);
    /* Its slot is used again. */
    struct recorder_entry next;
    registered_for(&next, PROGRAM, NULL);
    ck_assert_uint_eq(next.reference, entry.reference);
    ck_assert_uint_ne(next.generation, entry.generation);
}
END_TEST

/* A build that has failed may still call its callback, even after others were registered. */
START_TEST(build_that_failed)
{
    struct recorder_entry entry;
    struct recorder_entry next;
    scene_create(PROGRAM, HANDLE(5), CONTEXT);
    void *slot_ref = registered_for(&entry, PROGRAM, HANDLE(5));
    recorder_notification_hide(&entry);
    ck_assert_uint_eq(entry.object->state, ompd_cl_registry_free);
    registered_for(&next, PROGRAM, HANDLE(5));
    ck_assert_uint_ne(next.reference, entry.reference);
    recorder_build_callback_run(HANDLE(5), slot_ref);
    ck_assert_uint_eq(called.count, 1);
    ck_assert_ptr_eq(called.user_data, &called);
    ck_assert_uint_eq(called.activity.what, ompd_cl_registry_runs_build_callback);
    /* Called before the build returned, it is not hidden a second time. */
    recorder_build_callback_run(
        HANDLE(5),
        recorder_slot_ref_make(OMPD_CL_REGISTRY_REFERENCE_INDEX(next.reference), next.generation));
    recorder_notification_hide(&next);
    ck_assert_uint_eq(called.count, 2);
    struct recorder_entry last;
    registered_for(&last, PROGRAM, HANDLE(5));
    ck_assert(last.reference == next.reference || last.reference == entry.reference);
}
END_TEST

/* That it is complete is learned from the call. */
START_TEST(tells_that_it_is_complete)
{
    struct recorder_entry entry;
    cl_event handle = command_event();
    void *slot_ref = registered_for(&entry, EVENT, handle);
    recorder_event_callback_run(handle, CL_COMPLETE, slot_ref);
    const struct ompd_cl_registry_event_record *record = (const void *)scene_object(EVENT, handle);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), ompd_cl_registry_done);
}
END_TEST

/* Nothing is registered for NULL. */
START_TEST(no_function)
{
    struct recorder_notification notification = {.table = EVENT, .handle = HANDLE(3)};
    struct recorder_entry entry;
    void *slot_ref = NULL;
    ck_assert(!recorder_notification_begin(&entry, &notification, &slot_ref));
    ck_assert_ptr_null(slot_ref);
}
END_TEST

/* In the child of a fork() the event is still alive. */
START_TEST(children_counted_anew)
{
    struct recorder_entry entry;
    cl_event handle = command_event();
    void *slot_ref = registered_for(&entry, EVENT, handle);
    recorder_children_repair(recorder_heap_self);
    scene_release(EVENT, handle, true);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_app_released);
    recorder_event_callback_run(handle, CL_COMPLETE, slot_ref);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_free);
}
END_TEST

#define THREADS 4
#define ROUNDS 20000

static void *register_and_run(void *argument)
{
    cl_event handle = argument;
    for (int i = 0; i < ROUNDS; i++) {
        struct recorder_entry entry;
        registered_for(&entry, EVENT, handle);
        recorder_notification_withdraw(&entry);
    }
    return NULL;
}

/* Threads that register on one event at the same time leave it with nothing. */
START_TEST(threads)
{
    pthread_t all[THREADS];
    cl_event handle = command_event();
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&all[i], NULL, register_and_run, handle), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(all[i], NULL), 0);
    }
    ck_assert_uint_eq(scene_object(EVENT, handle)->children, 0);
    scene_release(EVENT, handle, true);
    ck_assert_uint_eq(state_of(handle), ompd_cl_registry_free);
}
END_TEST

/* ---- What the program does not see ----------------------------------------------------------- */

static uint32_t mistakes_of(enum ompd_cl_registry_rule rule)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_mistake);
    uint32_t count = 0;
    for (uint32_t i = 0; i < limit; i++) {
        const struct ompd_cl_registry_mistake_record *record =
            recorder_record(ompd_cl_registry_mistake, i);
        if (record->state == ompd_cl_registry_live && record->rule == rule) {
            count += record->repetitions;
        }
    }
    return count;
}

static void event_release(const void *handle)
{
    RECORDER_CALL(clReleaseEvent, handle);
    scene_release(EVENT, handle, true);
}

/* A failure that the recorder has found, and one that the program has seen. */
START_TEST(failures_that_nobody_sees)
{
    cl_event events[4];
    scene_create(QUEUE, HANDLE(2), CONTEXT);
    for (unsigned i = 0; i < 4; i++) {
        events[i] = (cl_event)HANDLE(10 + i);
        scene_enqueue(HANDLE(2), false, events[i]);
        ck_assert(recorder_event_may_fail_unseen(events[i]));
        if (i != 3) {
            recorder_event_status_found(events[i], CL_INVALID_VALUE);
        }
    }
    ck_assert(!recorder_event_may_fail_unseen(events[0]));
    recorder_event_status_seen(events[1], CL_INVALID_VALUE);
    recorder_events_error_seen(1, &events[2]);
    recorder_event_status_found(events[3], CL_COMPLETE);
    for (unsigned i = 1; i < 4; i++) {
        event_release(events[i]);
    }
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_failed_event_unseen), 0);
    recorder_object_retained(EVENT, events[0], NULL);
    ck_assert(!recorder_event_may_fail_unseen(events[0]));
    event_release(events[0]);
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_failed_event_unseen), 0);
    event_release(events[0]);
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_failed_event_unseen), 1);
}
END_TEST

/* A callback of a command gets its status after the release. One of a user event that was never set
 * is never called. */
START_TEST(callbacks_that_nobody_calls)
{
    struct recorder_entry entry;
    scene_create(QUEUE, HANDLE(2), CONTEXT);
    scene_enqueue(HANDLE(2), false, (cl_event)HANDLE(3));
    registered_for(&entry, EVENT, HANDLE(3));
    recorder_event_status_found((cl_event)HANDLE(3), CL_INVALID_VALUE);
    event_release(HANDLE(3));
    recorder_event_made((cl_event)HANDLE(4), CONTEXT, CL_COMMAND_USER, NULL);
    event_release(HANDLE(4));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_callback_unreached), 0);
    recorder_event_made((cl_event)HANDLE(5), CONTEXT, CL_COMMAND_USER, NULL);
    registered_for(&entry, EVENT, HANDLE(5));
    registered_for(&entry, EVENT, HANDLE(5));
    event_release(HANDLE(5));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_callback_unreached), 2);
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_failed_event_unseen), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-notification");
    TCase *tcase = tcase_create("notification");
    tcase_add_checked_fixture(tcase, set_up, scene_tear_down);
    tcase_add_test(tcase, event);
    tcase_add_test(tcase, keeps_its_event);
    tcase_add_test(tcase, user_event);
    tcase_add_test(tcase, set_user_event);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, build_that_failed);
    tcase_add_test(tcase, tells_that_it_is_complete);
    tcase_add_test(tcase, no_function);
    tcase_add_test(tcase, children_counted_anew);
    tcase_add_test(tcase, threads);
    tcase_add_test(tcase, failures_that_nobody_sees);
    tcase_add_test(tcase, callbacks_that_nobody_calls);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
