/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layouts: list the known layouts and the installed runtimes that they match. */
#include <command/learn/learn.h>

#include <command/session/session.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

/* An installed runtime, as identified by the probe. */
struct identity {
    const struct command_runtime *runtime;
    struct text module;
    struct text build_id;
    struct text why; /* why it could not be identified */
    bool has_layout;
};

/* The state of a listing. */
struct listing {
    ompd_view_t *view;
    bool is_json;
    struct identity *identities;
    size_t count;
    bool has_faults; /* of invalid layout files */
};

static void runtime_identify(struct identity *identity, const struct command_runtime *runtime,
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

/* The installed runtime with BUILD_ID, or NULL.  Layouts of Embree may have none. */
static struct identity *find_identity(const struct listing *listing, const char *build_id)
{
    for (size_t i = 0; i < listing->count && build_id[0] != '\0'; i++)
        if (strcmp(text_get(&listing->identities[i].build_id), build_id) == 0)
            return &listing->identities[i];
    return NULL;
}

/* Add the lines below a row: the file at PATH, and the installed runtime that it matches. */
static void add_below(const struct identity *identity, const char *path, struct text *text)
{
    text_escape(text, path);
    text_add(text, "\n");
    if (identity == NULL)
        return;
    text_add(text, "matches the installed runtime ");
    text_escape(text, identity->runtime->name);
    text_add(text, " (");
    text_escape(text, identity->runtime->library);
    text_add(text, ")\n");
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
    text_add(&line, "\n");
    ompd_view_text_write(view, ompd_view_style_plain, text_get(&line));
    text_free(&sentence);
    text_free(&line);
}

/* Report why a file is not a layout. */
static void write_fault(struct listing *listing, const char *path, const char *why)
{
    ompd_view_t *view = listing->view;

    listing->has_faults = true;
    if (!listing->is_json) {
        write_sentence(view, "%s cannot be used: %s", path, why);
        return;
    }
    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "path", path);
    command_json_text(view, "error", why);
    ompd_view_json_end(view);
}

static void write_layout(struct listing *listing, const ompd_cl_layout_info_t *info,
                         const char *path)
{
    struct identity *identity = find_identity(listing, info->build_id.text);
    ompd_view_t *view = listing->view;
    struct text below = {0};

    if (identity != NULL)
        identity->has_layout = true;
    if (!listing->is_json) {
        add_below(identity, path, &below);
        ompd_view_table_row_add(view, info, NULL, 0, text_get(&below));
        text_free(&below);
        return;
    }
    ompd_view_json_begin(view, NULL, false);
    ompd_view_json_row_add(view, ompd_cl_kind_layout, info);
    command_json_text(view, "path", path);
    if (identity != NULL)
        command_json_text(view, "installed", identity->runtime->name);
    ompd_view_json_end(view);
}

/* Show one file: if ARE_FAULTS, only if it is invalid; otherwise only if it is valid. */
static void show_file(struct listing *listing, const ompd_host_layout_t *layout, bool are_faults)
{
    ompd_cl_layout_info_t info = {.struct_size = sizeof(info)};

    if (layout->fault != NULL && are_faults)
        write_fault(listing, layout->path, layout->fault);
    else if (layout->fault == NULL && !are_faults &&
             ompd_cl_layout_get(layout->text, layout->size, &info) == ompd_rc_ok)
        write_layout(listing, &info, layout->path);
}

/* Print the row of an installed runtime without a layout. */
static void write_unknown_json(ompd_view_t *view, const struct identity *identity)
{
    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "installed", identity->runtime->name);
    if (identity->why.length != 0) {
        command_json_text(view, "error", identity->why.bytes);
    } else {
        command_json_text(view, "module", text_get(&identity->module));
        command_json_text(view, "build_id", text_get(&identity->build_id));
    }
    ompd_view_json_end(view);
}

/* Report what to do about installed runtimes without a layout. */
static void write_unknown(const struct listing *listing)
{
    ompd_view_t *view = listing->view;

    for (size_t i = 0; i < listing->count; i++) {
        const struct identity *identity = &listing->identities[i];
        const struct command_runtime *runtime = identity->runtime;

        if (identity->has_layout)
            continue;
        if (listing->is_json)
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
    ompd_host_layout_t layout;

    if (!listing->is_json)
        ompd_view_table_begin(listing->view, ompd_cl_kind_layout);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, &layout, false);
    if (!listing->is_json)
        ompd_view_table_end(listing->view);
    for (size_t i = 0; ompd_host_layout_get(layouts, i, &layout) == ompd_host_rc_ok; i++)
        show_file(listing, &layout, true);
    write_unknown(listing);
    if (listing->count == 0 && !listing->is_json)
        write_sentence(listing->view, "No OpenCL runtime is installed.");
}

ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_runtimes runtimes;
    struct listing listing = {.view = view, .is_json = line->is_json};
    ompd_host_layouts_t *layouts;
    struct command_session *session = line->user_ptr;

    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok) {
        command_session_fail(session, ompd_view_exit_unreadable, "%s", ompd_host_message_get(NULL));
        return ompd_view_exit_unreadable;
    }
    command_runtimes_find(&runtimes);
    listing.count = runtimes.count;
    listing.identities = heap_get(runtimes.count * sizeof(*listing.identities));
    for (size_t i = 0; i < runtimes.count; i++)
        runtime_identify(&listing.identities[i], &runtimes.all[i], session->options.time_limit);
    show_all(&listing, layouts);
    for (size_t i = 0; i < runtimes.count; i++) {
        text_free(&listing.identities[i].module);
        text_free(&listing.identities[i].build_id);
        text_free(&listing.identities[i].why);
    }
    heap_free(listing.identities);
    command_runtimes_free(&runtimes);
    ompd_host_layouts_close(layouts);
    return listing.has_faults ? ompd_view_exit_findings : ompd_view_exit_ok;
}
