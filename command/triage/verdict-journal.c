/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The journal's data about a core, in a verdict. */
#include <command/triage/triage.h>

#include <inttypes.h>
#include <limits.h>

#define MICROSECONDS 1000000

static const char *journal_text(const struct command_verdict *verdict,
                                enum command_journal_field field)
{
    return verdict->journal_entry != NULL ? verdict->journal_entry->texts[field] : NULL;
}

/* FIELD as a number up to MOST; otherwise OTHER, -1 for none. */
static int64_t journal_number(const struct command_verdict *verdict,
                              enum command_journal_field field, int64_t most, int64_t other)
{
    int64_t number;

    if (verdict->journal_entry == NULL ||
        !command_journal_number(verdict->journal_entry, field, &number) || number > most)
        return other;
    return number;
}

/* When the process died, in seconds since 1970, according to the journal; otherwise OTHER. */
static int64_t journal_time(const struct command_verdict *verdict, int64_t other)
{
    int64_t time = journal_number(verdict, command_journal_time, INT64_MAX, -1);

    if (time < 0)
        time = journal_number(verdict, command_journal_logged, INT64_MAX, -1);
    return time >= 0 ? time / MICROSECONDS : other;
}

static int journal_signal(const struct command_verdict *verdict)
{
    return (int)journal_number(verdict, command_journal_signal, INT_MAX, 0);
}

static const char *journal_program(const struct command_verdict *verdict)
{
    const char *program = journal_text(verdict, command_journal_executable);

    return program != NULL ? program : journal_text(verdict, command_journal_name);
}

/* ---- Text ------------------------------------------------------------------------------------ */

void command_journal_death_add(const struct command_verdict *verdict, struct text *text)
{
    const char *program = journal_program(verdict);

    text_escape(text, program != NULL ? text_file_name(program) : "a program");
    if (journal_signal(verdict) == 0) {
        text_put(text, ", cause unknown");
        return;
    }
    text_put(text, " died of ");
    command_signal_add(text, journal_signal(verdict));
}

/* Add BEFORE and PART, unless PART is NULL. */
static void sentence_part_add(struct text *text, const char *before, const char *part)
{
    if (part == NULL)
        return;
    text_put(text, before);
    text_escape(text, part);
}

void command_journal_summary_add(const struct command_verdict *verdict, struct text *text)
{
    const char *unit = journal_text(verdict, command_journal_user_unit);

    if (verdict->journal_entry == NULL)
        return;
    if (unit == NULL)
        unit = journal_text(verdict, command_journal_unit);
    sentence_part_add(text, "; ", unit != NULL ? unit : "unknown unit");
    sentence_part_add(text, " on ", journal_text(verdict, command_journal_host));
    text_put(text, ", ");
    command_time_add(text, journal_time(verdict, 0));
    sentence_part_add(text, ", package ", journal_text(verdict, command_journal_package));
    if (journal_text(verdict, command_journal_package) != NULL)
        sentence_part_add(text, " ", journal_text(verdict, command_journal_package_version));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_text(ompd_view_t *view, const char *key, const char *value, const char *other)
{
    if (value != NULL || other != NULL)
        command_json_text(view, key, value != NULL ? value : other);
}

static void add_number(ompd_view_t *view, const char *key, int64_t value)
{
    if (value >= 0)
        command_json_number(view, key, value);
}

static void journal_core_write(ompd_view_t *view, const struct command_verdict *verdict)
{
    struct text signal = {0};

    add_text(view, "program", journal_program(verdict), NULL);
    add_text(view, "command_line", journal_text(verdict, command_journal_command_line), NULL);
    add_text(view, "host", journal_text(verdict, command_journal_host), NULL);
    add_number(view, "pid", journal_number(verdict, command_journal_pid, INT_MAX, -1));
    add_number(view, "time", journal_time(verdict, -1));
    if (journal_signal(verdict) != 0) {
        command_signal_add(&signal, journal_signal(verdict));
        command_json_text(view, "signal", signal.bytes);
    }
    text_free(&signal);
}

void command_journal_core_write(ompd_view_t *view, const struct command_verdict *verdict)
{
    const struct command_session *session = &verdict->session;
    const ompd_host_target_info_t *info = &session->info;

    if (session->target == NULL) {
        journal_core_write(view, verdict);
        return;
    }
    add_text(view, "program", info->program, NULL);
    if (session->build_id.length != 0)
        command_json_text(view, "build_id", session->build_id.bytes);
    add_text(view, "command_line", info->command_line, NULL);
    add_text(view, "host", journal_text(verdict, command_journal_host), info->host_name);
    command_json_number(view, "pid", info->pid);
    command_json_number(view, "time", journal_time(verdict, info->time));
}

/* Add the value of FIELD, or why it is unknown. */
static void journal_field_add(ompd_view_t *view, const struct command_verdict *verdict,
                              const char *key, enum command_journal_field field, bool is_always)
{
    const struct command_journal_entry *journal_entry = verdict->journal_entry;

    if (journal_entry->texts[field] != NULL)
        command_json_text(view, key, journal_entry->texts[field]);
    else if (journal_entry->faults[field] != NULL)
        command_json_unknown(view, key, journal_entry->faults[field]);
    else if (is_always)
        command_json_unknown(view, key, "not recorded in the journal");
}

void command_journal_json_write(ompd_view_t *view, const struct command_verdict *verdict)
{
    if (!verdict->asks_journal)
        return;
    if (verdict->journal_entry == NULL) {
        command_json_unknown(view, "unit", "the journal does not name the core");
        return;
    }
    journal_field_add(view, verdict, "unit", command_journal_unit, true);
    journal_field_add(view, verdict, "user_unit", command_journal_user_unit, false);
    journal_field_add(view, verdict, "boot_id", command_journal_boot, true);
    add_number(view, "uid", journal_number(verdict, command_journal_user, UINT32_MAX, -1));
    journal_field_add(view, verdict, "package", command_journal_package, false);
    journal_field_add(view, verdict, "package_version", command_journal_package_version, false);
}
