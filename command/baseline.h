/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Baselines: files that name what a program is known to leave alive, for a test suite to stay green
 * until there is more.
 *
 *     memobj, at most 24
 *         frame_upload at frames.c
 *         main at frames.c
 */
#ifndef OMPD_COMMAND_BASELINE_H
#define OMPD_COMMAND_BASELINE_H

#include <command/suppression.h>

/* Add what the baseline PATH names to SUPPRESSIONS.  False: it cannot be read, or makes no sense,
 * and WHY gets the sentence. */
bool command_baseline_read(struct command_suppressions *suppressions, const char *path,
                           struct text *why);

/* A baseline to be written.  Begin with {0}. */
struct command_baseline {
    char **entries;
    size_t count;
};

/* Have BASELINE name objects of KIND that were made at PLACES. */
void command_baseline_add(struct command_baseline *baseline, ompd_cl_kind_t kind,
                          const struct command_call_places *places);

/* Write what was added, each entry once and sorted by its text: the same in each run.  False: it
 * cannot be written, and errno tells why. */
bool command_baseline_write(struct command_baseline *baseline, const char *path);

/* Give it back. */
void command_baseline_free(struct command_baseline *baseline);

#endif
