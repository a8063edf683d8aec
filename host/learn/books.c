/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See books.h: references are counted before and after an object goes. */
#include <host/learn/books.h>

#include <host/learn/step.h>

#define BOOKS_DIFFER UINT8_MAX

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

/* Of each kind of object, by holding: references that went with each of them. */
static struct {
    bool is_known;
    uint8_t count;
} books[SUBJECT_KINDS][HOLDINGS];

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

static void enter(enum subject_kind kind, size_t holding, cl_uint count)
{
    if (count >= BOOKS_DIFFER)
        count = BOOKS_DIFFER;
    if (books[kind][holding].is_known && books[kind][holding].count != count)
        count = BOOKS_DIFFER;
    books[kind][holding].is_known = true;
    books[kind][holding].count = (uint8_t)count;
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
        else if (is_gone(subject))
            enter(subject->kind, i, before[i] - count);
    }
}

void books_close(struct draft *draft)
{
    for (enum subject_kind kind = subject_context; kind < SUBJECT_KINDS; kind++)
        for (size_t i = 0; i < HOLDINGS && draft->kinds[kind].is_there; i++) {
            if (!books[kind][i].is_known || draft_field(draft, kind, holdings[i].fact) == NULL)
                continue;
            if (books[kind][i].count != BOOKS_DIFFER)
                draft->kinds[kind].holds[holdings[i].kind] = books[kind][i].count;
            else
                step_note("%s: how many references of its %s it holds differs",
                          subject_kind_names[kind], subject_kind_names[holdings[i].kind]);
        }
}
