/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: one line of verdict per core. */
#include <config.h>

#include <command/triage/triage.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <text/json.h>
#include <unistd.h>

/* The command for one core. */
static ompd_view_exit_t core_verb_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_verdict *verdict = line->user_ptr; /* its session is its first member */
    struct command_session *session = &verdict->session;

    (void)view; /* same as the session's view */
    if (verdict->why_lost != NULL)
        ompd_view_command_fail(verdict->session.view, ompd_view_exit_unreadable, verdict->why_lost);
    else
        command_verdict_find(verdict, line->is_json || session->options.groups_cores);
    if (session->options.groups_cores) {
        command_core_record_write(verdict, session->output);
        session->has_written = true;
    } else if (line->is_json) {
        command_verdict_write_json(verdict);
    } else {
        command_verdict_write(verdict);
    }
    command_verdict_free(verdict);
    if (command_verdict_is_incomplete(verdict))
        return ompd_view_exit_incomplete;
    return verdict->has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}

/* The options for all cores. */
struct triage {
    bool is_json;
    struct command_signature_rules rules; /* none: not loaded */
    struct text why_no_rules;             /* why not */
    bool is_grouped;
    struct command_core_groups groups;
    bool asks_journal;
    struct command_journal journal;
    struct command_core_list cores;
    bool is_captured; /* output currently goes to a record */
};

/* The result for all cores. */
struct summary {
    size_t unreadable; /* number of cores */
    bool is_incomplete;
    bool has_findings;
    bool is_stopped; /* the output is closed */
};

/* Exit code of a process that has read one core: bits.  libdw itself ends a process that is out
 * of memory. */
#define RESULT_CODE 7
#define RESULT_FINDINGS 8
#define RESULT_LINE 16 /* a line was written for the core */

#define NO_MEMORY "Out of memory"

static int core_result(ompd_view_exit_t code, bool has_findings)
{
    return (int)code | (has_findings ? RESULT_FINDINGS : 0) | RESULT_LINE;
}

static void core_result_add(int result, struct summary *summary)
{
    int code = result & RESULT_CODE;

    summary->unreadable += code == ompd_view_exit_unreadable || code == ompd_view_exit_usage;
    summary->is_incomplete |= code == ompd_view_exit_incomplete;
    summary->has_findings |= (result & RESULT_FINDINGS) != 0;
    summary->is_stopped |= code == ompd_view_exit_stopped;
}

/* Report on CORE in a command of its own, so that failures affect only that core.  WHY_LOST is
 * the reason if it could not be read.  Returns the bits above. */
static int core_report(struct command_session *session, const struct triage *triage,
                       const struct command_core *core, const char *why_lost)
{
    static const ompd_view_verb_t one = {.name = "triage", .summary = "", .run = core_verb_run};
    char *words[] = {(char *)"triage", (char *)"--json"};
    struct command_verdict verdict = {
        .why_lost = why_lost,
        .began = command_verdict_clock(),
        .rules = triage->rules.count != 0 ? &triage->rules : NULL,
        .why_no_rules = text_get(&triage->why_no_rules),
        .asks_journal = triage->asks_journal,
        .journal_entry = core->journal_entry,
    };
    ompd_view_exit_t code = ompd_view_exit_unreadable;
    bool has_written;

    if (command_session_begin_part(&verdict.session, session, &one)) {
        verdict.session.options.core = core->path;
        code = ompd_view_words_run(verdict.session.view, triage->is_json ? 2 : 1, words);
    }
    has_written = verdict.session.has_written;
    command_session_close(&verdict.session);
    return has_written ? core_result(code, verdict.has_findings) : ompd_view_exit_unreadable;
}

/* The same for a core that could not be read, because of WHY. */
static int lost_core_report(struct command_session *session, const struct triage *triage,
                            const struct command_core *core, const char *why)
{
    int result = core_report(session, triage, core, why);

    if ((result & RESULT_LINE) == 0)
        command_session_fail(session, ompd_view_exit_unreadable, NO_MEMORY);
    return result;
}

/* Read CORE, in a separate process if possible.  Returns the bits above. */
static int core_read(struct command_session *session, const struct triage *triage,
                     const struct command_core *core)
{
    struct text why = {0};
    int status = 0;
    int result = 0;

    if (core->why_unreadable != NULL)
        return lost_core_report(session, triage, core, core->why_unreadable);
    switch (command_confine(session, &core->path, 1, &status)) {
    case command_reader_child:
        result = core_report(session, triage, core, NULL);
        /* A record that does not fit is dropped; a closed output ends everything. */
        if (fflush(stdout) != 0 && triage->is_captured)
            result = core_result(ompd_view_exit_unreadable, false);
        else if (ferror(stdout) != 0)
            result = core_result(ompd_view_exit_stopped, false);
        _exit(result);
    case command_reader_here:
        result = core_report(session, triage, core, NULL);
        break;
    case command_reader_ended:
        if (!command_confine_was_lost(status, &why))
            result = WEXITSTATUS(status);
        break;
    }
    if ((result & RESULT_LINE) == 0)
        result = lost_core_report(session, triage, core, why.length != 0 ? why.bytes : NO_MEMORY);
    text_free(&why);
    return result;
}

