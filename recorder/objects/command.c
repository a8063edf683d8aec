/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"
#include "objects/uses.h"

/* ---- The objects of a command ---------------------------------------------------------------- */

/* A handle that the call of COMMAND uses. */
struct command_use {
    struct recorder_command *command;
    struct recorder_used used;
    const void *return_address;
};

/* Whether the object of ENTRY is in another OpenCL context than the queue. */
static bool is_of_other_context(const struct recorder_command *command,
                                const struct recorder_entry *entry)
{
    return command->queue.object && entry->object->context &&
           entry->object->context != command->queue.object->context &&
           command->queue.object->context;
}

/* Before the runtime is called, the slow path: the object of ENTRY is not certainly right. */
static __attribute__((noinline, cold)) void command_use_doubt(const struct command_use *use,
                                                              const struct recorder_entry *entry)
{
    if (!entry->object || !recorder_entry_is_valid(entry)) {
        use->command->is_doubtful |=
            recorder_use_slowly(&use->used, entry, use->return_address) != 0;
    } else if (is_of_other_context(use->command, entry)) {
        use->command->is_doubtful = true;
    }
}

/* Before the runtime is called. CONTEXT is the reference of the queue's OpenCL context. */
RECORDER_INLINE void command_use_begin(struct recorder_command *command, uint32_t context,
                                       const struct recorder_used *used, const void *return_address)
{
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_object_find(&entry, used->table, used->handle) ||
                          !recorder_entry_is_valid(&entry) || entry.object->context != context)) {
        const struct command_use use = {command, *used, return_address};
        struct recorder_entry found;
        recorder_entry_copy(&found, &entry);
        command_use_doubt(&use, &found);
    }
}

/* The object of ENTRY is in another OpenCL context than the queue, and the runtime has accepted it.
 */
static void other_context_record(const struct command_use *use, const struct recorder_entry *entry)
{
    const struct ompd_cl_registry_object *object = entry->object;
    const struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_other_context,
        .object_table = use->used.table,
        .object = object->handle,
        .other_table = ompd_cl_registry_queue,
        .other = (uintptr_t)use->command->queue_handle,
        .other_site = {object->lwp, object->stack, object->caller},
        .argument = use->used.argument,
    };
    if (recorder_has_all_objects()) {
        recorder_mistake_record(&mistake, use->return_address);
    }
}

/* Once the runtime has accepted it. */
static void command_use_end(const struct command_use *use)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, use->used.table, use->used.handle)) {
        if (is_of_other_context(use->command, &entry)) {
            other_context_record(use, &entry);
        }
        return;
    }
    uint32_t other = recorder_other_kind_find(use->used.table, use->used.handle);
    if (other) {
        recorder_use_of_other_kind(use->used.argument, other, use->return_address);
    }
}

RECORDER_INLINE void command_use(struct recorder_command *command, struct recorder_used used,
                                 bool is_accepted, const void *return_address)
{
    if (is_accepted) {
        const struct command_use use = {command, used, return_address};
        command_use_end(&use);
    } else {
        uint32_t context = command->queue.object ? command->queue.object->context : 0;
        command_use_begin(command, context, &used, return_address);
    }
}

/* The memory objects in the list of FACTS, if it is one of memory objects. */
static __attribute__((noinline, cold)) void
command_list_uses(struct recorder_command *command, const struct recorder_command_facts *facts,
                  bool is_accepted, const void *return_address)
{
    const cl_mem *memobjs = facts->touched;
    if (facts->type == CL_COMMAND_SVM_FREE || facts->type == CL_COMMAND_SVM_MIGRATE_MEM ||
        !command->queue.object) {
        return; /* of pointers, or of a call that the runtime refuses */
    }
    for (cl_uint i = 0; memobjs && i < facts->touched_count; i++) {
        command_use(command, (struct recorder_used){memobjs[i], ompd_cl_registry_memobj, 0},
                    is_accepted, return_address);
    }
}

/* Check the objects of FACTS, and the queue, before the runtime is called, or once it has accepted
 * them. */
