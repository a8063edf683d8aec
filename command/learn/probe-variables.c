/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See learn.h. */
#include <command/learn/learn.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 3

struct command_probe_variables {
    const char *library; /* a part of its name */
    enum command_probe_turn turn;
    const char *note;
    struct {
        const char *name;
        const char *value;
    } all[VARIABLES];
};

static const struct command_probe_variables known[] = {
    /* PoCL offers the CPU as many times as it is named.  With contexts of one device each, the
     * probe could not find where contexts count their devices. */
    {"pocl", command_probe_first, NULL, {{"POCL_DEVICES", "pthread pthread"}}},
    /* Intel's NEO then writes the commands for an integrated GPU to a file.  It stores its
     * objects as it does with a real GPU. */
    {"libigdrcl",
     command_probe_then,
     "no device was found; learned with a simulated one",
     {{"NEOReadDebugKeys", "1"},
      {"SetCommandStreamReceiver", "1"},
      {"ProductFamilyOverride", "tgllp"}}},
};

static bool is_free(const struct command_probe_variables *variables)
{
    for (size_t i = 0; i < VARIABLES && variables->all[i].name != NULL; i++)
        if (getenv(variables->all[i].name) != NULL)
            return false;
    return true;
}

const struct command_probe_variables *command_probe_variables_find(const char *library,
                                                                   enum command_probe_turn turn)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].turn == turn && strstr(library, known[i].library) != NULL &&
            is_free(&known[i]))
            return &known[i];
    return NULL;
}

void command_probe_variables_set(const struct command_probe_variables *variables, bool is_set)
{
    for (size_t i = 0; variables != NULL && i < VARIABLES && variables->all[i].name != NULL; i++)
        if (is_set)
            setenv(variables->all[i].name, variables->all[i].value, 1);
        else
            unsetenv(variables->all[i].name);
}

const char *command_probe_variables_note(const struct command_probe_variables *variables)
{
    return variables != NULL ? variables->note : NULL;
}
