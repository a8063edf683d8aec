/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The words of one window: the inner loop of a scan. */
#include "target/scan.h"

#include <string.h>

/* Vectors are only passed within this file, so the calling convention of machines without vectors
 * does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* The vectors of one step: as many as keep the processor's loads busy. */
typedef uint32_t vector __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));
#define STEP_SIZE (8 * sizeof(vector))

/* How far ahead to prefetch: the processor itself does not prefetch beyond a page. */
#define FETCH_AHEAD 4096
#define CACHE_LINE 64

static uint64_t scan_word_at(const struct scan_view *view, uint64_t offset)
{
    return target_integer(view->target, view->bytes + offset, view->target->pointer_size);
}

static uint64_t scan_word(const void *words, uint64_t index)
{
    return ((const uint64_t *)words)[index];
}

/* The index of VALUE among the words, or their count. */
static uint32_t value_index(const struct scan *scan, uint64_t value)
{
    uint32_t index = (uint32_t)search_first(scan->words, scan->word_count, scan_word, value);

    return index < scan->word_count && scan->words[index] == value ? index : scan->word_count;
}

static ompd_rc_t report_hit(const struct scan *scan, const struct scan_view *view, uint64_t offset,
                            uint32_t word, bool is_tagged)
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

    target_note_read(view->target, hit.address, view->target->pointer_size);
    return scan->visit(scan->visitor, &hit);
}

/* Examine each word in [FROM, TO), offsets in the view. */
static ompd_rc_t scan_singly(const struct scan *scan, const struct scan_view *view, uint64_t from,
                             uint64_t to)
{
    uint64_t least = scan->words[0];
    uint64_t span = scan->words[scan->word_count - 1] - least;
    ompd_rc_t rc;

    for (uint64_t at = from; at < to; at += view->target->pointer_size) {
        uint64_t value = scan_word_at(view, at);
        uint32_t word;

        if (value - least > span)
            continue;
        word = value_index(scan, value);
        if (word == scan->word_count)
            continue;
        rc = report_hit(scan, view, at, word, false);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* The same, also at those that are a value with a tag. */
static ompd_rc_t scan_for_tagged(const struct scan *scan, const struct scan_view *view,
                                 uint64_t from, uint64_t to)
{
    unsigned unit = view->target->pointer_size;
    struct tagged_word tagged;
    ompd_rc_t rc = ompd_rc_ok;

    tagged_word_begin(&tagged, scan->words, scan->word_count, unit);
    for (uint64_t at = from; at < to && rc == ompd_rc_ok; at += unit) {
        bool is_tagged;
        uint32_t word = tagged_word_find(&tagged, scan_word_at(view, at), &is_tagged);

        if (word != scan->word_count)
            rc = report_hit(scan, view, at, word, is_tagged);
    }
    return rc;
}

/* The vector that is all ones where vector number INDEX of a step has KEY, and else 0. */
static inline vector match_key(const uint8_t *bytes, unsigned index, vector key)
{
    vector words;

    __builtin_memcpy(&words, bytes + index * sizeof(words), sizeof(words));
    return (vector)(words == key);
}

/* The same for all eight vectors of the step at BYTES; written out, as compilers do not at -O2. */
static inline vector match_step(const uint8_t *bytes, vector key)
{
    return ((match_key(bytes, 0, key) | match_key(bytes, 1, key)) |
            (match_key(bytes, 2, key) | match_key(bytes, 3, key))) |
           ((match_key(bytes, 4, key) | match_key(bytes, 5, key)) |
            (match_key(bytes, 6, key) | match_key(bytes, 7, key)));
}

static inline bool step_has_key(vector found)
{
    halves sum = (halves)found;

    return (sum[0] | sum[1]) != 0;
}

/* Return whether any four bytes of the step at BYTES are one of COUNT keys. */
static inline bool step_has(const uint8_t *bytes, const vector *keys, uint32_t count)
{
    vector found = match_step(bytes, keys[0]);

    for (uint32_t i = 1; i < count; i++)
        found |= match_step(bytes, keys[i]);
    return step_has_key(found);
}

/* Prefetch memory some steps behind BYTES, which may not exist. */
static inline void fetch_ahead(const uint8_t *bytes)
{
    uintptr_t ahead = (uintptr_t)bytes + FETCH_AHEAD;

    __builtin_prefetch((const void *)ahead);
    __builtin_prefetch((const void *)(ahead + CACHE_LINE));
}

/* Examine the words of the step at offset AT that are in a vector with a value's key. */
static ompd_rc_t scan_step(const struct scan *scan, const struct scan_view *view,
                           const vector *keys, uint32_t count, uint64_t at)
{
    uint64_t end = at + STEP_SIZE;
    ompd_rc_t rc = ompd_rc_ok;

    for (; at < end && rc == ompd_rc_ok; at += sizeof(vector)) {
        vector found = match_key(view->bytes + at, 0, keys[0]);

        for (uint32_t i = 1; i < count; i++)
            found |= match_key(view->bytes + at, 0, keys[i]);
        if (step_has_key(found))
            rc = scan_singly(scan, view, at, at + sizeof(vector));
    }
    return rc;
}

/* As scan_singly for the words in [FROM, TO), but skips steps without any value's key. COUNT is a
 * constant where that matters, so that the keys stay in registers. */
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
        rc = scan_step(scan, view, keys, count, at);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return scan_singly(scan, view, at, to);
}

/* The most distinctive four bytes of VALUE, repeated in a vector, in the target's byte order: a
 * word's byte order is also that of its halves. */
static vector word_key(const struct target *target, uint64_t value)
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
        return scan_for_tagged(scan, view, from, to);
    if (scan->word_count > SCAN_FEW_WORDS)
        return scan_singly(scan, view, from, to);
    for (uint32_t i = 0; i < scan->word_count; i++)
        keys[i] = word_key(view->target, scan->words[i]);
    if (scan->word_count == 1)
        return look_stepping(scan, view, keys, 1, from, to);
    return look_stepping(scan, view, keys, scan->word_count, from, to);
}

