/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* On pages of its own, so that a reader meets it in one piece. */
__attribute__((visibility("default"),
               aligned(4096))) struct ompd_cl_registry_root ompd_opencl_registry;

#define FIELD(record, member, name)                                                                \
    {                                                                                              \
        .id = ompd_cl_registry_field_##name, .offset = offsetof(record, member),                   \
        .size = sizeof(((record *)0)->member)                                                      \
    }

/* What every object's record has, `callbacks` apart. */
#define OBJECT_FIELDS(record)                                                                      \
    FIELD(record, object.change, change), FIELD(record, object.handle, handle),                    \
        FIELD(record, object.serial, serial), FIELD(record, object.state, state),                  \
        FIELD(record, object.evidence, evidence), FIELD(record, object.references, references),    \
        FIELD(record, object.generation, generation), FIELD(record, object.lwp, lwp),              \
        FIELD(record, object.stack, stack), FIELD(record, object.caller, caller),                  \
        FIELD(record, object.hash_next, hash_next)
#define CALLBACK_LIST_FIELDS(record)                                                               \
    FIELD(record, object.callbacks, callbacks), FIELD(record, object.callback_count, callback_count)
#define CONTEXT_FIELDS(record)                                                                     \
    FIELD(record, object.context, context),                                                        \
        FIELD(record, object.context_generation, context_generation)
#define PARENT_FIELDS(record)                                                                      \
    FIELD(record, object.parent, parent), FIELD(record, object.parent_generation, parent_generation)

#define ARGUMENT_FIELDS(record)                                                                    \
    FIELD(record, arguments.count, argument_count), FIELD(record, arguments.more, more_arguments), \
        FIELD(record, arguments.forms, argument_forms),                                            \
        FIELD(record, arguments.values, argument_values)

static const struct ompd_cl_registry_field context_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_context_record),
    CALLBACK_LIST_FIELDS(struct ompd_cl_registry_context_record),
    FIELD(struct ompd_cl_registry_context_record, platform, platform),
    FIELD(struct ompd_cl_registry_context_record, device_count, device_count),
    FIELD(struct ompd_cl_registry_context_record, shards[0].children, children),
    FIELD(struct ompd_cl_registry_context_record, shards[1].children, children_1),
    FIELD(struct ompd_cl_registry_context_record, shards[2].children, children_2),
    FIELD(struct ompd_cl_registry_context_record, shards[3].children, children_3),
    FIELD(struct ompd_cl_registry_context_record, children_released, children_released),
};

static const struct ompd_cl_registry_field queue_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_queue_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_queue_record),
    FIELD(struct ompd_cl_registry_queue_record, device, device),
    FIELD(struct ompd_cl_registry_queue_record, flags, flags),
    FIELD(struct ompd_cl_registry_queue_record, svm_frees, svm_frees),
    FIELD(struct ompd_cl_registry_queue_record, finished, finished),
    FIELD(struct ompd_cl_registry_queue_record, flushed, flushed),
    FIELD(struct ompd_cl_registry_queue_record, dropped, dropped),
};

static const struct ompd_cl_registry_field memobj_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_memobj_record),
    CALLBACK_LIST_FIELDS(struct ompd_cl_registry_memobj_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_memobj_record),
    PARENT_FIELDS(struct ompd_cl_registry_memobj_record),
    FIELD(struct ompd_cl_registry_memobj_record, object.children, children),
    FIELD(struct ompd_cl_registry_memobj_record, children_released, children_released),
    FIELD(struct ompd_cl_registry_memobj_record, object.type, type),
    FIELD(struct ompd_cl_registry_memobj_record, flags, flags),
    FIELD(struct ompd_cl_registry_memobj_record, size, size),
    FIELD(struct ompd_cl_registry_memobj_record, host_pointer, host_pointer),
    FIELD(struct ompd_cl_registry_memobj_record, origin, origin),
    FIELD(struct ompd_cl_registry_memobj_record, parent_handle, parent_handle),
    FIELD(struct ompd_cl_registry_memobj_record, svm, svm),
    FIELD(struct ompd_cl_registry_memobj_record, svm_generation, svm_generation),
    FIELD(struct ompd_cl_registry_memobj_record, sharing, sharing),
    FIELD(struct ompd_cl_registry_memobj_record, sharing_name, sharing_name),
    FIELD(struct ompd_cl_registry_memobj_record, map_count, map_count),
};

