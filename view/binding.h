/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which code is of a binding of OpenCL to a language, not of the program: see
 * ompd_view_code_is_binding. */
#ifndef OMPD_VIEW_BINDING_H
#define OMPD_VIEW_BINDING_H

#include <view/view.h>

/* A command begins: ask the front end for its patterns.  What was said by others is forgotten. */
void view_bindings_take(ompd_view_t *view);

#endif
