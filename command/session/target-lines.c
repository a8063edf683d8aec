/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <inttypes.h>
#include <signal.h>
#include <time.h>

/* Signals that end processes. */
static const struct {
    int number;
    const char *name;
} signal_names[] = {
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGPIPE, "SIGPIPE"}, {SIGTERM, "SIGTERM"},
    {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
};

void command_signal_add(struct text *text, int signal)
{
    for (size_t i = 0; i < sizeof(signal_names) / sizeof(signal_names[0]); i++)
        if (signal_names[i].number == signal) {
            text_add(text, "%s", signal_names[i].name);
            return;
        }
    text_add(text, "signal %d", signal);
}

void command_time_add(struct text *text, int64_t time)
{
    char formatted[64];
    struct tm broken_down;
    time_t seconds = (time_t)time;

    if (gmtime_r(&seconds, &broken_down) != NULL &&
        strftime(formatted, sizeof(formatted), "%Y-%m-%d %H:%M:%S UTC", &broken_down) != 0)
        text_add(text, "%s", formatted);
    else
        text_add(text, "%" PRId64 " s after 1970", time);
}

bool command_end_is_known(const struct command_session *session)
{
    ompd_host_thread_t first;

    return ompd_host_thread_get(session->target, 0, &first) == ompd_host_rc_ok;
}

/* Add "Core of /srv/app/edges (process 4711): SIGABRT in LWP 4711". */
static void add_death(const struct command_session *session, struct text *text)
{
    const ompd_host_target_info_t *info = &session->info;

    text_add(text, "Core of ");
    text_escape(text, info->program != NULL ? info->program : "an unknown program");
    if (info->pid != 0)
        text_add(text, " (process %" PRId32 ")", info->pid);
    if (!command_end_is_known(session)) {
        text_add(text, ": the reason for the dump is lost");
        return;
    }
    if (info->signal == 0) {
        text_add(text, ": written while the program was running");
        return;
    }
    text_add(text, ": died of ");
    command_signal_add(text, info->signal);
    if (info->signal_lwp != 0)
        text_add(text, " in LWP %" PRId32, info->signal_lwp);
}

static void add_origin(const ompd_host_target_info_t *info, struct text *text)
{
    if (info->time != 0) {
        text_add(text, ", file dated ");
        command_time_add(text, info->time);
    }
    if (info->host_name != NULL) {
        text_add(text, ", host ");
        text_escape(text, info->host_name);
    }
    text_add(text, "\n");
}

void command_truncation_add(struct text *text, const ompd_host_target_info_t *info)
{
    text_add(text, "truncated: the last ");
    size_format(text, info->whole_size - info->size);
    text_add(text, " of ");
    size_format(text, info->whole_size);
    text_add(text, " are missing");
}

/* Add how much of the file and of the program's memory is there. */
static void add_completeness(const ompd_host_target_info_t *info, struct text *text)
{
    text_add(text, "  ");
    if (info->whole_size > info->size)
        command_truncation_add(text, info);
    else
        text_add(text, "whole");
    text_add(text, "; memory saved: ");
    size_format(text, info->saved_bytes);
    if (info->left_out_bytes != 0) {
        text_add(text, ", left out: ");
        size_format(text, info->left_out_bytes);
    }
    text_add(text, "\n");
}

void command_target_lines_add(const struct command_session *session, struct text *text)
{
    if (!session->info.is_core)
        return;
    add_death(session, text);
    add_origin(&session->info, text);
    add_completeness(&session->info, text);
}
