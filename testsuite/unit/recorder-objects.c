/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The life of records: references, parents, destructor callbacks, reused handles. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../recorder/core/process.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/objects.h"
#include "recorder-invariants.h"
#include "recorder-scene.h"
#include "suite.h"

START_TEST(references_are_counted)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    recorder_object_retained(ompd_cl_registry_memobj, HANDLE(2), NULL);
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_int_eq(object->references, 2);
    ck_assert_int_eq(object->state, ompd_cl_registry_live);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_int_eq(object->references, 1);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_int_eq(object->state, ompd_cl_registry_free);
    ck_assert_ptr_null(scene_object(ompd_cl_registry_memobj, HANDLE(2)));
}
END_TEST

START_TEST(refused_release_is_undone)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), false);
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_ptr_nonnull(object);
    ck_assert_int_eq(object->references, 1);
    ck_assert_int_eq(object->state, ompd_cl_registry_live);
}
END_TEST

START_TEST(release_of_what_is_gone_is_one_too_many)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), false);
    ck_assert_uint_eq(recorder_root()->counts.over_releases, 1);
    ck_assert_uint_eq(recorder_root()->counts.last_over_released, (uintptr_t)HANDLE(2));
    ck_assert_uint_eq(recorder_root()->counts.unknown_handles, 0);
    scene_release(ompd_cl_registry_memobj, HANDLE(9), false);
    scene_release(ompd_cl_registry_queue, HANDLE(2), false);
    ck_assert_uint_eq(recorder_root()->counts.over_releases, 1);
    ck_assert_uint_eq(recorder_root()->counts.unknown_handles, 2);
}
END_TEST

START_TEST(runtime_holds_object)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_ptr_nonnull(object);
    ck_assert_int_eq(object->state, ompd_cl_registry_app_released);
    ck_assert_int_eq(object->evidence, OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    recorder_object_retained(ompd_cl_registry_memobj, HANDLE(2), NULL);
    ck_assert_int_eq(object->state, ompd_cl_registry_live);
    ck_assert_int_eq(object->evidence, 0);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_uint_eq(recorder_root()->counts.over_releases, 1);
    ck_assert_uint_eq(recorder_root()->counts.last_over_released, (uintptr_t)HANDLE(2));
    scene_runtime_count = 1;
    scene_release(ompd_cl_registry_context, CONTEXT, true);
    ck_assert_int_eq(object->state, ompd_cl_registry_free);
    ck_assert_ptr_null(scene_object(ompd_cl_registry_context, CONTEXT));
}
END_TEST

START_TEST(context_lives_as_long_as_its_objects)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_runtime_count = 3;
    scene_release(ompd_cl_registry_context, CONTEXT, true);
    struct ompd_cl_registry_object *context = scene_object(ompd_cl_registry_context, CONTEXT);
    ck_assert_int_eq(context->state, ompd_cl_registry_app_released);
    ck_assert_int_eq(context->evidence, OMPD_CL_REGISTRY_HELD_BY_CHILDREN);
    scene_runtime_count = 1;
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_int_eq(context->state, ompd_cl_registry_app_released);
    scene_release(ompd_cl_registry_queue, HANDLE(3), true);
    ck_assert_int_eq(context->state, ompd_cl_registry_free);
}
END_TEST

START_TEST(parent_lives_as_long_as_its_parts)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    struct recorder_memobj part = {
        .handle = HANDLE(3), .parent = HANDLE(2), .size = 1024, .origin = 512};
    recorder_memobj_created(&part);
    struct ompd_cl_registry_object *parent = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(parent->children, 1);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_int_eq(parent->state, ompd_cl_registry_app_released);
    scene_release(ompd_cl_registry_memobj, HANDLE(3), true);
    ck_assert_int_eq(parent->state, ompd_cl_registry_free);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_memobj), 0);
}
END_TEST

