/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fork(): the child has the registry, but only one of the threads.
 *
 * What grows is held while forking.  What a vanished thread was just changing is repaired in the
 * child: a locked bucket is unlocked, a record marked as torn, a count made again.
 */
#ifndef RECORDER_FORK_H
#define RECORDER_FORK_H

#include <stdbool.h>

/* Be called at each fork(), from now on. */
bool recorder_fork_prepare(void);

#endif
