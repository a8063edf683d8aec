/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layouts: what is known of OpenCL runtimes, and which of the installed ones it fits. */
#include <host/command/installed.h>
#include <host/command/json.h>
#include <host/command/probe.h>
#include <host/command/table.h>
#include <host/command/verb.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* An installed runtime, as the probe identifies it. */
struct identity {
    const struct command_runtime *runtime;
    struct command_text module;
    struct command_text build_id;
    struct command_text why; /* it is not identified: a sentence */
    bool has_layout;
};

/* The table of layouts, whose rows are those of the field table. */
struct listing {
    struct command_renderer renderer;
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
        command_layout_word(command_text_get(&probe.layout), "module", &identity->module);
        command_layout_word(command_text_get(&probe.layout), "build-id", &identity->build_id);
    } else {
        command_text_add(&identity->why, "%s", command_text_get(&probe.why));
    }
    command_probe_free(&probe);
}

/* The installed runtime with a build-id; NULL: none has it. */
static struct identity *find_identity(const struct listing *listing, const char *build_id)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(command_text_get(&listing->identities[i].build_id), build_id) == 0)
            return &listing->identities[i];
    return NULL;
}

/* Under each row: the file, and what it is good for. */
static void add_below(struct command_renderer *renderer, const struct command_row *row,
                      struct command_text *text)
{
    const struct listing *listing = (const struct listing *)renderer;
    const ompd_cl_layout_info_t *info = (const ompd_cl_layout_info_t *)row->bytes;
    const struct identity *identity = find_identity(listing, info->build_id.text);

    command_text_escape(text, listing->path);
    command_text_add(text, "\n");
    if (identity == NULL)
        return;
    command_text_add(text, "for ");
    command_text_escape(text, identity->runtime->library);
    command_text_add(text, ", which is installed (");
    command_text_escape(text, identity->runtime->name);
    command_text_add(text, ")\n");
}

/* Begin a row of JSON Lines with the fields of INFO, NULL: of no layout. */
static void begin_json(struct command_json *json, struct command_session *session,
                       struct command_text *text, const ompd_cl_layout_info_t *info)
{
    struct command_row row = {command_kind_get(ompd_cl_kind_layout), (const unsigned char *)info};

    command_json_begin(json, session, text);
    if (info != NULL)
        command_json_fields(json, &row, NULL);
}

static void end_json(struct command_json *json, struct command_session *session,
                     struct command_text *text)
{
    command_json_end(json);
    command_json_print(session, text);
    command_text_free(text);
}

/* Write a sentence below the table. */
static __attribute__((format(printf, 2, 3))) void
write_sentence(const struct command_session *session, const char *format, ...)
{
    struct command_text sentence = {0};
    struct command_text line = {0};
    va_list arguments;

    va_start(arguments, format);
    command_text_add_list(&sentence, format, arguments);
    va_end(arguments);
    command_text_escape(&line, command_text_get(&sentence));
    fprintf(session->output, "%s\n", command_text_get(&line));
    command_text_free(&sentence);
    command_text_free(&line);
}

/* Say of a file why it is no layout. */
static void write_fault(struct listing *listing, const char *path, const char *why)
{
    struct command_session *session = listing->renderer.session;
    struct command_text text = {0};
    struct command_json json;

    session->has_findings = true;
    if (!session->options.is_json) {
        write_sentence(session, "%s is of no use: %s", path, why);
        return;
    }
    begin_json(&json, session, &text, NULL);
    command_json_string(&json, "path", path);
    command_json_string(&json, "error", why);
    end_json(&json, session, &text);
}

static void write_layout(struct listing *listing, struct command_table *table,
                         const ompd_cl_layout_info_t *info, const char *path)
{
    struct identity *identity = find_identity(listing, info->build_id.text);
    struct command_row row = {command_kind_get(ompd_cl_kind_layout), (const unsigned char *)info};
    struct command_session *session = listing->renderer.session;
    struct command_text text = {0};
    struct command_json json;

    if (identity != NULL)
        identity->has_layout = true;
    if (!session->options.is_json) {
        listing->path = path;
        command_table_add(table, &row);
        return;
    }
    begin_json(&json, session, &text, info);
    command_json_string(&json, "path", path);
    if (identity != NULL)
        command_json_string(&json, "installed", identity->runtime->name);
    end_json(&json, session, &text);
}

/* Show one file, in the table when it is a layout and IS_TABLE. */
static void show_file(struct listing *listing, struct command_table *table,
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
static void write_unknown_json(struct command_session *session, const struct identity *identity)
{
    struct command_text text = {0};
    struct command_json json;

    begin_json(&json, session, &text, NULL);
    command_json_string(&json, "installed", identity->runtime->name);
    if (identity->why.length != 0) {
        command_json_string(&json, "error", identity->why.bytes);
    } else {
        command_json_string(&json, "module", command_text_get(&identity->module));
        command_json_string(&json, "build_id", command_text_get(&identity->build_id));
    }
    end_json(&json, session, &text);
}

/* Say of the installed runtimes without a layout what to do. */
static void write_unknown(const struct listing *listing)
{
    struct command_session *session = listing->renderer.session;

    for (size_t i = 0; i < listing->count; i++) {
        const struct identity *identity = &listing->identities[i];
        const struct command_runtime *runtime = identity->runtime;

        if (identity->has_layout)
            continue;
        if (session->options.is_json)
            write_unknown_json(session, identity);
        else if (identity->why.length != 0)
            write_sentence(session, "%s (%s) cannot be used: %s", runtime->name, runtime->library,
                           identity->why.bytes);
        else
            write_sentence(session, "%s (%s) has no layout: run `ompd-opencl learn %s`.",
                           runtime->name, runtime->library, runtime->name);
    }
}

static void show_all(struct listing *listing, const ompd_host_layouts_t *layouts)
{
    static const struct command_table_options options = {.indent = ""};
    struct command_table *table;
    ompd_host_layout_t layout;

    table =
        command_table_begin(&listing->renderer, command_kind_get(ompd_cl_kind_layout), &options);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, table, &layout, true);
    command_table_end(table);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, NULL, &layout, false);
    write_unknown(listing);
    if (listing->count == 0 && !listing->renderer.session->options.is_json)
        fprintf(listing->renderer.session->output, "No OpenCL runtime is installed.\n");
}

enum command_exit command_layouts_run(struct command_session *session,
                                      const struct command_line *line)
{
    struct command_runtimes runtimes;
    struct listing listing = {0};
    ompd_host_layouts_t *layouts;

    (void)line;
    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok) {
        command_session_fail(session, command_exit_unreadable, "%s", ompd_host_message_get(NULL));
        return command_session_result(session);
    }
    command_runtimes_find(&runtimes);
    command_renderer_begin(&listing.renderer, session);
    listing.renderer.below = add_below;
    listing.count = runtimes.count;
    listing.identities = command_memory_get(runtimes.count * sizeof(*listing.identities));
    for (size_t i = 0; i < runtimes.count; i++)
        identify(&listing.identities[i], &runtimes.all[i], session->options.time_limit);
    show_all(&listing, layouts);
    for (size_t i = 0; i < runtimes.count; i++) {
        command_text_free(&listing.identities[i].module);
        command_text_free(&listing.identities[i].build_id);
        command_text_free(&listing.identities[i].why);
    }
    free(listing.identities);
    command_renderer_end(&listing.renderer);
    command_runtimes_free(&runtimes);
    ompd_host_layouts_close(layouts);
    return command_session_result(session);
}
