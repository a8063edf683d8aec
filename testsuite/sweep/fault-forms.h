/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ways in which each callback fails. */
#ifndef SWEEP_FAULT_FORMS_H
#define SWEEP_FAULT_FORMS_H

#include "tool.h"

/* How many forms of faults there are of CALLBACK. */
size_t fault_forms_count(enum tool_callback callback);

/* Form NUMBER of them, from 0, at the callback's first call. */
const struct tool_fault *fault_forms_find(enum tool_callback callback, size_t number);

#endif
