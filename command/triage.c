/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: a line of verdict for each of many cores. */
#include <command/crash.h>
#include <command/cut-core.h>
#include <command/target-lines.h>
#include <command/verbs.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <text/size.h>
#include <view/activity-summary.h>
#include <view/json.h>
#include <view/overview.h>

/* What is known of one core. */
struct verdict {
    struct command_session session;
    struct command_crash crash;
    ompd_cl_overview_info_t info;
    struct view_row overview;
    bool has_overview;
    struct command_waits waits;
};

/* Find out all about CORE, read as OUTER says; what failed is in the view of the verdict's session.
 */
static void verdict_find(struct verdict *verdict, const struct command_session *outer,
                         const char *core)
{
    struct command_session *session = &verdict->session;

    *verdict = (struct verdict){.info = {.struct_size = sizeof(verdict->info)}};
    verdict->overview =
        (struct view_row){view_kind_get(ompd_cl_kind_overview), (const void *)&verdict->info};
    if (!command_session_begin(session))
        abort();
    session->options = outer->options;
    session->options.core = core;
    session->view->options = outer->view->options;
    if (command_session_open(session) &&
        view_check(session->view, ompd_cl_overview_get(session->view->use.space, &verdict->info))) {
        verdict->has_overview = true;
        command_waits_find(&verdict->waits, session);
        session->view->has_findings = view_row_number(&verdict->overview, "over_releases") != 0;
    }
    if (session->target == NULL)
        return;
    command_crash_find(&verdict->crash, session, &verdict->waits);
    session->view->has_findings |= session->info.signal != 0;
    session->view->is_incomplete |= session->info.signal != 0 && verdict->crash.frames.count == 0;
    if (command_core_was_cut(session)) {
        verdict->has_overview = false;
        view_fail(session->view, ompd_view_exit_unreadable, COMMAND_CORE_WAS_CUT);
    }
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
    struct text happening = {0};
    uint64_t releases = view_row_number(&verdict->overview, "over_releases");

    text_add(text, "; ");
    view_overview_counts(&verdict->overview, text);
    view_activity_summary_add(verdict->session.view, &verdict->overview, &happening);
    if (happening.length != 0)
        text_add(text, "; %s", happening.bytes);
    text_free(&happening);
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

    text_append(&part, session->view->message.bytes, session->view->message.length - 1);
    text_escape(text, part.bytes);
    text_free(&part);
}

static void write_line(ompd_view_t *view, struct verdict *verdict)
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
        if (session->view->failure != ompd_view_exit_ok)
            text_add(&text, "; OpenCL: ");
    }
    if (session->view->failure != ompd_view_exit_ok)
        add_failure(session, &text);
    else if (session->view->is_incomplete)
        text_add(&text, "; incomplete");
    if (session->target != NULL)
        text_add(&text, "; signature %s", verdict->crash.signature);
    view_print(view, "%s\n", text.bytes);
    text_free(&text);
}

static void add_known_string(struct json *json, const char *key, const char *value)
{
    if (value != NULL)
        json_string(json, key, value);
}

static void add_json_frames(struct json *json, const struct command_frames *frames)
{
    if (frames->count == 0) {
        json_null(json, "frames");
        json_unknown(json, "frames", "the call stack cannot be followed");
        return;
    }
    json_key(json, "frames");
    for (size_t i = 0; i < frames->count; i++) {
        text_add(json->text, i == 0 ? "[" : ", ");
        json_quote(json->text, frames->names[i]);
    }
    text_add(json->text, "]");
}

