/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <sys/mman.h>

static struct ompd_cl_registry_command_record *command_record_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_command, index);
}

/* ---- One command ----------------------------------------------------------------------------- */

/* Whether RECORD is still of GENERATION and enqueued. Other threads may change it meanwhile: a
 * command that is complete, or whose record was reused, is not. */
static bool is_enqueued(const struct ompd_cl_registry_command_record *record, uint32_t generation)
{
    return __atomic_load_n(&record->run, __ATOMIC_ACQUIRE) ==
           OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_enqueued);
}

/* Set the reason of the failure in RECORD. Returns false if another thread has done so. */
static bool failure_store(struct ompd_cl_registry_command_record *record,
                          const struct recorder_failure *failure)
{
    uint32_t nobody = 0;
    if (!__atomic_compare_exchange_n(&record->object.released_lwp, &nobody, failure->lwp, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return false;
    }
    record->object.released_stack = failure->site.stack;
    record->object.released_caller = failure->site.caller;
    record->failed_status = failure->status;
    __atomic_store_n(&record->failed_event, failure->event, __ATOMIC_RELEASE);
    return true;
}

/* COMMAND, which fails because of the call that returns to RETURN_ADDRESS, has no event, so the
 * program cannot see that. */
static void eventless_note(const struct recorder_failed_command *command,
                           const void *return_address)
{
    recorder_mistake_record(
        &(struct recorder_mistake){
            .rule = ompd_cl_registry_rule_failed_event_unseen,
            .other_table = ompd_cl_registry_event,
            .other = command->failure->event,
            .other_site = {command->lwp, command->stack, command->caller},
            .error = command->failure->status,
        },
        return_address);
}

/* The command at INDEX fails, if it is still of GENERATION and enqueued. If the call that returns
 * to RETURN_ADDRESS, NULL for none, makes the runtime end it, its record shows that. Returns false
 * if it does not fail. */
static bool command_fail(struct recorder_heap *heap, uint32_t index, uint32_t generation,
                         const struct recorder_failure *failure, const void *return_address)
{
    struct ompd_cl_registry_command_record *record = command_record_at(index);
    const struct recorder_failed_command command = {
        .failure = failure,
        .what = record->what,
        .lwp = record->object.lwp,
        .stack = record->object.stack,
        .caller = record->object.caller,
    };
    uint64_t run = OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_enqueued);
    uint64_t event = record->event;
    bool is_unseen = return_address && !event && !record->is_blocking;
    uint32_t svm_free = record->svm_free;
    uint32_t svm_free_generation = record->svm_free_generation;
    if (!is_enqueued(record, generation) || !failure_store(record, failure)) {
        return false;
    }
    if (return_address) {
        if (!__atomic_compare_exchange_n(&record->run, &run,
                                         OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_failed),
                                         false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
            return false;
        }
        recorder_event_terminated(event,
                                  OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_command, index));
    }
    if (svm_free) {
        recorder_svm_free_ended(svm_free, svm_free_generation, failure->status);
    }
    recorder_slot_changed(heap, ompd_cl_registry_command, index);
    recorder_failed_command_add(&command);
    if (is_unseen) {
        eventless_note(&command, return_address);
    }
    return true;
}

/* ---- An event that fails --------------------------------------------------------------------- */

/* A command that waits for an event. */
struct waiting {
    uint64_t serial;
    uint32_t index;
    uint32_t generation;
};

/* An event that never becomes complete: a command that was enqueued later and waits for it never
 * runs. */
struct failed_event {
    uint64_t handle; /* 0: none */
    uint64_t serial; /* its command's, or its own */
};

/* The records that fail with an event, in separate memory. */
struct failing {
    void *memory;
    size_t size;
    struct waiting *waiting; /* in the order in which they were enqueued */
    uint32_t count;
    uint32_t mask;               /* of indexes in: */
    struct failed_event *events; /* a hash by handle */
};

static struct failed_event *event_place(const struct failing *failing, uint64_t handle)
{
    uint64_t place = ompd_cl_registry_bucket(handle, (uint64_t)failing->mask + 1);
    while (failing->events[place].handle && failing->events[place].handle != handle) {
        place = (place + 1) & failing->mask;
    }
    return &failing->events[place];
}

static void failing_event_add(const struct failing *failing, uint64_t handle, uint64_t serial)
{
    struct failed_event *event = event_place(failing, handle);
    if (handle && !event->handle) {
        event->handle = handle;
        event->serial = serial;
    }
}

/* Whether the command at INDEX waits for an event of FAILING, and not for an earlier event with
 * that handle. */
static bool waits_in_vain(const struct failing *failing, uint32_t index)
{
    const struct ompd_cl_registry_command_record *record = command_record_at(index);
    uint32_t place = record->wait_list;
    for (uint32_t i = 0; i < record->wait_count && place; i++) {
        const struct failed_event *event =
            event_place(failing, recorder_address_list_get(place, &place));
        if (event->handle && event->serial < record->object.serial) {
            return true;
        }
    }
    return false;
}

