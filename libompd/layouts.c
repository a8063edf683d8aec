/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layouts.h"

void layouts_free(struct address_space *space)
{
    while (space->layouts != NULL) {
        struct known_layout *known = space->layouts;

        space->layouts = known->next;
        memory_free(space->target.memory, known, sizeof(*known));
    }
}
