/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/scan.h"

/* Below it, a number is no pointer to what a runtime has made. */
#define LEAST_POINTER UINT64_C(0x10000)

/* The low bits of a pointer to what malloc gives are 0. */
#define LOW_TAG UINT64_C(7)
#define MOST_SHIFT 3

/* The bits of a program's addresses: of x86-64, and of most other machines. */
#define ADDRESS_47 ((UINT64_C(1) << 47) - 1)
#define ADDRESS_48 ((UINT64_C(1) << 48) - 1)

/* A digit of an int of CPython's. */
#define DIGIT_BITS 30
#define DIGIT ((UINT64_C(1) << DIGIT_BITS) - 1)

/* Light user data of LuaJIT's: its type in the highest bits, then the number of a segment. */
#define LIGHT_TYPE UINT64_C(0x1fffc)
#define LIGHT_TYPE_SHIFT 47
#define LIGHT_BITS 39
#define LIGHT ((UINT64_C(1) << LIGHT_BITS) - 1)
#define SEGMENTS 8 /* that pointers are looked for in, at most: law 6 */

static uint64_t pointer_at(const void *pointers, uint64_t index)
{
    return ((const uint64_t *)pointers)[index];
}

void tagged_word_begin(struct tagged_word *tagged, const uint64_t *pointers, uint32_t count,
                       unsigned size)
{
    uint64_t largest = count != 0 ? pointers[count - 1] : 0;

    *tagged = (struct tagged_word){
        .pointers = pointers, .count = count, .size = size, .address = UINT64_MAX};
    if (size == sizeof(uint64_t) && largest <= ADDRESS_48)
        tagged->address = largest <= ADDRESS_47 ? ADDRESS_47 : ADDRESS_48;
}

/* Tell whether POINTER may be one of those of TAGGED, by the least and the largest of them. */
static inline bool is_within(const struct tagged_word *tagged, uint64_t pointer)
{
    return pointer - tagged->pointers[0] <=
           tagged->pointers[tagged->count - 1] - tagged->pointers[0];
}

static uint32_t index_of(const struct tagged_word *tagged, uint64_t pointer)
{
    uint32_t index;

    if (!is_within(tagged, pointer))
        return tagged->count;
    index = (uint32_t)search_first(tagged->pointers, tagged->count, pointer_at, pointer);
    return index < tagged->count && tagged->pointers[index] == pointer ? index : tagged->count;
}

/* The index of the pointer whose lower bits light user data WORD has. */
static uint32_t find_light(const struct tagged_word *tagged, uint64_t word)
{
    uint32_t index = 0;

    for (unsigned i = 0; i < SEGMENTS && index < tagged->count; i++) {
        uint64_t segment = tagged->pointers[index] & ~LIGHT;
        uint32_t found = index_of(tagged, segment | (word & LIGHT));

        if (found != tagged->count || segment == ~LIGHT)
            return found;
        index = (uint32_t)search_first(tagged->pointers, tagged->count, pointer_at,
                                       segment + LIGHT + 1);
    }
    return tagged->count;
}

/* The same for what only words of 64 bits can have. */
static uint32_t find_wide(const struct tagged_word *tagged, uint64_t word)
{
    const uint64_t no_digit = ~(DIGIT | DIGIT << 32);
    uint64_t address = word & tagged->address;
    uint32_t index = index_of(tagged, address);

    if (index == tagged->count)
        index = index_of(tagged, address & ~LOW_TAG);
    for (unsigned shift = 1; shift <= MOST_SHIFT && index == tagged->count; shift++)
        index = index_of(tagged, word >> shift & tagged->address);
    if (index == tagged->count && word >> 63 == 0)
        index = index_of(tagged, word << 1);
    if (index == tagged->count && (word & no_digit) == 0)
        index = index_of(tagged, (word >> 32) << DIGIT_BITS | (word & DIGIT));
    if (index == tagged->count && word >> LIGHT_TYPE_SHIFT == LIGHT_TYPE)
        index = find_light(tagged, word);
    return index;
}

uint32_t tagged_word_find(const struct tagged_word *tagged, uint64_t word, bool *is_tagged)
{
    uint32_t index;

    if (word == 0 || tagged->count == 0)
        return tagged->count;
    index = index_of(tagged, word);
    *is_tagged = index == tagged->count;
    if (!*is_tagged)
        return index;
    index = tagged->size == sizeof(uint64_t) ? find_wide(tagged, word)
                                             : index_of(tagged, word & ~LOW_TAG);
    return index != tagged->count && tagged->pointers[index] >= LEAST_POINTER ? index
                                                                              : tagged->count;
}
