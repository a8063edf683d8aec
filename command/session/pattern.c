/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <string.h>

bool command_pattern_fits(const char *pattern, const char *name, size_t size)
{
    const char *end = name + size;
    const char *star = NULL;  /* the last one met, */
    const char *after = NULL; /* and what it stands for ends here */

    while (name < end) {
        if (*pattern == '*') {
            star = pattern++;
            after = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++after;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}
