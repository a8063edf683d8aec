/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs that run others' code, and leave it to them what to release. */
#ifndef OMPD_COMMAND_INTERPRETER_H
#define OMPD_COMMAND_INTERPRETER_H

#include <stdbool.h>

/* Whether the program PATH, which may be NULL, is an interpreter, by the name of its file: at its
 * exit such a one gives up the objects of the code that it ran without releasing all of them. */
bool command_is_interpreter(const char *path);

#endif
