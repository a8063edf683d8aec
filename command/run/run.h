/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program with the recorder, and the report at its end. */
#ifndef OMPD_COMMAND_RUN_H
#define OMPD_COMMAND_RUN_H

#include <command/session/places.h>
#include <signal.h>
#include <stdbool.h>

/* ---- baseline -------------------------------------------------------------------------------- */

/*
 * Baselines: files that list what a program is known to leave alive.  A test suite stays green
 * until the program leaves more.
 *
 *     memobj, at most 24
 *         frame_upload at frames.c
 *         main at frames.c
 */

/* Add the entries of the baseline PATH to SUPPRESSIONS.  Returns false, with the reason in WHY,
 * if it cannot be read or is invalid. */
bool command_baseline_read(struct command_suppressions *suppressions, const char *path,
                           struct text *why);

/* A baseline to write.  Begin with {0}. */
struct command_baseline {
    char **entries;
    size_t count;
};

/* Add an entry for objects of KIND that were created at PLACES to BASELINE. */
void command_baseline_add(struct command_baseline *baseline, ompd_cl_kind_t kind,
                          const struct command_call_places *places);

/* Write the entries, sorted and without duplicates, so that each run writes the same.  Returns
 * false, with errno, on failure. */
bool command_baseline_write(struct command_baseline *baseline, const char *path);

/* Free it. */
void command_baseline_free(struct command_baseline *baseline);

/* ---- interpreter ----------------------------------------------------------------------------- */

/* Programs that run other people's code and do not release its objects. */

/* Whether the program PATH, which may be NULL, is an interpreter, judging by its file name.  At
 * their exit, interpreters abandon objects of the code that they ran. */
bool command_is_interpreter(const char *path);

/* ---- probe-call ------------------------------------------------------------------------------ */

/* Calls of correct programs that may be refused, as they ask for something that may not exist. */

/* Whether a correct program may make CALL, an OpenCL function, and have it refused with ERROR,
 * the name of an error code or NULL if unknown. */
bool command_call_is_probe(const char *call, const char *error, bool has_handle);

/* Whether CALL builds, compiles or links a program. */
bool command_call_is_build(const char *call);

/* ---- reraised-signal ------------------------------------------------------------------------- */

/*
 * Signals that a handler raised again.  A crash reporter or an OpenCL runtime handles the signal
 * first, and then kills the process with the same signal.
 */

/*
 * Count the innermost frames of the thread LWP, killed by SIGNAL, that belong to a handler of the
 * same, earlier signal.  Returns 0 if SIGNAL is the first.  *SIGNAL then receives the earlier
 * signal, if the machine's signal frames are known.
 */
size_t command_reraised_signal_find(struct command_session *session, uint32_t lwp,
                                    siginfo_t *signal);

/* ---- run-retains ----------------------------------------------------------------------------- */

/* Who retained and released what a program left alive, if the recorder keeps a ledger. */

/* Calls from one call site. */
struct run_retain_place {
    uint64_t action; /* ompd_cl_action_retained or ompd_cl_action_released */
    uint64_t caller;
    uint64_t times;
};

/* The places that retained and released objects of one group.  Begin with {0}. */
struct run_retains {
    struct run_retain_place *places;
    size_t count;
    uint64_t created; /* objects whose creation is in the ledger, and thus all of their entries */
    uint64_t retained;
    uint64_t released; /* without refused releases */
};

/* An object that is left alive, and where to add its entries. */
struct run_retained {
    uint64_t handle;
    uint64_t order; /* distinguishes successive objects with the same handle */
    struct run_retains *retains;
};

/* Find the ledger entries of the COUNT OBJECTS, which are reordered. */
void run_retains_find(struct command_session *session, struct run_retained *objects, size_t count);

/* Add the entries of MORE. */
void run_retains_join(struct run_retains *retains, const struct run_retains *more);

/* Add lines about COUNT objects, if they were retained. */
void run_retains_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count,
                     struct text *text);

/* Add the same as JSON keys. */
void run_retains_json_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count);

void run_retains_free(struct run_retains *retains);

/* ---- run ------------------------------------------------------------------------------------- */

/* Run a program with the recorder, to report what it leaves alive. */

/* A run of a program, or of one of its child processes. */
struct command_trace {
    /* Called when the program has ended but its memory is still readable, or when it is no
     * longer traced.  Also called for its child processes, and before one of them calls exec. */
    void (*on_end)(struct command_trace *trace);
    void *argument; /* for the function above */
    bool is_alone;  /* child processes are not followed */
    pid_t pid;
    pid_t parent;      /* 0: the program itself */
    int error;         /* errno if it could not be run; otherwise 0 */
    int status;        /* from waitpid at its end; also valid in the function above */
    bool is_read;      /* the function above was called */
    pid_t last_lwp;    /* in the function above: the remaining thread; others may have released
                        * the memory */
    bool was_replaced; /* it has executed another program */
    bool is_replaced;  /* in the function above: it is about to; `status` is invalid then */
    bool goes_on;      /* in the function above: it has not ended, though the program has */
    bool is_detached;  /* it is no longer traced */
    pid_t tracer;      /* because this process wants to trace it; `status` is then unknown for
                        * child processes */
    /* It was forked and has not called exec, so its OpenCL objects may be its parent's.  Its own
     * objects are those that its threads created.  Not used for other processes. */
    bool is_forked;
    pid_t *own_lwps;
    size_t own_count;
    /* If a signal ends it: its threads, with one that still exists first */
    ompd_host_traced_thread_t *threads;
    size_t thread_count;
    siginfo_t signal; /* and the last signal that one of them got */
    pid_t signal_lwp; /* this thread; 0: none.  SIGKILL is delivered to none. */
};

