/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the runtime created for itself, such as PoCL's hidden queues. */
#include <learn/rules/rules.h>

#define INTERNAL_LIMIT 64
#define LIVE_POPULATIONS 2
#define LEAST_MARKED 4 /* number of objects in which a byte of 1 is not chance */

struct search {
    const struct layout_draft *draft;
    struct population *const *populations; /* two live populations, and an earlier one */
    unsigned population_count;
    uintptr_t found[SPECIMEN_KINDS][INTERNAL_LIMIT];
    unsigned counts[SPECIMEN_KINDS];
};

/* The probe's own object with HANDLE, or NULL. */
static const struct specimen *find_ours(const struct search *search, uintptr_t handle)
{
    const struct specimen *specimen = NULL;

    for (unsigned i = 0; i < search->population_count && specimen == NULL; i++)
        specimen = population_find(search->populations[i], (const void *)handle);
    return specimen;
}

/* Whether the memory at HANDLE refers to an object of the probe in a field that all objects of
 * KIND have. */
static bool names_ours(const struct search *search, enum specimen_kind kind, uintptr_t handle,
                       enum fact fact, enum specimen_kind named_kind)
{
    const struct location *location = layout_draft_field(search->draft, kind, fact);
    const struct specimen *named;
    uint64_t value;

    if (location == NULL)
        return true;
    if (!location_value(location, handle, &value))
        return false;
    named = find_ours(search, (uintptr_t)value);
    return named != NULL && named->kind == named_kind;
}

static void internal_check(uintptr_t handle, void *argument)
{
    struct search *search = argument;
    struct malloc_block block;

    if (find_ours(search, handle) != NULL || !guard_heap_find(handle, &block) || block.is_freed)
        return;
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        if (search->draft->kinds[kind].is_there && search->counts[kind] < INTERNAL_LIMIT &&
            layout_draft_accepts(search->draft, kind, handle) &&
            names_ours(search, kind, handle, fact_context_of, specimen_context) &&
            names_ours(search, kind, handle, fact_program_of, specimen_program))
            search->found[kind][search->counts[kind]++] = handle;
}

/* The bits at LOCATION that no object of the probe, of KIND, has. */
static uint64_t find_foreign_bits(const struct search *search, enum specimen_kind kind,
                                  const struct location *location)
{
    uint64_t bits = UINT64_MAX;
    uint64_t number;

    for (unsigned i = 0; i < LIVE_POPULATIONS; i++)
        for (unsigned j = 0; j < search->populations[i]->count; j++) {
            const struct specimen *specimen = &search->populations[i]->specimens[j];

            if (specimen->kind == kind && location_value(location, specimen->handle, &number))
                bits &= ~number;
        }
    return bits;
}

/* The number of internal objects of KIND that have a bit of MASK at LOCATION; LETS_GO: drop
 * them. */
static unsigned count_with(struct search *search, enum specimen_kind kind,
                           const struct location *location, uint64_t mask, bool lets_go)
{
    unsigned kept = 0;
    unsigned with = 0;

    for (unsigned i = 0; i < search->counts[kind]; i++) {
        uintptr_t found = search->found[kind][i];
        uint64_t number;
        bool has_bit = location_value(location, found, &number) && (number & mask) != 0;

        with += has_bit;
        if (!has_bit || !lets_go)
            search->found[kind][kept++] = found;
    }
    search->counts[kind] = kept;
    return with;
}

/* The bits at LOCATION that the largest group of internal objects of KIND has and no object of
 * the probe; 0: none. */
static uint64_t find_bits(struct search *search, enum specimen_kind kind,
                          const struct location *location)
{
    uint64_t foreign = find_foreign_bits(search, kind, location);
    uint64_t best = 0;
    unsigned most = 0;

    for (unsigned i = 0; i < 8U * location->width; i++) {
        uint64_t bit = UINT64_C(1) << i;
        unsigned with = (foreign & bit) != 0 ? count_with(search, kind, location, bit, false) : 0;

        if (with > most)
            best = 0;
        if (with >= most && with > 0)
            best |= bit;
        most = with > most ? with : most;
    }
    return best;
}

