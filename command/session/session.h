/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every verb of the command uses: the target that it looks at, the view, and what it prints.
 */
#ifndef OMPD_COMMAND_SESSION_H
#define OMPD_COMMAND_SESSION_H

#include <limits.h>
#include <ompd-opencl-host.h>
#include <ompd-opencl-view.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <text/text.h>

/* ---- progress -------------------------------------------------------------------------------- */

/*
 * A line on the standard error output that tells how far long work is: when that is a terminal, and
 * the work has taken a second.  It is written over itself, and erased, by a signal that ends the
 * command too.
 */

struct command_progress {
    FILE *terminal;        /* NULL: nobody would see it */
    uint64_t (*now)(void); /* milliseconds; only asked when somebody would */
    bool is_working;
    bool is_drawn; /* there is something to erase */
    uint64_t next; /* when it is to be drawn */
};

/* Begin on TERMINAL (NULL: nowhere), by the clock NOW. */
void command_progress_begin(struct command_progress *progress, FILE *terminal,
                            uint64_t (*now)(void));

/* Begin on the standard error output, when that is a terminal that can erase a line. */
void command_progress_begin_here(struct command_progress *progress);

/* WHAT is being done, and DONE of WHOLE of it; WHOLE is 0 when it is not known. */
void command_progress_tell(struct command_progress *progress, const char *what, uint64_t done,
                           uint64_t whole);

/* Erase the line, as long as something else is written. */
void command_progress_erase(struct command_progress *progress);

/* The work is done: erase the line.  What is told next is other work. */
void command_progress_end(struct command_progress *progress);

/* ---- session --------------------------------------------------------------------------------- */

/* One use of the command on one target: what it was given, what it looks at, and the view that
 * words it. */

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
    uint32_t log_level;    /* ompd_cl_log_level_t */
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

/* Tell on the standard error output how far WHAT is: see "progress" above.  Nothing where a program
 * that reads JSON would read that, too. */
void command_session_tell(struct command_session *session, const char *what, uint64_t done,
                          uint64_t whole);

