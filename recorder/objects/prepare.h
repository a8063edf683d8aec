/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The initialisation of the recorder, also in the child of a fork(). */
#ifndef RECORDER_PREPARE_H
#define RECORDER_PREPARE_H

#include <stdbool.h>

/* ---- fork ------------------------------------------------------------------------------------ */

/*
 * fork(): the child has the registry, but only one of the threads.
 *
 * All locks for what grows are taken before a fork. The child repairs what a vanished thread was
 * changing: it unlocks a locked bucket, marks a record as torn, counts again.
 */

/* Install the handlers for fork(). */
bool recorder_fork_prepare(void);

/* ---- prepare --------------------------------------------------------------------------------- */

/* Initialisation. */

/* Call it once in each process: create the registry, as the environment requests. If it fails,
 * nothing is recorded. */
bool recorder_prepare(void);

#endif
