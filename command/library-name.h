/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of libraries' files. */
#ifndef OMPD_COMMAND_LIBRARY_NAME_H
#define OMPD_COMMAND_LIBRARY_NAME_H

#include <stddef.h>

/* The length of the name of LIBRARY without its version, the "3" of libapp.so.3. */
size_t command_library_length(const char *library);

#endif
