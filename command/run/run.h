/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program under the recorder, and what is told at its end. */
#ifndef OMPD_COMMAND_RUN_H
#define OMPD_COMMAND_RUN_H

#include <command/session/places.h>
#include <signal.h>
#include <stdbool.h>

/* ---- baseline -------------------------------------------------------------------------------- */

/*
 * Baselines: files that name what a program is known to leave alive, for a test suite to stay green
 * until there is more.
 *
 *     memobj, at most 24
 *         frame_upload at frames.c
 *         main at frames.c
 */

/* Add what the baseline PATH names to SUPPRESSIONS.  False: it cannot be read, or makes no sense,
 * and WHY gets the sentence. */
bool command_baseline_read(struct command_suppressions *suppressions, const char *path,
                           struct text *why);

/* A baseline to be written.  Begin with {0}. */
struct command_baseline {
    char **entries;
    size_t count;
};

/* Have BASELINE name objects of KIND that were made at PLACES. */
void command_baseline_add(struct command_baseline *baseline, ompd_cl_kind_t kind,
                          const struct command_call_places *places);

/* Write what was added, each entry once and sorted by its text: the same in each run.  False: it
 * cannot be written, and errno tells why. */
bool command_baseline_write(struct command_baseline *baseline, const char *path);

/* Give it back. */
void command_baseline_free(struct command_baseline *baseline);

/* ---- interpreter ----------------------------------------------------------------------------- */

/* Programs that run others' code, and leave it to them what to release. */

/* Whether the program PATH, which may be NULL, is an interpreter, by the name of its file: at its
 * exit such a one gives up the objects of the code that it ran without releasing all of them. */
bool command_is_interpreter(const char *path);

/* ---- probe-call ------------------------------------------------------------------------------ */

/* Calls that correct programs have refused: they ask for something that may not be there. */

/* Whether a correct program may make CALL, a function of OpenCL, and have it refused with ERROR,
 * the name of its code; NULL: that is not known. */
bool command_call_is_probe(const char *call, const char *error, bool has_handle);

/* Whether CALL builds a program, or compiles or links one. */
bool command_call_is_build(const char *call);

/* ---- raised-again ---------------------------------------------------------------------------- */

/*
 * Signals that a handler has raised again: that of a crash reporter, or of an OpenCL runtime, which
 * the process got first and which then lets it be killed by its own hand.
 */

/*
 * How many of the innermost frames of the thread LWP, which SIGNAL has killed, are of a handler of
 * the same signal as it came first: 0 where SIGNAL is the first.  *SIGNAL then gets what came
 * first, where this machine's frames of signals tell it.
 */
size_t command_raised_again_find(struct command_session *session, uint32_t lwp, siginfo_t *signal);

/* ---- run-retains ----------------------------------------------------------------------------- */

/* Who has retained what a program has left alive, and released it: where the recorder keeps a
 * ledger. */

/* Calls from one place. */
struct run_retain_place {
    uint64_t action; /* ompd_cl_action_retained, or _released */
    uint64_t caller;
    uint64_t times;
};

/* Those that retained and released objects which were made alike.  Begin with {0}: none. */
struct run_retains {
    struct run_retain_place *places;
    size_t count;
    uint64_t created; /* objects whose creation the ledger still has: it has all of them then, */
    uint64_t retained;
    uint64_t released; /* without releases that were refused */
};

/* An object that is left, and what its entries are added to. */
struct run_retained {
    uint64_t handle;
    uint64_t order; /* which tells objects apart that had the handle one after the other */
    struct run_retains *retains;
};

/* Look for the entries of the COUNT OBJECTS, which this puts in another order. */
void run_retains_find(struct command_session *session, struct run_retained *objects, size_t count);

/* Add what MORE has. */
void run_retains_join(struct run_retains *retains, const struct run_retains *more);

/* Add lines on COUNT objects, if they were retained. */
void run_retains_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count,
                     struct text *text);

/* Add the same as keys of JSON. */
void run_retains_json_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count);

void run_retains_free(struct run_retains *retains);

/* ---- run ------------------------------------------------------------------------------------- */

/* Running a program under the recorder, to see what it leaves alive. */

/* How a program was run, or a process that it has made. */
struct command_trace {
    /* Called when the program has ended but for its memory, which can be read, or when it is traced
     * no more; also of others that it makes, and before one of them calls exec. */
    void (*look)(struct command_trace *trace);
    void *argument; /* of look */
    bool is_alone;  /* processes that it makes are not followed */
    pid_t pid;
    pid_t parent;      /* 0: it is the program itself */
    int error;         /* errno when it could not be run; else 0 */
    int status;        /* of waitpid, when it ends: also for look */
    bool is_looked;    /* look was called */
    pid_t last_lwp;    /* for look: the thread that is there; others may have given up the memory */
    bool was_replaced; /* it has become another program by exec, */
    bool is_replaced;  /* or for look: it does; `status` says nothing then */
    bool goes_on;      /* for look: it has not ended, when the program has; */
    bool is_detached;  /* or it is traced no more, */
    pid_t tracer;      /* as this process wants to trace it: `status` is not known of others */
    /* It was forked, and has not called exec: what it has of OpenCL may be its parent's.  Its own
     * is what these threads have made.  Not kept of others. */
    bool is_forked;
    pid_t *own_lwps;
    size_t own_count;
    /* When a signal ends it, for look: its threads, one that is still there before others, */
    ompd_host_traced_thread_t *threads;
    size_t thread_count;
    siginfo_t signal; /* and the last signal that one of them got, */
    pid_t signal_lwp; /* this one; 0: none.  SIGKILL is got by none. */
};

