/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which of the program's callbacks have run: OpenCL may call them later, and on a thread of its
 * own. */
#ifndef CALLBACKS_H
#define CALLBACKS_H

/* To be called last in a callback. */
void callback_has_run(void);

/* Wait until COUNT callbacks have run since the program's start; returns how many have. */
int callbacks_await(int count);

#endif
