/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include "objects/kinds.h"

#include <sched.h>

/* A queue's private words: its newest command, index plus 1; the number of commands in its list;
 * the number at which a thread walks the list; and whether a thread is doing so. */
enum { NEWEST, COUNT, LIMIT, IS_TAKEN };

/* The maximum number of recorded commands of a queue, complete or not. */
#define COMMAND_LIMIT 65536u

static uint32_t length;

void recorder_history_prepare(uint32_t kept)
{
    length = kept;
}

/* The generation is in the same word as the state, so that the word is never mistaken for that of
 * another command. */
static uint64_t command_run_make(uint32_t generation, enum ompd_cl_registry_state state)
{
    return OMPD_CL_REGISTRY_RUN(generation, state);
}

/* The member that names the next older command of the queue, index plus 1. */
static uint32_t *command_older(struct ompd_cl_registry_command_record *command)
{
    return &command->reserved;
}

/* Set the command buffer or semaphores of a command that uses some. */
static void semaphores_set(struct recorder_heap *heap,
                           struct ompd_cl_registry_command_record *record,
                           const struct recorder_command_facts *facts)
{
    struct recorder_address_list semaphores = {0, 0};
    for (cl_uint i = facts->semaphores ? facts->semaphore_count : 0; i > 0; i--) {
        recorder_address_list_prepend(heap, &semaphores, (uintptr_t)facts->semaphores[i - 1],
                                      false);
    }
    record->command_buffer = (uintptr_t)facts->command_buffer;
    record->semaphores = semaphores.first;
    record->semaphore_count = semaphores.count;
}

static void waits_set(struct recorder_heap *heap, struct ompd_cl_registry_command_record *record,
                      const struct recorder_command_facts *facts)
{
    struct recorder_address_list waits = {0, 0};
    for (cl_uint i = facts->wait_list ? facts->wait_count : 0; i > 0; i--) {
        recorder_address_list_prepend(heap, &waits, (uintptr_t)facts->wait_list[i - 1], false);
    }
    record->wait_list = waits.first;
    record->wait_count = waits.count;
}

