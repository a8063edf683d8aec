/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-packed.h"

#include "checksum.h"

#include <string.h>

#define MOST_LITERAL 2048                /* bytes of a piece as they are */
#define MOST_RUN (UINT32_C(4) << 20)     /* of one byte */
#define MOST_CHECKED (1 << 20)           /* bytes of a member of gzip's whose checksum is made */
#define ZSTD_BLOCK (UINT32_C(128) << 10) /* bytes, at most */
#define FRAME_ROOM 64                    /* bytes at the end of one and the beginning of the next */

enum {
    edit_literal, /* INDEX bytes from byte NUMBER on */
    edit_zeros,   /* NUMBER of them */
    edit_run,     /* NUMBER of the byte WHICH */
    edit_frame,   /* another begins */
    edit_repeat,  /* all frames so far, WHICH times */
    edit_byte,    /* VALUE at NUMBER, and so damaged */
    edit_cut,
    edit_garbage,
    edit_kinds
};

/* The frame that is being written. */
static struct {
    struct packed *packed;
    enum packed_format format;
    size_t start;    /* where it begins */
    size_t contents; /* of xz: where they do */
    uint64_t size;   /* bytes that it unpacks to */
    uint32_t check;  /* of them, CRC-32 */
    bool is_new;     /* it is empty */
} frame;

/* ---- Bytes ----------------------------------------------------------------------------------- */

static size_t room(void)
{
    size_t used = frame.packed->size + FRAME_ROOM;

    return used < PACKED_BYTES ? PACKED_BYTES - used : 0;
}

static void put(const void *bytes, size_t count)
{
    memcpy(frame.packed->bytes + frame.packed->size, bytes, count);
    frame.packed->size += count;
}

static void put_number(uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++, number >>= 8)
        put(&(uint8_t){(uint8_t)number}, 1);
}

static void put_checksum(size_t start)
{
    put_number(checksum_add(0, frame.packed->bytes + start, frame.packed->size - start), 4);
}

static void pad(size_t start)
{
    while ((frame.packed->size - start) % 4 != 0)
        put_number(0, 1);
}

/* ---- Runs of one byte ------------------------------------------------------------------------ */

/* RFC 1951, 3.2.6: fixed codes. A block of them is a byte and repetitions of 258 of it. */
static void put_gzip_run(uint8_t byte, uint32_t count)
{
    uint64_t bits = 2; /* not the last block, of fixed codes */
    unsigned size = 3;
    unsigned code = byte < 144 ? 0x30u + byte : 0x190u + byte - 144;

    for (unsigned bit = byte < 144 ? 8 : 9; bit-- > 0;)
        bits |= (uint64_t)(code >> bit & 1) << size++;
    for (uint32_t i = 0; i < (count - 1) / 258; i++) {
        /* 285, 11000101, which stands for 258 bytes; and 0, 00000, for a distance of one byte. */
        bits |= UINT64_C(0xa3) << size;
        for (size += 13; size >= 8; size -= 8, bits >>= 8)
            put_number(bits & 0xff, 1);
    }
    /* The block's end, 0000000; and one of no bytes, so that the next begins with a byte. */
    for (size += 7 + 3; size > 0; size = size > 8 ? size - 8 : 0, bits >>= 8)
        put_number(bits & 0xff, 1);
    put_number(0xffff0000, 4);
}

/* A block of one literal, repetitions of it, and five literals as the format wants them. */
static void put_lz4_run(uint8_t byte, uint32_t count)
{
    size_t start = frame.packed->size;
    uint32_t size;
    uint32_t more = count - 6 - 19;

    put_number(0, 4);
    put((uint8_t[]){0x1f, byte, 1, 0}, 4);
    for (; more >= 255; more -= 255)
        put_number(255, 1);
    put_number(more, 1);
    put((uint8_t[]){0x50, byte, byte, byte, byte, byte}, 6);
    size = (uint32_t)(frame.packed->size - start - 4);
    memcpy(frame.packed->bytes + start, &size, sizeof(size));
}

