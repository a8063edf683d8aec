/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command's own verbs, each in the file of its name. */
#ifndef OMPD_COMMAND_VERBS_H
#define OMPD_COMMAND_VERBS_H

#include <ompd-opencl-view.h>

#define COMMAND_VERBS 5

extern const ompd_view_verb_t command_verbs[COMMAND_VERBS];

#endif
