/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"
#include "objects/kinds.h"

/* Add the command to the count of its queue, or subtract it. */
static void queue_count(struct recorder_heap *heap, uint32_t queue, uint32_t generation,
                        uint32_t difference)
{
    struct recorder_entry entry;
    if (recorder_object_get(&entry, heap, queue, generation)) {
        struct ompd_cl_registry_queue_record *record = recorder_queue_record(&entry);
        __atomic_fetch_add(&record->svm_frees, difference, __ATOMIC_RELAXED);
        recorder_object_changed(&entry);
    }
}

static struct recorder_address_list pointers_copy(struct recorder_heap *heap,
                                                  const struct recorder_svm_free *command)
{
    struct recorder_address_list list = {0, 0};
    cl_uint count = command->pointers ? command->pointer_count : 0;
    for (cl_uint i = count; i > 0; i--) {
        const void *pointer = command->pointers[i - 1];
        struct recorder_entry svm;
        bool is_known = recorder_object_find(&svm, ompd_cl_registry_svm, pointer);
        recorder_address_list_prepend(heap, &list, (uintptr_t)pointer, is_known);
    }
    return list;
}

static struct recorder_address_list wait_list_copy(struct recorder_heap *heap,
                                                   const struct recorder_svm_free *command)
{
    struct recorder_address_list list = {0, 0};
    cl_uint count = command->wait_list ? command->wait_count : 0;
    for (cl_uint i = count; i > 0; i--) {
        recorder_address_list_prepend(heap, &list, (uintptr_t)command->wait_list[i - 1], false);
    }
    return list;
}

/* The evidence of an allocation whose end may not be seen. */
static uint8_t end_is_unseen(void)
{
    bool follows = recorder_root()->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION;
    return follows ? 0 : OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
}

/* What to do with an SVM allocation that a command frees. */
enum svm_step { svm_name, svm_let_go, svm_end };

/* An allocation is freed by the thread that enqueued the command. */
static void released_by_command(const struct recorder_entry *svm,
                                const struct recorder_entry *command)
{
    __atomic_store_n(&svm->object->released_stack, command->object->stack, __ATOMIC_RELAXED);
    __atomic_store_n(&svm->object->released_caller, command->object->caller, __ATOMIC_RELAXED);
    __atomic_store_n(&svm->object->released_lwp, command->object->lwp, __ATOMIC_RELAXED);
}

static void svm_step_take(struct recorder_entry *command, uint64_t pointer, enum svm_step step)
{
    struct recorder_entry svm;
    if (!recorder_object_find(&svm, ompd_cl_registry_svm, (const void *)(uintptr_t)pointer)) {
        return;
    }
    uint32_t *its_command = &recorder_svm_record(&svm)->command;
    uint32_t before = command->reference;
    if (step == svm_name) {
        __atomic_store_n(its_command, command->reference, __ATOMIC_RELAXED);
        released_by_command(&svm, command);
        recorder_object_set_state(&svm, ompd_cl_registry_enqueued);
        recorder_lingering_mark(&svm,
                                recorder_svm_free_record(command)->function ? 0 : end_is_unseen());
    } else if (__atomic_load_n(its_command, __ATOMIC_RELAXED) != command->reference) {
        return; /* freed and allocated again since the command was enqueued */
    } else if (step == svm_end) {
        recorder_object_end(&svm, ompd_cl_registry_ending_later);
    } else if (recorder_object_set_state(&svm, ompd_cl_registry_live)) {
        recorder_lingering_mark(&svm, 0);
        __atomic_store_n(&svm.object->released_lwp, 0, __ATOMIC_RELAXED);
        __atomic_compare_exchange_n(its_command, &before, 0, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
        recorder_object_changed(&svm);
    }
}

static void svms_step(struct recorder_entry *command, enum svm_step step)
{
    uint32_t next;
    for (uint32_t place = recorder_svm_free_record(command)->pointers; place; place = next) {
        uint64_t pointer = recorder_address_list_get(place, &next);
        svm_step_take(command, pointer, step);
    }
}

/* Name the command in the records of its allocations, after checking the pointers that it frees. */
static void svms_name(struct recorder_entry *entry, const struct recorder_svm_free *command)
{
    uint32_t next;
    for (uint32_t place = recorder_svm_free_record(entry)->pointers; place; place = next) {
        uint64_t pointer = recorder_address_list_get(place, &next);
        if (!command->function) {
            recorder_svm_enqueued_check(entry, pointer, command->return_address);
        }
        svm_step_take(entry, pointer, svm_name);
    }
}

bool recorder_svm_free_begin(struct recorder_entry *entry, const struct recorder_svm_free *command)
{
    if (!recorder_object_open(entry, ompd_cl_registry_svm_free, NULL, CL_COMMAND_SVM_FREE,
                              command->return_address)) {
        return false;
    }
    struct ompd_cl_registry_svm_free_record *record = recorder_svm_free_record(entry);
    struct recorder_entry queue;
    recorder_object_find(&queue, ompd_cl_registry_queue, command->queue);
    recorder_object_share_context(entry, &queue);
    record->queue_handle = (uintptr_t)command->queue;
    /* Other threads may be checking whether a command that had this slot before is complete. */
    __atomic_store_n(&record->number, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->queue, queue.reference, __ATOMIC_RELAXED);
    __atomic_store_n(&record->queue_generation, queue.generation, __ATOMIC_RELAXED);
    __atomic_store_n(&record->function, (uintptr_t)command->function, __ATOMIC_RELAXED);
    record->user_data = (uintptr_t)command->user_data;
    record->user_data_place = recorder_user_data_place(command->user_data);
    record->event = 0;
    struct recorder_address_list pointers = pointers_copy(entry->heap, command);
    record->pointers = pointers.first;
    record->pointer_count = pointers.count;
    struct recorder_address_list wait_list = wait_list_copy(entry->heap, command);
    record->wait_list = wait_list.first;
    record->wait_count = wait_list.count;
    __atomic_store_n(&record->run, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_enqueued),
                     __ATOMIC_RELAXED);
    recorder_object_publish(entry);
    queue_count(entry->heap, record->queue, record->queue_generation, 1);
    recorder_lingering_mark(entry, command->function ? 0 : end_is_unseen());
    svms_name(entry, command);
    return true;
}

