/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: a line of verdict for each of many cores. */
#include <host/command/death.h>
#include <host/command/happening.h>
#include <host/command/json.h>
#include <host/command/option.h>
#include <host/command/overview.h>
#include <host/command/size.h>
#include <host/command/target-lines.h>
#include <inttypes.h>
#include <string.h>

/* What is known of one core. */
struct verdict {
    struct command_session session;
    struct command_death death;
    ompd_cl_overview_info_t info;
    struct command_row overview;
    bool has_overview;
    struct command_waits waits;
};

/* Find out all about the core that OPTIONS name; what failed is in the verdict's session. */
static void verdict_find(struct verdict *verdict, const struct command_options *options)
{
    struct command_session *session = &verdict->session;

    *verdict = (struct verdict){.info = {.struct_size = sizeof(verdict->info)}};
    verdict->overview =
        (struct command_row){command_kind_get(ompd_cl_kind_overview), (const void *)&verdict->info};
    if (command_session_open(session, options) &&
        command_session_check(session, ompd_cl_overview_get(session->space, &verdict->info))) {
        verdict->has_overview = true;
        command_waits_find(&verdict->waits, session);
        session->has_findings = command_row_number(&verdict->overview, "over_releases") != 0;
    }
    if (session->target == NULL)
        return;
    command_death_find(&verdict->death, session, &verdict->waits);
    session->has_findings |= session->info.signal != 0;
    session->is_incomplete |= session->info.signal != 0 && verdict->death.frames.count == 0;
}

/* Add "edges died of SIGSEGV in copy_row < copy_image < main", or "edges died of SIGSEGV, called
 * address 0x0 from copy_row < copy_image < main". */
static void add_death(const struct verdict *verdict, struct command_text *text)
{
    const struct command_death *death = &verdict->death;
    const char *first = " in ";

    command_text_escape(text, death->program);
    command_text_add(text, " ");
    if (verdict->session.info.signal == 0) {
        command_text_add(text, "%s",
                         command_end_is_known(&verdict->session) ? "lived"
                                                                 : "whose end is not known");
        return;
    }
    command_text_add(text, "died of ");
    command_signal_add(text, verdict->session.info.signal);
    if (death->frames.count == 0)
        command_text_add(text, ", where is not known");
    if (death->has_called) {
        command_text_add(text, ", called address 0x%" PRIx64, death->called);
        first = death->is_caller_first ? " from " : ", in ";
    }
    for (size_t i = 0; i < death->frames.count; i++) {
        command_text_add(text, "%s", i != 0 ? " < " : first);
        command_text_escape(text, death->frames.names[i]);
    }
}

/* Add where threads wait or run callbacks, of a program that lived. */
static void add_waits(const struct verdict *verdict, bool runs, struct command_text *text)
{
    if (verdict->session.info.signal != 0)
        return;
    command_text_add(text, ": ");
    command_waits_add(&verdict->waits, runs, text);
}

static void add_opencl(struct verdict *verdict, struct command_text *text)
{
    struct command_text happening = {0};
    uint64_t releases = command_row_number(&verdict->overview, "over_releases");

    command_text_add(text, "; ");
    command_overview_counts(&verdict->overview, text);
    command_happening_add(&verdict->session, &verdict->overview, &happening);
    if (happening.length != 0)
        command_text_add(text, "; %s", happening.bytes);
    command_text_free(&happening);
    if (verdict->waits.waiting != 0) {
        command_text_add(text, "; ");
        command_count_add(text, verdict->waits.waiting, "thread waits", "threads wait");
        add_waits(verdict, false, text);
    }
    if (verdict->waits.running != 0) {
        command_text_add(text, "; ");
        command_count_add(text, verdict->waits.running, "thread runs a callback",
                          "threads run callbacks");
        add_waits(verdict, true, text);
    }
    if (releases != 0) {
        command_text_add(text, "; ");
        command_count_add(text, releases, "release", NULL);
        command_text_add(text, " of objects with no references left");
    }
}

/* Add what failed as a part of a line: its sentence without the full stop. */
static void add_failure(const struct command_session *session, struct command_text *text)
{
    struct command_text part = {0};

    command_text_append(&part, session->message.bytes, session->message.length - 1);
    command_text_escape(text, part.bytes);
    command_text_free(&part);
}

static void write_line(struct verdict *verdict)
{
    struct command_session *session = &verdict->session;
    const ompd_host_target_info_t *info = &session->info;
    struct command_text text = {0};

    command_text_escape(&text, session->options.core);
    command_text_add(&text, ": ");
    if (session->target != NULL) {
        add_death(verdict, &text);
        if (verdict->has_overview)
            add_opencl(verdict, &text);
        if (info->whole_size > info->size) {
            command_text_add(&text, "; ");
            command_truncation_add(&text, info);
        }
        if (session->failure != command_exit_ok)
            command_text_add(&text, "; OpenCL: ");
    }
    if (session->failure != command_exit_ok)
        add_failure(session, &text);
    else if (session->is_incomplete)
        command_text_add(&text, "; incomplete");
    if (session->target != NULL)
        command_text_add(&text, "; signature %s", verdict->death.signature);
    fprintf(session->output, "%s\n", text.bytes);
    command_text_free(&text);
}

