/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about Embree that are no mistakes: an error that was not read, and a thread in a memory
 * monitor. */
#include "questions/findings/findings.h"

#include "target/machine.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Whether the program has an error function, or may have one: it need not ask for errors. */
static bool may_have_error_function(const ompd_cl_embree_device_info_t *device)
{
    uint64_t function;

    if (device->error_function.status == ompd_cl_status_not_applicable)
        return false;
    return !value_is_known(&device->error_function, &function) || function != 0;
}

static ompd_rc_t check_embree_error(struct row_visit *visit, const void *row)
{
    const ompd_cl_embree_device_info_t *device = row;
    ompd_cl_finding_info_t finding;
    uint64_t error;

    if (!value_is_known(&device->pending_error, &error) || error == 0 ||
        may_have_error_function(device) ||
        !finding_begin(&finding, ompd_cl_finding_embree_error, ompd_cl_kind_embree_device, row))
        return ompd_rc_ok;
    finding_set(&finding, &finding.error, error);
    return finding_add(visit, &finding);
}

ompd_rc_t embree_errors_check(struct row_visit *visit)
{
    return embree_visit(visit, ompd_cl_kind_embree_device, check_embree_error, NULL);
}

/* ---- Memory monitors ------------------------------------------------------------------------- */

struct monitors {
    struct extents functions; /* as one byte each: `id` is that of the device */
    struct extents modules;   /* the copies of libembree of these devices */
};

/* Add the monitor of ROW, and the module of its device, whose first word is in it. */
static ompd_rc_t add_monitor(struct row_visit *visit, const void *row)
{
    const ompd_cl_embree_device_info_t *device = row;
    struct monitors *monitors = visit->rule;
    struct target *target = &visit->space->target;
    const struct owner_module *owner;
    uint64_t monitor;
    uint64_t word;
    ompd_rc_t rc;

    if (!value_is_known(&device->monitor, &monitor) || monitor == 0 ||
        !target_word(target, device->head.handle.value, &word))
        return ompd_rc_ok;
    owner = owner_module_find(&visit->space->stacks->owners, word);
    if (owner == NULL)
        return ompd_rc_ok;
    rc = extents_add(&monitors->functions, target->memory,
                     (struct extent){.start = monitor, .end = monitor + 1, .id = device->head.id});
    if (rc != ompd_rc_ok ||
        (monitors->modules.count != 0 && extents_find(&monitors->modules, owner->start) != NULL))
        return rc;
    rc = extents_add(&monitors->modules, target->memory,
                     (struct extent){.start = owner->start, .end = owner->end});
    extents_sort(&monitors->modules);
    return rc;
}

/* The start of the function that FRAME is in; the place itself if that is unknown. */
static uint64_t function_start(struct address_space *space, const ompd_cl_frame_t *frame)
{
    uint64_t place = frame->is_caller != 0 ? frame->pc - 1 : frame->pc;
    const struct owner_module *owner = owner_module_find(&space->stacks->owners, place);
    struct module module;
    uint64_t start;
    uint64_t end;

    if (owner == NULL || module_get(&space->target, owner->index, &module) != ompd_rc_ok ||
        function_find(&space->target, &module, place, &start, &end) != ompd_rc_ok)
        return place;
    return start;
}

/* Add the finding that the thread LWP is in FUNCTION. If several devices have it, the one that
 * called it is unknown. */
static ompd_rc_t add_monitor_finding(struct row_visit *visit, const struct monitors *monitors,
                                     uint64_t function, uint64_t lwp)
{
    const struct extents *functions = &monitors->functions;
    uint64_t first = extents_first(functions, function);
    bool is_alone = first + 1 == functions->count || functions->all[first + 1].start != function;
    ompd_cl_embree_device_info_t device = {.head.struct_size = sizeof(device)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_embree_device, functions->all[first].id, &device, &rc) ||
        !finding_begin(&finding, ompd_cl_finding_embree_in_monitor, ompd_cl_kind_embree_device,
                       &device))
        return rc;
    if (!is_alone)
        plain_value_set_absent(&finding.object, ompd_cl_status_unknown);
    finding_set(&finding, &finding.function, function);
    finding_set(&finding, &finding.thread, lwp);
    return finding_add(visit, &finding);
}

/* Search the stack of LWP for a monitor that Embree has called. */
static ompd_rc_t check_monitor_stack(struct row_visit *visit, const struct monitors *monitors,
                                     uint64_t lwp)
{
    struct thread_stack *stack = &visit->space->stack;

    thread_stack_get(&visit->space->target, lwp, THREAD_FRAMES, stack);
    for (uint32_t i = 0; i + 1 < stack->frame_count; i++) {
        const ompd_cl_frame_t *frame = &stack->frames[i];
        const struct extent *function;

        if (extents_find(&monitors->modules, frame->pc) != NULL ||
            extents_find(&monitors->modules, frame[1].pc - 1) == NULL)
            continue;
        function = extents_find(&monitors->functions, function_start(visit->space, frame));
        if (function != NULL)
            return add_monitor_finding(visit, monitors, function->start, lwp);
    }
    return ompd_rc_ok;
}

static ompd_rc_t check_monitor_stacks(struct row_visit *visit, const struct monitors *monitors)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc;

    if (monitors->functions.count == 0)
        return ompd_rc_ok;
    for (uint32_t i = 0; (rc = thread_get(&visit->space->target, i, &thread)) == ompd_rc_ok; i++) {
        rc = check_monitor_stack(visit, monitors, thread.lwp);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t embree_monitors_check(struct row_visit *visit)
{
    struct monitors monitors = {.functions = {.count = 0}};
    ompd_rc_t rc = memory_owners_read(visit->space);

    if (rc == ompd_rc_ok)
        rc = embree_visit(visit, ompd_cl_kind_embree_device, add_monitor, &monitors);
    if (rc == ompd_rc_ok) {
        extents_sort(&monitors.functions);
        rc = check_monitor_stacks(visit, &monitors);
    }
    extents_free(&monitors.functions, visit->space->target.memory);
    extents_free(&monitors.modules, visit->space->target.memory);
    return rc;
}
