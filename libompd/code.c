/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "code.h"

#include "module.h"

#include <string.h>

/* Narrow RANGE, about ADDRESS, to the region there.  True when the tool knows whether that is
 * code. */
static bool ask_region(struct target *target, uint64_t address, struct code_range *range)
{
    ompd_cl_region_t region;

    memset(&region, 0, sizeof(region));
    if (target->extra.memory_region(target->context, address, &region) != ompd_rc_ok)
        return false;
    if (address < region.start) {
        range->end = region.start;
        return false;
    }
    if (address >= region.end)
        return false;
    range->start = region.start;
    range->end = region.end;
    if ((region.permissions & ompd_cl_permission_known) == 0) {
        range->is_code = true;
        return false;
    }
    range->is_code = (region.permissions & ompd_cl_permission_execute) != 0;
    return true;
}

static bool contains(const struct code_range *range, uint64_t address)
{
    return address >= range->start && address < range->end;
}

/* Narrow RANGE to the program header of the module that ADDRESS is in, if it is in one; else to
 * where there is no module. */
static void ask_modules(struct target *target, uint64_t address, struct code_range *range)
{
    struct module module;

    range->is_code = false;
    for (uint32_t i = 0; module_get(target, i, &module) == ompd_rc_ok; i++) {
        if (address >= module.start && address < module.end) {
            range->start = module.start;
            range->end = module.end;
            module_segment_find(target, &module, address, range);
            return;
        }
        if (module.start > address && module.start < range->end)
            range->end = module.start;
        if (module.end <= address && module.end > range->start)
            range->start = module.end;
    }
}

/* Learn what the addresses about ADDRESS are. */
static struct code_range learn(struct target *target, uint64_t address)
{
    struct code_range range = {address, UINT64_MAX, false};

    if (target->extra.memory_region != NULL && ask_region(target, address, &range))
        return range;
    if (target->extra.module != NULL)
        ask_modules(target, address, &range);
    else if (target->extra.memory_region == NULL)
        range.is_code = true;
    return range;
}

bool code_is_there(struct code *code, struct target *target, uint64_t address)
{
    struct code_range *range;

    if (address == 0 || address == UINT64_MAX)
        return false;
    if (code->stop != target->stop) {
        memset(code, 0, sizeof(*code));
        code->stop = target->stop;
    }
    for (unsigned i = 0; i < CODE_RANGES; i++) {
        if (contains(&code->ranges[i], address))
            return code->ranges[i].is_code;
    }
    range = &code->ranges[code->next++ % CODE_RANGES];
    *range = learn(target, address);
    return range->is_code;
}
