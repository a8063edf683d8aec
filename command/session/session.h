/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every verb of the command uses: the target, the view and the output. */
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
 * A progress line on standard error, if that is a terminal and the work has taken a second.  It is
 * updated in place, and erased at the end, also when a signal ends the command.
 */

struct command_progress {
    FILE *terminal;        /* NULL: the line would not be visible */
    uint64_t (*now)(void); /* milliseconds; called only if there is a terminal */
    bool is_working;
    bool is_drawn; /* a line must be erased */
    uint64_t next; /* time of the next update */
};

/* Begin on TERMINAL (NULL: nowhere), with the clock NOW. */
void command_progress_begin(struct command_progress *progress, FILE *terminal,
                            uint64_t (*now)(void));

/* Begin on standard error, if that is a terminal that can erase a line. */
void command_progress_begin_here(struct command_progress *progress);

/* Show that DONE of WHOLE (0: unknown) of WHAT is done. */
void command_progress_show(struct command_progress *progress, const char *what, uint64_t done,
                           uint64_t whole);

/* Erase the line while something else is written. */
void command_progress_erase(struct command_progress *progress);

/* The work is done: erase the line. */
void command_progress_end(struct command_progress *progress);

/* ---- session --------------------------------------------------------------------------------- */

/* One use of the command on one target: its options, the target and the view. */

/* When to learn the layout that a target lacks. */
enum command_learn_when {
    command_learn_default, /* ask on a terminal, otherwise never */
    command_learn_never,
    command_learn_ask,
    command_learn_auto
};

struct command_options {
    pid_t pid;              /* 0: no process was named */
    const char *core;       /* NULL: no core was named */
    const char *executable; /* as ompd_host_options_t */
    const char *sysroot;
    bool leaves_running;
    bool asks_debuginfod;
    bool opens_no_files;
    bool is_unconfined;       /* read cores in this process */
    bool groups_cores;        /* count cores instead of listing them */
    bool mixes_programs;      /* count cores of different programs together */
    bool asks_journal;        /* add what the journal of this machine knows */
    const char *journal;      /* or that of this folder or file; NULL: not given */
    const char *output;       /* file for the report of a run, or a layout; NULL: not given */
    const char *baseline;     /* file that lists what a run need not report; NULL: not given */
    const char *new_baseline; /* baseline file to write */
    const char **suppressed;  /* places whose objects a run need not report */
    size_t suppressed_count;
    const char *check;     /* OMPD_OPENCL_CHECK for the program; NULL: not given */
    bool ignores_errors;   /* refused calls are not reported */
    bool ignores_children; /* child processes are not followed */
    bool stops_on_mistake; /* a program ends, or GDB stops it, at its first mistake */
    uint64_t time_limit;   /* seconds for each step of a learned runtime */
    uint64_t memory_limit; /* bytes; 0: no limit */
    uint32_t sources;      /* for ompd_cl_sources_set; 0: not given */
    uint32_t log_level;    /* ompd_cl_log_level_t */
    enum command_learn_when learn;
    uint64_t every; /* milliseconds between repetitions; 0: no repetition */
};

/* Exit code of `run` if only objects alive at an interpreter's exit were found.  It is the
 * command's own; to its view it is ompd_view_exit_ok. */
#define COMMAND_EXIT_ALIVE 5

/* The recorder that the command recommends to its user. */
struct command_named_recorder {
    char path[PATH_MAX];
    unsigned bits; /* its word size; 0: there is none */
};

/* The layout that the target of a failed command lacks.  It may be written by a confined process,
 * so that it cannot be trusted. */
struct command_missed_layout {
    char build_id[2 * 64 + 1]; /* of the runtime, hexadecimal; "": no layout was missed */
    char sentence[2048];       /* the command's error, which was not yet printed */
};

struct command_session;

/* Offer to learn the layout that the session's target lacks, and run the command again with it.
 * Otherwise print the error. */
typedef void command_offer_fn(const struct command_options *options, char *const *words,
                              size_t count, const struct command_missed_layout *missed);

