/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtimes of a process. */
#ifndef LIBOMPD_RUNTIME_H
#define LIBOMPD_RUNTIME_H

#include "sources/layout/layout.h"

/* ---- dispatch-table -------------------------------------------------------------------------- */

/* Recognises dispatch tables: the addresses of OpenCL functions, in the order of the ICD. */

/* The number of words of the smallest table, that of OpenCL 1.0. Each word is the address of code,
 * 0 for a function that the runtime lacks, or a tag. The code may belong to another module. */
#define TABLE_LEAST_WORDS 60

/* At least this many of them are code: a range of zeros is not a table. */
#define TABLE_LEAST_CODE 30

/* The value that extension 2.0 of the ICD loader puts in slots without a function. */
#define TABLE_TAG UINT64_C(0x4F50454E434C3331)

/* Set *IS_TABLE to whether there seems to be a table at ADDRESS. Returns as target_view does;
 * ompd_rc_incomplete also when the tool does not know enough to exclude it. */
ompd_rc_t table_check(struct code *code, struct target *target, uint64_t address, bool *is_table);

/* A table may follow some words of other data that look like code. */
#define TABLE_START_LIMIT 12

struct table_runs {
    struct target *target;
    struct code *code;
    void (*visit)(void *visitor, uint64_t start, uint32_t words); /* called for each run */
    void *visitor;
    struct window window;
    uint16_t failure;    /* ompd_cl_status_t of unread data; 0: all was read */
    bool may_be_running; /* the last module's data has addresses of code, or is incomplete */
};

/* Find the runs of code addresses in the data of the module at [START, END), read in windows.
 * Returns ompd_rc_ok, ompd_rc_unsupported or ompd_rc_nomem; unreadable data has no runs. */
ompd_rc_t table_runs_find(struct table_runs *runs, uint64_t start, uint64_t end);

/* Free the memory used to find runs. */
void table_runs_close(struct table_runs *runs);

/* ---- runtime --------------------------------------------------------------------------------- */

/*
 * The OpenCL runtimes in the target: modules that a layout matches, or that export the entry points
 * of an ICD. The first word of each object points to the dispatch table of its runtime.
 */

/* No process has more; further ones are ignored. */
#define RUNTIME_LIMIT 8

/* How the dispatch table was found. */
enum runtime_finding {
    runtime_not_found,
    runtime_by_layout,
    runtime_by_symbol,
    runtime_by_search /* the only run of code addresses in its data that writable memory refers to
                       */
};

/* What came of the layout of another build of the same runtime. */
enum kin_verdict {
    kin_untried,
    kin_holds,         /* it agrees with the objects, and is used */
    kin_lacks_objects, /* there are too few objects to check it */
    kin_other_version, /* the module is another version, and its code shows too little */
    kin_other_code,    /* the module's code has fields elsewhere */
    kin_strangers,     /* it does not recognise objects */
    kin_references,    /* an object has more holders than references, or other holders */
    kin_repeats,       /* objects share an id, or overlap */
    kin_values,        /* a size or another number is impossible */
    kin_lists          /* a list leads to something else, or does not end */
};

/* The layout of another build, which is tried or used for a runtime whose build-id no layout
 * has. */
struct kinship {
    const struct layout *of; /* as the tool added it; NULL: none */
    uint8_t verdict;         /* enum kin_verdict */
    uint8_t compared; /* bits 1 << number of the candidates whose version was searched for, */
    uint8_t same;     /* and found */
};

struct runtime {
    char module[OMPD_CL_TEXT_SIZE]; /* as in struct module */
    uint64_t module_length;
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size;
    uint64_t start; /* addresses of the module [start, end) */
    uint64_t end;
    uint64_t table; /* 0: not found */
    enum runtime_finding finding;
    uint16_t
        failure; /* ompd_cl_status_t of why the table is uncertain or missing; 0: it is certain */
    const struct layout *layout; /* NULL if none matches */
    struct kinship kin;          /* without an exact match */
    bool is_idle;                /* no layout matches, and no object can be missed */
    bool is_being_loaded;        /* its data is not relocated: none of its code has run */
};

/* Whether RUNTIME is read by the layout of another build: all that it shows is presumed. */
static inline bool runtime_is_of_kin(const struct runtime *runtime)
{
    return runtime->layout != NULL && runtime->kin.verdict == kin_holds;
}

/* A layout that the tool added. */
struct known_layout {
    struct layout layout;
    struct known_layout *next;
};

/* Why LAYOUT is for another target than that of MODULE; NULL if it is for this one. */
const char *layout_find_mismatch(const struct layout *layout, struct target *target,
                                 const struct module *module);

