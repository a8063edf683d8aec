/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

/* What is known of the process. */
struct process {
    uint64_t parent; /* pid; 0: it was not forked, or that is not known */
    struct program_exit exit;
    bool is_looked_at; /* the call stacks of its threads were, for `exit` */
    bool is_exiting;
    uint64_t alive; /* objects that the recorder knows to be there; 0: that is not known */
};

/* Count the objects that are still there.  Returns ompd_rc_ok; ompd_rc_nomem and other final ones.
 */
static ompd_rc_t count_alive(struct taking *taking, struct process *process)
{
    if (!address_space_has_recorder(taking->space))
        return ompd_rc_ok;
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_svm; table++) {
        struct record_tally tally;
        ompd_rc_t rc = record_tally_take(&tally, taking->space, table);

        if (rc_is_final(rc))
            return rc;
        shortfall_note(taking->missing, rc == ompd_rc_incomplete);
        process->alive += tally.counts[0] - tally.presumed;
    }
    return ompd_rc_ok;
}

/* Tell whether the program runs the handlers of exit().  All call stacks are looked at once. */
static ompd_rc_t look_for_exit(struct taking *taking, struct process *process)
{
    struct address_space *space = taking->space;

    if (process->is_looked_at)
        return ompd_rc_ok;
    process->is_looked_at = true;
    process->is_exiting = program_exit_find(&space->target, &space->stack, &process->exit) &&
                          !process->exit.is_immediate;
    return process->is_exiting ? count_alive(taking, process) : ompd_rc_ok;
}

/* Keep a finding of RULE about the call that THREAD is in; OTHER is a thread, or a process. */
static ompd_rc_t keep(struct taking *taking, ompd_cl_finding_kind_t rule,
                      const ompd_cl_thread_info_t *thread, uint64_t other, uint64_t alive)
{
    ompd_cl_finding_info_t finding;

    finding_begin(&finding, rule, ompd_cl_kind_thread, NULL);
    /* A runtime may live through it. */
    if (rule == ompd_cl_finding_exiting)
        finding_presume(&finding);
    finding.head.source = thread->head.source;
    finding.object = thread->object;
    finding.thread = thread->head.handle;
    finding.call = thread->call;
    finding_set(&finding, &finding.other_lwp, other);
    if (alive != 0)
        recorder_value_set(&finding.count, alive);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_thread(struct taking *taking, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct process *process = taking->rule;
    uint64_t call;
    uint64_t lwp;
    ompd_rc_t rc;

    if (!value_is_known(&thread->call, &call) || !value_is_known(&thread->head.handle, &lwp))
        return ompd_rc_ok;
    if (process->parent != 0)
        return keep(taking, ompd_cl_finding_forked, thread, process->parent, 0);
    rc = look_for_exit(taking, process);
    if (rc == ompd_rc_ok && process->is_exiting)
        rc = keep(taking, ompd_cl_finding_exiting, thread, process->exit.lwp, process->alive);
    return rc;
}

ompd_rc_t late_calls_check(struct taking *taking)
{
    struct process process = {.parent = 0};

    if (address_space_has_recorder(taking->space))
        process.parent = taking->space->recorder->registry.forked_from;
    return taking_walk(taking, ompd_cl_kind_thread, 0, check_thread, &process);
}
