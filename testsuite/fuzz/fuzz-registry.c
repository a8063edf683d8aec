/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A damaged registry: edits of the root, tables, chunks and records of a population, half of them
 * before the session and half before a refresh.  If all edits change whole numbers, targets of
 * other byte orders and word sizes give the same answers.
 */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "registry-edits.h"
#include "small-memory.h"
#include "small-targets.h"

/* Whether an edit of this input is not the same in targets of other byte orders. */
static bool has_bytes;

static void apply(struct fake_target *target, const struct edits *edits, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        has_bytes |= registry_edit_apply(target, &edits->items[i]);
}

static uint64_t ask_variant(const struct edits *edits, int variant)
{
    struct small_target *small = small_target_get(small_make_population, variant);
    ompd_address_space_handle_t *space = NULL;
    size_t half = (edits->head[0] & 4) != 0 ? edits->count / 2 : edits->count;
    uint64_t sum = 0;

    apply(small->fake, edits, 0, half);
    small_target_arm(small, edits);
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake, &space) ==
        ompd_rc_ok) {
        sum = ask_everything(space, edits->head[3]);
        apply(small->fake, edits, half, edits->count);
        if (half != edits->count) {
            ask_check(space, ompd_cl_address_space_refresh(space));
            sum += 31 * ask_everything(space, edits->head[3]);
        }
        ompd_rel_address_space_handle(space);
    }
    cost_check_end();
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits edits;
    uint64_t sum;

    if (!edits_read(&edits, data, size))
        return 0;
    has_bytes = false;
    sum = ask_variant(&edits, edits.head[0] & 3);
    if ((edits.head[0] & 8) != 0 && edits.head[2] == 0 && !has_bytes)
        fuzz_require(sum == ask_variant(&edits, ~edits.head[0] & 1),
                     "the byte order of the target changes answers");
    return 0;
}
