/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What single runtimes need in the environment to be learned whole, or without a device. */
#ifndef OMPD_COMMAND_PROBE_VARIABLES_H
#define OMPD_COMMAND_PROBE_VARIABLES_H

#include <stdbool.h>

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

#endif
