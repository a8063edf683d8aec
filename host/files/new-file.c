/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include <host/files/files.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool new_file_exists(const char *path)
{
    struct stat status;

    return file_client_is_on() ? file_client_write(file_question_exists, path, NULL) == EEXIST
                               : lstat(path, &status) == 0;
}

int new_file_make(const char *path, struct new_file *file)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *folder;
    int error;

    *file = (struct new_file){.descriptor = -1};
    if (file_client_is_on())
        return file_client_write(file_question_make, path, &file->descriptor);
    folder = length != 0 ? strndup(path, length) : strdup(".");
    if (folder == NULL)
        return ENOMEM;
    file->descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    free(folder);
    if (file->descriptor >= 0)
        return 0;
    /* Some file systems do not support unnamed files. */
    if (asprintf(&file->path, "%s.XXXXXX", path) < 0) {
        file->path = NULL;
        return ENOMEM;
    }
    file->descriptor = mkostemp(file->path, O_CLOEXEC);
    if (file->descriptor >= 0)
        return 0;
    error = errno;
    free(file->path);
    file->path = NULL;
    return error;
}

int new_file_name(const char *path, struct new_file *file)
{
    char link[64];

    if (file_client_is_on())
        return file_client_write(file_question_name, path, NULL);
    if (file->path == NULL) {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", file->descriptor);
        return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    }
    if (renameat2(AT_FDCWD, file->path, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
        return errno;
    free(file->path);
    file->path = NULL;
    return 0;
}

int new_file_write(int descriptor, const void *bytes, size_t size)
{
    const char *rest = bytes;

    while (size != 0) {
        ssize_t count = write(descriptor, rest, size);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        rest += count;
        size -= (size_t)count;
    }
    return 0;
}

ompd_host_rc_t new_file_refuse(const char *path, int error, char *sentence)
{
    if (error == EEXIST)
        snprintf(sentence, HOST_MESSAGE_SIZE,
                 "'%s' already exists; existing files are never overwritten", path);
    else
        snprintf(sentence, HOST_MESSAGE_SIZE, "cannot write '%s': %s", path, strerror(error));
    if (error == ENOMEM)
        return ompd_host_rc_nomem;
    return error == EEXIST || error == EACCES || error == EPERM ? ompd_host_rc_not_permitted
                                                                : ompd_host_rc_error;
}

void new_file_close(struct new_file *file)
{
    if (file->path != NULL)
        unlink(file->path);
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    *file = (struct new_file){.descriptor = -1};
}
