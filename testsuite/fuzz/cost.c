/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cost.h"

#include "fuzz.h"

#include "../unit/fake-target.h"

#include <host/base/bound.h>

void cost_check(void)
{
    struct fake_target *target = fake_current;
    uint64_t calls = 0;
    uint64_t bound;

    if (target == NULL)
        return;
    bound = bound_bytes(target->used);
    for (int i = 0; i < fake_callback_count; i++)
        calls += target->calls[i];
    fuzz_require(calls <= COST_CALLBACKS, "a call made %llu callbacks", (unsigned long long)calls);
    fuzz_require(target->bytes_read <= bound, "a call read %llu bytes of a target of %llu",
                 (unsigned long long)target->bytes_read, (unsigned long long)target->used);
    fuzz_require(target->peak_bytes <= bound, "a call held %llu bytes for a target of %llu",
                 (unsigned long long)target->peak_bytes, (unsigned long long)target->used);
    for (int i = 0; i < fake_callback_count; i++)
        target->calls[i] = 0;
    target->bytes_read = 0;
    target->peak_bytes = target->live_bytes;
}

void cost_check_end(void)
{
    fuzz_require(fake_current->live_blocks == 0, "%llu blocks are not given back",
                 (unsigned long long)fake_current->live_blocks);
}
