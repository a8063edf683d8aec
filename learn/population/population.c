/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See population.h: a complete population, from its first object to the end of its last. */
#include <learn/population/population.h>

#include <time.h>

const char *maker_make(struct maker *maker)
{
    static void (*const makers[])(struct maker * maker) = {
        maker_make_queues,   maker_make_buffers,  maker_make_images,        maker_make_pipes,
        maker_make_programs, maker_make_samplers, maker_make_svm,           maker_make_maps,
        maker_make_events,   maker_make_uses,     maker_make_device_copies,
    };
    static const char *const names[] = {
        "queues", "buffers", "images", "pipes",    "programs",      "samplers",
        "SVM",    "maps",    "events", "commands", "device copies",
    };

    protocol_step_begin("contexts");
    if (!maker_make_contexts(maker))
        return "it cannot create an OpenCL context";
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        if (protocol_step_begin(names[i]))
            makers[i](maker);
    return NULL;
}

static cl_uint count_references(const struct maker *maker, cl_context context)
{
    cl_uint count = 0;

    maker->icd->table->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count,
                                        NULL);
    return count;
}

/* Free the shared virtual memory, and record which references each allocation held. */
static void free_svm(struct maker *maker)
{
    for (unsigned i = 0; i < maker->svm_count; i++) {
        cl_context context = maker->svm[i].context;
        cl_uint before = count_references(maker, context);
        cl_uint held;

        maker->icd->table->clSVMFree(context, maker->svm[i].pointer);
        held = before - count_references(maker, context);
        if (held < MAKE_HELD)
            maker->svm_held[held]++;
    }
}

/* Let all commands complete. */
static void finish_commands(struct maker *maker)
{
    const cl_icd_dispatch *table = maker->icd->table;

    for (unsigned i = 0; i < MAKE_CONTEXTS; i++)
        if (maker->gates[i] != NULL)
            table->clSetUserEventStatus(maker->gates[i], CL_COMPLETE);
    for (unsigned i = 0; i < MAKE_WAITED_FOR; i++)
        if (maker->waited_for[i] != NULL)
            table->clSetUserEventStatus(maker->waited_for[i], CL_COMPLETE);
    for (unsigned i = 0; i < maker->map_count; i++)
        table->clEnqueueUnmapMemObject(maker->maps[i].queue, maker->maps[i].memobj,
                                       maker->maps[i].pointer, 0, NULL, NULL);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (maker->queues[i] != NULL)
            table->clFinish(maker->queues[i]);
    free_svm(maker);
}

#define END_POLLS 200
#define END_INTERVAL 1000000 /* ns */

/* Wait for the end of a released specimen, if its callbacks come later.  It releases its
 * references just after that.  Something else may still hold it. */
static void await_end(const struct subject *subject)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    bool was_gone = !maker_calls_later() || subject->lists[list_destructors].count == 0;

    for (unsigned i = 0; i < END_POLLS && !was_gone; i++) {
        was_gone = subject_is_gone(subject);
        nanosleep(&interval, NULL);
    }
}

/* Wait for the end of all released objects.  The runtime had called CALLED_BEFORE callbacks
 * before.  An object that ends later would appear among those of the next population. */
static void await_all_ends(const struct population *population, unsigned called_before)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    unsigned expected = called_before;

    for (unsigned i = 0; i < population->count; i++)
        if (population->subjects[i].kind != subject_platform &&
            population->subjects[i].kind != subject_device)
            expected += population->subjects[i].lists[list_destructors].count;
    for (unsigned i = 0; i < END_POLLS && maker_called_count() < expected; i++)
        nanosleep(&interval, NULL);
    for (unsigned i = 0; i < population->count; i++)
        await_end(&population->subjects[i]);
}

void maker_release(struct maker *maker,
                   void (*watch)(struct maker *maker, struct subject *subject, bool is_after))
{
    unsigned called_before = maker_called_count();

    maker_release_device_copies(maker);
    protocol_step_begin("release");
    finish_commands(maker);
    for (unsigned i = maker->population->count; i-- > 0;) {
        struct subject *subject = &maker->population->subjects[i];

        if (subject->kind == subject_platform || subject->kind == subject_device ||
            subject->owned == 0)
            continue;
        for (; subject->owned > 1; subject->owned--)
            maker_release_subject(maker, subject);
        if (watch != NULL)
            watch(maker, subject, false);
        maker_release_subject(maker, subject);
        if (watch == NULL)
            continue;
        await_end(subject);
        watch(maker, subject, true);
    }
    await_all_ends(maker->population, called_before);
}
