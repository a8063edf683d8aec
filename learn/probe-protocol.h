/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the probe tells the learner, a line each on its standard output: "step NAME" before it does
 * what a runtime may not survive, so that the learner can do without; "note SENTENCE" for what was
 * left out; "line TEXT" of the layout.
 */
#ifndef OMPD_LEARN_PROBE_PROTOCOL_H
#define OMPD_LEARN_PROBE_PROTOCOL_H

#include <stdbool.h>

/* Do without the step NAME, a static text. */
void protocol_step_leave_out(const char *name);

/* Say that step NAME begins; false: it is to be left out. */
bool protocol_step_begin(const char *name);

/* Tell what was left out, and why. */
void protocol_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tell a line of the layout. */
void protocol_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