static const struct ompd_cl_registry_field program_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_program_record),
    CALLBACK_LIST_FIELDS(struct ompd_cl_registry_program_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_program_record),
    FIELD(struct ompd_cl_registry_program_record, object.children, children),
    FIELD(struct ompd_cl_registry_program_record, run, run),
    FIELD(struct ompd_cl_registry_program_record, error, error),
    FIELD(struct ompd_cl_registry_program_record, options, options),
    FIELD(struct ompd_cl_registry_program_record, log, log),
};

static const struct ompd_cl_registry_field kernel_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_kernel_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_kernel_record),
    PARENT_FIELDS(struct ompd_cl_registry_kernel_record),
    FIELD(struct ompd_cl_registry_kernel_record, name, name),
    ARGUMENT_FIELDS(struct ompd_cl_registry_kernel_record),
};

static const struct ompd_cl_registry_field sampler_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_sampler_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_sampler_record),
    FIELD(struct ompd_cl_registry_sampler_record, normalized, normalized),
    FIELD(struct ompd_cl_registry_sampler_record, addressing, addressing),
    FIELD(struct ompd_cl_registry_sampler_record, filter, filter),
};

static const struct ompd_cl_registry_field event_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_event_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_event_record),
    PARENT_FIELDS(struct ompd_cl_registry_event_record),
    FIELD(struct ompd_cl_registry_event_record, object.type, type),
    FIELD(struct ompd_cl_registry_event_record, queue_handle, queue_handle),
    FIELD(struct ompd_cl_registry_event_record, run, run),
    FIELD(struct ompd_cl_registry_event_record, error, error),
    FIELD(struct ompd_cl_registry_event_record, number, number),
    FIELD(struct ompd_cl_registry_event_record, command, command),
};

static const struct ompd_cl_registry_field svm_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_svm_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_svm_record),
    FIELD(struct ompd_cl_registry_svm_record, object.type, type),
    FIELD(struct ompd_cl_registry_svm_record, flags, flags),
    FIELD(struct ompd_cl_registry_svm_record, size, size),
    FIELD(struct ompd_cl_registry_svm_record, alignment, alignment),
    FIELD(struct ompd_cl_registry_svm_record, command, command),
};

static const struct ompd_cl_registry_field svm_free_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_svm_free_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_svm_free_record),
    FIELD(struct ompd_cl_registry_svm_free_record, run, run),
    FIELD(struct ompd_cl_registry_svm_free_record, queue_handle, queue_handle),
    FIELD(struct ompd_cl_registry_svm_free_record, queue, queue),
    FIELD(struct ompd_cl_registry_svm_free_record, queue_generation, queue_generation),
    FIELD(struct ompd_cl_registry_svm_free_record, function, function),
    FIELD(struct ompd_cl_registry_svm_free_record, user_data, user_data),
    FIELD(struct ompd_cl_registry_svm_free_record, user_data_place, user_data_place),
    FIELD(struct ompd_cl_registry_svm_free_record, event, event),
    FIELD(struct ompd_cl_registry_svm_free_record, number, number),
    FIELD(struct ompd_cl_registry_svm_free_record, pointers, pointers),
    FIELD(struct ompd_cl_registry_svm_free_record, pointer_count, pointer_count),
    FIELD(struct ompd_cl_registry_svm_free_record, wait_list, wait_list),
    FIELD(struct ompd_cl_registry_svm_free_record, wait_count, wait_count),
};

