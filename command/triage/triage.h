/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: why cores died, and which of them are similar. */
#ifndef OMPD_COMMAND_TRIAGE_H
#define OMPD_COMMAND_TRIAGE_H

#include <command/session/places.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- waits ----------------------------------------------------------------------------------- */

/* Where threads wait in OpenCL or run its callbacks, to distinguish hangs. */

/* A place, and the number of threads there. */
struct command_wait {
    uint64_t state; /* ompd_cl_thread_state_t */
    /* For a waiting thread, the call and its callers.  For a thread in a callback, the current
     * function of the callback and its callers.  Empty: unknown. */
    struct command_frames frames;
    uint64_t threads;
};

/* Begin with {0}. */
struct command_waits {
    struct command_wait *places; /* in an order that is the same in each run */
    size_t count;
    uint64_t waiting; /* waiting threads, including those without a known place */
    uint64_t running; /* threads that run callbacks */
};

/* Find the places in the session's target; none if its recorder does not record threads. */
void command_waits_find(struct command_waits *waits, struct command_session *session);

/* Add "clFinish < step < main (2), clWaitForEvents < wait": the places of waiting threads, or of
 * those that run callbacks. */
void command_waits_add(const struct command_waits *waits, bool runs, struct text *text);

/* Free them. */
void command_waits_free(struct command_waits *waits);

/* ---- crash ----------------------------------------------------------------------------------- */

/* Where a program died, or what it was doing, in words that are the same in each run. */

struct command_crash {
    const char *program;             /* name of its file */
    struct command_call_stack stack; /* of the thread that got the signal */
    /* Functions of the thread that got the signal; none if its call stack is unknown or there
     * was no signal. */
    struct command_frames frames;
    bool has_called; /* it called an address that is not code */
    uint64_t called;
    bool is_caller_first; /* from the first function, rather than from one without a name */
    /* Hexadecimal.  The same for all deaths of a program by the same signal in the same
     * functions, and for all programs that were alive with threads waiting at the same places.
     * Functions without names must be from the same build.  "": unknown place. */
    char signature[17];
};

/* Analyse the session's target.  Texts of CRASH belong to it.  WAITS are its threads' waits;
 * HAS_THREADS: all threads are known. */
void command_crash_find(struct command_crash *crash, struct command_session *session,
                        const struct command_waits *waits, bool has_threads);

/* ---- journal --------------------------------------------------------------------------------- */

/* What systemd-coredump wrote to the journal about cores. */

/* The fields about a core. */
enum command_journal_field {
    command_journal_file, /* its path */
    command_journal_unit, /* of the process */
    command_journal_user_unit,
    command_journal_host,
    command_journal_boot,
    command_journal_time,   /* microseconds since 1970 */
    command_journal_logged, /* the same, for the time of the journal entry */
    command_journal_pid,
    command_journal_user, /* user ID */
    command_journal_signal,
    command_journal_executable,
    command_journal_name, /* of the process, at most 15 bytes */
    command_journal_command_line,
    command_journal_package,
    command_journal_package_version,
    command_journal_sender, /* the user who wrote the entry, as verified by the journal */
    command_journal_sender_unit,
    COMMAND_JOURNAL_FIELDS
};

/* One entry.  The user of the program controlled some of its texts. */
struct command_journal_entry {
    char *texts[COMMAND_JOURNAL_FIELDS];        /* NULL: missing */
    const char *faults[COMMAND_JOURNAL_FIELDS]; /* or unusable, for this reason */
    size_t number;                              /* order of appearance */
    bool is_again;                              /* an earlier entry has the same file */
};

/* Begin with {0}. */
struct command_journal {
    struct command_journal_entry *all; /* the oldest first */
    size_t count;
    struct command_journal_entry **by_name; /* sorted by the names of their files */
    size_t named_count;                     /* number of entries with a file */
    size_t foreign;      /* entries ignored because systemd-coredump did not write them */
    struct text why_cut; /* why there may be more entries; empty: the list is complete */
};

/* Read the journal of this machine, or of the folder or file PATH, with journalctl.  Returns
 * false, with the reason in WHY, on failure. */