static void add_known_string(struct command_json *json, const char *key, const char *value)
{
    if (value != NULL)
        command_json_string(json, key, value);
}

static void add_json_frames(struct command_json *json, const struct command_frames *frames)
{
    if (frames->count == 0) {
        command_json_null(json, "frames");
        command_json_unknown(json, "frames", "the call stack cannot be followed");
        return;
    }
    command_json_key(json, "frames");
    for (size_t i = 0; i < frames->count; i++) {
        command_text_add(json->text, i == 0 ? "[" : ", ");
        command_json_quote(json->text, frames->names[i]);
    }
    command_text_add(json->text, "]");
}

/* Add where threads wait or run callbacks. */
static void add_json_waits(struct command_json *json, const struct command_waits *waits)
{
    const ompd_cl_field_t *state =
        command_kind_field(command_kind_get(ompd_cl_kind_thread), "state");

    command_json_key(json, "waits");
    command_text_add(json->text, "[");
    for (size_t i = 0; i < waits->count; i++) {
        const struct command_wait *place = &waits->places[i];
        const char *name = command_field_name(state, place->state);
        struct command_json part;

        command_text_add(json->text, i != 0 ? ", " : "");
        command_json_begin_part(&part, json->session, json->text);
        command_json_string(&part, "state", name != NULL ? name : "");
        add_json_frames(&part, &place->frames);
        command_json_number(&part, "threads", (int64_t)place->threads);
        command_json_end(&part);
    }
    command_text_add(json->text, "]");
}

/* Add why it died; "signal" is null for one that lived. */
static void add_json_death(struct command_json *json, const struct verdict *verdict)
{
    const ompd_host_target_info_t *info = &verdict->session.info;
    const struct command_death *death = &verdict->death;
    struct command_text signal = {0};

    if (info->signal == 0) {
        command_json_null(json, "signal");
        if (!command_end_is_known(&verdict->session))
            command_json_unknown(json, "signal", "not saved in the core");
    } else {
        command_signal_add(&signal, info->signal);
        command_json_string(json, "signal", signal.bytes);
        command_json_number(json, "signal_lwp", info->signal_lwp);
        add_json_frames(json, &death->frames);
        if (death->has_called)
            command_json_hexadecimal(json, "called", death->called);
    }
    command_json_string(json, "signature", death->signature);
    command_text_free(&signal);
}

/* Add what the core is, and what it lacks. */
static void add_json_core(struct command_json *json, const ompd_host_target_info_t *info)
{
    add_known_string(json, "program", info->program);
    add_known_string(json, "command_line", info->command_line);
    add_known_string(json, "host", info->host_name);
    command_json_number(json, "pid", info->pid);
    command_json_number(json, "time", info->time);
    command_json_boolean(json, "is_truncated", info->whole_size > info->size);
    command_json_number(json, "size", (int64_t)info->size);
    command_json_number(json, "whole_size", (int64_t)info->whole_size);
    command_json_number(json, "saved_bytes", (int64_t)info->saved_bytes);
    command_json_number(json, "left_out_bytes", (int64_t)info->left_out_bytes);
}

static void write_json(struct verdict *verdict)
{
    struct command_session *session = &verdict->session;
    struct command_text text = {0};
    struct command_json json;
    struct command_json overview;

    command_json_begin(&json, session, &text);
    command_json_string(&json, "core", session->options.core);
    if (session->target != NULL) {
        add_json_core(&json, &session->info);
        add_json_death(&json, verdict);
    }
    if (verdict->has_overview) {
        command_json_key(&json, "overview");
        command_json_begin_part(&overview, session, &text);
        command_json_fields(&overview, &verdict->overview, NULL);
        command_json_end(&overview);
        command_json_number(&json, "waiting_threads", (int64_t)verdict->waits.waiting);
        command_json_number(&json, "running_threads", (int64_t)verdict->waits.running);
        if (session->info.signal == 0)
            add_json_waits(&json, &verdict->waits);
    }
    if (session->failure != command_exit_ok)
        command_json_string(&json, "error", command_text_get(&session->message));
    command_json_boolean(&json, "is_incomplete",
                         session->is_incomplete || session->failure != command_exit_ok);
    command_json_end(&json);
    command_json_print(session, &text);
    command_text_free(&text);
}

enum command_exit command_triage_run(struct command_session *session,
                                     const struct command_line *line)
{
    struct command_options options = session->options;
    bool is_unreadable = false;

    for (size_t i = 0; i < line->operand_count; i++) {
        struct verdict verdict;

        options.core = line->operands[i];
        command_session_tell(session, "Looking at cores", i, line->operand_count);
        verdict_find(&verdict, &options);
        if (command_session_is_on_terminal(session))
            command_progress_erase(&session->progress);
        if (options.is_json)
            write_json(&verdict);
        else
            write_line(&verdict);
        is_unreadable |= verdict.session.failure != command_exit_ok;
        session->is_incomplete |= verdict.session.is_incomplete;
        session->has_findings |= verdict.session.has_findings;
        command_waits_free(&verdict.waits);
        command_session_close(&verdict.session);
    }
    command_progress_end(&session->progress);
    return is_unreadable ? command_exit_unreadable : command_session_result(session);
}
