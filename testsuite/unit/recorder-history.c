/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The history of a queue: the recorder's records of its commands, and their lifetime. */
#include "recorder-invariants.h"
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>

#include "../../recorder/core/core.h"
#include "../../recorder/core/process.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "suite.h"

#define QUEUE HANDLE(3)
#define LENGTH 4

static const struct ompd_cl_registry_command_record *command_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_command, index);
}

/* The records of existing commands; *OLDEST is set to the lowest number among them. */
static uint32_t count_commands(uint32_t *oldest)
{
    uint32_t limit =
        recorder_tables[ompd_cl_registry_command].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    uint32_t count = 0;
    *oldest = UINT32_MAX;
    for (uint32_t i = 0; i < limit; i++) {
        if (command_at(i)->object.state != ompd_cl_registry_free) {
            count++;
            *oldest = command_at(i)->number < *oldest ? command_at(i)->number : *oldest;
        }
    }
    return count;
}

/* The links of wait lists that are in use. */
static uint32_t count_links(void)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < recorder_tables[ompd_cl_registry_address].chunk_count; i++) {
        live += recorder_tables[ompd_cl_registry_address].directory[i].local_live;
    }
    return live;
}

static const struct ompd_cl_registry_queue_record *queue_record(void)
{
    return (const void *)scene_object(ompd_cl_registry_queue, QUEUE);
}

static void set_up(void)
{
    scene_set_up();
    recorder_history_prepare(LENGTH);
    scene_create(ompd_cl_registry_queue, QUEUE, CONTEXT);
}

/* Enqueue a command of an event that waits for another. */
static struct recorder_command enqueue(cl_event event, bool succeeds)
{
    cl_event waits[] = {HANDLE(9), HANDLE(8)};
    const struct recorder_command_facts facts = {.type = CL_COMMAND_NDRANGE_KERNEL,
                                                 .kernel = HANDLE(20),
                                                 .wait_count = 2,
                                                 .wait_list = waits};
    struct recorder_command command;
    recorder_command_begin(&command, QUEUE, &facts, NULL);
    /* The program's array may be used again at once, by the call itself: &event for both. */
    waits[0] = NULL;
    recorder_command_end(&command, succeeds, event ? &event : NULL, CL_COMMAND_NDRANGE_KERNEL,
                         NULL);
    return command;
}

/* Finished commands are dropped, except the last ones; commands not known to be complete remain. */
START_TEST(last_ones_stay)
{
    uint32_t oldest;
    for (int i = 0; i < 100; i++) {
        scene_enqueue(QUEUE, false, NULL);
    }
    ck_assert_uint_eq(count_commands(&oldest), 100);
    ck_assert_uint_eq(oldest, 1);
    for (int i = 0; i < 1000; i++) {
        scene_enqueue(QUEUE, false, NULL);
        scene_finish(QUEUE);
    }
    ck_assert_uint_le(count_commands(&oldest), 2 * LENGTH);
    ck_assert_uint_ge(count_commands(&oldest), LENGTH);
    ck_assert_uint_gt(oldest, 1100 - 2 * LENGTH);
    ck_assert_uint_eq(queue_record()->dropped, 0);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    ck_assert_uint_eq(count_commands(&oldest), 0);
}
END_TEST

START_TEST(facts_of_a_command)
{
    uint64_t before = recorder_clock_now();
    struct recorder_command command = enqueue(HANDLE(5), true);
    const struct ompd_cl_registry_command_record *record = (const void *)command.record.object;
    ck_assert_uint_eq(record->number, 1);
    ck_assert_uint_eq(record->kernel, (uintptr_t)HANDLE(20));
    ck_assert_uint_eq(record->event, (uintptr_t)HANDLE(5));
    ck_assert_uint_eq(record->queue_handle, (uintptr_t)QUEUE);
    ck_assert_uint_eq(record->wait_count, 2);
    ck_assert_uint_ge(record->at, before);
    ck_assert_uint_le(record->at, recorder_clock_now());
    uint32_t next;
    ck_assert_uint_eq(recorder_address_list_get(record->wait_list, &next), (uintptr_t)HANDLE(9));
    ck_assert_uint_eq(recorder_address_list_get(next, &next), (uintptr_t)HANDLE(8));
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), ompd_cl_registry_enqueued);
    ck_assert_uint_eq(queue_record()->flushed, 0);
    recorder_event_flush(HANDLE(5));
    ck_assert_uint_eq(queue_record()->flushed, 1);
    recorder_event_status_seen(HANDLE(5), -5);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), ompd_cl_registry_failed);
    ck_assert_int_eq(record->error, -5);
    scene_release(ompd_cl_registry_event, HANDLE(5), true);
    scene_finish(QUEUE);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    ck_assert_uint_eq(count_links(), 0);
}
END_TEST

