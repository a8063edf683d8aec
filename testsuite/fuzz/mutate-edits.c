/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A mutator for inputs of edits.  In addition to changing bytes, it repeats and moves edits and
 * inserts large numbers, because changes of bytes never made counts and sizes that match. */
#include "edits.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed);

static uint32_t state;

/* A number below COUNT. */
static uint32_t below(uint32_t count)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return count == 0 ? 0 : state % count;
}

static uint8_t *edit_at(uint8_t *data, size_t number)
{
    return data + EDIT_HEAD + number * EDIT_SIZE;
}

/* A number that a count or a size is often compared with: small, a power of two, all ones. */
static uint64_t telling_number(void)
{
    switch (below(6)) {
    case 0:
        return below(16);
    case 1:
        return UINT64_C(1) << below(64);
    case 2:
        return (UINT64_C(1) << below(64)) - 1;
    case 3:
        return ~(uint64_t)below(16);
    case 4:
        return UINT64_MAX << below(64);
    default:
        return (uint64_t)below(UINT32_MAX) << below(33);
    }
}

static void change_number(uint8_t *edit)
{
    static const struct {
        uint8_t offset;
        uint8_t size;
    } numbers[] = {{0, 1}, {1, 1}, {2, 2}, {4, 4}, {8, 8}, {8, 4}};
    uint32_t which = below(6);
    uint64_t value = telling_number();

    memcpy(edit + numbers[which].offset, &value, numbers[which].size);
}

static size_t insert(uint8_t *data, size_t count, const uint8_t *edit)
{
    uint8_t copy[EDIT_SIZE];
    size_t at = below((uint32_t)count + 1);

    memcpy(copy, edit, EDIT_SIZE);
    memmove(edit_at(data, at + 1), edit_at(data, at), (count - at) * EDIT_SIZE);
    memcpy(edit_at(data, at), copy, EDIT_SIZE);
    return at;
}

static size_t change(uint8_t *data, size_t size, size_t limit, size_t count)
{
    uint8_t *some = edit_at(data, below((uint32_t)count));
    uint8_t fresh[EDIT_SIZE] = {(uint8_t)below(256), (uint8_t)below(256)};
    bool has_room = size + EDIT_SIZE <= limit && count < EDIT_LIMIT;

    switch (below(8)) {
    case 0:
        if (!has_room)
            return size;
        change_number(fresh);
        change_number(edit_at(data, insert(data, count, fresh)));
        return size + EDIT_SIZE;
    case 1:
    case 2:
        if (!has_room || count == 0)
            return size;
        change_number(edit_at(data, insert(data, count, some)));
        return size + EDIT_SIZE;
    case 3:
        if (count == 0)
            return size;
        memmove(some, some + EDIT_SIZE, (size_t)(data + size - some) - EDIT_SIZE);
        return size - EDIT_SIZE;
    case 4:
        if (count != 0)
            memcpy(some + 8, edit_at(data, below((uint32_t)count)) + 8, 8);
        return size;
    case 5:
        data[below(EDIT_HEAD)] = (uint8_t)below(256);
        return size;
    default:
        if (count != 0)
            change_number(some);
        return size;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed)
{
    size_t count;

    state = seed | 1;
    if (size < EDIT_HEAD || below(4) == 0)
        size = LLVMFuzzerMutate(data, size, limit);
    if (size < EDIT_HEAD)
        return size;
    count = (size - EDIT_HEAD) / EDIT_SIZE;
    size = EDIT_HEAD + count * EDIT_SIZE;
    for (uint32_t changes = 1 + below(4); changes > 0; changes--) {
        size = change(data, size, limit, count);
        count = (size - EDIT_HEAD) / EDIT_SIZE;
    }
    return size;
}
