/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rules.h. */
#include <learn/rules/rules.h>

#include <stdlib.h>
#include <string.h>

#define DYING_LIMIT 64
#define DYING_KIND_LIMIT 16
#define DYING_BYTES 2112 /* maximum number of bytes of an object */
#define WORD ((int32_t)sizeof(uintptr_t))

/* An object, as it was in its first callback; its own memory is what it left behind. */
struct witness {
    struct specimen specimen;
    bool is_taken;                    /* its list of callbacks was empty */
    uintptr_t caller;                 /* the return address of the callback */
    unsigned char bytes[DYING_BYTES]; /* from its lowest offset on */
};

static const struct layout_draft *locations;
static struct population *watched;
static struct witness *witnesses;
static unsigned witness_count;

/* Whether the specimen's list of callbacks is empty while one of them runs. */
static bool is_list_empty(const struct specimen *specimen)
{
    const struct list_candidates *lists = &locations->kinds[specimen->kind].lists[list_destructors];
    struct truth_list read;

    return lists->count == 1 &&
           list_read(&lists->locations[0], specimen->handle, list_destructors, &read) &&
           read.count == 0;
}

/* Whether the specimen, or enough others of its kind, were observed in their first callback. */
static bool is_seen(const struct specimen *specimen)
{
    unsigned of_kind = 0;

    for (unsigned i = 0; i < witness_count; i++) {
        if (witnesses[i].specimen.handle == specimen->handle)
            return true;
        of_kind += witnesses[i].specimen.kind == specimen->kind;
    }
    return of_kind >= DYING_KIND_LIMIT || witness_count == DYING_LIMIT;
}

static void callback_record(uintptr_t handle, uintptr_t caller)
{
    const struct specimen *specimen = population_find(watched, (const void *)handle);
    struct witness *witness = &witnesses[witness_count];
    size_t size;

    if (specimen != NULL)
        release_counts_watch_dying(specimen);
    if (specimen == NULL || !specimen->extent.is_block || is_seen(specimen))
        return;
    size = (size_t)(specimen->extent.highest - specimen->extent.lowest);
    if (size > DYING_BYTES)
        return;
    witness->specimen = *specimen;
    witness->is_taken = is_list_empty(specimen);
    witness->caller = caller;
    memcpy(witness->bytes, (const void *)(handle + (intptr_t)specimen->extent.lowest), size);
    witness_count++;
}

void destruction_begin(const struct layout_draft *draft, struct population *population)
{
    if (witnesses == NULL)
        witnesses = calloc(DYING_LIMIT, sizeof(*witnesses));
    witness_count = 0;
    locations = draft;
    watched = population;
    population_on_destructor = witnesses != NULL ? callback_record : NULL;
}

void destruction_end(void)
{
    population_on_destructor = NULL;
}

/* The number at the time of the callback. */
static bool number_then(const struct witness *witness, int32_t offset, unsigned width,
                        uint64_t *number)
{
    const struct extent *extent = &witness->specimen.extent;

    if (offset < extent->lowest || offset + (int32_t)width > extent->highest)
        return false;
    *number = own_memory_decode(witness->bytes + (offset - extent->lowest), width);
    return true;
}

static bool is_of(const struct witness *witness, enum specimen_kind kind)
{
    return witness->specimen.kind == kind;
}

/* Whether all observed objects of a kind had REFERENCES of 0, and matched all rules about other
 * bytes. */
static bool is_dying_by(const struct layout_draft *draft, enum specimen_kind kind,
                        const struct location *references)
{
    const struct layout_draft_kind *of = &draft->kinds[kind];
    unsigned count = 0;
    uint64_t number;

    for (unsigned i = 0; i < witness_count; i++) {
        if (!is_of(&witnesses[i], kind))
            continue;
        count++;
        if (!number_then(&witnesses[i], references->path.offsets[0], references->width, &number) ||
            number != 0)
            return false;
        for (unsigned j = 0; j < of->rule_count; j++)
            if (of->rules[j].offset != references->path.offsets[0] &&
                (!number_then(&witnesses[i], of->rules[j].offset, of->rules[j].width, &number) ||
                 number < of->rules[j].least || number > of->rules[j].most))
                return false;
    }
    return count > 0;
}

/* Whether RULE holds for all objects of a kind in their callbacks, and for none afterwards. */
static bool detects_freed(const struct layout_rule *rule, enum specimen_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < witness_count; i++) {
        const struct witness *witness = &witnesses[i];
        struct malloc_block block;
        uint64_t then;
        uint64_t now;

        if (!is_of(witness, kind) || !guard_heap_find(witness->specimen.handle, &block) ||
            !block.is_freed)
            continue;
        if (!number_then(witness, rule->offset, rule->width, &then) ||
            !specimen_number(&witness->specimen, rule->offset, rule->width, &now) ||
            then < rule->least || then > rule->most || (now >= rule->least && now <= rule->most))
            return false;
        count++;
    }
    return count > 0;
}

