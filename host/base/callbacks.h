/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callbacks with a session of their own.
 *
 * OMPD passes a tool context to most callbacks, but alloc_memory, free_memory and print_string have
 * none (OpenMP 6.0, chapter 40).  A tool with several sessions cannot tell which one is meant.
 * Here, each session gets three functions created at run time, which pass the session on to the
 * tool's functions.
 */
#ifndef OMPD_HOST_CALLBACKS_H
#define OMPD_HOST_CALLBACKS_H

#include <stdbool.h>

#include <ompd-opencl-types.h>

/* The tool's versions of the three callbacks, with the session as their first argument.
 * print_string may be NULL. */
typedef struct ompd_host_functions_t {
    ompd_rc_t (*alloc_memory)(void *session, ompd_size_t nbytes, void **ptr);
    ompd_rc_t (*free_memory)(void *session, void *ptr);
    ompd_rc_t (*print_string)(void *session, const char *string, int category);
} ompd_host_functions_t;

/* The functions created for one session. */
typedef struct ompd_host_callbacks_t ompd_host_callbacks_t;

/*
 * Create functions for SESSION and put them in CALLBACKS: alloc_memory, free_memory and
 * print_string (NULL if FUNCTIONS has none).  Other entries stay unchanged.
 *
 * FUNCTIONS is copied.  SESSION is opaque and passed on until ompd_host_callbacks_free.  *BOUND
 * receives the functions, owned by the caller.  CALLBACKS and its copies (each address space has
 * one) are valid as long as the functions are.  They may be called from any thread.
 *
 * Returns ompd_rc_ok; ompd_rc_bad_input if BOUND, FUNCTIONS, one of its first two entries or
 * CALLBACKS is NULL; ompd_rc_nomem if out of (executable) memory.  On failure, nothing is
 * allocated, and *BOUND and *CALLBACKS are unchanged.
 */
ompd_rc_t ompd_host_callbacks_create(const ompd_host_functions_t *functions, void *session,
                                     ompd_callbacks_t *callbacks, ompd_host_callbacks_t **bound);

/*
 * Have executable memory at hand, for ever: functions can be made then by a process that gets no
 * more of it.  False: there is none.
 */
bool ompd_host_callbacks_reserve(void);

/* Free the functions of a session; NULL is ignored.  Release the address spaces that use them
 * first. */
void ompd_host_callbacks_free(ompd_host_callbacks_t *bound);

#endif
