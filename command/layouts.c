/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layouts: what is known of OpenCL runtimes, and which of the installed ones it fits. */
#include <command/installed-runtimes.h>
#include <command/probe.h>
#include <command/session.h>
#include <command/verbs.h>
#include <view/json.h>
#include <view/table.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* An installed runtime, as the probe identifies it. */
struct identity {
    const struct command_runtime *runtime;
    struct text module;
    struct text build_id;
    struct text why; /* it is not identified: a sentence */
    bool has_layout;
};

/* The table of layouts, whose rows are those of the field table. */
struct listing {
    struct view_renderer renderer;
    struct identity *identities;
    size_t count;
    const char *path; /* of the row that is being shown */
};

static void identify(struct identity *identity, const struct command_runtime *runtime,
                     uint64_t seconds)
{
    struct command_probe probe = {0};

    identity->runtime = runtime;
    if (command_probe_identify(&probe, runtime->library, seconds)) {
        command_layout_word(text_get(&probe.layout), "module", &identity->module);
        command_layout_word(text_get(&probe.layout), "build-id", &identity->build_id);
    } else {
        text_add(&identity->why, "%s", text_get(&probe.why));
    }
    command_probe_free(&probe);
}

/* The installed runtime with a build-id; NULL: none has it. */
static struct identity *find_identity(const struct listing *listing, const char *build_id)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(text_get(&listing->identities[i].build_id), build_id) == 0)
            return &listing->identities[i];
    return NULL;
}

/* Under each row: the file, and what it is good for. */
static void add_below(struct view_renderer *renderer, const struct view_row *row, struct text *text)
{
    const struct listing *listing = (const struct listing *)renderer;
    const ompd_cl_layout_info_t *info = (const ompd_cl_layout_info_t *)row->bytes;
    const struct identity *identity = find_identity(listing, info->build_id.text);

    text_escape(text, listing->path);
    text_add(text, "\n");
    if (identity == NULL)
        return;
    text_add(text, "for ");
    text_escape(text, identity->runtime->library);
    text_add(text, ", which is installed (");
    text_escape(text, identity->runtime->name);
    text_add(text, ")\n");
}

/* Begin a row of JSON Lines with the fields of INFO, NULL: of no layout. */
static void begin_json(struct json *json, ompd_view_t *view, struct text *text,
                       const ompd_cl_layout_info_t *info)
{
    struct view_row row = {view_kind_get(ompd_cl_kind_layout), (const unsigned char *)info};

    json_begin_line(json, text);
    if (info != NULL)
        view_json_fields(view, json, &row, NULL);
}

static void end_json(struct json *json, ompd_view_t *view, struct text *text)
{
    json_end(json);
    view_json_print(view, text);
    text_free(text);
}

/* Write a sentence below the table. */
static __attribute__((format(printf, 2, 3))) void write_sentence(ompd_view_t *view,
                                                                 const char *format, ...)
{
    struct text sentence = {0};
    struct text line = {0};
    va_list arguments;

    va_start(arguments, format);
    text_add_list(&sentence, format, arguments);
    va_end(arguments);
    text_escape(&line, text_get(&sentence));
    view_print(view, "%s\n", text_get(&line));
    text_free(&sentence);
    text_free(&line);
}

/* Say of a file why it is no layout. */
static void write_fault(struct listing *listing, const char *path, const char *why)
{
    ompd_view_t *view = listing->renderer.view;
    struct text text = {0};
    struct json json;

    view->has_findings = true;
    if (!view->options.is_json) {
        write_sentence(view, "%s is of no use: %s", path, why);
        return;
    }
    begin_json(&json, view, &text, NULL);
    json_string(&json, "path", path);
    json_string(&json, "error", why);
    end_json(&json, view, &text);
}