/* Set *WAITING to the command at INDEX, if it is enqueued and waits for an event. */
static bool waiting_get(uint32_t index, struct waiting *waiting)
{
    const struct ompd_cl_registry_command_record *record = command_record_at(index);
    waiting->index = index;
    waiting->generation = __atomic_load_n(&record->object.generation, __ATOMIC_ACQUIRE);
    waiting->serial = record->object.serial;
    return __atomic_load_n(&record->object.state, __ATOMIC_ACQUIRE) != ompd_cl_registry_free &&
           record->wait_count && is_enqueued(record, waiting->generation);
}

/* Sort by serial; they mostly are in that order already. */
static void waiting_sort(struct waiting *all, uint32_t count)
{
    for (uint32_t gap = count / 2; gap; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            struct waiting moved = all[i];
            uint32_t place = i;
            for (; place >= gap && all[place - gap].serial > moved.serial; place -= gap) {
                all[place] = all[place - gap];
            }
            all[place] = moved;
        }
    }
}

/* Find the waiting commands. Returns false when there are none, or when out of memory. */
static bool failing_begin(struct failing *failing)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_command);
    struct waiting waiting;
    uint32_t count = 0;
    for (uint32_t index = 0; index < limit; index++) {
        count += waiting_get(index, &waiting);
    }
    if (!count) {
        return false;
    }
    failing->mask = 3;
    while (failing->mask / 2 < count) {
        failing->mask = 2 * failing->mask + 1;
    }
    size_t events_size = ((size_t)failing->mask + 1) * sizeof(struct failed_event);
    failing->size = events_size + count * sizeof(struct waiting);
    failing->memory = recorder_memory_map(failing->size);
    if (!failing->memory) {
        return false;
    }
    failing->events = failing->memory;
    failing->waiting = (void *)((char *)failing->memory + events_size);
    failing->count = 0;
    for (uint32_t index = 0; index < limit && failing->count < count; index++) {
        failing->count += waiting_get(index, &failing->waiting[failing->count]);
    }
    waiting_sort(failing->waiting, failing->count);
    return true;
}

void recorder_commands_fail(const struct recorder_entry *event, const void *return_address)
{
    struct failing failing;
    struct recorder_failure failure;
    __atomic_store_n(&recorder_events_have_failed, 1, __ATOMIC_SEQ_CST);
    if (!recorder_event_failure_begin(event, &failure, return_address) ||
        !failing_begin(&failing)) {
        return;
    }
    failing_event_add(&failing, failure.event, event->object->serial);
    /* An event exists before a command that waits for it is enqueued. */
    for (uint32_t i = 0; i < failing.count; i++) {
        const struct waiting *waiting = &failing.waiting[i];
        uint64_t its_event = command_record_at(waiting->index)->event;
        if (waits_in_vain(&failing, waiting->index) &&
            command_fail(event->heap, waiting->index, waiting->generation, &failure,
                         return_address)) {
            failing_event_add(&failing, its_event, waiting->serial);
        }
    }
    munmap(failing.memory, failing.size);
}

/* ---- A command behind what has failed -------------------------------------------------------- */

bool recorder_command_failure_get(const struct recorder_entry *event,
                                  struct recorder_failure *failure)
{
    uint32_t generation;
    uint32_t reference = recorder_event_command(event, &generation);
    struct recorder_entry command;
    if (!reference) {
        return false;
    }
    recorder_entry_set(&command, event->heap, reference);
    const struct ompd_cl_registry_command_record *record = recorder_command_record(&command);
    uint64_t run = __atomic_load_n(&record->run, __ATOMIC_ACQUIRE);
    failure->event = __atomic_load_n(&record->failed_event, __ATOMIC_ACQUIRE);
    if (!failure->event || (run != OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_failed) &&
                            run != OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_enqueued))) {
        return false;
    }
    failure->status = record->failed_status;
    failure->lwp = record->object.released_lwp;
    failure->site.stack = record->object.released_stack;
    failure->site.caller = record->object.released_caller;
    return command.generation == generation;
}

void recorder_command_fail_late(const struct recorder_entry *entry)
{
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference);
    const struct ompd_cl_registry_command_record *record = command_record_at(index);
    struct recorder_failure failure;
    struct recorder_entry event;
    uint32_t place = record->wait_list;
    for (uint32_t i = 0; i < record->wait_count && place; i++) {
        uint64_t handle = recorder_address_list_get(place, &place);
        if (recorder_object_find(&event, ompd_cl_registry_event, (const void *)(uintptr_t)handle) &&
            (recorder_event_failure_get(&event, &failure) ||
             recorder_command_failure_get(&event, &failure))) {
            /* PoCL 3.1 never ends it, but rusticl does. */
            command_fail(entry->heap, index, entry->generation, &failure, NULL);
            return;
        }
    }
}
