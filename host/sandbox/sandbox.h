/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process that is confined, and the one that serves it with files and pictures. */
#ifndef OMPD_HOST_SANDBOX_H
#define OMPD_HOST_SANDBOX_H

#include <host/base/base.h>

/* ---- confine-filter -------------------------------------------------------------------------- */

/* The system calls that a confined process has left. */

/* Whether this library has the means: not without libseccomp, nor with a sanitizer, whose runtime
 * opens files, maps what it likes and traces other threads. */
bool confine_filter_is_known(void);

/* Make what is the same for all processes, which children inherit.  Returns 0, or what errno tells.
 */
int confine_filter_prepare(void);

/* From now on the calling process has no others.  Returns likewise. */
int confine_filter_load(void);

/* ---- confine-stat ---------------------------------------------------------------------------- */

/* fstat(2) in a process that may stat no path. */

/* Whether the registers of a call are known here. */
#if (defined(__x86_64__) && defined(__LP64__)) || defined(__i386__) || defined(__aarch64__)
#define CONFINE_STAT_TRAPS 1
#else
#define CONFINE_STAT_TRAPS 0
#endif

/* From now on a call of fstatat that a filter traps is one of fstat, where its path is empty; with
 * any other it fails with EPERM.  False: that cannot be, as errno tells.  Where
 * CONFINE_STAT_TRAPS. */
bool confine_stat_begin(void);

/* ---- drawing --------------------------------------------------------------------------------- */

/* Graphs as pictures, by Graphviz. */

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