static void write_layout(struct listing *listing, struct view_table *table,
                         const ompd_cl_layout_info_t *info, const char *path)
{
    struct identity *identity = find_identity(listing, info->build_id.text);
    struct view_row row = {view_kind_get(ompd_cl_kind_layout), (const unsigned char *)info};
    ompd_view_t *view = listing->renderer.view;
    struct text text = {0};
    struct json json;

    if (identity != NULL)
        identity->has_layout = true;
    if (!view->options.is_json) {
        listing->path = path;
        view_table_add(table, &row);
        return;
    }
    begin_json(&json, view, &text, info);
    json_string(&json, "path", path);
    if (identity != NULL)
        json_string(&json, "installed", identity->runtime->name);
    end_json(&json, view, &text);
}

/* Show one file, in the table when it is a layout and IS_TABLE. */
static void show_file(struct listing *listing, struct view_table *table,
                      const ompd_host_layout_t *layout, bool is_for_table)
{
    ompd_cl_layout_info_t info = {.struct_size = sizeof(info)};

    if (layout->fault != NULL && !is_for_table)
        write_fault(listing, layout->path, layout->fault);
    else if (layout->fault == NULL && is_for_table &&
             ompd_cl_layout_get(layout->text, layout->size, &info) == ompd_rc_ok)
        write_layout(listing, table, &info, layout->path);
}

/* Print the row of an installed runtime without a layout. */
static void write_unknown_json(ompd_view_t *view, const struct identity *identity)
{
    struct text text = {0};
    struct json json;

    begin_json(&json, view, &text, NULL);
    json_string(&json, "installed", identity->runtime->name);
    if (identity->why.length != 0) {
        json_string(&json, "error", identity->why.bytes);
    } else {
        json_string(&json, "module", text_get(&identity->module));
        json_string(&json, "build_id", text_get(&identity->build_id));
    }
    end_json(&json, view, &text);
}

/* Say of the installed runtimes without a layout what to do. */
static void write_unknown(const struct listing *listing)
{
    ompd_view_t *view = listing->renderer.view;

    for (size_t i = 0; i < listing->count; i++) {
        const struct identity *identity = &listing->identities[i];
        const struct command_runtime *runtime = identity->runtime;

        if (identity->has_layout)
            continue;
        if (view->options.is_json)
            write_unknown_json(view, identity);
        else if (identity->why.length != 0)
            write_sentence(view, "%s (%s) cannot be used: %s", runtime->name, runtime->library,
                           identity->why.bytes);
        else
            write_sentence(view, "%s (%s) has no layout: run `ompd-opencl learn %s`.",
                           runtime->name, runtime->library, runtime->name);
    }
}

static void show_all(struct listing *listing, const ompd_host_layouts_t *layouts)
{
    static const struct view_table_options options = {.indent = ""};
    struct view_table *table;
    ompd_host_layout_t layout;

    table = view_table_begin(&listing->renderer, view_kind_get(ompd_cl_kind_layout), &options);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, table, &layout, true);
    view_table_end(table);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, NULL, &layout, false);
    write_unknown(listing);
    if (listing->count == 0 && !listing->renderer.view->options.is_json)
        view_print(listing->renderer.view, "No OpenCL runtime is installed.\n");
}

ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_runtimes runtimes;
    struct listing listing = {0};
    ompd_host_layouts_t *layouts;
    struct command_session *session = command_session_of(view);

    (void)line;
    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok) {
        view_fail(view, ompd_view_exit_unreadable, "%s", ompd_host_message_get(NULL));
        return view_result(view);
    }
    command_runtimes_find(&runtimes);
    view_renderer_begin(&listing.renderer, view);
    listing.renderer.below = add_below;
    listing.count = runtimes.count;
    listing.identities = heap_get(runtimes.count * sizeof(*listing.identities));
    for (size_t i = 0; i < runtimes.count; i++)
        identify(&listing.identities[i], &runtimes.all[i], session->options.time_limit);
    show_all(&listing, layouts);
    for (size_t i = 0; i < runtimes.count; i++) {
        text_free(&listing.identities[i].module);
        text_free(&listing.identities[i].build_id);
        text_free(&listing.identities[i].why);
    }
    heap_free(listing.identities);
    view_renderer_end(&listing.renderer);
    command_runtimes_free(&runtimes);
    ompd_host_layouts_close(layouts);
    return view_result(view);
}
