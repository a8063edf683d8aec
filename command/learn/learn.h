/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* learn and layouts: where runtimes keep their objects. */
#ifndef OMPD_COMMAND_LEARN_H
#define OMPD_COMMAND_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <text/text.h>

/* ---- installed-runtimes ---------------------------------------------------------------------- */

/* The OpenCL runtimes that are installed, as a loader finds them. */

struct command_runtime {
    char *name;    /* "pocl": of the .icd file; else the library */
    char *library; /* what the .icd file says: a path or a file name */
};

struct command_runtimes {
    struct command_runtime *all; /* by their names */
    size_t count;
};

/* Find those that OCL_ICD_VENDORS (a folder, an .icd file or a library) and OCL_ICD_FILENAMES
 * (libraries) name, without the former those of /etc/OpenCL/vendors. */
void command_runtimes_find(struct command_runtimes *runtimes);

/* Put in FOUND the one that WORD names: its name, its .icd file or its library, which need not be
 * installed.  False: there is none; WHY gets the sentence. */
bool command_runtimes_choose(const struct command_runtimes *runtimes, const char *word,
                             struct command_runtimes *found, struct text *why);

void command_runtimes_free(struct command_runtimes *runtimes);

/* ---- probe-folder ---------------------------------------------------------------------------- */

/* A folder for the files that a runtime leaves where it works. */

/* Where it is made: TMPDIR, or /tmp. */
const char *command_probe_folder_parent(void);

/* Make one, whose path goes to PATH; false: it cannot be made, which errno tells. */
bool command_probe_folder_make(char *path, size_t size);

/* Remove it with all that is in it. */
void command_probe_folder_remove(const char *path);

/* ---- probe-variables ------------------------------------------------------------------------- */

/* What single runtimes need in the environment to be learned whole, or without a device. */

/* When it is tried: at first, or after the runtime was not learned without it. */
enum command_probe_turn { command_probe_first, command_probe_then };

/* Of one runtime. */
struct command_probe_variables;

/* Those of LIBRARY for TURN; NULL: there are none, or the user has set one of them. */
const struct command_probe_variables *command_probe_variables_find(const char *library,
                                                                   enum command_probe_turn turn);

/* Set them, or what was before. */
void command_probe_variables_set(const struct command_probe_variables *variables, bool is_set);

/* A sentence about what was learned with them; NULL: there is nothing to say. */
const char *command_probe_variables_note(const struct command_probe_variables *variables);

/* ---- probe ----------------------------------------------------------------------------------- */

/* Running ompd-opencl-probe, which may crash or never end: it has a time limit for each step. */

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
