/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/calls.h"

#include <string.h>

static uint32_t moments;

static bool has_unseen_commands;
static bool has_command_buffers;
static bool has_unseen_objects;

static bool begins_with(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

/* The names that extensions use: clCommand... adds a command to a command buffer, clEnqueue... adds
 * one to a queue, and clGet... creates nothing. */
void recorder_lingering_note_function(const char *name)
{
    if (!begins_with(name, "clGet")) {
        __atomic_store_n(&has_unseen_objects, true, __ATOMIC_RELAXED);
    }
    if (begins_with(name, "clEnqueue")) {
        __atomic_store_n(&has_unseen_commands, true, __ATOMIC_RELAXED);
    }
    if (begins_with(name, "clCommand")) {
        __atomic_store_n(&has_command_buffers, true, __ATOMIC_RELAXED);
    }
}

bool recorder_lingering_has_unseen_commands(void)
{
    return __atomic_load_n(&has_unseen_commands, __ATOMIC_RELAXED);
}

bool recorder_lingering_has_command_buffers(void)
{
    return __atomic_load_n(&has_command_buffers, __ATOMIC_RELAXED);
}

bool recorder_lingering_has_unseen_objects(void)
{
    return __atomic_load_n(&has_unseen_objects, __ATOMIC_RELAXED);
}

uint32_t recorder_lingering_moment(void)
{
    return __atomic_load_n(&moments, __ATOMIC_SEQ_CST);
}

uint32_t recorder_lingering_moment_end(void)
{
    return __atomic_fetch_add(&moments, 1, __ATOMIC_SEQ_CST);
}

bool recorder_queue_is_idle(const struct recorder_entry *queue)
{
    if (RECORDER_UNLIKELY(recorder_lingering_has_unseen_commands())) {
        return false;
    }
    /* In this order, because both only grow. */
    uint32_t finished = __atomic_load_n(&recorder_queue_record(queue)->finished, __ATOMIC_SEQ_CST);
    return finished == recorder_queue_last(queue);
}

void recorder_lingering_count(const struct ompd_cl_registry_object *object, uint32_t difference)
{
    struct recorder_family family;
    recorder_family_get(&family, object);
    if (family.context) {
        __atomic_fetch_add(&family.context->children_released, difference, __ATOMIC_SEQ_CST);
    }
    if (family.parent &&
        OMPD_CL_REGISTRY_REFERENCE_TABLE(family.parent_reference) == ompd_cl_registry_memobj) {
        struct ompd_cl_registry_memobj_record *parent = (void *)family.parent;
        __atomic_fetch_add(&parent->children_released, difference, __ATOMIC_SEQ_CST);
    }
}

void recorder_lingering_mark(const struct recorder_entry *entry, uint8_t evidence)
{
    uint64_t word = recorder_state_word_load(entry->object);
    uint64_t after;
    do {
        if (!recorder_state_word_is_of(word, entry->generation)) {
            return;
        }
        uint8_t others = recorder_state_word_evidence(word) & (uint8_t)~RECORDER_LINGERING;
        after = recorder_state_word_with_evidence(word, others | evidence);
    } while (!recorder_state_word_exchange(entry->object, &word, after));
    bool was_counted = recorder_state_word_evidence(word) & RECORDER_LINGERING;
    if (was_counted != (evidence != 0)) {
        recorder_lingering_count(entry->object, was_counted ? UINT32_MAX : 1);
    }
    recorder_object_changed(entry);
}

void recorder_lingering_end(const struct recorder_entry *context)
{
    struct ompd_cl_registry_context_record *record = recorder_context_record(context);
    recorder_address_list_end(context->heap, recorder_address_stack_take_all(&record->lingering));
}
