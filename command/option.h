/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command's own options: what to look at, and how. */
#ifndef OMPD_COMMAND_OPTION_H
#define OMPD_COMMAND_OPTION_H

#include <ompd-opencl-view.h>

#define COMMAND_OPTIONS 20

/* Groups of options besides OMPD_VIEW_GROUP_TARGET. */
#define COMMAND_GROUP_CORES 2u      /* how to read a core, whichever it is */
#define COMMAND_GROUP_FILE 4u       /* --output */
#define COMMAND_GROUP_TIME_LIMIT 8u /* --time-limit */
#define COMMAND_GROUP_RUN 16u       /* what a run need not tell of */
#define COMMAND_GROUP_TRIAGE 32u    /* what is told of many cores */

extern const ompd_view_option_t command_options_known[COMMAND_OPTIONS];

/* See ompd_view_front_end_t: keep it in the session. */
const char *command_option_take(void *session, const ompd_view_option_t *option, const char *word);

/* Whether the options make sense together; else a sentence. */
struct command_options;
const char *command_options_check(const struct command_options *options);

#endif
