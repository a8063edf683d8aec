/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs as pictures, by Graphviz. */
#ifndef OMPD_HOST_DRAWING_H
#define OMPD_HOST_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#define DRAWING_GRAPH_SIZE ((size_t)1 << 20) /* bytes of a graph, at most */
#define DRAWING_SIZE ((size_t)16 << 20)      /* and of its picture */

/* Whether GRAPH is DOT that does nothing but say what to draw: nodes, edges, and of
 * their attributes those alone that are known to name no file. */
bool drawing_is_plain(const char *graph);

/* Have dot, which gets few seconds and little memory, draw GRAPH, which is plain.
 * *PICTURE gets what it wrote, NUL-terminated and owned by the caller (free), and *LENGTH its
 * bytes.  Returns NULL, or in words why there is none. */
const char *drawing_make(const char *graph, char **picture, size_t *length);

/* A file in memory, of SIZE bytes that are 0, which whoever gets it cannot make larger; -1: errno
 * tells. */
int drawing_sheet_make(size_t size);

/* The text in the file at DESCRIPTOR, NUL-terminated and owned by the caller (free); NULL: it
 * cannot be read, or is longer than MOST. */
char *drawing_sheet_read(int descriptor, size_t most);

#endif
