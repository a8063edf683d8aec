/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields that are texts which the library makes itself. */
#ifndef LIBOMPD_TEXT_H
#define LIBOMPD_TEXT_H

#include "base/export.h"

#include <ompd-opencl.h>

/* Set *TEXT to NAME, which has room in it, or to none when that is empty. */
void text_set(ompd_cl_text_t *text, ompd_cl_source_t source, const char *name);

/* Set *TEXT to the SIZE BYTES in hexadecimal, ending in "..." when they are more than have room, or
 * to none when there are none. */
void text_set_hexadecimal(ompd_cl_text_t *text, ompd_cl_source_t source, const uint8_t *bytes,
                          size_t size);

/* The last part of PATH. */
const char *text_file_name(const char *path);

#endif
