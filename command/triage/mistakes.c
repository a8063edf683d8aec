/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The results of `check` and `waits`, and what they say about the end of a process. */
#include <command/triage/triage.h>

#include <signal.h>

/* Set the bit NUMBER of *SET. */
static void set_bit(uint64_t *set, uint64_t number)
{
    if (number < 64)
        *set |= (uint64_t)1 << number;
}

static bool is_known(ompd_cl_value_t value)
{
    return value.status == ompd_cl_status_value || value.status == ompd_cl_status_presumed;
}

static bool is_presumed(ompd_cl_value_t value)
{
    return value.status == ompd_cl_status_presumed;
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void finding_record(struct command_mistakes *mistakes, struct command_session *session,
                           const ompd_cl_finding_info_t *finding)
{
    bool is_certain = finding->head.confidence.value == ompd_cl_confidence_certain &&
                      !is_presumed(finding->head.confidence);
    uint64_t lwp = (uint64_t)session->info.signal_lwp;

    /* A program may try what a device supports.  A failed build is a mistake only if the program
     * creates a kernel from it. */
    if (finding->rule.value == ompd_cl_finding_build_failed && !is_known(finding->thread)) {
        if (mistakes->failed_build.length == 0)
            command_session_words_add(session, ompd_cl_kind_finding, finding,
                                      &mistakes->failed_build);
        return;
    }
    mistakes->findings++;
    if (mistakes->findings == 1 || (is_certain && !mistakes->has_certain)) {
        text_clear(&mistakes->first);
        command_session_words_add(session, ompd_cl_kind_finding, finding, &mistakes->first);
    }
    mistakes->has_certain |= is_certain;
    set_bit(is_certain ? &mistakes->rules : &mistakes->presumed_rules, finding->rule.value);
    if (finding->rule.value != ompd_cl_finding_forked || !is_certain)
        return;
    mistakes->is_forked = true;
    mistakes->has_died_forked |= lwp != 0 && finding->thread.value == lwp;
}

static bool find_findings(struct command_mistakes *mistakes, struct command_session *session)
{
    const ompd_cl_finding_info_t *finding;
    struct command_rows rows;

    command_rows_open_optional(&rows, session, ompd_cl_kind_finding, NULL);
    if (!rows.is_open)
        return false;
    while ((finding = command_rows_next(&rows)) != NULL)
        finding_record(mistakes, session, finding);
    command_rows_close(&rows);
    return !command_session_has_failed(session);
}

/* ---- Waits ----------------------------------------------------------------------------------- */

/* A wait chain, step by step. */
struct chain {
    bool is_of_thread;
    bool is_presumed; /* one of its steps is */
};

static void wait_end_record(struct command_mistakes *mistakes, const struct chain *chain,
                            const ompd_cl_wait_step_info_t *step)
{
    bool is_mistake = is_known(step->is_mistake) && step->is_mistake.value != 0;

    if (is_mistake)
        set_bit(chain->is_presumed ? &mistakes->presumed_ends : &mistakes->ends, step->end.value);
    if (!chain->is_of_thread)
        return;
    mistakes->has_hanging |= is_mistake && !chain->is_presumed;
    mistakes->may_hang |= is_mistake && chain->is_presumed;
    mistakes->may_go_on |= !is_mistake && step->end.value == ompd_cl_wait_end_unknown;
}

static void take_hop(struct command_mistakes *mistakes, struct chain *chain,
                     const ompd_cl_wait_step_info_t *step)
{
    if (step->step.value == 1)
        *chain = (struct chain){.is_of_thread = step->object_kind.value == ompd_cl_kind_thread};
    chain->is_presumed |= is_presumed(step->state) || is_presumed(step->call) ||
                          is_presumed(step->returns_to) || is_presumed(step->end) ||
                          is_presumed(step->is_mistake);
    if (is_known(step->end))
        wait_end_record(mistakes, chain, step);
}

static bool find_ends(struct command_mistakes *mistakes, struct command_session *session)
{
    struct chain chain = {.is_of_thread = false};
    const ompd_cl_wait_step_info_t *step;
    struct command_rows rows;

    command_rows_open_optional(&rows, session, ompd_cl_kind_wait_step, NULL);
    if (!rows.is_open)
        return false;
    while ((step = command_rows_next(&rows)) != NULL)
        take_hop(mistakes, &chain, step);
    command_rows_close(&rows);
    return !command_session_has_failed(session);
}

void command_mistakes_find(struct command_mistakes *mistakes, struct command_session *session)
{
    bool has_findings = find_findings(mistakes, session);

    mistakes->is_known = find_ends(mistakes, session) && has_findings;
}

/* ---- Names of ends --------------------------------------------------------------------------- */

static struct command_class class_known(const char *name, bool is_presumed)
{
    return (struct command_class){.name = name, .is_presumed = is_presumed};
}

static struct command_class class_unknown(const char *why)
{
    return (struct command_class){.why = why};
}

/* Whether SIGNAL is caused by an action of the process itself. */
static bool is_of_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
           signal == SIGTRAP || signal == SIGSYS;
}

/* The state of a process that was alive, or that another process ended. */
static struct command_class class_of_waits(const struct command_verdict *verdict)
{
    const struct command_mistakes *mistakes = &verdict->mistakes;
    bool is_exiting =
        ((mistakes->rules | mistakes->presumed_rules) >> ompd_cl_finding_exiting & 1) != 0;

    if (!mistakes->is_known)
        return class_unknown("what its threads wait for is unknown");
    if (mistakes->is_forked)
        return class_known("forked child", false);
    if (is_exiting && verdict->waits.waiting != 0)
        return class_known("hang at exit", !mistakes->has_hanging);
    if (mistakes->has_hanging || mistakes->may_hang)
        return class_known("hang", !mistakes->has_hanging);
    if (mistakes->may_go_on)
        return class_unknown("how a thread's wait ends is unknown");
    if (verdict->session.info.signal == 0)
        return class_known("lived", false);
    return class_unknown("why another process ended it is unknown");
}

/* The state of a process that ended by its own action. */
static struct command_class class_of_own(const struct command_verdict *verdict, const char *name)
{
    return class_known(verdict->mistakes.has_died_forked ? "forked child" : name, false);
}

static struct command_class class_of_abort(const struct command_verdict *verdict)
{
    const struct command_call_stack *stack = &verdict->crash.stack;

    if (verdict->is_abort)
        return class_of_own(verdict, verdict->has_no_memory ? "out of memory" : "abort");
    if (verdict->rules == NULL || stack->count == 0 || stack->all[0].name == NULL)
        return class_unknown("whether it aborted itself is unknown");
    return class_of_waits(verdict);
}

struct command_class command_class_find(const struct command_verdict *verdict)
{
    const struct command_session *session = &verdict->session;

    if (session->target == NULL || command_core_was_cut(session))
        return class_unknown("the core cannot be read");
    if (!command_end_is_known(session))
        return class_unknown("not saved in the core");
    if (is_of_fault(session->info.signal))
        return class_of_own(verdict, "crash");
    if (session->info.signal == SIGABRT)
        return class_of_abort(verdict);
    return class_of_waits(verdict);
}
