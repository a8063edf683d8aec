/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One use of the command on one target: what it was given, what it looks at, and the view that
 * words it. */
#ifndef OMPD_COMMAND_SESSION_H
#define OMPD_COMMAND_SESSION_H

#include <command/progress.h>
#include <command/run-lend.h>
#include <limits.h>
#include <ompd-opencl-host.h>
#include <ompd-opencl-view.h>
#include <stdio.h>
#include <text/text.h>

struct command_options {
    pid_t pid;              /* 0: no process was named */
    const char *core;       /* NULL: no core was named */
    const char *executable; /* as ompd_host_options_t */
    const char *sysroot;
    bool leaves_running;
    bool asks_debuginfod;
    bool opens_no_files;
    bool is_unconfined;   /* this process itself reads cores */
    bool groups_cores;    /* they are counted, not told one by one, */
    bool mixes_programs;  /* those of several programs as if they were of one */
    bool asks_journal;    /* what it tells of cores is told, too: that of this machine, */
    const char *journal;  /* or of this folder or file; NULL: not given */
    const char *output;   /* file that the report of a run goes to, or a layout; NULL: not given */
    const char *baseline; /* file that names what a run need not tell of; NULL: not given, */
    const char *new_baseline; /* and one to be written */
    const char **suppressed;  /* places that it need not tell of, either */
    size_t suppressed_count;
    bool ignores_errors;   /* calls that were refused are not told of a run, either, */
    bool ignores_children; /* and processes that it makes are not followed */
    uint64_t time_limit;   /* seconds for each step of a runtime that is learned */
    uint64_t memory_limit; /* bytes, 0 for none */
    uint64_t every; /* milliseconds after which the process is looked at again; 0: it is not */
};

/* The exit code of `run` where all that was found was alive when an interpreter exited; it is the
 * command's own, like ompd_view_exit_ok to its view. */
#define COMMAND_EXIT_ALIVE 5

/* The recorder that the command would name to its user. */
struct command_named_recorder {
    char path[PATH_MAX];
    unsigned bits; /* of it; 0: there is none */
};

struct command_session {
    struct command_options options;
    char *const *words; /* that the command was given */
    size_t word_count;
    struct command_session *outer; /* whose work this is a part of; NULL: nobody's */
    FILE *output;                  /* that the view's text goes to */
    bool has_written;              /* there was such text */
    struct text *captured;         /* what takes text instead; NULL: it goes to `output` */
    bool has_colours;
    bool is_json;       /* what is written */
    bool is_alive_only; /* what was found: COMMAND_EXIT_ALIVE */
    /* Of a process that the command traces already, for opening it; none: it is none such. */
    const ompd_host_traced_thread_t *traced;
    size_t traced_count;
    /* Of a process that was forked from one that has used OpenCL: the threads that it has had, and
     * rows are its own that one of them has made.  NULL: all are. */
    const pid_t *own_lwps;
    size_t own_count;
    struct command_named_recorder recorder;
    struct command_loan loan; /* of a process that another `run` traces */
    ompd_host_target_t *target;
    ompd_host_target_info_t info;
    struct text build_id;               /* of the target's program */
    ompd_address_space_handle_t *space; /* NULL: none is open */
    ompd_view_t *view;
    struct text answer;         /* a text that the view was given last */
    ompd_host_new_file_t *file; /* that a verb writes; NULL: none is open */
    char *picture;              /* that was drawn last */
    struct command_progress progress;
    bool is_searching; /* through memory, as told last */
    bool has_looked;   /* at one look before, by the same verb */
};

/* Begin a session that looks at nothing yet, for COUNT WORDS, with VERB_COUNT VERBS besides the
 * view's own.  False: there is no memory. */
bool command_session_begin(struct command_session *session, char *const *words, size_t count,
                           const ompd_view_verb_t *verbs, size_t verb_count);

/* Begin one that is part of OUTER, with its output and options, with VERB besides the view's own.
 */
bool command_session_begin_part(struct command_session *session, struct command_session *outer,
                                const ompd_view_verb_t *verb);

/* Open the target that the session's options name, and its address space, and tell of it in USE.
 * Returns ompd_view_exit_ok, or what the command returns, with the sentence *WHY. */
ompd_view_exit_t command_session_open(struct command_session *session, ompd_view_use_t *use,
                                      const char **why);

/* Open the look at PATH in place of what is open, or with NULL what the options name; else the
 * same. */
ompd_view_exit_t command_session_look(struct command_session *session, const char *path,
                                      ompd_view_use_t *use, const char **why);

/* The same as command_session_open for a verb that runs, which is about it from now on.  False: the
 * command has failed. */
bool command_session_open_now(struct command_session *session);

/* Run the view's own verb that COUNT WORDS are, on the session's target which is open: in a verb
 * that runs.  Its text goes where the session's does, as JSON where that is. */
ompd_view_exit_t command_session_run(struct command_session *session, const char *const *words,
                                     size_t count);

/* Have the view say what ROW of KIND is, likewise, in a line without its end. */
void command_session_describe(struct command_session *session, ompd_cl_kind_t kind,
                              const void *row);

/* Add that line to TEXT. */
void command_session_words_add(struct command_session *session, ompd_cl_kind_t kind,
                               const void *row, struct text *text);

/* Release and close all; a process goes on. */
void command_session_close(struct command_session *session);

/* Whether what is written is seen as it comes. */
bool command_session_is_on_terminal(const struct command_session *session);

/* Tell on the standard error output how far WHAT is: see progress.h.  Nothing where a program that
 * reads JSON would read that, too. */
void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole);

/* Have the session's command fail, with the sentence that FORMAT says. */
void command_session_fail(const struct command_session *session, ompd_view_exit_t code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether it has. */
bool command_session_has_failed(const struct command_session *session);

/* Print SENTENCE, which may have what others chose, on the standard error output, behind the
 * command's name. */
void command_error_print(const char *sentence);

/* What the command gives its views, but for the session and the verbs. */
extern const ompd_view_front_end_t command_front_end;

#endif