bool recorder_history_begin(struct recorder_entry *entry, const struct recorder_entry *queue,
                            const struct recorder_command_facts *facts, const void *return_address)
{
    if (!length || !queue->object ||
        !recorder_object_open(entry, ompd_cl_registry_command, NULL, facts->type, return_address)) {
        entry->object = NULL;
        return false;
    }
    struct ompd_cl_registry_command_record *record = recorder_command_record(entry);
    record->run = command_run_make(entry->generation, ompd_cl_registry_being_enqueued);
    record->queue_handle = queue->object->handle;
    record->event = 0;
    record->kernel = (uintptr_t)facts->kernel;
    record->memobj = (uintptr_t)facts->memobj;
    record->destination = (uintptr_t)facts->destination;
    record->queue = queue->reference;
    record->queue_generation = queue->generation;
    record->context = queue->object->context;
    record->context_generation = queue->object->context_generation;
    record->at = recorder_clock_now();
    record->what = recorder_activity_what(entry->heap->thread);
    record->in_callback = recorder_calling_callback(entry->heap->thread);
    record->number = 0;
    record->error = 0;
    record->is_blocking = facts->is_blocking;
    __atomic_store_n(&record->failed_event, 0, __ATOMIC_RELAXED);
    record->svm_free = facts->svm_free ? facts->svm_free->reference : 0;
    record->svm_free_generation = facts->svm_free ? facts->svm_free->generation : 0;
    struct recorder_exec_pointers pointers = {.lost = 0};
    recorder_kernel_arguments_get(facts->kernel, &record->arguments, &pointers);
    record->touched = pointers.list.first;
    record->touched_count = pointers.list.count;
    record->touched_lost = pointers.lost;
    waits_set(entry->heap, record, facts);
    recorder_operands_set(&record->operands, facts);
    if (RECORDER_UNLIKELY(facts->touched_count)) {
        recorder_touched_set(entry, facts);
    }
    semaphores_set(entry->heap, record, facts);
    __atomic_store_n(recorder_state_word(entry->object),
                     recorder_state_word_make(entry->generation), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
    return true;
}

/* End the record of ENTRY, which is in no list. */
static void command_end(const struct recorder_entry *entry)
{
    uint32_t waits = recorder_command_record(entry)->wait_list;
    uint32_t touched = recorder_command_record(entry)->touched;
    uint32_t semaphores = recorder_command_record(entry)->semaphores;
    struct recorder_slot slot = {.index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference),
                                 .chunk = entry->chunk,
                                 .record = entry->object};
    __atomic_store_n(&entry->object->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    recorder_address_list_end(entry->heap, waits);
    recorder_address_list_end(entry->heap, touched);
    recorder_address_list_end(entry->heap, semaphores);
    recorder_arguments_end(entry->heap, &recorder_command_record(entry)->arguments);
    recorder_slot_free(entry->heap, ompd_cl_registry_command, &slot);
}

void recorder_history_withdraw(const struct recorder_entry *entry)
{
    if (entry->object) {
        command_end(entry);
    }
}

/* ---- The list of a queue --------------------------------------------------------------------- */

static bool history_lock(struct ompd_cl_registry_queue_record *queue)
{
    return __atomic_exchange_n(&queue->reserved[IS_TAKEN], 1, __ATOMIC_ACQUIRE) == 0;
}

static void history_unlock(struct ompd_cl_registry_queue_record *queue)
{
    __atomic_store_n(&queue->reserved[IS_TAKEN], 0, __ATOMIC_RELEASE);
}

/* Whether the command of ENTRY is known to be complete if those of its queue up to FINISHED are. */
static bool command_is_over(const struct recorder_entry *entry, uint32_t finished)
{
    uint64_t run = __atomic_load_n(&recorder_command_record(entry)->run, __ATOMIC_RELAXED);
    return OMPD_CL_REGISTRY_RUN_STATE(run) != ompd_cl_registry_enqueued ||
           (int32_t)(finished - recorder_command_record(entry)->number) >= 0;
}

/* The command of RECORD is dropped, though it may not be complete: so is its use of objects. */
static void dropped_uses_note(const struct ompd_cl_registry_command_record *record)
{
    uint32_t next;
    if (record->command_buffer) {
        recorder_operation_lost(ompd_cl_registry_command_buffer, record->command_buffer);
    }
    for (uint32_t place = record->semaphores; place; place = next) {
        recorder_operation_lost(ompd_cl_registry_semaphore,
                                recorder_address_list_get(place, &next));
    }
}

/* Free the commands that are complete, or too many, after the first ones of the list. */
static void history_trim(struct recorder_heap *heap, struct ompd_cl_registry_queue_record *queue)
{
    uint32_t finished = __atomic_load_n(&queue->finished, __ATOMIC_RELAXED);
    uint32_t *link = &queue->reserved[NEWEST];
    uint32_t place = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    uint32_t kept = 0;
    uint32_t given_back = 0;
    while (place) {
        struct recorder_entry entry;
        recorder_entry_set(&entry, heap,
                           OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_command, place - 1));
        uint32_t *older = command_older(recorder_command_record(&entry));
        uint32_t next = __atomic_load_n(older, __ATOMIC_RELAXED);
        bool over = command_is_over(&entry, finished);
        /* The head is never removed, because other threads add theirs before it meanwhile. */
        if (kept < length || (!over && kept < COMMAND_LIMIT)) {
            kept++;
            link = older;
        } else {
            __atomic_store_n(link, next, __ATOMIC_RELAXED);
            if (!over) {
                queue->dropped++;
                dropped_uses_note(recorder_command_record(&entry));
            }
            command_end(&entry);
            given_back++;
        }
        place = next;
    }
    __atomic_fetch_sub(&queue->reserved[COUNT], given_back, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->reserved[LIMIT], 2 * kept, __ATOMIC_RELAXED);
}

