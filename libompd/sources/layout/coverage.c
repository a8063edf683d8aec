/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the layouts of a target's runtimes cover. */
#include "sources/layout/layout-source.h"

static const char *const nouns[COVERAGE_COUNT] = {
    [coverage_contexts] = "OpenCL contexts",
    [coverage_queues] = "command queues",
    [coverage_buffers] = "buffers",
    [coverage_images] = "images",
    [coverage_sizes] = "the sizes of memory objects",
    [coverage_references] = "the references of memory objects",
    [coverage_svms] = "SVM allocations",
    [coverage_svm_sizes] = "the sizes of SVM allocations",
    [coverage_svm_frees] = "SVM-free commands",
    [coverage_memobj_destructors] = "destructor callbacks of memory objects",
    [coverage_context_destructors] = "destructor callbacks of OpenCL contexts",
    [coverage_programs] = "programs",
    [coverage_kernels] = "kernels",
    [coverage_samplers] = "samplers",
    [coverage_events] = "events",
    [coverage_platforms] = "OpenCL platforms",
};

const char *coverage_noun(enum coverage_part part)
{
    return nouns[part];
}

/* Return whether every kind of memory object that LAYOUT has, if any, also has FIELD. */
static bool has_memobj_field(const struct layout *layout, enum layout_field field)
{
    const struct layout_object *buffer = &layout->objects[layout_buffer];
    const struct layout_object *image = &layout->objects[layout_image];

    return (buffer->is_there || image->is_there) &&
           (!buffer->is_there || buffer->fields[field].is_there) &&
           (!image->is_there || image->fields[field].is_there);
}

static bool has_memobj_destructors(const struct layout *layout)
{
    const struct layout_object *buffer = &layout->objects[layout_buffer];
    const struct layout_object *image = &layout->objects[layout_image];

    return buffer->is_there && buffer->lists[layout_destructors].shape != layout_no_list &&
           (!image->is_there || image->lists[layout_destructors].shape != layout_no_list);
}

static bool has_svm_frees(const struct layout *layout)
{
    const struct layout_object *event = &layout->objects[layout_event];

    return event->is_there && event->fields[layout_command_type].is_there &&
           event->fields[layout_status].is_there;
}

/* Return whether LAYOUT says that OpenCL contexts have no LIST. */
static bool context_list_is_absent(const struct layout *layout, enum layout_list list)
{
    return (layout->objects[layout_context].absent >> list & 1) != 0;
}

/* Whether LAYOUT covers LIST of OpenCL contexts, or says that they have none. */
static bool covers_context_list(const struct layout *layout, enum layout_list list)
{
    return layout->objects[layout_context].lists[list].shape != layout_no_list ||
           context_list_is_absent(layout, list);
}

/* Whether LAYOUT covers PART. */
static bool layout_covers(const struct layout *layout, enum coverage_part part)
{
    const struct layout_object *objects = layout->objects;
    const struct layout_list_location *svms = &objects[layout_context].lists[layout_svm];

    switch (part) {
    case coverage_contexts:
        return objects[layout_context].is_there;
    case coverage_queues:
        return objects[layout_queue].is_there;
    case coverage_buffers:
        return objects[layout_buffer].is_there;
    case coverage_images:
        return objects[layout_image].is_there;
    case coverage_sizes:
        return has_memobj_field(layout, layout_size);
    case coverage_references:
        return has_memobj_field(layout, layout_references);
    case coverage_svms:
        return covers_context_list(layout, layout_svm);
    case coverage_svm_sizes:
        return svms->elements[layout_svm_size].is_there ||
               context_list_is_absent(layout, layout_svm);
    case coverage_svm_frees:
        return has_svm_frees(layout);
    case coverage_memobj_destructors:
        return has_memobj_destructors(layout);
    case coverage_context_destructors:
        return covers_context_list(layout, layout_destructors);
    case coverage_programs:
        return objects[layout_program].is_there;
    case coverage_kernels:
        return objects[layout_kernel].is_there;
    case coverage_samplers:
        return objects[layout_sampler].is_there;
    case coverage_events:
        return objects[layout_event].is_there;
    case coverage_platforms:
        return objects[layout_platform].is_there;
    default:
        return true;
    }
}

/* Whether the runtime at INDEX may have objects that its layout does not cover. All objects of a
 * program belong to an OpenCL context. */
static bool runtime_may_have(const struct address_space *space, uint32_t index)
{
    const struct inventory *inventory = &space->layout->inventory;
    const struct layout *layout = space->layout->runtimes.all[index].layout;

    return layout != NULL &&
           (!layout->objects[layout_context].is_there || !inventory_has_all(inventory) ||
            (inventory->runtimes_in_use >> index & 1) != 0);
}

uint32_t coverage_missing(const struct address_space *space, uint32_t index, uint32_t parts)
{
    uint32_t lacks = 0;

    if (!runtime_may_have(space, index))
        return 0;
    for (enum coverage_part part = 0; part < COVERAGE_COUNT; part++) {
        if (!layout_covers(space->layout->runtimes.all[index].layout, part))
            lacks |= UINT32_C(1) << part;
    }
    return lacks & parts;
}

bool coverage_presumes_none(const struct address_space *space, uint32_t parts)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct layout *layout = space->layout->runtimes.all[i].layout;

        if (runtime_may_have(space, i) && (((parts & (COVERAGE(svms) | COVERAGE(svm_sizes))) != 0 &&
                                            context_list_is_absent(layout, layout_svm)) ||
                                           ((parts & COVERAGE(context_destructors)) != 0 &&
                                            context_list_is_absent(layout, layout_destructors))))
            return true;
    }
    return false;
}

enum coverage_extent coverage_extent(const struct address_space *space, uint32_t parts)
{
    bool is_lacking = false;
    bool is_known = false;

    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        uint32_t lacks = coverage_missing(space, i, parts);

        is_lacking = is_lacking || lacks != 0;
        is_known = is_known || (runtime_may_have(space, i) && lacks != parts);
    }
    if (!is_lacking)
        return coverage_wholly;
    return is_known ? coverage_in_part : coverage_nowhere;
}