/* Add where threads wait or run callbacks. */
static void add_json_waits(struct json *json, const struct command_waits *waits)
{
    const ompd_cl_field_t *state = view_kind_field(view_kind_get(ompd_cl_kind_thread), "state");

    json_key(json, "waits");
    text_add(json->text, "[");
    for (size_t i = 0; i < waits->count; i++) {
        const struct command_wait *place = &waits->places[i];
        const char *name = view_field_name(state, place->state);
        struct json part;

        text_add(json->text, i != 0 ? ", " : "");
        json_begin(&part, json->text);
        json_string(&part, "state", name != NULL ? name : "");
        add_json_frames(&part, &place->frames);
        json_number(&part, "threads", (int64_t)place->threads);
        json_end(&part);
    }
    text_add(json->text, "]");
}

/* Add why it died; "signal" is null for one that lived. */
static void add_json_death(struct json *json, const struct verdict *verdict)
{
    const ompd_host_target_info_t *info = &verdict->session.info;
    const struct command_crash *crash = &verdict->crash;
    struct text signal = {0};

    if (info->signal == 0) {
        json_null(json, "signal");
        if (!command_end_is_known(&verdict->session))
            json_unknown(json, "signal", "not saved in the core");
    } else {
        command_signal_add(&signal, info->signal);
        json_string(json, "signal", signal.bytes);
        json_number(json, "signal_lwp", info->signal_lwp);
        add_json_frames(json, &crash->frames);
        if (crash->has_called)
            json_hexadecimal(json, "called", crash->called);
    }
    json_string(json, "signature", crash->signature);
    text_free(&signal);
}

/* Add what the core is, and what it lacks. */
static void add_json_core(struct json *json, const ompd_host_target_info_t *info)
{
    add_known_string(json, "program", info->program);
    add_known_string(json, "command_line", info->command_line);
    add_known_string(json, "host", info->host_name);
    json_number(json, "pid", info->pid);
    json_number(json, "time", info->time);
    json_boolean(json, "is_truncated", info->whole_size > info->size);
    json_number(json, "size", (int64_t)info->size);
    json_number(json, "whole_size", (int64_t)info->whole_size);
    json_number(json, "saved_bytes", (int64_t)info->saved_bytes);
    json_number(json, "left_out_bytes", (int64_t)info->left_out_bytes);
}

static void write_json(ompd_view_t *view, struct verdict *verdict)
{
    struct command_session *session = &verdict->session;
    struct text text = {0};
    struct json json;
    struct json overview;

    json_begin_line(&json, &text);
    json_string(&json, "core", session->options.core);
    if (session->target != NULL) {
        add_json_core(&json, &session->info);
        add_json_death(&json, verdict);
    }
    if (verdict->has_overview) {
        json_key(&json, "overview");
        json_begin(&overview, &text);
        view_json_fields(session->view, &overview, &verdict->overview, NULL);
        json_end(&overview);
        json_number(&json, "waiting_threads", (int64_t)verdict->waits.waiting);
        json_number(&json, "running_threads", (int64_t)verdict->waits.running);
        if (session->info.signal == 0)
            add_json_waits(&json, &verdict->waits);
    }
    if (session->view->failure != ompd_view_exit_ok)
        json_string(&json, "error", text_get(&session->view->message));
    json_boolean(&json, "is_incomplete",
                 session->view->is_incomplete || session->view->failure != ompd_view_exit_ok);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = command_session_of(view);
    bool is_unreadable = false;

    for (size_t i = 0; i < line->operand_count; i++) {
        struct verdict verdict;
        const ompd_view_t *found;

        command_session_tell(session, "Looking at cores", i, line->operand_count);
        verdict_find(&verdict, session, line->operands[i]);
        found = verdict.session.view;
        if (view->options.is_json)
            write_json(view, &verdict);
        else
            write_line(view, &verdict);
        view_flush(view);
        is_unreadable |= found->failure != ompd_view_exit_ok;
        view->is_incomplete |= found->is_incomplete;
        view->has_findings |= found->has_findings;
        command_waits_free(&verdict.waits);
        command_session_close(&verdict.session);
    }
    command_progress_end(&session->progress);
    return is_unreadable ? ompd_view_exit_unreadable : view_result(view);
}
