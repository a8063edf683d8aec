/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

/* The event's private words: the generation of its SVM-free command, the point that its queue has
 * reached when the event is complete, its command's record in the history, and the generation of
 * that. */
enum { COMMAND_GENERATION, POINT_NUMBER, POINT_MOMENT, RECORD, RECORD_GENERATION };

/* Those of a user event, which has no command: its call site of clSetUserEventStatus, once that is
 * known. */
enum { SET_STACK, SET_CALLER_LOW, SET_CALLER_HIGH, SET_IS_KNOWN = RECORD_GENERATION };

/* Values of SET_IS_KNOWN. An event that was set to an error, which the runtime has accepted, has
 * its own. */
enum { KNOWN = 1, KNOWN_TO_FAIL };

/* `run` of an event that has STATUS, set by thread LWP, 0 for none. */
static uint64_t event_run_make(uint32_t lwp, cl_int status)
{
    return OMPD_CL_REGISTRY_RUN(lwp, status < 0 ? ompd_cl_registry_failed : ompd_cl_registry_done);
}

/* Open a record of an event that is in STATE, a state of `run`. */
static bool event_open(struct recorder_entry *entry, cl_event event, cl_command_type type,
                       enum ompd_cl_registry_state state, const void *return_address)
{
    if (!recorder_object_open(entry, ompd_cl_registry_event, event, type, return_address)) {
        return false;
    }
    recorder_event_record(entry)->queue_handle = 0;
    recorder_event_record(entry)->run = OMPD_CL_REGISTRY_RUN(0, state);
    recorder_event_record(entry)->error = 0;
    recorder_event_record(entry)->number = 0;
    recorder_event_record(entry)->command = 0;
    recorder_event_record(entry)->is_error_seen = 0;
    recorder_event_record(entry)->reserved[COMMAND_GENERATION] = 0;
    recorder_event_record(entry)->reserved[RECORD] = 0;
    recorder_event_record(entry)->reserved[SET_IS_KNOWN] = 0;
    return true;
}

void recorder_event_created(cl_event event, const struct recorder_command *command,
                            cl_command_type type, const void *return_address)
{
    struct recorder_entry entry;
    if (!event_open(&entry, event, type, ompd_cl_registry_enqueued, return_address)) {
        return;
    }
    /* The events of a runtime retain their queue. */
    recorder_object_set_parent(&entry, &command->queue);
    recorder_object_share_context(&entry, &command->queue);
    recorder_event_record(&entry)->queue_handle = (uintptr_t)command->queue_handle;
    recorder_event_record(&entry)->number = command->number;
    recorder_event_record(&entry)->reserved[POINT_NUMBER] = command->point.number;
    recorder_event_record(&entry)->reserved[POINT_MOMENT] = command->point.moment;
    if (command->record.object) {
        recorder_event_record(&entry)->reserved[RECORD] = command->record.reference;
        recorder_event_record(&entry)->reserved[RECORD_GENERATION] = command->record.generation;
    }
    recorder_object_publish(&entry);
}

void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address)
{
    struct recorder_entry entry;
    bool is_user = type == CL_COMMAND_USER;
    if (!event_open(&entry, event, type, is_user ? ompd_cl_registry_unset : ompd_cl_registry_free,
                    return_address)) {
        return;
    }
    struct recorder_entry its_context;
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    recorder_object_publish(&entry);
}

void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_event, event)) {
        /* The generation first: a reader that sees the command then sees which one it is. */
        recorder_event_record(&entry)->reserved[COMMAND_GENERATION] = command->generation;
        __atomic_store_n(&recorder_event_record(&entry)->command, command->reference,
                         __ATOMIC_RELEASE);
        recorder_object_changed(&entry);
    }
}

bool recorder_event_is_of_svm_free(cl_event event)
{
    struct recorder_entry entry;
    return recorder_object_find(&entry, ompd_cl_registry_event, event) &&
           recorder_event_record(&entry)->command != 0;
}

/* The command of the event is complete, and in order also those before it. */
static void queue_reached(const struct recorder_entry *event)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(event);
    struct recorder_point point = {record->reserved[POINT_NUMBER], record->reserved[POINT_MOMENT]};
    struct recorder_entry queue;
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(event->object->parent) == ompd_cl_registry_queue &&
        recorder_object_get(&queue, event->heap, event->object->parent,
                            event->object->parent_generation) &&
        recorder_queue_is_in_order(&queue)) {
        recorder_queue_reached(&queue, &point);
    }
}

