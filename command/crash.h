/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a program died, or what it was in, in words that are the same in each run. */
#ifndef OMPD_COMMAND_CRASH_H
#define OMPD_COMMAND_CRASH_H

#include <command/waits.h>

struct command_crash {
    const char *program;             /* its file's name */
    struct command_call_stack stack; /* of the thread that got the signal */
    /* Functions of the thread that got the signal; none: its call stack is not known, or there was
     * no signal. */
    struct command_frames frames;
    bool has_called; /* it called an address where no code is: */
    uint64_t called;
    bool is_caller_first; /* from the first of them, rather than from a function without a name */
    /* Hexadecimal; the same for all deaths of the same program by the same signal in the same
     * functions, and for all that lived with threads waiting at the same places: of functions
     * without names in the same build.  "": where it died or waits is not known. */
    char signature[17];
};

/* Find out about the session's target, whose texts CRASH points to; WAITS are what its threads wait
 * for, and HAS_THREADS tells whether all threads are known. */
void command_crash_find(struct command_crash *crash, struct command_session *session,
                        const struct command_waits *waits, bool has_threads);

#endif
