/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One use of the command on one target: what it was given, what it looks at, and the view that
 * words it.  Whatever fails is kept in the view. */
#ifndef OMPD_COMMAND_SESSION_H
#define OMPD_COMMAND_SESSION_H

#include <command/progress.h>
#include <ompd-opencl-host.h>
#include <stdio.h>
#include <view/view.h>

struct command_options {
    pid_t pid;              /* 0: no process was named */
    const char *core;       /* NULL: no core was named */
    const char *executable; /* as ompd_host_options_t */
    const char *sysroot;
    bool leaves_running;
    bool asks_debuginfod;
    bool opens_no_files;
    const char *output;    /* file that the report of a run goes to, or a layout; NULL: not given */
    uint64_t time_limit;   /* seconds for each step of a runtime that is learned */
    uint64_t memory_limit; /* bytes, 0 for none */
};

struct command_session {
    struct command_options options;
    FILE *output; /* that the view's text goes to */
    bool has_colours;
    ompd_host_target_t *target;
    ompd_host_target_info_t info;
    ompd_view_t *view;
    struct command_progress progress;
    bool is_searching; /* through memory, as told last */
};

/* Begin a session that looks at nothing yet.  False: there is no memory. */
bool command_session_begin(struct command_session *session);

/* The session of one of the command's own verbs. */
struct command_session *command_session_of(ompd_view_t *view);

/* Open the target that the session's options name, and its address space, for the session's view.
 * False: it failed, which is in the view. */
bool command_session_open(struct command_session *session);

/* Release and close all; a process goes on. */
void command_session_close(struct command_session *session);

/* Whether what is written is seen as it comes. */
bool command_session_is_on_terminal(const struct command_session *session);

/* Tell on the standard error output how far WHAT is: see progress.h.  Nothing where a program that
 * reads JSON would read that, too. */
void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole);

/* Print SENTENCE on the standard error output, behind the command's name. */
void command_error_print(const char *sentence);

/* What the command gives its views, but for the session. */
extern const ompd_view_front_end_t command_front_end;

#endif
