/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned command_word_size_of_file(const char *path)
{
    unsigned char start[EI_NIDENT] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t size;

    if (file < 0)
        return 0;
    size = read(file, start, sizeof(start));
    close(file);
    if (size != (ssize_t)sizeof(start) || memcmp(start, ELFMAG, SELFMAG) != 0)
        return 0;
    return start[EI_CLASS] == ELFCLASS32 ? 32 : start[EI_CLASS] == ELFCLASS64 ? 64 : 0;
}

unsigned command_word_size_of_program(const char *name)
{
    const char *folders = getenv("PATH");
    char path[PATH_MAX];

    if (strchr(name, '/') != NULL || folders == NULL)
        return command_word_size_of_file(name);
    while (folders != NULL) {
        int length = (int)strcspn(folders, ":");

        snprintf(path, sizeof(path), "%.*s%s%s", length, folders, length != 0 ? "/" : "", name);
        if (access(path, X_OK) == 0)
            return command_word_size_of_file(path);
        folders = folders[length] == ':' ? folders + length + 1 : NULL;
    }
    return 0;
}

bool command_word_size_differs(const char *layers, unsigned bits, struct text *why)
{
    char path[PATH_MAX];
    bool differs = false;

    while (command_recorder_next(&layers, path, sizeof(path))) {
        unsigned of_recorder = command_word_size_of_file(path);

        if (of_recorder == 0 || of_recorder == bits)
            return false;
        differs = true;
    }
    if (differs)
        text_add(why, "is %u-bit and the recorder %s is not", bits, path);
    return differs;
}
