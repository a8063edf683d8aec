/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session.h>

#include <command/cut-core.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_session_is_on_terminal(const struct command_session *session)
{
    return isatty(fileno(session->output)) == 1;
}

void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole)
{
    if (session->progress.terminal != NULL &&
        !(session->view->options.is_json && command_session_is_on_terminal(session)))
        command_progress_tell(&session->progress, what, done, whole);
}

/* The host library tells how far it is.  The search ends with the call that made it. */
static bool tell(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole)
{
    struct command_session *session = user_ptr;
    bool is_search = work == ompd_host_work_search;

    session->is_searching |= is_search;
    command_session_tell(session, is_search ? "Searching the memory" : "Unpacking the core", done,
                         whole);
    return true;
}

static bool open_target(struct command_session *session)
{
    const struct command_options *given = &session->options;
    ompd_host_options_t options = {
        .struct_size = sizeof(options),
        .executable = given->executable,
        .sysroot = given->sysroot,
        .leaves_running = given->leaves_running,
        .asks_debuginfod = given->asks_debuginfod,
        .opens_no_files = given->opens_no_files,
        .progress = tell,
        .progress_user_ptr = session,
    };
    ompd_host_rc_t rc;

    if (given->core != NULL)
        rc = ompd_host_core_open(given->core, &options, &session->target);
    else
        rc = ompd_host_process_open(given->pid, &options, &session->target);
    command_progress_end(&session->progress);
    command_cut_core_watch(session->target);
    if (rc != ompd_host_rc_ok)
        return view_fail(session->view, ompd_view_exit_unreadable, "%s",
                         ompd_host_message_get(NULL));
    session->info.struct_size = sizeof(session->info);
    ompd_host_target_get(session->target, &session->info);
    return true;
}

/* Whether FILE is a terminal that shows colour, and the user wants it. */
static bool has_colours(FILE *file)
{
    const char *terminal = getenv("TERM");

    return isatty(fileno(file)) == 1 && getenv("NO_COLOR") == NULL && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

bool command_session_begin(struct command_session *session)
{
    ompd_view_front_end_t front_end = command_front_end;

    *session = (struct command_session){.output = stdout};
    front_end.user_ptr = session;
    command_progress_begin_here(&session->progress);
    session->has_colours = has_colours(session->output);
    return ompd_view_create(&front_end, &session->view) == ompd_rc_ok;
}

struct command_session *command_session_of(ompd_view_t *view)
{
    return view->front_end.user_ptr;
}

bool command_session_open(struct command_session *session)
{
    const struct command_options *options = &session->options;
    ompd_view_t *view = session->view;
    ompd_rc_t rc;

    if ((options->pid == 0) == (options->core == NULL))
        return view_fail(view, ompd_view_exit_usage,
                         "Name what to look at: either --pid N or --core FILE.");
    if (!open_target(session))
        return false;
    rc = ompd_host_address_space_create(session->target, options->memory_limit, &view->use.space);
    view->use.pid = session->info.pid;
    view->use.unsaved_reads = session->info.unsaved_reads;
    view->use.is_seen = command_session_is_on_terminal(session);
    view->use.has_styles = session->has_colours && !view->options.is_json;
    view->use.has_memory_limit = options->memory_limit != 0;
    if (rc == ompd_rc_ok)
        return true;
    view->use.space = NULL;
    return view_check(view, rc);
}

void command_session_close(struct command_session *session)
{
    command_progress_end(&session->progress);
    view_clear(session->view);
    if (session->view->use.space != NULL)
        ompd_rel_address_space_handle(session->view->use.space);
    ompd_view_destroy(session->view);
    command_cut_core_watch(NULL);
    ompd_host_target_close(session->target);
    *session = (struct command_session){.output = NULL};
}