/* A sub-buffer is of the SVM allocation that its buffer is made of, wherever in it it begins. */
START_TEST(part_is_of_the_same_svm)
{
    recorder_svm_allocated(&(struct recorder_svm){
        .pointer = HANDLE(4), .context = CONTEXT, .type = ompd_cl_registry_svm_alloc, .size = 64});
    recorder_memobj_created(&(struct recorder_memobj){.handle = HANDLE(2),
                                                      .context = CONTEXT,
                                                      .size = 64,
                                                      .flags = CL_MEM_USE_HOST_PTR,
                                                      .host_pointer = HANDLE(4)});
    recorder_memobj_created(&(struct recorder_memobj){
        .handle = HANDLE(3), .parent = HANDLE(2), .size = 16, .origin = 32});
    const struct ompd_cl_registry_memobj_record *whole =
        (const void *)scene_object(ompd_cl_registry_memobj, HANDLE(2));
    const struct ompd_cl_registry_memobj_record *part =
        (const void *)scene_object(ompd_cl_registry_memobj, HANDLE(3));
    ck_assert_uint_ne(whole->svm, 0);
    ck_assert_uint_eq(part->svm, whole->svm);
    ck_assert_uint_eq(part->svm_generation, whole->svm_generation);
    ck_assert_uint_eq(part->host_pointer, (uintptr_t)HANDLE(4) + 32);
}
END_TEST

/* A part takes from its buffer what its own flags leave open (clCreateSubBuffer). */
START_TEST(part_has_the_flags_of_its_buffer)
{
    static const struct {
        cl_mem_flags whole;
        cl_mem_flags part;
        cl_mem_flags expected;
    } cases[] = {
        {CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 0, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY},
        {CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
         CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS},
        {CL_MEM_ALLOC_HOST_PTR, CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR},
    };
    recorder_memobj_created(&(struct recorder_memobj){
        .handle = HANDLE(2), .context = CONTEXT, .size = 64, .flags = cases[_i].whole});
    recorder_memobj_created(&(struct recorder_memobj){
        .handle = HANDLE(3), .parent = HANDLE(2), .size = 16, .flags = cases[_i].part});
    const struct ompd_cl_registry_memobj_record *part =
        (const void *)scene_object(ompd_cl_registry_memobj, HANDLE(3));
    ck_assert_uint_eq(part->flags, cases[_i].expected);
}
END_TEST

/* A buffer whose record was another's has none of that one's values. */
START_TEST(record_used_again)
{
    recorder_svm_allocated(&(struct recorder_svm){
        .pointer = HANDLE(4), .context = CONTEXT, .type = ompd_cl_registry_svm_alloc, .size = 64});
    recorder_memobj_created(&(struct recorder_memobj){.handle = HANDLE(2),
                                                      .context = CONTEXT,
                                                      .size = 64,
                                                      .flags = CL_MEM_USE_HOST_PTR,
                                                      .host_pointer = HANDLE(4)});
    struct ompd_cl_registry_memobj_record *record =
        (void *)scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_ne(record->svm, 0);
    recorder_memobj_created(
        &(struct recorder_memobj){.handle = HANDLE(3), .parent = HANDLE(2), .size = 16});
    scene_runtime_count = 2;
    scene_release(ompd_cl_registry_memobj, HANDLE(3), true);
    ck_assert_uint_eq(record->children_released, 1);
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    for (uintptr_t i = 10; i < 20 && record->object.handle != (uintptr_t)HANDLE(i - 1); i++) {
        recorder_memobj_created(
            &(struct recorder_memobj){.handle = HANDLE(i), .context = CONTEXT, .size = 16});
    }
    ck_assert_uint_eq(record->object.state, ompd_cl_registry_live);
    ck_assert_uint_gt(record->object.handle, (uintptr_t)HANDLE(9));
    ck_assert_uint_eq(record->host_pointer, 0);
    ck_assert_uint_eq(record->svm, 0);
    ck_assert_uint_eq(record->svm_generation, 0);
    ck_assert_uint_eq(record->children_released, 0);
    recorder_buffer_created(HANDLE(3), CONTEXT, 0, 4096, NULL, NULL);
}
END_TEST

START_TEST(handle_given_out_again)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 8192, NULL, NULL);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_memobj), 1);
    struct ompd_cl_registry_memobj_record *record =
        (void *)scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(record->size, 8192);
}
END_TEST

static int order[4];
static int calls;
static uint64_t seen_states[4];

static void destructor(void *handle, void *user_data)
{
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, handle);
    int number = (int)(uintptr_t)user_data;
    ck_assert_ptr_nonnull(object);
    ck_assert_int_eq(object->state, ompd_cl_registry_destroying);
    uint32_t place = object->callbacks;
    for (int i = 2; place; i--) {
        ck_assert_int_ge(i, 0);
        seen_states[i] = recorder_callback_record(place - 1)->run;
        place = recorder_callback_record(place - 1)->next;
    }
    order[calls++] = number;
    for (int i = 0; i < 3; i++) {
        int expected = i == number  ? ompd_cl_registry_running
                       : i > number ? ompd_cl_registry_done
                                    : ompd_cl_registry_registered;
        ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(seen_states[i]), expected);
    }
}

