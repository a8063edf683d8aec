/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/layout/layout.h"

#define KIND(kind) (UINT32_C(1) << layout_##kind)
#define ALL ((UINT32_C(1) << LAYOUT_KIND_COUNT) - 1)
#define MEMORY (KIND(buffer) | KIND(image))
#define MEMOBJS (MEMORY | KIND(pipe))
#define IN_CONTEXT                                                                                 \
    (KIND(queue) | MEMOBJS | KIND(event) | KIND(program) | KIND(kernel) | KIND(sampler))

const struct layout_kind_word layout_kind_words[LAYOUT_KIND_COUNT] = {
    [layout_platform] = {"platform", "a platform"},
    [layout_device] = {"device", "a device"},
    [layout_context] = {"context", "a context"},
    [layout_queue] = {"queue", "a queue"},
    [layout_buffer] = {"buffer", "a buffer"},
    [layout_image] = {"image", "an image"},
    [layout_pipe] = {"pipe", "a pipe"},
    [layout_event] = {"event", "an event"},
    [layout_program] = {"program", "a program"},
    [layout_kernel] = {"kernel", "a kernel"},
    [layout_sampler] = {"sampler", "a sampler"},
};

const struct layout_field_word layout_field_words[LAYOUT_FIELD_COUNT] = {
    [layout_references] = {"references", ALL, false, false},
    [layout_unique] = {"unique", ALL, false, false},
    [layout_device_count] = {"device_count", KIND(context), false, true},
    [layout_context_of] = {"context", IN_CONTEXT, true, false},
    [layout_device_of] = {"device", KIND(queue), true, false},
    [layout_queue_of] = {"queue", KIND(event), true, false},
    [layout_program_of] = {"program", KIND(kernel), true, false},
    [layout_properties] = {"properties", KIND(queue), false, false},
    [layout_type] = {"type", MEMORY, false, false},
    [layout_size] = {"size", MEMORY, false, false},
    [layout_flags] = {"flags", MEMOBJS, false, false},
    [layout_host_pointer] = {"host_pointer", MEMORY, true, false},
    [layout_parent] = {"parent", MEMORY, true, false},
    [layout_origin] = {"origin", MEMORY, false, false},
    [layout_map_count] = {"map_count", MEMORY, false, false},
    [layout_mapped_pointer] = {"mapped_pointer", MEMORY, true, false},
    [layout_width] = {"width", KIND(image), false, false},
    [layout_height] = {"height", KIND(image), false, false},
    [layout_depth] = {"depth", KIND(image), false, false},
    [layout_array_size] = {"array_size", KIND(image), false, false},
    [layout_row_pitch] = {"row_pitch", KIND(image), false, false},
    [layout_slice_pitch] = {"slice_pitch", KIND(image), false, false},
    [layout_channel_order] = {"channel_order", KIND(image), false, false},
    [layout_channel_type] = {"channel_type", KIND(image), false, false},
    [layout_packet_size] = {"packet_size", KIND(pipe), false, false},
    [layout_max_packets] = {"max_packets", KIND(pipe), false, false},
    [layout_command_type] = {"command_type", KIND(event), false, false},
    [layout_status] = {"status", KIND(event), false, false},
    [layout_build_status] = {"build_status", KIND(program), false, false},
    [layout_svm_queue] = {"svm_queue", KIND(event), true, false},
    [layout_svm_pointer_count] = {"svm_pointer_count", KIND(event), false, true},
    [layout_svm_pointers] = {"svm_pointers", KIND(event), true, true},
    [layout_svm_function] = {"svm_function", KIND(event), true, true},
    [layout_svm_user_data] = {"svm_user_data", KIND(event), true, true},
};

const struct layout_list_word layout_list_words[LAYOUT_LIST_COUNT] = {
    [layout_destructors] = {"destructors", MEMOBJS | KIND(context), layout_function},
    [layout_svm] = {"svm", KIND(context), layout_svm_pointer},
    [layout_events] = {"events", KIND(queue), layout_event_of},
    [layout_devices] = {"devices", KIND(context), layout_element_device},
    [layout_memobjs] = {"memobjs", KIND(event), layout_memobj_of},
    [layout_wait_list] = {"wait_list", KIND(event), layout_waited_for},
};

const struct layout_element_word layout_element_words[LAYOUT_ELEMENT_COUNT] = {
    [layout_function] = {"function", layout_destructors, true},
    [layout_user_data] = {"user_data", layout_destructors, true},
    [layout_svm_pointer] = {"pointer", layout_svm, true},
    [layout_svm_size] = {"size", layout_svm, false},
    [layout_event_of] = {"event", layout_events, true},
    [layout_element_device] = {"device", layout_devices, true},
    [layout_memobj_of] = {"memobj", layout_memobjs, true},
    [layout_waited_for] = {"event", layout_wait_list, true},
};

enum layout_kind layout_kind_find(struct word word)
{
    unsigned kind = 0;

    while (kind < LAYOUT_KIND_COUNT && !word_is(word, layout_kind_words[kind].name))
        kind++;
    return (enum layout_kind)kind;
}

enum layout_field layout_field_find(enum layout_kind kind, struct word word)
{
    unsigned field = 0;

    while (field < LAYOUT_FIELD_COUNT && ((layout_field_words[field].kinds >> kind & 1) == 0 ||
                                          !word_is(word, layout_field_words[field].name)))
        field++;
    return (enum layout_field)field;
}

enum layout_list layout_list_find(enum layout_kind kind, struct word word)
{
    unsigned list = 0;

    while (list < LAYOUT_LIST_COUNT && ((layout_list_words[list].kinds >> kind & 1) == 0 ||
                                        !word_is(word, layout_list_words[list].name)))
        list++;
    return (enum layout_list)list;
}

enum layout_element layout_element_find(enum layout_list list, struct word word)
{
    unsigned element = 0;

    while (element < LAYOUT_ELEMENT_COUNT && (layout_element_words[element].list != list ||
                                              !word_is(word, layout_element_words[element].name)))
        element++;
    return (enum layout_element)element;
}

static const struct layout_naming namings[] = {
    {layout_device_of, KIND(queue), KIND(device), layout_device, true},
    {layout_queue_of, KIND(event), KIND(queue), layout_queue, false},
    {layout_program_of, KIND(kernel), KIND(program), layout_program, true},
    {layout_parent, MEMORY, MEMORY, layout_buffer, false},
};

#define NAMING_COUNT (sizeof(namings) / sizeof(namings[0]))

const struct layout_naming *layout_naming_of(enum layout_kind kind)
{
    for (size_t i = 0; i < NAMING_COUNT; i++) {
        if ((namings[i].namers >> kind & 1) != 0)
            return &namings[i];
    }
    return NULL;
}

enum layout_field layout_field_naming(enum layout_kind kind)
{
    if (kind == layout_context)
        return layout_context_of;
    for (size_t i = 0; i < NAMING_COUNT; i++) {
        if (namings[i].held == kind)
            return namings[i].field;
    }
    return LAYOUT_FIELD_COUNT;
}
