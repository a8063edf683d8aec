/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "scan-words.h"

#include <string.h>

/* What one step looks at: as many vectors as keep the processor's loads busy. */
typedef uint32_t vector __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));
#define STEP_VECTORS 8
#define STEP_SIZE (STEP_VECTORS * sizeof(vector))

static uint64_t word_at(const struct scan_view *view, uint64_t offset)
{
    return target_integer(view->target, view->bytes + offset, view->target->pointer_size);
}

/* The index of VALUE among the words, or their count. */
static uint32_t index_of(const struct scan *scan, uint64_t value)
{
    uint32_t low = 0;
    uint32_t high = scan->word_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (scan->words[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scan->word_count && scan->words[low] == value ? low : scan->word_count;
}

static ompd_rc_t tell(const struct scan *scan, const struct scan_view *view, uint64_t offset,
                      uint32_t word)
{
    struct scan_hit hit = {
        .address = view->start + offset,
        .bytes = view->bytes + offset,
        .before = offset,
        .after = view->size - offset,
        .word = word,
    };

    return scan->visit(scan->visitor, &hit);
}

/* Look at each word in [FROM, TO), offsets in the view. */
static ompd_rc_t look_singly(const struct scan *scan, const struct scan_view *view, uint64_t from,
                             uint64_t to)
{
    uint64_t least = scan->words[0];
    uint64_t span = scan->words[scan->word_count - 1] - least;
    ompd_rc_t rc;

    for (uint64_t at = from; at < to; at += view->target->pointer_size) {
        uint64_t value = word_at(view, at);
        uint32_t word;

        if (value - least > span)
            continue;
        word = index_of(scan, value);
        if (word == scan->word_count)
            continue;
        rc = tell(scan, view, at, word);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* Tell whether any four bytes of the step at BYTES are the key of one of COUNT values. */
static inline bool step_has(const uint8_t *bytes, const vector *keys, uint32_t count)
{
    vector found = {0};
    halves sum;

    for (unsigned i = 0; i < STEP_VECTORS; i++) {
        vector words;

        __builtin_memcpy(&words, bytes + i * sizeof(words), sizeof(words));
        for (uint32_t key = 0; key < count; key++)
            found |= (vector)(words == keys[key]);
    }
    sum = (halves)found;
    return (sum[0] | sum[1]) != 0;
}

/* The same as look_singly, stepping over what has no value's key.  COUNT is a constant where this
 * is called, which lets the compiler keep the keys in registers. */
static inline __attribute__((always_inline)) ompd_rc_t
look_stepping(const struct scan *scan, const struct scan_view *view, const vector *keys,
              uint32_t count, uint64_t from, uint64_t to)
{
    uint64_t at = from;
    ompd_rc_t rc;

    for (; to - at >= STEP_SIZE; at += STEP_SIZE) {
        if (__builtin_expect(!step_has(view->bytes + at, keys, count), 1))
            continue;
        rc = look_singly(scan, view, at, at + STEP_SIZE);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return look_singly(scan, view, at, to);
}

/* The four bytes of VALUE that tell it best from others, all over a vector, as they lie in the
 * target's memory: the byte order of a word is that of its halves too. */
static vector key_of(const struct target *target, uint64_t value)
{
    uint32_t key = (uint32_t)value;

    if (target->is_swapped)
        key = __builtin_bswap32(key);
    return (vector){key, key, key, key};
}

ompd_rc_t scan_words(const struct scan *scan, const struct scan_view *view)
{
    uint64_t unit = view->target->pointer_size;
    uint64_t from = (view->from + unit - 1) / unit * unit;
    uint64_t to = view->to / unit * unit;
    vector keys[SCAN_FEW_WORDS];

    if (from >= to)
        return ompd_rc_ok;
    from -= view->start;
    to -= view->start;
    if (scan->word_count > SCAN_FEW_WORDS)
        return look_singly(scan, view, from, to);
    for (uint32_t i = 0; i < SCAN_FEW_WORDS; i++)
        keys[i] = key_of(view->target, scan->words[i < scan->word_count ? i : 0]);
    if (scan->word_count == 1)
        return look_stepping(scan, view, keys, 1, from, to);
    if (scan->word_count == 2)
        return look_stepping(scan, view, keys, 2, from, to);
    return look_stepping(scan, view, keys, scan->word_count <= 4 ? 4 : SCAN_FEW_WORDS, from, to);
}
