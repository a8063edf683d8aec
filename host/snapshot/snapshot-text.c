/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing of core notes. */
#include <host/snapshot/snapshot.h>

#include <stdlib.h>
#include <string.h>

void note_text_bytes(struct note_text *notes, const void *bytes, size_t size)
{
    size_t capacity = notes->capacity != 0 ? notes->capacity : 4096;
    uint8_t *grown;

    while (capacity - notes->size < size)
        capacity *= 2;
    if (capacity != notes->capacity) {
        grown = realloc(notes->bytes, capacity);
        if (grown == NULL) {
            notes->is_short = true;
            return;
        }
        notes->bytes = grown;
        notes->capacity = capacity;
    }
    if (bytes != NULL)
        memcpy(notes->bytes + notes->size, bytes, size);
    else
        memset(notes->bytes + notes->size, 0, size);
    notes->size += size;
}

void note_text_number(struct note_text *notes, uint64_t value, size_t size)
{
    bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != notes->target->is_swapped;
    uint8_t bytes[sizeof(value)];

    for (size_t i = 0; i < size; i++)
        bytes[is_little ? i : size - 1 - i] = (uint8_t)(value >> 8 * i);
    note_text_bytes(notes, bytes, size);
}

void note_text_add(struct note_text *notes, const char *name, uint32_t type, const void *contents,
                   size_t size)
{
    size_t length = strlen(name) + 1;

    note_text_number(notes, length, 4);
    note_text_number(notes, size, 4);
    note_text_number(notes, type, 4);
    note_text_bytes(notes, name, length);
    note_text_bytes(notes, NULL, -length % 4);
    note_text_bytes(notes, contents, size);
    note_text_bytes(notes, NULL, -size % 4);
}
