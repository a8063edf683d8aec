/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder knows of a program at its end, besides what is left alive. */
#ifndef OMPD_COMMAND_FACTS_H
#define OMPD_COMMAND_FACTS_H

#include <command/run/run.h>
#include <stddef.h>
#include <stdint.h>

/* ---- run-tally ------------------------------------------------------------------------------- */

/* What has happened once or often: one entry for all that is alike. */

struct run_tally_entry {
    char *key;  /* what is the same of all of them */
    char *told; /* of the first, what is written; the owner's, who need not set it: of the heap */
    void *row;  /* of the first, a copy of its info struct */
    uint64_t count;
};

/* Begin with {0}. */
struct run_tally {
    struct run_tally_entry **entries; /* in the order in which they came */
    size_t count;
    uint64_t sum; /* of the entries' counts */
    void *root;   /* of the tree of entries */
};

/* Count what has KEY, and whose row is the SIZE bytes at ROW. */
struct run_tally_entry *run_tally_add(struct run_tally *tally, const char *key, const void *row,
                                      size_t size);

/* Give it back. */
void run_tally_free(struct run_tally *tally);

/* ---- run-facts ------------------------------------------------------------------------------- */

/* What the recorder knows of a program at its end, besides what is left alive: findings, calls that
 * were refused, commands that have failed or not ended, mappings. */

struct command_facts {
    struct command_session *session;
    bool keeps_memory;      /* exit() was not called */
    bool goes_on;           /* what is pending or mapped may still end */
    bool knows_calls;       /* that were refused */
    bool has_all_calls;     /* none has been forgotten */
    struct run_tally found; /* findings, */
    struct text notes;      /* and in sentences, each a line, what was not looked for */
    struct run_tally refused;
    struct run_tally builds;    /* that have failed */
    uint64_t probes;            /* other refused calls that correct programs make, too */
    struct run_tally failed;    /* commands, */
    struct run_tally never_ran; /* and calls that enqueued those which a user event has failed */
    struct run_tally pending;
    struct run_tally mapped;      /* memory objects, */
    struct run_tally mapped_gone; /* others that are gone, */
    struct run_tally mappings_of; /* and what is said of both */
    uint64_t mappings;
    bool has_all_gone; /* memory objects: none has been forgotten */
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

/* How many calls, and objects of a kind that are gone, the recorder keeps in the program, which has
 * this environment. */
uint64_t run_history_length(void);

/* Add " at main at app.c:9", the program's place of the call that returns to CALLER and whose call
 * stack is STACK, or nothing where CALLER is not known. */
void run_place_add(const struct command_facts *facts, const ompd_cl_value_t *caller,
                   const ompd_cl_value_t *stack, struct text *text);

/* Write TITLE, which is taken over and may be empty, and a line for each entry of TALLY, as it is
 * told. */
void run_section_write(const struct command_facts *facts, const struct run_tally *tally,
                       struct text *title);

/* Write a line of JSON for each entry of TALLY: KEY says what it is, by the name that FIELD of its
 * row, of KIND, has; the count and all fields of the row follow. */
void run_lines_write(const struct command_facts *facts, const struct run_tally *tally,
                     const char *key, ompd_cl_kind_t kind, const char *field);

#endif
