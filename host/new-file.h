/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A file that nobody sees until it is whole, and that takes no other's place.  A confined process
 * has it made by the one that serves it. */
#ifndef OMPD_HOST_NEW_FILE_H
#define OMPD_HOST_NEW_FILE_H

#include <host/base.h>

#include <stdbool.h>
#include <stddef.h>

struct new_file {
    int descriptor; /* for writing */
    char *path;     /* where it lies meanwhile; NULL: it has no name, or another process's */
};

/* Whether there is something called PATH. */
bool new_file_exists(const char *path);

/* Make FILE in the folder that PATH is in.  Returns 0, or what errno tells; then FILE holds
 * nothing. */
int new_file_make(const char *path, struct new_file *file);

/* Give FILE the name PATH, unless that is another's (EEXIST).  Returns 0, or what errno tells. */
int new_file_name(const char *path, struct new_file *file);

/* Write all of SIZE BYTES to DESCRIPTOR.  Returns 0, or what errno tells. */
int new_file_write(int descriptor, const void *bytes, size_t size);

/* Put in SENTENCE, of HOST_MESSAGE_SIZE bytes, why there is no file PATH, which errno would tell as
 * ERROR; returns the code that goes with it. */
ompd_host_rc_t new_file_refuse(const char *path, int error, char *sentence);

/* Give FILE back; what has no name by now is gone. */
void new_file_close(struct new_file *file);

#endif
