/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <stdlib.h>
#include <string.h>

#define VARIABLE "OMPD_OPENCL_DEBUG"

bool command_log_level_find(uint32_t *level)
{
    static const char *const names[] = {
        [ompd_cl_log_level_none] = "off",           [ompd_cl_log_level_refusal] = "refusals",
        [ompd_cl_log_level_decision] = "decisions", [ompd_cl_log_level_lookup] = "lookups",
        [ompd_cl_log_level_read] = "reads",
    };
    const char *given = getenv(VARIABLE);
    struct text sentence = {0};

    *level = ompd_cl_log_level_none;
    if (given == NULL || given[0] == '\0')
        return true;
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        *level = i;
        if (strcmp(given, names[i]) == 0)
            return true;
    }
    text_add(&sentence,
             VARIABLE ": '%s' is not a level; use off, refusals, decisions, lookups or reads",
             given);
    command_error_print(sentence.bytes);
    text_free(&sentence);
    return false;
}
