/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cores that ended alike, counted, and those that wait in a tree of where they do. */
#ifndef OMPD_COMMAND_CORE_GROUPS_H
#define OMPD_COMMAND_CORE_GROUPS_H

#include <command/verdict.h>

#define COMMAND_RECORD 65536        /* bytes of a record, at most */
#define COMMAND_RECORD_PRESUMED "?" /* before a class that is */

/* Cores that ended alike. */
struct command_core_group {
    char *class;      /* "": it is not known */
    bool is_presumed; /* of one of them at least */
    char *program;    /* name of its file; "": it is not known, or of any */
    char *coarse;     /* signature_coarse; "": there is none */
    char *example;    /* the first of them */
    uint64_t count;
};

/* A function that threads are in, which has called that of its parent; a call, or the innermost
 * function of a callback, has none. */
struct command_wait_node {
    char *name;
    size_t length;   /* of the name */
    size_t parent;   /* its number, from 1; 0: it has none */
    char *example;   /* a core that has one */
    uint64_t count;  /* cores that have such threads, */
    uint64_t ending; /* and those of which no function is known that has called it */
    uint64_t last;   /* number of the core that was counted last, */
    uint64_t last_ending;
};

/* Begin with {0}. */
struct command_core_groups {
    struct command_core_group *all; /* the largest first, once they are sorted */
    size_t count;
    struct command_wait_node *nodes; /* parents before their children */
    size_t node_count;
    uint64_t cores;
    uint64_t unreadable; /* of them, as the caller knows */
    uint64_t waiting;    /* cores that the nodes are of */
    bool is_cut;         /* some places are not among them */
};

/* Write what groups VERDICT to FILE: a text of COMMAND_RECORD bytes at most, of lines. */
void command_core_record_write(const struct command_verdict *verdict, FILE *file);

/* Count CORE by its RECORD, which may be anything, of COMMAND_RECORD bytes and a NUL. */
void command_core_groups_add(struct command_core_groups *groups, const char *core,
                             const char *record);

/* Write them as text, or as JSON by rules of VERSION. */
void command_core_groups_write(struct command_core_groups *groups, ompd_view_t *view);
void command_core_groups_write_json(struct command_core_groups *groups, ompd_view_t *view,
                                    const char *version);

/* Give them back. */
void command_core_groups_free(struct command_core_groups *groups);

#endif