/* The call by which the program sets EVENT to STATUS. */
static void set_event(cl_event event, cl_int status)
{
    RECORDER_CALL(clSetUserEventStatus, event);
    struct recorder_event_setting setting = recorder_event_set_begin(event, status, HANDLE(99));
    recorder_commands_fail(&setting.event, HANDLE(99));
}

static struct recorder_command enqueue_in_call(cl_event event)
{
    RECORDER_CALL(clEnqueueNDRangeKernel, QUEUE);
    return enqueue(event, true);
}

/* A command that waits for a user event that fails never runs, and no queue that continues reports
 * that it did. */
START_TEST(terminated_by_a_user_event)
{
    struct recorder_command other =
        enqueue_in_call(NULL); /* waits for what had the handle before */
    recorder_event_made(HANDLE(9), CONTEXT, CL_COMMAND_USER, NULL);
    struct recorder_command command = enqueue_in_call(HANDLE(5));
    const struct ompd_cl_registry_command_record *record = (const void *)command.record.object;
    const struct ompd_cl_registry_event_record *event =
        (const void *)scene_object(ompd_cl_registry_event, HANDLE(5));
    const struct ompd_cl_registry_error_record *error = recorder_record(ompd_cl_registry_error, 0);
    set_event(HANDLE(9), -1);
    scene_finish(QUEUE);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), ompd_cl_registry_failed);
    ck_assert_int_eq(record->error, 0);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(event->run), ompd_cl_registry_failed);
    record = (const void *)other.record.object;
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), ompd_cl_registry_enqueued);
    ck_assert_int_eq(error->error, OMPD_CL_REGISTRY_COMMAND_FAILED);
    ck_assert_uint_eq(error->what, ompd_cl_call_clEnqueueNDRangeKernel);
    ck_assert_uint_eq(error->handle, (uintptr_t)HANDLE(9));
    ck_assert_uint_eq(error->released_lwp, recorder_heap_self->lwp);
    ck_assert_uint_eq(error->released_caller, (uintptr_t)HANDLE(99));
    ck_assert_uint_eq((error + 1)->state, ompd_cl_registry_free);
    recorder_event_status_seen(HANDLE(5), -14);
    ck_assert_int_eq(event->error, -14);
    record = (const void *)command.record.object;
    ck_assert_int_eq(record->error, -14);
    scene_release(ompd_cl_registry_event, HANDLE(5), true);
    scene_release(ompd_cl_registry_event, HANDLE(9), true);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
}
END_TEST

/* Enqueue a command of EVENT behind another. */
static const struct ompd_cl_registry_command_record *
enqueue_behind(cl_event event, cl_event other, const struct recorder_entry *free)
{
    RECORDER_CALL(clEnqueueSVMFree, QUEUE);
    const struct recorder_command_facts facts = {
        .type = CL_COMMAND_SVM_FREE, .wait_count = 1, .wait_list = &other, .svm_free = free};
    struct recorder_command command;
    recorder_command_begin(&command, QUEUE, &facts, NULL);
    recorder_command_end(&command, true, event ? &event : NULL, CL_COMMAND_SVM_FREE, NULL);
    return (const void *)command.record.object;
}

static void expect_failure(const struct ompd_cl_registry_command_record *record, uint32_t state)
{
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(record->run), state);
    ck_assert_uint_eq(record->failed_event, (uintptr_t)HANDLE(9));
    ck_assert_int_eq(record->failed_status, -7);
    ck_assert_uint_eq(record->object.released_lwp, recorder_heap_self->lwp);
    ck_assert_uint_eq(record->object.released_caller, (uintptr_t)HANDLE(99));
}

/* What waits for what never runs does not run either, whether the program has released the event
 * between them, and whatever slots they have; nor does what is enqueued later. */