static void history_put(const struct recorder_entry *entry, const struct recorder_entry *queue)
{
    struct ompd_cl_registry_queue_record *record = recorder_queue_record(queue);
    uint32_t place = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference) + 1;
    uint32_t before = __atomic_load_n(&record->reserved[NEWEST], __ATOMIC_RELAXED);
    do {
        __atomic_store_n(command_older(recorder_command_record(entry)), before, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&record->reserved[NEWEST], &before, place, true,
                                          __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    uint32_t count = __atomic_add_fetch(&record->reserved[COUNT], 1, __ATOMIC_RELAXED);
    if (RECORDER_UNLIKELY(count > __atomic_load_n(&record->reserved[LIMIT], __ATOMIC_RELAXED)) &&
        history_lock(record)) {
        history_trim(entry->heap, record);
        history_unlock(record);
    }
}

void recorder_history_open(struct ompd_cl_registry_queue_record *queue)
{
    queue->reserved[NEWEST] = 0;
    queue->reserved[COUNT] = 0;
    queue->reserved[LIMIT] = 2 * length;
    queue->reserved[IS_TAKEN] = 0;
}

void recorder_history_close(const struct recorder_entry *queue)
{
    struct ompd_cl_registry_queue_record *record = recorder_queue_record(queue);
    while (!history_lock(record)) {
        sched_yield(); /* another thread is walking it */
    }
    uint32_t place = __atomic_exchange_n(&record->reserved[NEWEST], 0, __ATOMIC_ACQUIRE);
    record->reserved[COUNT] = 0;
    while (place) {
        struct recorder_entry entry;
        recorder_entry_set(&entry, queue->heap,
                           OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_command, place - 1));
        place = __atomic_load_n(command_older(recorder_command_record(&entry)), __ATOMIC_RELAXED);
        command_end(&entry);
    }
    history_unlock(record);
}

/* ---- How far a command has come -------------------------------------------------------------- */

void recorder_history_enqueued(const struct recorder_entry *entry,
                               const struct recorder_entry *queue, uint32_t number, cl_event event)
{
    if (!entry->object) {
        return;
    }
    struct ompd_cl_registry_command_record *record = recorder_command_record(entry);
    record->event = (uintptr_t)event;
    record->number = number;
    __atomic_store_n(&record->run, command_run_make(entry->generation, ompd_cl_registry_enqueued),
                     __ATOMIC_RELEASE);
    recorder_object_changed(entry);
    history_put(entry, queue);
}

void recorder_history_ended(struct recorder_heap *heap, uint32_t reference, uint32_t generation,
                            cl_int status)
{
    struct recorder_entry entry;
    if (!reference) {
        return;
    }
    recorder_entry_set(&entry, heap, reference);
    struct ompd_cl_registry_command_record *record = recorder_command_record(&entry);
    uint64_t run = command_run_make(generation, ompd_cl_registry_enqueued);
    if (entry.generation != generation) {
        return;
    }
    if (__atomic_load_n(&record->run, __ATOMIC_RELAXED) != run) {
        /* A command that never runs has no final status yet. */
        if (__atomic_load_n(&record->run, __ATOMIC_RELAXED) ==
                command_run_make(generation, ompd_cl_registry_failed) &&
            status < 0 && !record->error) {
            __atomic_store_n(&record->error, status, __ATOMIC_RELAXED);
        }
        return;
    }
    if (status < 0) {
        __atomic_store_n(&record->error, status, __ATOMIC_RELAXED);
    }
    __atomic_compare_exchange_n(
        &record->run, &run,
        command_run_make(generation, status < 0 ? ompd_cl_registry_failed : ompd_cl_registry_done),
        false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    recorder_object_changed(&entry);
}

static void command_repair(struct ompd_cl_registry_command_record *record)
{
    if (OMPD_CL_REGISTRY_RUN_STATE(record->run) == ompd_cl_registry_being_enqueued) {
        record->object.state = ompd_cl_registry_free;
    }
}

static void queue_repair(struct ompd_cl_registry_queue_record *record)
{
    record->reserved[IS_TAKEN] = 0;
}

void recorder_history_repair(void)
{
    static const uint32_t tables[] = {ompd_cl_registry_command, ompd_cl_registry_queue};
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        uint32_t limit = recorder_index_limit(tables[i]);
        for (uint32_t index = 0; index < limit; index++) {
            if (tables[i] == ompd_cl_registry_command) {
                command_repair(recorder_record(tables[i], index));
            } else {
                queue_repair(recorder_record(tables[i], index));
            }
        }
    }
}
