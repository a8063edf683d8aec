/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callbacks with a session of their own.
 *
 * OMPD hands a tool context to most callbacks, but alloc_memory, free_memory and print_string have
 * none (OpenMP 6.0 chapter 40): a tool with several sessions cannot tell which of them
 * is meant.  Here each session gets three functions made for it at run time, which pass the session
 * on to the tool's own.
 */
#ifndef OMPD_HOST_CALLBACKS_H
#define OMPD_HOST_CALLBACKS_H

#include <stdbool.h>

#include <ompd-opencl-types.h>

/* What a tool does for a session of its own: the three callbacks of OMPD, the session first.
 * print_string may be NULL. */
typedef struct ompd_host_functions_t {
    ompd_rc_t (*alloc_memory)(void *session, ompd_size_t nbytes, void **ptr);
    ompd_rc_t (*free_memory)(void *session, void *ptr);
    ompd_rc_t (*print_string)(void *session, const char *string, int category);
} ompd_host_functions_t;

/* The functions made for one session. */
typedef struct ompd_host_callbacks_t ompd_host_callbacks_t;

/*
 * Make functions for SESSION and put them in CALLBACKS: its alloc_memory, free_memory and
 * print_string (NULL when FUNCTIONS has none); its other entries are left as they are.
 *
 * FUNCTIONS is copied.  SESSION is not looked into, and passed on until ompd_host_callbacks_free.
 * *BOUND gets the functions, owned by the caller; CALLBACKS and every copy of it (each address
 * space keeps one) are good as long as they are.  They may be called from any thread.
 *
 * Returns ompd_rc_ok; ompd_rc_bad_input when BOUND, FUNCTIONS, one of its first two entries or
 * CALLBACKS is NULL; ompd_rc_nomem when there is no memory for them, executable memory included:
 * then nothing is held, and *BOUND and *CALLBACKS are untouched.
 */
ompd_rc_t ompd_host_callbacks_create(const ompd_host_functions_t *functions, void *session,
                                     ompd_callbacks_t *callbacks, ompd_host_callbacks_t **bound);

/*
 * Have executable memory at hand, for ever: functions can be made then by a process that gets no
 * more of it.  False: there is none.
 */
bool ompd_host_callbacks_reserve(void);

/* Free the functions of a session; NULL is ignored.  First release the address spaces that were
 * made with them. */
void ompd_host_callbacks_free(ompd_host_callbacks_t *bound);

#endif
