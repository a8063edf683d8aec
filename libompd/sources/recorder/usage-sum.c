/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/recorder/registry.h"

/* More objects than a table has room for, or more bytes than an address space, cannot be. */
#define MOST_OBJECTS (INT64_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)
#define MOST_BYTES (INT64_C(1) << 57)

/* A peak is written after what it is of, and never below 0. */
void usage_sum_add(struct usage_sum *sum, const struct target *target, const uint8_t *bytes)
{
    int64_t live = (int64_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_usage, live);
    int64_t peak = (int64_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_usage, peak);

    sum->is_corrupt |= peak < 0;
    sum->is_corrupt |= __builtin_add_overflow(sum->live, live, &sum->live);
    sum->is_corrupt |= __builtin_add_overflow(sum->peak, peak > live ? peak : live, &sum->peak);
    sum->records++;
}

uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number)
{
    bool is_bytes =
        number == OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES || number == OMPD_CL_REGISTRY_USAGE_SVM_BYTES;

    if (sum->is_corrupt || sum->live > (is_bytes ? MOST_BYTES : MOST_OBJECTS) ||
        sum->live < (is_bytes ? 0 : -(int64_t)sum->records) || sum->peak > MOST_BYTES)
        return ompd_cl_status_corrupt;
    return sum->live < 0 ? ompd_cl_status_unknown : ompd_cl_status_value;
}