/* Load the rules before any core is read, as a confined reader cannot open them.  Returns false
 * if the command has failed. */
static bool load_rules(struct command_session *session, struct triage *triage)
{
    bool is_users;

    if (!triage->is_json && !triage->is_grouped)
        return true;
    if (command_signature_rules_load(&triage->rules, &is_users, &triage->why_no_rules))
        return true;
    if (!is_users && !triage->is_grouped)
        return true;
    command_session_fail(session, is_users ? ompd_view_exit_usage : ompd_view_exit_unreadable, "%s",
                         text_get(&triage->why_no_rules));
    return false;
}

/* ---- Reading identical cores once ------------------------------------------------------------ */

/* Read CORE, and capture the report in RECORD, of COMMAND_RECORD bytes and a NUL.  Returns
 * false, with errno, if it cannot be captured. */
static bool core_read_captured(struct command_session *session, struct triage *triage,
                               const struct command_core *core, char *record, int *result)
{
    if (!command_record_begin())
        return false;
    triage->is_captured = true;
    *result = core_read(session, triage, core);
    triage->is_captured = false;
    command_record_end(record);
    return true;
}

/* Whether TEXT, in which special characters are escaped, may contain PATH. */
static bool may_name(const char *text, const char *path)
{
    struct text escaped = {0};
    bool is_plain;

    text_escape(&escaped, path);
    is_plain = strcmp(text_get(&escaped), path) == 0 && strchr(path, '"') == NULL;
    text_free(&escaped);
    return !is_plain || strstr(text, path) != NULL;
}

/* Store RECORD with CORE for identical cores, if it applies to them.  A failure may not repeat,
 * and a sentence may name the core. */
static void core_report_store(struct command_core *core, const char *record, int result,
                              size_t behind_path)
{
    int code = result & RESULT_CODE;
    bool is_sure = code == ompd_view_exit_ok || code == ompd_view_exit_findings ||
                   (code == ompd_view_exit_incomplete && core->path != NULL &&
                    !may_name(record + behind_path, core->path));

    if (core->is_repeated && is_sure) {
        core->record = text_copy(record);
        core->code = result;
    }
}

/* Add the beginning of a line about PATH. */
static void add_beginning(const struct triage *triage, const char *path, struct text *text)
{
    struct json json;

    if (triage->is_json) {
        json_begin_line(&json, text);
        json_string(&json, "core", path);
    } else {
        text_escape(text, path);
        text_put(text, ": ");
    }
}

/* Write the line of CORE, which is identical to FIRST.  Returns false if that has no usable
 * line. */
static bool core_line_repeat(struct command_session *session, const struct triage *triage,
                             const struct command_core *core, const struct command_core *first)
{
    struct text old = {0};
    struct text new = {0};
    bool is_known;

    add_beginning(triage, first->path, &old);
    add_beginning(triage, core->path, &new);
    is_known = strncmp(first->record, old.bytes, old.length) == 0;
    if (is_known) {
        fwrite(new.bytes, 1, new.length, session->output);
        fputs(first->record + old.length, session->output);
    }
    text_free(&old);
    text_free(&new);
    return is_known;
}

/* Report on CORE, which other cores are identical to.  Returns the bits above. */
static int first_core_report(struct command_session *session, struct triage *triage,
                             struct command_core *core)
{
    char *record = heap_get(COMMAND_RECORD + 1);
    struct text beginning = {0};
    size_t length = 0;
    int result = 0;

    if (core_read_captured(session, triage, core, record, &result))
        length = strlen(record);
    /* If the report does not fit or cannot be captured, write it as for other cores. */
    if (length == 0 || length == COMMAND_RECORD || record[length - 1] != '\n') {
        heap_free(record);
        return core_read(session, triage, core);
    }
    add_beginning(triage, core->path, &beginning);
    if (beginning.length < length)
        core_report_store(core, record, result, beginning.length);
    fputs(record, session->output);
    text_free(&beginning);
    heap_free(record);
    return result;
}

/* Write a line for CORE. */
static void core_line_write(struct command_session *session, struct triage *triage,
                            struct command_core *core, struct summary *summary)
{
    const struct command_core *first = &triage->cores.all[core->same];
    int result;

    if (first->record != NULL && command_core_is_as_first(&triage->cores, core) &&
        core_line_repeat(session, triage, core, first))
        result = first->code;
    else if (core->is_repeated)
        result = first_core_report(session, triage, core);
    else
        result = core_read(session, triage, core);
    core_result_add(result, summary);
    summary->is_stopped |= ferror(session->output) != 0;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Read CORE and count it.  Returns false on failure. */
static bool core_read_and_count(struct command_session *session, struct triage *triage,
                                struct command_core *core, struct summary *summary)
{
    char *record = heap_get(COMMAND_RECORD + 1);
    int result;
    bool is_captured = core_read_captured(session, triage, core, record, &result);

