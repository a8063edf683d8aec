/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks wait for a thread of the runtime. Some runtimes call them on a
 * thread of their own. Until then, the runtime holds a reference on the object, which resembles any
 * live object without callbacks. Two things show it. One is the list of waiting objects, which
 * begins in the module's data. The other, for the object whose callbacks run, is their return
 * address on the stack of that thread, with the handle near it. Every other call from the same code
 * stores another address there. */
#include "sources/layout/discovery.h"

#include "sources/layout/layout-source.h"

/* Nodes of a list that are followed: law 6. */
#define NODE_LIMIT 65536

/* No stack of a thread is larger, unless the program requested it. */
#define MOST_STACK (UINT64_C(64) << 20)

/* The runtime, or the callback, has the handle no further from the address to which the callback
 * returns, in bytes. */
#define RETURN_DISTANCE 256

/* The addresses to which callbacks return, of each runtime and kind. */
#define RETURN_LIMIT (RUNTIME_LIMIT * LAYOUT_KIND_COUNT)

struct returns {
    struct discovery *discovery;
    uint64_t words[RETURN_LIMIT]; /* ascending */
    uint32_t count;
};

/* Return whether the list of destructor callbacks of the object of LAYOUT at HANDLE is empty. */
static bool has_no_callbacks(struct target *target, const struct layout_object *layout,
                             uint64_t handle)
{
    struct container container;

    return container_begin(&container, target, &layout->lists[layout_destructors], handle) ==
               ompd_rc_ok &&
           container.count == 0;
}

bool deferred_destructors_are_possible(struct target *target, const struct layout_object *layout,
                                       uint64_t handle)
{
    const struct layout_rule *taken = &layout->taken;
    uint64_t number;

    return taken->width != 0 && taken->least != 0 &&
           container_number(target, handle, taken->offset, taken->width, &number) == ompd_rc_ok &&
           number >= taken->least && number <= taken->most &&
           has_no_callbacks(target, layout, handle);
}

/* The object at HANDLE if it may be one whose callbacks were taken out while it is live; else
 * NULL. */
static struct candidate *find_deferred(const struct discovery *discovery, uint64_t handle)
{
    uint32_t index = candidates_find(&discovery->candidates, handle);
    struct candidate *candidate;

    if (index == discovery->candidates.count)
        return NULL;
    candidate = candidate_at(&discovery->candidates, index);
    if (candidate->handle != handle || (candidate->flags & candidate_is_chosen) == 0 ||
        (candidate->flags & candidate_dying) != 0 ||
        !deferred_destructors_are_possible(discovery->target,
                                           candidate_layout(discovery, candidate), handle))
        return NULL;
    return candidate;
}

static void mark_deferred(struct candidate *candidate)
{
    candidate->flags |= candidate_is_deferred;
    candidate->is_destroyed = true;
}

/* ---- Those that wait ------------------------------------------------------------------------- */

/* Mark the objects in the list that begins at HEAD. */
static ompd_rc_t mark_waiting(struct discovery *discovery, const struct layout_taken_list *list,
                              uint64_t head)
{
    struct target *target = discovery->target;
    unsigned width = target->pointer_size;
    uint64_t kept = 0; /* an earlier node, which a cycle comes back to (Brent) */
    uint64_t node = 0;
    ompd_rc_t rc = container_number(target, head, 0, width, &node);

    for (uint32_t i = 1; rc == ompd_rc_ok && node != 0; i++) {
        struct candidate *candidate;
        uint64_t handle = 0;

        if (node == kept || i > NODE_LIMIT)
            return container_refuse(target);
        if ((i & (i - 1)) == 0)
            kept = node;
        rc = container_number(target, node, list->object, width, &handle);
        if (rc != ompd_rc_ok)
            return rc;
        candidate = find_deferred(discovery, handle);
        if (candidate != NULL)
            mark_deferred(candidate);
        rc = container_number(target, node, list->next, width, &node);
    }
    return rc;
}

