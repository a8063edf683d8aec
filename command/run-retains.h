/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who has retained what a program has left alive, and released it: where the recorder keeps a
 * ledger. */
#ifndef OMPD_COMMAND_RUN_RETAINS_H
#define OMPD_COMMAND_RUN_RETAINS_H

#include <command/session.h>

/* Calls from one place. */
struct run_retain_place {
    uint64_t action; /* ompd_cl_action_retained, or _released */
    uint64_t caller;
    uint64_t times;
};

/* Those that retained and released objects which were made alike.  Begin with {0}: none. */
struct run_retains {
    struct run_retain_place *places;
    size_t count;
    size_t capacity;
    uint64_t created; /* objects whose creation the ledger still has: it has all of them then, */
    uint64_t retained;
    uint64_t released; /* without releases that were refused */
};

/* An object that is left, and what its entries are added to. */
struct run_retained {
    uint64_t handle;
    uint64_t order; /* which tells objects apart that had the handle one after the other */
    struct run_retains *retains;
};

/* Look for the entries of the COUNT OBJECTS, which this puts in another order. */
void run_retains_find(struct command_session *session, struct run_retained *objects, size_t count);

/* Add what MORE has. */
void run_retains_join(struct run_retains *retains, const struct run_retains *more);

/* Add lines on COUNT objects, if they were retained. */
void run_retains_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count,
                     struct text *text);

/* Add the same as keys of JSON. */
void run_retains_json_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count);

void run_retains_free(struct run_retains *retains);

#endif
