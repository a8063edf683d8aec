/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See learn.h. */
#include <config.h>

#include <command/learn/learn.h>

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define OPEN_FOLDERS 8

const char *command_probe_folder_parent(void)
{
    const char *parent = getenv("TMPDIR");

    return parent != NULL && parent[0] == '/' ? parent : "/tmp";
}

bool command_probe_folder_make(char *path, size_t size)
{
    int length = snprintf(path, size, "%s/ompd-opencl-learn.XXXXXX", command_probe_folder_parent());

    errno = ENAMETOOLONG;
    return length > 0 && (size_t)length < size && mkdtemp(path) != NULL;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

void command_probe_folder_remove(const char *path)
{
    nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