START_TEST(terminated_by_way_of_others)
{
    const struct recorder_svm_free freed = {.queue = QUEUE};
    const struct ompd_cl_registry_command_record *chain[6];
    const struct ompd_cl_registry_svm_free_record *svm_frees[2];
    struct recorder_entry entries[2];
    const struct recorder_command_facts facts = {.type = CL_COMMAND_MARKER};
    struct recorder_command refused[6];
    /* Refused commands return their slots: the last one is reused first. */
    for (unsigned i = 0; i < 6; i++) {
        recorder_command_begin(&refused[i], QUEUE, &facts, NULL);
    }
    for (unsigned i = 0; i < 6; i++) {
        recorder_command_end(&refused[i], false, NULL, CL_COMMAND_MARKER, NULL);
    }
    recorder_event_made(HANDLE(9), CONTEXT, CL_COMMAND_USER, NULL);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert(recorder_svm_free_begin(&entries[i], &freed));
        svm_frees[i] = (const void *)entries[i].object;
    }
    chain[0] = enqueue_behind(HANDLE(30), HANDLE(9), NULL);
    chain[1] = enqueue_behind(HANDLE(31), HANDLE(30), NULL);
    chain[2] = enqueue_behind(NULL, HANDLE(31), &entries[0]);
    scene_release(ompd_cl_registry_event, HANDLE(30), true);
    const struct ompd_cl_registry_command_record *other =
        enqueue_behind(HANDLE(32), HANDLE(33), NULL);
    set_event(HANDLE(9), -7);
    for (unsigned i = 0; i < 3; i++) {
        expect_failure(chain[i], ompd_cl_registry_failed);
    }
    ck_assert(chain[2] < chain[1]);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(svm_frees[0]->run), ompd_cl_registry_failed);
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(svm_frees[1]->run), ompd_cl_registry_enqueued);
    /* The runtime may never end these, and it is up to it whether it does. */
    chain[3] = enqueue_behind(HANDLE(34), HANDLE(9), NULL);
    chain[4] = enqueue_behind(HANDLE(35), HANDLE(31), &entries[1]);
    chain[5] = enqueue_behind(NULL, HANDLE(35), NULL);
    for (unsigned i = 3; i < 6; i++) {
        expect_failure(chain[i], ompd_cl_registry_enqueued);
    }
    ck_assert_uint_eq(OMPD_CL_REGISTRY_RUN_STATE(svm_frees[1]->run), ompd_cl_registry_failed);
    recorder_event_status_seen(HANDLE(34), -7);
    expect_failure(chain[3], ompd_cl_registry_failed);
    ck_assert_uint_eq(other->failed_event, 0);
    ck_assert_uint_eq(enqueue_behind(NULL, HANDLE(32), NULL)->failed_event, 0);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_error), 6);
}
END_TEST

static const struct ompd_cl_registry_arguments *enqueue_and_look(void)
{
    struct recorder_command command = enqueue(NULL, true);
    return &((const struct ompd_cl_registry_command_record *)(const void *)command.record.object)
                ->arguments;
}

static void expect_argument(const struct ompd_cl_registry_arguments *arguments, uint32_t index,
                            uint32_t form, uint32_t size, uint64_t value)
{
    ck_assert_uint_eq(arguments->forms[index], OMPD_CL_REGISTRY_ARGUMENT(form, size));
    ck_assert_uint_eq(arguments->values[index], value);
}