/* Have the session's command fail, with the sentence that FORMAT says. */
void command_session_fail(const struct command_session *session, ompd_view_exit_t code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether it has. */
bool command_session_has_failed(const struct command_session *session);

/* Add SENTENCE in the style of shell errors: in lower case, and without the period of a single
 * sentence. */
void command_error_add(struct text *text, const char *sentence);

/* Print SENTENCE in that style on standard error, after the command's name.  Control characters in
 * it are escaped already. */
void command_error_write(const char *sentence);

/* Escape the control characters in SENTENCE, and print it likewise. */
void command_error_print(const char *sentence);

/* What the command gives its views, but for the session and the verbs. */
extern const ompd_view_front_end_t command_front_end;

/* ---- log-level ------------------------------------------------------------------------------- */

/* Find in *LEVEL what the environment variable OMPD_OPENCL_DEBUG asks for, an ompd_cl_log_level_t.
 * False: it is not a level, which was printed. */
bool command_log_level_find(uint32_t *level);

/* ---- confine --------------------------------------------------------------------------------- */

/* A core is read by a process of its own, which can do nothing else; this one opens its files. */

/* Who reads a core. */
enum command_reader {
    command_reader_here,  /* this process, as it is */
    command_reader_child, /* this process, which was made for that */
    command_reader_ended  /* another, which has ended by now */
};

/*
 * Begin to read cores of SESSION: COUNT NAMES are paths of what its user has named, cores to be
 * read and files to be written.  Returns twice, to a new process, which is confined, and, once that
 * has ended, to the caller with *STATUS, as waitpid gives it.  Where that cannot be, or is not
 * wanted, it returns once; the user is told why, once.
 */
enum command_reader command_confine(struct command_session *session, const char *const *names,
                                    size_t count, int *status);

/* The same for the command as a whole, with all of its words as names, which ends as the new
 * process does. */
void command_confine_all(struct command_session *session);

/* Say why a process with STATUS has not told all: WHY gets a sentence.  False: it ended of itself.
 * Where what ended it is meant for this process, too, as Ctrl-C is, this one does not return. */
bool command_confine_was_lost(int status, struct text *why);

/* ---- cut-core -------------------------------------------------------------------------------- */

/* Cores whose files are cut off while they are read. */

/* Have TARGET live through that; NULL: no target any more. */
void command_cut_core_watch(ompd_host_target_t *target);

#define COMMAND_CORE_WAS_CUT "The core was truncated while it was read"

/* Whether it has happened to what SESSION looks at: nothing that was found then is to be trusted.
 */
bool command_core_was_cut(const struct command_session *session);

/* ---- json ------------------------------------------------------------------------------------ */

/* Values of JSON that the command's own verbs write. */

/* Add a value under KEY, or with NULL to an array. */
void command_json_text(ompd_view_t *view, const char *key, const char *value);
void command_json_number(ompd_view_t *view, const char *key, int64_t value);
void command_json_boolean(ompd_view_t *view, const char *key, bool value);
void command_json_duration(ompd_view_t *view, const char *key, uint64_t milliseconds);
void command_json_address(ompd_view_t *view, const char *key, uint64_t value);

/* Add null under KEY; what it stands for is not known for REASON. */
void command_json_unknown(ompd_view_t *view, const char *key, const char *reason);

/* ---- missing-recorder ------------------------------------------------------------------------ */

/* Why there is no answer of a target without a recorder. */

/* Find the recorder that a user would be told to take: files, which the process that reads a core
 * has not.  Once is enough. */
void command_missing_recorder_prepare(struct command_session *session);

/* Whether no recorder is in the session's target, as far as its modules are known. */
bool command_recorder_is_missing(const struct command_session *session);

/* When it is for want of a recorder that a call on the session's address space failed, of which the
 * library said MESSAGE, add that, with what to do; nothing where MESSAGE says all. */
void command_missing_recorder_add(const struct command_session *session, const char *message,
                                  struct text *text);

/* ---- option ---------------------------------------------------------------------------------- */

/* The command's own options: what to look at, and how. */

#define COMMAND_OPTIONS 20

/* Groups of options besides OMPD_VIEW_GROUP_TARGET. */
#define COMMAND_GROUP_CORES 2u      /* how to read a core, whichever it is */
#define COMMAND_GROUP_FILE 4u       /* --output */
#define COMMAND_GROUP_TIME_LIMIT 8u /* --time-limit */
#define COMMAND_GROUP_RUN 16u       /* what a run need not tell of */
#define COMMAND_GROUP_TRIAGE 32u    /* what is told of many cores */

extern const ompd_view_option_t command_options_known[COMMAND_OPTIONS];

/* See ompd_view_front_end_t: keep it in the session. */
const char *command_option_take(void *session, const ompd_view_option_t *option, const char *word);

/* Whether the options make sense together; else a sentence. */
struct command_options;
const char *command_options_check(const struct command_options *options);

/* ---- recorder -------------------------------------------------------------------------------- */

/* Where the recorder lies, and what makes programs load it. */

/* The file name of the recorder. */
#define COMMAND_RECORDER "libompd-opencl-recorder.so"

/* Put the path of the recorder that belongs to the command in PATH, of SIZE bytes.  False: there is
 * none, and WHY gets the sentence. */
bool command_recorder_find(char *path, size_t size, struct text *why);

/* Give the recorders, by their names, among the layers that *LAYERS separates by colons: the next
 * one in PATH, of SIZE bytes, and what follows it in *LAYERS.  False: there are no more, and PATH
 * is untouched. */
bool command_recorder_next(const char **layers, char *path, size_t size);

/* Put the recorder, and what it is to record, into the environment of PROGRAM to be.  False: there
 * is no recorder for it, and WHY gets the sentence. */
bool command_recorder_prepare(const char *program, struct text *why);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows of the library's lists, and what is in their fields. */

/* A walk.  All members are rows.c's, but for those that say so. */
struct command_rows {
    struct command_session *session;
    ompd_cl_kind_t kind;
    ompd_cl_list_t list;
    bool is_open;
    unsigned char *buffer;
    ompd_size_t size;     /* of a row, bytes */
    ompd_size_t count;    /* rows in the buffer, */
    ompd_size_t position; /* of them, given */
    uint64_t total;
    ompd_size_t unreadable; /* for all to read: rows so far that could not be read */
};

/* Open the list of all rows of KIND that meet FILTER, which may be NULL, of the session's target.
 * What fails is in the session's view. */
void command_rows_open(struct command_rows *rows, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same, but where nothing tells of such things there are none. */
void command_rows_open_optional(struct command_rows *rows, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same of the rows that belong to the object or command with ID, such as the events that a
 * command waits for. */
void command_rows_open_of(struct command_rows *rows, struct command_session *session,
                          ompd_cl_kind_t kind, uint64_t id);

/* The next row's info struct, good until the next call; NULL: there is none, or it failed. */
const void *command_rows_next(struct command_rows *rows);

/* Give the list back; `unreadable` stays. */
void command_rows_close(struct command_rows *rows);

/* The number in a field of ROW; 0 when it is not known, or there is none. */
uint64_t command_row_number(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether that number is not proved. */
bool command_row_is_presumed(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether ROW is of what the session's process has done itself, and not that which it was forked
 * from. */
bool command_row_is_own(const struct command_session *session, ompd_cl_kind_t kind,
                        const void *row);

/* The name of NUMBER as a value of a field; NULL: it has none. */
const char *command_number_name(ompd_cl_kind_t kind, const char *field, uint64_t number);

/* ---- sibling-file ---------------------------------------------------------------------------- */

/* Files that are built beside the command: found there before where they are to be installed. */

/* Put the path of the file NAME, with which may be done what MODE (of access) says, in PATH, of
 * SIZE bytes.  False: it is not beside the command. */
bool command_sibling_file_find(const char *name, int mode, char *path, size_t size);

/* ---- verb-runs ------------------------------------------------------------------------------- */

/* What runs each verb that only the command has. */

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_learn_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line);

/* ---- word-size ------------------------------------------------------------------------------- */

/* Programs and recorders of 32 and of 64 bits: a program loads only what is as it is. */

/* The bits of the ELF file PATH; 0: it is none. */
unsigned command_word_size_of_file(const char *path);

/* The bits of the program that NAME runs, looked for as the shell does; 0: it is no ELF file, such
 * as a script. */
unsigned command_word_size_of_program(const char *name);

/* Whether the recorders among LAYERS, separated by colons, are all of other words than BITS.  Then
 * WHY gets "is of 32 bits, and the recorder PATH is not".  What is no file here may be as it
 * should. */
bool command_word_size_differs(const char *layers, unsigned bits, struct text *why);

#endif