RECORDER_INLINE void command_uses(struct recorder_command *command,
                                  const struct recorder_command_facts *facts, bool is_accepted,
                                  const void *return_address)
{
    if (facts->kernel) {
        command_use(command, (struct recorder_used){facts->kernel, ompd_cl_registry_kernel, 2},
                    is_accepted, return_address);
    }
    if (facts->memobj) {
        command_use(command, (struct recorder_used){facts->memobj, ompd_cl_registry_memobj, 2},
                    is_accepted, return_address);
    }
    if (facts->destination) {
        command_use(command, (struct recorder_used){facts->destination, ompd_cl_registry_memobj, 3},
                    is_accepted, return_address);
    }
    for (cl_uint i = 0; facts->wait_list && i < facts->wait_count; i++) {
        command_use(command, (struct recorder_used){facts->wait_list[i], ompd_cl_registry_event, 0},
                    is_accepted, return_address);
    }
    if (RECORDER_UNLIKELY(facts->touched_count)) {
        command_list_uses(command, facts, is_accepted, return_address);
    }
}

/* The program gets the command's event in its own wait list. */
static void own_event_record(const struct recorder_command *command, const void *return_address)
{
    const struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_own_event,
        .object_table = ompd_cl_registry_queue,
        .object = (uintptr_t)command->queue_handle,
        .address = command->facts->event,
    };
    recorder_mistake_record(&mistake, return_address);
}

static void command_begin_check(struct recorder_command *command, const void *return_address)
{
    const struct recorder_command_facts *facts = command->facts;
    if (RECORDER_UNLIKELY(!recorder_mistakes_are_recorded())) {
        return;
    }
    if (RECORDER_UNLIKELY((uintptr_t)facts->event - (uintptr_t)facts->wait_list <
                          facts->wait_count * sizeof(cl_event)) &&
        facts->wait_list && facts->event) {
        own_event_record(command, return_address);
    }
    if (RECORDER_UNLIKELY(!command->queue.object || !recorder_entry_is_valid(&command->queue)) &&
        !facts->is_queue_implied) {
        const struct recorder_used used = {command->queue_handle, ompd_cl_registry_queue, 0};
        command->is_doubtful |= recorder_use_slowly(&used, &command->queue, return_address) != 0;
    }
    command_uses(command, facts, false, return_address);
}

/* The runtime has accepted a doubtful command. */
static void command_end_check(struct recorder_command *command, const void *return_address)
{
    const struct recorder_used queue = {command->queue_handle, ompd_cl_registry_queue, 0};
    command_use(command, queue, true, return_address);
    command_uses(command, command->facts, true, return_address);
}

/* ---- A command ------------------------------------------------------------------------------- */

void recorder_command_begin(struct recorder_command *command, cl_command_queue queue,
                            const struct recorder_command_facts *facts, const void *return_address)
{
    recorder_point_get(command, queue);
    command->facts = facts;
    command->is_doubtful = false;
    command_begin_check(command, return_address);
    command->is_blocking = facts->is_blocking;
    if (command->is_blocking && command->queue.object) {
        recorder_queue_flushed(&command->queue, command->point.number);
    }
    recorder_history_begin(&command->record, &command->queue, facts, return_address);
}

void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address)
{
    const struct recorder_entry *queue = &command->queue;
    bool is_known = queue->object && recorder_entry_is_there(queue);
    if (!succeeded || !is_known) {
        recorder_history_withdraw(&command->record);
        command->record.object = NULL;
    }
    if (!succeeded) {
        return;
    }
    if (RECORDER_UNLIKELY(command->is_doubtful)) {
        command_end_check(command, return_address);
    }
    if (is_known) {
        command->number =
            __atomic_add_fetch(&recorder_queue_record(queue)->enqueued, 1, __ATOMIC_SEQ_CST);
        /* If other threads have enqueued commands meanwhile, this command may precede theirs. */
        if (command->number == command->point.number + 1) {
            command->point.number = command->number;
        }
    }
    if (event) {
        recorder_event_created(*event, command, type, return_address);
    }
    recorder_history_enqueued(&command->record, queue, command->number, event ? *event : NULL);
    recorder_command_check(&command->record);
    if (!is_known || !command->is_blocking) {
        return;
    }
    recorder_queue_flushed(queue, command->number);
    if (recorder_queue_is_in_order(queue)) {
        recorder_queue_reached(queue, &command->point);
    }
}
