/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs as pictures, by Graphviz. */
#ifndef OMPD_HOST_DRAWING_H
#define OMPD_HOST_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#define DRAWING_GRAPH_SIZE ((size_t)1 << 20) /* bytes of a graph, at most */
#define DRAWING_SIZE ((size_t)16 << 20)      /* and of its picture */

/* Whether GRAPH, of SIZE bytes, is DOT that does nothing but say what to draw: nodes, edges, and of
 * their attributes those alone that are known to name no file. */
bool drawing_is_plain(const char *graph, size_t size);

/* Have dot, which gets few seconds and little memory, draw GRAPH, of SIZE bytes, which is plain.
 * *PICTURE gets what it wrote, NUL-terminated and owned by the caller (free), and *LENGTH its
 * bytes.  Returns NULL, or in words why there is none. */
const char *drawing_make(const char *graph, size_t size, char **picture, size_t *length);

/* A file without a name that is for this process and those that it hands it to; -1: errno tells. */
int drawing_sheet_make(void);

/* All of what is in the file at DESCRIPTOR, NUL-terminated and owned by the caller (free), and in
 * *SIZE its bytes; NULL: it cannot be read, or is longer than MOST. */
char *drawing_sheet_read(int descriptor, size_t most, size_t *size);

#endif
