/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* triage: what cores died of, and which are alike. */
#ifndef OMPD_COMMAND_TRIAGE_H
#define OMPD_COMMAND_TRIAGE_H

#include <command/session/places.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- waits ----------------------------------------------------------------------------------- */

/* Where threads wait in OpenCL or run its callbacks: what tells one hang from another. */

/* A place, and how many threads are there. */
struct command_wait {
    uint64_t state; /* ompd_cl_thread_state_t */
    /* Of one that waits the call and what called it; of one that runs a callback what the callback
     * is in, and the callback.  None: not known. */
    struct command_frames frames;
    uint64_t threads;
};

/* Begin with {0}. */
struct command_waits {
    struct command_wait *places; /* in an order that depends on nothing but themselves */
    size_t count;
    uint64_t waiting; /* threads that wait, whether their place is among these or not */
    uint64_t running; /* likewise, that run callbacks */
};

/* Find them in the session's target; no place where its recorder keeps no threads. */
void command_waits_find(struct command_waits *waits, struct command_session *session);

/* Add "clFinish < step < main (2), clWaitForEvents < wait": the places of threads that wait, or of
 * those that run callbacks. */
void command_waits_add(const struct command_waits *waits, bool runs, struct text *text);

/* Give them back. */
void command_waits_free(struct command_waits *waits);

/* ---- crash ----------------------------------------------------------------------------------- */

/* Where a program died, or what it was in, in words that are the same in each run. */

struct command_crash {
    const char *program;             /* its file's name */
    struct command_call_stack stack; /* of the thread that got the signal */
    /* Functions of the thread that got the signal; none: its call stack is not known, or there was
     * no signal. */
    struct command_frames frames;
    bool has_called; /* it called an address where no code is: */
    uint64_t called;
    bool is_caller_first; /* from the first of them, rather than from a function without a name */
    /* Hexadecimal; the same for all deaths of the same program by the same signal in the same
     * functions, and for all that lived with threads waiting at the same places: of functions
     * without names in the same build.  "": where it died or waits is not known. */
    char signature[17];
};

/* Find out about the session's target, whose texts CRASH points to; WAITS are what its threads wait
 * for, and HAS_THREADS tells whether all threads are known. */
void command_crash_find(struct command_crash *crash, struct command_session *session,
                        const struct command_waits *waits, bool has_threads);

/* ---- journal --------------------------------------------------------------------------------- */

/* What systemd-coredump has told the journal of cores. */

/* What is told of a core. */
enum command_journal_field {
    command_journal_file, /* its path */
    command_journal_unit, /* of the process */
    command_journal_user_unit,
    command_journal_host,
    command_journal_boot,
    command_journal_time,   /* microseconds since 1970 */
    command_journal_logged, /* the same, when the journal was told */
    command_journal_pid,
    command_journal_user, /* its number */
    command_journal_signal,
    command_journal_executable,
    command_journal_name, /* of the process, 15 bytes at most */
    command_journal_command_line,
    command_journal_package,
    command_journal_package_version,
    command_journal_sender, /* the user who has told it all, which the journal itself has seen, */
    command_journal_sender_unit,
    COMMAND_JOURNAL_FIELDS
};

/* What is told of one core.  Whoever was the program's user chose some of it. */
struct command_journal_entry {
    char *texts[COMMAND_JOURNAL_FIELDS];        /* NULL: it is not told, */
    const char *faults[COMMAND_JOURNAL_FIELDS]; /* or is of no use, for this reason */
    size_t number;                              /* the order they came in */
    bool is_again;                              /* an earlier one has the same file */
};

/* Begin with {0}. */
struct command_journal {
    struct command_journal_entry *all; /* as they came, the oldest first */
    size_t count;
    struct command_journal_entry **by_name; /* by the names of their files, */
    size_t named_count;                     /* which so many have */
    size_t foreign;      /* entries left out, which systemd-coredump has not written */
    struct text why_cut; /* a sentence: why there may be more; empty: there are not */
};

/* Read the journal of this machine, or what is in the folder or file PATH, by journalctl.  False:
 * it cannot be read, for the reason WHY. */