/* A command has the arguments that its kernel had then, a clone those of its source. */
START_TEST(arguments)
{
    uint8_t byte = 0xfe;
    uint32_t word = 77;
    uint64_t number = UINT64_C(1) << 40;
    float vector[4] = {1, 2, 3, 4};
    cl_kernel kernel = HANDLE(20);
    const struct ompd_cl_registry_arguments *first;
    const struct ompd_cl_registry_arguments *second;
    ck_assert_uint_eq(enqueue_and_look()->count, 0); /* of an unknown kernel */
    recorder_kernel_created(kernel, HANDLE(21), "blur", NULL);
    ck_assert_uint_eq(enqueue_and_look()->count, 0);
    recorder_kernel_argument_set(kernel, 4, sizeof(word), &word, NULL);
    recorder_kernel_argument_set(kernel, 0, sizeof(byte), &byte, NULL);
    recorder_kernel_argument_set(kernel, 1, sizeof(number), &number, NULL);
    recorder_kernel_argument_set(kernel, 2, sizeof(vector), vector, NULL);
    recorder_kernel_argument_set(kernel, 5, 4096, NULL, NULL);
    recorder_kernel_argument_set_svm(kernel, 6, &word, NULL);
    first = enqueue_and_look();
    word = 78;
    recorder_kernel_argument_set(kernel, 4, sizeof(word), &word, NULL);
    recorder_kernel_argument_set(kernel, OMPD_CL_REGISTRY_ARGUMENTS, sizeof(word), &word, NULL);
    recorder_kernel_argument_set(kernel, 1, SIZE_MAX, NULL, NULL);
    second = enqueue_and_look();
    ck_assert_uint_eq(first->count, 7);
    expect_argument(first, 0, ompd_cl_registry_argument_value, 1, 0xfe);
    expect_argument(first, 1, ompd_cl_registry_argument_value, 8, number);
    expect_argument(first, 2, ompd_cl_registry_argument_value, 16, 0);
    ck_assert_uint_eq(first->forms[3], 0);
    expect_argument(first, 4, ompd_cl_registry_argument_value, 4, 77);
    expect_argument(first, 5, ompd_cl_registry_argument_none, 4096, 0);
    expect_argument(first, 6, ompd_cl_registry_argument_svm, sizeof(void *), (uintptr_t)&word);
    ck_assert_uint_eq(second->count, OMPD_CL_REGISTRY_ARGUMENTS + 1);
    expect_argument(second, 1, ompd_cl_registry_argument_none, OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT,
                    0);
    expect_argument(second, 4, ompd_cl_registry_argument_value, 4, 78);
    ck_assert_uint_eq(second->forms[OMPD_CL_REGISTRY_ARGUMENTS - 1], 0);
    recorder_kernel_cloned(HANDLE(22), kernel, NULL);
    recorder_kernel_argument_set(kernel, 4, sizeof(byte), &byte, NULL);
    second = &((const struct ompd_cl_registry_kernel_record *)(const void *)scene_object(
                   ompd_cl_registry_kernel, HANDLE(22)))
                  ->arguments;
    expect_argument(second, 4, ompd_cl_registry_argument_value, 4, 78);
}
END_TEST

/* Argument INDEX of those that a record has no room for. */
static void expect_in_block(const struct ompd_cl_registry_arguments *its, uint32_t index,
                            uint64_t value)
{
    struct recorder_argument_run run;
    recorder_arguments_begin(its, &run);
    while (index - run.first >= run.count) {
        ck_assert(recorder_arguments_next(&run));
    }
    ck_assert_uint_eq(run.forms[index - run.first],
                      value ? OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, 4) : 0);
    if (value) {
        ck_assert_uint_eq(run.values[index - run.first], value);
    }
}

static void set_word(cl_kernel kernel, cl_uint index, uint32_t word)
{
    recorder_kernel_argument_set(kernel, index, sizeof(word), &word, NULL);
}

/* They are in blocks, which go with the records. */
START_TEST(argument_blocks)
{
    const uint32_t last = 3 * OMPD_CL_REGISTRY_ARGUMENTS - 1;
    cl_kernel kernel = HANDLE(20);
    const struct ompd_cl_registry_arguments *first;
    const struct ompd_cl_registry_arguments *clone;
    recorder_kernel_created(kernel, HANDLE(21), "blur", NULL);
    set_word(kernel, last, 1);
    set_word(kernel, 17, 2);
    first = enqueue_and_look();
    recorder_kernel_cloned(HANDLE(22), kernel, NULL);
    set_word(kernel, last, 3);
    set_word(kernel, last + 1, 4);
    clone = &((const struct ompd_cl_registry_kernel_record *)(const void *)scene_object(
                  ompd_cl_registry_kernel, HANDLE(22)))
                 ->arguments;
    ck_assert_uint_eq(first->count, last + 1);
    expect_in_block(first, 15, 0);
    expect_in_block(first, 16, 0);
    expect_in_block(first, 17, 2);
    expect_in_block(first, last, 1);
    expect_in_block(clone, 17, 2);
    expect_in_block(clone, last, 1);
    expect_in_block(enqueue_and_look(), last, 3);
    expect_in_block(enqueue_and_look(), last + 1, 4);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_argument_block), 3 + 2 + 2 + 2 * 3);
    scene_release(ompd_cl_registry_kernel, HANDLE(22), true);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_argument_block), 3 + 2 + 2 * 3);
    scene_release(ompd_cl_registry_kernel, kernel, true);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_argument_block), 2 + 2 * 3);
    /* A runtime that accepts any number: unreasonable numbers are counted, not recorded. */
    recorder_kernel_created(kernel, HANDLE(21), "blur", NULL);
    set_word(kernel, UINT32_MAX - 1, 1);
    ck_assert_uint_eq(enqueue_and_look()->count, UINT32_MAX);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_argument_block), 2 + 2 * 3);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_argument_block), 0);
}
END_TEST

