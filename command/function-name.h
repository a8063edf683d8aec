/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of functions as they are in each build of a program. */
#ifndef OMPD_COMMAND_FUNCTION_NAME_H
#define OMPD_COMMAND_FUNCTION_NAME_H

#include <text/text.h>

/* Add NAME, demangled or not, without what differs from build to build, or is told of it by one
 * source of names and not by another: parameters, the type that it returns, template arguments, of
 * which <T> is left, what compilers put behind the names of clones, and Rust's hash. */
void command_function_name_add(const char *name, struct text *text);

#endif