bool command_journal_read(struct command_journal *journal, const char *path, struct text *why);

/* Take the entries from INPUT, in systemd's export format, whose fields are those that
 * command_journal_names has. */
void command_journal_import(struct command_journal *journal, FILE *input);
extern const char *const command_journal_names[COMMAND_JOURNAL_FIELDS];

/* The entry of CORE: of its file, or of one of that name that names the boot, too, and so was
 * copied from elsewhere.  NULL: there is none. */
const struct command_journal_entry *command_journal_find(const struct command_journal *journal,
                                                         const char *core);

/* The number that FIELD of ENTRY is; false: it is none. */
bool command_journal_number(const struct command_journal_entry *entry,
                            enum command_journal_field field, int64_t *number);

/* Why there is nothing to be read of ENTRY; NULL: its file may be. */
const char *command_journal_why_gone(const struct command_journal_entry *entry);

/* Give it back. */
void command_journal_free(struct command_journal *journal);

/* ---- signature-rules ------------------------------------------------------------------------- */

/* The rules that make a signature of a call stack: those that are installed, and the user's. */

#define COMMAND_SIGNATURE_RULES "signature.rules" /* the file's name */

/* What a rule says; the installed file explains them. */
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
    char *other; /* the second word; NULL: there is none */
};

/* Begin with {0}. */
struct command_signature_rules {
    struct command_signature_rule *all;
    size_t count;
    uint64_t number;  /* of the installed list; 0: none has told one */
    uint64_t digest;  /* of all rules in their order */
    char version[48]; /* "1.5f3a9c02": the number, and what changes with each rule */
};

/* Read the installed rules and those of the user, if there are any.  False: WHY gets a sentence,
 * and *IS_USERS tells whether it is the user's file that has a fault; RULES have none. */
bool command_signature_rules_load(struct command_signature_rules *rules, bool *is_users,
                                  struct text *why);

/* Add the rules that TEXT, of the file PATH, has; HAS_NUMBER: it has to tell the list's.  False:
 * WHY gets a sentence. */
bool command_signature_rules_add(struct command_signature_rules *rules, const char *path,
                                 const char *text, size_t size, bool has_number, struct text *why);

/* The first rule of KIND whose pattern is NAME, and whose second word, if it is of a kind whose
 * second word is a pattern of modules, is MODULE (a file's name; NULL: not known).  NULL: none. */
const struct command_signature_rule *
command_signature_rule_find(const struct command_signature_rules *rules,
                            enum command_signature_rule_kind kind, const char *name,
                            const char *module);

/* Give them back. */
void command_signature_rules_free(struct command_signature_rules *rules);

/* ---- signature ------------------------------------------------------------------------------- */

/* What groups cores, in words: where a program died, or what its threads waited in. */

/* Begin with {0}. */
struct command_signature {
    struct text text;   /* "SIGSEGV | memcpy | upload | load_frame" */
    struct text coarse; /* the same of builds of the program and of runtimes that differ */
};

/* A call stack whose signature is to be made. */
struct command_signature_stack {
    const struct command_function *functions; /* innermost first */
    size_t count;
    bool has_called; /* an address where no code is */
};

/* Make the signature of a program that END tells of ("SIGSEGV") with STACK; none where no function
 * of that has a name or is the program's. */
void command_signature_add_death(struct command_signature *signature,
                                 const struct command_signature_rules *rules, const char *end,
                                 const struct command_signature_stack *stack);

/* Make the signature of a program that lived, add to it the places where its threads are: the
 * innermost of FRAMES is the call, or the innermost function of a callback.  Ask in the order of
 * the places; those that are there already are not added. */
void command_signature_add_wait(struct command_signature *signature,
                                const struct command_signature_rules *rules,
                                const struct command_frames *frames);

/* The same of one that waited nowhere. */
void command_signature_add_nowhere(struct command_signature *signature);

/* Whether one of the functions of STACK is of a rule of KIND, which is about memory or abort. */
bool command_signature_has(const struct command_signature_rules *rules,
                           enum command_signature_rule_kind kind,
                           const struct command_signature_stack *stack);

