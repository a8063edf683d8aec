/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder knows about a program at its end, besides what is left alive. */
#ifndef OMPD_COMMAND_FACTS_H
#define OMPD_COMMAND_FACTS_H

#include <command/run/run.h>
#include <stddef.h>
#include <stdint.h>

/* ---- run-tally ------------------------------------------------------------------------------- */

/* Events that are alike are counted in one entry. */

struct run_tally_entry {
    char *key;    /* what the events have in common */
    char *text;   /* the text to print for the first event, on the heap; may be NULL */
    char *reason; /* of the first event, to print after the count, likewise */
    void *row;    /* a copy of the info struct of the first event */
    uint64_t count;
};

/* Begin with {0}. */
struct run_tally {
    struct run_tally_entry **entries; /* in order of appearance */
    size_t count;
    uint64_t sum; /* sum of the entries' counts */
    void *root;   /* of the search tree of entries */
};

/* Count an event with KEY and the row of SIZE bytes at ROW. */
struct run_tally_entry *run_tally_add(struct run_tally *tally, const char *key, const void *row,
                                      size_t size);

/* Free the tally. */
void run_tally_free(struct run_tally *tally);

/* ---- run-facts ------------------------------------------------------------------------------- */

/* What the recorder knows about a program at its end, besides what is left alive: findings,
 * refused calls, failed and unfinished commands, and mappings. */

/* A mapping of the memory object OBJECT that was not unmapped. */
struct run_mapping {
    uint64_t object;
    uint64_t order;
    uint64_t state;         /* ompd_cl_mapping_state_t */
    ompd_cl_value_t caller; /* the call that made it */
    ompd_cl_value_t stack;
};

struct command_facts {
    struct command_session *session;
    bool keeps_memory;      /* exit() was not called, so memory is not freed */
    bool goes_on;           /* pending commands and mappings may still end */
    bool knows_calls;       /* refused calls are recorded */
    bool has_all_calls;     /* no call was dropped from the history */
    struct run_tally found; /* findings that are mistakes */
    struct run_tally noted; /* other findings */
    struct text notes;      /* lines about findings that were not searched for */
    struct run_tally refused;
    struct run_tally builds;    /* failed builds */
    uint64_t probes;            /* number of other refused calls that correct programs also make */
    struct run_tally failed;    /* failed commands */
    struct run_tally never_ran; /* calls that enqueued a command that never ran because a user
                                 * event failed */
    struct run_tally pending;
    struct run_tally mapped;           /* memory objects with mappings */
    struct run_tally mapped_destroyed; /* the same for destroyed memory objects */
    struct run_tally mappings_of;      /* the entries of both to print */
    uint64_t mappings;
    struct run_mapping *mapping_places; /* by object, then by order; on the heap */
    size_t mapping_place_count;
    bool has_all_destroyed; /* no destroyed memory object was dropped from the history */
};

/* run-findings.c */
void run_findings_find(struct command_facts *facts);
void run_findings_write(const struct command_facts *facts);

/* run-calls.c */
void run_calls_find(struct command_facts *facts);
void run_calls_write(const struct command_facts *facts);

/* run-commands.c */
void run_commands_find(struct command_facts *facts);
void run_commands_write(const struct command_facts *facts);

/* run-mappings.c */
void run_mappings_find(struct command_facts *facts);
void run_mappings_write(const struct command_facts *facts);

/* run-mapping-places.c: read the places, and find the COUNT mappings of OBJECT, a memory object. */
void run_mapping_places_read(struct command_facts *facts);
const struct run_mapping *run_mapping_find(const struct command_facts *facts, uint64_t object,
                                           size_t *count);

/* How many calls, and destroyed objects of a kind, the recorder keeps in the program.  The
 * program has the environment of this process. */
uint64_t run_history_length(void);

/* Add " at main at app.c:9": the program's call site of the call that returns to CALLER and has
 * call stack STACK.  Adds nothing if CALLER is unknown. */
void run_place_add(const struct command_facts *facts, const ompd_cl_value_t *caller,
                   const ompd_cl_value_t *stack, struct text *text);

/* Write TITLE, which may be empty and is freed, and a line for each entry of TALLY. */
void run_section_write(const struct command_facts *facts, const struct run_tally *tally,
                       struct text *title);

/* Write a JSON line for each entry of TALLY.  The value of KEY is the name of FIELD in its row,
 * of KIND.  The count and all fields of the row follow. */
void run_lines_write(const struct command_facts *facts, const struct run_tally *tally,
                     const char *key, ompd_cl_kind_t kind, const char *field);

#endif
