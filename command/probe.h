/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running ompd-opencl-probe, which may crash or never end: it has a time limit for each step. */
#ifndef OMPD_COMMAND_PROBE_H
#define OMPD_COMMAND_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <text/text.h>

/* What it found.  Texts are lines, each with its newline. */
struct command_probe {
    struct text layout;
    struct text notes; /* what was left out, and why */
    struct text why;   /* a sentence, when there is no layout */
};

/* Learn the layout of LIBRARY; SECONDS for each step.  What the runtime does not survive is left
 * out.  False: nothing was learned, and `why` says why. */
bool command_probe_learn(struct command_probe *probe, const char *library, uint64_t seconds);

/* The head of a layout alone: what the runtime is. */
bool command_probe_identify(struct command_probe *probe, const char *library, uint64_t seconds);

void command_probe_free(struct command_probe *probe);

/* Copy what the line of LAYOUT that begins with WORD says; false: it has none. */
bool command_layout_word(const char *layout, const char *word, struct text *text);

/* Leave in FIRST what SECOND says too. */
void command_layout_intersect(struct text *first, const struct text *second);

#endif