bool command_journal_read(struct command_journal *journal, const char *path, struct text *why);

/* Read the entries from INPUT, in systemd's export format, with the fields of
 * command_journal_names. */
void command_journal_import(struct command_journal *journal, FILE *input);
extern const char *const command_journal_names[COMMAND_JOURNAL_FIELDS];

/* Find the entry of CORE: the one with its file, or one with its file name, if that contains the
 * boot ID, as the core may have been copied.  NULL: none. */
const struct command_journal_entry *command_journal_find(const struct command_journal *journal,
                                                         const char *core);

/* Get FIELD of ENTRY as a number.  Returns false if it is not a number. */
bool command_journal_number(const struct command_journal_entry *entry,
                            enum command_journal_field field, int64_t *number);

/* Why the core of ENTRY cannot be read; NULL: it may be. */
const char *command_journal_why_unreadable(const struct command_journal_entry *entry);

/* Free it. */
void command_journal_free(struct command_journal *journal);

/* ---- signature-rules ------------------------------------------------------------------------- */

/* The rules that turn a call stack into a signature: the installed ones, and the user's. */

#define COMMAND_SIGNATURE_RULES "signature.rules" /* the file's name */

/* The kind of a rule; the installed file explains them. */
enum command_signature_rule_kind {
    command_rule_skip,
    command_rule_begin,
    command_rule_prefix,
    command_rule_stop,
    command_rule_name,
    command_rule_module,
    command_rule_abort,
    command_rule_memory
};

struct command_signature_rule {
    enum command_signature_rule_kind kind;
    char *pattern;
    char *other; /* the second word, or NULL */
};

/* Begin with {0}. */
struct command_signature_rules {
    struct command_signature_rule *all;
    size_t count;
    uint64_t number;  /* of the installed list; 0: not yet set */
    uint64_t digest;  /* of all rules in order */
    char version[48]; /* "1.5f3a9c02": the number, and a digest of the rules */
};

/* Read the installed rules and those of the user, if any.  On failure, returns false without any
 * rules.  WHY then has the reason, and *IS_USERS tells whether the user's file is at fault. */
bool command_signature_rules_load(struct command_signature_rules *rules, bool *is_users,
                                  struct text *why);

/* Add the rules in TEXT, from the file PATH.  HAS_NUMBER: it must set the list's number.
 * Returns false, with the reason in WHY, on failure. */
bool command_signature_rules_add(struct command_signature_rules *rules, const char *path,
                                 const char *text, size_t size, bool has_number, struct text *why);

/* The first rule of KIND whose pattern matches NAME.  If the second word is a pattern of
 * modules, it must match MODULE, a file name or NULL.  NULL: none. */
const struct command_signature_rule *
command_signature_rule_find(const struct command_signature_rules *rules,
                            enum command_signature_rule_kind kind, const char *name,
                            const char *module);

/* Free them. */
void command_signature_rules_free(struct command_signature_rules *rules);

/* ---- signature ------------------------------------------------------------------------------- */

/* The words that group cores: where a program died, or what its threads waited for. */

/* Begin with {0}. */
struct command_signature {
    struct text text;   /* "SIGSEGV | memcpy | upload | load_frame" */
    struct text coarse; /* the same for different builds of the program and of runtimes */
};

/* The call stack to make a signature of. */
struct command_signature_stack {
    const struct command_function *functions; /* innermost first */
    size_t count;
    bool has_called; /* the first function is an address that is not code */
};

/* Make the signature of a program that died of END ("SIGSEGV") with STACK; none if no function
 * has a name or belongs to the program. */
void command_signature_add_death(struct command_signature *signature,
                                 const struct command_signature_rules *rules, const char *end,
                                 const struct command_signature_stack *stack);

/* Add a place to the signature of a program that was alive.  The innermost of FRAMES is the
 * call, or the innermost function of a callback.  Add places in order; duplicates are ignored. */
void command_signature_add_wait(struct command_signature *signature,
                                const struct command_signature_rules *rules,
                                const struct command_frames *frames);

/* The same for a program that waited nowhere. */
void command_signature_add_nowhere(struct command_signature *signature);