    if (is_captured) {
        core_result_add(result, summary);
        core_report_store(core, record, result, 0);
        command_core_groups_add(&triage->groups, core->path != NULL ? core->path : COMMAND_NO_FILE,
                                record);
    } else {
        command_session_fail(session, ompd_view_exit_unreadable, "Cannot count cores: %s",
                             strerror(errno));
    }
    heap_free(record);
    return is_captured;
}

static bool count_core(struct command_session *session, struct triage *triage,
                       struct command_core *core, struct summary *summary)
{
    const struct command_core *first = &triage->cores.all[core->same];

    if (first->record != NULL && command_core_is_as_first(&triage->cores, core)) {
        core_result_add(first->code, summary);
        command_core_groups_add(&triage->groups, core->path, first->record);
    } else if (!core_read_and_count(session, triage, core, summary)) {
        return false;
    }
    triage->groups.unreadable = summary->unreadable;
    return true;
}

static void write_groups(struct command_session *session, struct triage *triage,
                         struct summary *summary)
{
    command_progress_end(&session->progress);
    summary->is_incomplete |= triage->groups.is_cut;
    if (triage->is_json)
        command_core_groups_write_json(&triage->groups, session->view, triage->rules.version);
    else
        command_core_groups_write(&triage->groups, session->view);
}

/* ---- All cores ------------------------------------------------------------------------------- */

static ompd_view_exit_t cores_read(struct command_session *session, struct triage *triage)
{
    struct command_core_list *cores = &triage->cores;
    struct summary summary = {.is_incomplete = triage->journal.why_cut.length != 0};

    for (size_t i = 0; i < cores->count && !summary.is_stopped; i++) {
        command_session_progress_show(session, "Reading cores", i, cores->count);
        if (!triage->is_grouped)
            core_line_write(session, triage, &cores->all[i], &summary);
        else if (!count_core(session, triage, &cores->all[i], &summary))
            return ompd_view_exit_unreadable;
    }
    command_progress_end(&session->progress);
    if (triage->is_grouped && !summary.is_stopped)
        write_groups(session, triage, &summary);
    if (summary.is_stopped)
        return ompd_view_exit_stopped;
    if (summary.unreadable != 0)
        return ompd_view_exit_unreadable;
    if (summary.is_incomplete)
        return ompd_view_exit_incomplete;
    return summary.has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}

/* Read the journal before any core.  Returns false if the command has failed. */
static bool read_journal(struct command_session *session, struct triage *triage)
{
    struct text why = {0};
    struct text left_out = {0};
    bool is_read = command_journal_read(&triage->journal, session->options.journal, &why);

    if (!is_read)
        command_session_fail(session, ompd_view_exit_unreadable, "%s", why.bytes);
    else if (triage->journal.why_cut.length != 0)
        command_error_print(triage->journal.why_cut.bytes);
    if (triage->journal.foreign != 0) {
        count_add(&left_out, triage->journal.foreign, "entry", "entries");
        text_put(&left_out, " of the journal ignored: not written by systemd-coredump");
        command_error_print(left_out.bytes);
    }
    text_free(&left_out);
    text_free(&why);
    return is_read;
}

/* List the cores to read.  Returns false if the command has failed. */
static bool list_cores(struct command_session *session, struct triage *triage,
                       const ompd_view_line_t *line)
{
    if (line->operand_count == 0 && !triage->asks_journal) {
        command_session_fail(session, ompd_view_exit_usage,
                             "No cores: name CORE..., or use --journal for all that "
                             "systemd-coredump stored; see `ompd-opencl triage --help`");
        return false;
    }
    if (triage->asks_journal && !read_journal(session, triage))
        return false;
    if (line->operand_count != 0)
        command_core_list_make(&triage->cores, line->operands, line->operand_count,
                               triage->asks_journal ? &triage->journal : NULL);
    else
        command_core_list_of_journal(&triage->cores, &triage->journal);
    command_core_list_find_same(&triage->cores, triage->is_grouped);
    return true;
}

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    struct triage triage = {.is_json = line->is_json,
                            .is_grouped = session->options.groups_cores,
                            .asks_journal = session->options.asks_journal};
    ompd_view_exit_t code = ompd_view_exit_usage;

    (void)view; /* same as session->view */
    if (list_cores(session, &triage, line) && load_rules(session, &triage)) {
        if (triage.cores.count == 0 && !triage.is_json)
            ompd_view_text_write(session->view, ompd_view_style_plain,
                                 "The journal lists no cores that you may see.\n");
        code = cores_read(session, &triage);
    }
    command_core_list_free(&triage.cores);
    command_journal_free(&triage.journal);
    command_core_groups_free(&triage.groups);
    command_signature_rules_free(&triage.rules);
    text_free(&triage.why_no_rules);
    return code;
}
