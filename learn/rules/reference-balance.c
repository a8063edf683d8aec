/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rules.h.  The probe knows its own references to each object, and those of the objects that
 * were created from it.  For a memory object, the rest belongs to its mappings and commands. */
#include <learn/rules/rules.h>

#define COMMAND_LIMIT 512
#define MOST_HELD 3 /* references per mapping */

/* All unfinished commands, including the runtime's own. */
struct balance {
    struct layout_draft *draft;
    const struct population *population;
    unsigned count;
    uintptr_t commands[COMMAND_LIMIT];
};

static struct balance balance;

/* ---- OpenCL contexts ------------------------------------------------------------------------- */

static bool is_alone(const struct specimen *specimen)
{
    return specimen->values[fact_parent] == 0 && specimen->values[fact_queue_of] == 0;
}

/* The number of unexplained references if objects of kind ANY hold some, alone or not. */
static int64_t count_left_of_context(const struct layout_draft *draft,
                                     const struct population *population,
                                     const struct specimen *context, enum specimen_kind any)
{
    int64_t left = (int64_t)context->values[fact_references] - context->owned;

    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];
        const struct layout_draft_holdings *holds = &draft->kinds[specimen->kind].holds;

        if (specimen_knows(specimen, fact_context_of) &&
            specimen->values[fact_context_of] == context->handle &&
            (is_alone(specimen) || specimen->kind == any || !holds->is_alone[specimen_context]))
            left -= holds->counts[specimen_context];
    }
    return left - (int64_t)(draft->kinds[specimen_context].each_svm_holds *
                            context->lists[list_svm].count);
}

static bool is_accounted_for(const struct layout_draft *draft, const struct population *population,
                             enum specimen_kind any)
{
    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].kind == specimen_context &&
            count_left_of_context(draft, population, &population->specimens[i], any) != 0)
            return false;
    return true;
}

void reference_balance_learn_contexts(struct layout_draft *draft,
                                      const struct population *population)
{
    if (is_accounted_for(draft, population, SPECIMEN_KINDS))
        return;
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].holds.is_alone[specimen_context] &&
            is_accounted_for(draft, population, kind)) {
            draft->kinds[kind].holds.is_alone[specimen_context] = false;
            return;
        }
    protocol_note("context: an unknown holder keeps references to it");
}

/* ---- Memory objects -------------------------------------------------------------------------- */

static const struct list_candidates *list_of(const struct layout_draft *draft)
{
    return &draft->kinds[specimen_event].lists[list_memobjs];
}

static void note_command(uintptr_t handle, void *argument)
{
    const struct location *status = layout_draft_field(balance.draft, specimen_event, fact_status);
    struct malloc_block block;
    uint64_t value;

    (void)argument;
    if (balance.count < COMMAND_LIMIT && status != NULL && guard_heap_find(handle, &block) &&
        !block.is_freed && layout_draft_accepts(balance.draft, specimen_event, handle) &&
        location_value(status, handle, &value) && (int32_t)value > 0)
        balance.commands[balance.count++] = handle;
}

static void open_balance(struct layout_draft *draft, const struct population *population,
                         uintptr_t table)
{
    balance.draft = draft;
    balance.population = population;
    balance.count = 0;
    if (list_of(draft)->count == 1)
        own_memory_scan(table, note_command, NULL);
}

static bool is_memobj(const struct specimen *specimen)
{
    return specimen->kind == specimen_buffer || specimen->kind == specimen_image ||
           specimen->kind == specimen_pipe;
}

/* References to the specimen that belong neither to the probe nor to objects created from it. */
static int64_t count_left(const struct specimen *specimen)
{
    int64_t left = (int64_t)specimen->values[fact_references] - specimen->owned;

    for (unsigned i = 0; i < balance.population->count; i++) {
        const struct specimen *child = &balance.population->specimens[i];

        if (is_memobj(child) && child->values[fact_parent] == specimen->handle)
            left -= balance.draft->kinds[child->kind].holds.counts[specimen_buffer];
    }
    return left;
}

/* How often COMMAND's list contains the specimen; *TYPE receives its type. */
static unsigned count_uses(uintptr_t command, const struct specimen *specimen, uint64_t *type)
{
    const struct list_location *list = &list_of(balance.draft)->locations[0];
    const struct location *location =
        layout_draft_field(balance.draft, specimen_event, fact_command_type);
    struct truth_list read;
    unsigned uses = 0;

    if (location == NULL || !location_value(location, command, type) ||
        !list_read(list, command, list_memobjs, &read))
        return 0;
    for (unsigned i = 0; i < read.count; i++)
        uses += read.elements[i][0] == specimen->handle;
    return uses;
}

