/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The regions of a process, as /proc/PID/maps has them. */
#ifndef OMPD_HOST_MAPS_H
#define OMPD_HOST_MAPS_H

#include <host/target.h>
#include <stdio.h>

/* Open the list of what TARGET, a process, has mapped: *MAPS gets it, for fclose. */
ompd_host_rc_t maps_open(ompd_host_target_t *target, FILE **maps);

/* Read the regions of TARGET, a process, in place of those it has. */
ompd_host_rc_t maps_read(ompd_host_target_t *target);

#endif