static const struct ompd_cl_registry_field callback_fields[] = {
    FIELD(struct ompd_cl_registry_callback_record, run, run),
    FIELD(struct ompd_cl_registry_callback_record, function, function),
    FIELD(struct ompd_cl_registry_callback_record, user_data, user_data),
    FIELD(struct ompd_cl_registry_callback_record, user_data_place, user_data_place),
    FIELD(struct ompd_cl_registry_callback_record, caller, caller),
    FIELD(struct ompd_cl_registry_callback_record, object, object),
    FIELD(struct ompd_cl_registry_callback_record, object_generation, object_generation),
    FIELD(struct ompd_cl_registry_callback_record, next, next),
    FIELD(struct ompd_cl_registry_callback_record, generation, generation),
    FIELD(struct ompd_cl_registry_callback_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_callback_record, stack, stack),
};

static const struct ompd_cl_registry_field address_fields[] = {
    FIELD(struct ompd_cl_registry_address_record, handle, handle),
    FIELD(struct ompd_cl_registry_address_record, next, next),
    FIELD(struct ompd_cl_registry_address_record, state, state),
    FIELD(struct ompd_cl_registry_address_record, from_svm_alloc, from_svm_alloc),
};

/* The size of `frames` follows the stack depth. */
static struct ompd_cl_registry_field stack_fields[] = {
    FIELD(struct ompd_cl_registry_stack_record, depth, depth),
    FIELD(struct ompd_cl_registry_stack_record, state, state),
    {.id = ompd_cl_registry_field_frames,
     .offset = offsetof(struct ompd_cl_registry_stack_record, frames)},
    FIELD(struct ompd_cl_registry_stack_record, made, made),
};

static const struct ompd_cl_registry_field platform_fields[] = {
    FIELD(struct ompd_cl_registry_platform_record, handle, handle),
    FIELD(struct ompd_cl_registry_platform_record, state, state),
    FIELD(struct ompd_cl_registry_platform_record, name, name),
    FIELD(struct ompd_cl_registry_platform_record, version, version),
    FIELD(struct ompd_cl_registry_platform_record, vendor, vendor),
};

static const struct ompd_cl_registry_field thread_fields[] = {
    FIELD(struct ompd_cl_registry_thread_record, serial, serial),
    FIELD(struct ompd_cl_registry_thread_record, state, state),
    FIELD(struct ompd_cl_registry_thread_record, generation, generation),
    FIELD(struct ompd_cl_registry_thread_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_thread_record, pthread, pthread),
    FIELD(struct ompd_cl_registry_thread_record, is_caller, is_caller),
    FIELD(struct ompd_cl_registry_thread_record, activity_count, activity_count),
    FIELD(struct ompd_cl_registry_thread_record, activities, activities),
    FIELD(struct ompd_cl_registry_thread_record, lists, lists),
    FIELD(struct ompd_cl_registry_thread_record, times, times),
    FIELD(struct ompd_cl_registry_thread_record, frames_in, frames_in),
    FIELD(struct ompd_cl_registry_thread_record, returns_to, returns_to),
    FIELD(struct ompd_cl_registry_thread_record, stack_start, stack_start),
    FIELD(struct ompd_cl_registry_thread_record, stack_end, stack_end),
    FIELD(struct ompd_cl_registry_thread_record, usage, usage),
};

static const struct ompd_cl_registry_field command_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_command_record),
    FIELD(struct ompd_cl_registry_command_record, object.type, type),
    FIELD(struct ompd_cl_registry_command_record, run, run),
    FIELD(struct ompd_cl_registry_command_record, queue_handle, queue_handle),
    FIELD(struct ompd_cl_registry_command_record, event, event),
    FIELD(struct ompd_cl_registry_command_record, kernel, kernel),
    FIELD(struct ompd_cl_registry_command_record, memobj, memobj),
    FIELD(struct ompd_cl_registry_command_record, destination, destination),
    FIELD(struct ompd_cl_registry_command_record, queue, queue),
    FIELD(struct ompd_cl_registry_command_record, queue_generation, queue_generation),
    FIELD(struct ompd_cl_registry_command_record, context, context),
    FIELD(struct ompd_cl_registry_command_record, context_generation, context_generation),
    FIELD(struct ompd_cl_registry_command_record, at, at),
    FIELD(struct ompd_cl_registry_command_record, number, number),
    FIELD(struct ompd_cl_registry_command_record, error, error),
    FIELD(struct ompd_cl_registry_command_record, wait_list, wait_list),
    FIELD(struct ompd_cl_registry_command_record, wait_count, wait_count),
    FIELD(struct ompd_cl_registry_command_record, is_blocking, is_blocking),
    FIELD(struct ompd_cl_registry_command_record, object.released_lwp, released_lwp),
    FIELD(struct ompd_cl_registry_command_record, object.released_stack, released_stack),
    FIELD(struct ompd_cl_registry_command_record, object.released_caller, released_caller),
    FIELD(struct ompd_cl_registry_command_record, failed_event, failed_event),
    FIELD(struct ompd_cl_registry_command_record, failed_status, failed_status),
    ARGUMENT_FIELDS(struct ompd_cl_registry_command_record),
};

