/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about OpenCL calls that the runtime may no longer serve: in the child of a fork(), which
 * lacks the runtime's threads, and while the program is in exit(), which ends the runtime. */
#include "questions/findings/findings.h"

/* The state of the process. */
struct process {
    uint64_t parent; /* pid; 0: it was not forked, or that is not known */
    struct program_exit exit;
    bool is_searched; /* the call stacks of its threads were, for `exit` */
    bool is_exiting;
    uint64_t alive; /* live objects that the recorder knows; 0: unknown */
};

/* Count the objects that are still there.  Returns ompd_rc_ok; ompd_rc_nomem and other final ones.
 */
static ompd_rc_t count_alive(struct row_visit *visit, struct process *process)
{
    if (!address_space_has_recorder(visit->space))
        return ompd_rc_ok;
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_svm; table++) {
        struct live_counts tally;
        ompd_rc_t rc = live_counts_read(&tally, visit->space, table);

        if (rc_is_final(rc))
            return rc;
        shortfall_note(visit->missing, rc == ompd_rc_incomplete);
        process->alive += tally.counts[0] - tally.presumed;
    }
    return ompd_rc_ok;
}

/* Return whether the program runs the handlers of exit(). All call stacks are examined once. */
static ompd_rc_t find_exit(struct row_visit *visit, struct process *process)
{
    struct address_space *space = visit->space;

    if (process->is_searched)
        return ompd_rc_ok;
    process->is_searched = true;
    process->is_exiting = program_exit_find(&space->target, &space->stack, &process->exit) &&
                          !process->exit.is_immediate;
    return process->is_exiting ? count_alive(visit, process) : ompd_rc_ok;
}

/* Add a finding of RULE about the call that THREAD is in; OTHER is a thread, or a process. */
static ompd_rc_t add_late_finding(struct row_visit *visit, ompd_cl_finding_kind_t rule,
                                  const ompd_cl_thread_info_t *thread, uint64_t other,
                                  uint64_t alive)
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
    return finding_add(visit, &finding);
}

static ompd_rc_t check_late_thread(struct row_visit *visit, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct process *process = visit->rule;
    uint64_t call;
    uint64_t lwp;
    ompd_rc_t rc;

    if (!value_is_known(&thread->call, &call) || !value_is_known(&thread->head.handle, &lwp))
        return ompd_rc_ok;
    if (process->parent != 0)
        return add_late_finding(visit, ompd_cl_finding_forked, thread, process->parent, 0);
    rc = find_exit(visit, process);
    if (rc == ompd_rc_ok && process->is_exiting)
        rc = add_late_finding(visit, ompd_cl_finding_exiting, thread, process->exit.lwp,
                              process->alive);
    return rc;
}

ompd_rc_t late_calls_check(struct row_visit *visit)
{
    struct process process = {.parent = 0};

    if (address_space_has_recorder(visit->space))
        process.parent = visit->space->recorder->registry.forked_from;
    return row_visit_all(visit, ompd_cl_kind_thread, 0, check_late_thread, &process);
}
