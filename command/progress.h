/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A line on the standard error output that tells how far long work is: when that is a terminal, and
 * the work has taken a second.  It is written over itself, and erased, by a signal that ends the
 * command too.
 */
#ifndef OMPD_COMMAND_PROGRESS_H
#define OMPD_COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct command_progress {
    FILE *terminal;        /* NULL: nobody would see it */
    uint64_t (*now)(void); /* milliseconds; only asked when somebody would */
    bool is_working;
    bool is_drawn; /* there is something to erase */
    uint64_t next; /* when it is to be drawn */
};

/* Begin on TERMINAL (NULL: nowhere), by the clock NOW. */
void command_progress_begin(struct command_progress *progress, FILE *terminal,
                            uint64_t (*now)(void));

/* Begin on the standard error output, when that is a terminal that can erase a line. */
void command_progress_begin_here(struct command_progress *progress);

/* WHAT is being done, and DONE of WHOLE of it; WHOLE is 0 when it is not known. */
void command_progress_tell(struct command_progress *progress, const char *what, uint64_t done,
                           uint64_t whole);

/* Erase the line, as long as something else is written. */
void command_progress_erase(struct command_progress *progress);

/* The work is done: erase the line.  What is told next is other work. */
void command_progress_end(struct command_progress *progress);

#endif