static const struct ompd_cl_registry_field device_fields[] = {
    FIELD(struct ompd_cl_registry_device_record, handle, handle),
    FIELD(struct ompd_cl_registry_device_record, state, state),
    FIELD(struct ompd_cl_registry_device_record, platform, platform),
    FIELD(struct ompd_cl_registry_device_record, flags, flags),
    FIELD(struct ompd_cl_registry_device_record, name, name),
};

static const struct ompd_cl_registry_field gone_fields[] = {
    FIELD(struct ompd_cl_registry_gone_record, change, change),
    FIELD(struct ompd_cl_registry_gone_record, handle, handle),
    FIELD(struct ompd_cl_registry_gone_record, serial, serial),
    FIELD(struct ompd_cl_registry_gone_record, state, state),
    FIELD(struct ompd_cl_registry_gone_record, ending, ending),
    FIELD(struct ompd_cl_registry_gone_record, object, object),
    FIELD(struct ompd_cl_registry_gone_record, ended, ended),
    FIELD(struct ompd_cl_registry_gone_record, ended_at, ended_at),
    FIELD(struct ompd_cl_registry_gone_record, ended_lwp, ended_lwp),
    FIELD(struct ompd_cl_registry_gone_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_gone_record, stack, stack),
    FIELD(struct ompd_cl_registry_gone_record, caller, caller),
    FIELD(struct ompd_cl_registry_gone_record, released_lwp, released_lwp),
    FIELD(struct ompd_cl_registry_gone_record, released_stack, released_stack),
    FIELD(struct ompd_cl_registry_gone_record, released_caller, released_caller),
    FIELD(struct ompd_cl_registry_gone_record, type, type),
    FIELD(struct ompd_cl_registry_gone_record, size, size),
    FIELD(struct ompd_cl_registry_gone_record, flags, flags),
    FIELD(struct ompd_cl_registry_gone_record, host_pointer, host_pointer),
    FIELD(struct ompd_cl_registry_gone_record, context_handle, context_handle),
    FIELD(struct ompd_cl_registry_gone_record, parent_handle, parent_handle),
    FIELD(struct ompd_cl_registry_gone_record, map_count, map_count),
};

static const struct ompd_cl_registry_field error_fields[] = {
    FIELD(struct ompd_cl_registry_error_record, change, change),
    FIELD(struct ompd_cl_registry_error_record, handle, handle),
    FIELD(struct ompd_cl_registry_error_record, serial, serial),
    FIELD(struct ompd_cl_registry_error_record, state, state),
    FIELD(struct ompd_cl_registry_error_record, what, what),
    FIELD(struct ompd_cl_registry_error_record, caller, caller),
    FIELD(struct ompd_cl_registry_error_record, at, at),
    FIELD(struct ompd_cl_registry_error_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_error_record, stack, stack),
    FIELD(struct ompd_cl_registry_error_record, error, error),
    FIELD(struct ompd_cl_registry_error_record, released_lwp, released_lwp),
    FIELD(struct ompd_cl_registry_error_record, released_stack, released_stack),
    FIELD(struct ompd_cl_registry_error_record, released_caller, released_caller),
    FIELD(struct ompd_cl_registry_error_record, argument, argument),
    FIELD(struct ompd_cl_registry_error_record, kernel, kernel),
    FIELD(struct ompd_cl_registry_error_record, size, size),
    FIELD(struct ompd_cl_registry_error_record, failed_status, failed_status),
};

