/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

/* Set what PROPERTIES, which may be NULL, say, and the defaults for the rest (OpenCL 3.0
 * clCreateSamplerWithProperties). */
static void properties_set(struct ompd_cl_registry_sampler_record *record,
                           const cl_sampler_properties *properties)
{
    record->normalized = CL_TRUE;
    record->addressing = CL_ADDRESS_CLAMP;
    record->filter = CL_FILTER_NEAREST;
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] == CL_SAMPLER_NORMALIZED_COORDS) {
            record->normalized = properties[1] != CL_FALSE;
        } else if (properties[0] == CL_SAMPLER_ADDRESSING_MODE) {
            record->addressing = (uint32_t)properties[1];
        } else if (properties[0] == CL_SAMPLER_FILTER_MODE) {
            record->filter = (uint32_t)properties[1];
        }
    }
}

void recorder_sampler_created(cl_sampler sampler, cl_context context,
                              const cl_sampler_properties *properties, const void *return_address)
{
    struct recorder_entry entry;
    struct recorder_entry its_context;
    if (!sampler ||
        !recorder_object_open(&entry, ompd_cl_registry_sampler, sampler, 0, return_address)) {
        return;
    }
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    properties_set(recorder_sampler_record(&entry), properties);
    recorder_object_publish(&entry);
}