static void *callback_push(void *handle, void (*function)(void *, void *), uintptr_t user_data)
{
    struct recorder_entry entry;
    struct recorder_slot slot;
    ck_assert(recorder_object_find(&entry, ompd_cl_registry_memobj, handle));
    void *slot_ref =
        recorder_callback_push(&slot, &entry, (const void *)function, (void *)user_data, NULL);
    ck_assert_uint_ne(slot.index, RECORDER_NO_SLOT);
    return slot_ref;
}

START_TEST(destructors_tell_the_end)
{
    void *slot_refs[3];
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    for (uintptr_t i = 0; i < 3; i++) {
        slot_refs[i] = callback_push(HANDLE(2), destructor, i);
    }
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_uint_eq(object->callback_count, 3);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    ck_assert_int_eq(object->state, ompd_cl_registry_app_released);
    for (int i = 2; i >= 0; i--) {
        recorder_callback_run(HANDLE(2), slot_refs[i]);
    }
    ck_assert_int_eq(calls, 3);
    ck_assert_int_eq(order[0], 2);
    ck_assert_int_eq(object->state, ompd_cl_registry_free);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_callback), 0);
}
END_TEST

START_TEST(refused_registration_leaves_no_trace)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    callback_push(HANDLE(2), destructor, 0);
    void *slot_ref = callback_push(HANDLE(2), destructor, 1);
    callback_push(HANDLE(2), destructor, 2);
    struct recorder_entry entry;
    ck_assert(recorder_object_find(&entry, ompd_cl_registry_memobj, HANDLE(2)));
    recorder_callback_withdraw(entry, recorder_slot_ref_index(slot_ref));
    ck_assert_uint_eq(entry.object->callback_count, 2);
    uint32_t newest = entry.object->callbacks;
    uint32_t oldest = recorder_callback_record(newest - 1)->next;
    ck_assert_uint_eq(recorder_callback_record(newest - 1)->user_data, 2);
    ck_assert_uint_eq(recorder_callback_record(oldest - 1)->user_data, 0);
    ck_assert_uint_eq(recorder_callback_record(oldest - 1)->next, 0);
}
END_TEST

static void late_destructor(void *handle, void *user_data)
{
    (void)handle;
    calls += (int)(uintptr_t)user_data;
}

/* A runtime may call them in another order than OpenCL wants. */
START_TEST(the_last_callback_tells_the_end)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    void *slot_refs[3];
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    for (uintptr_t i = 0; i < 3; i++) {
        slot_refs[i] = callback_push(HANDLE(2), late_destructor, i);
    }
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_callback), 3);
        ck_assert_int_ne(object->state, ompd_cl_registry_free);
        recorder_callback_run(HANDLE(2), slot_refs[orders[_i][i]]);
    }
    ck_assert_int_eq(object->state, ompd_cl_registry_free);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_callback), 0);
}
END_TEST

START_TEST(callbacks_outlive_their_record)
{
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    void *slot_ref = callback_push(HANDLE(2), late_destructor, 1);
    recorder_buffer_created(HANDLE(2), CONTEXT, 0, 4096, NULL, NULL);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_callback), 0);
    callback_push(HANDLE(2), late_destructor, 10);
    recorder_callback_run(HANDLE(2), slot_ref);
    ck_assert_int_eq(calls, 1);
    struct ompd_cl_registry_object *object = scene_object(ompd_cl_registry_memobj, HANDLE(2));
    ck_assert_int_eq(object->state, ompd_cl_registry_live);
    ck_assert_uint_eq(object->callback_count, 1);
}
END_TEST

START_TEST(svm_free_is_complete_after_a_finish)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    recorder_svm_allocated(&(struct recorder_svm){
        .pointer = HANDLE(4), .context = CONTEXT, .type = ompd_cl_registry_svm_alloc, .size = 64});
    void *pointers[] = {HANDLE(4), HANDLE(5)};
    struct recorder_svm_free command = {
        .queue = HANDLE(3), .pointer_count = 2, .pointers = pointers};
    struct recorder_command early;
    recorder_finish_begin(&early, HANDLE(3));
    struct recorder_entry entry;
    ck_assert(recorder_svm_free_begin(&entry, &command));
    struct recorder_command before;
    recorder_finish_begin(&before, HANDLE(3));
    recorder_svm_free_enqueued(&entry, NULL, scene_enqueue(HANDLE(3), false, NULL));
    ck_assert_int_eq(scene_object(ompd_cl_registry_svm, HANDLE(4))->state,
                     ompd_cl_registry_enqueued);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_address), 2);
    recorder_finish_end(&early);
    recorder_finish_end(&before);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm_free), 1);
    scene_finish(HANDLE(3));
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm_free), 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm), 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_address), 0);
}
END_TEST