/* ---- Words with a tag ------------------------------------------------------------------------ */

/* Smaller numbers are not pointers to objects of a runtime. */
#define LEAST_POINTER UINT64_C(0x10000)

/* The low bits of malloc's pointers are 0. */
#define LOW_TAG UINT64_C(7)
#define MOST_SHIFT 3

/* The bits of a program's addresses: of x86-64, and of most other machines. */
#define ADDRESS_47 ((UINT64_C(1) << 47) - 1)
#define ADDRESS_48 ((UINT64_C(1) << 48) - 1)

/* A digit of an int of CPython's. */
#define DIGIT_BITS 30
#define DIGIT ((UINT64_C(1) << DIGIT_BITS) - 1)

/* Light user data of LuaJIT's: its type in the highest bits, then the number of a segment. */
#define LIGHT_TYPE UINT64_C(0x1fffc)
#define LIGHT_TYPE_SHIFT 47
#define LIGHT_BITS 39
#define LIGHT ((UINT64_C(1) << LIGHT_BITS) - 1)
#define SEGMENTS 8 /* that pointers are searched for in, at most: law 6 */

static uint64_t pointer_at(const void *pointers, uint64_t index)
{
    return ((const uint64_t *)pointers)[index];
}

void tagged_word_begin(struct tagged_word *tagged, const uint64_t *pointers, uint32_t count,
                       unsigned size)
{
    uint64_t largest = count != 0 ? pointers[count - 1] : 0;

    *tagged = (struct tagged_word){
        .pointers = pointers, .count = count, .size = size, .address = UINT64_MAX};
    if (size == sizeof(uint64_t) && largest <= ADDRESS_48)
        tagged->address = largest <= ADDRESS_47 ? ADDRESS_47 : ADDRESS_48;
}

/* Whether POINTER lies between the smallest and the largest of TAGGED. */
static inline bool pointer_is_within(const struct tagged_word *tagged, uint64_t pointer)
{
    return pointer - tagged->pointers[0] <=
           tagged->pointers[tagged->count - 1] - tagged->pointers[0];
}

static uint32_t place_of_pointer(const struct tagged_word *tagged, uint64_t pointer)
{
    uint32_t index;

    if (!pointer_is_within(tagged, pointer))
        return tagged->count;
    index = (uint32_t)search_first(tagged->pointers, tagged->count, pointer_at, pointer);
    return index < tagged->count && tagged->pointers[index] == pointer ? index : tagged->count;
}

/* The index of the pointer whose lower bits are in the light user data WORD. */
static uint32_t find_light_pointer(const struct tagged_word *tagged, uint64_t word)
{
    uint32_t index = 0;

    for (unsigned i = 0; i < SEGMENTS && index < tagged->count; i++) {
        uint64_t segment = tagged->pointers[index] & ~LIGHT;
        uint32_t found = place_of_pointer(tagged, segment | (word & LIGHT));

        if (found != tagged->count || segment == ~LIGHT)
            return found;
        index = (uint32_t)search_first(tagged->pointers, tagged->count, pointer_at,
                                       segment + LIGHT + 1);
    }
    return tagged->count;
}

/* The same for the tags of 64-bit words. */
static uint32_t find_wide_pointer(const struct tagged_word *tagged, uint64_t word)
{
    const uint64_t no_digit = ~(DIGIT | DIGIT << 32);
    uint64_t address = word & tagged->address;
    uint32_t index = place_of_pointer(tagged, address);

    if (index == tagged->count)
        index = place_of_pointer(tagged, address & ~LOW_TAG);
    for (unsigned shift = 1; shift <= MOST_SHIFT && index == tagged->count; shift++)
        index = place_of_pointer(tagged, word >> shift & tagged->address);
    if (index == tagged->count && word >> 63 == 0)
        index = place_of_pointer(tagged, word << 1);
    if (index == tagged->count && (word & no_digit) == 0)
        index = place_of_pointer(tagged, (word >> 32) << DIGIT_BITS | (word & DIGIT));
    if (index == tagged->count && word >> LIGHT_TYPE_SHIFT == LIGHT_TYPE)
        index = find_light_pointer(tagged, word);
    return index;
}

uint32_t tagged_word_find(const struct tagged_word *tagged, uint64_t word, bool *is_tagged)
{
    uint32_t index;

    if (word == 0 || tagged->count == 0)
        return tagged->count;
    index = place_of_pointer(tagged, word);
    *is_tagged = index == tagged->count;
    if (!*is_tagged)
        return index;
    index = tagged->size == sizeof(uint64_t) ? find_wide_pointer(tagged, word)
                                             : place_of_pointer(tagged, word & ~LOW_TAG);
    return index != tagged->count && tagged->pointers[index] >= LEAST_POINTER ? index
                                                                              : tagged->count;
}
