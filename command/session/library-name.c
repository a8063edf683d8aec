/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <string.h>

size_t command_library_length(const char *library)
{
    const char *suffix = strstr(library, ".so.");

    return suffix != NULL ? (size_t)(suffix - library) + strlen(".so") : strlen(library);
}
