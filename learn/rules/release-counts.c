/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rules.h.  References are counted before the end of an object, in its callbacks, and after
 * its end. */
#include <learn/rules/rules.h>

#include <string.h>
#include <time.h>

#define COUNTS 4   /* an object holds at most 3 references to another one */
#define ROUNDS 200 /* milliseconds for a thread of the runtime to release references */
#define VARIANTS 2

/* The objects that a field refers to. */
static const struct holding {
    enum fact fact;
    enum specimen_kind kind; /* of the object that it refers to */
} holdings[] = {
    {fact_context_of, specimen_context},
    {fact_queue_of, specimen_queue},
    {fact_parent, specimen_buffer},
    {fact_program_of, specimen_program},
};
#define HOLDINGS (sizeof(holdings) / sizeof(holdings[0]))

/* When an object holds references: while it is alive, or while its destructor callbacks run. */
enum phase { phase_living, phase_dying, PHASES };

/* By phase and kind, for objects without and with a parent or queue, by holding: the number of
 * objects that held 0, 1, 2 or 3 references, or changed in the phase. */
static unsigned release_counts[PHASES][SPECIMEN_KINDS][VARIANTS][HOLDINGS][COUNTS + 1];

/* The object that is being released, and the reference counts of the objects that it refers to,
 * by phase. */
static struct {
    uintptr_t handle;
    struct {
        bool is_known;
        bool has_changed;
        uint64_t references;
    } counts[PHASES][HOLDINGS];
} release;

static const struct layout_draft *locations;

void release_counts_open(const struct layout_draft *draft)
{
    locations = draft;
}

/* Count the references to the objects that the specimen refers to in the runtime's memory.  Not
 * every OpenCL function may be called in a destructor callback. */
static bool count_references(const struct specimen *specimen, const struct holding *holding,
                             uint64_t *references)
{
    const struct location *location = layout_draft_field(locations, holding->kind, fact_references);
    uintptr_t named = (uintptr_t)specimen->values[holding->fact];

    return specimen_knows(specimen, holding->fact) && named != 0 && location != NULL &&
           location_value(location, named, references);
}

static void count_all(const struct specimen *specimen, enum phase phase)
{
    for (size_t i = 0; i < HOLDINGS; i++) {
        uint64_t references;

        if (!count_references(specimen, &holdings[i], &references))
            continue;
        if (release.counts[phase][i].is_known && release.counts[phase][i].references != references)
            release.counts[phase][i].has_changed = true;
        release.counts[phase][i].is_known = true;
        release.counts[phase][i].references = references;
    }
}

static unsigned variant_of(const struct specimen *specimen)
{
    return specimen->values[fact_parent] != 0 || specimen->values[fact_queue_of] != 0;
}

/* Record the difference of the counts before and after the specimen's end. */
static void enter_counts(const struct specimen *specimen, enum phase phase, size_t holding)
{
    unsigned *seen = release_counts[phase][specimen->kind][variant_of(specimen)][holding];
    uint64_t before = release.counts[phase][holding].references;
    uint64_t after;

    if (!release.counts[phase][holding].is_known ||
        !count_references(specimen, &holdings[holding], &after))
        return;
    if (release.counts[phase][holding].has_changed)
        seen[COUNTS]++;
    else if (before - after < COUNTS)
        seen[before - after]++;
}

/* Whether the released specimen has ended and released a reference. */
static bool has_released(const struct specimen *specimen)
{
    for (size_t i = 0; i < HOLDINGS && specimen_is_freed(specimen); i++) {
        uint64_t after;

        if (release.counts[phase_living][i].is_known &&
            count_references(specimen, &holdings[i], &after) &&
            after != release.counts[phase_living][i].references)
            return true;
    }
    return false;
}

/* Wait for what a queue holds: runtimes end it on the thread that ran its commands. */
static void wait_for_thread(const struct specimen *specimen)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    for (unsigned i = 0; i < ROUNDS && !has_released(specimen); i++)
        nanosleep(&moment, NULL);
}