/* A call that fails leaves no record, nor does one whose queue was destroyed when it returns. */
START_TEST(refused)
{
    uint32_t oldest;
    ck_assert_ptr_null(enqueue(NULL, false).record.object);
    ck_assert_uint_eq(count_commands(&oldest), 0);
    ck_assert_uint_eq(count_links(), 0);
    const struct recorder_command_facts facts = {.type = CL_COMMAND_MARKER};
    struct recorder_command command;
    recorder_command_begin(&command, QUEUE, &facts, NULL);
    ck_assert_uint_eq(count_commands(&oldest), 1);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    recorder_command_end(&command, true, NULL, CL_COMMAND_MARKER, NULL);
    ck_assert_uint_eq(count_commands(&oldest), 0);
}
END_TEST

/* An event of a command whose record was reused does not affect the new one. */
START_TEST(event_of_a_recycled_command)
{
    struct recorder_command command = enqueue(HANDLE(5), true);
    for (int i = 0; i < 3 * LENGTH; i++) {
        scene_enqueue(QUEUE, false, NULL);
        scene_finish(QUEUE);
    }
    const struct ompd_cl_registry_object *record = command.record.object;
    ck_assert_uint_ne(record->generation, command.record.generation);
    recorder_event_status_seen(HANDLE(5), -5);
    for (uint32_t i = 0; i < 3 * LENGTH; i++) {
        ck_assert_uint_ne(OMPD_CL_REGISTRY_RUN_STATE(command_at(i)->run), ompd_cl_registry_failed);
    }
    scene_release(ompd_cl_registry_event, HANDLE(5), true);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
}
END_TEST

#define THREADS 4
#define ROUNDS 2000

/* Enqueue, wait and finish with the others. */
static void *commands_enqueue(void *argument)
{
    cl_event event = HANDLE(1000 + (uintptr_t)argument);
    for (int i = 0; i < ROUNDS; i++) {
        enqueue(event, true);
        if (i % 3 == 0) {
            recorder_event_status_seen(event, i % 2 ? -1 : CL_COMPLETE);
        }
        scene_release(ompd_cl_registry_event, event, true);
        enqueue(NULL, i % 5 != 0);
        if (i % 16 == 0) {
            scene_finish(QUEUE);
        }
    }
    return NULL;
}

START_TEST(threads_share_a_queue)
{
    pthread_t threads[THREADS];
    uint32_t oldest;
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, commands_enqueue, (void *)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    scene_finish(QUEUE);
    for (int i = 0; i < 4 * LENGTH; i++) {
        scene_enqueue(QUEUE, false, NULL);
        scene_finish(QUEUE);
    }
    /* What may be left until the list has doubled again. */
    ck_assert_uint_lt(count_commands(&oldest), THREADS * ROUNDS);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    ck_assert_uint_eq(count_commands(&oldest), 0);
}
END_TEST

START_TEST(none_wanted)
{
    uint32_t oldest;
    recorder_history_prepare(0);
    ck_assert_ptr_null(enqueue(HANDLE(5), true).record.object);
    ck_assert_uint_eq(count_commands(&oldest), 0);
    ck_assert_uint_eq(count_links(), 0);
    scene_release(ompd_cl_registry_event, HANDLE(5), true);
    scene_finish(QUEUE);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-history");
    TCase *tcase = tcase_create("history");
    tcase_add_checked_fixture(tcase, set_up, scene_tear_down);
    tcase_add_test(tcase, last_ones_stay);
    tcase_add_test(tcase, facts_of_a_command);
    tcase_add_test(tcase, terminated_by_a_user_event);
    tcase_add_test(tcase, terminated_by_way_of_others);
    tcase_add_test(tcase, arguments);
    tcase_add_test(tcase, argument_blocks);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, event_of_a_recycled_command);
    tcase_add_test(tcase, threads_share_a_queue);
    tcase_add_test(tcase, none_wanted);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
