/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the runtime keeps alive after the program has released them: when they count as
 * destroyed. */
#include <check.h>
#include <pthread.h>

#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/objects.h"
#include "recorder-invariants.h"
#include "recorder-scene.h"
#include "suite.h"

/* A buffer that the runtime holds when the program releases it. */
static void held_buffer_make(void *handle)
{
    recorder_buffer_created(handle, CONTEXT, 0, 4096, NULL, NULL);
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_memobj, handle, true);
    ck_assert_uint_eq(scene_object(ompd_cl_registry_memobj, handle)->evidence,
                      OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
}

static uint32_t buffers_count(void)
{
    return recorder_records_count(ompd_cl_registry_memobj);
}

START_TEST(finish_ends_what_the_runtime_held)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_enqueue(HANDLE(3), false, NULL);
    held_buffer_make(HANDLE(4));
    struct recorder_command early;
    recorder_finish_begin(&early, HANDLE(3));
    held_buffer_make(HANDLE(5));
    scene_enqueue(HANDLE(3), false, NULL);
    recorder_finish_end(&early);
    ck_assert_ptr_null(scene_object(ompd_cl_registry_memobj, HANDLE(4)));
    ck_assert_ptr_nonnull(scene_object(ompd_cl_registry_memobj, HANDLE(5)));
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_address), 0);
}
END_TEST

START_TEST(every_queue_of_the_context_may_use_it)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_create(ompd_cl_registry_queue, HANDLE(6), CONTEXT);
    scene_enqueue(HANDLE(3), false, NULL);
    scene_enqueue(HANDLE(6), false, NULL);
    held_buffer_make(HANDLE(4));
    scene_enqueue(HANDLE(6), false, NULL);
    scene_finish(HANDLE(3));
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 1);
    scene_finish(HANDLE(6));
    ck_assert_uint_eq(buffers_count(), 0);
}
END_TEST

START_TEST(blocking_call_tells_in_order_only)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    struct ompd_cl_registry_queue_record *queue =
        (void *)scene_object(ompd_cl_registry_queue, HANDLE(3));
    queue->flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    scene_enqueue(HANDLE(3), false, NULL);
    held_buffer_make(HANDLE(4));
    scene_enqueue(HANDLE(3), true, NULL);
    ck_assert_uint_eq(buffers_count(), 1);
    queue->flags = 0;
    scene_enqueue(HANDLE(3), true, NULL);
    ck_assert_uint_eq(buffers_count(), 0);
}
END_TEST

/* A pipeline: objects that were released before a command was enqueued are destroyed once that is
 * complete. */
START_TEST(complete_event_ends_what_was_released_before)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_enqueue(HANDLE(3), false, NULL);
    held_buffer_make(HANDLE(4));
    scene_enqueue(HANDLE(3), false, HANDLE(7));
    held_buffer_make(HANDLE(5));
    scene_enqueue(HANDLE(3), false, NULL);
    recorder_event_status_seen(HANDLE(7), CL_RUNNING);
    recorder_event_status_seen(HANDLE(7), -1);
    ck_assert_uint_eq(buffers_count(), 2);
    recorder_event_status_seen(HANDLE(7), CL_COMPLETE);
    ck_assert_ptr_null(scene_object(ompd_cl_registry_memobj, HANDLE(4)));
    ck_assert_ptr_nonnull(scene_object(ompd_cl_registry_memobj, HANDLE(5)));
}
END_TEST

/* Another thread's command counts before this one's, whose own place is not known then. */
START_TEST(number_is_its_own_only_when_alone)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    const struct recorder_command_facts facts = {.is_blocking = true};
    struct recorder_command slow;
    recorder_command_begin(&slow, HANDLE(3), &facts, NULL);
    scene_enqueue(HANDLE(3), false, NULL);
    held_buffer_make(HANDLE(4));
    recorder_command_end(&slow, true, NULL, CL_COMMAND_READ_BUFFER, NULL);
    ck_assert_uint_eq(buffers_count(), 1);
}
END_TEST

