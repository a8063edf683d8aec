/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compressed files made by edits: of literal bytes and of runs of one byte, which compress well, in
 * one frame or several, intact or damaged. */
#ifndef FUZZ_SMALL_PACKED_H
#define FUZZ_SMALL_PACKED_H

#include "edits.h"

enum packed_format { packed_gzip, packed_xz, packed_zstd, packed_lz4, packed_formats };

#define PACKED_BYTES (16 << 10) /* at most */
#define PACKED_PIECES 1024

/* The unpacked contents of a part. */
struct packed_piece {
    const uint8_t *bytes; /* NULL: all are `byte` */
    uint8_t byte;
    uint32_t count;
};

struct packed {
    uint8_t bytes[PACKED_BYTES];
    size_t size;
    bool is_damaged; /* so that it may unpack to anything */
    struct packed_piece pieces[PACKED_PIECES];
    size_t piece_count;
};

/* Make the file of FORMAT that EDITS say. */
void packed_make(struct packed *packed, enum packed_format format, const struct edits *edits);

#endif
