/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that have lost their last reference and are being destroyed at this stop. */
#include "sources/layout/discovery.h"

#include "sources/layout/layout-source.h"

/* Return whether an OpenCL context of the runtime with TABLE is at HANDLE, or was until its memory
 * was freed. */
static bool is_or_was_context(struct target *target, uint64_t handle, uint64_t table)
{
    struct scan_hit hit = {.address = handle, .end = UINT64_MAX};
    uint64_t start = 0;
    uint64_t word;

    if (!target_word(target, handle, &word))
        return false;
    if (word == table)
        return true;
    switch (malloc_chunk_find(target, &hit, &start)) {
    case malloc_chunk_is_free:
        return true;
    case malloc_chunk_is_allocated:
        return !malloc_chunk_is_used(target, start);
    default:
        return false;
    }
}

/* A hit as objects of several kinds would have it. */
struct last_reference {
    uint64_t context; /* that they name, */
    bool is_left;     /* and one of them still has a reference */
    bool is_context;  /* it may be an OpenCL context without references */
};

/* Whether one of OBJECT's rules, except those on counts, holds at the hit. */
static bool keeps_any_rule(struct target *target, const struct scan_hit *hit,
                           const struct layout_object *object)
{
    uint64_t value;

    for (uint32_t i = 0; i < object->rule_count; i++) {
        const struct layout_rule *rule = &object->rules[i];

        if (!layout_rule_is_on_count(rule) &&
            scan_hit_number(target, hit, rule->offset, rule->width, &value) &&
            value >= rule->least && value <= rule->most)
            return true;
    }
    return false;
}

/* Read the hit as a former object of KIND. */
static void visit_former_object(struct target *target, const struct scan_hit *hit,
                                const struct runtime *runtime, enum layout_kind kind,
                                struct last_reference *last)
{
    const struct layout_object *object = &runtime->layout->objects[kind];
    uint64_t references, context;

    if (!hit_read_field(target, hit, object, layout_references, &references))
        return;
    if (kind == layout_context) {
        last->is_context = references == 0 && keeps_any_rule(target, hit, object);
        return;
    }
    if (!hit_read_handle(target, hit, object, layout_context_of, &context) || context == 0 ||
        !is_or_was_context(target, context, runtime->table))
        return;
    last->context = context;
    last->is_left = last->is_left || references != 0;
}

uint64_t last_reference_context(struct target *target, const struct runtime *runtime,
                                uint64_t handle, uint64_t start)
{
    struct scan_hit hit = {.address = handle, .end = UINT64_MAX};
    uint64_t room = malloc_chunk_room(target, start);
    int64_t before = (int64_t)(handle - start);
    struct last_reference last = {.context = 0};

    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        const struct layout_object *object = &runtime->layout->objects[kind];

        if (object->lowest >= -before && (uint64_t)(before + object->highest) <= room)
            visit_former_object(target, &hit, runtime, (enum layout_kind)kind, &last);
    }
    if (last.context != 0)
        return last.is_left ? 0 : last.context;
    return last.is_context ? handle : 0;
}

/* Mark the words of REJECTED at CONTEXT. */
static void name_context(const struct candidates *rejected, uint64_t context)
{
    for (uint32_t i = candidates_find(rejected, context);
         i < rejected->count && candidate_at(rejected, i)->handle == context; i++)
        candidate_at(rejected, i)->flags |= candidate_is_named;
}

void last_references_find(struct discovery *discovery)
{
    const struct candidates *rejected = &discovery->rejected;

    for (uint32_t i = 0; i < rejected->count; i++) {
        struct candidate *word = candidate_at(rejected, i);

        if (word->identity == 0 || !malloc_chunk_is_used(discovery->target, word->identity))
            continue;
        word->context =
            last_reference_context(discovery->target, &discovery->runtimes->all[word->runtime],
                                   word->handle, word->identity);
        if (word->context == 0)
            continue;
        word->flags |= candidate_dying;
        name_context(rejected, word->context);
    }
}