struct command_session {
    struct command_options options;
    char *const *words; /* the command's words */
    size_t word_count;
    struct command_session *outer; /* the session that this is a part of, or NULL */
    FILE *output;                  /* receives the view's text */
    bool has_written;              /* the view has written text */
    struct text *captured;         /* receives the text instead of `output`; may be NULL */
    bool has_colours;
    bool is_json;       /* the output is JSON */
    bool is_alive_only; /* what was found: COMMAND_EXIT_ALIVE */
    /* The threads of a process that the command already traces, for opening it; otherwise none. */
    const ompd_host_traced_thread_t *traced;
    size_t traced_count;
    /* For a process that was forked from one that had used OpenCL: the threads that it has had,
     * whose rows are its own.  NULL: all rows are. */
    const pid_t *own_lwps;
    size_t own_count;
    struct command_named_recorder recorder;
    ompd_host_target_t *target;
    ompd_host_target_info_t info;
    struct text build_id;               /* of the target's program */
    ompd_address_space_handle_t *space; /* NULL: not open */
    ompd_view_t *view;
    struct text answer;         /* the last text that the view was given */
    ompd_host_new_file_t *file; /* a file that a verb writes; NULL: not open */
    char *picture;              /* the last drawing */
    struct command_progress progress;
    bool is_searching; /* memory is being searched, according to the last progress */
    bool has_snapshot; /* the same verb has already read a snapshot */
    bool is_confined;  /* this is the process that reads a core */
    struct command_missed_layout *missed; /* shared with that process; NULL: nothing is offered */
    command_offer_fn *offer;
};

/* Begin a session without a target, for COUNT WORDS, with VERB_COUNT VERBS besides the view's
 * own.  Returns false if out of memory. */
bool command_session_begin(struct command_session *session, char *const *words, size_t count,
                           const ompd_view_verb_t *verbs, size_t verb_count);

/* Begin a part of OUTER with the same output and options, and with VERB besides the view's own. */
bool command_session_begin_part(struct command_session *session, struct command_session *outer,
                                const ompd_view_verb_t *verb);

/* Open the target that the options name, and its address space, and describe it in USE.  Returns
 * ompd_view_exit_ok, or the exit code, with the sentence in *WHY. */
ompd_view_exit_t command_session_open(struct command_session *session, ompd_view_use_t *use,
                                      const char **why);

/* Open the snapshot PATH, or with NULL what the options name, instead of the open target.
 * Returns as command_session_open does. */
ompd_view_exit_t command_session_snapshot_open(struct command_session *session, const char *path,
                                               ompd_view_use_t *use, const char **why);

/* The same for a running verb, which uses the target from now on.  Returns false if the command
 * has failed. */
bool command_session_open_now(struct command_session *session);

/* Within a running verb, run the view's own verb COUNT WORDS on the session's open target.  Its
 * text goes where the session's goes, as JSON if that is JSON. */
ompd_view_exit_t command_session_run(struct command_session *session, const char *const *words,
                                     size_t count);

/* Write the view's description of ROW of KIND, a line without its newline. */
void command_session_describe(struct command_session *session, ompd_cl_kind_t kind,
                              const void *row);

/* Add that line to TEXT. */
void command_session_words_add(struct command_session *session, ompd_cl_kind_t kind,
                               const void *row, struct text *text);

/* Release and close everything; a process continues. */
void command_session_close(struct command_session *session);

/* Show the progress of WHAT on standard error (see above), unless a program might read that as
 * JSON. */
void command_session_progress_show(struct command_session *session, const char *what, uint64_t done,
                                   uint64_t whole);

