/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/scan.h"

#include <string.h>

/* Vectors pass between functions of this file alone: how they do that on processors that have none
 * is of no concern. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* What one step looks at: as many vectors as keep the processor's loads busy. */
typedef uint32_t vector __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));
#define STEP_SIZE (8 * sizeof(vector))

/* How far ahead the processor is asked to fetch memory: by itself it does not beyond a page. */
#define FETCH_AHEAD 4096
#define CACHE_LINE 64

static uint64_t word_at(const struct scan_view *view, uint64_t offset)
{
    return target_integer(view->target, view->bytes + offset, view->target->pointer_size);
}

static uint64_t word_of(const void *words, uint64_t index)
{
    return ((const uint64_t *)words)[index];
}

/* The index of VALUE among the words, or their count. */
static uint32_t index_of(const struct scan *scan, uint64_t value)
{
    uint32_t index = (uint32_t)search_first(scan->words, scan->word_count, word_of, value);

    return index < scan->word_count && scan->words[index] == value ? index : scan->word_count;
}

static ompd_rc_t tell_visitor(const struct scan *scan, const struct scan_view *view,
                              uint64_t offset, uint32_t word, bool is_tagged)
{
    struct scan_hit hit = {
        .address = view->start + offset,
        .bytes = view->bytes,
        .size = view->size,
        .at = offset,
        .word = word,
        .is_tagged = is_tagged,
        .start = view->run_start,
        .end = view->run_end,
    };

    target_look_at(view->target, hit.address, view->target->pointer_size);
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
        rc = tell_visitor(scan, view, at, word, false);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* The same, also at those that are a value with a tag. */
static ompd_rc_t look_for_tagged(const struct scan *scan, const struct scan_view *view,
                                 uint64_t from, uint64_t to)
{
    unsigned unit = view->target->pointer_size;
    struct tagged_word tagged;
    ompd_rc_t rc = ompd_rc_ok;

    tagged_word_begin(&tagged, scan->words, scan->word_count, unit);
    for (uint64_t at = from; at < to && rc == ompd_rc_ok; at += unit) {
        bool is_tagged;
        uint32_t word = tagged_word_find(&tagged, word_at(view, at), &is_tagged);

        if (word != scan->word_count)
            rc = tell_visitor(scan, view, at, word, is_tagged);
    }
    return rc;
}

/* Where the vector number INDEX of a step has KEY: all bits of its four bytes, else none. */
static inline vector match_key(const uint8_t *bytes, unsigned index, vector key)
{
    vector words;

    __builtin_memcpy(&words, bytes + index * sizeof(words), sizeof(words));
    return (vector)(words == key);
}

/* The same of all eight vectors of the step at BYTES; written out, as compilers do not at -O2. */
static inline vector match_step(const uint8_t *bytes, vector key)
{
    return ((match_key(bytes, 0, key) | match_key(bytes, 1, key)) |
            (match_key(bytes, 2, key) | match_key(bytes, 3, key))) |
           ((match_key(bytes, 4, key) | match_key(bytes, 5, key)) |
            (match_key(bytes, 6, key) | match_key(bytes, 7, key)));
}

static inline bool is_any(vector found)
{
    halves sum = (halves)found;

    return (sum[0] | sum[1]) != 0;
}

/* Tell whether any four bytes of the step at BYTES are one of COUNT keys. */
static inline bool step_has(const uint8_t *bytes, const vector *keys, uint32_t count)
{
    vector found = match_step(bytes, keys[0]);

    for (uint32_t i = 1; i < count; i++)
        found |= match_step(bytes, keys[i]);
    return is_any(found);
}

/* Have what is some steps behind BYTES fetched; there may be nothing. */
static inline void fetch_ahead(const uint8_t *bytes)
{
    uintptr_t ahead = (uintptr_t)bytes + FETCH_AHEAD;

    __builtin_prefetch((const void *)ahead);
    __builtin_prefetch((const void *)(ahead + CACHE_LINE));
}

/* Look at the words of the step at offset AT that lie in a vector with a value's key. */
static ompd_rc_t look_closer(const struct scan *scan, const struct scan_view *view,
                             const vector *keys, uint32_t count, uint64_t at)
{
    uint64_t end = at + STEP_SIZE;
    ompd_rc_t rc = ompd_rc_ok;

    for (; at < end && rc == ompd_rc_ok; at += sizeof(vector)) {
        vector found = match_key(view->bytes + at, 0, keys[0]);

        for (uint32_t i = 1; i < count; i++)
            found |= match_key(view->bytes + at, 0, keys[i]);
        if (is_any(found))
            rc = look_singly(scan, view, at, at + sizeof(vector));
    }
    return rc;
}

/* Look at each word in [FROM, TO) as look_singly does, but step over what has no value's key.
 * COUNT is a constant where that matters, so that the keys stay in registers. */
static inline __attribute__((always_inline)) ompd_rc_t
look_stepping(const struct scan *scan, const struct scan_view *view, const vector *keys,
              uint32_t count, uint64_t from, uint64_t to)
{
    uint64_t at = from;
    ompd_rc_t rc;

    for (; to - at >= STEP_SIZE; at += STEP_SIZE) {
        fetch_ahead(view->bytes + at);
        if (__builtin_expect(!step_has(view->bytes + at, keys, count), 1))
            continue;
        rc = look_closer(scan, view, keys, count, at);
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
    uint64_t skipped = (unit - view->from % unit) % unit;
    uint64_t from = view->from - view->start + skipped;
    uint64_t to = view->to / unit * unit;
    vector keys[SCAN_FEW_WORDS];

    /* The first whole word may be beyond all addresses. */
    if (to < view->from || to - view->from <= skipped)
        return ompd_rc_ok;
    to -= view->start;
    if (scan->finds_tagged)
        return look_for_tagged(scan, view, from, to);
    if (scan->word_count > SCAN_FEW_WORDS)
        return look_singly(scan, view, from, to);
    for (uint32_t i = 0; i < scan->word_count; i++)
        keys[i] = key_of(view->target, scan->words[i]);
    if (scan->word_count == 1)
        return look_stepping(scan, view, keys, 1, from, to);
    return look_stepping(scan, view, keys, scan->word_count, from, to);
}
