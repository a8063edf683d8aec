/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Words that lead to a dispatch table but match no object of the layout. */
#include "sources/layout/discovery.h"

/* The number of rules, other than those on counts, that a freed object may break, because runtimes
 * reset locks and lists. A word that breaks more looks like nothing. */
#define MOST_UNDONE 1
#define LEAST_KEPT 2

/* How a hit satisfies the rules of a kind. */
struct keeping {
    unsigned kept;
    unsigned broken;    /* but for those on counts */
    bool is_count_zero; /* a rule on a count is broken by 0, */
    bool is_count_odd;  /* or no count */
};

/* Examine all rules of OBJECT. False when some cannot be read. */
static bool check_rules(struct target *target, const struct scan_hit *hit,
                        const struct layout_object *object, struct keeping *keeping)
{
    uint64_t value;

    for (uint32_t i = 0; i < object->rule_count; i++) {
        const struct layout_rule *rule = &object->rules[i];

        if (!scan_hit_number(target, hit, rule->offset, rule->width, &value))
            return false;
        if (value >= rule->least && value <= rule->most)
            keeping->kept++;
        else if (!layout_rule_is_on_count(rule))
            keeping->broken++;
        else if (value == 0)
            keeping->is_count_zero = true;
        else
            keeping->is_count_odd = true;
    }
    return true;
}

/* Inspect the hit, which is not an object. Returns bits of enum candidate_flag: whether it looks
 * like a freed object, with at most MOST_UNDONE broken rules, or like an object with one rule that
 * does not hold. */
static uint16_t inspect_non_object(struct target *target, const struct scan_hit *hit,
                                   const struct layout *layout, unsigned most_undone)
{
    uint16_t flags = 0;

    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        struct keeping keeping = {.kept = 0};

        if (!check_rules(target, hit, &layout->objects[kind], &keeping) ||
            keeping.kept < LEAST_KEPT)
            continue;
        if (keeping.is_count_zero && keeping.broken <= most_undone)
            flags |= candidate_dying;
        if (!keeping.is_count_zero && !keeping.is_count_odd && keeping.broken == 1)
            flags |= candidate_is_near;
    }
    return flags;
}

ompd_rc_t non_object_add(struct discovery *discovery, const struct scan_hit *hit, uint8_t index)
{
    const struct runtime *runtime = &discovery->runtimes->all[index];
    uint32_t *count = &discovery->rejected_count[index];
    struct candidate *rejected;
    enum malloc_chunk_finding finding;
    uint64_t start = 0;
    uint16_t flags;
    ompd_rc_t rc;

    if (hit->address >= runtime->start && hit->address < runtime->end)
        return ompd_rc_ok;
    finding = malloc_chunk_find(discovery->target, hit, &start);
    flags = inspect_non_object(discovery->target, hit, runtime->layout,
                               finding == malloc_chunk_not_seen ? MOST_UNDONE : 0);
    if (finding != malloc_chunk_is_allocated && (flags & candidate_dying) != 0) {
        discovery->freed[index]++;
        return ompd_rc_ok;
    }
    if (finding == malloc_chunk_is_free || *count == REJECTED_LIMIT)
        return ompd_rc_ok;
    rc = candidates_add(&discovery->rejected, &rejected);
    if (rc != ompd_rc_ok)
        return rc;
    ++*count;
    *rejected = (struct candidate){
        .handle = hit->address, .identity = start, .flags = flags, .runtime = index & 15};
    return ompd_rc_ok;
}
