/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The OpenCL runtimes in the target: the modules that a layout fits or that export an ICD's entry
 * points, and where each has its dispatch table, to which the first word of each of its objects
 * points.
 */
#ifndef LIBOMPD_RUNTIME_H
#define LIBOMPD_RUNTIME_H

#include "layout/layout.h"
#include "target/module.h"

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
    char module[OMPD_CL_TEXT_SIZE]; /* the last bytes of its path */
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size;
    uint64_t start; /* addresses of the module [start, end) */
    uint64_t end;
    uint64_t table; /* 0: not found */
    enum runtime_finding finding;
    uint16_t failure; /* ompd_cl_status_t: why the table may be another, or be there; 0: it is so */
    const struct layout *layout; /* NULL: none fits */
    bool is_unused;              /* none fits, and no object can be missed */
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
    uint64_t tallied;                   /* that at which runtimes_find_unused was */
    uint16_t tally_failure;             /* ompd_cl_status_t of what that could not read; 0: none */
    uint64_t sought;                    /* that at which hidden_runtimes_find found no end of it */
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

#endif
