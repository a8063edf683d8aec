/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A confined process, and the process that serves it with files and pictures. */
#ifndef OMPD_HOST_SANDBOX_H
#define OMPD_HOST_SANDBOX_H

#include <host/base/base.h>

/* ---- confine-filter -------------------------------------------------------------------------- */

/* The system calls of a confined process. */

/* Whether this library can confine: not without libseccomp, nor with a sanitizer, whose runtime
 * opens files, maps arbitrary memory and traces threads. */
bool confine_filter_is_known(void);

/* Prepare what is the same for all processes; children inherit it.  Returns 0 or an errno. */
int confine_filter_prepare(void);

/* Allow no other system calls from now on.  Returns 0 or an errno. */
int confine_filter_load(void);

/* ---- confine-stat ---------------------------------------------------------------------------- */

/* fstat(2) in a process that may not query paths. */

/* Whether the registers of system calls are known for this machine. */
#if (defined(__x86_64__) && defined(__LP64__)) || defined(__i386__) || defined(__aarch64__)
#define CONFINE_STAT_TRAPS 1
#else
#define CONFINE_STAT_TRAPS 0
#endif

/* From now on, trapped calls of fstatat act as fstat if their path is empty, and fail with EPERM
 * otherwise.  Returns false, with errno, on failure.  Requires CONFINE_STAT_TRAPS. */
bool confine_stat_begin(void);

/* ---- drawing --------------------------------------------------------------------------------- */

/* Drawing of graphs with Graphviz. */

#define DRAWING_GRAPH_SIZE ((size_t)1 << 20) /* maximum size of a graph, in bytes */
#define DRAWING_SIZE ((size_t)16 << 20)      /* maximum size of its picture */

/* Whether GRAPH is DOT that only draws: nodes, edges, and attributes that are known not to name
 * files. */
bool drawing_is_plain(const char *graph);

/* Draw GRAPH, which is plain, with dot, which gets few seconds and little memory.  *PICTURE
 * receives the NUL-terminated output, owned by the caller (free), and *LENGTH its length.
 * Returns NULL, or the reason. */
const char *drawing_make(const char *graph, char **picture, size_t *length);

/* Create a file in memory, of SIZE zero bytes, that no owner can enlarge.  Returns -1, with
 * errno, on failure. */
int drawing_sheet_make(size_t size);

/* Read the text in the file at DESCRIPTOR, NUL-terminated and owned by the caller (free); NULL:
 * unreadable, or longer than MOST. */
char *drawing_sheet_read(int descriptor, size_t most);

#endif