static bool is_recorded_already(const struct layout_draft_kind *of, enum specimen_kind kind,
                                const struct location *references)
{
    for (unsigned i = 0; i < of->rule_count; i++)
        if (of->rules[i].offset != references->path.offsets[0] &&
            detects_freed(&of->rules[i], kind))
            return true;
    return false;
}

static bool holds_for_all(const struct layout_rule *rule, enum specimen_kind kind,
                          const struct population *population)
{
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        uint64_t number;

        if (specimen->kind == kind &&
            (!specimen_number(specimen, rule->offset, rule->width, &number) ||
             number < rule->least || number > rule->most))
            return false;
    }
    return true;
}

/* A number that is not negative while the object is alive, such as the kind of a mutex. */
static bool find_last_sign(struct layout_draft_kind *of, enum specimen_kind kind,
                           const struct population *population)
{
    struct layout_rule rule = {.width = 4, .least = 0, .most = INT32_MAX};

    for (rule.offset = WORD; rule.offset < DYING_BYTES; rule.offset += 4)
        if (of->rule_count < LAYOUT_DRAFT_RULES && detects_freed(&rule, kind) &&
            holds_for_all(&rule, kind, population)) {
            of->rules[of->rule_count++] = rule;
            return true;
        }
    return false;
}

/* Find the value of REFERENCES in objects of a kind whose list of callbacks the runtime had
 * detached. */
static bool find_taken(struct layout_rule *taken, enum specimen_kind kind,
                       const struct location *references)
{
    unsigned count = 0;
    uint64_t number;

    *taken = (struct layout_rule){references->path.offsets[0], references->width, UINT64_MAX, 0};
    for (unsigned i = 0; i < witness_count; i++) {
        if (!is_of(&witnesses[i], kind))
            continue;
        count++;
        if (!witnesses[i].is_taken ||
            !number_then(&witnesses[i], taken->offset, taken->width, &number))
            return false;
        if (number < taken->least)
            taken->least = number;
        if (number > taken->most)
            taken->most = number;
    }
    return count > 0;
}

/* The common return address of the callbacks of a kind, in the module of ICD; 0: elsewhere, or
 * not common. */
static uintptr_t find_return(enum specimen_kind kind, const struct icd *icd)
{
    uintptr_t caller = 0;

    for (unsigned i = 0; i < witness_count; i++) {
        if (!is_of(&witnesses[i], kind))
            continue;
        if (caller != 0 && witnesses[i].caller != caller)
            return 0;
        caller = witnesses[i].caller;
    }
    return caller > icd->start && caller < icd->end ? caller - icd->start : 0;
}

/* Learn a kind whose count, at REFERENCES, is 0 while callbacks run.  A freed object has an
 * empty list, too, so an object with a detached list must differ from it in its bytes. */
static void conclude_dying(struct layout_draft_kind *of, enum specimen_kind kind,
                           const struct location *references, const struct population *population)
{
    of->dying = *references;
    if (is_recorded_already(of, kind, references) || find_last_sign(of, kind, population))
        return;
    of->taken = (struct layout_rule){0};
    protocol_note(
        "%s: objects being destroyed cannot be distinguished from freed ones by their bytes",
        specimen_kind_names[kind]);
}

void destruction_conclude(struct layout_draft *draft, const struct population *population,
                          const struct icd *icd)
{
    for (enum specimen_kind kind = specimen_context; kind <= specimen_pipe; kind++) {
        struct layout_draft_kind *of = &draft->kinds[kind];
        const struct location *references = layout_draft_field(draft, kind, fact_references);
        bool is_dying;

        if (references == NULL || references->path.count != 1 ||
            of->lists[list_destructors].count != 1)
            continue;
        is_dying = kind != specimen_context && is_dying_by(draft, kind, references);
        if (!find_taken(&of->taken, kind, references) || (of->taken.least == 0 && !is_dying))
            of->taken = (struct layout_rule){0};
        if (of->taken.width != 0 && of->taken.least != 0)
            of->taken_return = find_return(kind, icd);
        if (is_dying)
            conclude_dying(of, kind, references, population);
        else if (kind != specimen_context && of->taken_return == 0)
            protocol_note("%s: objects being destroyed cannot be recognised",
                          specimen_kind_names[kind]);
    }
}
