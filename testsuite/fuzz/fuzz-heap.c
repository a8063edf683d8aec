/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A damaged heap under a correct layout: edits of a runtime's objects, lists and module, with and
 * without a recorder.  The second half of the edits comes before a refresh. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "heap-edits.h"
#include "small-memory.h"
#include "small-targets.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits edits;
    struct small_target *small;
    ompd_address_space_handle_t *space = NULL;
    size_t half;

    if (!edits_read(&edits, data, size))
        return 0;
    small = small_target_get((edits.head[0] & 8) != 0 ? small_make_recorded : small_make_objects,
                             edits.head[0] & 3);
    half = (edits.head[0] & 4) != 0 ? edits.count / 2 : edits.count;
    for (size_t i = 0; i < half; i++)
        heap_edit_apply(small, &edits.items[i]);
    small_target_arm(small, &edits);
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake, &space) ==
        ompd_rc_ok) {
        ask_check(space, ompd_cl_layout_add(space, small->layout, strlen(small->layout)));
        ask_check(space, ompd_cl_sources_set(space, edits.head[3]));
        ask_everything(space, edits.head[3] >> 4);
        for (size_t i = half; i < edits.count; i++)
            heap_edit_apply(small, &edits.items[i]);
        if (half != edits.count) {
            ask_check(space, ompd_cl_address_space_refresh(space));
            ask_everything(space, edits.head[3] >> 4);
        }
        ompd_rel_address_space_handle(space);
    }
    cost_check_end();
    return 0;
}
