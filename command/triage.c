/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: a line of verdict for each of many cores. */
#include <config.h>

#include <command/confine.h>
#include <command/core-groups.h>
#include <command/record-file.h>
#include <command/verbs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <unistd.h>

/* The command for one core. */
static ompd_view_exit_t run_one(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_verdict *verdict = line->user_ptr; /* its session is its first member */
    struct command_session *session = &verdict->session;

    (void)view; /* the session's */
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

/* What is asked of all cores. */
struct triage {
    bool is_json;
    struct command_signature_rules rules; /* none: not loaded, */
    struct text why_no_rules;             /* for this reason */
    bool is_grouped;
    struct command_core_groups groups;
};

/* What is known of all cores. */
struct summary {
    size_t unreadable; /* cores that are */
    bool is_incomplete;
    bool has_findings;
    bool is_stopped; /* nobody takes more text */
};

/* What a process that has read one core ends with: its exit code's bits.  libdw ends a process by
 * itself where there is no memory. */
#define TOLD_CODE 7
#define TOLD_FINDINGS 8
#define TOLD_LINE 16 /* there is one for the core */

#define NO_MEMORY "There is no memory to look at the core."

static int told_of(ompd_view_exit_t code, bool has_findings)
{
    return (int)code | (has_findings ? TOLD_FINDINGS : 0) | TOLD_LINE;
}

static void add_told(int told, struct summary *summary)
{
    int code = told & TOLD_CODE;

    summary->unreadable += code == ompd_view_exit_unreadable || code == ompd_view_exit_usage;
    summary->is_incomplete |= code == ompd_view_exit_incomplete;
    summary->has_findings |= (told & TOLD_FINDINGS) != 0;
    summary->is_stopped |= code == ompd_view_exit_stopped;
}

/* Tell of CORE by a command of its own, so that what fails for it does so for it alone: WHY_LOST
 * when it could not be read.  Returns what is told of it. */
static int tell_of(struct command_session *session, const struct triage *triage, const char *core,
                   const char *why_lost)
{
    static const ompd_view_verb_t one = {.name = "triage", .summary = "", .run = run_one};
    char *words[] = {(char *)"triage", (char *)"--json"};
    struct command_verdict verdict = {
        .why_lost = why_lost,
        .began = command_verdict_clock(),
        .rules = triage->rules.count != 0 ? &triage->rules : NULL,
        .why_no_rules = text_get(&triage->why_no_rules),
    };
    ompd_view_exit_t code = ompd_view_exit_unreadable;
    bool has_written;

    if (command_session_begin_part(&verdict.session, session, &one)) {
        verdict.session.options.core = core;
        code = ompd_view_words_run(verdict.session.view, triage->is_json ? 2 : 1, words);
    }
    has_written = verdict.session.has_written;
    command_session_close(&verdict.session);
    return has_written ? told_of(code, verdict.has_findings) : ompd_view_exit_unreadable;
}

/* The same of a core that could not be looked at, for WHY. */
static int tell_of_lost(struct command_session *session, const struct triage *triage,
                        const char *core, const char *why)
{
    int told = tell_of(session, triage, core, why);

    if ((told & TOLD_LINE) == 0)
        command_session_fail(session, ompd_view_exit_unreadable, "There is no memory.");
    return told;
}

/* Look at CORE, by a process of its own where that can be. */
static void look_at(struct command_session *session, const struct triage *triage, const char *core,
                    struct summary *summary)
{
    struct text why = {0};
    int status = 0;
    int told = 0;

    switch (command_confine(session, &core, 1, &status)) {
    case command_reader_child:
        told = tell_of(session, triage, core, NULL);
        /* A record that does not fit is none; a reader of text that goes away ends all. */
        if (fflush(stdout) != 0 && triage->is_grouped)
            told = told_of(ompd_view_exit_unreadable, false);
        else if (ferror(stdout) != 0)
            told = told_of(ompd_view_exit_stopped, false);
        _exit(told);
    case command_reader_here:
        told = tell_of(session, triage, core, NULL);
        break;
    case command_reader_ended:
        if (!command_confine_was_lost(status, &why))
            told = WEXITSTATUS(status);
        break;
    }
    if ((told & TOLD_LINE) == 0)
        told = tell_of_lost(session, triage, core, why.length != 0 ? why.bytes : NO_MEMORY);
    add_told(told, summary);
    text_free(&why);
}

/* Load the rules before any core is read: who reads one opens no such files.  False: the command
 * has failed. */
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

/* Look at CORE, and count it.  False: that cannot be. */
static bool count_core(struct command_session *session, struct triage *triage, const char *core,
                       struct summary *summary)
{
    char *record = heap_get(COMMAND_RECORD + 1);
    bool is_counted = command_record_begin();

    if (is_counted) {
        look_at(session, triage, core, summary);
        command_record_end(record);
        command_core_groups_add(&triage->groups, core, record);
        triage->groups.unreadable = summary->unreadable;
    } else {
        command_session_fail(session, ompd_view_exit_unreadable, "Cores cannot be counted: %s.",
                             strerror(errno));
    }
    heap_free(record);
    return is_counted;
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

static ompd_view_exit_t look_at_all(struct command_session *session, struct triage *triage,
                                    const ompd_view_line_t *line)
{
    struct summary summary = {.unreadable = 0};

    for (size_t i = 0; i < line->operand_count && !summary.is_stopped; i++) {
        command_session_tell(session, "Looking at cores", i, line->operand_count);
        if (!triage->is_grouped)
            look_at(session, triage, line->operands[i], &summary);
        else if (!count_core(session, triage, line->operands[i], &summary))
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

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    struct triage triage = {.is_json = line->is_json, .is_grouped = session->options.groups_cores};
    ompd_view_exit_t code = ompd_view_exit_usage;

    (void)view; /* the session's */
    if (load_rules(session, &triage))
        code = look_at_all(session, &triage, line);
    command_core_groups_free(&triage.groups);
    command_signature_rules_free(&triage.rules);
    text_free(&triage.why_no_rules);
    return code;
}
