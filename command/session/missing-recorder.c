/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <stdio.h>

/* An OMPD function that every recorder exports. */
#define RECORDER_FUNCTION "ompd_dll_locations"

void command_missing_recorder_prepare(struct command_session *session)
{
    struct command_named_recorder *recorder = &session->recorder;
    struct text why = {0};

    if (recorder->path[0] != '\0')
        return;
    if (!command_recorder_find(recorder->path, sizeof(recorder->path), &why))
        snprintf(recorder->path, sizeof(recorder->path), "%s", COMMAND_RECORDER);
    recorder->bits = command_word_size_of_file(recorder->path);
    text_free(&why);
}

/* Whether the recorder's word size differs from the program's. */
static bool recorder_differs(const struct command_session *session)
{
    return session->recorder.bits != 0 && session->recorder.bits != session->info.pointer_size * 8;
}

/* Add "the program is 32-bit and the recorder PATH is not; ...". */
static void add_difference(const struct command_session *session, struct text *text)
{
    text_add(text,
             "the program is %u-bit and the recorder %s is not; start the program with "
             "OPENCL_LAYERS set to a recorder that matches.",
             (unsigned)session->info.pointer_size * 8, session->recorder.path);
}

static void add_no_recorder(const struct command_session *session, struct text *text)
{
    text_add(text, "No OpenCL recorder in ");
    if (session->info.pid != 0)
        text_add(text, "process %d: ", (int)session->info.pid);
    else
        text_add(text, "this core: ");
    if (recorder_differs(session))
        add_difference(session, text);
    else
        text_add(text,
                 "start the program with OPENCL_LAYERS=%s in its environment; its first "
                 "OpenCL call loads the recorder.",
                 session->recorder.path);
}

/* The library's MESSAGE recommends the recorder.  Add a warning if the available one does not
 * fit. */
static void add_no_layout(const struct command_session *session, const char *message,
                          struct text *text)
{
    if (!recorder_differs(session))
        return;
    text_add(text, "%s But ", message);
    add_difference(session, text);
}

/* Whether this machine has layouts: the library then reports what it found. */
static bool has_layouts(void)
{
    ompd_host_layouts_t *layouts;
    ompd_host_layout_t layout;
    bool has_one;

    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok)
        return false;
    has_one = ompd_host_layout_get(layouts, 0, &layout) == ompd_host_rc_ok;
    ompd_host_layouts_close(layouts);
    return has_one;
}

/* Search for the recorder among the target's modules. */
static ompd_host_rc_t find_module(const struct command_session *session)
{
    uint64_t address;

    return ompd_host_symbol_find(session->target, COMMAND_RECORDER, RECORDER_FUNCTION, &address);
}

bool command_recorder_is_missing(const struct command_session *session)
{
    return ompd_cl_address_space_refresh(session->space) == ompd_rc_unavailable &&
           find_module(session) == ompd_host_rc_not_found;
}

void command_missing_recorder_add(const struct command_session *session, const char *message,
                                  struct text *text)
{
    ompd_rc_t rc = ompd_cl_address_space_refresh(session->space);
    ompd_host_rc_t found;

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        return;
    found = find_module(session);
    if (rc == ompd_rc_unavailable && found == ompd_host_rc_not_found) {
        if (has_layouts())
            add_no_layout(session, message, text);
        else
            add_no_recorder(session, text);
    } else if (found == ompd_host_rc_not_saved) {
        text_add(text, "Whether there is an OpenCL recorder is not known: %s.",
                 ompd_host_message_get(session->target));
    }
}