/* Whether the byte at OFFSET is 1 in all internal objects of KIND, and 0 in all of the probe. */
static bool is_mark(const struct search *search, enum specimen_kind kind, int32_t offset)
{
    uint64_t number;

    for (unsigned i = 0; i < search->counts[kind]; i++)
        if (!own_memory_number(search->found[kind][i] + (intptr_t)offset, 1, &number) ||
            number != 1)
            return false;
    for (unsigned i = 0; i < LIVE_POPULATIONS; i++)
        for (unsigned j = 0; j < search->populations[i]->count; j++) {
            const struct specimen *specimen = &search->populations[i]->specimens[j];

            if (specimen->kind == kind &&
                (offset < specimen->extent.lowest || offset >= specimen->extent.highest ||
                 !specimen_number(specimen, offset, 1, &number) || number != 0))
                return false;
        }
    return true;
}

/* Find the first byte that marks internal objects of KIND; false: none.  Not for events: hidden
 * events belong to commands that the program enqueued. */
static bool find_mark(struct search *search, enum specimen_kind kind, struct layout_rule *internal)
{
    struct malloc_block block;

    if (kind == specimen_event || search->counts[kind] < LEAST_MARKED ||
        !guard_heap_find(search->found[kind][0], &block))
        return false;
    for (int32_t at = (int32_t)(block.start - search->found[kind][0]);
         search->found[kind][0] + (intptr_t)at < block.start + block.size; at++)
        if (is_mark(search, kind, at)) {
            *internal = (struct layout_rule){.offset = at, .width = 1, .least = 1};
            search->counts[kind] = 0;
            return true;
        }
    return false;
}

/* Whether RULE mistakes an object of POPULATION for one of the runtime's own. */
static bool is_mistaken(const struct layout_rule *rule, enum specimen_kind kind,
                        const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        uint64_t number;

        if (specimen->kind == kind &&
            (!specimen_number(specimen, rule->offset, rule->width, &number) ||
             (number & rule->least) != 0))
            return true;
    }
    return false;
}

void layout_draft_check_runtime_objects(struct layout_draft *draft,
                                        const struct population *population)
{
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];
        unsigned kept = 0;

        for (unsigned i = 0; i < of->internal_count; i++)
            if (!is_mistaken(&of->internals[i], kind, population))
                of->internals[kept++] = of->internals[i];
        if (kept != of->internal_count)
            protocol_note("%s: the runtime's own objects cannot be distinguished from a new one",
                          specimen_kind_names[kind]);
        of->internal_count = kept;
    }
}

void layout_draft_find_dispatch_data(struct layout_draft *draft,
                                     const struct population *population, const void *data)
{
    if (data == NULL || !draft->has_own_contexts)
        return;
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        draft->kinds[kind].has_dispatch_data = draft->kinds[kind].is_there;
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        uint64_t number;

        if (!specimen_number(specimen, sizeof(uintptr_t), sizeof(uintptr_t), &number) ||
            number != (uintptr_t)data)
            draft->kinds[specimen->kind].has_dispatch_data = false;
    }
}

/* Find what distinguishes a group of the remaining internal objects of KIND; false: nothing
 * does. */
static bool find_group(struct search *search, enum specimen_kind kind, struct layout_rule *internal)
{
    static const enum fact facts[] = {fact_properties, fact_flags};

    for (unsigned i = 0; i < 2; i++) {
        const struct location *location = layout_draft_field(search->draft, kind, facts[i]);
        uint64_t bits =
            location != NULL && location->path.count == 1 ? find_bits(search, kind, location) : 0;

        if (bits == 0)
            continue;
        *internal = (struct layout_rule){
            .offset = location->path.offsets[0], .width = location->width, .least = bits};
        count_with(search, kind, location, bits, true);
        return true;
    }
    return find_mark(search, kind, internal);
}

void layout_draft_find_runtime_objects(struct layout_draft *draft,
                                       struct population *const *populations, unsigned count,
                                       uintptr_t table)
{
    static struct search search;

    search = (struct search){.draft = draft, .populations = populations, .population_count = count};
    own_memory_scan(table, internal_check, &search);
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];

        while (search.counts[kind] > 0 && of->internal_count < LAYOUT_DRAFT_INTERNALS &&
               find_group(&search, kind, &of->internals[of->internal_count]))
            of->internal_count++;
        if (search.counts[kind] > 0)
            protocol_note("%s: the runtime's own objects cannot be recognised",
                          specimen_kind_names[kind]);
    }
    draft->has_own_contexts = search.counts[specimen_context] > 0;
}
