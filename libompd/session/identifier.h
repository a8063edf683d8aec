/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Object ids: values that cannot be forged by chance and need no table. */
#ifndef LIBOMPD_IDENTIFIER_H
#define LIBOMPD_IDENTIFIER_H

#include "base/export.h"

#include <stdbool.h>
#include <stdint.h>

/* What an id names: a record of the registry, or what a layout shows at an address. */
struct identifier {
    uint32_t kind;       /* ompd_cl_kind_t, of those that have ids */
    uint32_t index;      /* of the record, below 2^24 */
    uint32_t generation; /* of the record, below 2^28 */
    uint64_t handle;     /* layout: cl handle or SVM pointer, below 2^48; else 0 */
};

/* WORD put through the permutation of the address space with SALT, and back: so that a number that
 * was given out is not hit by chance, nor by one of another address space. */
uint64_t identifier_permute(uint64_t word, uint64_t salt);
uint64_t identifier_permute_back(uint64_t word, uint64_t salt);

/* The same for words of 32 bits. */
uint32_t identifier_permute_short(uint32_t word, uint32_t salt);
uint32_t identifier_permute_short_back(uint32_t word, uint32_t salt);

/* The id of IDENTIFIER in the address space with SALT.  0 only for a handle that has no room. */
uint64_t identifier_encode(struct identifier identifier, uint64_t salt);

/* The id of the object of KIND whose record has INDEX and GENERATION. */
static inline uint64_t identifier_of_record(uint32_t kind, uint32_t index, uint32_t generation,
                                            uint64_t salt)
{
    struct identifier identifier = {.kind = kind, .index = index, .generation = generation};

    return identifier_encode(identifier, salt);
}

/* The id of the object of KIND that a layout shows at HANDLE. */
static inline uint64_t identifier_of_handle(uint32_t kind, uint64_t handle, uint64_t salt)
{
    struct identifier identifier = {.kind = kind, .handle = handle};

    return identifier_encode(identifier, salt);
}

/* Take ID apart.  Returns false when no address space with SALT can have given it. */
bool identifier_decode(uint64_t id, uint64_t salt, struct identifier *identifier);

#endif