void recorder_event_flush(cl_event event)
{
    struct recorder_entry entry;
    struct recorder_entry queue;
    if (recorder_object_find(&entry, ompd_cl_registry_event, event) &&
        recorder_event_record(&entry)->number &&
        recorder_object_get(&queue, entry.heap, entry.object->parent,
                            entry.object->parent_generation)) {
        recorder_queue_flushed(&queue, recorder_event_record(&entry)->number);
    }
}

static bool event_state_is_over(uint32_t state)
{
    return state == ompd_cl_registry_done || state == ompd_cl_registry_failed;
}

/* Set the status of the event in its record. Returns false if it had that status. */
static bool event_status_set(const struct recorder_entry *entry, uint32_t lwp, cl_int status)
{
    struct ompd_cl_registry_event_record *record = recorder_event_record(entry);
    uint64_t run = __atomic_load_n(&record->run, __ATOMIC_RELAXED);
    if (event_state_is_over(OMPD_CL_REGISTRY_RUN_STATE(run))) {
        if (OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_failed && status < 0 &&
            !record->error) {
            __atomic_store_n(&record->error, status, __ATOMIC_RELAXED);
        }
        return false;
    }
    __atomic_store_n(&record->error, status < 0 ? status : 0, __ATOMIC_RELAXED);
    bool is_set = __atomic_compare_exchange_n(&record->run, &run, event_run_make(lwp, status),
                                              false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    recorder_object_changed(entry);
    return is_set;
}

/* The call that returns to RETURN_ADDRESS sets the user event. */
static void set_place_keep(const struct recorder_entry *event, const void *return_address)
{
    uint32_t *words = recorder_event_record(event)->reserved;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    __atomic_store_n(&words[SET_STACK], site.stack, __ATOMIC_RELAXED);
    __atomic_store_n(&words[SET_CALLER_LOW], (uint32_t)site.caller, __ATOMIC_RELAXED);
    __atomic_store_n(&words[SET_CALLER_HIGH], (uint32_t)(site.caller >> 32), __ATOMIC_RELAXED);
    __atomic_store_n(&words[SET_IS_KNOWN], KNOWN, __ATOMIC_RELEASE);
}

/* The call that set the event with the private words WORDS. */
static struct recorder_site set_place_get(const uint32_t *words)
{
    return (struct recorder_site){
        .stack = __atomic_load_n(&words[SET_STACK], __ATOMIC_RELAXED),
        .caller = (uint64_t)__atomic_load_n(&words[SET_CALLER_HIGH], __ATOMIC_RELAXED) << 32 |
                  __atomic_load_n(&words[SET_CALLER_LOW], __ATOMIC_RELAXED),
    };
}

struct recorder_event_setting recorder_event_set_begin(cl_event event, cl_int status,
                                                       const void *return_address)
{
    struct recorder_event_setting setting = {.is_again = false};
    if (status <= CL_COMPLETE &&
        recorder_object_find(&setting.event, ompd_cl_registry_event, event)) {
        setting.run_before =
            __atomic_load_n(&recorder_event_record(&setting.event)->run, __ATOMIC_RELAXED);
        setting.is_again = setting.event.object->type == CL_COMMAND_USER &&
                           event_state_is_over(OMPD_CL_REGISTRY_RUN_STATE(setting.run_before));
        setting.is_first = event_status_set(&setting.event, setting.event.heap->lwp, status) &&
                           setting.event.object->type == CL_COMMAND_USER;
        if (setting.is_first) {
            set_place_keep(&setting.event, return_address);
        }
    } else {
        setting.event.object = NULL;
    }
    return setting;
}

void recorder_event_set_withdraw(const struct recorder_event_setting *setting)
{
    if (setting->event.object && recorder_entry_is_there(&setting->event)) {
        if (setting->is_first) {
            __atomic_store_n(&recorder_event_record(&setting->event)->reserved[SET_IS_KNOWN], 0,
                             __ATOMIC_RELAXED);
        }
        __atomic_store_n(&recorder_event_record(&setting->event)->run, setting->run_before,
                         __ATOMIC_RELEASE);
        recorder_object_changed(&setting->event);
    }
}

bool recorder_event_set_again(const struct recorder_event_setting *setting,
                              struct ompd_cl_registry_object *set)
{
    if (RECORDER_LIKELY(!setting->is_again) || !recorder_entry_is_there(&setting->event)) {
        return false;
    }
    const uint32_t *words = recorder_event_record(&setting->event)->reserved;
    *set = (struct ompd_cl_registry_object){
        .handle = setting->event.object->handle,
        .released_lwp = OMPD_CL_REGISTRY_RUN_LWP(setting->run_before),
    };
    if (__atomic_load_n(&words[SET_IS_KNOWN], __ATOMIC_ACQUIRE)) {
        struct recorder_site site = set_place_get(words);
        set->released_stack = site.stack;
        set->released_caller = site.caller;
    }
    return true;
}

/* The event of ENTRY has the final STATUS. */
static void final_status_note(const struct recorder_entry *entry, cl_int status)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(entry);
    event_status_set(entry, 0, status);
    recorder_history_ended(entry->heap, record->reserved[RECORD],
                           record->reserved[RECORD_GENERATION], status);
    if (record->command) {
        recorder_svm_free_ended(record->command, record->reserved[COMMAND_GENERATION], status);
    }
    if (status == CL_COMPLETE) {
        queue_reached(entry);
    }
}

