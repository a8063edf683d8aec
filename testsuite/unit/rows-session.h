/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Setup for tests of rows: a population, and the answers to all questions about it. */
#ifndef ROWS_SESSION_H
#define ROWS_SESSION_H

#include "population.h"

#define THREAD ompd_cl_registry_thread
#define F(name) ompd_cl_registry_field_##name
#define WAITS OMPD_CL_REGISTRY_ACTIVITY_WAITS
#define ROOM OMPD_CL_REGISTRY_ACTIVITY_LIMIT

extern struct population population;
extern struct fake_target *target; /* the population's */
extern struct answers answers;

/* A population in one of FAKE_VARIANTS; set_up: in the first. */
void rows_begin(int variant);
void rows_set_up(void);
void rows_tear_down(void);

/* Ask again, after the target was changed; everything is readable. */
void rows_ask(void);

/* The same, but something is missing. */
void rows_ask_in_vain(void);

#endif