/* Give its texts back. */
void command_signature_free(struct command_signature *signature);

/* ---- verdict --------------------------------------------------------------------------------- */

/* What triage tells of one core. */

/* What `check` and `waits` find.  Begin with {0}. */
struct command_mistakes {
    bool is_known;  /* both could be asked */
    uint64_t rules; /* bits 1 << ompd_cl_finding_kind_t of what is certain, */
    uint64_t presumed_rules;
    uint64_t ends; /* and 1 << ompd_cl_wait_end_t of waits that will not end by themselves */
    uint64_t presumed_ends;
    bool has_hanging;         /* one of these waits is a thread's, for certain, */
    bool may_hang;            /* or presumably */
    bool may_go_on;           /* how a thread's wait ends is not known */
    bool is_forked;           /* a thread is in a call of OpenCL after a fork, */
    bool has_died_forked;     /* and it got the signal */
    uint64_t findings;        /* how many there are: */
    bool has_certain;         /* some of them certain; the first, where none is of any: */
    struct text first;        /* its sentence */
    struct text failed_build; /* the sentence about the first build that failed, which is none */
};

#define COMMAND_NO_FILE "(no file)" /* in place of a core's path where there is none */

/* What the end of a process is called. */
struct command_class {
    const char *name; /* NULL: it is not known, */
    const char *why;  /* for this reason */
    bool is_presumed;
};

/* What is known of one core. */
struct command_verdict {
    struct command_session session; /* of that core alone */
    struct command_crash crash;
    ompd_cl_overview_info_t overview;
    bool has_overview;
    struct command_waits waits;
    bool has_findings;    /* it is to be looked into */
    const char *why_lost; /* why the process that read it has not told; NULL: no such thing */
    uint64_t began;       /* by the clock, milliseconds */
    bool asks_journal;    /* what it tells of the core is to be told, too: */
    const struct command_journal_entry *told; /* NULL: nothing */

    /* For JSON: */
    const struct command_signature_rules *rules; /* NULL: there are none, */
    const char *why_no_rules;                    /* for this reason */
    struct command_signature signature;          /* empty: of what is not known */
    bool is_abort;                               /* it died in a function that aborts, */
    bool has_no_memory;                          /* and in one that lacked memory */
    struct command_mistakes mistakes;
};

/* Milliseconds by a clock that only grows. */
uint64_t command_verdict_clock(void);

/* Find out all about the core; with HAS_SIGNATURE what JSON has besides.  What failed is in the
 * view of the verdict's session. */
void command_verdict_find(struct command_verdict *verdict, bool has_signature);

/* Whether something of it is missing. */
bool command_verdict_is_incomplete(const struct command_verdict *verdict);

/* Find what `check` and `waits` tell, of a session whose address space is open. */
void command_mistakes_find(struct command_mistakes *mistakes, struct command_session *session);

/* Say what the end of VERDICT's process was, of which all else has been found. */
struct command_class command_class_find(const struct command_verdict *verdict);

/* Write the verdict as a line, or as an object of JSON. */
void command_verdict_write(struct command_verdict *verdict);
void command_verdict_write_json(struct command_verdict *verdict);

/* ---- What the journal tells of the core ------------------------------------------------------ */

/* Add "viewer died of SIGSEGV", of a core that could not be read. */
void command_told_add_death(const struct command_verdict *verdict, struct text *text);

/* Add "; viewer.service on farm-3, 2026-11-25 13:22:01 UTC, package viewer 1.2-3"; nothing where
 * nothing is told. */
void command_told_add(const struct command_verdict *verdict, struct text *text);

/* Add the keys that say what the core of a verdict is: by the core where it could be read, but for
 * what the journal knows better. */
