/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks are running, and freed ones that look similar. A runtime runs
 * the callbacks when the reference count has become 0. A freed object also has a count of 0 if the
 * allocator left its memory unchanged. Two things distinguish them. The thread that runs the
 * callbacks has the handle on its stack, near the address in the runtime's code to which they
 * return. And at least one callback has not run, so the list is not known to be empty. A callback
 * whose code was unloaded has not run either, but remains of other memory look the same. If the
 * runtime has moved the list out of the object, the list proves nothing. A layout may have a rule
 * that proves more. */
#include "sources/layout/discovery.h"

/* No stack of a thread is larger, unless the program requested it. */
#define MOST_STACK (UINT64_C(64) << 20)

/* A run of memory with more objects is a heap, not a stack; though some runtimes make an object on
 * the stack before they move it. */
#define MOST_ON_STACK 4

/* A runtime that runs callbacks has the handle no further from where they return to, in bytes. */
#define CALL_DISTANCE 1024

/* Lists that are examined, and elements of each: law 6. */
#define LIST_LIMIT 64
#define ELEMENT_LIMIT 64

/* The handles that are searched for on stacks. */
struct stacks {
    const struct discovery *discovery;
    uint64_t *words; /* ascending */
    bool *is_found;
    uint32_t count;
};

static bool seems_dying(const struct candidate *candidate)
{
    return (candidate->flags & candidate_is_chosen) != 0 &&
           (candidate->flags & candidate_dying) != 0;
}

static bool is_possible_stack(void *visitor, const struct region_run *run)
{
    const struct candidates *all = &((const struct stacks *)visitor)->discovery->candidates;

    uint32_t objects = 0;

    if (!run->is_saved || run->end - run->start > MOST_STACK)
        return false;
    for (uint32_t i = candidates_find(all, run->start);
         i < all->count && candidate_at(all, i)->handle < run->end && objects <= MOST_ON_STACK; i++)
        objects += candidate_at(all, i)->chunk != 0 ? MOST_ON_STACK + 1 : 1;
    return objects <= MOST_ON_STACK;
}

/* Return whether a word near a handle, in steps of STEP bytes from it, is an address in RUNTIME's
 * code. */
static bool has_return(const struct discovery *discovery, const struct runtime *runtime,
                       const struct scan_hit *hit, int64_t step)
{
    uint64_t word;

    for (int64_t offset = step; offset >= -CALL_DISTANCE && offset <= CALL_DISTANCE;
         offset += step) {
        if (!scan_hit_number(discovery->target, hit, offset, discovery->target->pointer_size,
                             &word))
            return false;
        if (word >= runtime->start && word < runtime->end &&
            code_is_there(discovery->code, discovery->target, word))
            return true;
    }
    return false;
}

/* Return whether the word at a hit is part of a call by the runtime. An array of handles is not. */
static bool is_in_call(const struct stacks *stacks, const struct scan_hit *hit)
{
    const struct discovery *discovery = stacks->discovery;
    const struct candidates *all = &discovery->candidates;
    uint32_t index = candidates_find(all, stacks->words[hit->word]);
    const struct runtime *runtime = &discovery->runtimes->all[candidate_at(all, index)->runtime];
    int64_t step = discovery->target->pointer_size;

    return has_return(discovery, runtime, hit, step) || has_return(discovery, runtime, hit, -step);
}

/* Note a handle on a stack. A handle inside an object is no sign of a call. */
static ompd_rc_t note_on_stack(void *visitor, const struct scan_hit *hit)
{
    struct stacks *stacks = visitor;
    const struct candidates *all = &stacks->discovery->candidates;
    uint32_t next = candidates_find(all, hit->address + 1);

    if (next > 0) {
        const struct candidate *before = candidate_at(all, next - 1);
        const struct layout *layout = stacks->discovery->runtimes->all[before->runtime].layout;

        if ((int64_t)(hit->address - before->handle) < layout->objects[before->kind].highest)
            return ompd_rc_ok;
    }
    stacks->is_found[hit->word] = stacks->is_found[hit->word] || is_in_call(stacks, hit);
    return ompd_rc_ok;
}

