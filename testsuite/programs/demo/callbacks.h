/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which callbacks of the program have run.  OpenCL may call them later, on its own thread. */
#ifndef CALLBACKS_H
#define CALLBACKS_H

/* Call this last in a callback. */
void callback_has_run(void);

/* Wait until COUNT callbacks have run since the program's start; returns how many have. */
int callbacks_await(int count);

#endif