static const struct ompd_cl_registry_field ledger_fields[] = {
    FIELD(struct ompd_cl_registry_ledger_record, change, change),
    FIELD(struct ompd_cl_registry_ledger_record, handle, handle),
    FIELD(struct ompd_cl_registry_ledger_record, serial, serial),
    FIELD(struct ompd_cl_registry_ledger_record, state, state),
    FIELD(struct ompd_cl_registry_ledger_record, action, action),
    FIELD(struct ompd_cl_registry_ledger_record, ending, ending),
    FIELD(struct ompd_cl_registry_ledger_record, object, object),
    FIELD(struct ompd_cl_registry_ledger_record, caller, caller),
    FIELD(struct ompd_cl_registry_ledger_record, at, at),
    FIELD(struct ompd_cl_registry_ledger_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_ledger_record, stack, stack),
    FIELD(struct ompd_cl_registry_ledger_record, references, references),
};

static const struct ompd_cl_registry_field call_fields[] = {
    FIELD(struct ompd_cl_registry_call_record, change, change),
    FIELD(struct ompd_cl_registry_call_record, handle, handle),
    FIELD(struct ompd_cl_registry_call_record, moment, moment),
    FIELD(struct ompd_cl_registry_call_record, state, state),
    FIELD(struct ompd_cl_registry_call_record, what, what),
    FIELD(struct ompd_cl_registry_call_record, caller, caller),
    FIELD(struct ompd_cl_registry_call_record, at, at),
    FIELD(struct ompd_cl_registry_call_record, lwp, lwp),
    FIELD(struct ompd_cl_registry_call_record, stack, stack),
    FIELD(struct ompd_cl_registry_call_record, error, error),
};

static const struct ompd_cl_registry_field notification_fields[] = {
    OBJECT_FIELDS(struct ompd_cl_registry_notification_record),
    CONTEXT_FIELDS(struct ompd_cl_registry_notification_record),
    PARENT_FIELDS(struct ompd_cl_registry_notification_record),
    FIELD(struct ompd_cl_registry_notification_record, object.type, type),
    FIELD(struct ompd_cl_registry_notification_record, run, run),
    FIELD(struct ompd_cl_registry_notification_record, object_table, object_table),
    FIELD(struct ompd_cl_registry_notification_record, object_handle, object_handle),
    FIELD(struct ompd_cl_registry_notification_record, function, function),
    FIELD(struct ompd_cl_registry_notification_record, user_data, user_data),
    FIELD(struct ompd_cl_registry_notification_record, user_data_place, user_data_place),
};

static const struct ompd_cl_registry_field argument_block_fields[] = {
    FIELD(struct ompd_cl_registry_argument_block_record, next, next),
    FIELD(struct ompd_cl_registry_argument_block_record, first, first_argument),
    FIELD(struct ompd_cl_registry_argument_block_record, state, state),
    FIELD(struct ompd_cl_registry_argument_block_record, forms, argument_forms),
    FIELD(struct ompd_cl_registry_argument_block_record, values, argument_values),
};

