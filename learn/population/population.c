/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See population.h: a complete population, from its first object to the end of its last. */
#include <learn/population/population.h>

#include <time.h>

const char *population_make(struct builder *builder)
{
    static void (*const builders[])(struct builder * builder) = {
        population_make_queues, population_make_buffers,       population_make_images,
        population_make_pipes,  population_make_programs,      population_make_samplers,
        population_make_svm,    population_make_maps,          population_make_events,
        population_make_uses,   population_make_device_copies,
    };
    static const char *const names[] = {
        "queues", "buffers", "images", "pipes",    "programs",      "samplers",
        "SVM",    "maps",    "events", "commands", "device copies",
    };

    protocol_step_begin("contexts");
    if (!population_make_contexts(builder))
        return "it cannot create an OpenCL context";
    for (size_t i = 0; i < sizeof(builders) / sizeof(builders[0]); i++)
        if (protocol_step_begin(names[i]))
            builders[i](builder);
    return NULL;
}

static cl_uint count_references(const struct builder *builder, cl_context context)
{
    cl_uint count = 0;

    builder->icd->table->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count),
                                          &count, NULL);
    return count;
}

/* Free the shared virtual memory, and record which references each allocation held. */
static void free_svm(struct builder *builder)
{
    for (unsigned i = 0; i < builder->svm_count; i++) {
        cl_context context = builder->svm[i].context;
        cl_uint before = count_references(builder, context);
        cl_uint held;

        builder->icd->table->clSVMFree(context, builder->svm[i].pointer);
        held = before - count_references(builder, context);
        if (held < MAKE_HELD)
            builder->svm_held[held]++;
    }
}

/* Let all commands complete. */
static void finish_commands(struct builder *builder)
{
    const cl_icd_dispatch *table = builder->icd->table;

    for (unsigned i = 0; i < MAKE_CONTEXTS; i++)
        if (builder->gates[i] != NULL)
            table->clSetUserEventStatus(builder->gates[i], CL_COMPLETE);
    for (unsigned i = 0; i < MAKE_WAITED_FOR; i++)
        if (builder->waited_for[i] != NULL)
            table->clSetUserEventStatus(builder->waited_for[i], CL_COMPLETE);
    for (unsigned i = 0; i < builder->map_count; i++)
        table->clEnqueueUnmapMemObject(builder->maps[i].queue, builder->maps[i].memobj,
                                       builder->maps[i].pointer, 0, NULL, NULL);
    for (unsigned i = 0; i < MAKE_QUEUES; i++)
        if (builder->queues[i] != NULL)
            table->clFinish(builder->queues[i]);
    free_svm(builder);
}

#define END_POLLS 200
#define END_INTERVAL 1000000 /* ns */

/* Wait for the end of a released specimen, if its callbacks come later.  It releases its
 * references just after that.  Something else may still hold it. */
static void await_end(const struct specimen *specimen)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    bool was_freed = !population_calls_later() || specimen->lists[list_destructors].count == 0;

    for (unsigned i = 0; i < END_POLLS && !was_freed; i++) {
        was_freed = specimen_is_freed(specimen);
        nanosleep(&interval, NULL);
    }
}

/* Whether callbacks may still come, of which CALLED have come since the releases began.  Where they
 * come within the releases, a missing one is of an object that the runtime does not destroy. */
static bool may_come(unsigned called)
{
    return population_calls_later() || called == 0;
}

/* Wait for the end of all released objects.  The runtime had called CALLED_BEFORE callbacks
 * before.  An object that ends later would appear among those of the next population. */
static void await_all_ends(const struct population *population, unsigned called_before)
{
    const struct timespec interval = {.tv_nsec = END_INTERVAL};
    unsigned expected = called_before;

    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].kind != specimen_platform &&
            population->specimens[i].kind != specimen_device)
            expected += population->specimens[i].lists[list_destructors].count;
    for (unsigned i = 0; i < END_POLLS && population_called_count() < expected &&
                         may_come(population_called_count() - called_before);
         i++)
        nanosleep(&interval, NULL);
    for (unsigned i = 0; i < population->count; i++)
        await_end(&population->specimens[i]);
}

void population_release(struct builder *builder,
                        void (*watch)(struct builder *builder, struct specimen *specimen,
                                      bool is_after))
{
    unsigned called_before = population_called_count();

    population_release_device_copies(builder);
    protocol_step_begin("release");
    finish_commands(builder);
    for (unsigned i = builder->population->count; i-- > 0;) {
        struct specimen *specimen = &builder->population->specimens[i];

        if (specimen->kind == specimen_platform || specimen->kind == specimen_device ||
            specimen->owned == 0)
            continue;
        for (; specimen->owned > 1; specimen->owned--)
            population_release_specimen(builder, specimen);
        if (watch != NULL)
            watch(builder, specimen, false);
        population_release_specimen(builder, specimen);
        if (watch == NULL)
            continue;
        await_end(specimen);
        watch(builder, specimen, true);
    }
    await_all_ends(builder->population, called_before);
}
