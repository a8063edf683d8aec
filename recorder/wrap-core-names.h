/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program may ask for the standard's own functions by name too. */
#ifndef RECORDER_WRAP_CORE_NAMES_H
#define RECORDER_WRAP_CORE_NAMES_H

#include "wrap.h"

#define recorder_core_wrapper_find RECORDER_PER_LOADER(recorder_core_wrapper_find)

/* What to give a program that asks for the function NAME; NULL: what the platform gives. */
void *recorder_core_wrapper_find(const char *name);

#endif
