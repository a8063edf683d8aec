/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* overview: what is in the target, in a few lines. */
#include <host/command/activities.h>
#include <host/command/gaps.h>
#include <host/command/happening.h>
#include <host/command/json.h>
#include <host/command/overview.h>
#include <host/command/sentences.h>
#include <host/command/size.h>
#include <host/command/sources.h>
#include <host/command/target-lines.h>
#include <host/command/verb.h>

#include <inttypes.h>
#include <string.h>

#define NAMED 3 /* threads, at most, one by one */

static void add_platforms(struct command_session *session, const struct command_sources *sources,
                          struct command_text *text)
{
    size_t before = text->length;
    struct command_text platform = {0};
    struct command_list platforms;
    struct command_row row;

    command_list_open(&platforms, session, ompd_cl_kind_platform, NULL);
    while (command_list_next(&platforms, &row)) {
        if (!command_value_is_known(command_row_value(&row, "name")))
            continue;
        command_text_clear(&platform);
        command_platform_describe(command_row_value(&row, "name").text,
                                  command_row_value(&row, "version").text, &platform);
        command_text_escape(text, command_text_get(&platform));
        command_text_add(text, ", ");
    }
    command_text_free(&platform);
    command_list_close(&platforms);
    if (text->length == before)
        command_sources_add_platforms(sources, text);
}

/* Add "3 memory objects (12 KiB)"; without bytes when BYTES_NAME is NULL. */
static void add_count(const struct command_row *overview, const char *name, const char *singular,
                      const char *bytes_name, struct command_text *text)
{
    struct command_value count = command_row_value(overview, name);
    struct command_value bytes;

    command_text_add(text, "%s", command_value_bound(count));
    if (command_value_is_known(count))
        command_count_add(text, count.value, singular, NULL);
    else
        command_text_add(text, COMMAND_UNKNOWN " %ss", singular);
    if (bytes_name == NULL || (command_value_is_known(count) && count.value == 0))
        return;
    bytes = command_row_value(overview, bytes_name);
    command_text_add(text, " (%s", command_value_bound(bytes));
    if (command_value_is_known(bytes))
        command_size_format(text, bytes.value);
    else
        command_text_add(text, COMMAND_UNKNOWN " B");
    command_text_add(text, ")");
}

void command_overview_counts(const struct command_row *overview, struct command_text *text)
{
    add_count(overview, "contexts", "context", NULL, text);
    command_text_add(text, ", ");
    add_count(overview, "queues", "queue", NULL, text);
    command_text_add(text, ", ");
    add_count(overview, "memory_objects", "memory object", "memory_object_bytes", text);
    command_text_add(text, ", ");
    add_count(overview, "svm_allocations", "SVM allocation", "svm_bytes", text);
}

static void add_what_is_there(struct command_session *session,
                              const struct command_sources *sources, struct command_text *text)
{
    struct command_value pid = command_row_value(sources->overview, "pid");

    command_text_add(text, "OpenCL in process %" PRId64 ": ",
                     command_value_is_known(pid) ? (int64_t)pid.value : session->info.pid);
    add_platforms(session, sources, text);
    command_overview_counts(sources->overview, text);
    command_text_add(text, "\n");
}

static void add_happening(struct command_session *session, const struct command_row *overview,
                          struct command_text *text)
{
    struct command_text happening = {0};

    command_happening_add(session, overview, &happening);
    if (happening.length != 0)
        command_text_add(text, "  %s\n", happening.bytes);
    command_text_free(&happening);
}

/* The threads that wait or run callbacks: how many, and copies of the first rows. */
struct busy {
    uint64_t count;
    struct command_row rows[NAMED];
    uint64_t bytes[NAMED][COMMAND_ROW_SIZE / sizeof(uint64_t)];
};

/* Whether one thread is named before another: those that wait first, in the order in which they
 * entered OpenCL. */
static bool is_before(const struct command_row *left, const struct command_row *right)
{
    bool left_runs = command_state_runs(command_row_number(left, "state"));
    bool right_runs = command_state_runs(command_row_number(right, "state"));

    if (left_runs != right_runs)
        return right_runs;
    return command_row_number(left, "order") < command_row_number(right, "order");
}

static void busy_put(struct busy *busy, const struct command_row *row)
{
    size_t kept = busy->count < NAMED ? (size_t)busy->count : NAMED;
    size_t index = 0;

    busy->count++;
    while (index < kept && !is_before(row, &busy->rows[index]))
        index++;
    if (index == NAMED)
        return;
    for (size_t i = kept < NAMED ? kept : NAMED - 1; i > index; i--)
        memcpy(busy->bytes[i], busy->bytes[i - 1], row->kind->size);
    memcpy(busy->bytes[index], row->bytes, row->kind->size);
    for (size_t i = 0; i <= kept && i < NAMED; i++)
        busy->rows[i] = (struct command_row){row->kind, (const void *)busy->bytes[i]};
}

static void find_busy(struct command_session *session, struct busy *busy)
{
    struct command_list threads;
    struct command_row row;

    command_list_open_busy(&threads, session);
    while (command_list_next(&threads, &row)) {
        uint64_t state = command_row_number(&row, "state");

        if (command_state_waits(state) || command_state_runs(state))
            busy_put(busy, &row);
    }
    command_list_close(&threads);
}

