/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a program died, in words that are the same in each run. */
#ifndef OMPD_HOST_COMMAND_DEATH_H
#define OMPD_HOST_COMMAND_DEATH_H

#include <host/command/session.h>

#define COMMAND_DEATH_FRAMES 5

struct command_death {
    const char *program; /* its file's name */
    /* Functions of the thread that got the signal, innermost first; of those of the C library that
     * are innermost only the one that was called, and none of the recorder's.  None: its call stack
     * is not known. */
    const char *frames[COMMAND_DEATH_FRAMES];
    size_t frame_count;
    /* Hexadecimal; the same for all deaths of the same program by the same signal in the same
     * functions. */
    char signature[17];
};

/* Find out about the session's target, whose texts DEATH points to. */
void command_death_find(struct command_death *death, struct command_session *session);

#endif
