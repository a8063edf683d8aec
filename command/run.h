/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a program under the recorder, to see what it leaves alive. */
#ifndef OMPD_COMMAND_RUN_H
#define OMPD_COMMAND_RUN_H

#include <command/baseline.h>
#include <command/session.h>
#include <signal.h>
#include <text/text.h>

/* How a program was run, or a process that it has made. */
struct command_trace {
    /* Called when the program has ended but for its memory, which can be read; also of others that
     * it makes, and before one of them calls exec. */
    void (*look)(struct command_trace *trace);
    void *argument; /* of look */
    bool is_alone;  /* processes that it makes are not followed */
    pid_t pid;
    pid_t parent;      /* 0: it is the program itself */
    int error;         /* errno when it could not be run; else 0 */
    int status;        /* of waitpid, when it ends: also for look */
    bool is_looked;    /* look was called */
    pid_t last_lwp;    /* for look: the thread that is there; others may have given up the memory */
    bool is_lent;      /* somebody else traced it, and it has not stopped since then */
    bool was_replaced; /* it has become another program by exec, */
    bool is_replaced;  /* or for look: it does; `status` says nothing then */
    bool goes_on;      /* for look: it has not ended, when the program has; */
    bool is_gone;      /* or it has, and its memory cannot be read: somebody else traced it; */
    bool is_lost;      /* or not even that it has, nor `status`, is known; */
    struct text name;  /* what it called itself before, of these two */
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

/* Find it in the session's target.  KEEPS_MEMORY: it has not called exit(), which frees some. */
struct command_facts *command_facts_find(struct command_session *session, bool keeps_memory);

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

#endif