static void add_threads(struct command_session *session, struct command_text *text)
{
    struct busy busy = {.count = 0};
    struct command_thread_renderer renderer;

    find_busy(session, &busy);
    if (busy.count == 0)
        return;
    command_thread_renderer_begin(&renderer, session);
    for (size_t i = 0; i < busy.count && i < NAMED; i++) {
        command_text_add(text, i == 0 ? "  " : "; ");
        command_thread_sentence(&renderer, &busy.rows[i], text);
    }
    command_thread_renderer_end(&renderer);
    if (busy.count > NAMED)
        command_text_add(text, "; %" PRIu64 " more: see `threads`", busy.count - NAMED);
    command_text_add(text, "\n");
}

/* Add what went wrong so far, in the program or in recording it. */
static void add_faults(const struct command_row *overview, struct command_text *text)
{
    static const char *const counters[] = {"unknown_handles", "not_recorded", "loaders_refused"};
    uint64_t releases = command_row_number(overview, "over_releases");
    uint64_t last = command_row_number(overview, "over_released");

    if (releases != 0) {
        command_text_add(text, "  ");
        command_count_add(text, releases, "release", NULL);
        command_text_add(text, " of objects with no references left");
        if (last != 0)
            command_text_add(text, ", the last of 0x%" PRIx64, last);
        command_text_add(text, "\n");
    }
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        const ompd_cl_field_t *field = command_kind_field(overview->kind, counters[i]);
        uint64_t count = command_row_number(overview, counters[i]);

        if (field != NULL && count != 0)
            command_text_add(text, "  %" PRIu64 " %s\n", count, field->help);
    }
}

static bool is_shown(const char *name)
{
    static const char *const names[] = {
        "contexts",        "queues",    "memory_objects", "memory_object_bytes",    "app_released",
        "svm_allocations", "svm_bytes", "svm_frees",      "destructors_registered",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Write which of the counts that are not 0 and were written before are not proved. */
static void write_presumed(struct command_session *session, const struct command_row *overview)
{
    struct command_text presumed = {0};

    for (size_t i = 0; i < overview->kind->field_count; i++) {
        const ompd_cl_field_t *field = overview->kind->fields[i];
        struct command_value value = command_row_field(overview, field);

        if (command_value_is_presumed(value) && value.value != 0 && is_shown(field->name))
            command_text_add(&presumed, "%s%s",
                             presumed.length == 0 ? COMMAND_NOT_PROVED ": " : ", ", field->title);
    }
    if (presumed.length != 0)
        command_note_write(session, "  ", presumed.bytes);
    command_text_free(&presumed);
}

/* Write why some of the counts are not known: they count as none in what is written before. */
static void write_notes(struct command_session *session, const struct command_sources *sources,
                        const struct command_text *gaps)
{
    const struct command_row *overview = sources->overview;
    bool has_recorder = command_sources_have_recorder(overview);
    struct command_text note = {0};
    struct command_text unrecorded = {0};

    for (size_t i = 0; i < overview->kind->field_count; i++) {
        const ompd_cl_field_t *field = overview->kind->fields[i];
        struct command_value value = command_row_field(overview, field);

        if (command_value_is_known(value) || command_value_is_absent(value))
            continue;
        if (!has_recorder && value.status == ompd_cl_status_unknown) {
            if (strcmp(field->name, "pid") != 0)
                command_text_add(&unrecorded, "%s%s",
                                 unrecorded.length == 0 ? COMMAND_UNRECORDED ": " : ", ",
                                 field->title);
            continue;
        }
        command_text_clear(&note);
        command_text_add(&note, COMMAND_UNKNOWN "  %s: ", field->title);
        command_value_reason(value, &note);
        command_note_write(session, "  ", note.bytes);
    }
    if (unrecorded.length != 0)
        command_note_write(session, "  ", unrecorded.bytes);
    write_presumed(session, overview);
    command_gaps_write(session, "  ", gaps);
    command_sources_write_notes(sources, session, "  ");
    command_text_free(&note);
    command_text_free(&unrecorded);
}

static void write_sentences(struct command_session *session, const struct command_row *overview)
{
    struct command_sources sources;
    struct command_text gaps = command_gaps_get(session);
    struct command_text text = {0};

    command_sources_find(&sources, session, overview);
    add_what_is_there(session, &sources, &text);
    add_happening(session, overview, &text);
    add_threads(session, &text);
    add_faults(overview, &text);
    command_sources_add(&sources, &text);
    if (session->failure == command_exit_ok) {
        fputs(text.bytes, session->output);
        write_notes(session, &sources, &gaps);
    }
    command_text_free(&gaps);
    command_text_free(&text);
    command_sources_free(&sources);
}

static void write_json(struct command_session *session, const struct command_row *overview)
{
    struct command_text text = {0};
    struct command_json json;

    command_json_begin(&json, session, &text);
    command_json_fields(&json, overview, NULL);
    command_gaps_json(&json);
    command_json_end(&json);
    command_json_print(session, &text);
    command_text_free(&text);
}

enum command_exit command_overview_run(struct command_session *session,
                                       const struct command_line *line)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct command_row overview = {command_kind_get(ompd_cl_kind_overview), (const void *)&info};

    (void)line;
    /* What a core is may be all that it tells. */
    if (!session->options.is_json)
        command_target_lines_write(session);
    if (!command_session_check(session, ompd_cl_overview_get(session->space, &info)))
        return command_session_result(session);
    command_gaps_take(session);
    if (session->options.is_json)
        write_json(session, &overview);
    else
        write_sentences(session, &overview);
    return command_session_result(session);
}
