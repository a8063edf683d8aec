/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: a line of verdict for each of many cores. */
#include <command/confine.h>
#include <command/crash.h>
#include <command/cut-core.h>
#include <command/json.h>
#include <command/rows.h>
#include <command/target-lines.h>
#include <command/verbs.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/size.h>
#include <unistd.h>

/* What is known of one core. */
struct verdict {
    struct command_session session; /* of that core alone */
    struct command_crash crash;
    ompd_cl_overview_info_t overview;
    bool has_overview;
    struct command_waits waits;
    bool has_findings;
    bool is_told;
    const char *why_lost; /* why the process that read it has not told; NULL: no such thing */
};

/* Find out all about the core; what failed is in the view of the verdict's session. */
static void verdict_find(struct verdict *verdict)
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
    if (session->target == NULL)
        return;
    command_crash_find(&verdict->crash, session, &verdict->waits);
    verdict->has_findings |= session->info.signal != 0;
    if (command_core_was_cut(session)) {
        verdict->has_overview = false;
        ompd_view_command_fail(session->view, ompd_view_exit_unreadable, COMMAND_CORE_WAS_CUT);
    }
}

/* Whether something of it is missing. */
static bool is_incomplete(const struct verdict *verdict)
{
    const struct command_session *session = &verdict->session;

    return ompd_view_result_get(session->view) != ompd_view_exit_ok ||
           (session->target != NULL && session->info.signal != 0 &&
            verdict->crash.frames.count == 0);
}

/* Add "edges died of SIGSEGV in copy_row < copy_image < main", or "edges died of SIGSEGV, called
 * address 0x0 from copy_row < copy_image < main". */
static void add_death(const struct verdict *verdict, struct text *text)
{
    const struct command_crash *crash = &verdict->crash;
    const char *first = " in ";

    text_escape(text, crash->program);
    text_add(text, " ");
    if (verdict->session.info.signal == 0) {
        text_add(text, "%s",
                 command_end_is_known(&verdict->session) ? "lived" : "whose end is not known");
        return;
    }
    text_add(text, "died of ");
    command_signal_add(text, verdict->session.info.signal);
    if (crash->frames.count == 0)
        text_add(text, ", where is not known");
    if (crash->has_called) {
        text_add(text, ", called address 0x%" PRIx64, crash->called);
        first = crash->is_caller_first ? " from " : ", in ";
    }
    for (size_t i = 0; i < crash->frames.count; i++) {
        text_add(text, "%s", i != 0 ? " < " : first);
        text_escape(text, crash->frames.names[i]);
    }
}

/* Add where threads wait or run callbacks, of a program that lived. */
static void add_waits(const struct verdict *verdict, bool runs, struct text *text)
{
    if (verdict->session.info.signal != 0)
        return;
    text_add(text, ": ");
    command_waits_add(&verdict->waits, runs, text);
}

static void add_opencl(struct verdict *verdict, struct text *text)
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

/* Add what failed as a part of a line: its sentence without the full stop. */
static void add_failure(const struct command_session *session, struct text *text)
{
    struct text part = {0};

    text_add(&part, "%s", ompd_view_message_get(session->view));
    part.bytes[part.length - 1] = '\0';
    text_escape(text, part.bytes);
    text_free(&part);
}

