/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtimes of a process. */
#ifndef LIBOMPD_RUNTIME_H
#define LIBOMPD_RUNTIME_H

#include "sources/layout/layout.h"

/* ---- dispatch-table -------------------------------------------------------------------------- */

/* What a dispatch table looks like: the addresses of OpenCL's functions, in the ICD's order. */

/* A table has no fewer words, those of OpenCL 1.0: each the address of code, 0 for what the runtime
 * does not have, or a tag.  The code may be another module's. */
#define TABLE_LEAST_WORDS 60

/* As many of them are code at least: a stretch of zeros is no table. */
#define TABLE_LEAST_CODE 30

/* What the ICD loader's extension 2.0 has in slots that hold no function. */
#define TABLE_TAG UINT64_C(0x4F50454E434C3331)

/* Tell in *IS_TABLE whether what lies at ADDRESS looks like a table.  Returns as target_view;
 * ompd_rc_incomplete also when it does as far as the tool can tell. */
ompd_rc_t table_check(struct code *code, struct target *target, uint64_t address, bool *is_table);

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

/* ---- runtime --------------------------------------------------------------------------------- */

/*
 * The OpenCL runtimes in the target: the modules that a layout fits or that export an ICD's entry
 * points, and where each has its dispatch table, to which the first word of each of its objects
 * points.
 */

/* No process has more; further ones are not looked at. */
#define RUNTIME_LIMIT 8

/* How the dispatch table was found. */
enum runtime_finding {
    runtime_not_found,
    runtime_by_layout,
    runtime_by_symbol,
    runtime_by_search /* the only run of code addresses in its data that writable memory refers to
                       */
};

struct runtime {
    char module[OMPD_CL_TEXT_SIZE]; /* as struct module has its name */
    uint64_t module_length;
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size;
    uint64_t start; /* addresses of the module [start, end) */
    uint64_t end;
    uint64_t table; /* 0: not found */
    enum runtime_finding finding;
    uint16_t failure; /* ompd_cl_status_t: why the table may be another, or be there; 0: it is so */
    const struct layout *layout; /* NULL: none fits */
    bool is_idle;                /* none fits, and no object can be missed */
    bool is_being_loaded;        /* its data is not relocated: nothing of it has run */
};

/* One layout that the tool gave. */
struct known_layout {
    struct layout layout;
    struct known_layout *next;
};

struct runtimes {
    uint64_t stop;                      /* the target's at which they were looked for; 0: never */
    const struct known_layout *layouts; /* that there were then */
    uint64_t modules;                   /* stands for what modules there were */
    uint64_t searched;                  /* the stop at which runtimes_search was done; 0: never */
    uint64_t tallied;                   /* that at which runtimes_find_idle was */
    uint16_t tally_failure;             /* ompd_cl_status_t of what that could not read; 0: none */
    uint64_t wanted; /* that at which stripped_runtimes_find found no end of it */
    uint64_t nameless[MODULE_LIMIT / 64]; /* bits: modules whose symbols the tool could not tell */
    bool lacks_names_alone; /* that is all that the tool could not tell; false: or it told all */
    uint32_t count;
    struct runtime all[RUNTIME_LIMIT];
};

/*
 * Look for the runtimes of TARGET, unless that was done at this stop.  Symbols are looked up only
 * when the modules are not those of last time.  Returns ompd_rc_ok, though there may be none;
 * ompd_rc_unsupported when the tool does not tell modules; ompd_rc_nomem; ompd_rc_incomplete when
 * the tool failed to tell of some (the others are there; the next call tries again).  What it could
 * not tell of a table is that runtime's `failure`.
 */
ompd_rc_t runtimes_find(struct runtimes *runtimes, struct target *target, struct code *code,
                        const struct known_layout *layouts);

/* ---- dispatch-table-search ------------------------------------------------------------------- */

/* The dispatch tables of runtimes of which nothing is known. */

/*
 * Look through memory for the tables of those that have none yet, with no knowledge of them but
 * what a table looks like: for people; objects are found only where there is a layout.  Done once a
 * stop, and not at all where every runtime has its table.  Where some memory could not be read,
 * what was found may be the wrong one: the runtimes' `failure` says so.  Returns ompd_rc_ok, though
 * some may not be found; ompd_rc_incomplete when the tool cancelled: then `searched` is not this
 * stop; ompd_rc_unsupported when it does not tell regions; ompd_rc_nomem.
 */
ompd_rc_t runtimes_search(struct runtimes *runtimes, struct target *target, struct code *code);

/* ---- stripped-runtimes ----------------------------------------------------------------------- */

/* Modules of which the tool cannot tell the symbols: whether one is a runtime that has objects. */

/*
 * After runtimes_find gave ompd_rc_incomplete: look through memory for objects of modules whose
 * symbols are not known.  Done once a stop.  Returns ompd_rc_ok when there are none, and with that
 * nothing is missing in RUNTIMES; ompd_rc_incomplete when there may be, or the tool cancelled, or
 * something else was missing; ompd_rc_nomem.
 */
ompd_rc_t stripped_runtimes_find(struct runtimes *runtimes, struct target *target,
                                 struct code *code);

/* ---- idle-runtimes --------------------------------------------------------------------------- */

/* Runtimes that no layout fits, and of which no object can be missed. */

/*
 * Look through memory for what leads to the tables of those that no layout fits, and see which of
 * them have no objects of a program.  Done once a stop.  Where some memory could not be read, which
 * `tally_failure` tells, none is taken for unused.  Returns ompd_rc_ok; ompd_rc_incomplete when the
 * tool cancelled; ompd_rc_nomem.
 */
ompd_rc_t runtimes_find_idle(struct runtimes *runtimes, struct target *target);

/* Tell whether so many references to a table, in the runtime's OWN data and in OTHERS, are only the
 * platform and what lies next to it. */
bool runtime_references_are_few(uint32_t own, uint32_t others);

#endif
