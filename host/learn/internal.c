/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the runtime made for itself, as PoCL makes queues that no program sees. */
#include <host/learn/draft.h>
#include <host/learn/self.h>
#include <host/learn/step.h>

#define INTERNAL_LIMIT 64
#define LIVE_POPULATIONS 2
#define LEAST_MARKED 4 /* objects whose byte being 1 is no chance */

struct search {
    const struct draft *draft;
    struct population *const *populations; /* two that are alive, and an earlier one */
    unsigned population_count;
    uintptr_t found[SUBJECT_KINDS][INTERNAL_LIMIT];
    unsigned counts[SUBJECT_KINDS];
};

/* The object of ours with HANDLE; NULL: there is none. */
static const struct subject *find_ours(const struct search *search, uintptr_t handle)
{
    const struct subject *subject = NULL;

    for (unsigned i = 0; i < search->population_count && subject == NULL; i++)
        subject = population_find(search->populations[i], (const void *)handle);
    return subject;
}

/* Whether what is at HANDLE names an object of ours in a field that all objects of KIND have. */
static bool names_ours(const struct search *search, enum subject_kind kind, uintptr_t handle,
                       enum fact fact, enum subject_kind named_kind)
{
    const struct place *place = draft_field(search->draft, kind, fact);
    const struct subject *named;
    uint64_t value;

    if (place == NULL)
        return true;
    if (!place_read(place, handle, &value))
        return false;
    named = find_ours(search, (uintptr_t)value);
    return named != NULL && named->kind == named_kind;
}

static void look_at(uintptr_t handle, void *argument)
{
    struct search *search = argument;
    struct block block;

    if (find_ours(search, handle) != NULL || !block_find(handle, &block) || block.is_freed)
        return;
    for (enum subject_kind kind = subject_context; kind < SUBJECT_KINDS; kind++)
        if (search->draft->kinds[kind].is_there && search->counts[kind] < INTERNAL_LIMIT &&
            draft_accepts(search->draft, kind, handle) &&
            names_ours(search, kind, handle, fact_context, subject_context) &&
            names_ours(search, kind, handle, fact_program, subject_program))
            search->found[kind][search->counts[kind]++] = handle;
}

/* The bits of a field that all internal objects of KIND have and none of ours. */
static uint64_t find_bits(const struct search *search, enum subject_kind kind,
                          const struct place *place)
{
    uint64_t bits = UINT64_MAX;
    uint64_t number;

    for (unsigned i = 0; i < search->counts[kind]; i++)
        bits &= place_read(place, search->found[kind][i], &number) ? number : 0;
    for (unsigned i = 0; i < LIVE_POPULATIONS; i++)
        for (unsigned j = 0; j < search->populations[i]->count; j++) {
            const struct subject *subject = &search->populations[i]->subjects[j];

            if (subject->kind == kind && place_read(place, subject->handle, &number))
                bits &= ~number;
        }
    return bits;
}

/* Whether the byte at OFFSET is 1 in all internal objects of KIND, and 0 in all of ours. */
static bool is_mark(const struct search *search, enum subject_kind kind, int32_t offset)
{
    uint64_t number;

    for (unsigned i = 0; i < search->counts[kind]; i++)
        if (!self_number(search->found[kind][i] + (intptr_t)offset, 1, &number) || number != 1)
            return false;
    for (unsigned i = 0; i < LIVE_POPULATIONS; i++)
        for (unsigned j = 0; j < search->populations[i]->count; j++) {
            const struct subject *subject = &search->populations[i]->subjects[j];

            if (subject->kind == kind &&
                (offset < subject->extent.lowest || offset >= subject->extent.highest ||
                 !subject_number(subject, offset, 1, &number) || number != 0))
                return false;
        }
    return true;
}

/* The first byte that marks internal objects of KIND; false: there is none.  Not of events: one
 * that no program sees is of a command that it has enqueued all the same. */
static bool find_mark(const struct search *search, enum subject_kind kind, struct rule *internal)
{
    struct block block;

    if (kind == subject_event || search->counts[kind] < LEAST_MARKED ||
        !block_find(search->found[kind][0], &block))
        return false;
    for (int32_t at = (int32_t)(block.start - search->found[kind][0]);
         search->found[kind][0] + (intptr_t)at < block.start + block.size; at++)
        if (is_mark(search, kind, at)) {
            *internal = (struct rule){.offset = at, .width = 1, .least = 1};
            return true;
        }
    return false;
}

void draft_check_internal(struct draft *draft, const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct subject *subject = &population->subjects[i];
        struct rule *internal = &draft->kinds[subject->kind].internal;
        uint64_t number;

        if (internal->width == 0 ||
            (subject_number(subject, internal->offset, internal->width, &number) &&
             (number & internal->least) == 0))
            continue;
        step_note("%s: those of the runtime's own cannot be told from a fresh one",
                  subject_kind_names[subject->kind]);
        internal->width = 0;
    }
}

void draft_find_internal(struct draft *draft, struct population *const *populations, unsigned count,
                         uintptr_t table)
{
    static const enum fact facts[] = {fact_properties, fact_flags};
    static struct search search;

    search = (struct search){.draft = draft, .populations = populations, .population_count = count};
    self_scan(table, look_at, &search);
    for (enum subject_kind kind = subject_context; kind < SUBJECT_KINDS; kind++) {
        struct rule *internal = &draft->kinds[kind].internal;

        for (unsigned i = 0; i < 2 && search.counts[kind] > 0; i++) {
            const struct place *place = draft_field(draft, kind, facts[i]);
            uint64_t bits = place != NULL ? find_bits(&search, kind, place) : 0;

            if (bits != 0)
                *internal = (struct rule){
                    .offset = place->path.offsets[0], .width = place->width, .least = bits};
        }
        if (search.counts[kind] > 0 && internal->width == 0 && !find_mark(&search, kind, internal))
            step_note("%s: those of the runtime's own cannot be told", subject_kind_names[kind]);
    }
}
