/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process that requests files, and this one, which serves it. */
#ifndef HOST_SERVED_H
#define HOST_SERVED_H

#include <host/files/files.h>
#include <ompd-opencl-host.h>

/* Run WORK in a separate process with its end of a connection, and serve it with SERVICE. Returns
 * its exit code. */
int served_run(int (*work)(int connection), ompd_host_service_t *service);

/* The same for WORK that is ended by a signal, which is returned. */
int served_run_to_signal(int (*work)(int connection), ompd_host_service_t *service);

/* Ask as a process would that a core has taken over.  Returns whether a descriptor came. */
bool served_gets(int connection, enum file_question question, const char *path);

#endif
