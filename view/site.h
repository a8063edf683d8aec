/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the program has called OpenCL: bindings are passed over, see binding.h. */
#ifndef OMPD_VIEW_SITE_H
#define OMPD_VIEW_SITE_H

#include <view/place.h>
#include <view/row.h>

/* A call of the program, or where all calls are of bindings the innermost. */
struct view_site {
    uint64_t address; /* a return address */
    size_t level;     /* of it, see place.h */
    size_t frame;     /* its number in the call stack */
};

/* That of a call stack of COUNT FRAMES, of which there is one. */
struct view_site view_site_of_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* That of the call that returns to CALLER; STACK is the key of the call stack, 0 where that is not
 * known. */
struct view_site view_site_get(ompd_view_t *view, uint64_t caller, uint64_t stack);

/* That of the field NAME of ROW, a known return address. */
struct view_site view_site_of_field(ompd_view_t *view, const struct view_row *row,
                                    const char *name);

/* Add "main at app.c:9". */
void view_site_describe(ompd_view_t *view, struct view_site site, struct text *text);

/* Add that of the field NAME of ROW. */
void view_site_describe_field(ompd_view_t *view, const struct view_row *row, const char *name,
                              struct text *text);

/* Add the lines of a call stack from its site on: see view_place_stack. */
void view_site_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count, const char *indent,
                     struct text *text);

/* Add the same in a line: see view_place_chain. */
void view_site_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, struct text *text);

#endif
