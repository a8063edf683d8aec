/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every question to the host library about a core, and checks of each answer. */
#ifndef FUZZ_ASK_HOST_H
#define FUZZ_ASK_HOST_H

#include <ompd-opencl-host.h>

/* Check the answer of a call on TARGET, or NULL: the code is valid, and a refused core has a
 * sentence. */
void ask_host_check(ompd_host_target_t *target, ompd_host_rc_t rc);

/* Open the core at PATH, of PRESENT bytes; NULL: it is refused. */
ompd_host_target_t *ask_host_open(const char *path, const ompd_host_options_t *options,
                                  size_t present);

/* Ask for its regions, modules, symbols, places and stacks. */
void ask_host(ompd_host_target_t *target);

#endif
