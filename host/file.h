/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Files that a target names.  A core may name anything, a device or a pipe among them, and to open
 * these does something: a file is looked at before it is opened.
 */
#ifndef OMPD_HOST_FILE_H
#define OMPD_HOST_FILE_H

#include <stdbool.h>

/* Open the regular file PATH for reading; -1: it is none, or one that the kernel makes up, such as
 * those of /proc, /sys and /dev, or little but a hole. */
int file_open(const char *path);

/* The same of PATH below the folder ROOT, which no link leads out of.  What is in /lib of one
 * system may be in /usr/lib of another, or of its package: both are looked for.  *FOUND gets its
 * path here, owned by the caller (free), or NULL, which is not to be had. */
int file_open_below(const char *root, const char *path, char **found);

/* The same of PATH as it is here, provided that it leads to below ROOT; NULL: to anywhere. */
int file_open_within(const char *root, const char *path);

/* Whether what DESCRIPTOR is open to lies below the folder ROOT, whatever links led there. */
bool file_is_below(int descriptor, const char *root);

#endif