static bool is_exception(const struct layout_draft_kind *event, uint64_t type)
{
    for (unsigned i = 0; i < event->exception_count; i++)
        if (event->exceptions[i] == type)
            return true;
    return false;
}

/* How many references to the specimen commands hold; *TYPE receives the type of the last one. */
static int64_t count_held(const struct specimen *specimen, uint64_t *type)
{
    const struct layout_draft_kind *event = &balance.draft->kinds[specimen_event];
    int64_t held = 0;

    for (unsigned i = 0; i < balance.count; i++) {
        uint64_t of;
        unsigned uses = count_uses(balance.commands[i], specimen, &of);

        if (uses == 0 || is_exception(event, of))
            continue;
        held += uses;
        *type = of;
    }
    return held;
}

/* Whether a command of the probe uses the specimen. */
static bool is_used(const struct specimen *specimen)
{
    for (unsigned i = 0; i < balance.population->count; i++) {
        const struct truth_list *truth = &balance.population->specimens[i].lists[list_memobjs];

        for (unsigned j = 0; j < truth->count; j++)
            if (truth->elements[j][0] == specimen->handle)
                return true;
    }
    return false;
}

/* The unexplained references to the specimen if each mapping holds so many. */
static int64_t count_unmapped(const struct specimen *specimen, unsigned maps_hold)
{
    return count_left(specimen) - (int64_t)(maps_hold * specimen->values[fact_map_count]);
}

/* Whether all references to objects without commands are explained if each mapping holds so
 * many. */
static bool do_maps_hold(unsigned maps_hold, bool *has_maps)
{
    for (unsigned i = 0; i < balance.population->count; i++) {
        const struct specimen *specimen = &balance.population->specimens[i];

        if (!is_memobj(specimen) || is_used(specimen))
            continue;
        if (count_unmapped(specimen, maps_hold) != 0)
            return false;
        *has_maps |= specimen->values[fact_map_count] != 0;
    }
    return true;
}

static void leave_out(const char *why)
{
    struct layout_draft *draft = balance.draft;

    if (list_of(draft)->count != 0)
        protocol_note("event: no list memobjs, because %s", why);
    draft->kinds[specimen_event].lists[list_memobjs].count = 0;
    for (enum specimen_kind kind = specimen_buffer; kind <= specimen_pipe; kind++)
        draft->kinds[kind].maps_hold = 0;
}

/* Explain all references to the specimen.  A command that does not hold what it uses is of an
 * exceptional type.  Only one such type uses the specimen. */
static bool account_for(const struct specimen *specimen)
{
    struct layout_draft_kind *event = &balance.draft->kinds[specimen_event];
    int64_t left = count_unmapped(specimen, balance.draft->kinds[specimen->kind].maps_hold);
    uint64_t type = 0;

    while (count_held(specimen, &type) > left && event->exception_count < LAYOUT_DRAFT_EXCEPTIONS)
        event->exceptions[event->exception_count++] = type;
    return count_held(specimen, &type) == left;
}

static bool settle_all(void)
{
    for (unsigned i = 0; i < balance.population->count; i++)
        if (is_memobj(&balance.population->specimens[i]) &&
            !account_for(&balance.population->specimens[i]))
            return false;
    return true;
}

void reference_balance_learn(struct layout_draft *draft, const struct population *population,
                             uintptr_t table)
{
    unsigned maps_hold = 0;
    bool has_maps = false;

    open_balance(draft, population, table);
    while (maps_hold <= MOST_HELD && !do_maps_hold(maps_hold, &has_maps))
        maps_hold++;
    if (maps_hold > MOST_HELD) {
        leave_out("memory objects have other holders, too");
        return;
    }
    for (enum specimen_kind kind = specimen_buffer; kind <= specimen_pipe; kind++)
        if (has_maps && layout_draft_field(draft, kind, fact_map_count) != NULL)
            draft->kinds[kind].maps_hold = (uint8_t)maps_hold;
    if (list_of(draft)->count == 1 && !settle_all())
        leave_out("it does not account for the references of commands");
}

void reference_balance_check(struct layout_draft *draft, const struct population *population,
                             uintptr_t table)
{
    uint64_t type;

    open_balance(draft, population, table);
    for (unsigned i = 0; i < population->count; i++) {
        const struct specimen *specimen = &population->specimens[i];

        if (is_memobj(specimen) && (list_of(draft)->count == 1 || !is_used(specimen)) &&
            count_unmapped(specimen, draft->kinds[specimen->kind].maps_hold) !=
                count_held(specimen, &type)) {
            leave_out("it does not account for other references of commands");
            return;
        }
    }
}
