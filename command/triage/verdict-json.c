/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verdict of triage as a JSON object. */
#include <command/triage/triage.h>

#include <inttypes.h>
#include <string.h>

static void add_json_frames(ompd_view_t *view, const struct command_frames *frames)
{
    if (frames->count == 0) {
        command_json_unknown(view, "frames", "the call stack cannot be unwound");
        return;
    }
    ompd_view_json_begin(view, "frames", true);
    for (size_t i = 0; i < frames->count; i++) {
        struct text text = {0};

        command_function_add(&frames->all[i], &text);
        command_json_text(view, NULL, text.bytes);
        text_free(&text);
    }
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

/* Add why it died; "signal" is null for a program that was alive. */
static void add_json_death(ompd_view_t *view, const struct command_verdict *verdict)
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
    if (crash->signature[0] != '\0')
        command_json_text(view, "signature", crash->signature);
    else
        command_json_unknown(view, "signature", "where it died or waits is unknown");
    text_free(&signal);
}

/* Add what is missing from the core. */
static void add_json_sizes(ompd_view_t *view, const struct command_session *session)
{
    const ompd_host_target_info_t *info = &session->info;

    command_json_boolean(view, "is_truncated", info->whole_size > info->size);
    command_json_number(view, "size", (int64_t)info->size);
    command_json_number(view, "whole_size", (int64_t)info->whole_size);
    command_json_number(view, "saved_bytes", (int64_t)info->saved_bytes);
    command_json_number(view, "left_out_bytes", (int64_t)info->left_out_bytes);
}

/* ---- Grouping -------------------------------------------------------------------------------- */

/* Add a text of the signature, or why it is unknown. */
static void add_json_signature_text(ompd_view_t *view, const struct command_verdict *verdict,
                                    const char *key, const struct text *text)
{
    bool is_of_death = verdict->session.info.signal != 0;

    if (verdict->rules == NULL)
        command_json_unknown(view, key, verdict->why_no_rules);
    else if (text->length != 0)
        command_json_text(view, key, text->bytes);
    else if (is_of_death)
        command_json_unknown(view, key, "the call stack cannot be unwound");
    else if (!command_end_is_known(&verdict->session))
        command_json_unknown(view, key, "not saved in the core");
    else
        command_json_unknown(view, key, "where its threads are in OpenCL is unknown");
}

static void add_json_signature(ompd_view_t *view, const struct command_verdict *verdict)
{
    const char *version = verdict->rules != NULL ? verdict->rules->version : NULL;

    if (version != NULL)
        command_json_text(view, "signature_version", version);
    else
        command_json_unknown(view, "signature_version", verdict->why_no_rules);
    add_json_signature_text(view, verdict, "signature_text", &verdict->signature.text);
    add_json_signature_text(view, verdict, "signature_coarse", &verdict->signature.coarse);
}

void command_class_write_json(ompd_view_t *view, struct command_class class)
{
    ompd_view_value_t value = {.struct_size = sizeof(value),
                               .type = ompd_cl_type_text,
                               .status = ompd_cl_status_presumed,
                               .text = class.name};

    if (class.name == NULL)
        command_json_unknown(view, "class", class.why);
    else if (class.is_presumed)
        ompd_view_json_value_add(view, "class", &value);
    else
        command_json_text(view, "class", class.name);
}

/* Add the names of the bits of RULES and ENDS. */
static void add_json_words(ompd_view_t *view, const char *key, uint64_t rules, uint64_t ends)
{
    ompd_view_json_begin(view, key, true);
    for (unsigned i = 0; i < 128; i++) {
        bool is_rule = i < 64;
        const char *name = NULL;

        if (((is_rule ? rules : ends) >> i % 64 & 1) == 0)
            continue;
        if (is_rule)
            name = command_number_name(ompd_cl_kind_finding, "rule", i);
        else
            name = command_number_name(ompd_cl_kind_wait_step, "end", i % 64);
        if (name != NULL)
            command_json_text(view, NULL, name);
    }
    ompd_view_json_end(view);
}

static void add_json_mistakes(ompd_view_t *view, const struct command_mistakes *mistakes)
{
    if (!mistakes->is_known) {
        command_json_unknown(view, "findings", "the state of OpenCL is unknown");
        return;
    }
    add_json_words(view, "findings", mistakes->rules, mistakes->ends);
    if (mistakes->first.length != 0)
        command_json_text(view, "first_finding", mistakes->first.bytes);
    add_json_words(view, "presumed_findings", mistakes->presumed_rules & ~mistakes->rules,
                   mistakes->presumed_ends & ~mistakes->ends);
}