/* Make the session's command fail with the sentence FORMAT. */
void command_session_fail(const struct command_session *session, ompd_view_exit_t code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether it has failed. */
bool command_session_has_failed(const struct command_session *session);

/* Add SENTENCE in the style of shell errors: in lower case, and without the period of a single
 * sentence. */
void command_error_add(struct text *text, const char *sentence);

/* Print SENTENCE in that style on standard error, after the command's name.  Control characters in
 * it are escaped already. */
void command_error_write(const char *sentence);

/* Escape the control characters in SENTENCE, and print it likewise. */
void command_error_print(const char *sentence);

/* The command's services, without the session and the verbs. */
extern const ompd_view_front_end_t command_front_end;

/* ---- confine --------------------------------------------------------------------------------- */

/* A core is read by a separate, confined process.  This process opens the files. */

/* The process that reads a core. */
enum command_reader {
    command_reader_here,  /* this process, unconfined */
    command_reader_child, /* this process, which was created to read */
    command_reader_ended  /* another process, which has ended */
};

/*
 * Begin to read cores of SESSION.  The COUNT NAMES are the paths of cores to read and files to
 * write that the user named.  Returns in a new, confined process.  When that has ended, returns in
 * the caller, too, with *STATUS from waitpid.  If confinement is impossible or not wanted, returns
 * once, after one warning to the user.
 */
enum command_reader command_confine(struct command_session *session, const char *const *names,
                                    size_t count, int *status);

/* The same for the whole command, with all of its words as names.  It ends as the new process
 * does. */
void command_confine_all(struct command_session *session);

/* Put a sentence in WHY that explains why a process with STATUS did not answer completely.
 * Returns false if it ended by itself.  Does not return if what ended it, such as Ctrl-C, is
 * meant for this process, too. */
bool command_confine_was_lost(int status, struct text *why);

/* ---- cut-core -------------------------------------------------------------------------------- */

/* Cores whose files are truncated while they are read. */

/* Let the command survive the truncation of TARGET's file; NULL: there is no target. */
void command_cut_core_watch(ompd_host_target_t *target);

#define COMMAND_CORE_WAS_CUT "The core was truncated while it was read"

/* Whether it has happened to SESSION's target: then its answers cannot be trusted. */
bool command_core_was_cut(const struct command_session *session);

/* ---- json ------------------------------------------------------------------------------------ */

/* JSON values of the command's own verbs. */

/* Add a value under KEY, or with NULL to an array. */
void command_json_text(ompd_view_t *view, const char *key, const char *value);
void command_json_number(ompd_view_t *view, const char *key, int64_t value);
void command_json_boolean(ompd_view_t *view, const char *key, bool value);
void command_json_duration(ompd_view_t *view, const char *key, uint64_t milliseconds);
void command_json_address(ompd_view_t *view, const char *key, uint64_t value);

/* Add null under KEY, whose value is unknown for REASON. */
void command_json_unknown(ompd_view_t *view, const char *key, const char *reason);

/* ---- missed-layout --------------------------------------------------------------------------- */

/* The layout that a failed command lacks, which can be learned. */

/* Set whether to learn a missed layout: never, ask or auto.  A confined reader cannot find out
 * whether there is a terminal. */
void command_learn_decide(struct command_options *options);

/* Memory for a missed layout, shared with child processes.  NULL: out of memory. */
struct command_missed_layout *command_missed_layout_create(void);
void command_missed_layout_free(struct command_missed_layout *missed);

/* A call on the session's address space has failed.  If a layout may be learned, record which one
 * is missing. */
void command_missed_layout_note(struct command_session *session);

/* If one is missing, record the command's error, to be printed unless it is learned. */
bool command_missed_layout_hold(struct command_session *session, const char *sentence);

/* Copy MISSED, which may be NULL.  Returns false if no layout is missing. */
bool command_missed_layout_get(const struct command_missed_layout *missed,
                               struct command_missed_layout *copy);

/* ---- missing-recorder ------------------------------------------------------------------------ */

/* Why a target without a recorder cannot be answered about. */

/* Find the recorder to recommend.  This opens files, which a confined reader cannot.  Later
 * calls do nothing. */
void command_missing_recorder_prepare(struct command_session *session);

/* Whether the session's target has no recorder, as far as its modules are known. */
bool command_recorder_is_missing(const struct command_session *session);

/* If a call on the session's address space failed because of a missing recorder, explain that
 * and what to do.  MESSAGE is the library's; nothing is added if it is sufficient. */
void command_missing_recorder_add(const struct command_session *session, const char *message,
                                  struct text *text);

/* ---- option ---------------------------------------------------------------------------------- */

/* The command's own options. */

#define COMMAND_OPTIONS 24

/* Groups of options besides OMPD_VIEW_GROUP_TARGET. */
#define COMMAND_GROUP_CORES 2u      /* how to read any core */
#define COMMAND_GROUP_FILE 4u       /* --output */
#define COMMAND_GROUP_TIME_LIMIT 8u /* --time-limit */
#define COMMAND_GROUP_RUN 16u       /* what a run need not report */
#define COMMAND_GROUP_TRIAGE 32u    /* how to report many cores */
#define COMMAND_GROUP_STOP 64u      /* --stop-on-mistake */

extern const ompd_view_option_t command_options_known[COMMAND_OPTIONS];

/* See ompd_view_front_end_t.  Store the option in the session. */
const char *command_option_take(void *session, const ompd_view_option_t *option, const char *word);

/* Return NULL if the options are consistent; otherwise a sentence. */
struct command_options;
const char *command_options_check(const struct command_options *options);

/* ---- recorder -------------------------------------------------------------------------------- */

/* Where the recorder is installed, and what makes programs load it. */

/* The file name of the recorder. */
#define COMMAND_RECORDER "libompd-opencl-recorder.so"

/* Put the path of the recorder that belongs to the command in PATH, of SIZE bytes.  Returns
 * false, with the reason in WHY, if there is none. */
bool command_recorder_find(char *path, size_t size, struct text *why);

/* Get the next recorder, judging by its name, from the colon-separated *LAYERS, which is
 * advanced.  PATH has SIZE bytes.  Returns false, without changing PATH, if there are no more. */
bool command_recorder_next(const char **layers, char *path, size_t size);

/* Put the recorder and its settings in the environment for PROGRAM.  Returns false, with the
 * reason in WHY, if no recorder fits. */
bool command_recorder_prepare(const char *program, struct text *why);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows of the library's lists, and the values of their fields. */

/* An iteration.  Members are private to rows.c, unless they say otherwise. */
struct command_rows {
    struct command_session *session;
    ompd_cl_kind_t kind;
    ompd_cl_list_t list;
    bool is_open;
    unsigned char *buffer;
    ompd_size_t size;     /* of a row, in bytes */
    ompd_size_t count;    /* rows in the buffer */
    ompd_size_t position; /* rows that were returned */
    uint64_t total;
    ompd_size_t unreadable; /* public: rows so far that could not be read */
};

/* List all rows of KIND in the session's target that match FILTER, which may be NULL.  Failures
 * are reported to the session's view. */
void command_rows_open(struct command_rows *rows, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same, but the list is empty if no source has such rows. */
void command_rows_open_optional(struct command_rows *rows, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same for the rows of the object or command with ID, such as a command's wait list. */
void command_rows_open_of(struct command_rows *rows, struct command_session *session,
                          ompd_cl_kind_t kind, uint64_t id);

/* The next row's info struct, valid until the next call; NULL at the end or after a failure. */
const void *command_rows_next(struct command_rows *rows);

/* Close the list; `unreadable` stays valid. */
void command_rows_close(struct command_rows *rows);

/* The number in a field of ROW; 0: unknown or no such field. */
uint64_t command_row_number(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether that number is only presumed. */
bool command_row_is_presumed(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether ROW is about an action of the session's process itself, and not of the one that it was
 * forked from. */
bool command_row_is_own(const struct command_session *session, ompd_cl_kind_t kind,
                        const void *row);

/* The name of NUMBER as a value of a field, or NULL. */
const char *command_number_name(ompd_cl_kind_t kind, const char *field, uint64_t number);

/* ---- sibling-file ---------------------------------------------------------------------------- */

/* Files beside the command in its build folder, which take precedence over installed ones. */

/* Put the path of the file NAME, accessible with MODE (see access), in PATH, of SIZE bytes.
 * Returns false if it is not beside the command. */
bool command_sibling_file_find(const char *name, int mode, char *path, size_t size);

/* ---- verb-runs ------------------------------------------------------------------------------- */

/* The functions of the command's own verbs. */

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_learn_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line);

/* ---- word-size ------------------------------------------------------------------------------- */

/* Word sizes: a program loads only a recorder of its own word size. */

/* The word size in bits of the ELF file PATH; 0: not an ELF file. */
unsigned command_word_size_of_file(const char *path);

/* The word size of the program NAME, found as by the shell; 0: not an ELF file, for example a
 * script. */
unsigned command_word_size_of_program(const char *name);

/* Whether all recorders among the colon-separated LAYERS have another word size than BITS.  If
 * so, add "is 32-bit and the recorder PATH is not" to WHY.  Files that do not exist here might
 * fit. */
bool command_word_size_differs(const char *layers, unsigned bits, struct text *why);

#endif