/* Run the program WORDS (NULL-terminated) to its end, as the caller's foreground job: signals
 * and stops of the terminal are the program's.  Child processes are followed until the program
 * ends.  Returns false, with `error`, if it could not be run. */
bool command_trace_run(struct command_trace *trace, char **words);

/* Whether SIGNAL has ended a program at its first mistake. The recorder sends it with the number of
 * the rule. */
bool command_signal_is_of_mistake(const siginfo_t *signal);

/* Whether an action of the process itself killed it: a fault or abort(). */
bool command_death_is_own(const struct command_trace *trace);

/* Write to the session's output, as text or JSON, how the program of TRACE, the session's
 * target, died: where it was, or what its threads waited for. */
void command_death_write(struct command_session *session, const struct command_trace *trace);

/* What else the recorder knows about a program at its end. */
struct command_facts;

/* The number of facts of each type. */
struct command_fact_counts {
    uint64_t findings;
    uint64_t refused; /* calls that correct programs do not make; 0 if they are ignored */
    uint64_t builds;  /* failed builds */
    uint64_t probes;  /* other refused calls, which correct programs also make */
    uint64_t failed;  /* failed commands */
    uint64_t pending;
    uint64_t mappings;
    bool knows_calls; /* whether the recorder records refused calls */
};

/* Find the facts in the session's target, the process of TRACE. */
struct command_facts *command_facts_find(struct command_session *session,
                                         const struct command_trace *trace);

void command_facts_sum(const struct command_facts *facts, struct command_fact_counts *counts);

/* Write the facts to the session's output, as text or JSON. */
void command_facts_write(const struct command_facts *facts);

/* Free FACTS; NULL is ignored. */
void command_facts_free(struct command_facts *facts);

/* What a program left alive, by kind and call stack. */
struct command_leak_report;

/* Find what is alive in the session's target, without what SUPPRESSIONS name.  HAS_DIED: the
 * program had no chance to release it.  Everything found, even if suppressed by a baseline, is
 * added to BASELINE unless that is NULL. */
struct command_leak_report *command_leak_report_find(struct command_session *session, bool has_died,
                                                     struct command_suppressions *suppressions,
                                                     struct command_baseline *baseline);

/* Whether there is anything that the program should have released. */
bool command_leak_report_exist(const struct command_leak_report *leaks);

/* The number of suppressed objects. */
uint64_t command_leak_report_suppressed(const struct command_leak_report *leaks);

/* Write the leaks to the session's output, as text or JSON. */
void command_leak_report_write(struct command_leak_report *leaks);

/* Free REMAINS; NULL is ignored. */
void command_leak_report_free(struct command_leak_report *leaks);

/* ---- run-leak-report ------------------------------------------------------------------------- */

/* What a program left alive, by the calls that created it.  run-leak-report.c finds it, and
 * run-leak-report-write.c prints it. */

#define RUN_FRAMES 128 /* of a call stack, at most */
#define RUN_KEPT 3     /* maximum number of kept objects that are named for a group */
#define RUN_LISTED 10  /* kinds of objects */

/* The kinds whose objects are listed, and whether they have a size. */
struct run_listed {
    ompd_cl_kind_t kind;
    bool has_bytes;
};

extern const struct run_listed run_listed[RUN_LISTED];

/* Objects whose handles were found. */
struct run_holding {
    uint64_t count;
    uint64_t address; /* address of one handle; 0: in a register, or none */
};

/* Objects that the same calls created. */
struct run_group {
    uint64_t stack;  /* number of the call stack; 0: not recorded */
    uint64_t caller; /* innermost call site; 0: unknown */
    bool is_joined;  /* joined from several groups */
    bool is_held;    /* the program has released them; other objects hold them */
    uint64_t count;
    uint64_t made;      /* objects that these calls created in total; 0: unknown */
    uint64_t bytes;     /* sub-buffers and the like not counted twice */
    uint64_t position;  /* of the first object in the list */
    size_t suppression; /* index of the suppression that names it */
    char *shown;        /* the printed call stack; NULL: not yet known */
    uint64_t lost;      /* handles not found in the program's memory */
    uint64_t perhaps;   /* handles found only on stacks */
    uint64_t reachable; /* handles reachable through held objects */
    uint64_t untold;    /* handles whose place is unknown */
    struct run_holding held;
    struct run_holding presumed; /* in memory that may belong to the runtime */
    /* Released objects that they keep alive, without zeros between. */
    struct {
        ompd_cl_kind_t kind;
        uint64_t handle;
    } kept[RUN_KEPT];
    bool keeps_more;
    struct run_retains retains; /* of the live objects */
};