/* Run the program WORDS, which NULL ends, to its end, as its caller's foreground job: signals and
 * stops of the terminal are the program's.  Processes that it makes are followed as long as it is
 * there.  False: it could not be run, and `error` tells why. */
bool command_trace_run(struct command_trace *trace, char **words);

/* Whether what the process did itself has killed it: a fault, or abort(). */
bool command_death_is_own(const struct command_trace *trace);

/* Write to the session's output, as text or JSON, how the program of TRACE died that is the
 * session's target: where, or what its threads waited for. */
void command_death_write(struct command_session *session, const struct command_trace *trace);

/* What else the recorder knows of a program at its end. */
struct command_facts;

/* How much there is of each. */
struct command_fact_counts {
    uint64_t findings;
    uint64_t refused; /* calls that correct programs do not make; 0 where they are to be ignored */
    uint64_t builds;  /* that have failed */
    uint64_t probes;  /* other refused calls that correct programs do make */
    uint64_t failed;  /* commands */
    uint64_t pending;
    uint64_t mappings;
    bool knows_calls; /* whether the recorder keeps refused calls */
};

/* Find it in the session's target, the process of TRACE. */
struct command_facts *command_facts_find(struct command_session *session,
                                         const struct command_trace *trace);

void command_facts_sum(const struct command_facts *facts, struct command_fact_counts *counts);

/* Write what there is to the session's output, as text or JSON. */
void command_facts_write(const struct command_facts *facts);

/* Give it back; NULL is ignored. */
void command_facts_free(struct command_facts *facts);

/* What a program has left alive of one kind, by call stack. */
struct command_remains;

/* Find what is alive in the session's target but for what SUPPRESSIONS name.  HAS_DIED: the program
 * had no chance to release it.  All that is found, though a baseline names it, is added to BASELINE
 * unless that is NULL. */
struct command_remains *command_remains_find(struct command_session *session, bool has_died,
                                             struct command_suppressions *suppressions,
                                             struct command_baseline *baseline);

/* Whether there is anything that a program should have released. */
bool command_remains_exist(const struct command_remains *remains);

/* How many objects are suppressed. */
uint64_t command_remains_suppressed(const struct command_remains *remains);

/* Write what there is to the session's output, as text or JSON. */
void command_remains_write(struct command_remains *remains);

/* Give it back; NULL is ignored. */
void command_remains_free(struct command_remains *remains);

/* ---- run-remains ----------------------------------------------------------------------------- */

/* What a program has left alive, by the calls that made it: run-remains.c finds it, and
 * run-remains-write.c shows it. */

#define RUN_FRAMES 128 /* of a call stack, at most */
#define RUN_KEPT 3     /* objects that a group keeps are named, at most */
#define RUN_LISTED 8   /* kinds of objects */

/* The kinds whose objects are listed, and have bytes or not. */
struct run_listed {
    ompd_cl_kind_t kind;
    bool has_bytes;
};

extern const struct run_listed run_listed[RUN_LISTED];

/* Objects whose handles are somewhere. */
struct run_holding {
    uint64_t count;
    uint64_t address; /* where that of one is; 0: in a register, or there are none */
};

/* Objects that were made by the same calls. */
struct run_group {
    uint64_t stack;  /* number of the call stack; 0: none was recorded, */
    uint64_t caller; /* and this is the innermost call; 0: not known */
    bool is_joined;  /* of several */
    bool is_held;    /* the program has released them: other objects hold them */
    uint64_t count;
    uint64_t made;      /* by these calls in all; 0: not known */
    uint64_t bytes;     /* those made of other memory objects not counted twice */
    uint64_t position;  /* of the first in the list */
    size_t suppression; /* that names it */
    char *shown;        /* the call stack as it is printed; NULL before that is known */
    uint64_t lost;      /* whose handles were not found in the program's memory, */
    uint64_t perhaps;   /* or on stacks alone, */
    uint64_t reachable; /* or which objects that are held tell, */
    uint64_t untold;    /* or of which that is not known */
    struct run_holding held;
    struct run_holding presumed; /* in memory that may be the runtime's */
    /* What they keep that the program has released, without 0s between. */
    struct {
        ompd_cl_kind_t kind;
        uint64_t handle;
    } kept[RUN_KEPT];
    bool keeps_more;
    struct run_retains retains; /* of those that are live */
};