struct runtimes {
    uint64_t stop;                      /* the target's stop when they were found; 0: never */
    const struct known_layout *layouts; /* the layouts at that time */
    uint64_t modules;                   /* hash of the modules at that time */
    uint64_t searched;                  /* the stop of the last runtimes_search; 0: never */
    uint64_t tallied;                   /* the stop of the last runtimes_find_idle */
    uint16_t tally_failure;             /* ompd_cl_status_t of what it could not read; 0: none */
    uint64_t wanted; /* the stop at which stripped_runtimes_find was inconclusive */
    uint64_t
        nameless[MODULE_LIMIT / 64]; /* bits: modules whose symbols the tool could not resolve */
    bool lacks_names_alone;          /* nothing else is missing */
    uint32_t loader_count;           /* modules that export what an OpenCL loader does */
    uint64_t related;                /* the stop at which kin_find was done; 0: never */
    uint32_t count;
    struct runtime all[RUNTIME_LIMIT];
};

/* Find the runtimes of TARGET, once a stop. Symbols are only resolved when the modules have
 * changed. Returns ompd_rc_ok, even if there are none; ompd_rc_unsupported when the tool does not
 * list modules; ompd_rc_nomem; ompd_rc_incomplete when the tool failed for some modules (the others
 * are available, and the next call retries). If it failed for a table, the runtime's `failure` says
 * so. */
ompd_rc_t runtimes_find(struct runtimes *runtimes, struct target *target, struct code *code,
                        const struct known_layout *layouts);

/* ---- dispatch-table-search ------------------------------------------------------------------- */

/* The dispatch tables of runtimes without layouts. */

/* Search memory for the tables of runtimes that have none yet, by the pattern of a table. This is
 * only for display, because objects are found by layouts only. It is done once a stop, if any
 * runtime lacks its table. If some memory could not be read, a table may be the wrong one, and the
 * runtime's `failure` says so. Returns ompd_rc_ok, even if some tables were not found;
 * ompd_rc_incomplete when the tool cancelled, and `searched` is then not the target's stop;
 * ompd_rc_nomem. */
ompd_rc_t runtimes_search(struct runtimes *runtimes, struct target *target, struct code *code);

/* ---- stripped-runtimes ----------------------------------------------------------------------- */

/* Modules whose symbols the tool cannot resolve: whether one is a runtime with objects. */

/*
 * After ompd_rc_incomplete from runtimes_find, search memory for objects of modules whose symbols
 * are not known, once a stop. Returns ompd_rc_ok when there are none, so that RUNTIMES is complete;
 * ompd_rc_incomplete when there may be some, the tool cancelled, or something else was missing;
 * ompd_rc_nomem.
 */
ompd_rc_t stripped_runtimes_find(struct runtimes *runtimes, struct target *target,
                                 struct code *code);

/* ---- idle-runtimes --------------------------------------------------------------------------- */

/* Runtimes that no layout matches, and that have no objects to miss. */

/*
 * Search memory for references to the tables of runtimes that no layout matches, to find those
 * without objects of the program. It is done once a stop. If some memory could not be read, as
 * `tally_failure` says, no runtime is considered idle. Returns ompd_rc_ok; ompd_rc_incomplete when
 * the tool cancelled; ompd_rc_nomem.
 */
ompd_rc_t runtimes_find_idle(struct runtimes *runtimes, struct target *target);

/* Whether so many references to a table, in the runtime's OWN data and in OTHERS, come only from
 * the platform and its neighbours. */
bool runtime_references_are_few(uint32_t own, uint32_t others);

/* ---- kin-candidates -------------------------------------------------------------------------- */

/* Which layouts of other builds may describe a runtime. */

/* At most so many are tried for a runtime: law 6. */
#define KIN_LIMIT 4

/*
 * Find those of LAYOUTS that describe other builds of RUNTIME, by the names of the modules, and put
 * them in FOUND: those whose file has the nearest version first, else the newest first. Returns
 * their number.
 */
uint32_t kin_candidates_find(const struct known_layout *layouts, struct target *target,
                             const struct runtime *runtime, const struct layout **found);

/*
 * Set *IS_SAME to whether RUNTIME contains the version that LAYOUT names, as text in its read-only
 * memory, of which at most KIN_VERSION_BYTES are read. Returns ompd_rc_ok, or what ends the call;
 * text that cannot be read is missing.
 */
#define KIN_VERSION_BYTES (UINT64_C(64) << 20)
ompd_rc_t kin_version_find(struct target *target, const struct runtime *runtime,
                           const struct layout *layout, bool *is_same);

/* ---- kin-code -------------------------------------------------------------------------------- */

/* What a runtime's own code says about the fields in a layout of another build: the functions of
 * its dispatch table that return or change a field have its offset in an operand. */

/*
 * Compare LAYOUT, of another version, with the code of RUNTIME. Fields that cannot be compared are
 * removed. Returns kin_holds, kin_other_version or kin_other_code. *RC is ompd_rc_ok, or what ends
 * the call.
 */
enum kin_verdict kin_code_check(struct target *target, const struct runtime *runtime,
                                struct layout *layout, ompd_rc_t *rc);

#endif
