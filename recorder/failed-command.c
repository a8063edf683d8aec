/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "failed-command.h"

#include "address-list.h"
#include "error.h"
#include "event.h"
#include "stack.h"

/* What has failed, and who made it fail. */
struct failure {
    const struct recorder_entry *event;
    struct recorder_site site;
};

/* COMMAND waits for the event of FAILURE: one that had its handle before was another event. */
static bool waits_for(const struct ompd_cl_registry_command_record *command,
                      const struct failure *failure)
{
    const struct ompd_cl_registry_object *event = failure->event->object;
    uint32_t place = command->wait_list;
    if (command->object.serial < event->serial) {
        return false;
    }
    for (uint32_t i = 0; i < command->wait_count && place; i++) {
        if (recorder_address_list_get(place, &place) == event->handle) {
            return true;
        }
    }
    return false;
}

/* Let the command at INDEX be failed if it waits for the event, and is that of GENERATION still. */
static void command_judge(uint32_t index, const struct failure *failure)
{
    struct ompd_cl_registry_command_record *record =
        recorder_record(ompd_cl_registry_command, index);
    uint32_t generation = __atomic_load_n(&record->object.generation, __ATOMIC_ACQUIRE);
    uint64_t run = OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_enqueued);
    if (__atomic_load_n(&record->object.state, __ATOMIC_ACQUIRE) == ompd_cl_registry_free ||
        __atomic_load_n(&record->run, __ATOMIC_ACQUIRE) != run || !waits_for(record, failure)) {
        return;
    }
    uint64_t its_event = record->event;
    const struct recorder_failed_command command = {
        .event = failure->event->object->handle,
        .what = record->what,
        .lwp = record->object.lwp,
        .stack = record->object.stack,
        .caller = record->object.caller,
        .setter = failure->event->heap->lwp,
        .setter_site = failure->site,
    };
    if (__atomic_compare_exchange_n(&record->run, &run,
                                    OMPD_CL_REGISTRY_RUN(generation, ompd_cl_registry_failed),
                                    false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        recorder_event_terminated(its_event,
                                  OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_command, index));
        recorder_slot_changed(failure->event->heap, ompd_cl_registry_command, index);
        recorder_failed_command_keep(&command);
    }
}

void recorder_commands_fail(const struct recorder_entry *event, const void *return_address)
{
    const struct recorder_table *table = &recorder_tables[ompd_cl_registry_command];
    uint32_t chunks = __atomic_load_n(&table->chunk_count, __ATOMIC_ACQUIRE);
    struct failure failure = {.event = event};
    recorder_site_find(&failure.site, return_address);
    for (uint32_t index = 0; index < chunks * RECORDER_RECORDS_PER_CHUNK; index++) {
        command_judge(index, &failure);
    }
}
