/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the recorder lies, and what makes programs load it. */
#include <host/command/run.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_DEPTH "16" /* frames: enough to tell leaks apart, few enough to record */

/* Put the path of the recorder beside the command's own file, where it is built, in PATH. */
static bool find_beside(char *path, size_t size)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    char *slash;

    if (length <= 0)
        return false;
    own[length] = '\0';
    slash = strrchr(own, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return (size_t)snprintf(path, size, "%s/%s", own, COMMAND_RECORDER) < size &&
           access(path, R_OK) == 0;
}

bool command_recorder_find(char *path, size_t size, struct command_text *why)
{
    const char *given = getenv("OMPD_OPENCL_RECORDER");

    if (given != NULL && given[0] != '\0') {
        snprintf(path, size, "%s", given);
        if (access(path, R_OK) == 0)
            return true;
        command_text_add(why, "There is no recorder %s, which OMPD_OPENCL_RECORDER names.", given);
        return false;
    }
    if (find_beside(path, size))
        return true;
    snprintf(path, size, "%s", COMMAND_LIBRARIES "/" COMMAND_RECORDER);
    if (access(path, R_OK) == 0)
        return true;
    command_text_add(why, "There is no recorder %s: name it by OMPD_OPENCL_RECORDER.", path);
    return false;
}

/* Whether LAYERS, separated by colons, have a recorder. */
static bool has_recorder(const char *layers)
{
    const char *found = strstr(layers, COMMAND_RECORDER);

    return found != NULL && (found == layers || found[-1] == '/' || found[-1] == ':') &&
           strchr(":.", found[strlen(COMMAND_RECORDER)]) != NULL;
}

bool command_recorder_prepare(struct command_text *why)
{
    const char *layers = getenv("OPENCL_LAYERS");
    struct command_text all = {0};
    char path[PATH_MAX];

    setenv("OMPD_OPENCL_STACK_DEPTH", STACK_DEPTH, 0);
    if (layers != NULL && has_recorder(layers))
        return true;
    if (!command_recorder_find(path, sizeof(path), why))
        return false;
    if (layers != NULL && layers[0] != '\0')
        command_text_add(&all, "%s:", layers);
    command_text_add(&all, "%s", path);
    setenv("OPENCL_LAYERS", all.bytes, 1);
    command_text_free(&all);
    return true;
}
