/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An arena of glibc's malloc. All versions of glibc have these fields in a row: the fast bins, the
 * address of the last chunk (`top`), a chunk, and the 126 bins, each as the first and last link of
 * a list that it is part of. An empty bin therefore links to itself. The fields in front differ.
 */
#include "target/heap.h"

#include <string.h>

/* ---- Arenas ---------------------------------------------------------------------------------- */

#define BINS 126

/* Bins that are empty, at least, and those that a thread may be changing. */
#define EMPTY 8
#define CHANGING 2

/* The fields in front of the fast bins end at this offset at the latest. */
#define FRONT 256

/* Bytes of a module's data that are searched, blocks of fast bins: law 6. */
#define SEARCHED (UINT64_C(4) << 20)
#define BLOCKS (UINT64_C(1) << 18)

/* Fast bins of 64 bits and, with an alignment of 16 bytes, of 32. */
#define FAST_BINS 10
#define FAST_BINS_32 11

uint64_t heap_arena_largest(const struct target *target)
{
    uint64_t word = target->pointer_size;

    /* MAX_FAST_SIZE, 80 times a word over 4, as a chunk: rounded up for any alignment. */
    return (20 * word + word + 15) / 16 * 16;
}

/* Return whether bins follow TOP, where an arena may have the address of its last chunk. */
static bool has_bins(struct target *target, uint64_t top)
{
    uint64_t word = target->pointer_size;
    const uint8_t *bytes;
    unsigned empty = 0;
    unsigned changing = 0;

    if (top % word != 0 ||
        target_view(target, top + 2 * word, 2 * BINS * word, 0, &bytes) != ompd_rc_ok)
        return false;
    for (uint32_t i = 0; i < BINS && changing <= CHANGING; i++) {
        uint64_t bin = top + 2 * word * i; /* as if it were a chunk */
        uint64_t next = target_integer(target, bytes + 2 * word * i, (unsigned)word);
        uint64_t before = target_integer(target, bytes + (2 * i + 1) * word, (unsigned)word);

        if (next == bin && before == bin)
            empty++;
        else if (next == bin || before == bin || next == 0 || next % (2 * word) != 0)
            changing++;
    }
    return changing <= CHANGING && empty >= EMPTY;
}

/* Find in [AT, END) where an arena has the address of its last chunk: LAST, 0 for any.  0: nowhere.
 */
static uint64_t find_arena_top(struct target *target, uint64_t at, uint64_t end, uint64_t last)
{
    uint64_t found;

    for (; at < end; at += target->pointer_size) {
        if (last != 0 && !target_word(target, at, &found))
            return 0;
        if ((last == 0 || found == last) && has_bins(target, at))
            return at;
    }
    return 0;
}

static bool is_c_library(const struct module *module)
{
    const char *name = text_file_name(module->name);

    return strncmp(name, "libc.so.", 8) == 0 || strncmp(name, "libc-", 5) == 0;
}

/* The same in the variables of MODULE. */
static uint64_t find_top_in(struct target *target, const struct module *module, uint64_t last)
{
    uint64_t start = module_data_start(target, module);
    uint64_t end = module_memory_end(target, module);

    return find_arena_top(target, start, end - start < SEARCHED ? end : start + SEARCHED, last);
}

/* Find where the main arena has the address of its last chunk, LAST: in the data of the C library,
 * or of the program if that is statically linked. 0: nowhere. */
static uint64_t find_main_top(struct target *target, uint64_t last)
{
    struct module program = {.start = 0};
    struct module module;
    uint64_t top = 0;
    bool has_library = false;

    for (uint32_t i = 0; i < MODULE_LIMIT && top == 0; i++) {
        bool is_library;

        if (module_get(target, i, &module) != ompd_rc_ok)
            break;
        if (i == 0)
            program = module;
        is_library = is_c_library(&module);
        has_library |= is_library;
        if (is_library)
            top = find_top_in(target, &module, last);
    }
    return has_library || program.end == 0 ? top : find_top_in(target, &program, last);
}

