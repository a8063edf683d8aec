/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* learn and layouts: where runtimes store their objects. */
#ifndef OMPD_COMMAND_LEARN_H
#define OMPD_COMMAND_LEARN_H

#include <command/session/session.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <text/text.h>

/* ---- installed-runtimes ---------------------------------------------------------------------- */

/* The installed OpenCL runtimes, as an OpenCL loader finds them. */

struct command_runtime {
    char *name;    /* "pocl": name of the .icd file; otherwise the library */
    char *library; /* as in the .icd file: a path or a file name */
};

struct command_runtimes {
    struct command_runtime *all; /* sorted by name */
    size_t count;
};

/* Find the runtimes that OCL_ICD_VENDORS (a folder, an .icd file or a library) and
 * OCL_ICD_FILENAMES (libraries) name.  Without the former, find those in /etc/OpenCL/vendors. */
void command_runtimes_find(struct command_runtimes *runtimes);

/* Put the runtime that WORD names in FOUND.  WORD may be its name, its .icd file or its library,
 * which need not be installed.  Returns false, with the reason in WHY, if there is none. */
bool command_runtimes_choose(const struct command_runtimes *runtimes, const char *word,
                             struct command_runtimes *found, struct text *why);

void command_runtimes_free(struct command_runtimes *runtimes);

/* ---- probe-folder ---------------------------------------------------------------------------- */

/* A folder for the files that a runtime writes to its working directory. */

/* The parent folder: TMPDIR, or /tmp. */
const char *command_probe_folder_parent(void);

/* Create a folder and put its path in PATH.  Returns false, with errno, on failure. */
bool command_probe_folder_make(char *path, size_t size);

/* Remove the folder and everything in it. */
void command_probe_folder_remove(const char *path);

/* ---- probe-variables ------------------------------------------------------------------------- */

/* Environment variables that some runtimes need to be learned completely, or without a device. */

/* Whether they are set for the first attempt, or for another after that has failed. */
enum command_probe_turn { command_probe_first, command_probe_then };

/* Variables of one runtime. */
struct command_probe_variables;

/* The variables of LIBRARY for TURN.  NULL: there are none, or the user has set one of them. */
const struct command_probe_variables *command_probe_variables_find(const char *library,
                                                                   enum command_probe_turn turn);

/* Set the variables, or restore the previous values. */
void command_probe_variables_set(const struct command_probe_variables *variables, bool is_set);

/* A note about what was learned with them, or NULL. */
const char *command_probe_variables_note(const struct command_probe_variables *variables);

/* ---- probe ----------------------------------------------------------------------------------- */

/* Run ompd-opencl-probe, which may crash or hang: each of its steps has a time limit. */

/* The result of the probe.  Texts are lines, each with its newline. */
struct command_probe {
    struct text layout;
    struct text notes; /* what was skipped, and why */
    struct text why;   /* why there is no layout */
};

/* Learn the layout of LIBRARY, with SECONDS for each step.  Steps that crash the runtime are
 * skipped.  Returns false, with the reason in `why`, on failure. */
bool command_probe_learn(struct command_probe *probe, const char *library, uint64_t seconds);

/* Only identify the runtime: learn the head of its layout. */
bool command_probe_identify(struct command_probe *probe, const char *library, uint64_t seconds);

void command_probe_free(struct command_probe *probe);

/* ---- learn, offer ---------------------------------------------------------------------------- */

/* Learn the layout of RUNTIME, with SECONDS for each step, and write it to the user's folder.
 * Prints the path, or an error, on standard error.  Returns whether it was written. */
bool command_learn_one(const struct command_runtime *runtime, uint64_t seconds);

/* See command_offer_fn.  Returns after printing the error, or if nothing was missed. */
void command_offer_learning(const struct command_options *options, char *const *words, size_t count,
                            const struct command_missed_layout *shared);

/* ---- layout-text ----------------------------------------------------------------------------- */

/* Append the rest of the line of LAYOUT that begins with WORD to TEXT.  Returns false if there
 * is no such line. */
bool command_layout_word(const char *layout, const char *word, struct text *text);

/* Remove from FIRST what SECOND does not contain. */
void command_layout_intersect(struct text *first, const struct text *second);

#endif