/* Whether a rule of KIND (memory or abort) matches a function of STACK. */
bool command_signature_has(const struct command_signature_rules *rules,
                           enum command_signature_rule_kind kind,
                           const struct command_signature_stack *stack);

/* Free its texts. */
void command_signature_free(struct command_signature *signature);

/* ---- verdict --------------------------------------------------------------------------------- */

/* The verdict of triage on one core. */

/* The results of `check` and `waits`.  Begin with {0}. */
struct command_mistakes {
    bool is_known;  /* both were available */
    uint64_t rules; /* bits 1 << ompd_cl_finding_kind_t of certain findings */
    uint64_t presumed_rules;
    uint64_t ends; /* bits 1 << ompd_cl_wait_end_t of waits that will not end by themselves */
    uint64_t presumed_ends;
    bool has_hanging;         /* one of these waits is certainly a thread's */
    bool may_hang;            /* or presumably */
    bool may_go_on;           /* it is unknown how a thread's wait ends */
    bool is_forked;           /* a thread is in an OpenCL call after a fork */
    bool has_died_forked;     /* and that thread got the signal */
    uint64_t findings;        /* their number */
    bool has_certain;         /* some are certain; otherwise the first is presumed */
    struct text first;        /* its sentence */
    struct text failed_build; /* the sentence about the first failed build, which is not a
                               * mistake */
};

#define COMMAND_NO_FILE "(no file)" /* replaces the path of a missing core */

/* The name of a process's end. */
struct command_class {
    const char *name; /* NULL: unknown */
    const char *why;  /* why it is unknown */
    bool is_presumed;
};

/* What is known about one core. */
struct command_verdict {
    struct command_session session; /* for this core only */
    struct command_crash crash;
    ompd_cl_overview_info_t overview;
    bool has_overview;
    struct command_waits waits;
    bool has_findings;    /* the core deserves attention */
    const char *why_lost; /* why the process that read it did not report; or NULL */
    uint64_t began;       /* milliseconds of the clock */
    bool asks_journal;    /* the journal's data are requested */
    const struct command_journal_entry *journal_entry; /* may be NULL */

    /* For JSON: */
    const struct command_signature_rules *rules; /* NULL: none */
    const char *why_no_rules;                    /* why not */
    struct command_signature signature;          /* empty: unknown */
    bool is_abort;                               /* it died in a function that aborts */
    bool has_no_memory;                          /* and in one that ran out of memory */
    struct command_mistakes mistakes;
};

/* Milliseconds of a monotonic clock. */
uint64_t command_verdict_clock(void);

/* Analyse the core.  HAS_SIGNATURE: include what only JSON shows.  Failures are reported to the
 * view of the verdict's session. */
void command_verdict_find(struct command_verdict *verdict, bool has_signature);

/* Whether part of the verdict is missing. */
bool command_verdict_is_incomplete(const struct command_verdict *verdict);

/* Run `check` and `waits` on a session whose address space is open. */
void command_mistakes_find(struct command_mistakes *mistakes, struct command_session *session);

/* Name the end of VERDICT's process, after everything else was found. */
struct command_class command_class_find(const struct command_verdict *verdict);

/* Write the verdict as a line, or as a JSON object. */
void command_verdict_write(struct command_verdict *verdict);
void command_verdict_write_json(struct command_verdict *verdict);

/* ---- Data from the journal ------------------------------------------------------------------- */

/* Add "viewer died of SIGSEGV", for a core that could not be read. */
void command_journal_death_add(const struct command_verdict *verdict, struct text *text);

/* Add "; viewer.service on farm-3, 2026-11-25 13:22:01 UTC, package viewer 1.2-3", or nothing if
 * the journal has nothing. */
void command_journal_summary_add(const struct command_verdict *verdict, struct text *text);

/* Add the keys that describe the core: from the core if it was readable, except for what the
 * journal knows better. */
