/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Signals that a handler has raised again: that of a crash reporter, or of an OpenCL runtime, which
 * the process got first and which then lets it be killed by its own hand.
 */
#ifndef OMPD_COMMAND_RAISED_AGAIN_H
#define OMPD_COMMAND_RAISED_AGAIN_H

#include <command/session.h>

#include <signal.h>

/*
 * How many of the innermost frames of the thread LWP, which SIGNAL has killed, are of a handler of
 * the same signal as it came first: 0 where SIGNAL is the first.  *SIGNAL then gets what came
 * first, where this machine's frames of signals tell it.
 */
size_t command_raised_again_find(struct command_session *session, uint32_t lwp, siginfo_t *signal);

#endif
