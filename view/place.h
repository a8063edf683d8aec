/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses of code and data, and threads, in words. */
#ifndef OMPD_VIEW_PLACE_H
#define OMPD_VIEW_PLACE_H

#include <view/view.h>

/* What is known of the code at ADDRESS, asked for once as long as it is remembered.  IS_CALLER: it
 * is a return address.  Good until the next call. */
const ompd_view_place_t *view_place_get(ompd_view_t *view, uint64_t address, bool is_caller);

/* Add "d2 at app.c:9", "d2 in libapp.so", "libapp.so+0x1139" or "0x555555555139". */
void view_place_describe(ompd_view_t *view, uint64_t address, bool is_caller, struct text *text);

/* The variable that ADDRESS of data lies in; NULL: not known.  Good until the next call. */
const char *view_place_variable(ompd_view_t *view, uint64_t address);

/* Add "0x5555555580c0 <host+16>": an address of data, and the variable that it lies in. */
void view_place_data(ompd_view_t *view, uint64_t address, struct text *text);

/* A call that returns to an address has levels: 0 is the function that it is in by source, 1 that
 * which this is inlined into, and so on. */
#define VIEW_NO_LEVEL SIZE_MAX

/* The first level of the call that returns to ADDRESS which is no binding's; VIEW_NO_LEVEL: none.
 */
size_t view_place_own_level(ompd_view_t *view, uint64_t address);

/* As view_place_describe, of LEVEL of the call that returns to ADDRESS. */
void view_place_level_describe(ompd_view_t *view, uint64_t address, size_t level,
                               struct text *text);

/* Whether the call that returns to ADDRESS is of main(). */
bool view_place_is_main(ompd_view_t *view, uint64_t address);

/* Add ", inlined in f at app.c:3 in g at app.c:9" for what LEVEL of PLACE is inlined into; nothing
 * when that is nothing. */
void view_place_inlined(const ompd_view_place_t *place, size_t level, struct text *text);

/* How many of the COUNT FRAMES are up to the function that a thread was begun with. */
size_t view_place_thread_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* Add the lines of a call stack, innermost first: INDENT, "#0 main at app.c:9", newline.  With NULL
 * as INDENT there are no numbers either. */
void view_place_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                      const char *indent, struct text *text);

/* The same, from LEVEL of the first frame on. */
void view_place_stack_from(ompd_view_t *view, const ompd_addr_t *frames, size_t count, size_t level,
                           const char *indent, struct text *text);

/* Add the latter in a line, "keep at blur.c:20 < main at blur.c:44", as far as that is not too
 * long. */
void view_place_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, size_t level,
                      struct text *text);

/* Add "LWP 4711 (thread 1)", or within brackets "LWP 4711, thread 1". */
void view_thread_describe(const ompd_view_t *view, uint64_t lwp, bool is_in_brackets,
                          struct text *text);

/* Most frames that are asked of a call stack. */
#define VIEW_STACK_FRAMES 128

/* Give the frames of a field of type stack, at most VIEW_STACK_FRAMES.  Returns how many: 0 when
 * there are none or they could not be read. */
size_t view_stack_get(ompd_view_t *view, uint64_t stack, ompd_addr_t *frames);

/* Give back what was remembered in *PLACES, which may be NULL. */
struct view_places;
void view_places_free(struct view_places **places);

#endif
