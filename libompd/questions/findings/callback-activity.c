/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about running callbacks: they wait in OpenCL, or release their own object. */
#include "questions/findings/findings.h"

/* The activities of a thread, from the innermost outwards. */
struct thread_activities {
    const ompd_cl_thread_info_t *thread;
    ompd_cl_activity_info_t innermost; /* struct_size 0: none so far */
    uint64_t released; /* handle that a call within the next callback releases; 0: none */
    ompd_cl_value_t release;
};

static bool call_waits(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_WAITING >> state & 1) != 0;
}

static bool runs_callback(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_IN_CALLBACK >> state & 1) != 0;
}

/* The kind of the object that a thread in STATE waits for; 0: none that has rows. */
static uint32_t kind_of_wait(uint64_t state)
{
    return state == ompd_cl_thread_state_waits_for_queue ||
                   state == ompd_cl_thread_state_waits_for_transfer
               ? ompd_cl_kind_queue
               : 0;
}

/* The kind of the object that a callback in STATE is called for; 0: unknown. */
static uint32_t kind_called_for(uint64_t state)
{
    switch (state) {
    case ompd_cl_thread_state_runs_svm_free:
        return ompd_cl_kind_queue;
    case ompd_cl_thread_state_runs_event_callback:
        return ompd_cl_kind_event;
    case ompd_cl_thread_state_runs_build_callback:
        return ompd_cl_kind_program;
    default:
        return 0;
    }
}

/* Whether the recorder has reported the call in FINDING when it began. */
static bool is_recorded_call(const struct row_visit *visit, const ompd_cl_finding_info_t *finding)
{
    const ompd_cl_finding_info_t *rows = visit->kept->rows;

    for (uint32_t i = 0; i < visit->kept->count; i++)
        if (rows[i].rule.value == finding->rule.value &&
            rows[i].head.source.value == ompd_cl_source_recorder &&
            rows[i].call.value == finding->call.value &&
            rows[i].function.value == finding->function.value &&
            rows[i].head.caller.status == ompd_cl_status_value)
            return true;
    return false;
}

/* Add a finding of RULE about the callback in ROW, within which CALL is made. */
static ompd_rc_t add_callback_finding(struct row_visit *visit, ompd_cl_finding_kind_t rule,
                                      const ompd_cl_activity_info_t *row,
                                      const ompd_cl_value_t *call)
{
    const struct thread_activities *activities = visit->rule;
    const ompd_cl_activity_info_t *innermost = &activities->innermost;
    ompd_cl_finding_info_t finding;
    uint32_t kind = kind_of_wait(innermost->state.value);
    uint32_t called_for = kind_called_for(row->state.value);

    finding_begin(&finding, rule, ompd_cl_kind_activity, NULL);
    if (row->head.source.value == ompd_cl_source_stack)
        finding_presume(&finding);
    if (called_for != 0)
        finding_set(&finding, &finding.object_kind, called_for);
    text_set(&finding.clause, ompd_cl_source_none, clause_of_callback(rule, called_for));
    finding.object = row->object;
    finding.function = row->function;
    finding.thread = activities->thread->head.handle;
    finding.call = *call;
    if (rule == ompd_cl_finding_callback_waits) {
        finding.other = innermost->object;
        if (kind != 0)
            finding_set(&finding, &finding.other_kind, kind);
    }
    if (is_recorded_call(visit, &finding))
        return ompd_rc_ok;
    return finding_add(visit, &finding);
}

/* A callback is examined after the activities within it. */
static ompd_rc_t check_running_callback(struct row_visit *visit, const ompd_cl_activity_info_t *row)
{
    struct thread_activities *activities = visit->rule;
    const ompd_cl_activity_info_t *innermost = &activities->innermost;
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    /* Of the callbacks of builds OpenCL does not say that they may not wait. */
    if (innermost->head.struct_size != 0 && call_waits(innermost->state.value) &&
        row->state.value != ompd_cl_thread_state_runs_build_callback)
        rc = add_callback_finding(visit, ompd_cl_finding_callback_waits, row, &innermost->call);
    if (rc == ompd_rc_ok && row->state.value == ompd_cl_thread_state_runs_destructor &&
        value_is_known(&row->object, &handle) && handle != 0 && handle == activities->released)
        rc = add_callback_finding(visit, ompd_cl_finding_callback_releases, row,
                                  &activities->release);
    return rc;
}

static ompd_rc_t check_activity(struct row_visit *visit, const void *row)
{
    struct thread_activities *activities = visit->rule;
    const ompd_cl_activity_info_t *info = row;
    uint64_t state;
    uint64_t call;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_known(&info->state, &state) && runs_callback(state))
        rc = check_running_callback(visit, info);
    if (activities->innermost.head.struct_size == 0)
        activities->innermost = *info;
    if (value_is_known(&info->call, &call) && call == ompd_cl_call_clReleaseMemObject &&
        value_is_known(&info->object, &activities->released))
        activities->release = info->call;
    return rc;
}

static ompd_rc_t check_thread_callbacks(struct row_visit *visit, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct thread_activities activities = {.thread = thread};
    uint64_t depth;
    ompd_rc_t rc;

    if (!value_is_known(&thread->depth, &depth) || depth < 2)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_activity, thread->head.id, check_activity, &activities);
    return rc == ompd_rc_stale_handle ? ompd_rc_ok : rc;
}

ompd_rc_t callback_activity_check(struct row_visit *visit)
{
    return row_visit_all(visit, ompd_cl_kind_thread, 0, check_thread_callbacks, NULL);
}