/* What an empty list shows about the object. */
static enum callback_sign inspect_empty_list(const struct layout_object *object,
                                             struct candidate *candidate)
{
    if (!layout_takes_of_dying(object))
        return callback_is_over;
    candidate->flags |= candidate_is_deferred;
    return callback_has_code;
}

/* The best evidence of the callbacks in the object's list. A list that cannot be followed to its
 * end may have any callback, because a runtime may free the elements that it has passed. */
static enum callback_sign inspect_callbacks(const struct discovery *discovery,
                                            struct candidate *candidate)
{
    const struct layout_object *object = candidate_layout(discovery, candidate);
    const struct layout_list_location *list = &object->lists[layout_destructors];
    struct target *target = discovery->target;
    enum callback_sign best = callback_is_over;
    struct container_element element;
    struct container container;
    uint64_t function;

    if (list->shape == layout_no_list)
        return callback_is_over;
    if (container_begin(&container, target, list, candidate->handle) != ompd_rc_ok)
        return callback_has_code;
    for (unsigned i = 0; i < ELEMENT_LIMIT && best != callback_has_code; i++) {
        enum callback_sign sign;

        if (container_next(&container, target, &element) != ompd_rc_ok)
            return callback_has_code;
        if (element.address == 0)
            return i == 0 ? inspect_empty_list(object, candidate) : best;
        if (element_read(target, &list->elements[layout_function], &element, &function) !=
            ompd_rc_ok)
            continue;
        sign = callback_inspect(discovery->code, target, element.address, function);
        if (sign < best)
            best = sign;
    }
    return callback_has_code;
}

/* Fill in the handles of the objects that seem to be dying. */
static void list_handles(struct stacks *stacks)
{
    const struct candidates *all = &stacks->discovery->candidates;

    stacks->count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (!seems_dying(candidate))
            continue;
        stacks->is_found[stacks->count] = false;
        stacks->words[stacks->count++] = candidate->handle;
    }
}

/* Drop the freed objects, and doubt those whose callbacks have no code. */
static void drop_freed(struct stacks *stacks)
{
    const struct candidates *all = &stacks->discovery->candidates;
    uint32_t position = 0;
    uint32_t lists = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);
        enum callback_sign sign = callback_is_over;

        if (!seems_dying(candidate))
            continue;
        if (stacks->is_found[position++] && lists++ < LIST_LIMIT)
            sign = inspect_callbacks(stacks->discovery, candidate);
        if (sign == callback_is_over)
            candidate->flags &= (uint16_t)~candidate_is_chosen;
        if (sign == callback_lacks_code)
            candidate->doubt = ompd_cl_doubt_callback;
    }
}

static ompd_rc_t search_stacks(struct discovery *discovery, struct stacks *stacks)
{
    struct scan scan = {
        .before = CALL_DISTANCE,
        .after = CALL_DISTANCE + sizeof(uint64_t),
        .visit = note_on_stack,
        .wants = is_possible_stack,
        .visitor = stacks,
    };
    ompd_rc_t rc;

    code_doubt_forget(discovery->code);
    list_handles(stacks);
    scan.words = stacks->words;
    scan.word_count = stacks->count;
    rc = scan_memory(&scan, discovery->target);
    discovery->scan.scanned += scan.scanned;
    discovery->scan.is_cancelled = scan.is_cancelled;
    if (scan.is_cancelled)
        return ompd_rc_incomplete;
    /* Unreadable memory was counted by the first scan. */
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    drop_freed(stacks);
    /* Unknown addresses count as code; objects being destroyed are never certain. */
    rc = code_doubt_check(discovery->code, discovery->target);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t destruction_verify(struct discovery *discovery)
{
    const struct candidates *all = &discovery->candidates;
    struct stacks stacks = {.discovery = discovery};
    size_t size;
    void *block;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < all->count; i++)
        stacks.count += seems_dying(candidate_at(all, i));
    if (stacks.count == 0)
        return ompd_rc_ok;
    size = stacks.count * (sizeof(*stacks.words) + sizeof(*stacks.is_found));
    rc = memory_allocate(discovery->target->memory, size, &block);
    if (rc != ompd_rc_ok)
        return rc;
    stacks.words = block;
    stacks.is_found = (bool *)(stacks.words + stacks.count);
    rc = search_stacks(discovery, &stacks);
    memory_free(discovery->target->memory, block);
    return rc;
}
