/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lingering memory objects of a context are in a list in its record, newest first. It is a list
 * of links, because the records of the objects may end and be reused at any time. A thread that
 * walks the list detaches it as a whole, and inserts the remaining links again. */
#include "objects/objects.h"

#include "objects/calls.h"
#include "objects/kinds.h"

/* When the links exceed twice the lingering objects by this number, those to objects that have
 * ended otherwise are removed. */
#define SPARE_LINKS 64

/* ---- What the queues of a context have come to ----------------------------------------------- */

/* How far all queues of a context are complete. */
struct quiet {
    bool is_idle;    /* everything is complete; else */
    uint32_t moment; /* what had been enqueued at this moment */
};

static void quiet_add_queue(struct quiet *quiet, const struct recorder_entry *queue)
{
    const struct ompd_cl_registry_queue_record *record = recorder_queue_record(queue);
    uint32_t moment = __atomic_load_n(&record->quiet, __ATOMIC_SEQ_CST);
    if (recorder_queue_is_idle(queue)) {
        return;
    }
    if (quiet->is_idle || (int32_t)(moment - quiet->moment) < 0) {
        quiet->moment = moment;
    }
    quiet->is_idle = false;
}

static struct quiet quiet_find(const struct recorder_entry *context)
{
    const struct recorder_table *queues = &recorder_tables[ompd_cl_registry_queue];
    uint32_t chunk_count = __atomic_load_n(&queues->chunk_count, __ATOMIC_ACQUIRE);
    struct quiet quiet = {.is_idle = true};
    for (uint32_t number = 0; number < chunk_count; number++) {
        uint32_t used = __atomic_load_n(&queues->directory[number].used, __ATOMIC_ACQUIRE);
        for (uint32_t i = 0; i < used; i++) {
            struct recorder_entry queue;
            uint32_t index = number * RECORDER_RECORDS_PER_CHUNK + i;
            recorder_entry_set(&queue, context->heap,
                               OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_queue, index));
            if (recorder_entry_is_there(&queue) && queue.object->context == context->reference &&
                queue.object->context_generation == context->generation) {
                quiet_add_queue(&quiet, &queue);
            }
        }
    }
    return quiet;
}

/* ---- Runtimes that count the references of the program alone -------------------------------- */

void recorder_lingering_note_count(const struct recorder_entry *context, uint32_t runtime_count)
{
    /* A reference that another thread takes to the context now makes the runtime's count the
     * greater one. */
    int32_t references = recorder_state_word_references(recorder_state_word_load(context->object));
    __atomic_store_n(&recorder_context_record(context)->counts_program_alone,
                     references > 0 && runtime_count == (uint32_t)references, __ATOMIC_RELAXED);
}

bool recorder_lingering_is_uncounted(const struct recorder_entry *entry)
{
    struct recorder_entry context = *entry;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    if (table != ompd_cl_registry_context &&
        !recorder_object_get(&context, entry->heap, entry->object->context,
                             entry->object->context_generation)) {
        return false;
    }
    if (!__atomic_load_n(&recorder_context_record(&context)->counts_program_alone,
                         __ATOMIC_RELAXED)) {
        return false;
    }
    if (table == ompd_cl_registry_memobj) {
        return !quiet_find(&context).is_idle;
    }
    return table == ompd_cl_registry_queue || recorder_children_count(entry) != 0;
}

/* ---- The list of a context ------------------------------------------------------------------- */

static uint64_t lingering_link_make(const struct recorder_entry *memobj)
{
    return (uint64_t)memobj->generation << 32 | memobj->reference;
}

/* Find the memory object that a link names. Returns false when it has ended or has references
 * again. */
static bool lingering_link_follow(struct recorder_entry *memobj, struct recorder_heap *heap,
                                  uint64_t value)
{
    if (!recorder_object_get(memobj, heap, (uint32_t)value, (uint32_t)(value >> 32))) {
        return false;
    }
    uint64_t word = recorder_state_word_load(memobj->object);
    return recorder_state_word_is_of(word, memobj->generation) &&
           recorder_state_word_evidence(word) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
}

