/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One object at a known handle, without a search of memory: its own rules, and those of the objects
 * that it names, directly or not. */
#include "sources/layout/discovery.h"

#include <string.h>

/* The handle, and those of the objects that it names. An event names its queue, that its device,
 * and both their OpenCL context. */
#define GLANCE_LIMIT 8

struct glance {
    struct discovery discovery;
    uint32_t count;
    uint64_t handles[GLANCE_LIMIT]; /* ascending */
    bool has_more;                  /* than there is room for */
    struct candidate candidates[GLANCE_LIMIT * LAYOUT_KIND_COUNT];
    struct candidate *blocks[1];
};

/* Add HANDLE unless it is known. */
static void glance_add(struct glance *glance, uint64_t handle)
{
    uint32_t position = glance->count;

    if (handle == 0)
        return;
    for (uint32_t i = 0; i < glance->count; i++) {
        if (glance->handles[i] == handle)
            return;
    }
    if (glance->count == GLANCE_LIMIT) {
        glance->has_more = true;
        return;
    }
    for (; position > 0 && glance->handles[position - 1] > handle; position--)
        glance->handles[position] = glance->handles[position - 1];
    glance->handles[position] = handle;
    glance->count++;
}

/* Set the candidates at all handles. *IS_TABLE is set for the one at HANDLE. */
static ompd_rc_t glance_match(struct glance *glance, uint64_t handle, bool *is_table)
{
    struct discovery *discovery = &glance->discovery;
    ompd_rc_t rc = ompd_rc_ok;

    discovery->candidates.count = 0;
    for (uint32_t i = 0; i < glance->count && rc == ompd_rc_ok; i++) {
        bool is_this = glance->handles[i] == handle;
        bool is_other_table;

        rc = match_at(discovery, glance->handles[i], is_this ? is_table : &is_other_table);
        /* Without a candidate, what names it is no object. */
        if (rc == ompd_rc_incomplete && !is_this)
            rc = ompd_rc_ok;
    }
    return rc;
}

/* Add what the candidates name until nothing is new. */
static ompd_rc_t glance_complete(struct glance *glance, uint64_t handle, bool *is_table)
{
    const struct candidates *all = &glance->discovery.candidates;
    uint32_t known = 0;
    ompd_rc_t rc = ompd_rc_ok;

    while (rc == ompd_rc_ok && glance->count != known) {
        known = glance->count;
        rc = glance_match(glance, handle, is_table);
        for (uint32_t i = 0; i < all->count; i++) {
            glance_add(glance, candidate_at(all, i)->context);
            glance_add(glance, candidate_at(all, i)->other);
        }
    }
    return rc;
}

/* The candidate that is the object at HANDLE; NULL if there is none. */
static const struct candidate *glance_choose(struct glance *glance, uint64_t handle)
{
    const struct candidates *all = &glance->discovery.candidates;

    classify_candidates(&glance->discovery);
    for (uint32_t i = candidates_find(all, handle); i < all->count; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (candidate->handle == handle && (candidate->flags & candidate_is_chosen) != 0)
            return candidate;
    }
    return NULL;
}

ompd_rc_t glance_at(struct target *target, const struct runtimes *runtimes, uint64_t handle,
                    enum glance_finding *finding, struct inventory_item *item)
{
    const uint16_t unusual = candidate_dying | candidate_internal | candidate_chunk_lost;
    struct glance glance;
    const struct candidate *found;
    bool is_table = false;
    ompd_rc_t rc;

    memset(&glance, 0, sizeof(glance));
    glance.discovery.target = target;
    glance.discovery.runtimes = runtimes;
    glance.blocks[0] = glance.candidates;
    glance.discovery.candidates =
        (struct candidates){.memory = target->memory, .blocks = glance.blocks, .block_count = 1};
    glance_add(&glance, handle);
    rc = glance_complete(&glance, handle, &is_table);
    if (rc != ompd_rc_ok)
        return rc;
    *finding = is_table ? glance_undecided : glance_nothing;
    found = is_table && !glance.has_more ? glance_choose(&glance, handle) : NULL;
    if (found == NULL || (found->flags & unusual) != 0 || found->doubt != ompd_cl_doubt_none)
        return ompd_rc_ok;
    *finding = glance_object;
    *item = (struct inventory_item){.handle = handle,
                                    .held = HELD_UNKNOWN,
                                    .kind = found->kind,
                                    .runtime = found->runtime,
                                    .confidence = ompd_cl_confidence_presumed};
    return ompd_rc_ok;
}
