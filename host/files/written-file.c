/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The public functions for files that a tool writes, on top of new-file.c. */
#include <host/files/files.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ompd_host_new_file_t {
    struct new_file file;
    char *path;
};

/* Record why PATH could not be created (ERROR, an errno). */
static ompd_host_rc_t new_file_fail(const char *path, int error)
{
    char sentence[HOST_MESSAGE_SIZE];
    ompd_host_rc_t rc = new_file_refuse(path, error, sentence);

    message_of_open(sentence);
    return rc;
}

PUBLIC ompd_host_rc_t ompd_host_new_file_make(const char *path, ompd_host_new_file_t **file)
{
    ompd_host_new_file_t *made;
    int error;

    if (path == NULL || path[0] == '\0' || file == NULL) {
        message_of_open("no file name was given");
        return ompd_host_rc_bad_input;
    }
    if (new_file_exists(path))
        return new_file_fail(path, EEXIST);
    made = calloc(1, sizeof(*made));
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        free(made);
        return new_file_fail(path, ENOMEM);
    }
    error = new_file_make(path, &made->file);
    if (error != 0) {
        free(made->path);
        free(made);
        return new_file_fail(path, error);
    }
    *file = made;
    message_of_open("");
    return ompd_host_rc_ok;
}

PUBLIC ompd_host_rc_t ompd_host_new_file_write(ompd_host_new_file_t *file, const void *bytes,
                                               size_t size)
{
    int error = new_file_write(file->file.descriptor, bytes, size);

    if (error != 0)
        return new_file_fail(file->path, error);
    message_of_open("");
    return ompd_host_rc_ok;
}

PUBLIC ompd_host_rc_t ompd_host_new_file_end(ompd_host_new_file_t *file, bool is_whole)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;
    int error;

    if (file == NULL)
        return ompd_host_rc_ok;
    message_of_open("");
    error = is_whole ? new_file_name(file->path, &file->file) : 0;
    if (error != 0)
        rc = new_file_fail(file->path, error);
    new_file_close(&file->file);
    free(file->path);
    free(file);
    return rc;
}
