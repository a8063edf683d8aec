/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is told of a run, in the order in which it is read. */
#ifndef OMPD_COMMAND_RUN_REPORT_H
#define OMPD_COMMAND_RUN_REPORT_H

#include <command/run.h>

struct run_account {
    struct command_session *session;
    FILE *output; /* that the report goes to in the end */
    char *death;  /* how it died, as written while it could be read; NULL: it did not */
    size_t death_length;
    char *facts; /* what was found, written likewise */
    size_t length;
    bool is_interpreter; /* the program */
    bool has_left;       /* there is something alive that it should have released */
    uint64_t over_releases;
    uint64_t loaders_refused; /* OpenCL loaders that the recorder saw nothing of */
    struct command_fact_counts counts;
    struct command_suppressions suppressions;
    uint64_t suppressed;              /* objects */
    struct command_baseline baseline; /* to be written */
};

/* Write the report on PROGRAM, of which TRACE tells how it ended. */
void run_report_write(struct run_account *account, const struct command_trace *trace,
                      const char *program);

/* How the command ends that has run a program whose status was STATUS.  IS_NAMED: what it left is
 * named in a new baseline. */
ompd_view_exit_t run_report_code(const struct run_account *account, int status, bool is_named);

#endif
