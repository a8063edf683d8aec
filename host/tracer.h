/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A thread that traces a process.
 *
 * The kernel lets only the thread that attached to a process trace it, and lets go of all that a
 * thread traces when that ends, with the tool too.  A target may be handed between the threads of a
 * tool; so each stopped process has a thread of its own.
 */
#ifndef OMPD_HOST_TRACER_H
#define OMPD_HOST_TRACER_H

struct tracer;

/* Start a thread; NULL: the system has none to give. */
struct tracer *tracer_start(void);

/* Run FUNCTION in the thread, and wait for its end. */
void tracer_run(struct tracer *tracer, void (*function)(void *argument), void *argument);

/* End the thread, which lets go of what it still traces. */
void tracer_stop(struct tracer *tracer);

#endif
