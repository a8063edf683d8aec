/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target as the tool's callbacks show it: symbols, sizes, byte order, memory. */
#ifndef LIBOMPD_TARGET_H
#define LIBOMPD_TARGET_H

#include "base/memory.h"

#include <stdbool.h>

/* Point questions read at most this much at once (law 9). */
#define TARGET_BLOCK_SIZE 4096
#define TARGET_BLOCK_COUNT 64

/* Walks read up to this much at once. */
#define TARGET_WINDOW_SIZE (1024 * 1024)

/* A page of target memory that has been read.  Of an earlier stop when its `stop` is not the
 * target's; then good only if `stamp` still holds. */
struct block {
    uint64_t start;
    uint64_t stop;
    uint64_t stamp;
    uint32_t used; /* when last */
    bool is_filled;
};

/* A larger stretch, with a buffer of its own. */
struct window {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    uint64_t stop;
    uint64_t stamp;
    const uint8_t *bytes; /* in `buffer`, or lent by the tool */
    void *buffer;
    uint64_t capacity;
    bool is_searched; /* who fills it says itself what of it is looked at */
};

/* Read-ahead of a walk, in growing pieces. */
struct stream {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    uint64_t stop;
    uint64_t fetched;     /* up to this offset the processor was asked to have it at hand */
    const uint8_t *bytes; /* in the target's `stream_bytes`, or lent by the tool */
    uint32_t used;        /* when last */
};

/* The end of the last view of a stream, and up to TARGET_BLOCK_SIZE that follow. */
struct last_view {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    const uint8_t *bytes;
};

/* An unreadable range at one stop, narrowed by bisection. */
struct unreadable_range {
    uint64_t stop;
    uint64_t start;
    uint64_t end;
};

/* One for the objects of a walk, one for what they point to, and so on. */
#define TARGET_STREAM_COUNT 4
#define TARGET_STREAM_BYTES ((size_t)TARGET_STREAM_COUNT * TARGET_WINDOW_SIZE)

struct target {
    struct memory *memory;
    ompd_callbacks_t callbacks;
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
    uint32_t pointer_size;
    bool is_swapped;  /* its byte order is not ours */
    uint64_t stop;    /* counts the refreshes, from 1 */
    uint16_t failure; /* ompd_cl_status_t of the last read that failed */
    uint32_t clock;   /* of the blocks' `used` */
    uint64_t views;   /* calls of target_view so far */
    struct block blocks[TARGET_BLOCK_COUNT];
    uint8_t *block_bytes; /* TARGET_BLOCK_COUNT blocks; NULL before the first read */
    uint64_t scratch[TARGET_BLOCK_SIZE / sizeof(uint64_t)]; /* a piece that spans two blocks */
    bool is_walking;                                        /* views read ahead */
    struct last_view last_view;                             /* empty when not walking */
    struct stream streams[TARGET_STREAM_COUNT];
    struct unreadable_range unreadable; /* the last that read-ahead met */
    uint32_t last_stream;               /* that was used */
    uint8_t *stream_bytes; /* TARGET_STREAM_COUNT windows; NULL before the first walk */
};

/* Call CALLBACK, a member of TARGET, with the tool context and the arguments given.  Its value, or
 * ompd_rc_interrupted once one has returned that. */
#define TARGET_CALL(target, callback, ...)                                                         \
    CALL_OUT(&(target)->memory->call, (target)->callback((target)->context, __VA_ARGS__))

/* Set TARGET up from tables that were checked, and ask the tool for sizes and byte order.  MEMORY
 * is what it allocates from, and must outlive it.
 * Returns ompd_rc_ok, the failing callback's code, or ompd_rc_error when its answer cannot be. */
ompd_rc_t target_open(struct target *target, struct memory *memory,
                      const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                      ompd_address_space_context_t *context);

/* A new stop: what was read is of an earlier one. */
void target_refresh(struct target *target);

/* Give back what TARGET holds. */
void target_close(struct target *target);

