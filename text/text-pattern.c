/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <text/text.h>

bool text_pattern_fits(const char *pattern, size_t length, const char *name, size_t size)
{
    const char *pattern_end = pattern + length;
    const char *end = name + size;
    const char *star = NULL;  /* the last one seen, */
    const char *after = NULL; /* and the end of its match */

    while (name < end) {
        if (pattern < pattern_end && *pattern == '*') {
            star = pattern++;
            after = name;
        } else if (pattern < pattern_end && *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++after;
        } else {
            return false;
        }
    }
    while (pattern < pattern_end && *pattern == '*')
        pattern++;
    return pattern == pattern_end;
}