static bool memobj_is_over(const struct recorder_entry *memobj, const struct quiet *quiet)
{
    const struct ompd_cl_registry_memobj_record *record = recorder_memobj_record(memobj);
    return quiet && !__atomic_load_n(&record->buffered_arguments, __ATOMIC_SEQ_CST) &&
           (quiet->is_idle || (int32_t)(quiet->moment - record->moment) > 0);
}

/* Walk the list: end the objects that QUIET shows to be destroyed, unless that is NULL, free the
 * links to ended objects, and insert the rest again. */
static void lingering_list_settle(const struct recorder_entry *context, const struct quiet *quiet)
{
    struct ompd_cl_registry_context_record *record = recorder_context_record(context);
    uint32_t next;
    uint32_t given_back = 0;
    for (uint32_t place = recorder_address_stack_take_all(&record->lingering); place;
         place = next) {
        struct recorder_entry memobj;
        uint64_t value = recorder_address_list_get(place, &next);
        bool is_kept = lingering_link_follow(&memobj, context->heap, value);
        if (is_kept && memobj_is_over(&memobj, quiet)) {
            recorder_object_end(&memobj, ompd_cl_registry_ending_later);
            is_kept = false;
        }
        if (is_kept) {
            recorder_address_stack_push(&record->lingering, place);
        } else {
            recorder_address_link_free(context->heap, place);
            given_back++;
        }
    }
    __atomic_fetch_sub(&record->lingering_links, given_back, __ATOMIC_RELAXED);
}

static void context_settle(const struct recorder_entry *context)
{
    struct ompd_cl_registry_context_record *record = recorder_context_record(context);
    /* A command buffer retains the objects that its commands use, whether they are complete or
     * not. */
    if (!__atomic_load_n(&record->lingering, __ATOMIC_SEQ_CST) ||
        recorder_lingering_has_command_buffers()) {
        return;
    }
    struct quiet quiet = quiet_find(context);
    /* The list was already searched for this moment. */
    if (!quiet.is_idle &&
        __atomic_exchange_n(&record->quiet, quiet.moment, __ATOMIC_RELAXED) == quiet.moment) {
        return;
    }
    lingering_list_settle(context, &quiet);
}

void recorder_lingering_add(const struct recorder_entry *memobj)
{
    struct ompd_cl_registry_memobj_record *record = recorder_memobj_record(memobj);
    struct recorder_entry context;
    record->moment = recorder_lingering_moment_end();
    if (!recorder_object_get(&context, memobj->heap, memobj->object->context,
                             memobj->object->context_generation)) {
        return;
    }
    struct ompd_cl_registry_context_record *its_context = recorder_context_record(&context);
    uint32_t place = recorder_address_make(memobj->heap, lingering_link_make(memobj));
    if (!place) {
        return;
    }
    recorder_address_stack_push(&its_context->lingering, place);
    uint32_t links = __atomic_add_fetch(&its_context->lingering_links, 1, __ATOMIC_RELAXED);
    uint32_t lingering = __atomic_load_n(&its_context->children_released, __ATOMIC_RELAXED);
    if (links / 2 > lingering + SPARE_LINKS / 2) {
        lingering_list_settle(&context, NULL);
    }
}

bool recorder_lingering_queue_is_over(const struct recorder_entry *queue)
{
    return recorder_children_count(queue) == 0 && recorder_queue_is_idle(queue);
}

void recorder_lingering_settle(const struct recorder_entry *queue)
{
    struct recorder_entry context;
    uint64_t word = recorder_state_word_load(queue->object);
    bool is_known = recorder_object_get(&context, queue->heap, queue->object->context,
                                        queue->object->context_generation);
    if (RECORDER_UNLIKELY(recorder_state_word_evidence(word) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME) &&
        recorder_lingering_queue_is_over(queue)) {
        recorder_object_end(queue, ompd_cl_registry_ending_later);
    }
    if (is_known) {
        context_settle(&context);
    }
    recorder_used_objects_settle(queue->heap);
}

void recorder_lingering_settle_in(const struct recorder_entry *object)
{
    struct recorder_entry context;
    if (recorder_object_get(&context, object->heap, object->object->context,
                            object->object->context_generation)) {
        /* Search the list even if no queue has made progress. */
        __atomic_store_n(&recorder_context_record(&context)->quiet, recorder_lingering_moment() + 1,
                         __ATOMIC_RELAXED);
        context_settle(&context);
    }
}
