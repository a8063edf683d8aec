/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <inttypes.h>
#include <time.h>

uint64_t command_verdict_clock(void)
{
    struct timespec time = {.tv_sec = 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Get the overview of OpenCL. */
static void find_opencl(struct command_verdict *verdict)
{
    struct command_session *session = &verdict->session;
    ompd_cl_overview_info_t *overview = &verdict->overview;

    overview->struct_size = sizeof(*overview);
    if (command_session_open_now(session) &&
        ompd_view_rc_check(session->view, ompd_cl_overview_get(session->space, overview)) ==
            ompd_rc_ok) {
        verdict->has_overview = true;
        command_waits_find(&verdict->waits, session);
        verdict->has_findings = overview->over_releases.value != 0;
    }
}

/* Make the signature, and match the rules about abort and memory. */
static void find_signature(struct command_verdict *verdict)
{
    const struct command_signature_rules *rules = verdict->rules;
    const struct command_call_stack *stack = &verdict->crash.stack;
    const struct command_waits *waits = &verdict->waits;
    struct command_signature_stack journal_entry = {
        .functions = stack->all, .count = stack->count, .has_called = stack->has_called};
    struct text signal = {0};

    if (verdict->session.info.signal == 0) {
        for (size_t i = 0; i < waits->count; i++)
            command_signature_add_wait(&verdict->signature, rules, &waits->places[i].frames);
        if (waits->count == 0 && verdict->has_overview && command_end_is_known(&verdict->session))
            command_signature_add_nowhere(&verdict->signature);
        return;
    }
    if (stack->count == 0)
        return;
    command_signal_add(&signal, verdict->session.info.signal);
    command_signature_add_death(&verdict->signature, rules, signal.bytes, &journal_entry);
    verdict->is_abort = command_signature_has(rules, command_rule_abort, &journal_entry);
    verdict->has_no_memory = command_signature_has(rules, command_rule_memory, &journal_entry);
    text_free(&signal);
}

void command_verdict_find(struct command_verdict *verdict, bool has_signature)
{
    struct command_session *session = &verdict->session;

    find_opencl(verdict);
    if (session->target == NULL)
        return;
    command_crash_find(&verdict->crash, session, &verdict->waits, verdict->has_overview);
    verdict->has_findings |= session->info.signal != 0;
    if (verdict->has_overview)
        command_mistakes_find(&verdict->mistakes, session);
    if (has_signature && verdict->rules != NULL)
        find_signature(verdict);
    if (command_core_was_cut(session)) {
        verdict->has_overview = false;
        ompd_view_command_fail(session->view, ompd_view_exit_unreadable, COMMAND_CORE_WAS_CUT);
    }
}

void command_verdict_free(struct command_verdict *verdict)
{
    command_waits_free(&verdict->waits);
    command_signature_free(&verdict->signature);
    text_free(&verdict->mistakes.first);
    text_free(&verdict->mistakes.failed_build);
}

bool command_verdict_is_incomplete(const struct command_verdict *verdict)
{
    const struct command_session *session = &verdict->session;

    return ompd_view_result_get(session->view) != ompd_view_exit_ok ||
           (session->target != NULL && session->info.signal != 0 &&
            verdict->crash.frames.count == 0);
}

/* Add "edges died of SIGSEGV in copy_row < copy_image < main", or "edges died of SIGSEGV, called
 * address 0x0 from copy_row < copy_image < main". */
static void add_death(const struct command_verdict *verdict, struct text *text)
{
    const struct command_crash *crash = &verdict->crash;
    const char *first = " in ";

    text_escape(text, crash->program);
    if (verdict->session.info.signal == 0) {
        text_put(text,
                 command_end_is_known(&verdict->session) ? " was running" : ", cause unknown");
        return;
    }
    text_put(text, " died of ");
    command_signal_add(text, verdict->session.info.signal);
    if (crash->frames.count == 0)
        text_add(text, " at an unknown place");
    if (crash->has_called) {
        text_add(text, ", called address 0x%" PRIx64, crash->called);
        first = crash->is_caller_first ? " from " : ", in ";
    }
    if (crash->frames.count != 0)
        text_put(text, first);
    command_frames_add(&crash->frames, text);
}

/* Add where threads of a program that was alive wait or run callbacks. */
static void add_waits(const struct command_verdict *verdict, bool runs, struct text *text)
{
    if (verdict->session.info.signal != 0)
        return;
    text_add(text, ": ");
    command_waits_add(&verdict->waits, runs, text);
}

static void add_opencl(struct command_verdict *verdict, struct text *text)
{
    uint64_t releases = verdict->overview.over_releases.value;

    text_add(text, "; %s", ompd_view_overview_describe(verdict->session.view, &verdict->overview));
    if (verdict->waits.waiting != 0) {
        text_add(text, "; ");
        count_add(text, verdict->waits.waiting, "thread waits", "threads wait");
        add_waits(verdict, false, text);
    }
    if (verdict->waits.running != 0) {
        text_add(text, "; ");
        count_add(text, verdict->waits.running, "thread runs a callback", "threads run callbacks");
        add_waits(verdict, true, text);
    }
    if (releases != 0) {
        text_add(text, "; ");
        count_add(text, releases, "release", NULL);
        text_add(text, " of objects with no references left");
    }
}

/* Add the first mistake that `check` reports, or else the first failed build. */
static void add_first_finding(const struct command_mistakes *mistakes, struct text *text)
{
    if (mistakes->first.length == 0) {
        if (mistakes->failed_build.length != 0)
            text_add(text, "; %s", mistakes->failed_build.bytes);
        return;
    }
    text_add(text, "; ");
    count_add(text, mistakes->findings, "mistake", NULL);
    text_add(text, "%s%s: ", mistakes->has_certain ? "" : ", presumably",
             mistakes->findings > 1 ? ", the first" : "");
    text_append(text, mistakes->first.bytes, mistakes->first.length);
}

/* Add the failure at the end of a line: its sentence without a period. */
static void add_failure(const struct command_verdict *verdict, struct text *text)
{
    const struct command_session *session = &verdict->session;
    struct text part = {0};

    command_error_add(&part, ompd_view_message_get(session->view));
    if (part.bytes[part.length - 1] == '.')
        part.bytes[part.length - 1] = '\0';
    if (session->target != NULL)
        text_add(text, "; OpenCL: ");
    else if (verdict->journal_entry != NULL)
        text_add(text, "; ");
    text_escape(text, part.bytes);
    text_free(&part);
}

void command_verdict_write(struct command_verdict *verdict)
{
    struct command_session *session = &verdict->session;
    const ompd_host_target_info_t *info = &session->info;
    struct text text = {0};

    text_escape(&text, session->options.core != NULL ? session->options.core : COMMAND_NO_FILE);
    text_add(&text, ": ");
    if (session->target != NULL) {
        add_death(verdict, &text);
        if (verdict->has_overview)
            add_opencl(verdict, &text);
        if (verdict->has_overview)
            add_first_finding(&verdict->mistakes, &text);
        if (info->whole_size > info->size) {
            text_add(&text, "; ");
            command_truncation_add(&text, info);
        }
    } else if (verdict->journal_entry != NULL) {
        command_journal_death_add(verdict, &text);
    }
    command_journal_summary_add(verdict, &text);
    if (command_session_has_failed(session))
        add_failure(verdict, &text);
    else if (command_verdict_is_incomplete(verdict))
        text_add(&text, "; incomplete");
    if (verdict->crash.signature[0] != '\0')
        text_add(&text, "; signature %s", verdict->crash.signature);
    text_add(&text, "\n");
    ompd_view_text_write(session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}