struct run_kind {
    struct run_group **groups;
    size_t group_count;
    uint64_t rows; /* that were grouped */
    uint64_t count;
    uint64_t bytes;
    uint64_t held; /* not in `count`: the program has released them, other objects hold them */
    void *root;    /* of the tree of groups, as long as they are found */
};

struct command_remains {
    struct command_session *session;
    struct run_kind kinds[RUN_LISTED];
    bool has_died;  /* the program had no chance to release them */
    uint64_t count; /* of what is left alive, without what others hold */
    uint64_t suppressed;
    struct run_retained *live; /* objects, */
    size_t live_count;         /* as long as groups are found */
    struct text missing;       /* the sentence for those that could not be read */
};

/* Put the call stack of GROUP in FRAMES, of which there are RUN_FRAMES; one where only the caller
 * is known.  It is of type stack, whatever comes of it. */
ompd_view_value_t run_group_stack(struct command_session *session, const struct run_group *group,
                                  ompd_addr_t *frames);

/* Most bytes first, then most objects, then the order in which they were made: for qsort. */
int run_group_compare(const void *left, const void *right);

/* Add what GROUP has of where handles are, and what it keeps, to the other. */
void run_group_join(struct run_group *group, const struct run_group *more);

void run_group_free(struct run_group *group);

/* ---- run-alike ------------------------------------------------------------------------------- */

/* Call stacks that print alike, as calls in one line of a function do: how many objects all of them
 * have made. */

#define RUN_OTHERS 64

/* The call stacks that have left something, */
struct run_alike {
    struct command_session *session;
    struct run_left_stack {
        uint64_t stack;
        size_t index; /* of run_listed */
        bool is_held;
    } * left;
    size_t left_count;
    /* and as they print those that have left nothing of run_listed[index], but maybe made it. */
    size_t index; /* RUN_LISTED: they were not looked for */
    char *others[RUN_OTHERS];
    size_t other_count;
    bool is_whole; /* these are all */
};

/* Begin with what REMAINS has before groups of it are joined. */
void run_alike_begin(struct run_alike *alike, const struct command_remains *remains);

/* Whether GROUP of run_listed[INDEX], which has its text, is joined of all groups that have made
 * objects of the kind and print alike. */
bool run_alike_is_all(struct run_alike *alike, size_t index, const struct run_group *group);

void run_alike_end(struct run_alike *alike);

/* What is printed of the call stack of GROUP, of the heap. */
char *run_stack_show(struct command_session *session, const struct run_group *group);

/* ---- run-report ------------------------------------------------------------------------------ */

/* What is told of a run, in the order in which it is read. */

/* What is known of a process at its end. */
struct run_account {
    struct command_session *session;
    FILE *output; /* that the report goes to in the end */
    char *death;  /* how it died, as written while it could be read; NULL: it did not */
    size_t death_length;
    char *facts; /* what was found, written likewise */
    size_t length;
    bool is_unrecorded;  /* the recorder was not loaded */
    bool has_used;       /* OpenCL: of a process that goes on */
    bool is_interpreter; /* the program */
    bool has_left;       /* there is something alive that it should have released */
    uint64_t over_releases;
    uint64_t loaders_refused; /* OpenCL loaders that the recorder saw nothing of */
    struct command_fact_counts counts;
    uint64_t suppressed;                       /* objects */
    struct command_suppressions *suppressions; /* of all processes */
    struct command_baseline *baseline;         /* to which all is added that is left; NULL: none */
};

/* What is known of the other processes of a run. */
struct run_others {
    struct command_session *session; /* of the run */
    struct command_suppressions *suppressions;
    struct command_baseline *baseline;
    FILE *reports; /* written here, to memory: */
    char *text;
    size_t length;
    uint64_t count; /* that have used OpenCL */
    bool have_findings;
    bool are_alive_only; /* objects that interpreters had when they exited were found, at most */
    bool are_incomplete; /* not all could be read */
};

/* run-look.c: find in the process of TRACE, which is at its end, all that is told of it. */
void run_account_find(struct run_account *account, const struct command_trace *trace);

/* Open the process, as the session's target.  False: the session has failed. */
bool run_account_open(struct run_account *account, const struct command_trace *trace);

/* run-others.c: report on another process than the program, or on the program before exec. */
void run_others_look(struct run_others *others, const struct command_trace *trace);

/* Write the report on PROGRAM, of which TRACE tells how it ended; OTHERS, which is NULL unless it
 * is the program itself, are told with it. */
void run_report_write(struct run_account *account, const struct command_trace *trace,
                      const char *program, struct run_others *others);

/* How the command ends for this process alone.  IS_NAMED: what it left is named in a new baseline.
 */
ompd_view_exit_t run_report_code(const struct run_account *account,
                                 const struct command_trace *trace, bool is_named);

#endif
