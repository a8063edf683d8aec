/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `run` need not tell of: objects that were made at places which the user has named. */
#ifndef OMPD_COMMAND_SUPPRESSION_H
#define OMPD_COMMAND_SUPPRESSION_H

#include <command/call-places.h>

#define COMMAND_NOT_SUPPRESSED SIZE_MAX

/* One of the user's. */
struct command_suppression {
    const char *place;   /* what --suppress names; NULL: it is an entry of a baseline, */
    ompd_cl_kind_t kind; /* which is of objects of this kind, made by calls */
    char **calls;        /* that begin with these, as command_call_place_add says them */
    size_t call_count;
    uint64_t most;    /* objects that it may suppress, or none of them */
    uint64_t objects; /* that were made there */
};

/* Begin with {0}. */
struct command_suppressions {
    struct command_suppression *all;
    size_t count;
};

/* Add one and return it, to be filled in. */
struct command_suppression *command_suppression_add(struct command_suppressions *suppressions);

/* Give them back. */
void command_suppressions_free(struct command_suppressions *suppressions);

/* The number of the first suppression that names where COUNT objects of KIND were made, and which
 * counts them; COMMAND_NOT_SUPPRESSED: none does. */
size_t command_suppression_find(struct command_suppressions *suppressions, ompd_cl_kind_t kind,
                                const struct command_call_places *places, uint64_t count);

/* Whether suppression INDEX, which may be COMMAND_NOT_SUPPRESSED, suppresses what it names: asked
 * when all was counted. */
bool command_suppression_holds(const struct command_suppressions *suppressions, size_t index);

#endif
