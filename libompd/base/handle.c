/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A handle is a count, a slot and a kind, permuted. Any other value that a tool may pass (a small
 * number, a pointer, a handle of another library) decodes to a huge count; with 32 bits, to any
 * count and slot. */
#include "base/base.h"

#include <string.h>

#define KIND_BITS 2
#define KIND_MASK ((1u << KIND_BITS) - 1)
#define COUNT_SHIFT (HANDLE_SLOT_BITS + KIND_BITS)

/* Larger than every possible count, so that no handle is 0, nor the lower half of one on 32-bit
 * machines. */
#define SALT UINT64_C(0xa0761d64ffffd42f)

uintptr_t handle_encode(struct handle handle)
{
    uintptr_t number = handle.count << COUNT_SHIFT | handle.slot << KIND_BITS | handle.kind;

    if (sizeof(number) == sizeof(uint64_t))
        return (uintptr_t)identifier_permute(number, SALT);
    return identifier_permute_short((uint32_t)number, (uint32_t)SALT);
}

struct handle handle_decode(uintptr_t number)
{
    struct handle handle;

    if (sizeof(number) == sizeof(uint64_t))
        number = (uintptr_t)identifier_permute_back(number, SALT);
    else
        number = identifier_permute_short_back((uint32_t)number, (uint32_t)SALT);
    handle.kind = (enum handle_kind)(number & KIND_MASK);
    handle.slot = (unsigned)(number >> KIND_BITS) % HANDLE_SLOT_COUNT;
    handle.count = number >> COUNT_SHIFT;
    return handle;
}

/* Remove the released entries. */
static void compact_table(struct handle_table *table)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < table->used; i++) {
        if (table->entries[i].kind != handle_of_none)
            table->entries[kept++] = table->entries[i];
    }
    table->used = kept;
}

ompd_rc_t handle_table_make_room(struct handle_table *table, struct memory *memory)
{
    if (table->used == table->capacity && table->capacity != 0 &&
        table->live <= table->capacity / 2)
        compact_table(table);
    return memory_grow(memory, &table->entries, table->used, &table->capacity,
                       sizeof(table->entries[0]));
}

void handle_table_add(struct handle_table *table, const struct handle_entry *entry)
{
    table->entries[table->used++] = *entry;
    table->live++;
}

static uint64_t entry_count(const void *entries, uint64_t index)
{
    return ((const struct handle_entry *)entries)[index].count;
}

struct handle_entry *handle_table_find(struct handle_table *table, struct handle handle)
{
    size_t index = (size_t)search_first(table->entries, table->used, entry_count, handle.count);
    struct handle_entry *entry = &table->entries[index];

    if (index == table->used || entry->count != handle.count || entry->kind != handle.kind)
        return NULL;
    return entry;
}

void handle_table_remove(struct handle_table *table, struct handle_entry *entry)
{
    entry->kind = handle_of_none;
    table->live--;
}
