/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "inventory.h"

void inventory_free(struct inventory *inventory, struct memory *memory)
{
    while (inventory->first != NULL) {
        struct inventory_block *block = inventory->first;

        inventory->first = block->next;
        memory_free(memory, block, sizeof(*block));
    }
    inventory->last = NULL;
    inventory->stop = 0;
}
