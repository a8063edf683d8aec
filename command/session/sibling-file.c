/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool command_sibling_file_find(const char *name, int mode, char *path, size_t size)
{
    /* libtool puts the real command and the libraries in a subfolder. */
    static const char *const places[] = {"", "/.."};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    char *slash;

    own[length > 0 ? length : 0] = '\0';
    slash = strrchr(own, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if ((size_t)snprintf(path, size, "%s%s/%s", own, places[i], name) < size &&
            access(path, mode) == 0)
            return true;
    return false;
}