static void add_json_modules(ompd_view_t *view, ompd_host_target_t *target)
{
    ompd_host_module_t module;

    ompd_view_json_begin(view, "module_build_ids", true);
    for (size_t i = 0; ompd_host_module_get(target, i, &module) == ompd_host_rc_ok; i++) {
        struct text build_id = {0};

        if (module.build_id == NULL)
            continue;
        for (size_t j = 0; j < module.build_id_size; j++)
            text_add(&build_id, "%02x", module.build_id[j]);
        ompd_view_json_begin(view, NULL, false);
        command_json_text(view, "module", module.path);
        command_json_text(view, "build_id", text_get(&build_id));
        ompd_view_json_end(view);
        text_free(&build_id);
    }
    ompd_view_json_end(view);
}

/* Add the layouts of the session's runtimes to the sources. */
static void add_json_layouts(struct command_session *session)
{
    const ompd_cl_runtime_info_t *runtime;
    struct command_rows rows;
    struct text source = {0};

    command_rows_open_optional(&rows, session, ompd_cl_kind_runtime, NULL);
    while ((runtime = command_rows_next(&rows)) != NULL) {
        if (runtime->layout.status != ompd_cl_status_value)
            continue;
        text_clear(&source);
        text_add(&source, "layout %s (build-id %s)", text_file_name(runtime->module.text),
                 runtime->build_id.text);
        command_json_text(session->view, NULL, source.bytes);
    }
    command_rows_close(&rows);
    text_free(&source);
}

static void add_json_sources(struct command_verdict *verdict)
{
    ompd_view_t *view = verdict->session.view;
    const ompd_cl_overview_info_t *overview = &verdict->overview;
    char recorder[64];

    if (!verdict->has_overview) {
        command_json_unknown(view, "sources", "the state of OpenCL cannot be read from the core");
        return;
    }
    ompd_view_json_begin(view, "sources", true);
    if (overview->recorder_major.status == ompd_cl_status_value) {
        snprintf(recorder, sizeof(recorder), "recorder %" PRIu64 ".%" PRIu64,
                 overview->recorder_major.value, overview->recorder_minor.value);
        command_json_text(view, NULL, recorder);
    }
    add_json_layouts(&verdict->session);
    ompd_view_json_end(view);
}

static void add_json_opencl(ompd_view_t *view, const struct command_verdict *verdict)
{
    ompd_view_json_begin(view, "overview", false);
    ompd_view_json_row_add(view, ompd_cl_kind_overview, &verdict->overview);
    ompd_view_json_end(view);
    command_json_number(view, "waiting_threads", (int64_t)verdict->waits.waiting);
    command_json_number(view, "running_threads", (int64_t)verdict->waits.running);
    if (verdict->session.info.signal == 0)
        add_json_waits(view, &verdict->waits);
}

static void add_json_path(ompd_view_t *view, const struct command_verdict *verdict)
{
    const char *fault = "the journal names no core file";

    if (verdict->session.options.core != NULL) {
        command_json_text(view, "core", verdict->session.options.core);
        return;
    }
    if (verdict->journal_entry != NULL &&
        verdict->journal_entry->faults[command_journal_file] != NULL)
        fault = verdict->journal_entry->faults[command_journal_file];
    command_json_unknown(view, "core", fault);
}

void command_verdict_write_json(struct command_verdict *verdict)
{
    struct command_session *session = &verdict->session;
    ompd_view_t *view = session->view;

    ompd_view_json_begin(view, NULL, false);
    add_json_path(view, verdict);
    command_journal_core_write(view, verdict);
    if (session->target != NULL) {
        add_json_sizes(view, session);
        add_json_death(view, verdict);
        add_json_signature(view, verdict);
    }
    command_journal_json_write(view, verdict);
    command_class_write_json(view, command_class_find(verdict));
    if (session->target != NULL) {
        add_json_mistakes(view, &verdict->mistakes);
        add_json_modules(view, session->target);
        add_json_sources(verdict);
    }
    if (verdict->has_overview)
        add_json_opencl(view, verdict);
    if (command_session_has_failed(session))
        command_json_text(view, "error", ompd_view_message_get(view));
    command_json_duration(view, "seconds", command_verdict_clock() - verdict->began);
    command_json_boolean(view, "is_incomplete", command_verdict_is_incomplete(verdict));
    ompd_view_json_end(view);
}
