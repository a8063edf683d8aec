/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_DEPTH "16" /* frames: enough to distinguish leaks, few enough to record */

bool command_recorder_find(char *path, size_t size, struct text *why)
{
    const char *given = getenv("OMPD_OPENCL_RECORDER");

    if (given != NULL && given[0] != '\0') {
        snprintf(path, size, "%s", given);
        if (access(path, R_OK) == 0)
            return true;
        text_add(why, "Cannot find the recorder %s, which OMPD_OPENCL_RECORDER names", given);
        return false;
    }
    if (command_sibling_file_find(COMMAND_RECORDER, R_OK, path, size))
        return true;
    snprintf(path, size, "%s", COMMAND_LIBRARIES "/" COMMAND_RECORDER);
    if (access(path, R_OK) == 0)
        return true;
    text_add(why, "Cannot find the recorder %s; set OMPD_OPENCL_RECORDER to its path", path);
    return false;
}

/* Whether the layer PATH is a recorder, judging by its name. */
static bool is_recorder(const char *path)
{
    const char *given = getenv("OMPD_OPENCL_RECORDER");
    const char *name = text_file_name(path);
    size_t length = strlen(COMMAND_RECORDER);

    if (given != NULL && strcmp(path, given) == 0)
        return true;
    return strncmp(name, COMMAND_RECORDER, length) == 0 &&
           (name[length] == '\0' || name[length] == '.');
}

bool command_recorder_next(const char **layers, char *path, size_t size)
{
    char layer[PATH_MAX];

    while (**layers != '\0') {
        size_t length = strcspn(*layers, ":");

        snprintf(layer, sizeof(layer), "%.*s", (int)length, *layers);
        *layers += length + ((*layers)[length] == ':');
        if (!is_recorder(layer))
            continue;
        snprintf(path, size, "%s", layer);
        return true;
    }
    return false;
}

/* Add the recorder to the layers of programs to be started. */
static bool add_to_layers(struct text *why)
{
    const char *layers = getenv("OPENCL_LAYERS");
    const char *rest = layers != NULL ? layers : "";
    struct text all = {0};
    char path[PATH_MAX];

    if (command_recorder_next(&rest, path, sizeof(path)))
        return true;
    if (!command_recorder_find(path, sizeof(path), why))
        return false;
    if (layers != NULL && layers[0] != '\0')
        text_add(&all, "%s:", layers);
    text_add(&all, "%s", path);
    setenv("OPENCL_LAYERS", all.bytes, 1);
    text_free(&all);
    return true;
}

bool command_recorder_prepare(const char *program, struct text *why)
{
    unsigned bits = command_word_size_of_program(program);
    struct text reason = {0};
    bool differs;

    setenv("OMPD_OPENCL_STACK_DEPTH", STACK_DEPTH, 0);
    if (!add_to_layers(why))
        return false;
    differs = bits != 0 && command_word_size_differs(getenv("OPENCL_LAYERS"), bits, &reason);
    if (differs)
        text_add(why, "%s %s; set OMPD_OPENCL_RECORDER to one that matches", program, reason.bytes);
    text_free(&reason);
    return !differs;
}
