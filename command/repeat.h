/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking at a process from time to time, as long as it is there. */
#ifndef OMPD_COMMAND_REPEAT_H
#define OMPD_COMMAND_REPEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that is looked at again. */
struct command_repeat {
    bool has_begun;
    uint64_t every; /* milliseconds */
    int process;    /* descriptor of it, which no later process of its number is; -1: it was gone */
};

/* Begin with process PID, which was looked at once and is to be EVERY so many milliseconds. */
void command_repeat_begin(struct command_repeat *repeat, pid_t pid, uint64_t every);

/* Wait for MILLISECONDS.  False: the process has ended before. */
bool command_repeat_wait(const struct command_repeat *repeat, uint64_t milliseconds);

/* Give back what REPEAT holds. */
void command_repeat_end(struct command_repeat *repeat);

#endif