void recorder_event_status_seen(cl_event event, cl_int status)
{
    struct recorder_entry entry;
    if (status > CL_COMPLETE || !recorder_object_find(&entry, ompd_cl_registry_event, event)) {
        return;
    }
    if (RECORDER_UNLIKELY(status < 0)) {
        __atomic_store_n(&recorder_event_record(&entry)->is_error_seen, 1, __ATOMIC_RELAXED);
    }
    final_status_note(&entry, status);
}

void recorder_events_error_seen(cl_uint count, const cl_event *events)
{
    struct recorder_entry entry;
    for (cl_uint i = 0; events && i < count; i++) {
        if (recorder_object_find(&entry, ompd_cl_registry_event, events[i])) {
            __atomic_store_n(&recorder_event_record(&entry)->is_error_seen, 1, __ATOMIC_RELAXED);
        }
    }
}

bool recorder_event_may_fail_unseen(cl_event event)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_event, event) ||
        recorder_state_word_references(recorder_state_word_load(entry.object)) != 1) {
        return false;
    }
    uint64_t run = __atomic_load_n(&recorder_event_record(&entry)->run, __ATOMIC_ACQUIRE);
    return OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_enqueued;
}

void recorder_event_status_found(cl_event event, cl_int status)
{
    struct recorder_entry entry;
    if (status <= CL_COMPLETE && recorder_object_find(&entry, ompd_cl_registry_event, event)) {
        final_status_note(&entry, status);
    }
}

void recorder_event_terminated(uint64_t event, uint32_t command)
{
    struct recorder_entry entry;
    if (!event ||
        !recorder_object_find(&entry, ompd_cl_registry_event, (const void *)(uintptr_t)event) ||
        recorder_event_record(&entry)->reserved[RECORD] != command) {
        return;
    }
    uint64_t run = OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_enqueued);
    __atomic_compare_exchange_n(&recorder_event_record(&entry)->run, &run,
                                OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_failed), false,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    recorder_object_changed(&entry);
}

bool recorder_event_failure_begin(const struct recorder_entry *event,
                                  struct recorder_failure *failure, const void *return_address)
{
    if (!recorder_entry_is_there(event)) {
        return false;
    }
    failure->event = event->object->handle;
    failure->status = recorder_event_record(event)->error;
    failure->lwp = event->heap->lwp;
    recorder_site_find(&failure->site, return_address);
    __atomic_store_n(&recorder_event_record(event)->reserved[SET_IS_KNOWN], KNOWN_TO_FAIL,
                     __ATOMIC_RELEASE);
    return true;
}

bool recorder_event_failure_get(const struct recorder_entry *event,
                                struct recorder_failure *failure)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(event);
    uint64_t run = __atomic_load_n(&record->run, __ATOMIC_ACQUIRE);
    if (event->object->type != CL_COMMAND_USER ||
        __atomic_load_n(&record->reserved[SET_IS_KNOWN], __ATOMIC_ACQUIRE) != KNOWN_TO_FAIL ||
        OMPD_CL_REGISTRY_RUN_STATE(run) != ompd_cl_registry_failed) {
        return false;
    }
    failure->event = event->object->handle;
    failure->status = record->error;
    failure->lwp = OMPD_CL_REGISTRY_RUN_LWP(run);
    failure->site = set_place_get(record->reserved);
    return true;
}

uint32_t recorder_event_command(const struct recorder_entry *event, uint32_t *generation)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(event);
    if (event->object->type == CL_COMMAND_USER) {
        return 0;
    }
    *generation = record->reserved[RECORD_GENERATION];
    return record->reserved[RECORD];
}

bool recorder_event_is_unset(const struct recorder_entry *event)
{
    uint64_t run = __atomic_load_n(&recorder_event_record(event)->run, __ATOMIC_RELAXED);
    return OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_unset;
}