void recorder_svm_free_enqueued(struct recorder_entry *entry, cl_event event, uint32_t number)
{
    /* The command may have run and ended: then this slot belongs to another one. */
    struct recorder_entry now;
    if (!recorder_object_get(&now, entry->heap, entry->reference, entry->generation)) {
        return;
    }
    struct ompd_cl_registry_svm_free_record *record = recorder_svm_free_record(&now);
    __atomic_store_n(&record->event, (uintptr_t)event, __ATOMIC_RELAXED);
    __atomic_store_n(&record->number, number, __ATOMIC_RELEASE);
    recorder_object_changed(&now);
}

/* Claim the end of the command: if several threads detect it, one succeeds. */
static bool command_claim(const struct recorder_entry *entry)
{
    uint64_t word = recorder_state_word_load(entry->object);
    uint64_t claimed;
    do {
        if (!recorder_state_word_is_of(word, entry->generation) ||
            recorder_state_word_state(word) != ompd_cl_registry_live) {
            return false;
        }
        claimed = recorder_state_word_with_state(word, ompd_cl_registry_destroying);
    } while (!recorder_state_word_exchange(entry->object, &word, claimed));
    return true;
}

/* End the record of a command that this thread has claimed, after doing STEP for its allocations.
 */
static void claimed_end(struct recorder_entry *entry, enum svm_step step)
{
    struct ompd_cl_registry_svm_free_record *record = recorder_svm_free_record(entry);
    uint32_t pointers = record->pointers;
    uint32_t wait_list = record->wait_list;
    uint32_t queue = record->queue;
    uint32_t queue_generation = record->queue_generation;
    svms_step(entry, step);
    if (recorder_object_end(entry, ompd_cl_registry_ending_later)) {
        recorder_address_list_end(entry->heap, pointers);
        recorder_address_list_end(entry->heap, wait_list);
        queue_count(entry->heap, queue, queue_generation, UINT32_MAX);
    }
}

static void command_end(struct recorder_entry *entry, enum svm_step step)
{
    if (command_claim(entry)) {
        claimed_end(entry, step);
    }
}

void recorder_svm_free_withdraw(struct recorder_entry *entry)
{
    command_end(entry, svm_let_go);
}

