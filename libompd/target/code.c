/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which addresses of the target are code. */
#include "target/target.h"

#include "target/scan.h"

#include <string.h>

/* Narrow RANGE, which contains ADDRESS, to the region there. *IS_TOLD says whether the tool knows
 * whether that is code. Returns ompd_rc_ok, or ompd_rc_incomplete when the tool failed. */
static ompd_rc_t query_region(struct target *target, uint64_t address, struct code_range *range,
                              bool *is_known)
{
    ompd_cl_region_t region;
    ompd_rc_t rc;

    memset(&region, 0, sizeof(region));
    region.struct_size = sizeof(region);
    rc = TARGET_CALL(target, extra.memory_region, address, &region);
    if (rc == ompd_rc_unavailable)
        return ompd_rc_ok;
    if (rc != ompd_rc_ok || address >= region.end) {
        target->failure = ompd_cl_status_unreadable;
        return ompd_rc_incomplete;
    }
    if (address < region.start) {
        range->end = region.start;
        return ompd_rc_ok;
    }
    range->start = region.start;
    range->end = region.end;
    *is_known = (region.permissions & ompd_cl_permission_known) != 0;
    range->is_code = !*is_known || (region.permissions & ompd_cl_permission_execute) != 0;
    return ompd_rc_ok;
}

static bool code_range_contains(const struct code_range *range, uint64_t address)
{
    return address >= range->start && address < range->end;
}

/* Narrow RANGE to the segment of the module around ADDRESS, if *IS_REPORTED; else to the gap
 * between modules. Returns as module_segment_find does. */
static ompd_rc_t query_modules(struct target *target, uint64_t address, struct code_range *range,
                               bool *is_known)
{
    struct module module;
    ompd_rc_t rc;

    range->is_code = false;
    for (uint32_t i = 0; (rc = module_get(target, i, &module)) == ompd_rc_ok; i++) {
        if (address >= module.start && address < module.end) {
            range->start = module.start;
            range->end = module.end;
            *is_known = true;
            return module_segment_find(target, &module, address, range);
        }
        if (module.start > address && module.start < range->end)
            range->end = module.start;
        if (module.end <= address && module.end > range->start)
            range->start = module.end;
    }
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* Learn the range around ADDRESS. Returns as module_segment_find does. */
static ompd_rc_t code_range_learn(struct target *target, uint64_t address, struct code_range *range)
{
    ompd_rc_t failed = ompd_rc_ok;
    bool is_known = false;
    ompd_rc_t rc;

    *range = (struct code_range){.start = address, .end = UINT64_MAX};
    if (target->extra.memory_region != NULL)
        failed = query_region(target, address, range, &is_known);
    else if (target->extra.module == NULL)
        range->is_code = true;
    if (is_known || target->extra.module == NULL)
        return failed;
    rc = query_modules(target, address, range, &is_known);
    return rc == ompd_rc_ok && !is_known ? failed : rc;
}

/* The place among the ranges of the first one that ends above ADDRESS. */
static unsigned code_place_of(const struct code *code, uint64_t address)
{
    unsigned first = 0;
    unsigned after = code->count;

    while (first < after) {
        unsigned middle = (first + after) / 2;

        if (code->ranges[middle].end <= address)
            first = middle + 1;
        else
            after = middle;
    }
    return first;
}

/* The range that contains ADDRESS; NULL when it is not known yet. */
static const struct code_range *code_range_find(struct code *code, uint64_t address)
{
    if (code->last >= code->count || !code_range_contains(&code->ranges[code->last], address))
        code->last = code_place_of(code, address);
    return code->last < code->count && code_range_contains(&code->ranges[code->last], address)
               ? &code->ranges[code->last]
               : NULL;
}

/* Cache LEARNED, around ADDRESS, which no cached range contains. The start of a gap is unknown: a
 * lower address in it is learned again. */
static void code_range_cache(struct code *code, uint64_t address, const struct code_range *learned)
{
    struct code_range range = *learned;
    struct code_range *next;

    if (code->count == CODE_RANGES)
        code->count = 0;
    code->last = code_place_of(code, address);
    next = &code->ranges[code->last];
    if (code->last > 0 && range.start < next[-1].end)
        range.start = next[-1].end;
    if (code->last < code->count && range.end >= next->start) {
        if (range.is_code == next->is_code && range.failure == next->failure) {
            next->start = range.start;
            return;
        }
        range.end = next->start;
    }
    memmove(next + 1, next, (code->count++ - code->last) * sizeof(*next));
    *next = range;
}

/* Remember that an answer is in doubt; ompd_rc_nomem outweighs ompd_rc_incomplete. */
static void code_note_doubt(struct code *code, ompd_rc_t doubt, uint16_t failure)
{
    if (!rc_is_final(code->doubt))
        code->doubt = doubt;
    code->failure = failure;
}

/* Return the answer of RANGE. */
static bool code_answer(struct code *code, const struct code_range *range)
{
    if (range->failure != 0)
        code_note_doubt(code, ompd_rc_incomplete, range->failure);
    return range->is_code;
}

bool code_is_there(struct code *code, struct target *target, uint64_t address)
{
    const struct code_range *found;
    struct code_range range;
    ompd_rc_t rc;

    if (address == 0 || address == UINT64_MAX)
        return false;
    if (code->stop != target->stop) {
        code->count = 0;
        code->stop = target->stop;
    }
    found = code_range_find(code, address);
    if (found != NULL)
        return code_answer(code, found);
    rc = code_range_learn(target, address, &range);
    if (rc_is_final(rc)) {
        code_note_doubt(code, rc, 0);
        return true;
    }
    if (rc != ompd_rc_ok) {
        range.is_code = true;
        range.failure = target->failure;
    }
    code_range_cache(code, address, &range);
    return code_answer(code, &range);
}

void code_retry(struct code *code)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < code->count; i++)
        if (code->ranges[i].failure == 0)
            code->ranges[kept++] = code->ranges[i];
    code->count = kept;
}

void code_doubt_forget(struct code *code)
{
    code->doubt = ompd_rc_ok;
}

ompd_rc_t code_doubt_check(const struct code *code, struct target *target)
{
    if (code->doubt == ompd_rc_incomplete)
        target->failure = code->failure;
    return code->doubt;
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* Linux maps nothing below this address for programs. */
#define LEAST_ADDRESS 65536

/* How far glibc shifts a word's address before it mixes a pointer with it. */
#define MIX_SHIFT 12

/* Whether WORD is what malloc writes to a free chunk of ELEMENT's heap. */
static bool is_chunk_link(struct target *target, uint64_t element, uint64_t word)
{
    return word == 0 || (word % (UINT64_C(2) * target->pointer_size) == 0 &&
                         region_has_both(target, element, word));
}

enum callback_sign callback_inspect(struct code *code, struct target *target, uint64_t element,
                                    uint64_t function)
{
    if (code_is_there(code, target, function))
        return callback_has_code;
    if (function < LEAST_ADDRESS || is_chunk_link(target, element, function) ||
        is_chunk_link(target, element, function ^ element >> MIX_SHIFT))
        return callback_is_over;
    return callback_lacks_code;
}
