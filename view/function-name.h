/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of functions of C++ and Rust as people read them: debuggers give them with all parameters
 * and arguments of templates, which can take a screen. */
#ifndef OMPD_VIEW_FUNCTION_NAME_H
#define OMPD_VIEW_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <text/text.h>

/* The length of NAME without its list of parameters: debuggers differ in whether they give one. */
size_t view_function_length(const char *name);

/* Add NAME.  HAS_LINE: a file and line stand behind it and tell functions of one name apart, so
 * that it goes without its parameters; arguments of templates become "<...>" where it is long. */
void view_function_name(const char *name, bool has_line, struct text *text);

/* Where the last part of the name begins that PLACE, "a::b<c>::f at b.cc:9", begins with: at f.
 * PLACE itself where no file is named. */
const char *view_function_last(const char *place);

#endif
