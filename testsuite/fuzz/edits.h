/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inputs of a head and edits of one size, so that a mutator can add, repeat and change whole edits.
 * The target defines what the numbers of an edit mean. */
#ifndef FUZZ_EDITS_H
#define FUZZ_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EDIT_HEAD 4 /* bytes */
#define EDIT_SIZE 16
#define EDIT_LIMIT 128

struct edit {
    uint8_t what;
    uint8_t which;
    uint16_t index;
    uint32_t number;
    uint64_t value;
};

struct edits {
    uint8_t head[EDIT_HEAD];
    struct edit items[EDIT_LIMIT];
    size_t count;
};

/* Read DATA, without an incomplete edit at its end. Returns false if there is no head. */
bool edits_read(struct edits *edits, const uint8_t *data, size_t size);

#endif
