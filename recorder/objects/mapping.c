/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <sched.h>

/* The last mappings that were undone: references, 0 for none yet. */
#define ENDED_COUNT 256u
static uint32_t ended[ENDED_COUNT];
static uint32_t ended_next;

/* More mappings that were not undone are counted in their objects, but not recorded. */
#define LIVE_LIMIT 65536u
static uint32_t live_count;

/* A mapping could not be recorded, so one that is not found may exist. */
static uint32_t some_are_unknown;

/* ---- The list of an object ------------------------------------------------------------------- */

/* The words of a record that are the list. */
struct mapping_list {
    uint32_t *first; /* index plus 1 */
    uint32_t *lock;
};

static struct mapping_list mapping_list_of(const struct recorder_entry *owner)
{
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(owner->reference) == ompd_cl_registry_svm) {
        struct ompd_cl_registry_svm_record *svm = recorder_svm_record(owner);
        return (struct mapping_list){&svm->mappings, &svm->mappings_lock};
    }
    struct ompd_cl_registry_memobj_record *memobj = recorder_memobj_record(owner);
    return (struct mapping_list){&memobj->mappings, &memobj->mappings_lock};
}

static void mapping_list_lock(const struct mapping_list *list)
{
    while (__atomic_exchange_n(list->lock, 1, __ATOMIC_ACQUIRE)) {
        sched_yield();
    }
}

static void mapping_list_unlock(const struct mapping_list *list)
{
    __atomic_store_n(list->lock, 0, __ATOMIC_RELEASE);
}

static void mapping_entry_set(struct recorder_entry *entry, struct recorder_heap *heap,
                              uint32_t place)
{
    recorder_entry_set(entry, heap,
                       OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_mapping, place - 1));
}

static uint32_t mapping_place(const struct recorder_entry *entry)
{
    return OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference) + 1;
}

static uint32_t mapping_run_state(const struct recorder_entry *entry)
{
    return OMPD_CL_REGISTRY_RUN_STATE(
        __atomic_load_n(&recorder_mapping_record(entry)->run, __ATOMIC_RELAXED));
}

static void mapping_run_set(const struct recorder_entry *entry, uint32_t lwp,
                            enum ompd_cl_registry_state state)
{
    __atomic_store_n(&recorder_mapping_record(entry)->run, OMPD_CL_REGISTRY_RUN(lwp, state),
                     __ATOMIC_RELEASE);
    recorder_object_changed(entry);
}

/* Find the newest mapping at POINTER that no call is undoing, and have it undone by this thread. */
static bool mapping_claim(const struct recorder_entry *owner, const void *pointer,
                          struct recorder_entry *entry)
{
    struct mapping_list list = mapping_list_of(owner);
    bool is_found = false;
    mapping_list_lock(&list);
    for (uint32_t place = *list.first; place && !is_found;
         place = recorder_mapping_record(entry)->next) {
        mapping_entry_set(entry, owner->heap, place);
        is_found = entry->object->handle == (uintptr_t)pointer &&
                   mapping_run_state(entry) == ompd_cl_registry_live;
    }
    if (is_found) {
        mapping_run_set(entry, owner->heap->lwp, ompd_cl_registry_running);
    }
    mapping_list_unlock(&list);
    return is_found;
}

static void mapping_unlink(const struct recorder_entry *owner, const struct recorder_entry *entry)
{
    struct mapping_list list = mapping_list_of(owner);
    uint32_t wanted = mapping_place(entry);
    mapping_list_lock(&list);
    uint32_t *link = list.first;
    while (*link && *link != wanted) {
        struct recorder_entry other;
        mapping_entry_set(&other, owner->heap, *link);
        link = &recorder_mapping_record(&other)->next;
    }
    if (*link) {
        __atomic_store_n(link, recorder_mapping_record(entry)->next, __ATOMIC_RELEASE);
    }
    mapping_list_unlock(&list);
    recorder_object_changed(owner);
}

/* ---- The end of mappings --------------------------------------------------------------------- */