void command_journal_core_write(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the keys that only the journal has, if it was requested. */
void command_journal_json_write(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the key "class" to the open JSON object. */
void command_class_write_json(ompd_view_t *view, struct command_class class);

/* Free the verdict, without its session. */
void command_verdict_free(struct command_verdict *verdict);

/* ---- core-groups ----------------------------------------------------------------------------- */

/* Counted groups of cores with similar ends, and a tree of the places where cores wait. */

#define COMMAND_RECORD 65536        /* maximum size of a record, in bytes */
#define COMMAND_RECORD_PRESUMED "?" /* precedes a presumed class */

/* Cores with similar ends. */
struct command_core_group {
    char *class;      /* "": unknown */
    bool is_presumed; /* for at least one of them */
    char *program;    /* name of its file; "": unknown or any */
    char *coarse;     /* signature_coarse; "": none */
    char *example;    /* the first core */
    uint64_t count;
};

/* A function that threads are in, which called that of its parent.  A call, or the innermost
 * function of a callback, has no parent. */
struct command_wait_node {
    char *name;
    size_t length;   /* of the name */
    size_t parent;   /* number of the parent, from 1; 0: none */
    char *example;   /* a core with such a thread */
    uint64_t count;  /* cores with such threads */
    uint64_t ending; /* cores in which its caller is unknown */
    uint64_t last;   /* number of the last counted core */
    uint64_t last_ending;
};

/* Begin with {0}. */
struct command_core_groups {
    struct command_core_group *all; /* the largest first, after sorting */
    size_t count;
    struct command_wait_node *nodes; /* parents before their children */
    size_t node_count;
    uint64_t cores;
    uint64_t unreadable; /* cores, as set by the caller */
    uint64_t waiting;    /* cores that the nodes represent */
    bool is_cut;         /* some places are missing */
};

/* Write the grouping of VERDICT to FILE: lines, at most COMMAND_RECORD bytes. */
void command_core_record_write(const struct command_verdict *verdict, FILE *file);

/* Count CORE by its RECORD, of COMMAND_RECORD bytes and a NUL, which is untrusted. */
void command_core_groups_add(struct command_core_groups *groups, const char *core,
                             const char *record);

/* Write the groups as text, or as JSON with the VERSION of the rules. */
void command_core_groups_write(struct command_core_groups *groups, ompd_view_t *view);
void command_core_groups_write_json(struct command_core_groups *groups, ompd_view_t *view,
                                    const char *version);

/* Free them. */
void command_core_groups_free(struct command_core_groups *groups);

/* ---- core-list ------------------------------------------------------------------------------- */

/* The cores that triage is given, or that the journal lists, and which of them are identical. */

/* A core. */
struct command_core {
    const char *path;                                  /* NULL: the journal gives none */
    const struct command_journal_entry *journal_entry; /* its journal entry, or NULL */
    const char *why_unreadable; /* why it must not be opened; NULL: it may be */
    struct stat status;         /* of its file; size -1: unknown */
    size_t same;      /* index of the first identical core; its own index if it is the first */
    bool is_repeated; /* it is the first, and others are identical */
    char *record;     /* its report, for identical cores; NULL: none */
    int code;         /* and its exit code bits */
};

/* Begin with {0}. */
struct command_core_list {
    struct command_core *all;
    size_t count;
};

/* List the COUNT cores at PATHS, with their entries in JOURNAL unless that is NULL. */
void command_core_list_make(struct command_core_list *list, char *const *paths, size_t count,
                            const struct command_journal *journal);

/* List the cores of JOURNAL, in its order. */
void command_core_list_of_journal(struct command_core_list *list,
                                  const struct command_journal *journal);

/* Find identical files; with COMPARES_BYTES, also copies of small files. */
void command_core_list_find_same(struct command_core_list *list, bool compares_bytes);

/* Whether the report on the first core identical to CORE applies to CORE: neither file has
 * changed since they were listed. */
bool command_core_is_as_first(const struct command_core_list *list,
                              const struct command_core *core);

/* Free it. */
void command_core_list_free(struct command_core_list *list);

/* ---- record-file ----------------------------------------------------------------------------- */

/* Captured output of a process that reads a core: a text of limited size. */

/* Capture the standard output of this process and its children from now on.  Returns false, with
 * errno, on failure. */
bool command_record_begin(void);

/* Stop capturing, and put the output in RECORD: at most COMMAND_RECORD bytes and a NUL. */
void command_record_end(char *record);

#endif