/* Enqueue a free of HANDLE(4), newly allocated, in QUEUE. */
static void svm_free_enqueue(struct recorder_entry *entry, void *queue)
{
    void *pointers[] = {HANDLE(4)};
    struct recorder_svm_free command = {.queue = queue, .pointer_count = 1, .pointers = pointers};
    recorder_svm_allocated(&(struct recorder_svm){
        .pointer = HANDLE(4), .context = CONTEXT, .type = ompd_cl_registry_svm_alloc, .size = 64});
    ck_assert(recorder_svm_free_begin(entry, &command));
    recorder_svm_free_enqueued(entry, NULL, scene_enqueue(queue, false, NULL));
}

/* A command has freed, the pointer was given out again, and only then the first command is seen
 * complete. */
START_TEST(svm_free_leaves_later_ones_alone)
{
    struct recorder_entry first;
    struct recorder_entry second;
    struct recorder_entry third;
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_create(ompd_cl_registry_queue, HANDLE(6), CONTEXT);
    svm_free_enqueue(&first, HANDLE(3));
    svm_free_enqueue(&second, HANDLE(6));
    scene_finish(HANDLE(3));
    const struct ompd_cl_registry_svm_record *svm =
        (const void *)scene_object(ompd_cl_registry_svm, HANDLE(4));
    ck_assert_int_eq(svm->object.state, ompd_cl_registry_enqueued);
    ck_assert_uint_eq(svm->command, second.reference);
    svm_free_enqueue(&third, HANDLE(3));
    ck_assert_uint_eq(third.reference, first.reference);
    recorder_svm_free_ended(first.reference, first.generation, CL_COMPLETE);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm_free), 2);
    recorder_svm_free_ended(third.reference, third.generation, CL_COMPLETE);
    recorder_svm_free_ended(third.reference, third.generation, CL_COMPLETE);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm_free), 1);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm), 0);
}
END_TEST

START_TEST(refused_svm_free_leaves_no_trace)
{
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    recorder_svm_allocated(&(struct recorder_svm){
        .pointer = HANDLE(4), .context = CONTEXT, .type = ompd_cl_registry_svm_alloc, .size = 64});
    void *pointers[] = {HANDLE(4)};
    struct recorder_svm_free command = {
        .queue = HANDLE(3), .pointer_count = 1, .pointers = pointers};
    struct recorder_entry entry;
    ck_assert(recorder_svm_free_begin(&entry, &command));
    recorder_svm_free_withdraw(&entry);
    ck_assert_int_eq(scene_object(ompd_cl_registry_svm, HANDLE(4))->state, ompd_cl_registry_live);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_svm_free), 0);
    const struct ompd_cl_registry_queue_record *queue =
        (const void *)scene_object(ompd_cl_registry_queue, HANDLE(3));
    ck_assert_uint_eq(queue->svm_frees, 0);
}
END_TEST

/* The events of such commands are distinguished from those that the program completes itself. */
START_TEST(event_of_an_svm_free)
{
    struct recorder_entry entry;
    scene_create(ompd_cl_registry_queue, HANDLE(3), CONTEXT);
    scene_enqueue(HANDLE(3), false, HANDLE(7));
    scene_enqueue(HANDLE(3), false, HANDLE(8));
    svm_free_enqueue(&entry, HANDLE(3));
    recorder_event_of_svm_free(HANDLE(8), &entry);
    ck_assert(!recorder_event_is_of_svm_free(HANDLE(7)));
    ck_assert(recorder_event_is_of_svm_free(HANDLE(8)));
    ck_assert(!recorder_event_is_of_svm_free(HANDLE(9)));
}
END_TEST

/* A tool finds the registry by its magic number, which is written last. */
START_TEST(registry_is_published)
{
    ck_assert_mem_eq(recorder_root()->magic, OMPD_CL_REGISTRY_MAGIC,
                     sizeof(recorder_root()->magic));
}
END_TEST

static void set_up_stacks(void)
{
    setenv("OMPD_OPENCL_STACK_DEPTH", "4", 1);
    scene_set_up();
}

