/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See sources.h. */
#include <host/command/sources.h>

#include <host/command/notes.h>
#include <host/command/place.h>
#include <inttypes.h>

/* So much of a build-id, in hexadecimal digits, tells it from others for people. */
#define SHOWN 8

void command_sources_find(struct command_sources *sources, struct command_session *session,
                          const struct command_row *overview)
{
    struct command_list runtimes;

    *sources = (struct command_sources){.overview = overview};
    command_list_open_optional(&runtimes, session, ompd_cl_kind_runtime, NULL);
    command_rows_read(&sources->runtimes, &runtimes);
}

void command_sources_free(struct command_sources *sources)
{
    command_rows_free(&sources->runtimes);
}

bool command_sources_have_recorder(const struct command_row *overview)
{
    return !command_value_is_absent(command_row_value(overview, "recorder_major"));
}

static bool has_layout(const struct command_row *runtime)
{
    return command_value_is_known(command_row_value(runtime, "layout"));
}

/* Add "libpocl.so.2.10.0 (build-id 4a4365a4)". */
static void describe(const struct command_row *runtime, struct command_text *text)
{
    const char *name = command_file_name(command_row_value(runtime, "module").text);
    const char *build_id = command_row_value(runtime, "build_id").text;

    command_text_escape(text, name[0] != '\0' ? name : COMMAND_UNKNOWN);
    if (build_id[0] != '\0')
        command_text_add(text, " (build-id %.*s)", SHOWN, build_id);
}

static void add_recorder(const struct command_row *overview, struct command_text *text)
{
    struct command_value major = command_row_value(overview, "recorder_major");
    struct command_value minor = command_row_value(overview, "recorder_minor");

    command_text_add(text, "recorder ");
    if (command_value_is_known(major) && command_value_is_known(minor))
        command_text_add(text, "%" PRIu64 ".%" PRIu64, major.value, minor.value);
    else
        command_text_add(text, COMMAND_UNKNOWN);
}

void command_sources_add(const struct command_sources *sources, struct command_text *text)
{
    bool is_first = true;

    command_text_add(text, "  sources: ");
    if (command_sources_have_recorder(sources->overview)) {
        add_recorder(sources->overview, text);
        is_first = false;
    }
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct command_row runtime = command_rows_get(&sources->runtimes, i);

        if (!has_layout(&runtime))
            continue;
        command_text_add(text, "%slayout ", is_first ? "" : ", ");
        describe(&runtime, text);
        is_first = false;
    }
    command_text_add(text, "%s\n", is_first ? "none" : "");
}

void command_sources_add_platforms(const struct command_sources *sources, struct command_text *text)
{
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct command_row runtime = command_rows_get(&sources->runtimes, i);

        if (!has_layout(&runtime) || command_row_number(&runtime, "objects") == 0)
            continue;
        command_text_escape(text, command_row_value(&runtime, "layout").text);
        command_text_add(text, ", ");
    }
}

void command_sources_write_notes(const struct command_sources *sources,
                                 struct command_session *session, const char *indent)
{
    struct command_text note = {0};

    if (command_sources_have_recorder(sources->overview))
        return;
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct command_row runtime = command_rows_get(&sources->runtimes, i);

        /* One that has no objects has none to miss. */
        if (has_layout(&runtime) || command_value_is_known(command_row_value(&runtime, "objects")))
            continue;
        command_text_clear(&note);
        command_text_add(&note, "No layout fits ");
        describe(&runtime, &note);
        command_text_add(&note, ": its objects are missing here; run `ompd-opencl learn` where it "
                                "is installed.");
        command_note_write(session, indent, command_text_get(&note));
    }
    command_text_free(&note);
}