START_TEST(queue_is_held_by_its_events)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    struct ompd_cl_registry_object *queue = scene_object(ompd_cl_registry_queue, HANDLE(3));
    scene_enqueue(HANDLE(3), false, HANDLE(7));
    scene_runtime_count = 3;
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_app_released);
    recorder_event_status_seen(HANDLE(7), CL_COMPLETE);
    ck_assert_int_eq(queue->state, ompd_cl_registry_app_released);
    scene_runtime_count = 1;
    scene_release(ompd_cl_registry_event, HANDLE(7), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_free);
}
END_TEST

START_TEST(idle_queue_is_gone_at_once)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    struct ompd_cl_registry_object *queue = scene_object(ompd_cl_registry_queue, HANDLE(3));
    scene_enqueue(HANDLE(3), true, NULL);
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_free);
}
END_TEST

/* It is unknown whether an unrecorded enqueueing function was called since the known progress of
 * the queue. */
START_TEST(commands_may_be_unseen)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_create(ompd_cl_registry_queue, HANDLE(6), CONTEXT);
    recorder_lingering_note_function("clGetKernelSuggestedLocalWorkSizeKHR");
    ck_assert(!recorder_lingering_has_unseen_commands());
    recorder_lingering_note_function("clEnqueueGenerateMipmapIMG");
    held_buffer_make(HANDLE(4));
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 1);
    scene_finish(HANDLE(6));
    ck_assert_uint_eq(buffers_count(), 0);

    struct ompd_cl_registry_object *queue = scene_object(ompd_cl_registry_queue, HANDLE(3));
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_app_released);
    ck_assert_uint_eq(queue->evidence, OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
}
END_TEST

START_TEST(command_buffers_hold_what_they_use)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    recorder_lingering_note_function("clCommandCopyBufferKHR");
    held_buffer_make(HANDLE(4));
    scene_finish(HANDLE(3));
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 1);
    ck_assert_uint_eq(scene_object(ompd_cl_registry_memobj, HANDLE(4))->evidence,
                      OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
}
END_TEST

START_TEST(busy_queue_may_be_there)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    struct ompd_cl_registry_object *queue = scene_object(ompd_cl_registry_queue, HANDLE(3));
    struct ompd_cl_registry_context_record *context =
        (void *)scene_object(ompd_cl_registry_context, CONTEXT);
    scene_enqueue(HANDLE(3), false, NULL);
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(queue->evidence, OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    scene_release(ompd_cl_registry_context, CONTEXT, true);
    ck_assert_int_eq(context->object.evidence, OMPD_CL_REGISTRY_HELD_BY_CHILDREN);
    ck_assert_uint_eq(context->children_released, 1);
}
END_TEST

/* Handles that are reused before any completion is known leave no links. */
START_TEST(links_are_bounded)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_enqueue(HANDLE(3), false, NULL);
    for (int i = 0; i < 1000; i++) {
        held_buffer_make(HANDLE(4));
    }
    ck_assert_uint_eq(buffers_count(), 1);
    ck_assert_uint_le(recorder_records_count(ompd_cl_registry_address), 100);
}
END_TEST

/* The runtime counts RUNTIME_COUNT references of CONTEXT, which has a queue and one reference. */
static void counting_learn(uint32_t runtime_count)
{
    struct recorder_entry context;
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    ck_assert(recorder_object_find(&context, ompd_cl_registry_context, CONTEXT));
    recorder_lingering_note_count(&context, runtime_count);
}

static void buffer_make_and_release(void *handle)
{
    recorder_buffer_created(handle, CONTEXT, 0, 4096, NULL, NULL);
    scene_release(ompd_cl_registry_memobj, handle, true);
}

/* A memory object is deleted when the commands that use it are complete, counted or not. */
START_TEST(uncounted_commands_hold_memobjs)
{
    counting_learn(1);
    buffer_make_and_release(HANDLE(4));
    ck_assert_uint_eq(buffers_count(), 0);
    scene_enqueue(HANDLE(3), false, NULL);
    buffer_make_and_release(HANDLE(5));
    ck_assert_uint_eq(scene_object(ompd_cl_registry_memobj, HANDLE(5))->evidence,
                      OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 0);
}
END_TEST

