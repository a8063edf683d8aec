/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/recorder/recorder.h"

#include <string.h>

#define VALUE ompd_cl_status_value
#define UNKNOWN ompd_cl_status_unknown
#define NONE ompd_cl_status_not_applicable

/* A member that is the record's field of the same name, or of another. */
#define COLUMN(member, status_of_zero)                                                             \
    {                                                                                              \
        offsetof(INFO, member), ompd_cl_registry_field_##member, status_of_zero                    \
    }
#define RENAMED(member, field, status_of_zero)                                                     \
    {                                                                                              \
        offsetof(INFO, member), ompd_cl_registry_field_##field, status_of_zero                     \
    }

/* Who made it, where and when. */
#define MADE_BY COLUMN(lwp, UNKNOWN), COLUMN(caller, UNKNOWN), COLUMN(stack, UNKNOWN)
#define ORDER RENAMED(order, serial, UNKNOWN)

#define INFO ompd_cl_platform_info_t
static const struct column platform_columns[] = {COLUMN(handle, VALUE)};
#undef INFO

#define INFO ompd_cl_context_info_t
static const struct column context_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(devices, device_count, VALUE),
    COLUMN(references, VALUE),
    COLUMN(children, VALUE),
    COLUMN(state, VALUE),
    RENAMED(destructor_count, callback_count, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_queue_info_t
static const struct column queue_columns[] = {
    COLUMN(handle, VALUE),
    COLUMN(device, VALUE),
    RENAMED(properties, flags, VALUE),
    COLUMN(references, VALUE),
    COLUMN(svm_frees, VALUE),
    COLUMN(state, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_memobj_info_t
static const struct column memobj_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(kind, type, UNKNOWN),
    COLUMN(size, VALUE),
    COLUMN(flags, VALUE),
    COLUMN(references, VALUE),
    RENAMED(parent, parent_handle, NONE),
    COLUMN(origin, VALUE),
    COLUMN(host_pointer, NONE),
    COLUMN(sharing, NONE),
    COLUMN(sharing_name, NONE),
    COLUMN(children, VALUE),
    COLUMN(state, VALUE),
    RENAMED(destructor_count, callback_count, VALUE),
    COLUMN(map_count, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_destructor_info_t
static const struct column destructor_columns[] = {
    COLUMN(function, VALUE),
    COLUMN(user_data, VALUE),
    COLUMN(user_data_place, NONE),
    RENAMED(state, run, VALUE),
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_svm_info_t
static const struct column svm_columns[] = {
    RENAMED(pointer, handle, VALUE),
    RENAMED(kind, type, UNKNOWN),
    COLUMN(size, VALUE),
    COLUMN(flags, VALUE),
    COLUMN(alignment, VALUE),
    COLUMN(state, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_svm_free_info_t
static const struct column svm_free_columns[] = {
    RENAMED(queue, queue_handle, VALUE),
    COLUMN(pointer_count, VALUE),
    COLUMN(function, NONE),
    COLUMN(user_data, VALUE),
    COLUMN(user_data_place, NONE),
    COLUMN(wait_count, VALUE),
    COLUMN(event, NONE),
    RENAMED(state, run, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_svm_pointer_info_t
static const struct column svm_pointer_columns[] = {
    RENAMED(pointer, handle, VALUE),
    COLUMN(from_svm_alloc, VALUE),
};
#undef INFO

#define INFO ompd_cl_wait_info_t
static const struct column wait_columns[] = {RENAMED(event, handle, VALUE)};
#undef INFO

#define INFO ompd_cl_device_info_t
static const struct column device_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(type, flags, UNKNOWN),
};
#undef INFO

#define INFO ompd_cl_command_info_t
static const struct column command_columns[] = {
    RENAMED(queue, queue_handle, VALUE),
    COLUMN(number, NONE),
    COLUMN(type, UNKNOWN),
    RENAMED(state, run, UNKNOWN),
    COLUMN(error, NONE),
    COLUMN(event, NONE),
    COLUMN(kernel, NONE),
    COLUMN(memobj, NONE),
    COLUMN(destination, NONE),
    COLUMN(wait_count, VALUE),
    COLUMN(is_blocking, VALUE),
    RENAMED(enqueued_at, at, UNKNOWN),
    COLUMN(argument_count, VALUE),
    COLUMN(failed_event, NONE),
    COLUMN(failed_status, UNKNOWN),
    RENAMED(failed_lwp, released_lwp, UNKNOWN),
    RENAMED(failed_caller, released_caller, UNKNOWN),
    RENAMED(failed_stack, released_stack, UNKNOWN),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_event_info_t
static const struct column event_columns[] = {
    COLUMN(handle, VALUE),
    COLUMN(type, UNKNOWN),
    RENAMED(queue, queue_handle, NONE),
    RENAMED(execution, run, UNKNOWN),
    COLUMN(error, NONE),
    COLUMN(number, NONE),
    COLUMN(references, VALUE),
    COLUMN(state, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_kernel_info_t
static const struct column kernel_columns[] = {
    COLUMN(handle, VALUE),
    COLUMN(references, VALUE),
    COLUMN(state, VALUE),
    COLUMN(argument_count, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_program_info_t
static const struct column program_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(build, run, NONE),
    RENAMED(build_error, error, NONE),
    COLUMN(references, VALUE),
    COLUMN(children, VALUE),
    COLUMN(state, VALUE),
    RENAMED(destructor_count, callback_count, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_sampler_info_t
static const struct column sampler_columns[] = {
    COLUMN(handle, VALUE),
    COLUMN(normalized, VALUE),
    COLUMN(addressing, UNKNOWN),
    COLUMN(filter, UNKNOWN),
    COLUMN(references, VALUE),
    COLUMN(state, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_thread_info_t
static const struct column thread_columns[] = {
    COLUMN(lwp, UNKNOWN),
    COLUMN(pthread, UNKNOWN),
    RENAMED(depth, activity_count, VALUE),
    COLUMN(is_caller, VALUE),
    ORDER,
};
#undef INFO

#define INFO ompd_cl_gone_info_t
static const struct column gone_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(kind, object, UNKNOWN),
    RENAMED(memobj_kind, type, NONE),
    COLUMN(size, VALUE),
    COLUMN(flags, VALUE),
    COLUMN(host_pointer, NONE),
    RENAMED(context, context_handle, UNKNOWN),
    RENAMED(parent, parent_handle, NONE),
    COLUMN(ending, UNKNOWN),
    COLUMN(released_lwp, UNKNOWN),
    COLUMN(released_caller, UNKNOWN),
    COLUMN(released_stack, UNKNOWN),
    COLUMN(ended_lwp, UNKNOWN),
    COLUMN(ended_at, UNKNOWN),
    RENAMED(end_order, ended, VALUE),
    COLUMN(map_count, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

#define INFO ompd_cl_error_info_t
static const struct column error_columns[] = {
    RENAMED(thread, lwp, UNKNOWN),
    RENAMED(call, what, UNKNOWN),
    COLUMN(handle, NONE),
    COLUMN(error, UNKNOWN),
    COLUMN(at, UNKNOWN),
    ORDER,
    COLUMN(caller, UNKNOWN),
    COLUMN(stack, UNKNOWN),
    COLUMN(released_lwp, UNKNOWN),
    COLUMN(released_caller, UNKNOWN),
    COLUMN(released_stack, UNKNOWN),
    COLUMN(kernel, UNKNOWN),
    COLUMN(argument, VALUE),
    COLUMN(size, VALUE),
    COLUMN(failed_status, UNKNOWN),
};
#undef INFO

#define INFO ompd_cl_ledger_info_t
static const struct column ledger_columns[] = {
    COLUMN(handle, VALUE),
    RENAMED(kind, object, UNKNOWN),
    RENAMED(number, change, VALUE),
    COLUMN(action, UNKNOWN),
    COLUMN(references, VALUE),
    COLUMN(ending, NONE),
    COLUMN(at, UNKNOWN),
    ORDER,
    COLUMN(lwp, UNKNOWN),
    COLUMN(caller, UNKNOWN),
    COLUMN(stack, UNKNOWN),
};
#undef INFO

#define INFO ompd_cl_call_info_t
static const struct column call_columns[] = {
    RENAMED(thread, lwp, UNKNOWN), RENAMED(call, what, UNKNOWN), COLUMN(handle, NONE),
    RENAMED(result, error, VALUE), COLUMN(at, UNKNOWN),          RENAMED(order, moment, UNKNOWN),
    COLUMN(caller, UNKNOWN),       COLUMN(stack, UNKNOWN),
};
#undef INFO

#define INFO ompd_cl_callback_info_t
static const struct column callback_columns[] = {
    RENAMED(handle, object_handle, UNKNOWN),
    RENAMED(kind, object_table, UNKNOWN),
    RENAMED(status, type, VALUE),
    COLUMN(function, VALUE),
    COLUMN(user_data, VALUE),
    COLUMN(user_data_place, NONE),
    RENAMED(state, run, VALUE),
    ORDER,
    MADE_BY,
};
#undef INFO

/* Which table and columns make the rows of each kind. */
static const struct row_origin {
    uint32_t table_id;
    uint32_t column_count;
    const struct column *columns;
} row_origins[] = {
#define ROW_ORIGIN(kind, table)                                                                    \
    [ompd_cl_kind_##kind] = {ompd_cl_registry_##table,                                             \
                             sizeof(kind##_columns) / sizeof(kind##_columns[0]), kind##_columns}
    ROW_ORIGIN(platform, platform),
    ROW_ORIGIN(context, context),
    ROW_ORIGIN(queue, queue),
    ROW_ORIGIN(memobj, memobj),
    ROW_ORIGIN(destructor, callback),
    ROW_ORIGIN(svm, svm),
    ROW_ORIGIN(svm_free, svm_free),
    ROW_ORIGIN(svm_pointer, address),
    ROW_ORIGIN(wait, address),
    ROW_ORIGIN(thread, thread),
    ROW_ORIGIN(event, event),
    ROW_ORIGIN(kernel, kernel),
    ROW_ORIGIN(program, program),
    ROW_ORIGIN(device, device),
    ROW_ORIGIN(command, command),
    ROW_ORIGIN(sampler, sampler),
    ROW_ORIGIN(gone, gone),
    ROW_ORIGIN(error, error),
    ROW_ORIGIN(ledger, ledger),
    ROW_ORIGIN(call, call),
    ROW_ORIGIN(callback, notification),
};

#define KIND_COUNT (sizeof(row_origins) / sizeof(row_origins[0]))

uint32_t record_decoder_table(uint32_t kind)
{
    return kind < KIND_COUNT ? row_origins[kind].table_id : 0;
}

/* The blank of KIND: nothing is known but that the record is the recorder's. */
static void make_blank(union row *blank, uint32_t kind)
{
    const struct kind *found = kind_find(kind);

    blank_fill(kind, blank, ompd_cl_source_recorder, ompd_cl_status_unknown);
    for (uint32_t i = 0; i < found->field_count; i++) {
        void *member = (char *)blank + found->fields[i].offset;

        if (strcmp(found->fields[i].name, "source") == 0)
            recorder_value_set(member, ompd_cl_source_recorder);
        if (strcmp(found->fields[i].name, "confidence") == 0)
            recorder_value_set(member, ompd_cl_confidence_certain);
        if (strcmp(found->fields[i].name, "doubt") == 0)
            recorder_value_lack(member, ompd_cl_status_not_applicable);
    }
    if (kind == ompd_cl_kind_memobj)
        image_fields_set_status(&blank->memobj, ompd_cl_status_not_applicable);
}

static void add_step(struct record_decoder *decoder, const struct column *column,
                     uint32_t stack_depth)
{
    struct registry_location location = decoder->table->locations[column->field];
    ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)&decoder->blank + column->to);
    struct decoder_step *step = &decoder->steps[decoder->step_count];

    if (location.size == 0)
        return;
    value->status = ompd_cl_status_value;
    step->to = column->to;
    step->from = location.offset;
    step->size = (uint8_t)location.size;
    step->status_of_zero = column->status_of_zero;
    /* A recorder that was not asked for call stacks has none: the field does not apply, rather than
     * being unknown. */
    if ((column->field == ompd_cl_registry_field_stack ||
         column->field == ompd_cl_registry_field_released_stack) &&
        stack_depth <= 1)
        step->status_of_zero = ompd_cl_status_not_applicable;
    decoder->step_count++;
}

/* Add the steps of ROW_ORIGIN whose field has SIZE bytes; 0 stands for less than four. */
static void add_steps(struct record_decoder *decoder, const struct row_origin *row_origin,
                      uint32_t size, uint32_t stack_depth)
{
    for (uint32_t i = 0; i < row_origin->column_count; i++) {
        uint32_t actual = decoder->table->locations[row_origin->columns[i].field].size;

        if ((actual < 4 ? 0 : actual) == size)
            add_step(decoder, &row_origin->columns[i], stack_depth);
    }
}

void record_decoders_make(struct record_decoders *decoders, const struct registry *registry)
{
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        const struct row_origin *row_origin = &row_origins[kind];
        struct record_decoder *decoder = &decoders->of_kind[kind];

        decoder->step_count = 0;
        if (row_origin->table_id == 0)
            continue;
        decoder->table = &registry->tables[row_origin->table_id];
        decoder->struct_size = kind_find(kind)->struct_size;
        make_blank(&decoder->blank, kind);
        add_steps(decoder, row_origin, 8, registry->stack_depth);
        decoder->eight_end = decoder->step_count;
        add_steps(decoder, row_origin, 4, registry->stack_depth);
        decoder->four_end = decoder->step_count;
        add_steps(decoder, row_origin, 0, registry->stack_depth);
    }
}
