/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* overview: a summary of the target in a few lines. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <string.h>

#define NAMED 3 /* maximum number of threads listed one by one */

static void add_platforms(ompd_view_t *view, const struct view_sources *sources, struct text *text)
{
    size_t before = text->length;
    struct text platform = {0};
    struct view_list platforms;
    struct view_row row;

    /* Layouts have no names. */
    if (!view_sources_have_recorder(sources->overview)) {
        view_sources_add_platforms(sources, text);
        return;
    }
    view_list_open(&platforms, view, ompd_cl_kind_platform, NULL);
    while (view_list_next(&platforms, &row)) {
        if (!view_value_is_known(view_row_value(&row, "name")))
            continue;
        text_clear(&platform);
        view_platform_describe(view_row_value(&row, "name").text,
                               view_row_value(&row, "version").text, &platform);
        text_escape(text, text_get(&platform));
        text_put(text, ", ");
    }
    text_free(&platform);
    view_list_close(&platforms);
    if (text->length == before)
        view_sources_add_platforms(sources, text);
}

/* Add "3 memory objects (12 KiB)", without bytes if BYTES_NAME is NULL. */
static void overview_count_add(const struct view_row *overview, const char *name,
                               const char *singular, const char *bytes_name, struct text *text)
{
    struct view_value count = view_row_value(overview, name);
    struct view_value bytes;

    text_put(text, view_value_bound(count));
    if (view_value_is_known(count))
        count_add(text, count.value, singular, NULL);
    else
        text_add(text, VIEW_UNKNOWN " %ss", singular);
    if (bytes_name == NULL || (view_value_is_known(count) && count.value == 0))
        return;
    bytes = view_row_value(overview, bytes_name);
    text_add(text, " (%s", view_value_bound(bytes));
    if (view_value_is_known(bytes))
        size_format(text, bytes.value);
    else
        text_add(text, VIEW_UNKNOWN " B");
    text_put(text, ")");
}

/* Add the count NAME if there are any. */
static void overview_rare_count_add(const struct view_row *overview, const char *name,
                                    const char *singular, struct text *text)
{
    struct view_value count = view_row_value(overview, name);

    if (!view_value_is_known(count) || count.value == 0)
        return;
    text_put(text, ", ");
    overview_count_add(overview, name, singular, NULL, text);
}

void view_overview_counts(const struct view_row *overview, struct text *text)
{
    overview_count_add(overview, "contexts", "context", NULL, text);
    text_put(text, ", ");
    overview_count_add(overview, "queues", "queue", NULL, text);
    text_put(text, ", ");
    overview_count_add(overview, "memory_objects", "memory object", "memory_object_bytes", text);
    text_put(text, ", ");
    overview_count_add(overview, "svm_allocations", "SVM allocation", "svm_bytes", text);
    overview_rare_count_add(overview, "command_buffers", "command buffer", text);
    overview_rare_count_add(overview, "semaphores", "semaphore", text);
}

static void add_what_is_there(ompd_view_t *view, const struct view_sources *sources,
                              struct text *text)
{
    struct view_value pid = view_row_value(sources->overview, "pid");

    text_add(text, "OpenCL in process %" PRId64 ": ",
             view_value_is_known(pid) ? (int64_t)pid.value : view->use.pid);
    add_platforms(view, sources, text);
    view_overview_counts(sources->overview, text);
    text_put(text, "\n");
}

static void add_happening(ompd_view_t *view, const struct view_row *overview, struct text *text)
{
    struct text happening = {0};

    view_activity_summary_add(view, overview, &happening);
    if (happening.length != 0)
        text_add(text, "  %s\n", happening.bytes);
    text_free(&happening);
}

/* The threads that wait or run callbacks: their number, and copies of the first rows. */
struct busy {
    uint64_t count;
    struct view_row rows[NAMED];
    uint64_t bytes[NAMED][VIEW_ROW_SIZE / sizeof(uint64_t)];
};

/* Order of threads: waiting ones first, in the order in which they entered OpenCL. */
static bool is_before(const struct view_row *left, const struct view_row *right)
{
    bool left_runs = view_state_runs(view_row_number(left, "state"));
    bool right_runs = view_state_runs(view_row_number(right, "state"));

    if (left_runs != right_runs)
        return right_runs;
    return view_row_number(left, "order") < view_row_number(right, "order");
}

