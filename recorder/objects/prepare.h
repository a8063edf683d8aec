/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making the recorder ready, also in the child of a fork(). */
#ifndef RECORDER_PREPARE_H
#define RECORDER_PREPARE_H

#include <stdbool.h>

/* ---- fork ------------------------------------------------------------------------------------ */

/*
 * fork(): the child has the registry, but only one of the threads.
 *
 * What grows is held while forking.  What a vanished thread was just changing is repaired in the
 * child: a locked bucket is unlocked, a record marked as torn, a count made again.
 */

/* Be called at each fork(), from now on. */
bool recorder_fork_prepare(void);

/* ---- prepare --------------------------------------------------------------------------------- */

/* Making the recorder ready. */

/* Once a process: make the registry, as the environment has it.  When this fails nothing can be
 * recorded. */
bool recorder_prepare(void);

#endif