static void put_zstd_run(uint8_t byte, uint32_t count)
{
    while (count != 0) {
        uint32_t size = count < ZSTD_BLOCK ? count : ZSTD_BLOCK;

        put_number(size << 3 | 2, 3);
        put_number(byte, 1);
        count -= size;
    }
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static void begin_frame(void)
{
    frame.start = frame.packed->size;
    frame.size = 0;
    frame.check = 0;
    frame.is_new = true;
    switch (frame.format) {
    case packed_gzip:
        put("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
        break;
    case packed_xz:
        put("\xfd"
            "7zXZ",
            6);
        put_number(0, 2);
        put_checksum(frame.start + 6);
        frame.contents = frame.packed->size;
        put("\x02\0\x21\x01\x10\0\0", 8);
        put_checksum(frame.contents);
        break;
    case packed_zstd:
        put("\x28\xb5\x2f\xfd\0\x58", 6);
        break;
    default:
        put("\x04\x22\x4d\x18\x60\x70\x73", 7);
    }
}

/* A number of xz: seven bits a byte. */
static void put_digits(uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        put_number((number & 0x7f) | 0x80, 1);
    put_number(number, 1);
}

static void end_xz(void)
{
    size_t index;
    size_t size;

    put_number(0, 1);
    size = frame.packed->size - frame.contents;
    pad(frame.contents);
    index = frame.packed->size;
    put("\0\x01", 2);
    put_digits(size);
    put_digits(frame.size);
    pad(index);
    put_checksum(index);
    size = frame.packed->size - index;
    index = frame.packed->size;
    put_number(0, 4);
    put_number(size / 4 - 1, 4);
    put_number(0, 2);
    size = checksum_add(0, frame.packed->bytes + index + 4, 6);
    memcpy(frame.packed->bytes + index, &(uint32_t){(uint32_t)size}, 4);
    put("YZ", 2);
}

static void end_frame(void)
{
    switch (frame.format) {
    case packed_gzip:
        put("\x01\0\0\xff\xff", 5);
        put_number(frame.check, 4);
        put_number(frame.size, 4);
        break;
    case packed_xz:
        end_xz();
        break;
    case packed_zstd:
        put_number(1, 3);
        break;
    default:
        put_number(0, 4);
    }
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static bool add_piece(struct packed_piece piece)
{
    struct packed *packed = frame.packed;

    if (packed->piece_count == PACKED_PIECES)
        return false;
    packed->pieces[packed->piece_count++] = piece;
    for (uint32_t i = 0; frame.format == packed_gzip && i < piece.count; i++) {
        if (frame.size + piece.count > MOST_CHECKED) {
            packed->is_damaged = true;
            break;
        }
        frame.check =
            checksum_add(frame.check, piece.bytes != NULL ? piece.bytes + i : &piece.byte, 1);
    }
    frame.size += piece.count;
    return true;
}

static void add_literal(const uint8_t *bytes, uint32_t count)
{
    if (count == 0 || count + 8 > room() || !add_piece((struct packed_piece){bytes, 0, count}))
        return;
    switch (frame.format) {
    case packed_gzip:
        put_number(0, 1);
        put_number(count | ~count << 16, 4);
        break;
    case packed_xz:
        put_number(frame.is_new ? 1 : 2, 1);
        put_number((count - 1) >> 8, 1);
        put_number(count - 1, 1);
        break;
    case packed_zstd:
        put_number(count << 3, 3);
        break;
    default:
        put_number(count | UINT32_C(1) << 31, 4);
    }
    put(bytes, count);
    frame.is_new = false;
}

/* The most bytes that a run of COUNT takes. */
static size_t run_size(uint32_t count)
{
    return frame.format == packed_zstd ? count / ZSTD_BLOCK * 4 + 4 : count / 128 + 32;
}

static void add_run(uint8_t byte, uint32_t count)
{
    static uint8_t runs[256][MOST_LITERAL];

    if (frame.format == packed_xz) {
        count %= MOST_LITERAL;
        memset(runs[byte], byte, count);
        add_literal(runs[byte], count);
        return;
    }
    count = count % MOST_RUN + 32;
    if (frame.format == packed_gzip)
        count = (count - 1) / 258 * 258 + 1;
    if (run_size(count) > room() || !add_piece((struct packed_piece){NULL, byte, count}))
        return;
    if (frame.format == packed_gzip)
        put_gzip_run(byte, count);
    else if (frame.format == packed_zstd)
        put_zstd_run(byte, count);
    else
        put_lz4_run(byte, count);
    frame.is_new = false;
}

/* All frames so far once more, as often as there is room. */
static void repeat(unsigned times)
{
    struct packed *packed = frame.packed;
    size_t size = packed->size;
    size_t count = packed->piece_count;

    for (unsigned i = 0; i < times; i++) {
        if (size > room() || packed->piece_count + count > PACKED_PIECES)
            return;
        put(packed->bytes, size);
        memcpy(packed->pieces + packed->piece_count, packed->pieces,
               count * sizeof(packed->pieces[0]));
        packed->piece_count += count;
    }
}

/* ---- Edits ----------------------------------------------------------------------------------- */

/* Bytes that are like no others near them. */
static const uint8_t *literal(uint32_t number)
{
    static uint8_t bytes[2 * MOST_LITERAL];
    uint32_t state = 1;

    for (size_t i = 0; bytes[0] == 0 && i < sizeof(bytes); i++) {
        state = state * UINT32_C(1103515245) + 12345;
        bytes[sizeof(bytes) - 1 - i] = (uint8_t)(state >> 16 | 1);
    }
    return bytes + number % MOST_LITERAL;
}

static void apply(const struct edit *edit)
{
    switch (edit->what % edit_kinds) {
    case edit_literal:
        add_literal(literal(edit->number), edit->index % MOST_LITERAL);
        break;
    case edit_zeros:
        add_run(0, edit->number);
        break;
    case edit_run:
        add_run(edit->which, edit->number);
        break;
    case edit_frame:
    case edit_repeat:
        if (room() < 2 * FRAME_ROOM)
            break;
        end_frame();
        if (edit->what % edit_kinds == edit_repeat)
            repeat(edit->which);
        begin_frame();
        break;
    default:
        break;
    }
}

/* The changes to the complete file. */
static void damage(const struct edit *edit)
{
    struct packed *packed = frame.packed;
    unsigned kind = edit->what % edit_kinds;

    if (kind < edit_byte || packed->size == 0)
        return;
    packed->is_damaged = true;
    if (kind == edit_byte)
        packed->bytes[edit->number % packed->size] = (uint8_t)edit->value;
    else if (kind == edit_cut)
        packed->size = edit->number % packed->size;
    else if (packed->size + sizeof(edit->value) <= PACKED_BYTES)
        put(&edit->value, sizeof(edit->value));
}

void packed_make(struct packed *packed, enum packed_format format, const struct edits *edits)
{
    packed->size = 0;
    packed->is_damaged = false;
    packed->piece_count = 0;
    frame.packed = packed;
    frame.format = format;
    begin_frame();
    for (size_t i = 0; i < edits->count; i++)
        apply(&edits->items[i]);
    end_frame();
    for (size_t i = 0; i < edits->count; i++)
        damage(&edits->items[i]);
}