static void busy_put(struct busy *busy, const struct view_row *row)
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
        busy->rows[i] = (struct view_row){row->kind, (const void *)busy->bytes[i]};
}

static void find_busy(ompd_view_t *view, struct busy *busy)
{
    struct view_list threads;
    struct view_row row;

    view_list_open_busy(&threads, view);
    while (view_list_next(&threads, &row)) {
        uint64_t state = view_row_number(&row, "state");

        if (view_state_waits(state) || view_state_runs(state))
            busy_put(busy, &row);
    }
    view_list_close(&threads);
}

static void add_threads(ompd_view_t *view, struct text *text)
{
    struct busy busy = {.count = 0};
    struct view_thread_renderer renderer;

    find_busy(view, &busy);
    if (busy.count == 0)
        return;
    view_thread_renderer_begin(&renderer, view);
    for (size_t i = 0; i < busy.count && i < NAMED; i++) {
        text_add(text, i == 0 ? "  " : "; ");
        view_thread_sentence(&renderer, &busy.rows[i], text);
    }
    view_thread_renderer_end(&renderer);
    if (busy.count > NAMED)
        text_add(text, "; %" PRIu64 " more: see `%sthreads`", busy.count - NAMED,
                 view_verb_prefix(view));
    text_put(text, "\n");
}

/* Add the errors so far, in the program or in recording. */
static void add_faults(const struct view_row *overview, struct text *text)
{
    static const char *const counters[] = {"unknown_handles", "not_recorded", "loaders_refused"};
    uint64_t releases = view_row_number(overview, "over_releases");
    uint64_t last = view_row_number(overview, "over_released");

    if (releases != 0) {
        text_put(text, "  ");
        count_add(text, releases, "release", NULL);
        text_put(text, " of objects with no references left");
        if (last != 0)
            text_add(text, ", the last of 0x%" PRIx64, last);
        text_put(text, "\n");
    }
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        const ompd_cl_field_t *field = view_kind_field(overview->kind, counters[i]);
        uint64_t count = view_row_number(overview, counters[i]);

        if (field != NULL && count != 0)
            text_add(text, "  %" PRIu64 " %s\n", count, field->help);
    }
}

static bool overview_is_shown(const char *name)
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

