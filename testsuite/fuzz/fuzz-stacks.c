/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Damaged call stacks, code and unwind tables: edits of threads that are in OpenCL functions, run a
 * callback or wait for a mutex.  The second half of the edits comes before a refresh. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-stacks.h"

#include <string.h>

/* The target that HEAD chooses. */
static struct small_target *target_of(const uint8_t *head)
{
    static const small_make_t makes[] = {small_make_stacks, small_make_aarch64_stacks,
                                         small_make_recorded_stacks, small_make_stacks};
    struct small_target *small = small_target_get(makes[head[0] >> 4 & 3], head[0] & 3);

    small_stacks_restore(small);
    return small;
}

static void apply(struct small_target *small, const struct edits *edits, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        small_stacks_edit(small, &edits->items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits edits;
    struct small_target *small;
    ompd_address_space_handle_t *space = NULL;
    size_t half;
    unsigned parts;

    if (!edits_read(&edits, data, size))
        return 0;
    small = target_of(edits.head);
    half = (edits.head[0] & 4) != 0 ? edits.count / 2 : edits.count;
    /* Mostly facts from stacks alone, because the rest takes most of the time. */
    parts = (edits.head[3] & 0xc0) == 0xc0 ? edits.head[3] & ask_all : ask_threads;
    apply(small, &edits, 0, half);
    small_target_arm(small, &edits);
    if (ompd_cl_address_space_create(small_callbacks(), small_stacks_extra(), (void *)small->fake,
                                     &space) == ompd_rc_ok) {
        ask_check(space, ompd_cl_layout_add(space, small->layout, strlen(small->layout)));
        ask_everything(space, parts);
        apply(small, &edits, half, edits.count);
        if (half != edits.count) {
            ask_check(space, ompd_cl_address_space_refresh(space));
            ask_everything(space, parts);
        }
        ompd_rel_address_space_handle(space);
    }
    cost_check_end();
    return 0;
}
