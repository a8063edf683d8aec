/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the pointers that a program frees. */
#include "objects/kinds.h"

#include "objects/calls.h"
#include "objects/uses.h"

/* A pointer that is freed. */
struct freeing {
    const void *pointer;
    uint32_t context;                     /* reference of the call's or the queue's; 0: unknown */
    const struct recorder_entry *command; /* that frees it; NULL: the call does */
    const void *return_address;
};

/* ---- Freed again ----------------------------------------------------------------------------- */

/* The program had freed the allocation in the `released_` members of FREED. */
static void again_record(const struct freeing *freeing, const struct ompd_cl_registry_object *freed,
                         enum ompd_cl_registry_rule rule)
{
    struct recorder_mistake mistake = {.rule = rule, .address = freeing->pointer};
    recorder_mistake_set_object(&mistake, freed, ompd_cl_registry_svm);
    recorder_mistake_record(&mistake, freeing->return_address);
}

/* Whether an event that COMMAND waits for has failed, or may have. Then the command never frees
 * anything. */
static bool command_may_have_failed(const struct ompd_cl_registry_svm_free_record *command)
{
    uint32_t place = command->wait_list;
    while (place) {
        const void *handle = (const void *)(uintptr_t)recorder_address_list_get(place, &place);
        struct recorder_entry event;
        if (!recorder_object_find(&event, ompd_cl_registry_event, handle)) {
            if (__atomic_load_n(&recorder_events_have_failed, __ATOMIC_RELAXED)) {
                return true;
            }
        } else if (OMPD_CL_REGISTRY_RUN_STATE(recorder_event_record(&event)->run) ==
                   ompd_cl_registry_failed) {
            return true;
        }
    }
    return false;
}

/* Check whether a command that was enqueued before frees the allocation. A function that is called
 * instead need not free it (OpenCL 3.0 section 5.6.1). */
static void again_check(const struct freeing *freeing, const struct recorder_entry *svm)
{
    struct recorder_entry command;
    uint32_t reference = __atomic_load_n(&recorder_svm_record(svm)->command, __ATOMIC_RELAXED);
    if (recorder_state_word_state(recorder_state_word_load(svm->object)) !=
            ompd_cl_registry_enqueued ||
        !reference) {
        return;
    }
    recorder_entry_set(&command, svm->heap, reference);
    const struct ompd_cl_registry_svm_free_record *record = recorder_svm_free_record(&command);
    if (__atomic_load_n(&record->function, __ATOMIC_RELAXED) ||
        !recorder_entry_is_there(&command) || command_may_have_failed(record)) {
        return;
    }
    /* Twice in the list of the same command. */
    const struct ompd_cl_registry_object once = {.handle = svm->object->handle};
    bool is_in_list = freeing->command && freeing->command->reference == reference;
    again_record(freeing, is_in_list ? &once : svm->object,
                 freeing->command ? ompd_cl_registry_rule_svm_freed_twice
                                  : ompd_cl_registry_rule_svm_freed_again);
}

/* ---- Of another OpenCL context --------------------------------------------------------------- */

void recorder_svm_context_check(const struct recorder_entry *svm, uint32_t context,
                                uint32_t argument, const void *return_address)
{
    const struct ompd_cl_registry_object *object = svm->object;
    struct recorder_entry its_context;
    if (RECORDER_LIKELY(object->context == context) || !object->context || !context ||
        !recorder_has_all_objects() ||
        !recorder_object_get(&its_context, svm->heap, object->context,
                             object->context_generation)) {
        return;
    }
    const struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_svm_other_context,
        .object_table = ompd_cl_registry_svm,
        .object = object->handle,
        .other_table = ompd_cl_registry_context,
        .other = its_context.object->handle,
        .other_site = {object->lwp, object->stack, object->caller},
        .argument = argument,
    };
    recorder_mistake_record(&mistake, return_address);
}

/* ---- Of no allocation ------------------------------------------------------------------------ */

/* Find the allocation that contains ADDRESS. */
static bool svm_around_find(struct recorder_entry *svm, uint64_t address)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_svm);
    for (uint32_t index = 0; index < limit; index++) {
        recorder_entry_set(svm, recorder_heap_mine(),
                           OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm, index));
        uint64_t start = __atomic_load_n(&svm->object->handle, __ATOMIC_RELAXED);
        if (address - start < recorder_svm_record(svm)->size && recorder_entry_is_there(svm)) {
            return true;
        }
    }
    return false;
}

static void foreign_record(const struct freeing *freeing, const struct recorder_entry *around)
{
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_svm_free_foreign,
                                       .address = freeing->pointer};
    if (around) {
        mistake.other_table = ompd_cl_registry_svm;
        mistake.other = around->object->handle;
        mistake.other_site.lwp = around->object->lwp;
        mistake.other_site.stack = around->object->stack;
        mistake.other_site.caller = around->object->caller;
        mistake.size = (uintptr_t)freeing->pointer - around->object->handle;
    }
    recorder_mistake_record(&mistake, freeing->return_address);
}

/* The pointer is not recorded. */
static void foreign_check(const struct freeing *freeing)
{
    struct ompd_cl_registry_object freed = {.handle = (uintptr_t)freeing->pointer};
    struct recorder_entry around;
    uint64_t size;
    if (!recorder_has_all_objects()) {
        return;
    }
    if (svm_around_find(&around, freed.handle)) {
        foreign_record(freeing, &around);
    } else if (recorder_destroyed_find(ompd_cl_registry_svm, &freed, &size)) {
        again_record(freeing, &freed, ompd_cl_registry_rule_svm_freed_again);
    } else {
        foreign_record(freeing, NULL);
    }
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void freeing_check(const struct freeing *freeing)
{
    struct recorder_entry svm;
    if (!freeing->pointer || !recorder_mistakes_are_recorded()) {
        return;
    }
    if (RECORDER_LIKELY(recorder_object_find(&svm, ompd_cl_registry_svm, freeing->pointer))) {
        again_check(freeing, &svm);
        recorder_svm_context_check(&svm, freeing->context, 0, freeing->return_address);
    } else {
        foreign_check(freeing);
    }
}

void recorder_svm_free_check(cl_context context, const void *pointer, const void *return_address)
{
    struct recorder_entry its_context;
    bool is_known = recorder_object_find(&its_context, ompd_cl_registry_context, context);
    freeing_check(&(struct freeing){.pointer = pointer,
                                    .context = is_known ? its_context.reference : 0,
                                    .return_address = return_address});
}

void recorder_svm_enqueued_check(const struct recorder_entry *command, uint64_t pointer,
                                 const void *return_address)
{
    freeing_check(&(struct freeing){.pointer = (const void *)(uintptr_t)pointer,
                                    .context = command->object->context,
                                    .command = command,
                                    .return_address = return_address});
}
