/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The regions of a process, as /proc/PID/maps has them. */
#ifndef OMPD_HOST_MAPS_H
#define OMPD_HOST_MAPS_H

#include <host/target.h>

/* Give TAKE each line of what TARGET, a process, has mapped; false, there is no memory, ends it. */
ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context);

/* Read the regions of TARGET, a process, in place of those it has. */
ompd_host_rc_t maps_read(ompd_host_target_t *target);

#endif
