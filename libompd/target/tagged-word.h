/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Words that are a pointer with a tag, as the values of dynamic languages and tagged pointers are:
 *  - the low three bits say something else;
 *  - so do the bits above those of an address (NaN-boxing, AArch64's top byte);
 *  - it is shifted left by one to three bits (a small integer), or right by one (a private value of
 *    SpiderMonkey's);
 *  - it is two digits of 30 bits (an int of CPython's);
 *  - it is LuaJIT's light user data: 39 bits, the others kept elsewhere, once for many.
 */
#ifndef LIBOMPD_TAGGED_WORD_H
#define LIBOMPD_TAGGED_WORD_H

#include "base/export.h"

#include <stdbool.h>
#include <stdint.h>

/* Pointers that words are compared with. */
struct tagged_word {
    const uint64_t *pointers; /* ascending, none twice, not 0 */
    uint32_t count;
    unsigned size;    /* of a word, bytes */
    uint64_t address; /* the bits that an address has; all of a word where no tag lies above them */
};

/* Begin to compare words of SIZE bytes with COUNT POINTERS. */
void tagged_word_begin(struct tagged_word *tagged, const uint64_t *pointers, uint32_t count,
                       unsigned size);

/* The index of the pointer that WORD is; the count: it is none.  *IS_TAGGED gets whether it is one
 * with a tag only. */
uint32_t tagged_word_find(const struct tagged_word *tagged, uint64_t word, bool *is_tagged);

#endif