static bool svm_free_run_advance(struct recorder_entry *entry, uint32_t from, uint32_t lwp,
                                 uint32_t to)
{
    uint64_t *run = &recorder_svm_free_record(entry)->run;
    uint64_t before = __atomic_load_n(run, __ATOMIC_ACQUIRE);
    if (OMPD_CL_REGISTRY_RUN_STATE(before) != from ||
        !__atomic_compare_exchange_n(run, &before, OMPD_CL_REGISTRY_RUN(lwp, to), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        return false;
    }
    recorder_object_changed(entry);
    return true;
}

/* A call of a command's function. */
struct svm_free_run {
    cl_command_queue queue;
    cl_uint count;
    void **pointers;
    uint32_t index; /* of the command's record */
};

/* Run the program's function. */
static void function_run(const struct svm_free_run *run)
{
    const struct ompd_cl_registry_svm_free_record *record =
        recorder_record(ompd_cl_registry_svm_free, run->index);
    uint64_t function = record->function;
    uint64_t user_data = record->user_data;
    ompd_cl_bp_svm_free_begin((uintptr_t)run->queue, function, user_data);
    ((recorder_svm_free_function *)(uintptr_t)function)(run->queue, run->count, run->pointers,
                                                        (void *)(uintptr_t)user_data);
    ompd_cl_bp_svm_free_end((uintptr_t)run->queue, function, user_data);
}

void CL_CALLBACK recorder_svm_free_run(cl_command_queue queue, cl_uint count, void *pointers[],
                                       void *user_data)
{
    uint32_t index = recorder_slot_ref_index(user_data);
    /* The activity surrounds all changes of `run`: without it, the function was left. */
    RECORDER_CALLBACK(svm_free, OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, index),
                      queue);
    struct ompd_cl_registry_svm_free_record *record =
        recorder_record(ompd_cl_registry_svm_free, index);
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_entry entry = {.object = NULL};
    if (heap && recorder_object_get(&entry, heap,
                                    OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, index),
                                    record->object.generation)) {
        __atomic_store_n(&record->run, OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_running),
                         __ATOMIC_RELEASE);
        recorder_object_changed(&entry);
    }
    function_run(&(struct svm_free_run){queue, count, pointers, index});
    if (entry.object) {
        svm_free_run_advance(&entry, ompd_cl_registry_running, entry.heap->lwp,
                             ompd_cl_registry_done);
        command_end(&entry, svm_let_go);
    }
}

/* The command frees the memory itself, without a function of the program, and has not done so yet.
 */
static bool run_is_enqueued(const struct recorder_entry *entry)
{
    const struct ompd_cl_registry_svm_free_record *record = recorder_svm_free_record(entry);
    uint64_t run = __atomic_load_n(&record->run, __ATOMIC_ACQUIRE);
    return !__atomic_load_n(&record->function, __ATOMIC_RELAXED) &&
           OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_enqueued;
}

void recorder_svm_free_ended(uint32_t reference, uint32_t generation, cl_int status)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_entry entry;
    if (!heap || !recorder_object_get(&entry, heap, reference, generation)) {
        return;
    }
    if (status < 0) {
        if (svm_free_run_advance(&entry, ompd_cl_registry_enqueued, 0, ompd_cl_registry_failed)) {
            svms_step(&entry, svm_let_go);
        }
    } else if (status == CL_COMPLETE && run_is_enqueued(&entry) && command_claim(&entry)) {
        svm_free_run_advance(&entry, ompd_cl_registry_enqueued, 0, ompd_cl_registry_done);
        claimed_end(&entry, svm_end);
    }
}

void recorder_svm_free_drop(struct recorder_entry *entry)
{
    bool freed_by_runtime =
        !recorder_svm_free_record(entry)->function &&
        OMPD_CL_REGISTRY_RUN_STATE(recorder_svm_free_record(entry)->run) != ompd_cl_registry_failed;
    command_end(entry, freed_by_runtime ? svm_end : svm_let_go);
}

/* Whether COMMAND is one of QUEUE up to NUMBER. */
static bool command_is_up_to(const struct ompd_cl_registry_svm_free_record *command,
                             const struct recorder_entry *queue, uint32_t number)
{
    uint32_t its_number = __atomic_load_n(&command->number, __ATOMIC_ACQUIRE);
    return its_number && (int32_t)(number - its_number) >= 0 &&
           __atomic_load_n(&command->queue, __ATOMIC_RELAXED) == queue->reference &&
           __atomic_load_n(&command->queue_generation, __ATOMIC_RELAXED) == queue->generation;
}

void recorder_svm_frees_finish(const struct recorder_entry *queue, uint32_t number)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_svm_free);
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_svm_free_record *command =
            recorder_record(ompd_cl_registry_svm_free, index);
        /* Read it first: if the slot gets another command meanwhile, that one is left alone. */
        uint32_t generation = __atomic_load_n(&command->object.generation, __ATOMIC_ACQUIRE);
        if (command_is_up_to(command, queue, number)) {
            recorder_svm_free_ended(OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, index),
                                    generation, CL_COMPLETE);
        }
    }
}
