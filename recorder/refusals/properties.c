/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about lists of properties: pairs of a name and a value, up to a name of 0. */
#include "refusals/refusals.h"

/* A name and its value. */
struct pair {
    uint64_t name;
    uint64_t value;
};

/* Read the word of SIZE bytes at INDEX: a cl_bitfield, or an intptr_t. */
static bool word_read(uint64_t *word, const void *properties, size_t size, size_t index)
{
    const char *from = (const char *)properties + size * index;
    uint32_t half;
    if (size == sizeof(half)) {
        bool is_read = refusal_read(&half, from, size);
        *word = is_read ? half : 0;
        return is_read;
    }
    return refusal_read(word, from, sizeof(*word));
}

/* Read the pair at INDEX. Returns false at the end of the list. */
static bool pair_read(struct pair *pair, const void *properties, size_t size, size_t index)
{
    return properties && index < REFUSAL_PROPERTIES &&
           word_read(&pair->name, properties, size, 2 * index) && pair->name != 0 &&
           word_read(&pair->value, properties, size, 2 * index + 1);
}

uint64_t refusal_property(const void *properties, size_t size, uint64_t name)
{
    struct pair pair;
    for (size_t i = 0; pair_read(&pair, properties, size, i); i++) {
        if (pair.name == name) {
            return pair.value;
        }
    }
    return 0;
}

static bool name_is_among(uint64_t name, const uint64_t *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i] == name) {
            return true;
        }
    }
    return false;
}

/* Whether NAME is in the ranges of extensions. What these mean is not known here. */
static bool name_is_of_extension(uint64_t name)
{
    return (name >= 0x2000 && name < 0x2100) || (name >= 0x4000 && name < 0x6000);
}

bool refusal_has_other_property(struct refusal *refusal, const void *properties, size_t size,
                                const uint64_t *names, size_t count)
{
    struct pair pair;
    for (size_t i = 0; pair_read(&pair, properties, size, i); i++) {
        if (!name_is_of_extension(pair.name) && !name_is_among(pair.name, names, count)) {
            return refusal_values(refusal, pair.name, 0, 0);
        }
    }
    return false;
}

bool refusal_repeats_property(struct refusal *refusal, const void *properties, size_t size)
{
    uint64_t seen[REFUSAL_PROPERTIES];
    struct pair pair;
    for (size_t i = 0; pair_read(&pair, properties, size, i); i++) {
        if (name_is_among(pair.name, seen, i)) {
            return refusal_values(refusal, pair.name, 0, 0);
        }
        seen[i] = pair.name;
    }
    return false;
}
