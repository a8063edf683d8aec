/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samplers. */
#ifndef RECORDER_SAMPLER_H
#define RECORDER_SAMPLER_H

#include <CL/cl.h>

#include "object.h"

/* SAMPLER, which may be NULL, was made in CONTEXT with PROPERTIES, which may be NULL, too. */
void recorder_sampler_created(cl_sampler sampler, cl_context context,
                              const cl_sampler_properties *properties, const void *return_address);

#endif
