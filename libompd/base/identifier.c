/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An id is a kind, an index, a generation and eight check bits, permuted as a 64-bit word that
 * depends on the address space. A word that was never issued decodes to random bits: check bits,
 * kind, index and generation would all have to match, and the caller checks the last two. The id of
 * an object that a layout shows has a handle in place of index and generation, marked by a kind of
 * its own. Keys of texts have two such kinds. */
#include "base/base.h"

#include <ompd-opencl.h>

#define KIND_SHIFT 60
#define INDEX_SHIFT 36
#define INDEX_MASK UINT64_C(0xffffff)
#define GENERATION_SHIFT 8
#define GENERATION_MASK UINT64_C(0xfffffff)
#define CHECK_MASK UINT64_C(0xff)

/* The kinds with ids, by position: a kind takes four bits of an id. */
static const uint8_t kinds[] = {
#define DESCRIBED(kind) ompd_cl_kind_##kind,
#include <schema/kinds.def>
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

/* In place of a kind: a kind and a handle follow. */
#define HANDLE_KIND UINT64_C(15)
/* The kinds of text keys: a block of the registry, and a module. */
#define TEXT_BLOCK_KIND UINT64_C(14)
#define TEXT_MODULE_KIND UINT64_C(13)
/* Kinds from this position on have no records, so their ids always have a handle. */
#define RECORD_KIND_COUNT TEXT_MODULE_KIND
/* The kinds from position 16 on follow TEXT_MODULE_KIND, above the kinds of text keys. */
#define FIRST_LATER_KIND UINT64_C(16)
#define LATER_KIND_BASE UINT64_C(8)
_Static_assert(KIND_COUNT <= 24, "the kinds from position 16 on have eight values");
#define HANDLE_KIND_SHIFT 56
#define HANDLE_SHIFT 8
#define HANDLE_MASK UINT64_C(0xffffffffffff)

static uint64_t identifier_check(uint64_t word)
{
    word = (word >> GENERATION_SHIFT) * IDENTIFIER_FACTOR;
    return word >> 56;
}

/* The position of KIND, which has ids. */
static uint64_t kind_position(uint32_t kind)
{
    uint64_t position = 0;

    while (position < KIND_COUNT - 1 && kinds[position] != kind)
        position++;
    return position;
}

static uint64_t identifier_word(const struct identifier *identifier)
{
    uint64_t position = kind_position(identifier->kind);

    if (identifier->handle != 0 && position >= FIRST_LATER_KIND)
        return TEXT_MODULE_KIND << KIND_SHIFT |
               (position - FIRST_LATER_KIND + LATER_KIND_BASE) << HANDLE_KIND_SHIFT |
               identifier->handle << HANDLE_SHIFT;
    if (identifier->handle != 0)
        return HANDLE_KIND << KIND_SHIFT | position << HANDLE_KIND_SHIFT |
               identifier->handle << HANDLE_SHIFT;
    return position << KIND_SHIFT | (identifier->index & INDEX_MASK) << INDEX_SHIFT |
           (identifier->generation & GENERATION_MASK) << GENERATION_SHIFT;
}

uint64_t identifier_encode(struct identifier identifier, uint64_t salt)
{
    uint64_t word = identifier_word(&identifier);

    if (identifier.handle > HANDLE_MASK)
        return 0;
    return identifier_permute(word | identifier_check(word), salt);
}

/* Set *POSITION to that of the kind in WORD. Returns whether the id has a handle. */
static bool decode_position(uint64_t word, uint64_t *position)
{
    uint64_t second = word >> HANDLE_KIND_SHIFT & 15;

    *position = word >> KIND_SHIFT;
    if (*position == HANDLE_KIND) {
        *position = second;
        return true;
    }
    if (*position == TEXT_MODULE_KIND && second >= LATER_KIND_BASE) {
        *position = second - LATER_KIND_BASE + FIRST_LATER_KIND;
        return true;
    }
    return false;
}

bool identifier_decode(uint64_t id, uint64_t salt, struct identifier *identifier)
{
    uint64_t word = identifier_permute_back(id, salt);
    uint64_t position;
    bool is_of_handle = decode_position(word, &position);

    if (id == 0 || (word & CHECK_MASK) != identifier_check(word) || position >= KIND_COUNT ||
        (!is_of_handle && position >= RECORD_KIND_COUNT))
        return false;
    *identifier = (struct identifier){.kind = kinds[position]};
    if (is_of_handle) {
        identifier->handle = word >> HANDLE_SHIFT & HANDLE_MASK;
        return identifier->handle != 0;
    }
    identifier->index = (uint32_t)(word >> INDEX_SHIFT & INDEX_MASK);
    identifier->generation = (uint32_t)(word >> GENERATION_SHIFT & GENERATION_MASK);
    return true;
}

uint64_t text_key_encode(struct text_key key, uint64_t salt)
{
    uint64_t word = TEXT_BLOCK_KIND << KIND_SHIFT | (key.block & INDEX_MASK) << INDEX_SHIFT |
                    (key.generation & GENERATION_MASK) << GENERATION_SHIFT;

    if (key.kind != text_key_of_record) {
        if (key.start > HANDLE_MASK)
            return 0;
        word = TEXT_MODULE_KIND << KIND_SHIFT | (uint64_t)key.kind << HANDLE_KIND_SHIFT |
               key.start << HANDLE_SHIFT;
    }
    return identifier_permute(word | identifier_check(word), salt);
}

bool text_key_decode(uint64_t number, uint64_t salt, struct text_key *key)
{
    uint64_t word = identifier_permute_back(number, salt);
    uint64_t kind = word >> HANDLE_KIND_SHIFT & 15;

    if (number == 0 || (word & CHECK_MASK) != identifier_check(word))
        return false;
    if (word >> KIND_SHIFT == TEXT_BLOCK_KIND) {
        *key =
            (struct text_key){.kind = text_key_of_record,
                              .block = (uint32_t)(word >> INDEX_SHIFT & INDEX_MASK),
                              .generation = (uint32_t)(word >> GENERATION_SHIFT & GENERATION_MASK)};
        return true;
    }
    *key = (struct text_key){.kind = (enum text_key_kind)kind,
                             .start = word >> HANDLE_SHIFT & HANDLE_MASK};
    return word >> KIND_SHIFT == TEXT_MODULE_KIND &&
           (kind == text_key_of_module_path || kind == text_key_of_build_id);
}