/* Look NAME up in the target.  Returns ompd_rc_ok, ompd_rc_unavailable when there is no such
 * symbol, or ompd_rc_error when the tool failed. */
ompd_rc_t target_symbol(struct target *target, const char *name, uint64_t *address);

/* Tell the tool, which wants to know, that the SIZE bytes at ADDRESS are looked at. */
void target_tell(struct target *target, uint64_t address, uint64_t size);

/* The same where it need not. */
static inline void target_look_at(struct target *target, uint64_t address, uint64_t size)
{
    if (__builtin_expect(target->extra.looked_at != NULL, 0))
        target_tell(target, address, size);
}

/* For target_view: bytes outside the last view. */
ompd_rc_t target_look(struct target *target, uint64_t address, uint64_t size, uint64_t stamp,
                      const uint8_t **bytes);

/*
 * Look at SIZE bytes at ADDRESS (at most TARGET_BLOCK_SIZE): *BYTES points to them until the next
 * call on TARGET.  STAMP, when not 0, stands for the contents: what was read under the same stamp
 * at an earlier stop is still good. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete with
 * `failure` set.
 */
static inline ompd_rc_t target_view(struct target *target, uint64_t address, uint64_t size,
                                    uint64_t stamp, const uint8_t **bytes)
{
    uint64_t offset = address - target->last_view.start;

    target->views++;
    target_look_at(target, address, size);
    if (offset < target->last_view.size && size <= target->last_view.size - offset) {
        *bytes = target->last_view.bytes + offset;
        return ompd_rc_ok;
    }
    return target_look(target, address, size, stamp, bytes);
}

/* Tell whether the page at START has been read as a block at this stop. */
bool target_has_block(const struct target *target, uint64_t start);

/* Tell whether the tool lends SIZE bytes at ADDRESS, at *LENT; one that lends NULL does not. */
bool target_is_lent(struct target *target, uint64_t address, uint64_t size, const void **lent);

/* Read SIZE bytes at ADDRESS into BYTES as they are in the target now, whatever was read of it
 * before.  Returns ompd_rc_ok, or ompd_rc_incomplete with `failure` set. */
ompd_rc_t target_read_now(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* The same of more than what is asked for: that it cannot be read is no failure, and `failure`
 * stays as it is. */
ompd_rc_t target_read_try(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* Fill WINDOW with SIZE bytes at ADDRESS (at most TARGET_WINDOW_SIZE).  Returns as target_view;
 * when the read fails the window is empty. */
ompd_rc_t target_fill(struct target *target, struct window *window, uint64_t address, uint64_t size,
                      uint64_t stamp);

/* Give back a window's buffer. */
void target_window_close(struct target *target, struct window *window);

/* An unsigned integer of SIZE bytes (1, 2, 4 or 8) of the target at BYTES. */
static inline uint64_t target_integer(const struct target *target, const uint8_t *bytes,
                                      unsigned size)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (size) {
    case 1:
        return bytes[0];
    case 2:
        __builtin_memcpy(&two, bytes, sizeof(two));
        return target->is_swapped ? __builtin_bswap16(two) : two;
    case 4:
        __builtin_memcpy(&four, bytes, sizeof(four));
        return target->is_swapped ? __builtin_bswap32(four) : four;
    default:
        __builtin_memcpy(&eight, bytes, sizeof(eight));
        return target->is_swapped ? __builtin_bswap64(eight) : eight;
    }
}

/* The number of a pointer's size at ADDRESS, in *VALUE.  False when it cannot be read. */
static inline bool target_word(struct target *target, uint64_t address, uint64_t *value)
{
    const uint8_t *bytes;

    if (target_view(target, address, target->pointer_size, 0, &bytes) != ompd_rc_ok)
        return false;
    *value = target_integer(target, bytes, target->pointer_size);
    return true;
}

/* An unsigned integer of the target: MEMBER of a struct TYPE that lies at BYTES. */
#define TARGET_MEMBER(target, bytes, type, member)                                                 \
    target_integer(target, (bytes) + offsetof(struct type, member),                                \
                   sizeof(((struct type *)0)->member))

#endif