void command_told_write_core(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the keys that the journal alone tells; none where it was not asked. */
void command_told_write_json(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the key "class" to the object of JSON that is open. */
void command_class_write_json(ompd_view_t *view, struct command_class class);

/* Give back what it holds, but for its session. */
void command_verdict_free(struct command_verdict *verdict);

/* ---- core-groups ----------------------------------------------------------------------------- */

/* Cores that ended alike, counted, and those that wait in a tree of where they do. */

#define COMMAND_RECORD 65536        /* bytes of a record, at most */
#define COMMAND_RECORD_PRESUMED "?" /* before a class that is */

/* Cores that ended alike. */
struct command_core_group {
    char *class;      /* "": it is not known */
    bool is_presumed; /* of one of them at least */
    char *program;    /* name of its file; "": it is not known, or of any */
    char *coarse;     /* signature_coarse; "": there is none */
    char *example;    /* the first of them */
    uint64_t count;
};

/* A function that threads are in, which has called that of its parent; a call, or the innermost
 * function of a callback, has none. */
struct command_wait_node {
    char *name;
    size_t length;   /* of the name */
    size_t parent;   /* its number, from 1; 0: it has none */
    char *example;   /* a core that has one */
    uint64_t count;  /* cores that have such threads, */
    uint64_t ending; /* and those of which no function is known that has called it */
    uint64_t last;   /* number of the core that was counted last, */
    uint64_t last_ending;
};

/* Begin with {0}. */
struct command_core_groups {
    struct command_core_group *all; /* the largest first, once they are sorted */
    size_t count;
    struct command_wait_node *nodes; /* parents before their children */
    size_t node_count;
    uint64_t cores;
    uint64_t unreadable; /* of them, as the caller knows */
    uint64_t waiting;    /* cores that the nodes are of */
    bool is_cut;         /* some places are not among them */
};

/* Write what groups VERDICT to FILE: a text of COMMAND_RECORD bytes at most, of lines. */
void command_core_record_write(const struct command_verdict *verdict, FILE *file);

/* Count CORE by its RECORD, which may be anything, of COMMAND_RECORD bytes and a NUL. */
void command_core_groups_add(struct command_core_groups *groups, const char *core,
                             const char *record);

/* Write them as text, or as JSON by rules of VERSION. */
void command_core_groups_write(struct command_core_groups *groups, ompd_view_t *view);
void command_core_groups_write_json(struct command_core_groups *groups, ompd_view_t *view,
                                    const char *version);

/* Give them back. */
void command_core_groups_free(struct command_core_groups *groups);

/* ---- core-list ------------------------------------------------------------------------------- */

/* The cores that triage is given, or that the journal names, and which of them are the same. */

/* One of them. */
struct command_core {
    const char *path;                         /* NULL: the journal names none */
    const struct command_journal_entry *told; /* what the journal tells of it; NULL: nothing */
    const char *why_gone; /* it is not to be opened, for this reason; NULL: it is */
    struct stat status;   /* of its file; size -1: it is not known */
    size_t same;          /* number of the first that is the same; its own: it is the first */
    bool is_repeated;     /* others are the same as this, which is the first */
    char *record;         /* what was told of it, for those; NULL: it is not known, */
    int code;             /* and how that ended */
};

/* Begin with {0}. */
struct command_core_list {
    struct command_core *all;
    size_t count;
};

/* List the COUNT cores at PATHS, with what JOURNAL tells of them unless it is NULL. */
void command_core_list_make(struct command_core_list *list, char *const *paths, size_t count,
                            const struct command_journal *journal);

/* List those that JOURNAL names, in its order. */
void command_core_list_of_journal(struct command_core_list *list,
                                  const struct command_journal *journal);

/* Find which of them are the same file; with COMPARES_BYTES, copies of one that are small, too. */
void command_core_list_find_same(struct command_core_list *list, bool compares_bytes);

/* Whether what is known of the first that is the same as CORE holds for it: neither file was
 * changed since they were listed. */
bool command_core_is_as_first(const struct command_core_list *list,
                              const struct command_core *core);

/* Give it back. */
void command_core_list_free(struct command_core_list *list);

/* ---- record-file ----------------------------------------------------------------------------- */

/* What a process that reads a core tells this one, rather than the user: a text of a fixed size. */

/* From now on what is written to the standard output, by this process or by ones that it makes, is
 * kept.  False, with errno: it is not. */
bool command_record_begin(void);

/* No longer: what was written is in RECORD, COMMAND_RECORD bytes of it at most and a NUL. */
void command_record_end(char *record);

#endif
