/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that record a command into a command buffer. */
#include "wrap/wrap.h"

/* The place of the properties, and of the first parameter behind them. */
#define PROPERTIES 2

static void *word_pointer(const uintptr_t *words, uint32_t place)
{
    return (void *)words[place];
}

/* The object that parameter NUMBER behind the properties names, if BASE is the first; NULL: the
 * function has no such parameter. */
static void *parameter_get(const uintptr_t *words, uint32_t base, uint8_t number)
{
    return number ? word_pointer(words, base + number - 1) : NULL;
}

static bool memobj_is_known(const uintptr_t *words, uint32_t base, uint8_t number)
{
    struct recorder_entry entry;
    return !number || recorder_object_find(&entry, ompd_cl_registry_memobj,
                                           parameter_get(words, base, number));
}

/* The place of the first parameter behind the properties; 0: it is unknown. The memory objects must
 * confirm what the device's version says, so that nothing else is taken for a pointer. */
static uint32_t base_find(const struct recorder_entry *buffer,
                          const struct recorder_buffered_shape *shape, const uintptr_t *words)
{
    uint32_t form = recorder_command_buffer_record(buffer)->form;
    bool has_objects = shape->memobj || shape->destination;
    if (shape->has_always_properties) {
        return PROPERTIES + 1;
    }
    if (form == recorder_form_unknown && !has_objects) {
        return 0;
    }
    for (uint32_t base = PROPERTIES; base <= PROPERTIES + 1; base++) {
        bool is_of_form = form == recorder_form_unknown ||
                          (form == recorder_form_with_properties) == (base == PROPERTIES + 1);
        if (is_of_form && memobj_is_known(words, base, shape->memobj) &&
            memobj_is_known(words, base, shape->destination)) {
            return base;
        }
    }
    return 0;
}

static void facts_fill(struct recorder_buffered_facts *facts,
                       const struct recorder_buffered_shape *shape, const uintptr_t *words,
                       uint32_t base)
{
    uint32_t waits = base + shape->waits - 1;
    const cl_uint *sync_point = word_pointer(words, waits + 2);
    void *const *handle = word_pointer(words, waits + 3);
    facts->kernel = parameter_get(words, base, shape->kernel);
    facts->memobj = parameter_get(words, base, shape->memobj);
    facts->destination = parameter_get(words, base, shape->destination);
    facts->svm_destination = parameter_get(words, base, shape->svm_destination);
    facts->svm_source = parameter_get(words, base, shape->svm_source);
    facts->sync_count = (cl_uint)words[waits];
    facts->sync_points = word_pointer(words, waits + 1);
    facts->sync_point = sync_point ? (uint64_t)*sync_point + 1 : 0;
    facts->handle = handle ? *handle : NULL;
}

void recorder_buffered_command_note(cl_command_buffer_khr buffer,
                                    const struct recorder_buffered_shape *shape,
                                    const uintptr_t *words, const void *return_address)
{
    struct recorder_entry entry;
    struct recorder_buffered_facts facts = {.type = shape->type};
    if (!recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        recorder_count_unknown_handle();
        return;
    }
    uint32_t base = base_find(&entry, shape, words);
    facts.queue = word_pointer(words, 1);
    if (!facts.queue) {
        facts.queue =
            (cl_command_queue)(uintptr_t)recorder_command_buffer_record(&entry)->queue_handle;
    }
    if (base) {
        facts_fill(&facts, shape, words, base);
    }
    recorder_buffered_command_add(&entry, &facts, return_address);
}