static ompd_rc_t find_waiting(struct discovery *discovery)
{
    const struct runtimes *runtimes = discovery->runtimes;

    for (uint32_t i = 0; i < runtimes->count; i++) {
        const struct runtime *runtime = &runtimes->all[i];
        ompd_rc_t rc;

        if (runtime->layout == NULL || runtime->layout->taken_list.head == 0)
            continue;
        rc = mark_waiting(discovery, &runtime->layout->taken_list,
                          runtime->start + runtime->layout->taken_list.head);
        if (rc_is_final(rc))
            return rc;
        /* Some of the waiting objects may seem live. */
        if (rc != ompd_rc_ok)
            discovery->scan.failure = discovery->target->failure;
    }
    return ompd_rc_ok;
}

/* ---- The one whose callbacks run ------------------------------------------------------------- */

static bool may_have_callbacks(void *visitor, const struct region_run *run)
{
    (void)visitor;
    return run->is_saved && run->end - run->start <= MOST_STACK;
}

/* The memory object or OpenCL context whose handle is OFFSET bytes from a hit; NULL if there is
 * none. */
static struct candidate *find_near_hit(const struct returns *returns, const struct scan_hit *hit,
                                       int64_t offset)
{
    struct target *target = returns->discovery->target;
    uint64_t handle;

    if (!scan_hit_number(target, hit, offset, target->pointer_size, &handle))
        return NULL;
    return find_deferred(returns->discovery, handle);
}

/* Mark the nearest object about the address to which a callback returns. */
static ompd_rc_t mark_running(void *visitor, const struct scan_hit *hit)
{
    const struct returns *returns = visitor;
    int64_t step = returns->discovery->target->pointer_size;
    struct candidate *candidate = NULL;

    for (int64_t offset = step; offset <= RETURN_DISTANCE && candidate == NULL; offset += step) {
        candidate = find_near_hit(returns, hit, -offset);
        if (candidate == NULL)
            candidate = find_near_hit(returns, hit, offset);
    }
    if (candidate != NULL)
        mark_deferred(candidate);
    return ompd_rc_ok;
}

/* Put ADDRESS among the words, if it is not there. */
static void add_return(struct returns *returns, uint64_t address)
{
    uint32_t at = 0;

    while (at < returns->count && returns->words[at] < address)
        at++;
    if (at < returns->count && returns->words[at] == address)
        return;
    for (uint32_t i = returns->count++; i > at; i--)
        returns->words[i] = returns->words[i - 1];
    returns->words[at] = address;
}

static void list_returns(struct returns *returns)
{
    const struct runtimes *runtimes = returns->discovery->runtimes;

    for (uint32_t i = 0; i < runtimes->count; i++) {
        const struct runtime *runtime = &runtimes->all[i];

        for (uint32_t kind = 0; runtime->layout != NULL && kind < LAYOUT_KIND_COUNT; kind++) {
            const struct layout_object *object = &runtime->layout->objects[kind];

            if (object->taken_return != 0 && object->taken.least != 0)
                add_return(returns, runtime->start + object->taken_return);
        }
    }
}

static ompd_rc_t find_running(struct discovery *discovery)
{
    struct returns returns = {.discovery = discovery};
    struct scan scan = {
        .words = returns.words,
        .before = RETURN_DISTANCE,
        .after = RETURN_DISTANCE + sizeof(uint64_t),
        .visit = mark_running,
        .wants = may_have_callbacks,
        .visitor = &returns,
    };
    ompd_rc_t rc;

    list_returns(&returns);
    scan.word_count = returns.count;
    if (returns.count == 0)
        return ompd_rc_ok;
    rc = scan_memory(&scan, discovery->target);
    discovery->scan.scanned += scan.scanned;
    discovery->scan.is_cancelled = scan.is_cancelled;
    if (scan.is_cancelled)
        return ompd_rc_incomplete;
    /* Unreadable memory was counted by the first scan. */
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t deferred_destructors_find(struct discovery *discovery)
{
    ompd_rc_t rc = find_waiting(discovery);

    return rc == ompd_rc_ok ? find_running(discovery) : rc;
}
