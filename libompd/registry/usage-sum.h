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

/* The status of SUM, which is of usage NUMBER: ompd_cl_status_value; ompd_cl_status_corrupt; or,
 * for `live` alone, ompd_cl_status_unknown. One thread may count an object's end before another
 * counts its creation, so the sum may be below 0 by up to one per thread and is then unknown. */
uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number);

#endif