START_TEST(uncounted_commands_hold_queues)
{
    counting_learn(1);
    struct ompd_cl_registry_object *queue = scene_object(ompd_cl_registry_queue, HANDLE(3));
    scene_enqueue(HANDLE(3), false, HANDLE(7));
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_app_released);
    recorder_event_status_seen(HANDLE(7), CL_COMPLETE);
    scene_release(ompd_cl_registry_event, HANDLE(7), true);
    ck_assert_int_eq(queue->state, ompd_cl_registry_free);
}
END_TEST

/* Objects in an OpenCL context that only its objects keep alive still exist. */
START_TEST(uncounted_children_hold_contexts)
{
    counting_learn(1);
    scene_enqueue(HANDLE(3), false, NULL);
    buffer_make_and_release(HANDLE(5));
    scene_release(ompd_cl_registry_context, CONTEXT, true);
    ck_assert_uint_eq(buffers_count(), 1);
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(buffers_count(), 0);
    struct ompd_cl_registry_object *context = scene_object(ompd_cl_registry_context, CONTEXT);
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(context->state, ompd_cl_registry_free);
}
END_TEST

START_TEST(counted_commands_are_asked_for)
{
    counting_learn(2);
    scene_enqueue(HANDLE(3), false, NULL);
    buffer_make_and_release(HANDLE(5));
    ck_assert_uint_eq(buffers_count(), 0);
}
END_TEST

#define THREADS 4
#define ROUNDS 2000

/* What the runtime counts while threads share it. */
static uint32_t held_count_tell(const void *handle)
{
    (void)handle;
    return 2;
}

/* Make, use and release buffers in queues that all threads share; each thread has its own
 * handles. */
static void *release_in_thread(void *number)
{
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        void *handle = HANDLE(1000 + (uintptr_t)number * ROUNDS + i);
        void *queue = HANDLE(3 + i % 2);
        struct recorder_release release;
        recorder_buffer_created(handle, CONTEXT, 0, 4096, NULL, NULL);
        scene_enqueue(queue, false, NULL);
        recorder_release_begin(&release, ompd_cl_registry_memobj, handle, held_count_tell, NULL);
        recorder_release_end(&release, true);
        if (i % 16 == 0) {
            scene_finish(queue);
        } else if (i % 8 == 0) {
            scene_enqueue(queue, true, NULL);
        }
    }
    return NULL;
}

START_TEST(threads_settle_together)
{
    pthread_t threads[THREADS];
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_create(ompd_cl_registry_queue, HANDLE(4), CONTEXT);
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, release_in_thread, (void *)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    scene_finish(HANDLE(3));
    scene_finish(HANDLE(4));
    ck_assert_uint_eq(buffers_count(), 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_address), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-lingering");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, scene_set_up, scene_tear_down);
    tcase_add_test(all, finish_ends_what_the_runtime_held);
    tcase_add_test(all, every_queue_of_the_context_may_use_it);
    tcase_add_test(all, blocking_call_tells_in_order_only);
    tcase_add_test(all, complete_event_ends_what_was_released_before);
    tcase_add_test(all, number_is_its_own_only_when_alone);
    tcase_add_test(all, queue_is_held_by_its_events);
    tcase_add_test(all, idle_queue_is_gone_at_once);
    tcase_add_test(all, commands_may_be_unseen);
    tcase_add_test(all, command_buffers_hold_what_they_use);
    tcase_add_test(all, busy_queue_may_be_there);
    tcase_add_test(all, links_are_bounded);
    tcase_add_test(all, uncounted_commands_hold_memobjs);
    tcase_add_test(all, uncounted_commands_hold_queues);
    tcase_add_test(all, uncounted_children_hold_contexts);
    tcase_add_test(all, counted_commands_are_asked_for);
    tcase_add_test(all, threads_settle_together);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
