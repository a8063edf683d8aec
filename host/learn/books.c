/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See books.h: references are counted before and after an object goes. */
#include <host/learn/books.h>

#include <host/learn/step.h>

#define COUNTS 4 /* an object holds at most 3 references of another */
#define VARIANTS 2

/* What a field of an object names. */
static const struct holding {
    enum fact fact;
    enum subject_kind kind; /* of what it names */
    cl_uint name;           /* of its reference count */
} holdings[] = {
    {fact_context, subject_context, CL_CONTEXT_REFERENCE_COUNT},
    {fact_queue, subject_queue, CL_QUEUE_REFERENCE_COUNT},
    {fact_parent, subject_buffer, CL_MEM_REFERENCE_COUNT},
    {fact_program, subject_program, CL_PROGRAM_REFERENCE_COUNT},
};
#define HOLDINGS (sizeof(holdings) / sizeof(holdings[0]))

/* Of each kind of object, those that have no parent and queue and those that have, by holding: how
 * many of them held 0, 1, 2, 3 references. */
static unsigned books[SUBJECT_KINDS][VARIANTS][HOLDINGS][COUNTS];

static cl_uint count_references(const cl_icd_dispatch *table, enum subject_kind kind, void *handle)
{
    cl_uint count = 0;

    switch (kind) {
    case subject_context:
        table->clGetContextInfo(handle, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL);
        break;
    case subject_queue:
        table->clGetCommandQueueInfo(handle, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL);
        break;
    case subject_buffer:
        table->clGetMemObjectInfo(handle, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL);
        break;
    default:
        table->clGetProgramInfo(handle, CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, NULL);
        break;
    }
    return count;
}

/* An object that is not gone after its last release, since something holds it, shows nothing. */
static bool is_gone(const struct subject *subject)
{
    struct block block;

    return !block_find(subject->handle, &block) || block.is_freed;
}

static unsigned variant_of(const struct subject *subject)
{
    return subject->values[fact_parent] != 0 || subject->values[fact_queue] != 0;
}

void books_watch(struct maker *maker, struct subject *subject, bool is_after)
{
    static cl_uint before[HOLDINGS];

    for (size_t i = 0; i < HOLDINGS; i++) {
        void *named = (void *)(uintptr_t)subject->values[holdings[i].fact];
        cl_uint count;

        if (!subject_knows(subject, holdings[i].fact) || named == NULL)
            continue;
        count = count_references(maker->icd->table, holdings[i].kind, named);
        if (!is_after)
            before[i] = count;
        else if (is_gone(subject) && before[i] - count < COUNTS)
            books[subject->kind][variant_of(subject)][i][before[i] - count]++;
    }
}

/* What most of a variant hold: threads of the runtime may let go of something in between.  COUNTS:
 * there are none, or they differ. */
static unsigned usual_count(enum subject_kind kind, unsigned variant, size_t holding)
{
    const unsigned *seen = books[kind][variant][holding];
    unsigned most = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < COUNTS; i++) {
        all += seen[i];
        if (seen[i] > seen[most])
            most = i;
    }
    return all > 0 && 4 * seen[most] >= 3 * all ? most : COUNTS;
}

static bool is_seen(enum subject_kind kind, unsigned variant, size_t holding)
{
    for (unsigned i = 0; i < COUNTS; i++)
        if (books[kind][variant][holding][i] != 0)
            return true;
    return false;
}

static void close_holding(struct draft *draft, enum subject_kind kind, size_t holding)
{
    struct draft_kind *of = &draft->kinds[kind];
    enum subject_kind held = holdings[holding].kind;
    unsigned alone = usual_count(kind, 0, holding);
    unsigned others = usual_count(kind, 1, holding);

    if (!is_seen(kind, 0, holding))
        alone = others;
    if (!is_seen(kind, 1, holding))
        others = alone;
    if (alone == COUNTS || (alone != others && others != 0)) {
        step_note("%s: how many references of its %s it holds differs", subject_kind_names[kind],
                  subject_kind_names[held]);
        return;
    }
    of->holds[held] = (uint8_t)alone;
    of->holds_alone[held] = alone != others;
}

/* What each allocation of shared virtual memory holds of its context. */
static void close_svm(struct draft *draft, const struct maker *maker)
{
    unsigned most = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < MAKE_HELD; i++) {
        all += maker->svm_held[i];
        if (maker->svm_held[i] > maker->svm_held[most])
            most = i;
    }
    if (4 * maker->svm_held[most] >= 3 * all)
        draft->kinds[subject_context].each_svm_holds = (uint8_t)most;
}

void books_close(struct draft *draft, const struct maker *maker)
{
    close_svm(draft, maker);
    for (enum subject_kind kind = subject_context; kind < SUBJECT_KINDS; kind++)
        for (size_t i = 0; i < HOLDINGS && draft->kinds[kind].is_there; i++)
            if (draft_field(draft, kind, holdings[i].fact) != NULL &&
                (is_seen(kind, 0, i) || is_seen(kind, 1, i)))
                close_holding(draft, kind, i);
}
