/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rules.h: evaluation of rules. */
#include <learn/rules/rules.h>

#define WORD ((int32_t)sizeof(uintptr_t))
/* Rules about bytes after a smaller object, to distinguish it from a larger one. */
#define ENOUGH_BEYOND 3

static bool number_meets(const struct layout_rule *rule, uint64_t number)
{
    return number >= rule->least && number <= rule->most;
}

/* Whether RULE holds for the specimen. */
static bool rule_holds(const struct layout_rule *rule, const struct specimen *specimen)
{
    uint64_t number;

    return specimen_number(specimen, rule->offset, rule->width, &number) &&
           number_meets(rule, number);
}

bool layout_draft_accepts(const struct layout_draft *draft, enum specimen_kind kind,
                          uintptr_t handle)
{
    const struct layout_draft_kind *of = &draft->kinds[kind];
    uint64_t number;

    for (unsigned i = 0; i < of->rule_count; i++)
        if (!own_memory_number(handle + (intptr_t)of->rules[i].offset, of->rules[i].width,
                               &number) ||
            !number_meets(&of->rules[i], number))
            return false;
    return true;
}

static bool is_within(const struct layout_rule *rule, const struct extent *extent)
{
    return rule->offset >= extent->lowest && rule->offset + rule->width <= extent->highest;
}

static bool holds_in(const struct layout_rule *rule, enum specimen_kind kind,
                     const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (specimen->kind == kind &&
            (!is_within(rule, &specimen->extent) || !rule_holds(rule, specimen)))
            return false;
    }
    return true;
}

bool rule_holds_for_kind(const struct layout_rule *rule, enum specimen_kind kind,
                         const struct populations *known)
{
    return holds_in(rule, kind, known->first) && holds_in(rule, kind, known->second);
}

/* Whether the runtime has written all bytes of RULE. */
static bool is_written(const struct layout_rule *rule, uint64_t number)
{
    for (unsigned i = 0; i < rule->width; i += 4) {
        uint64_t half = number >> (8 * i) & UINT32_MAX;

        if (half == block_fill_first * UINT64_C(0x01010101) ||
            half == block_fill_second * UINT64_C(0x01010101))
            return false;
    }
    return true;
}

/* Whether RULE rejects an object because of its own bytes, not of those after it.  A boolean
 * rejects only its opposite. */
static bool rule_refuses(const struct layout_rule *rule, const struct specimen *specimen)
{
    uint64_t number;

    return is_within(rule, &specimen->extent) &&
           specimen_number(specimen, rule->offset, rule->width, &number) &&
           !number_meets(rule, number) && is_written(rule, number) &&
           (rule->width > 1 || number <= 1);
}

/* Whether RULE is about bytes after the object: one object may match by chance, many do not. */
static bool is_beyond(const struct layout_rule *rule, const struct specimen *specimen)
{
    return specimen->extent.is_block && rule->offset >= specimen->extent.highest && rule->width > 1;
}

/* The object kind that a field of a kind refers to, and whether the field may be NULL. */
static const struct naming {
    enum fact fact;
    enum specimen_kind kind;
    bool may_be_none;
} namings[] = {
    {fact_context_of, specimen_context, false},
    {fact_program_of, specimen_program, false},
    {fact_queue_of, specimen_queue, true},
    {fact_parent, specimen_buffer, true},
};

/* Whether the specimen refers to another object where objects of KIND do, as the library
 * requires. */
static bool names_specimen(const struct layout_draft_kind *of, const struct naming *naming,
                           const struct specimen *specimen, const struct population *population)
{
    const struct field_candidates *found = &of->fields[naming->fact];
    uint64_t value;

    if (found->count != 1 || found->locations[0].path.count != 1 ||
        !path_is_within(&found->locations[0].path, WORD, &specimen->extent))
        return true;
    if (!location_value(&found->locations[0], specimen->handle, &value))
        return false;
    if (value == 0)
        return naming->may_be_none;
    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].handle == value)
            return population->specimens[i].kind == naming->kind;
    return false;
}

static bool is_refused(const struct layout_draft_kind *of, const struct specimen *specimen,
                       const struct population *population)
{
    unsigned beyond = 0;

    for (unsigned i = 0; i < of->rule_count; i++) {
        if (rule_refuses(&of->rules[i], specimen))
            return true;
        beyond += is_beyond(&of->rules[i], specimen);
    }
    if (beyond >= ENOUGH_BEYOND)
        return true;
    for (size_t i = 0; i < sizeof(namings) / sizeof(namings[0]); i++)
        if (!names_specimen(of, &namings[i], specimen, population))
            return true;
    return false;
}

static void count_mistakes(const struct layout_draft_kind *of, enum specimen_kind kind,
                           const struct layout_rule *more, const struct population *population,
                           struct mistakes *mistakes)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (specimen->kind == kind || is_refused(of, specimen, population) ||
            (more != NULL && !rule_refuses(more, specimen) && !is_beyond(more, specimen)))
            continue;
        mistakes->count++;
        mistakes->kinds |= 1U << specimen->kind;
    }
}

struct mistakes rules_find_mistakes(const struct layout_draft_kind *of, enum specimen_kind kind,
                                    const struct layout_rule *more, const struct populations *known)
{
    struct mistakes mistakes = {0};

    count_mistakes(of, kind, more, known->first, &mistakes);
    count_mistakes(of, kind, more, known->second, &mistakes);
    return mistakes;
}

void layout_draft_check_rules(struct layout_draft *draft, const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++)
        for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
            const struct specimen *specimen = &population->specimens[i];
            struct layout_draft_kind *of = &draft->kinds[kind];

            if (!of->is_there || is_refused(of, specimen, population) == (specimen->kind != kind))
                continue;
            protocol_note("%s: the rules do not match a new %s", specimen_kind_names[kind],
                          specimen_kind_names[specimen->kind]);
            of->is_there = false;
        }
}

void layout_draft_check_freed(struct layout_draft *draft, const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        struct malloc_block block;

        if (!guard_heap_find(specimen->handle, &block) || !block.is_freed ||
            !draft->kinds[specimen->kind].is_there ||
            !layout_draft_accepts(draft, specimen->kind, specimen->handle))
            continue;
        protocol_note("%s: the rules match a freed object", specimen_kind_names[specimen->kind]);
        draft->kinds[specimen->kind].is_there = false;
    }
}
