/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the functions that Embree calls: memory monitors, error functions and progress
 * monitors. Their code must be there, and so must the memory that their user pointers point to. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

#include <stddef.h>

/* A function of rows of KIND, and the user pointer that it gets. */
struct embree_callback {
    uint32_t kind;
    uint16_t function;
    uint16_t user_data;
    bool is_called_for_sure; /* as long as the object has memory; others are called if something
                                happens that may never happen */
};

#define AT(kind, member) offsetof(ompd_cl_embree_##kind##_info_t, member)

static const struct embree_callback callbacks[] = {
    {ompd_cl_kind_embree_device, AT(device, monitor), AT(device, monitor_data), true},
    {ompd_cl_kind_embree_device, AT(device, error_function), AT(device, error_data), false},
    {ompd_cl_kind_embree_scene, AT(scene, progress_function), AT(scene, progress_data), false},
};

#define CALLBACK_COUNT (sizeof(callbacks) / sizeof(callbacks[0]))

/* The user pointers of one kind of function, and memory that the program has freed. */
struct embree_user_data {
    const struct embree_callback *callback;
    struct extents pointers; /* as one byte each */
    struct freed_memory freed;
    struct extents stacks;
};

static const ompd_cl_value_t *embree_value(const void *row, uint16_t offset)
{
    return (const void *)((const char *)row + offset);
}

/* Whether the function of ROW is called for each allocation, and there is memory to free. */
static bool will_be_called(const struct embree_callback *callback, const void *row)
{
    const ompd_cl_embree_device_info_t *device = row;

    return callback->is_called_for_sure && device->bytes.value != 0 &&
           (device->bytes.status == ompd_cl_status_value ||
            device->bytes.status == ompd_cl_status_at_least);
}

/* ---- Code ------------------------------------------------------------------------------------ */

static ompd_rc_t check_embree_code(struct row_visit *visit, const void *row)
{
    const struct embree_callback *callback = visit->rule;
    const ompd_cl_value_t *function = embree_value(row, callback->function);
    ompd_cl_finding_info_t finding;
    uint64_t address;
    bool is_gone;
    ompd_rc_t rc;

    if (!value_is_known(function, &address) || address == 0)
        return ompd_rc_ok;
    rc = callback_code_find(visit, address, &is_gone);
    if (rc != ompd_rc_ok || !is_gone ||
        !finding_begin(&finding, ompd_cl_finding_callback_code, callback->kind, row))
        return rc;
    finding.function = *function;
    text_set(&finding.clause, ompd_cl_source_none,
             clause_of_embree(ompd_cl_finding_callback_code, callback->kind));
    if (!will_be_called(callback, row))
        finding_presume(&finding);
    return finding_add(visit, &finding);
}

/* ---- User pointers --------------------------------------------------------------------------- */

/* Add the user pointer of ROW. It may be any number, so that only memory which the program has had
 * at that address proves that it is a pointer. */
static ompd_rc_t add_user_pointer(struct row_visit *visit, const void *row)
{
    struct embree_user_data *data = visit->rule;
    uint64_t function;
    uint64_t address;

    if (!value_is_known(embree_value(row, data->callback->function), &function) || function == 0 ||
        !value_is_known(embree_value(row, data->callback->user_data), &address) || address == 0)
        return ompd_rc_ok;
    return extents_add(&data->pointers, visit->space->target.memory,
                       (struct extent){.start = address,
                                       .end = address + 1,
                                       .id = ((const ompd_cl_object_head_t *)row)->id});
}

/* It is presumed, because the function may not use its user pointer. */
static ompd_rc_t add_embree_data_finding(struct row_visit *visit,
                                         const struct embree_user_data *data,
                                         const struct extent *pointer, ompd_cl_finding_kind_t rule,
                                         uint64_t lwp)
{
    const struct embree_callback *callback = data->callback;
    ompd_cl_finding_info_t finding;
    union row row = {.struct_size = kind_find(callback->kind)->struct_size};
    ompd_rc_t rc;

    if (!row_visit_get(visit, callback->kind, pointer->id, &row, &rc) ||
        !finding_begin(&finding, rule, callback->kind, &row))
        return rc;
    finding.function = *embree_value(&row, callback->function);
    finding_set(&finding, &finding.address, pointer->start);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    text_set(&finding.clause, ompd_cl_source_none, clause_of_embree(rule, callback->kind));
    finding_presume(&finding);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_user_pointer(struct row_visit *visit, struct embree_user_data *data,
                                    const struct extent *pointer)
{
    const struct extent *stack;

    if (freed_memory_has(visit, &data->freed, pointer->start))
        return add_embree_data_finding(visit, data, pointer, ompd_cl_finding_user_data_freed, 0);
    stack = extents_find(&data->stacks, pointer->start);
    if (stack != NULL)
        return add_embree_data_finding(visit, data, pointer, ompd_cl_finding_user_data_on_stack,
                                       stack->id);
    return ompd_rc_ok;
}

/* Check the user pointers of one kind of function, by ascending address. */
static ompd_rc_t check_user_pointers(struct row_visit *visit, struct embree_user_data *data)
{
    ompd_rc_t rc;

    data->pointers.count = 0;
    rc = embree_visit(visit, data->callback->kind, add_user_pointer, data);
    if (rc == ompd_rc_ok && data->pointers.count != 0 && data->stacks.count == 0)
        rc = dead_stacks_read(visit, &data->stacks);
    extents_sort(&data->pointers);
    for (uint32_t i = 0; i < data->pointers.count && rc == ompd_rc_ok; i++)
        rc = check_user_pointer(visit, data, &data->pointers.all[i]);
    return rc;
}

/* ---- The rules ------------------------------------------------------------------------------- */

ompd_rc_t embree_visit(struct row_visit *visit, uint32_t kind, row_visitor_t visitor, void *rule)
{
    ompd_rc_t rc = row_visit_all(visit, kind, 0, visitor, rule);

    /* There is no Embree, or it cannot be found. */
    if (rc == ompd_rc_unavailable || rc == ompd_rc_unsupported) {
        message_clear(&visit->space->message);
        return ompd_rc_ok;
    }
    return rc;
}

ompd_rc_t embree_callbacks_check(struct row_visit *visit)
{
    struct embree_user_data data = {.callback = NULL};
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < CALLBACK_COUNT && rc == ompd_rc_ok; i++)
        rc = embree_visit(visit, callbacks[i].kind, check_embree_code, (void *)&callbacks[i]);
    for (size_t i = 0; i < CALLBACK_COUNT && rc == ompd_rc_ok; i++) {
        data.callback = &callbacks[i];
        rc = check_user_pointers(visit, &data);
    }
    freed_memory_free(&data.freed, visit);
    extents_free(&data.pointers, visit->space->target.memory);
    extents_free(&data.stacks, visit->space->target.memory);
    return rc;
}
