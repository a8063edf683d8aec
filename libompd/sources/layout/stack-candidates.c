/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates on threads' stacks: a runtime builds an object there and moves it to the heap. */
#include "sources/layout/discovery.h"

/* If an allocator stores no sizes, only its place identifies a copy. */
static bool stack_candidate_is_copy(const struct candidate *candidate)
{
    const uint16_t other = candidate_is_named | candidate_chunk_lost | candidate_is_discarded;

    return (candidate->flags & candidate_is_chosen) != 0 && (candidate->flags & other) == 0 &&
           candidate->doubt == ompd_cl_doubt_none && candidate->chunk == 0;
}

/* A walk through stacks. */
struct stacks {
    struct discovery *discovery;
    void (*copy)(struct discovery *discovery, struct candidate *candidate);
    uint32_t number; /* of the stack pointer */
};

/* The first candidate in [START, END) that may be a copy; NULL if there is none. */
static struct candidate *suspect_between(const struct stacks *stacks, uint64_t start, uint64_t end)
{
    const struct candidates *all = &stacks->discovery->candidates;

    for (uint32_t i = candidates_find(all, start); i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (candidate->handle >= end)
            return NULL;
        if (stack_candidate_is_copy(candidate))
            return candidate;
    }
    return NULL;
}

static void doubt_between(const struct stacks *stacks, uint64_t start, uint64_t end)
{
    struct candidate *candidate;

    while ((candidate = suspect_between(stacks, start, end)) != NULL) {
        stacks->copy(stacks->discovery, candidate);
        candidate->doubt = ompd_cl_doubt_place;
    }
}

static void doubt_on_main_stack(const struct stacks *stacks)
{
    struct target *target = stacks->discovery->target;
    uint64_t begin = stack_main_begin(target);
    struct region_run stack;

    if (begin != 0 && region_find(target, begin, &stack))
        doubt_between(stacks, stack.start, begin);
}

/* glibc stores a thread's own data at the top of its stack, and a guard page at the bottom: without
 * that page the mapping may contain more than the stack. The first thread's data is elsewhere. */
static ompd_rc_t doubt_on_stack_of(const struct stacks *stacks,
                                   const ompd_cl_target_thread_t *thread)
{
    struct target *target = stacks->discovery->target;
    struct region_run stack;
    struct region_run guard;
    uint64_t pointer;
    ompd_rc_t rc;

    if (thread->pthread == 0 || !region_find(target, thread->pthread, &stack) ||
        suspect_between(stacks, stack.start, thread->pthread) == NULL ||
        (region_find(target, stack.start - 1, &guard) && guard.is_usable))
        return ompd_rc_ok;
    rc = stack_pointer_get(target, stacks->number, thread->lwp, &pointer);
    if (rc == ompd_rc_ok && pointer >= stack.start && pointer < thread->pthread)
        doubt_between(stacks, stack.start, thread->pthread);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t stack_candidates_doubt(struct discovery *discovery,
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate))
{
    struct stacks stacks = {.discovery = discovery, .copy = copy};
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc;

    if (suspect_between(&stacks, 0, UINT64_MAX) == NULL)
        return ompd_rc_ok;
    doubt_on_main_stack(&stacks);
    stacks.number = stack_pointer_number(discovery->target);
    for (uint32_t i = 0; (rc = thread_get(discovery->target, i, &thread)) == ompd_rc_ok; i++) {
        rc = doubt_on_stack_of(&stacks, &thread);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}