static void mapping_free(struct recorder_heap *heap, uint32_t reference)
{
    struct recorder_entry entry;
    recorder_entry_set(&entry, heap, reference);
    struct recorder_slot slot = {.index = OMPD_CL_REGISTRY_REFERENCE_INDEX(reference),
                                 .chunk = entry.chunk,
                                 .record = entry.object};
    __atomic_store_n(&entry.object->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    recorder_slot_free(heap, ompd_cl_registry_mapping, &slot);
}

/* Have this thread end the mapping, unless another one, which releases its object, does so. */
static bool mapping_end_claim(const struct recorder_entry *entry, enum ompd_cl_registry_state state)
{
    uint64_t *run = &recorder_mapping_record(entry)->run;
    uint64_t before = __atomic_load_n(run, __ATOMIC_RELAXED);
    do {
        if (OMPD_CL_REGISTRY_RUN_STATE(before) != ompd_cl_registry_live &&
            OMPD_CL_REGISTRY_RUN_STATE(before) != ompd_cl_registry_running) {
            return false;
        }
    } while (!__atomic_compare_exchange_n(run, &before,
                                          OMPD_CL_REGISTRY_RUN(entry->heap->lwp, state), false,
                                          __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    recorder_object_changed(entry);
    return true;
}

/* The mapping is in no list any more: STATE says why. It replaces the one that ended first. */
static void mapping_end(const struct recorder_entry *entry, enum ompd_cl_registry_state state)
{
    if (!mapping_end_claim(entry, state)) {
        return;
    }
    recorder_mapping_record(entry)->ended_at = recorder_clock_now();
    __atomic_fetch_sub(&live_count, 1, __ATOMIC_RELAXED);
    uint32_t number = __atomic_fetch_add(&ended_next, 1, __ATOMIC_RELAXED);
    uint32_t before =
        __atomic_exchange_n(&ended[number % ENDED_COUNT], entry->reference, __ATOMIC_ACQ_REL);
    if (before) {
        mapping_free(entry->heap, before);
    }
}

void recorder_mappings_abandon(const struct recorder_entry *owner, uint32_t first)
{
    while (first) {
        struct recorder_entry entry;
        mapping_entry_set(&entry, owner->heap, first);
        first = recorder_mapping_record(&entry)->next;
        mapping_end(&entry, ompd_cl_registry_failed);
    }
}

/* ---- Making one ------------------------------------------------------------------------------ */

static void mapping_fill(const struct recorder_entry *entry, const struct recorder_entry *owner,
                         const struct recorder_mapping *mapping,
                         const struct recorder_command *command)
{
    struct ompd_cl_registry_mapping_record *record = recorder_mapping_record(entry);
    record->object.parent = owner->reference;
    record->object.parent_generation = owner->generation;
    record->object.context = owner->object->context;
    record->object.context_generation = owner->object->context_generation;
    record->run = OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_live);
    record->parent_handle = (uintptr_t)mapping->handle;
    record->queue_handle = (uintptr_t)command->queue_handle;
    record->at = recorder_clock_now();
    record->ended_at = 0;
    record->number = command->number;
    record->is_blocking = mapping->facts->is_blocking;
    record->command = command->record.object ? command->record.reference : 0;
    record->command_generation = command->record.object ? command->record.generation : 0;
    record->element_size = 0;
    recorder_operands_set(&record->operands, mapping->facts);
    if (mapping->table == ompd_cl_registry_memobj) {
        record->element_size = recorder_memobj_record(owner)->element_size;
        recorder_operands_add_mapping(&record->operands, mapping->pointer, mapping->pitches);
    }
}

void recorder_mapping_made(const struct recorder_mapping *mapping,
                           const struct recorder_command *command)
{
    struct recorder_entry owner;
    struct recorder_entry entry;
    if (!recorder_object_find(&owner, mapping->table, mapping->handle)) {
        return;
    }
    if (__atomic_fetch_add(&live_count, 1, __ATOMIC_RELAXED) >= LIVE_LIMIT ||
        !recorder_object_open(&entry, ompd_cl_registry_mapping, mapping->pointer,
                              mapping->facts->type, mapping->return_address)) {
        __atomic_fetch_sub(&live_count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&some_are_unknown, 1, __ATOMIC_RELAXED);
        return;
    }
    mapping_fill(&entry, &owner, mapping, command);
    __atomic_store_n(recorder_state_word(entry.object), recorder_state_word_make(entry.generation),
                     __ATOMIC_RELEASE);
    recorder_object_changed(&entry);
    struct mapping_list list = mapping_list_of(&owner);
    mapping_list_lock(&list);
    recorder_mapping_record(&entry)->next = *list.first;
    __atomic_store_n(list.first, mapping_place(&entry), __ATOMIC_RELEASE);
    mapping_list_unlock(&list);
    recorder_object_changed(&owner);
}

/* ---- Undoing it ------------------------------------------------------------------------------ */

/* Set the call that undid the last mapping of OWNER at POINTER, if that is still recorded. */
static void former_unmap_set(struct recorder_mistake *mistake, const struct recorder_entry *owner,
                             const void *pointer)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < ENDED_COUNT; i++) {
        uint32_t reference = __atomic_load_n(&ended[i], __ATOMIC_ACQUIRE);
        if (!reference) {
            continue;
        }
        const struct ompd_cl_registry_object *object = recorder_object_at(reference);
        if (object->handle == (uintptr_t)pointer && object->parent == owner->reference &&
            object->parent_generation == owner->generation && object->serial > last) {
            last = object->serial;
            mistake->other_site.lwp = object->released_lwp;
            mistake->other_site.stack = object->released_stack;
            mistake->other_site.caller = object->released_caller;
        }
    }
}