void release_counts_watch(struct builder *builder, struct specimen *specimen, bool is_after)
{
    (void)builder;
    if (!is_after) {
        memset(&release, 0, sizeof(release));
        release.handle = specimen->handle;
        count_all(specimen, phase_living);
        return;
    }
    if (specimen->kind == specimen_queue)
        wait_for_thread(specimen);
    /* An object that is still held shows nothing. */
    for (size_t i = 0; i < HOLDINGS && specimen_is_freed(specimen); i++) {
        enter_counts(specimen, phase_living, i);
        enter_counts(specimen, phase_dying, i);
    }
}

void release_counts_watch_dying(const struct specimen *specimen)
{
    if (specimen->handle == release.handle)
        count_all(specimen, phase_dying);
}

/* What objects of a variant hold.  Some seem to hold more, because others end with them, such as
 * a queue's last command, or because threads of the runtime release something.  Some seem to
 * hold less if these are late.  COUNTS: none, or it varies. */
static unsigned usual_count(const unsigned *seen)
{
    unsigned all = 0;

    for (unsigned i = 0; i <= COUNTS; i++)
        all += seen[i];
    if (all == 0 || 4 * seen[COUNTS] > all)
        return COUNTS;
    if (4 * seen[0] >= 3 * all)
        return 0;
    for (unsigned i = 1; i < COUNTS && 2 * seen[0] <= all; i++)
        if (4 * seen[i] >= all)
            return i;
    return COUNTS;
}

static bool is_seen(const unsigned *seen)
{
    for (unsigned i = 0; i <= COUNTS; i++)
        if (seen[i] != 0)
            return true;
    return false;
}

/* Record what objects of KIND hold in PHASE of the objects that a field refers to. */
static void close_holding(struct layout_draft *draft, enum phase phase, enum specimen_kind kind,
                          size_t holding)
{
    struct layout_draft_kind *of = &draft->kinds[kind];
    struct layout_draft_holdings *to = phase == phase_living ? &of->holds : &of->dying_holds;
    enum specimen_kind held = holdings[holding].kind;
    const unsigned *seen_alone = release_counts[phase][kind][0][holding];
    const unsigned *seen_others = release_counts[phase][kind][1][holding];
    unsigned alone = usual_count(is_seen(seen_alone) ? seen_alone : seen_others);
    unsigned others = usual_count(is_seen(seen_others) ? seen_others : seen_alone);

    if (!is_seen(seen_alone) && !is_seen(seen_others))
        return;
    if (alone == COUNTS || (alone != others && others != 0)) {
        protocol_note("%s: the number of references that it holds to its %s%s varies",
                      specimen_kind_names[kind], specimen_kind_names[held],
                      phase == phase_living ? "" : " in its callbacks");
        return;
    }
    to->counts[held] = (uint8_t)alone;
    to->is_alone[held] = alone != others;
}

/* Record the references to a context that an allocation of shared virtual memory holds. */
static void close_svm(struct layout_draft *draft, const struct builder *builder)
{
    unsigned most = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < MAKE_HELD; i++) {
        all += builder->svm_held[i];
        if (builder->svm_held[i] > builder->svm_held[most])
            most = i;
    }
    memcpy(draft->kinds[specimen_context].is_absent, builder->is_absent,
           sizeof(builder->is_absent));
    if (4 * builder->svm_held[most] >= 3 * all)
        draft->kinds[specimen_context].each_svm_holds = (uint8_t)most;
}

void release_counts_close(struct layout_draft *draft, const struct builder *builder)
{
    close_svm(draft, builder);
    for (enum specimen_kind kind = specimen_context; kind < SPECIMEN_KINDS; kind++) {
        const struct layout_draft_kind *of = &draft->kinds[kind];

        for (size_t i = 0; i < HOLDINGS && of->is_there; i++) {
            if (layout_draft_field(draft, kind, holdings[i].fact) == NULL)
                continue;
            close_holding(draft, phase_living, kind, i);
            if (of->dying.width != 0)
                close_holding(draft, phase_dying, kind, i);
        }
    }
}
