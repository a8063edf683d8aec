/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one usage comes to, summed up over the records of all threads, of ended ones too. */
#ifndef LIBOMPD_USAGE_SUM_H
#define LIBOMPD_USAGE_SUM_H

#include "target/target.h"

#include <ompd-opencl-registry.h>

struct usage_sum {
    int64_t live;
    int64_t peak;     /* a bound, once there are two records: they need not have been at one time */
    uint32_t records; /* that are in it */
    bool is_corrupt;
};

/* Add the usage of one thread, struct ompd_cl_registry_usage, at BYTES of the target. */
void usage_sum_add(struct usage_sum *sum, const struct target *target, const uint8_t *bytes);

/*
 * What is known of SUM, which is of usage NUMBER: ompd_cl_status_value; ompd_cl_status_corrupt; or
 * ompd_cl_status_unknown, of `live` alone.  A thread may have counted the end of an object whose
 * making another is just about to count: so the sum may be below 0, by one a thread, and says
 * nothing then.
 */
uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number);

#endif
