/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads are doing, in words: what one waits for, which callback it runs, within what. */
#ifndef OMPD_VIEW_ACTIVITIES_H
#define OMPD_VIEW_ACTIVITIES_H

#include <view/cell.h>
#include <view/rows.h>

/* Shows threads: states in words, handles with what they are, callbacks by their functions. */
struct view_thread_renderer {
    struct view_renderer renderer;
    uint64_t thread; /* id of that whose activities are kept, 0 for none */
    struct view_rows activities;
    uint64_t *lwps; /* of the threads shown in a table */
    size_t lwp_count;
};

void view_thread_renderer_begin(struct view_thread_renderer *threads, ompd_view_t *view);
void view_thread_renderer_end(struct view_thread_renderer *threads);

/* Whether a thread in this state waits for something, and whether it runs a callback. */
bool view_state_waits(uint64_t state);
bool view_state_runs(uint64_t state);

/* Open the list of the threads that do either, and of those whose state is not known.  A recorder
 * that keeps no threads has none. */
void view_list_open_busy(struct view_list *list, ompd_view_t *view);

/* Add "LWP 4711 waits for queue 0x5555556131c0", of a thread that waits or runs a callback. */
void view_thread_sentence(struct view_thread_renderer *threads, const struct view_row *thread,
                          struct text *text);

#endif
