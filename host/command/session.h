/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One use of the command on one target: what it was given, what it looks at and how that went.
 *
 * Whatever fails is kept in the session, the first time only, and lists end there: a verb asks
 * once, before it says that there is nothing, and returns command_session_result.
 */
#ifndef OMPD_HOST_COMMAND_SESSION_H
#define OMPD_HOST_COMMAND_SESSION_H

#include <host/command/progress.h>
#include <host/command/text.h>
#include <ompd-opencl-host.h>
#include <stdio.h>

enum command_exit {
    command_exit_ok = 0,
    command_exit_findings = 1,   /* there is something to look into */
    command_exit_usage = 2,      /* what was asked makes no sense */
    command_exit_unreadable = 3, /* the target cannot be read, or has no OpenCL */
    command_exit_incomplete = 4  /* part of the answer is missing */
};

struct command_options {
    pid_t pid;              /* 0: no process was named */
    const char *core;       /* NULL: no core was named */
    const char *executable; /* as ompd_host_options_t */
    const char *sysroot;
    bool leaves_running;
    bool asks_debuginfod;
    const char *output;  /* file that the report of a run goes to, or a layout; NULL: not given */
    uint64_t time_limit; /* seconds for each step of a runtime that is learned */
    bool is_json;
    bool is_filtered;      /* any of the filters was given */
    uint64_t memory_limit; /* bytes, 0 for none */
    uint64_t limit;        /* rows a table shows at most, UINT64_MAX for all */
    /* The filters as given; NULL: not given. */
    const char *context;
    const char *kinds;
    const char *states;
    const char *min_size;
};

struct command_session {
    struct command_options options;
    FILE *output;
    bool has_colour;
    ompd_host_target_t *target;
    ompd_host_target_info_t info;
    ompd_address_space_handle_t *space;
    bool is_incomplete; /* some call gave part of an answer only */
    bool has_findings;
    struct command_text gaps;  /* of gaps.c: what the answer that was asked for last leaves open */
    enum command_exit failure; /* command_exit_ok: nothing has failed */
    struct command_text message;
    struct command_places *places; /* of place.c */
    struct command_progress progress;
    bool is_searching; /* through memory, as told last */
};

/* Begin a session that looks at nothing yet. */
void command_session_begin(struct command_session *session, const struct command_options *options);

/* Open the target that OPTIONS name, and its address space.  False: it failed, which is in the
 * session.  The session is to be closed either way. */
bool command_session_open(struct command_session *session, const struct command_options *options);

/* Release and close all; a process goes on. */
void command_session_close(struct command_session *session);

/* Keep that it failed, and why in one sentence, unless it had failed before.  Returns false. */
bool command_session_fail(struct command_session *session, enum command_exit code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Add the library's sentence on why its last call for the session did not return ompd_rc_ok but RC.
 */
void command_session_add_reason(const struct command_session *session, ompd_rc_t rc,
                                struct command_text *text);

/* Whether RC of a call on the session's address space is an answer.  One that is not is kept as a
 * failure, with the library's sentence; one that is not whole is noted. */
bool command_session_check(struct command_session *session, ompd_rc_t rc);

/* Whether what is written is seen as it comes. */
bool command_session_is_on_terminal(const struct command_session *session);

/* Tell on the standard error output how far WHAT is: see progress.h.  Nothing where a program that
 * reads JSON would read that, too. */
void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole);

/* Print SENTENCE on the standard error output, behind the command's name. */
void command_error_print(const char *sentence);

/* The exit code of all that happened.  What failed is printed on the standard error output. */
enum command_exit command_session_result(const struct command_session *session);

#endif