/* Whether the remark on FIELD is redundant, because the owner of FIELD has it. */
static bool is_implied(const struct view_row *overview, const ompd_cl_field_t *field)
{
    static const struct {
        const char *name;
        const char *owner;
    } pairs[] = {
        {"memory_object_bytes", "memory_objects"},
        {"svm_bytes", "svm_allocations"},
        {"over_released", "over_releases"},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (strcmp(field->name, pairs[i].name) == 0)
            return view_row_field(overview, field).status ==
                   view_row_value(overview, pairs[i].owner).status;
    return false;
}

/* Write which of the nonzero counts above are not proved. */
static void write_presumed(ompd_view_t *view, const struct view_row *overview)
{
    struct text presumed = {0};

    for (size_t i = 0; i < overview->kind->field_count; i++) {
        const ompd_cl_field_t *field = overview->kind->fields[i];
        struct view_value value = view_row_field(overview, field);

        if (view_value_is_presumed(value) && value.value != 0 && overview_is_shown(field->name) &&
            !is_implied(overview, field))
            text_add(&presumed, "%s%s", presumed.length == 0 ? VIEW_NOT_PROVED ": " : ", ",
                     field->title);
    }
    if (presumed.length != 0)
        view_note_write(view, "  ", presumed.bytes);
    text_free(&presumed);
}

/* Write why some counts are unknown: the output above treats them as zero. */
static void overview_notes_write(ompd_view_t *view, const struct view_sources *sources,
                                 const struct text *incompleteness)
{
    const struct view_row *overview = sources->overview;
    bool has_recorder = view_sources_have_recorder(overview);
    struct text note = {0};
    struct text unrecorded = {0};

    for (size_t i = 0; i < overview->kind->field_count; i++) {
        const ompd_cl_field_t *field = overview->kind->fields[i];
        struct view_value value = view_row_field(overview, field);

        if (view_value_is_known(value) || view_value_is_absent(value))
            continue;
        if (!has_recorder && value.status == ompd_cl_status_unknown) {
            if (strcmp(field->name, "pid") != 0 && !is_implied(overview, field))
                text_add(&unrecorded, "%s%s", unrecorded.length == 0 ? VIEW_UNRECORDED ": " : ", ",
                         field->title);
            continue;
        }
        text_clear(&note);
        text_add(&note, VIEW_UNKNOWN "  %s: ", field->title);
        view_value_reason(value, &note);
        view_note_write(view, "  ", note.bytes);
    }
    if (unrecorded.length != 0)
        view_note_write(view, "  ", unrecorded.bytes);
    write_presumed(view, overview);
    view_incompleteness_write(view, "  ", incompleteness);
    view_sources_write_notes(sources, view, "  ");
    text_free(&note);
    text_free(&unrecorded);
}

/* Add "  Embree: 2 devices, 26.8 MiB in use: see `embree`", if there are any. */
static void add_embree(ompd_view_t *view, struct text *text)
{
    struct view_embree_summary embree;

    if (!view_embree_summary_find(view, &embree))
        return;
    text_put(text, "  Embree: ");
    view_embree_summary_add(&embree, text);
    text_add(text, ": see `%sembree`\n", view_verb_prefix(view));
}

static void write_sentences(ompd_view_t *view, const struct view_row *overview)
{
    struct view_sources sources;
    struct text incompleteness = view_incompleteness_get(view);
    struct text text = {0};

    view_sources_find(&sources, view, overview);
    add_what_is_there(view, &sources, &text);
    add_happening(view, overview, &text);
    add_threads(view, &text);
    view_troubles_add(view, &text);
    add_faults(overview, &text);
    add_embree(view, &text);
    view_sources_add(&sources, &text);
    if (view->failure == ompd_view_exit_ok) {
        view_write(view, text.bytes);
        overview_notes_write(view, &sources, &incompleteness);
    }
    text_free(&incompleteness);
    text_free(&text);
    view_sources_free(&sources);
}

static void overview_json_write(ompd_view_t *view, const struct view_row *overview)
{
    struct view_embree_summary embree;
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    view_json_fields(view, &json, overview, NULL);
    view_troubles_json(view, &json);
    view_incompleteness_json(view, &json);
    if (view_embree_summary_find(view, &embree))
        view_embree_summary_json(&embree, &json);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

/* Write the front end's description of the target. */
static void write_target(ompd_view_t *view)
{
    const char *lines = NULL;

    if (view->front_end.describe_target != NULL)
        lines = view->front_end.describe_target(view->front_end.user_ptr);
    if (lines != NULL)
        view_write(view, lines);
}

/* Describe a process that uses Embree alone.  False if it has no Embree devices either. */
static bool overview_embree_write(ompd_view_t *view, const struct text *reason)
{
    struct view_embree_summary embree;
    struct text text = {0};
    struct json json;

    if (!view_embree_summary_find(view, &embree))
        return false;
    if (view->options.is_json) {
        json_begin_line(&json, &text);
        json_number(&json, "pid", view->use.pid);
        view_embree_summary_json(&embree, &json);
        json_end(&json);
        view_json_print(view, &text);
    } else {
        text_add(&text, "Embree in process %" PRId64 ": ", view->use.pid);
        view_embree_summary_add(&embree, &text);
        text_add(&text, ": see `%sembree`\n", view_verb_prefix(view));
        view_write(view, text.bytes);
        view_note_write(view, "  ", text_get(reason));
    }
    text_free(&text);
    return true;
}

/* Get the overview.  False if there is none, which the view has reported. */
static bool overview_read(ompd_view_t *view, ompd_cl_overview_info_t *info)
{
    ompd_rc_t rc = ompd_cl_overview_get(view->use.space, info);
    struct text reason = {0};
    bool is_written;

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete || rc == ompd_rc_interrupted ||
        rc == ompd_rc_nomem)
        return view_check(view, rc);
    view_add_reason(view, rc, &reason);
    is_written = overview_embree_write(view, &reason);
    text_free(&reason);
    /* Ask again for the reason, which the search for Embree has replaced. */
    return !is_written && view_check(view, ompd_cl_overview_get(view->use.space, info));
}

ompd_view_exit_t view_overview_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_row overview = {view_kind_get(ompd_cl_kind_overview), (const void *)&info};

    (void)line;
    /* The description may be all that a core provides. */
    if (!view->options.is_json)
        write_target(view);
    if (!overview_read(view, &info))
        return view_result(view);
    view_incompleteness_take(view);
    if (view->options.is_json)
        overview_json_write(view, &overview);
    else
        write_sentences(view, &overview);
    return view_result(view);
}
