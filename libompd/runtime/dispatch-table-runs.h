/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs of code addresses in the data of modules: a dispatch table is one. */
#ifndef LIBOMPD_DISPATCH_TABLE_RUNS_H
#define LIBOMPD_DISPATCH_TABLE_RUNS_H

#include "runtime/dispatch-table.h"

/* A table may begin after some words of other data that look like code. */
#define TABLE_START_LIMIT 12

struct table_runs {
    struct target *target;
    struct code *code;
    void (*visit)(void *visitor, uint64_t start, uint32_t words); /* told of each run */
    void *visitor;
    struct window window;
    uint16_t failure;    /* ompd_cl_status_t of what could not be read; 0: all was */
    bool may_be_running; /* the last module's data has addresses of code, or is not all there */
};

/* Find the runs in the data of the module at [START, END), reading it in windows.  Returns
 * ompd_rc_ok, ompd_rc_unsupported or ompd_rc_nomem; what cannot be read has none. */
ompd_rc_t table_runs_find(struct table_runs *runs, uint64_t start, uint64_t end);

/* Give back what finding them took. */
void table_runs_close(struct table_runs *runs);

#endif