#define DESCRIPTION(table)                                                                         \
    [ompd_cl_registry_##                                                                           \
        table] = {table##_fields, sizeof(table##_fields) / sizeof(table##_fields[0])}

static const struct {
    const struct ompd_cl_registry_field *fields;
    uint16_t count;
} descriptions[RECORDER_TABLE_LIMIT] = {
    DESCRIPTION(context),        DESCRIPTION(queue),   DESCRIPTION(memobj),
    DESCRIPTION(program),        DESCRIPTION(kernel),  DESCRIPTION(sampler),
    DESCRIPTION(event),          DESCRIPTION(svm),     DESCRIPTION(svm_free),
    DESCRIPTION(callback),       DESCRIPTION(address), DESCRIPTION(stack),
    DESCRIPTION(platform),       DESCRIPTION(thread),  DESCRIPTION(command),
    DESCRIPTION(device),         DESCRIPTION(gone),    DESCRIPTION(error),
    DESCRIPTION(ledger),         DESCRIPTION(call),    DESCRIPTION(notification),
    DESCRIPTION(argument_block),
};

struct ompd_cl_registry_root *recorder_root(void)
{
    return &ompd_opencl_registry;
}

#define ROOM(member) (sizeof(ompd_opencl_registry.member) / sizeof(ompd_opencl_registry.member[0]))
/* Tables that every reader of this major version looks for, and fields that it has room for; and
 * tables that those of version 1.4 do. */
#define TABLE_ROOM ROOM(tables)
#define FIELD_ROOM ROOM(fields)
#define MORE_TABLE_ROOM ROOM(more_tables)

struct ompd_cl_registry_table *recorder_table_description(uint32_t id)
{
    struct ompd_cl_registry_root *root = &ompd_opencl_registry;
    if (id <= TABLE_ROOM) {
        return &root->tables[id - 1];
    }
    id -= TABLE_ROOM;
    return id <= MORE_TABLE_ROOM ? &root->more_tables[id - 1]
                                 : &root->last_tables[id - 1 - MORE_TABLE_ROOM];
}

static void table_describe(struct ompd_cl_registry_root *root, uint32_t id)
{
    struct ompd_cl_registry_table *table = recorder_table_description(id);
    table->id = id;
    table->record_size = recorder_tables[id].record_size;
    table->records_per_chunk = RECORDER_RECORDS_PER_CHUNK;
    table->directory = (uintptr_t)recorder_tables[id].directory;
    table->directory_entry_size = sizeof(struct ompd_cl_registry_chunk);
    table->first_field = (uint16_t)(root->field_count + root->more_field_count);
    table->field_count = descriptions[id].count;
    for (uint16_t i = 0; i < descriptions[id].count; i++) {
        if (root->field_count < FIELD_ROOM) {
            root->fields[root->field_count++] = descriptions[id].fields[i];
        } else {
            root->more_fields[root->more_field_count++] = descriptions[id].fields[i];
        }
    }
}

void recorder_process_name(uint32_t parent)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_REALTIME, &time);
    ompd_opencl_registry.pid = (uint32_t)getpid();
    ompd_opencl_registry.forked_from = parent;
    ompd_opencl_registry.identity =
        ((uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec) | 1;
}

void recorder_registry_publish(uint32_t stack_depth, uint32_t switches)
{
    struct ompd_cl_registry_root *root = &ompd_opencl_registry;
    stack_fields[2].size = (uint16_t)(8 * stack_depth);
    root->byte_order = OMPD_CL_REGISTRY_BYTE_ORDER;
    root->major = OMPD_CL_REGISTRY_MAJOR;
    root->minor = OMPD_CL_REGISTRY_MINOR;
    root->root_size = sizeof(*root);
    root->pointer_size = sizeof(void *);
    recorder_process_name(0);
    root->switches = switches;
    root->stack_depth = stack_depth;
    for (uint32_t id = 1; id < RECORDER_TABLE_LIMIT; id++) {
        table_describe(root, id);
    }
    root->table_count = TABLE_ROOM;
    root->more_table_count = MORE_TABLE_ROOM;
    root->last_table_count = OMPD_CL_REGISTRY_TABLE_COUNT - TABLE_ROOM - MORE_TABLE_ROOM;
    uint64_t magic;
    memcpy(&magic, OMPD_CL_REGISTRY_MAGIC, sizeof(magic));
    __atomic_store_n((uint64_t *)(void *)root->magic, magic, __ATOMIC_RELEASE);
}

void recorder_count_over_release(uint64_t handle)
{
    __atomic_store_n(&ompd_opencl_registry.counts.last_over_released, handle, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ompd_opencl_registry.counts.over_releases, 1, __ATOMIC_RELAXED);
}

void recorder_count_unknown_handle(void)
{
    __atomic_fetch_add(&ompd_opencl_registry.counts.unknown_handles, 1, __ATOMIC_RELAXED);
}

void recorder_count_not_recorded(void)
{
    __atomic_fetch_add(&ompd_opencl_registry.counts.not_recorded, 1, __ATOMIC_RELAXED);
}
