/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* A version or a variant may follow these names: python3.11, octave-cli. */
static const char *const interpreters[] = {
    "python", "pypy", "ruby",   "perl",  "lua",   "luajit", "julia", "java", "node",
    "nodejs", "php",  "octave", "tclsh", "guile", "mono",   "R",     "beam", "dotnet",
};

bool command_is_interpreter(const char *path)
{
    const char *name = path != NULL ? text_file_name(path) : "";

    for (size_t i = 0; i < sizeof(interpreters) / sizeof(interpreters[0]); i++) {
        size_t length = strlen(interpreters[i]);

        if (strncmp(name, interpreters[i], length) == 0 && !isalpha((unsigned char)name[length]) &&
            name[length] != '_')
            return true;
    }
    return false;
}
