/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <string.h>

#define EXTENT_LOWEST (-64)
#define EXTENT_HIGHEST 512
#define EXTENT_LIMIT 8192 /* PoCL stores the status of a build after its log of 6400 bytes */

const char *const specimen_kind_names[SPECIMEN_KINDS] = {
#define LAYOUT_KIND(kind, ...) [specimen_##kind] = #kind,
#include <schema/layout.def>
};

const char *const fact_names[FACTS] = {
#define LAYOUT_FIELD(field, word, ...) [fact_##field] = word,
#include <schema/layout.def>
};

const struct fact_info fact_infos[FACTS] = {
    [fact_references] = {.width = 4},
    [fact_unique] = {.width = 8},
    [fact_device_count] = {.width = 4, .is_fixed = true},
    [fact_context_of] = {.is_handle = true},
    [fact_device_of] = {.is_handle = true, .may_be_alike = true},
    [fact_queue_of] = {.is_handle = true},
    [fact_program_of] = {.is_handle = true},
    [fact_properties] = {.width = 8},
    [fact_type] = {.width = 4, .may_be_alike = true, .is_fixed = true},
    [fact_size] = {.is_fixed = true},
    [fact_flags] = {.width = 8, .is_fixed = true},
    [fact_parent] = {.is_handle = true},
    [fact_origin] = {.is_fixed = true},
    [fact_map_count] = {.width = 4},
    [fact_width] = {.is_fixed = true},
    [fact_height] = {.is_fixed = true},
    [fact_depth] = {.is_fixed = true},
    [fact_array_size] = {.is_fixed = true},
    [fact_row_pitch] = {.is_fixed = true},
    [fact_slice_pitch] = {.is_fixed = true},
    [fact_channel_order] = {.width = 4, .is_fixed = true},
    [fact_channel_type] = {.width = 4, .is_fixed = true},
    [fact_packet_size] = {.width = 4, .is_fixed = true},
    [fact_max_packets] = {.width = 4, .is_fixed = true},
    [fact_command_type] = {.width = 4},
    [fact_status] = {.width = 4},
    [fact_build_status] = {.width = 4},
    [fact_svm_queue] = {.is_handle = true},
    [fact_svm_pointer_count] = {.width = 4, .is_fixed = true, .is_in_callback_node = true},
    [fact_svm_pointers] = {.is_followed = true, .is_in_callback_node = true},
    [fact_svm_function] = {.may_be_alike = true, .is_in_callback_node = true},
    [fact_svm_user_data] = {.is_in_callback_node = true},
    [fact_normalized] = {.width = 4},
    [fact_addressing] = {.width = 4},
    [fact_filtering] = {.width = 4},
};

const struct list_info list_infos[SPECIMEN_LISTS] = {
    [list_destructors] = {"destructors", {"function", "user_data"}, .key = 1},
    [list_svm] = {"svm", {"pointer", "size"}, .key = 0},
    [list_events] = {"events", {"event", NULL}, .key = 0, .is_handle = true},
    [list_devices] = {"devices", {"device", NULL}, .key = 0, .is_handle = true, .is_fixed = true},
    [list_memobjs] = {"memobjs", {"memobj", NULL}, .key = 0, .is_handle = true},
    [list_wait_list] = {"wait_list", {"event", NULL}, .key = 0, .is_handle = true},
};

static void find_extent(struct specimen *specimen)
{
    struct extent *extent = &specimen->extent;
    struct malloc_block block;

    *extent = (struct extent){EXTENT_LOWEST, EXTENT_HIGHEST, false};
    if (!guard_heap_find(specimen->handle, &block) || specimen->handle - block.start > EXTENT_LIMIT)
        return;
    extent->is_block = true;
    extent->lowest = (int32_t)(block.start - specimen->handle);
    extent->highest =
        extent->lowest + (int32_t)(block.size < EXTENT_LIMIT ? block.size : EXTENT_LIMIT);
}

struct specimen *population_find(struct population *population, const void *handle)
{
    for (unsigned i = 0; i < population->count; i++)
        if (population->specimens[i].handle == (uintptr_t)handle)
            return &population->specimens[i];
    return NULL;
}

struct specimen *population_add(struct population *population, enum specimen_kind kind,
                                const void *handle)
{
    struct specimen *specimen = &population->specimens[population->count];

    if (handle == NULL || population->count == POPULATION_SPECIMENS)
        return NULL;
    population->count++;
    memset(specimen, 0, sizeof(*specimen));
    specimen->kind = kind;
    specimen->handle = (uintptr_t)handle;
    specimen->owned = 1;
    find_extent(specimen);
    return specimen;
}

bool specimen_number(const struct specimen *specimen, int32_t offset, unsigned width,
                     uint64_t *number)
{
    const struct extent *extent = &specimen->extent;
    uintptr_t at = specimen->handle + (intptr_t)offset;

    if (!extent->is_block || offset < extent->lowest || offset + (int32_t)width > extent->highest)
        return own_memory_number(at, width, number);
    *number = own_memory_decode((const unsigned char *)at, width);
    return true;
}

void specimen_set(struct specimen *specimen, enum fact fact, uint64_t value)
{
    if (specimen == NULL)
        return;
    specimen->known |= UINT64_C(1) << fact;
    specimen->values[fact] = value;
}

bool specimen_knows(const struct specimen *specimen, enum fact fact)
{
    return (specimen->known >> fact & 1) != 0;
}

void specimen_list_begin(struct specimen *specimen, enum specimen_list list)
{
    if (specimen == NULL)
        return;
    specimen->lists[list].is_known = true;
    specimen->lists[list].count = 0;
}

void specimen_list_add(struct specimen *specimen, enum specimen_list list, uintptr_t first,
                       uintptr_t second)
{
    struct truth_list *truth = specimen != NULL ? &specimen->lists[list] : NULL;

    if (truth == NULL || !truth->is_known || truth->count == LIST_ELEMENTS)
        return;
    truth->elements[truth->count][0] = first;
    truth->elements[truth->count][1] = second;
    truth->count++;
}

bool specimen_is_freed(const struct specimen *specimen)
{
    struct malloc_block block;

    return !guard_heap_find(specimen->handle, &block) || block.is_freed;
}