static void write_line(struct verdict *verdict)
{
    struct command_session *session = &verdict->session;
    const ompd_host_target_info_t *info = &session->info;
    struct text text = {0};

    text_escape(&text, session->options.core);
    text_add(&text, ": ");
    if (session->target != NULL) {
        add_death(verdict, &text);
        if (verdict->has_overview)
            add_opencl(verdict, &text);
        if (info->whole_size > info->size) {
            text_add(&text, "; ");
            command_truncation_add(&text, info);
        }
        if (command_session_has_failed(session))
            text_add(&text, "; OpenCL: ");
    }
    if (command_session_has_failed(session))
        add_failure(session, &text);
    else if (is_incomplete(verdict))
        text_add(&text, "; incomplete");
    if (session->target != NULL)
        text_add(&text, "; signature %s", verdict->crash.signature);
    text_add(&text, "\n");
    ompd_view_text_write(session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}

static void add_known_text(ompd_view_t *view, const char *key, const char *value)
{
    if (value != NULL)
        command_json_text(view, key, value);
}

static void add_json_frames(ompd_view_t *view, const struct command_frames *frames)
{
    if (frames->count == 0) {
        command_json_unknown(view, "frames", "the call stack cannot be followed");
        return;
    }
    ompd_view_json_begin(view, "frames", true);
    for (size_t i = 0; i < frames->count; i++)
        command_json_text(view, NULL, frames->names[i]);
    ompd_view_json_end(view);
}

/* Add where threads wait or run callbacks. */
static void add_json_waits(ompd_view_t *view, const struct command_waits *waits)
{
    ompd_view_json_begin(view, "waits", true);
    for (size_t i = 0; i < waits->count; i++) {
        const struct command_wait *place = &waits->places[i];
        const char *name = command_number_name(ompd_cl_kind_thread, "state", place->state);

        ompd_view_json_begin(view, NULL, false);
        command_json_text(view, "state", name != NULL ? name : "");
        add_json_frames(view, &place->frames);
        command_json_number(view, "threads", (int64_t)place->threads);
        ompd_view_json_end(view);
    }
    ompd_view_json_end(view);
}

/* Add why it died; "signal" is null for one that lived. */
static void add_json_death(ompd_view_t *view, const struct verdict *verdict)
{
    const ompd_host_target_info_t *info = &verdict->session.info;
    const struct command_crash *crash = &verdict->crash;
    struct text signal = {0};

    if (info->signal != 0) {
        command_signal_add(&signal, info->signal);
        command_json_text(view, "signal", signal.bytes);
        command_json_number(view, "signal_lwp", info->signal_lwp);
        add_json_frames(view, &crash->frames);
        if (crash->has_called)
            command_json_address(view, "called", crash->called);
    } else if (command_end_is_known(&verdict->session)) {
        ompd_view_json_value_add(view, "signal", NULL);
    } else {
        command_json_unknown(view, "signal", "not saved in the core");
    }
    command_json_text(view, "signature", crash->signature);
    text_free(&signal);
}

/* Add what the core is, and what it lacks. */
static void add_json_core(ompd_view_t *view, const ompd_host_target_info_t *info)
{
    add_known_text(view, "program", info->program);
    add_known_text(view, "command_line", info->command_line);
    add_known_text(view, "host", info->host_name);
    command_json_number(view, "pid", info->pid);
    command_json_number(view, "time", info->time);
    command_json_boolean(view, "is_truncated", info->whole_size > info->size);
    command_json_number(view, "size", (int64_t)info->size);
    command_json_number(view, "whole_size", (int64_t)info->whole_size);
    command_json_number(view, "saved_bytes", (int64_t)info->saved_bytes);
    command_json_number(view, "left_out_bytes", (int64_t)info->left_out_bytes);
}

static void add_json_opencl(ompd_view_t *view, const struct verdict *verdict)
{
    ompd_view_json_begin(view, "overview", false);
    ompd_view_json_row_add(view, ompd_cl_kind_overview, &verdict->overview);
    ompd_view_json_end(view);
    command_json_number(view, "waiting_threads", (int64_t)verdict->waits.waiting);
    command_json_number(view, "running_threads", (int64_t)verdict->waits.running);
    if (verdict->session.info.signal == 0)
        add_json_waits(view, &verdict->waits);
}

static void write_json(struct verdict *verdict)
{
    struct command_session *session = &verdict->session;
    ompd_view_t *view = session->view;

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "core", session->options.core);
    if (session->target != NULL) {
        add_json_core(view, &session->info);
        add_json_death(view, verdict);
    }
    if (verdict->has_overview)
        add_json_opencl(view, verdict);
    if (command_session_has_failed(session))
        command_json_text(view, "error", ompd_view_message_get(view));
    command_json_boolean(view, "is_incomplete", is_incomplete(verdict));
    ompd_view_json_end(view);
}