/* Calls from one place share the record of their stack. */
START_TEST(stacks_are_shared)
{
    struct recorder_site sites[3];
    volatile int rounds = 2; /* or the compiler would make two places of the loop */
    for (int i = 0; i < rounds; i++) {
        recorder_site_find_slowly(&sites[i], HANDLE(20));
    }
    recorder_site_find_slowly(&sites[2], HANDLE(20));
    ck_assert_uint_ne(sites[0].stack, 0);
    ck_assert_uint_eq(sites[1].stack, sites[0].stack);
    ck_assert_uint_ne(sites[2].stack, 0);
    ck_assert_uint_ne(sites[2].stack, sites[0].stack);
}
END_TEST

static uint32_t map_count(void)
{
    return ((const struct ompd_cl_registry_memobj_record *)(const void *)scene_object(
                ompd_cl_registry_memobj, HANDLE(2)))
        ->map_count;
}

START_TEST(mappings_are_counted)
{
    recorder_memobj_created(&(struct recorder_memobj){.handle = HANDLE(2), .context = CONTEXT});
    ck_assert_uint_eq(map_count(), 0);
    recorder_memobj_mapped(HANDLE(2), false);
    recorder_memobj_mapped(HANDLE(2), false);
    recorder_memobj_mapped(HANDLE(2), true);
    ck_assert_uint_eq(map_count(), 1);
    recorder_memobj_mapped(HANDLE(2), true);
    recorder_memobj_mapped(HANDLE(2), true);
    ck_assert_uint_eq(map_count(), 0);
    recorder_memobj_mapped(HANDLE(3), false);
    scene_release(ompd_cl_registry_memobj, HANDLE(2), true);
}
END_TEST

/* A truncated text is marked as such, and ends with a whole character. */
START_TEST(texts_that_are_cut)
{
    char text[200];
    char to[OMPD_CL_REGISTRY_TEXT_SIZE];
    memset(text, 'a', sizeof(text));
    recorder_text_copy(to, text, 119);
    ck_assert_uint_eq(strlen(to), 119);
    ck_assert_ptr_null(strstr(to, RECORDER_TEXT_CUT));
    recorder_text_copy(to, text, sizeof(text));
    ck_assert_uint_eq(strlen(to), 119);
    ck_assert_str_eq(to + 115, "a" RECORDER_TEXT_CUT);
    text[119] = '\0';
    recorder_text_copy(to, text, SIZE_MAX);
    ck_assert_str_eq(to, text);
    memcpy(text + 115, "\xc3\xa9\xc3\xa9\xc3\xa9", 7);
    recorder_text_copy(to, text, SIZE_MAX);
    ck_assert_str_eq(to + 114, "a" RECORDER_TEXT_CUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-objects");
    TCase *all = tcase_create("all");
    TCase *stacks = tcase_create("stacks");
    tcase_add_checked_fixture(all, scene_set_up, scene_tear_down);
    tcase_add_test(all, references_are_counted);
    tcase_add_test(all, refused_release_is_undone);
    tcase_add_test(all, release_of_what_is_gone_is_one_too_many);
    tcase_add_test(all, runtime_holds_object);
    tcase_add_test(all, context_lives_as_long_as_its_objects);
    tcase_add_test(all, parent_lives_as_long_as_its_parts);
    tcase_add_test(all, part_is_of_the_same_svm);
    tcase_add_loop_test(all, part_has_the_flags_of_its_buffer, 0, 3);
    tcase_add_test(all, record_used_again);
    tcase_add_test(all, handle_given_out_again);
    tcase_add_test(all, destructors_tell_the_end);
    tcase_add_loop_test(all, the_last_callback_tells_the_end, 0, 6);
    tcase_add_test(all, refused_registration_leaves_no_trace);
    tcase_add_test(all, callbacks_outlive_their_record);
    tcase_add_test(all, svm_free_is_complete_after_a_finish);
    tcase_add_test(all, svm_free_leaves_later_ones_alone);
    tcase_add_test(all, refused_svm_free_leaves_no_trace);
    tcase_add_test(all, event_of_an_svm_free);
    tcase_add_test(all, registry_is_published);
    tcase_add_test(all, mappings_are_counted);
    tcase_add_test(all, texts_that_are_cut);
    suite_add_tcase(suite, all);
    tcase_add_checked_fixture(stacks, set_up_stacks, scene_tear_down);
    tcase_add_test(stacks, stacks_are_shared);
    suite_add_tcase(suite, stacks);
    return suite_run(suite);
}
