/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is told of a run, in the order in which it is read. */
#ifndef OMPD_COMMAND_RUN_REPORT_H
#define OMPD_COMMAND_RUN_REPORT_H

#include <command/run.h>

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
