/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call stacks that print alike, as calls in one line of a function do: how many objects all of them
 * have made. */
#ifndef OMPD_COMMAND_RUN_ALIKE_H
#define OMPD_COMMAND_RUN_ALIKE_H

#include <command/run-remains.h>

#define RUN_OTHERS 64

/* The call stacks that have left something, */
struct run_alike {
    struct command_session *session;
    struct run_left_stack {
        uint64_t stack;
        size_t index; /* of run_listed */
        bool is_held;
    } * left;
    size_t left_count;
    /* and as they print those that have left nothing of run_listed[index], but maybe made it. */
    size_t index; /* RUN_LISTED: they were not looked for */
    char *others[RUN_OTHERS];
    size_t other_count;
    bool is_whole; /* these are all */
};

/* Begin with what REMAINS has before groups of it are joined. */
void run_alike_begin(struct run_alike *alike, const struct command_remains *remains);

/* Whether GROUP of run_listed[INDEX], which has its text, is joined of all groups that have made
 * objects of the kind and print alike. */
bool run_alike_is_all(struct run_alike *alike, size_t index, const struct run_group *group);

void run_alike_end(struct run_alike *alike);

/* What is printed of the call stack of GROUP, of the heap. */
char *run_stack_show(struct command_session *session, const struct run_group *group);

#endif