/* Add the blocks of the fast bin that is WORDS words in front of TOP. Returns as heap_list_read
 * does. */
static ompd_rc_t read_fast_bin(struct heap_arena *arena, struct target *target, uint64_t top,
                               uint32_t words)
{
    uint64_t word = target->pointer_size;
    struct heap_list list = {.to_block = 2 * word,
                             .least = 4 * word,
                             .most = heap_arena_largest(target),
                             .limit = BLOCKS};

    if (arena->blocks.count > BLOCKS || !target_word(target, top - words * word, &list.first))
        return ompd_rc_unavailable;
    return heap_list_read(target, &list, &arena->blocks);
}

ompd_rc_t heap_arena_read(struct heap_arena *arena, struct target *target, uint64_t state,
                          uint64_t last)
{
    uint32_t bins = target->pointer_size == 8 ? FAST_BINS : FAST_BINS_32;
    uint16_t failure = target->failure;
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t top;

    arena->blocks.count = 0;
    arena->is_whole = false;
    if (state != 0)
        top = find_arena_top(target, state + FAST_BINS * (uint64_t)target->pointer_size,
                             state + FRONT, 0);
    else
        top = find_main_top(target, last);
    arena->is_whole = top != 0;
    for (uint32_t i = 1; i <= bins && top != 0 && !rc_is_final(rc); i++) {
        rc = read_fast_bin(arena, target, top, i);
        /* With 32 bits and an alignment of 8 bytes there is one bin less, behind flags. */
        arena->is_whole &= rc == ompd_rc_ok || i > FAST_BINS;
    }
    extents_sort(&arena->blocks);
    target->failure = failure;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* ---- Lists of free blocks -------------------------------------------------------------------- */

/* A walk along a list. */
struct heap_list_walk {
    struct target *target;
    const struct heap_list *list;
    uint64_t least; /* bytes of its chunks */
    uint64_t most;
};

/* Whether AT, the target of a link, belongs to a chunk of the list. */
static bool block_fits_list(struct heap_list_walk *walk, uint64_t at)
{
    uint64_t word = walk->target->pointer_size;
    uint64_t size;

    if (at % (2 * word) != 0 ||
        !target_word(walk->target, at + walk->list->to_block - word, &size) ||
        (size & CHUNK_IS_MAPPED) != 0)
        return false;
    size &= ~(uint64_t)CHUNK_FLAGS;
    if (size < walk->least || size > walk->most)
        return false;
    if (!walk->list->is_of_a_range)
        walk->least = walk->most = size;
    return true;
}

/* Set *AT to the next block of the list; 0: there is none. Returns false if there is no valid link
 * at *AT. glibc 2.32 and later combine the address with the page number of its location
 * (PROTECT_PTR). */
static bool follow_link(struct heap_list_walk *walk, uint64_t *at)
{
    uint64_t place = *at + walk->list->to_block;
    uint64_t next;

    if (!target_word(walk->target, place, &next))
        return false;
    *at = next ^ place >> 12;
    if (next == 0 || *at == 0) {
        *at = 0;
        return true;
    }
    if (block_fits_list(walk, *at))
        return true;
    *at = next;
    return block_fits_list(walk, next);
}

ompd_rc_t heap_list_read(struct target *target, const struct heap_list *list,
                         struct extents *blocks)
{
    struct heap_list_walk walk = {target, list, list->least, list->most};
    size_t before = blocks->count;
    uint64_t at = list->first;
    uint64_t count = 0;

    if (at != 0 && !block_fits_list(&walk, at))
        return ompd_rc_unavailable;
    while (at != 0) {
        uint64_t block = at + list->to_block;
        ompd_rc_t rc =
            extents_add(blocks, target->memory, (struct extent){.start = block, .end = block + 1});

        if (rc != ompd_rc_ok)
            return rc;
        if (++count > list->limit || !follow_link(&walk, &at)) {
            blocks->count = before;
            return ompd_rc_unavailable;
        }
    }
    return ompd_rc_ok;
}
