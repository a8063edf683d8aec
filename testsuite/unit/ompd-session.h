/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Setup for tests of the OMPD functions: a population, and handles of its objects. */
#ifndef OMPD_SESSION_H
#define OMPD_SESSION_H

#include "population.h"

#define THREAD ompd_cl_registry_thread
#define FIELD(name) ompd_cl_registry_field_##name
#define ROOT_MEMBER(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

/* What the population's queue is for. */
#define DEVICE_HANDLE UINT64_C(0xd000)

extern struct population population;
extern struct fake_target *target; /* the population's */

/* A population in one of FAKE_VARIANTS. */
void session_open(int variant);
void session_close(void);

/* Ask for the handle of thread LWP of SPACE. */
ompd_rc_t session_find_thread(ompd_address_space_handle_t *space, uint32_t lwp,
                              ompd_thread_handle_t **thread);

/* The handle of the population's thread NUMBER. */
ompd_thread_handle_t *session_thread(uint32_t number);

/* A handle of the population's device in SPACE. */
ompd_address_space_handle_t *session_device(ompd_address_space_handle_t *space);

/* Free a string or an array that the tool owns. */
void session_release(const void *owned);

#endif
