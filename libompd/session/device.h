/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL devices of the target: what is known of them by the queues that are for them. */
#ifndef LIBOMPD_DEVICE_H
#define LIBOMPD_DEVICE_H

#include "session/address-space.h"

struct device_usage {
    uint64_t queues;
    uint64_t svm_frees; /* enqueued there and not known to be complete */
};

/* Count what there is at this moment for DEVICE, a cl_device_id; the registry is open.  Returns
 * ompd_rc_ok; ompd_rc_device_read_error when a queue could not be read; ompd_rc_error when what is
 * there cannot be. */
ompd_rc_t device_look(struct address_space *space, uint64_t device, struct device_usage *usage);

#endif
