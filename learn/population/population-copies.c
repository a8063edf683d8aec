/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL contexts of several devices on systems with only one.  Most runtimes count a device
 * that is given twice once.  Then all contexts have one device, and nothing shows where the
 * number is stored.  To most runtimes, a copy of the device's bytes is another device.  Nothing
 * else is created in these contexts. */
#include <learn/population/population.h>

#include <stdlib.h>
#include <string.h>

#define COPIES 3
#define ALIGNMENT 64 /* that of the largest types */

static cl_device_id copy_device(cl_device_id device)
{
    struct malloc_block block;
    uintptr_t offset;
    char *copy;

    if (!guard_heap_find((uintptr_t)device, &block))
        return NULL;
    copy = aligned_alloc(ALIGNMENT, block.size);
    if (copy == NULL)
        return NULL;
    memcpy(copy, (const void *)block.start, block.size);
    offset = (uintptr_t)device - block.start;
    return (cl_device_id)(void *)(copy + offset);
}

/* Whether the runtime counts a device once that is given twice. */
static bool counts_once(const struct builder *builder)
{
    const cl_device_id twice[] = {builder->icd->devices[0], builder->icd->devices[0]};
    cl_uint count = 0;
    cl_int code;
    cl_context context = builder->icd->table->clCreateContext(NULL, 2, twice, NULL, NULL, &code);

    if (context == NULL)
        return false;
    builder->icd->table->clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count,
                                          NULL);
    builder->icd->table->clReleaseContext(context);
    return count == 1;
}

void population_make_device_copies(struct builder *builder)
{
    static cl_device_id copies[COPIES]; /* a runtime may use them until the probe ends */
    static const unsigned counts[MAKE_OF_COPIES] = {2, 3, 4};
    cl_device_id devices[1 + COPIES] = {builder->icd->devices[0]};
    cl_int code;

    if (builder->icd->device_count != 1 || !counts_once(builder))
        return;
    for (unsigned i = 0; i < COPIES; i++) {
        if (copies[i] == NULL)
            copies[i] = copy_device(devices[0]);
        devices[1 + i] = copies[i];
        if (copies[i] == NULL)
            return;
    }
    for (unsigned i = 0; i < MAKE_OF_COPIES; i++) {
        cl_context context =
            builder->icd->table->clCreateContext(NULL, counts[i], devices, NULL, NULL, &code);

        if (population_add(builder->population, specimen_context, context) != NULL)
            builder->of_copies[builder->of_copies_count++] = context;
    }
}

void population_release_device_copies(struct builder *builder)
{
    if (builder->of_copies_count > 0)
        protocol_step_begin("device copies");
    for (unsigned i = 0; i < builder->of_copies_count; i++) {
        struct specimen *specimen = population_find(builder->population, builder->of_copies[i]);

        population_release_specimen(builder, specimen);
        specimen->owned = 0;
    }
}
