/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <host/command/session.h>

#include <ctype.h>
#include <host/command/missing-recorder.h>
#include <host/command/place.h>
#include <host/command/style.h>
#include <string.h>
#include <unistd.h>

bool command_session_fail(struct command_session *session, enum command_exit code,
                          const char *format, ...)
{
    struct command_text *message = &session->message;
    va_list arguments;

    if (session->failure != command_exit_ok)
        return false;
    session->failure = code;
    va_start(arguments, format);
    command_text_add_list(message, format, arguments);
    va_end(arguments);
    if (message->length != 0 && message->bytes[message->length - 1] != '.')
        command_text_add(message, ".");
    return false;
}

void command_session_add_reason(const struct command_session *session, ompd_rc_t rc,
                                struct command_text *text)
{
    const char *message = "";
    size_t length;
    int first;

    ompd_cl_message_get(session->space, &message);
    length = strlen(message);
    if (length == 0) {
        command_text_add(text, "The library failed with code %d.", (int)rc);
        return;
    }
    first = toupper((unsigned char)message[0]);
    if (rc == ompd_rc_nomem && session->options.memory_limit != 0 && message[length - 1] == '.')
        command_text_add(text, "%c%.*s (--memory-limit).", first, (int)length - 2, message + 1);
    else
        command_text_add(text, "%c%s", first, message + 1);
}

/* Keep that a call of libompd-opencl failed. */
static void fail_by_library(struct command_session *session, ompd_rc_t rc)
{
    struct command_text message = {0};

    command_session_add_reason(session, rc, &message);
    if (session->space == NULL || rc == ompd_rc_nomem ||
        !command_missing_recorder_fail(session, command_text_get(&message)))
        command_session_fail(session, command_exit_unreadable, "%s", message.bytes);
    command_text_free(&message);
}

bool command_session_is_on_terminal(const struct command_session *session)
{
    return isatty(fileno(session->output)) == 1;
}

void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole)
{
    if (session->progress.terminal != NULL &&
        !(session->options.is_json && command_session_is_on_terminal(session)))
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

bool command_session_check(struct command_session *session, ompd_rc_t rc)
{
    if (session->is_searching)
        command_progress_end(&session->progress);
    session->is_searching = false;
    if (rc == ompd_rc_incomplete)
        session->is_incomplete = true;
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        return true;
    fail_by_library(session, rc);
    return false;
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
        .progress = tell,
        .progress_user_ptr = session,
    };
    ompd_host_rc_t rc;

    if (given->core != NULL)
        rc = ompd_host_core_open(given->core, &options, &session->target);
    else
        rc = ompd_host_process_open(given->pid, &options, &session->target);
    command_progress_end(&session->progress);
    if (rc != ompd_host_rc_ok)
        return command_session_fail(session, command_exit_unreadable, "%s",
                                    ompd_host_message_get(NULL));
    session->info.struct_size = sizeof(session->info);
    ompd_host_target_get(session->target, &session->info);
    return true;
}

void command_session_begin(struct command_session *session, const struct command_options *options)
{
    *session = (struct command_session){.options = *options, .output = stdout};
    command_progress_begin_here(&session->progress);
    session->has_colour = !options->is_json && command_style_is_wanted(session->output);
}

bool command_session_open(struct command_session *session, const struct command_options *options)
{
    ompd_rc_t rc;

    command_session_begin(session, options);
    if ((options->pid == 0) == (options->core == NULL))
        return command_session_fail(session, command_exit_usage,
                                    "Name what to look at: either --pid N or --core FILE.");
    if (!open_target(session))
        return false;
    rc = ompd_host_address_space_create(session->target, options->memory_limit, &session->space);
    if (rc != ompd_rc_ok) {
        session->space = NULL;
        fail_by_library(session, rc);
    }
    return rc == ompd_rc_ok;
}

void command_session_close(struct command_session *session)
{
    command_progress_end(&session->progress);
    command_places_free(session);
    if (session->space != NULL)
        ompd_rel_address_space_handle(session->space);
    session->space = NULL;
    ompd_host_target_close(session->target);
    session->target = NULL;
    command_text_free(&session->gaps);
    command_text_free(&session->message);
}

void command_error_print(const char *sentence)
{
    struct command_text text = {0};

    command_text_escape(&text, sentence);
    fprintf(stderr, "ompd-opencl: %s\n", command_text_get(&text));
    command_text_free(&text);
}

enum command_exit command_session_result(const struct command_session *session)
{
    if (session->failure != command_exit_ok) {
        fflush(session->output);
        command_error_print(command_text_get(&session->message));
        return session->failure;
    }
    if (session->is_incomplete)
        return command_exit_incomplete;
    return session->has_findings ? command_exit_findings : command_exit_ok;
}