/* The memory object has no mapping at POINTER. */
static void unmapped_mistake(const struct recorder_entry *owner, const void *pointer,
                             const void *return_address)
{
    const struct ompd_cl_registry_counts *counts = &ompd_opencl_registry.counts;
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_unmap_unmapped,
                                       .object_table = ompd_cl_registry_memobj,
                                       .object = owner->object->handle,
                                       .address = pointer};
    if (!recorder_mistakes_are_recorded() || !pointer ||
        __atomic_load_n(&some_are_unknown, __ATOMIC_RELAXED) ||
        __atomic_load_n(&counts->loaders_refused, __ATOMIC_RELAXED)) {
        return;
    }
    former_unmap_set(&mistake, owner, pointer);
    recorder_mistake_record(&mistake, return_address);
}

void recorder_unmapping_begin(struct recorder_unmapping *unmapping, uint32_t table,
                              const void *handle, const void *pointer)
{
    unmapping->mapping.object = NULL;
    if (!recorder_object_find(&unmapping->owner, table, handle) ||
        mapping_claim(&unmapping->owner, pointer, &unmapping->mapping)) {
        return;
    }
    unmapping->mapping.object = NULL;
    if (table == ompd_cl_registry_memobj) {
        unmapped_mistake(&unmapping->owner, pointer, unmapping->return_address);
    }
}

void recorder_unmapping_end(const struct recorder_unmapping *unmapping, bool succeeded)
{
    const struct recorder_entry *entry = &unmapping->mapping;
    if (!entry->object || !recorder_entry_is_there(entry) ||
        mapping_run_state(entry) != ompd_cl_registry_running) {
        return; /* or its object has ended meanwhile */
    }
    if (!succeeded) {
        mapping_run_set(entry, 0, ompd_cl_registry_live);
        return;
    }
    recorder_object_released_by(entry, unmapping->return_address);
    mapping_unlink(&unmapping->owner, entry);
    mapping_end(entry, ompd_cl_registry_done);
}

/* ---- Never undone ---------------------------------------------------------------------------- */

/* Whether the command of the mapping may have failed, so that there is no mapping. */
static bool mapping_may_have_failed(const struct recorder_entry *entry)
{
    const struct ompd_cl_registry_mapping_record *record = recorder_mapping_record(entry);
    struct recorder_entry command;
    if (record->is_blocking) {
        return false;
    }
    if (!record->command) {
        return true;
    }
    recorder_entry_set(&command, entry->heap, record->command);
    if (command.generation != record->command_generation) {
        return __atomic_load_n(&recorder_events_have_failed, __ATOMIC_RELAXED);
    }
    uint64_t run = __atomic_load_n(&recorder_command_record(&command)->run, __ATOMIC_RELAXED);
    return OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_failed;
}

void recorder_mappings_check_release(const struct recorder_entry *memobj,
                                     const void *return_address)
{
    struct mapping_list list = mapping_list_of(memobj);
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_never_unmapped,
                                       .object_table = ompd_cl_registry_memobj,
                                       .object = memobj->object->handle};
    if (!recorder_mistakes_are_recorded()) {
        return;
    }
    mapping_list_lock(&list);
    bool is_left = false;
    for (uint32_t place = *list.first; place && !is_left;) {
        struct recorder_entry entry;
        mapping_entry_set(&entry, memobj->heap, place);
        place = recorder_mapping_record(&entry)->next;
        is_left =
            mapping_run_state(&entry) == ompd_cl_registry_live && !mapping_may_have_failed(&entry);
        mistake.address = (const void *)(uintptr_t)entry.object->handle;
        mistake.other_site.lwp = entry.object->lwp;
        mistake.other_site.stack = entry.object->stack;
        mistake.other_site.caller = entry.object->caller;
    }
    mapping_list_unlock(&list);
    if (is_left) {
        recorder_mistake_record(&mistake, return_address);
    }
}

/* ---- After a fork ---------------------------------------------------------------------------- */

void recorder_mappings_repair(void)
{
    static const uint32_t tables[] = {ompd_cl_registry_memobj, ompd_cl_registry_svm};
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        uint32_t limit = recorder_index_limit(tables[i]);
        for (uint32_t index = 0; index < limit; index++) {
            struct recorder_entry entry = {.object = recorder_record(tables[i], index),
                                           .reference =
                                               OMPD_CL_REGISTRY_REFERENCE(tables[i], index)};
            *mapping_list_of(&entry).lock = 0;
        }
    }
}
