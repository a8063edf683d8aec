/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "edits.h"

#include <string.h>

static uint64_t number(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

bool edits_read(struct edits *edits, const uint8_t *data, size_t size)
{
    edits->count = 0;
    if (size < EDIT_HEAD)
        return false;
    memcpy(edits->head, data, EDIT_HEAD);
    data += EDIT_HEAD;
    size -= EDIT_HEAD;
    for (; size >= EDIT_SIZE && edits->count < EDIT_LIMIT; data += EDIT_SIZE, size -= EDIT_SIZE)
        edits->items[edits->count++] =
            (struct edit){data[0], data[1], (uint16_t)number(data + 2, 2),
                          (uint32_t)number(data + 4, 4), number(data + 8, 8)};
    return true;
}