struct run_kind {
    struct run_group **groups;
    size_t group_count;
    uint64_t rows; /* that were grouped */
    uint64_t count;
    uint64_t bytes;
    uint64_t held; /* released objects that others hold; not in `count` */
    void *root;    /* of the tree of groups, while they are searched */
};

struct command_leak_report {
    struct command_session *session;
    struct run_kind kinds[RUN_LISTED];
    bool has_died;  /* the program had no chance to release them */
    uint64_t count; /* of what is left alive, without what others hold */
    uint64_t suppressed;
    struct run_retained *live; /* live objects */
    size_t live_count;         /* while groups are searched */
    struct text missing;       /* a sentence about rows that could not be read */
};

/* Put the call stack of GROUP in FRAMES, an array of RUN_FRAMES; one frame if only the caller is
 * known.  Returns a value of type stack in any case. */
ompd_view_value_t run_group_stack(struct command_session *session, const struct run_group *group,
                                  ompd_addr_t *frames);

/* For qsort: most bytes first, then most objects, then creation order. */
int run_group_compare(const void *left, const void *right);

/* Add the handle places and kept objects of MORE to GROUP. */
void run_group_join(struct run_group *group, const struct run_group *more);

void run_group_free(struct run_group *group);

/* ---- run-alike ------------------------------------------------------------------------------- */

/* Call stacks that print alike, such as calls in one line of a function, and how many objects
 * all of them created. */

#define RUN_OTHERS 64

/* The call stacks that left something alive. */
struct run_alike {
    struct command_session *session;
    struct run_left_stack {
        uint64_t stack;
        size_t index; /* in run_listed */
        bool is_held;
    } * left;
    size_t left_count;
    /* The printed stacks that left nothing of run_listed[index] alive, but may have created
     * some. */
    size_t index; /* RUN_LISTED: not yet searched */
    char *others[RUN_OTHERS];
    size_t other_count;
    bool is_whole; /* the list is complete */
};

/* Begin with REMAINS, before its groups are joined. */
void run_alike_begin(struct run_alike *alike, const struct command_leak_report *leaks);

/* Whether GROUP of run_listed[INDEX], whose text is known, includes all groups that created
 * objects of the kind and print alike. */
bool run_alike_is_all(struct run_alike *alike, size_t index, const struct run_group *group);

void run_alike_end(struct run_alike *alike);

/* The printed call stack of GROUP, on the heap. */
char *run_stack_show(struct command_session *session, const struct run_group *group);

/* ---- run-report ------------------------------------------------------------------------------ */

/* The report on a run, in reading order. */

/* What is known about a process at its end. */
struct run_account {
    struct command_session *session;
    FILE *output; /* for the final report */
    char *death;  /* how it died, captured while it could be read; NULL: it did not */
    size_t death_length;
    char *facts; /* what was found, captured, too */
    size_t length;
    bool is_unrecorded;  /* the recorder was not loaded */
    bool has_used;       /* OpenCL; for a process that is still running */
    bool is_interpreter; /* the program is one */
    bool is_thorough;    /* the recorder ran its slower checks, too */
    bool has_left;       /* it left objects alive that it should have released */
    uint64_t over_releases;
    uint64_t loaders_refused; /* OpenCL loaders that the recorder did not see */
    struct command_fact_counts counts;
    uint64_t suppressed;                       /* objects */
    struct command_suppressions *suppressions; /* for all processes */
    struct command_baseline *baseline;         /* receives everything that is left alive; may be
                                                * NULL */
};

/* What is known about the other processes of a run. */
struct run_others {
    struct command_session *session; /* of the run */
    struct command_suppressions *suppressions;
    struct command_baseline *baseline;
    FILE *reports; /* writes to this memory: */
    char *text;
    size_t length;
    uint64_t count; /* of processes that have used OpenCL */
    bool have_findings;
    bool are_alive_only; /* nothing worse was found than objects alive when interpreters exited */
    bool are_incomplete; /* not everything could be read */
};

/* run-account.c: find everything to report in the process of TRACE, which is at its end. */
void run_account_find(struct run_account *account, const struct command_trace *trace);

/* Open the process as the session's target.  Returns false if the session has failed. */
bool run_account_open(struct run_account *account, const struct command_trace *trace);

/* run-others.c: report on a process other than the program, or on the program before exec. */
void run_others_report(struct run_others *others, const struct command_trace *trace);

/* Write the report on PROGRAM, whose end TRACE describes.  It includes OTHERS, which is NULL
 * unless the process is the program itself. */
void run_report_write(struct run_account *account, const struct command_trace *trace,
                      const char *program, struct run_others *others);

/* The exit code for this process alone.  IS_NAMED: what it left alive is in a new baseline. */
ompd_view_exit_t run_report_code(const struct run_account *account,
                                 const struct command_trace *trace, bool is_named);

#endif