/* The command for one core. */
static ompd_view_exit_t run_one(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct verdict *verdict = line->user_ptr; /* its session is its first member */

    (void)view; /* the session's */
    if (verdict->why_lost != NULL)
        ompd_view_command_fail(verdict->session.view, ompd_view_exit_unreadable, verdict->why_lost);
    else
        verdict_find(verdict);
    if (line->is_json)
        write_json(verdict);
    else
        write_line(verdict);
    command_waits_free(&verdict->waits);
    verdict->is_told = true;
    if (is_incomplete(verdict))
        return ompd_view_exit_incomplete;
    return verdict->has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}

/* What is known of all cores. */
struct summary {
    bool is_unreadable;
    bool is_incomplete;
    bool has_findings;
    bool is_stopped; /* nobody takes more text */
};

/* What a process that has read one core ends with: its exit code's bits. */
#define TOLD_CODE 7
#define TOLD_FINDINGS 8

static int told_of(ompd_view_exit_t code, bool has_findings)
{
    return (int)code | (has_findings ? TOLD_FINDINGS : 0);
}

static void add_told(int told, struct summary *summary)
{
    int code = told & TOLD_CODE;

    summary->is_unreadable |= code == ompd_view_exit_unreadable || code == ompd_view_exit_usage;
    summary->is_incomplete |= code == ompd_view_exit_incomplete;
    summary->has_findings |= (told & TOLD_FINDINGS) != 0;
    summary->is_stopped |= code == ompd_view_exit_stopped;
}

/* Tell of CORE by a command of its own, so that what fails for it does so for it alone: WHY_LOST
 * when it could not be read.  Returns what is told of it. */
static int tell_of(struct command_session *session, bool is_json, const char *core,
                   const char *why_lost)
{
    static const ompd_view_verb_t one = {.name = "triage", .summary = "", .run = run_one};
    char *words[] = {(char *)"triage", (char *)"--json"};
    struct verdict verdict = {.why_lost = why_lost};
    ompd_view_exit_t code = ompd_view_exit_unreadable;

    if (command_session_begin_part(&verdict.session, session, &one)) {
        verdict.session.options.core = core;
        code = ompd_view_words_run(verdict.session.view, is_json ? 2 : 1, words);
    }
    if (!verdict.is_told)
        command_session_fail(session, ompd_view_exit_unreadable, "There is no memory.");
    command_session_close(&verdict.session);
    return told_of(code, verdict.has_findings);
}

/* Look at CORE, by a process of its own where that can be. */
static void look_at(struct command_session *session, bool is_json, const char *core,
                    struct summary *summary)
{
    struct text why = {0};
    int status = 0;
    int told;

    switch (command_confine(session, &core, 1, &status)) {
    case command_reader_child:
        told = tell_of(session, is_json, core, NULL);
        if (fflush(stdout) != 0)
            told = told_of(ompd_view_exit_stopped, false);
        _exit(told);
    case command_reader_here:
        add_told(tell_of(session, is_json, core, NULL), summary);
        break;
    case command_reader_ended:
        told = WEXITSTATUS(status);
        if (command_confine_was_lost(status, &why))
            told = tell_of(session, is_json, core, why.bytes);
        add_told(told, summary);
        text_free(&why);
        break;
    }
}

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    struct summary summary = {.is_unreadable = false};

    (void)view; /* the session's */
    for (size_t i = 0; i < line->operand_count && !summary.is_stopped; i++) {
        command_session_tell(session, "Looking at cores", i, line->operand_count);
        look_at(session, line->is_json, line->operands[i], &summary);
    }
    command_progress_end(&session->progress);
    if (summary.is_stopped)
        return ompd_view_exit_stopped;
    if (summary.is_unreadable)
        return ompd_view_exit_unreadable;
    if (summary.is_incomplete)
        return ompd_view_exit_incomplete;
    return summary.has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}
