/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads are doing, in words: what one waits for, which callback it runs, within what. */
#ifndef OMPD_HOST_COMMAND_ACTIVITIES_H
#define OMPD_HOST_COMMAND_ACTIVITIES_H

#include <host/command/cell.h>
#include <host/command/rows.h>

/* Shows threads: states in words, handles with what they are, callbacks by their functions. */
struct command_thread_renderer {
    struct command_renderer renderer;
    uint64_t thread; /* id of that whose activities are kept, 0 for none */
    struct command_rows activities;
    uint32_t *lwps; /* of the threads shown in a table */
    size_t lwp_count;
};

void command_thread_renderer_begin(struct command_thread_renderer *threads,
                                   struct command_session *session);
void command_thread_renderer_end(struct command_thread_renderer *threads);

/* Whether a thread in this state waits for something, and whether it runs a callback. */
bool command_state_waits(uint64_t state);
bool command_state_runs(uint64_t state);

/* Open the list of the threads that do either, and of those whose state is not known.  A recorder
 * that keeps no threads has none. */
void command_list_open_busy(struct command_list *list, struct command_session *session);

/* Add "LWP 4711 waits for queue 0x5555556131c0", of a thread that waits or runs a callback. */
void command_thread_sentence(struct command_thread_renderer *threads,
                             const struct command_row *thread, struct command_text *text);

#endif
