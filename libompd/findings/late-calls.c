/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/late-calls.h"

#include "session/sources.h"
#include "target/program-exit.h"

/* What is known of the process. */
struct process {
    uint64_t parent; /* pid; 0: it was not forked, or that is not known */
    struct program_exit exit;
    bool is_looked_at; /* the call stacks of its threads were, for `exit` */
    bool is_exiting;
};

/* Tell whether the program runs the handlers of exit().  All call stacks are looked at once. */
static bool is_exiting(struct taking *taking, struct process *process)
{
    struct address_space *space = taking->space;

    if (!process->is_looked_at)
        process->is_exiting = program_exit_find(&space->target, &space->stack, &process->exit) &&
                              !process->exit.is_immediate;
    process->is_looked_at = true;
    return process->is_exiting;
}

/* Keep a finding of RULE about the call that THREAD is in; OTHER is a thread, or a process. */
static ompd_rc_t keep(struct taking *taking, ompd_cl_rule_t rule,
                      const ompd_cl_thread_info_t *thread, uint64_t other)
{
    ompd_cl_finding_info_t finding;

    finding_begin(&finding, rule, ompd_cl_kind_thread, NULL);
    /* A runtime may live through it. */
    if (rule == ompd_cl_rule_exiting)
        finding_presume(&finding);
    finding.source = thread->source;
    finding.object = thread->handle;
    finding.thread = thread->lwp;
    finding.call = thread->call;
    finding_set(&finding, &finding.other_lwp, other);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check_thread(struct taking *taking, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct process *process = taking->rule;
    uint64_t call;
    uint64_t lwp;

    if (!value_is_known(&thread->call, &call) || !value_is_known(&thread->lwp, &lwp))
        return ompd_rc_ok;
    if (process->parent != 0)
        return keep(taking, ompd_cl_rule_forked, thread, process->parent);
    if (is_exiting(taking, process))
        return keep(taking, ompd_cl_rule_exiting, thread, process->exit.lwp);
    return ompd_rc_ok;
}

ompd_rc_t late_calls_check(struct taking *taking)
{
    struct process process = {.parent = 0};
    ompd_rc_t rc;

    if (sources_have_recorder(taking->space))
        process.parent = taking->space->registry.forked_from;
    taking->rule = &process;
    rc = taking_walk(taking, ompd_cl_kind_thread, 0, check_thread);
    taking->rule = NULL;
    /* Neither a recorder nor the tool tells threads. */
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
