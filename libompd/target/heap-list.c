/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/heap.h"

/* A walk along a list. */
struct heap_list_walk {
    struct target *target;
    const struct heap_list *list;
    uint64_t least; /* bytes of its chunks */
    uint64_t most;
};

/* Tell whether AT, where a link leads to, is of a chunk of the list. */
static bool is_of_list(struct heap_list_walk *walk, uint64_t at)
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

/* Tell in *AT the next of the list behind that at *AT; 0: there is none.  False: what is there is
 * no link.  glibc 2.32 and later mix an address with the number of the page that it lies in
 * (PROTECT_PTR). */
static bool follow(struct heap_list_walk *walk, uint64_t *at)
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
    if (is_of_list(walk, *at))
        return true;
    *at = next;
    return is_of_list(walk, next);
}

ompd_rc_t heap_list_take(struct target *target, const struct heap_list *list,
                         struct extents *blocks)
{
    struct heap_list_walk walk = {target, list, list->least, list->most};
    size_t before = blocks->count;
    uint64_t at = list->first;
    uint64_t count = 0;

    if (at != 0 && !is_of_list(&walk, at))
        return ompd_rc_unavailable;
    while (at != 0) {
        uint64_t block = at + list->to_block;
        ompd_rc_t rc =
            extents_add(blocks, target->memory, (struct extent){.start = block, .end = block + 1});

        if (rc != ompd_rc_ok)
            return rc;
        if (++count > list->limit || !follow(&walk, &at)) {
            blocks->count = before;
            return ompd_rc_unavailable;
        }
    }
    return ompd_rc_ok;
}
