/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of objects: how they begin, change and end, and which threads did that. */
#ifndef RECORDER_OBJECTS_H
#define RECORDER_OBJECTS_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- object ---------------------------------------------------------------------------------- */

/*
 * Records of objects.
 *
 * A record is opened (it gets a slot and its common fields), filled, published (from then on it is
 * found and shown), and ended.
 *
 * The code for the usual calls of a program is in this header, so that it is inlined in the
 * wrappers: some runtimes take only 20 ns a call, and the recorder must be cheap beside them.
 */

/* A record that a thread is using. */
struct recorder_entry {
    struct recorder_heap *heap;
    struct ompd_cl_registry_object *object; /* NULL: none */
    struct recorder_chunk *chunk;
    uint32_t reference;
    uint32_t generation;
};

/* Member by member, so that the source need not be in memory. */
RECORDER_INLINE void recorder_entry_copy(struct recorder_entry *to,
                                         const struct recorder_entry *from)
{
    to->heap = from->heap;
    to->object = from->object;
    to->chunk = from->chunk;
    to->reference = from->reference;
    to->generation = from->generation;
}

/* Set ENTRY to what REFERENCE names now. */
RECORDER_INLINE void recorder_entry_set(struct recorder_entry *entry, struct recorder_heap *heap,
                                        uint32_t reference)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(reference);
    entry->heap = heap;
    entry->reference = reference;
    entry->chunk = recorder_chunk_of(table, index);
    entry->object = recorder_record_in(entry->chunk, table, index);
    entry->generation = __atomic_load_n(&entry->object->generation, __ATOMIC_ACQUIRE);
}

/* recorder_queue_record(entry) and so on: the object's record, by its table. */
#define RECORDER_RECORD(table)                                                                     \
    RECORDER_INLINE struct ompd_cl_registry_##table##_record *recorder_##table##_record(           \
        const struct recorder_entry *entry)                                                        \
    {                                                                                              \
        return (void *)entry->object;                                                              \
    }
RECORDER_RECORD(context)
RECORDER_RECORD(queue)
RECORDER_RECORD(memobj)
RECORDER_RECORD(program)
RECORDER_RECORD(kernel)
RECORDER_RECORD(sampler)
RECORDER_RECORD(event)
RECORDER_RECORD(svm)
RECORDER_RECORD(svm_free)
RECORDER_RECORD(command)
RECORDER_RECORD(notification)
RECORDER_RECORD(mapping)
RECORDER_RECORD(command_buffer)
RECORDER_RECORD(buffered_command)
RECORDER_RECORD(semaphore)
#undef RECORDER_RECORD

/* Set ENTRY to LAST. Returns false when that object has ended. */
RECORDER_INLINE bool recorder_entry_set_last(struct recorder_entry *entry,
                                             struct recorder_heap *heap,
                                             const struct recorder_last *last)
{
    entry->heap = heap;
    entry->object = last->object;
    entry->chunk = last->chunk;
    entry->reference = last->reference;
    entry->generation = last->generation;
    uint32_t generation = __atomic_load_n(&entry->object->generation, __ATOMIC_RELAXED);
    uint8_t state = __atomic_load_n(&entry->object->state, __ATOMIC_ACQUIRE);
    return generation == entry->generation && state != ompd_cl_registry_free;
}

RECORDER_INLINE void recorder_last_set(const struct recorder_entry *entry, uint32_t table)
{
    struct recorder_last *last = &entry->heap->last[table];
    last->turned_handle = ~entry->object->handle;
    last->object = entry->object;
    last->chunk = entry->chunk;
    last->reference = entry->reference;
    last->generation = entry->generation;
}

/* The slow paths of the functions below: the object is not the last one that the thread used. */
bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle);
bool recorder_object_get_slowly(struct recorder_entry *entry, struct recorder_heap *heap,
                                uint32_t reference, uint32_t generation);

/* Find the record of HANDLE in TABLE. Returns false when there is none: then `object` is NULL. */
RECORDER_INLINE bool recorder_object_find(struct recorder_entry *entry, uint32_t table,
                                          const void *handle)
{
    struct recorder_heap *heap = recorder_heap_self;
    if (RECORDER_LIKELY(heap)) {
        const struct recorder_last *last = &heap->last[table];
        if (RECORDER_LIKELY(last->turned_handle == ~(uint64_t)(uintptr_t)handle) &&
            RECORDER_LIKELY(handle) &&
            RECORDER_LIKELY(recorder_entry_set_last(entry, heap, last))) {
            return true;
        }
    }
    /* In a separate variable, so that those of the fast path can stay in registers. */
    struct recorder_entry found;
    bool is_known = recorder_object_find_slowly(&found, table, handle);
    recorder_entry_copy(entry, &found);
    return is_known;
}

/* Find the object, by default a memory object, that REFERENCE named when its generation was
 * GENERATION. Returns false when it has ended. */
RECORDER_INLINE bool recorder_object_get(struct recorder_entry *entry, struct recorder_heap *heap,
                                         uint32_t reference, uint32_t generation)
{
    const struct recorder_last *last = &heap->last[ompd_cl_registry_memobj];
    if (RECORDER_LIKELY(last->reference == reference) &&
        RECORDER_LIKELY(last->generation == generation) && RECORDER_LIKELY(reference) &&
        RECORDER_LIKELY(recorder_entry_set_last(entry, heap, last))) {
        return true;
    }
    struct recorder_entry found;
    bool is_there = recorder_object_get_slowly(&found, heap, reference, generation);
    recorder_entry_copy(entry, &found);
    return is_there;
}

/* Whether the object of ENTRY has not ended. */
RECORDER_INLINE bool recorder_entry_is_there(const struct recorder_entry *entry)
{
    return recorder_state_word_is_of(recorder_state_word_load(entry->object), entry->generation);
}

/* Count a change of a field of the record. */
RECORDER_INLINE void recorder_object_changed(const struct recorder_entry *entry)
{
    recorder_chunk_changed(entry->heap, entry->chunk);
}

/* Lock the record for a change of several words: a reader then shows it as being changed. */
void recorder_object_lock(const struct recorder_entry *entry);
void recorder_object_unlock(const struct recorder_entry *entry);

/* Open a record for HANDLE in TABLE, for the call that returns to RETURN_ADDRESS. Returns false
 * when the table is full, which is counted. */
RECORDER_INLINE bool recorder_object_open(struct recorder_entry *entry, uint32_t table,
                                          const void *handle, uint32_t type,
                                          const void *return_address)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_slot slot = {.index = RECORDER_NO_SLOT};
    if (RECORDER_LIKELY(heap)) {
        recorder_slot_take(&slot, heap, table);
    }
    if (RECORDER_UNLIKELY(slot.index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        entry->object = NULL;
        return false;
    }
    entry->heap = heap;
    entry->object = slot.record;
    entry->chunk = slot.chunk;
    entry->reference = OMPD_CL_REGISTRY_REFERENCE(table, slot.index);
    entry->generation = entry->object->generation;
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    if (table <= ompd_cl_registry_svm && RECORDER_UNLIKELY(site.stack)) {
        recorder_stack_count_made(site.stack);
    }
    /* Other threads may still pass this slot, on a chain that it was in. */
    __atomic_store_n(&object->handle, (uintptr_t)handle, __ATOMIC_RELAXED);
    object->serial = recorder_serial_next();
    object->children = 0;
    object->context = 0;
    object->context_generation = 0;
    object->parent = 0;
    object->parent_generation = 0;
    object->lwp = heap->lwp;
    object->stack = site.stack;
    object->caller = site.caller;
    object->callbacks = 0;
    object->callback_count = 0;
    object->type = type;
    __atomic_store_n(&object->released_lwp, 0, __ATOMIC_RELAXED);
    return true;
}

/* Set the objects that this one keeps alive, before the record is published. A CONTEXT or PARENT
 * without a record changes nothing. */
RECORDER_INLINE void recorder_object_set_context(struct recorder_entry *entry,
                                                 const struct recorder_entry *context)
{
    if (RECORDER_LIKELY(context->object)) {
        entry->object->context = context->reference;
        entry->object->context_generation = context->generation;
    }
}

RECORDER_INLINE void recorder_object_set_parent(struct recorder_entry *entry,
                                                const struct recorder_entry *parent)
{
    if (parent->object) {
        entry->object->parent = parent->reference;
        entry->object->parent_generation = parent->generation;
    }
}

/* The object is in the context that OTHER is in. */
RECORDER_INLINE void recorder_object_share_context(struct recorder_entry *entry,
                                                   const struct recorder_entry *other)
{
    if (other->object) {
        entry->object->context = other->object->context;
        entry->object->context_generation = other->object->context_generation;
    }
}

/* The slow path of recorder_object_publish: a record has the handle already. End that one, because
 * a runtime never has two objects with one handle. */
void recorder_handle_reuse(struct recorder_heap *heap, uint32_t reference, uint32_t former);

/* Publish a complete record, with one reference. */
void recorder_object_publish(const struct recorder_entry *entry);

/* The memory object of ENTRY, whose mappings were not all undone, is about to lose its last
 * reference by the call that returns to RETURN_ADDRESS. */
void recorder_mappings_check_release(const struct recorder_entry *memobj,
                                     const void *return_address);

/* The call that returns to RETURN_ADDRESS is about to release the last reference. Any other value
 * that a thread writes here at the same time is equally true. */
RECORDER_INLINE void recorder_object_released_by(const struct recorder_entry *entry,
                                                 const void *return_address)
{
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    __atomic_store_n(&object->released_stack, site.stack, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_caller, site.caller, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_lwp, entry->heap->lwp, __ATOMIC_RELAXED);
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) == ompd_cl_registry_memobj &&
        RECORDER_UNLIKELY(recorder_memobj_record(entry)->mappings)) {
        recorder_mappings_check_release(entry, return_address);
    }
}

/* End the record. Returns false when another thread has done so. CALLBACK is the index of the
 * destructor callback that has just returned, or RECORDER_NO_SLOT. */
bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback,
                               enum ompd_cl_registry_ending ending);

RECORDER_INLINE bool recorder_object_end(const struct recorder_entry *entry,
                                         enum ompd_cl_registry_ending ending)
{
    return recorder_object_end_after(entry, RECORDER_NO_SLOT, ending);
}

/* Set the state if the record has not ended; the references stay. */
RECORDER_INLINE bool recorder_object_set_state(const struct recorder_entry *entry, uint8_t state)
{
    uint64_t word = recorder_state_word_load(entry->object);
    do {
        if (RECORDER_UNLIKELY(!recorder_state_word_is_of(word, entry->generation))) {
            return false;
        }
    } while (!recorder_state_word_exchange(entry->object, &word,
                                           recorder_state_word_with_state(word, state)));
    recorder_object_changed(entry);
    return true;
}

/* ---- children -------------------------------------------------------------------------------- */

/* The objects that keep others alive: an OpenCL context lives as long as the objects created in it,
 * a buffer as long as its sub-buffers and images, a program as long as its kernels. The children of
 * a context are counted in shards, each on its own cache line. The first heaps have one each and
 * count with plain stores; the others share the last one. */

/* The records that an object keeps alive; NULL for one that does not exist or has ended. */
struct recorder_family {
    struct ompd_cl_registry_context_record *context;
    struct ompd_cl_registry_object *parent;
    uint32_t context_reference;
    uint32_t parent_reference;
};

#define RECORDER_SHARD_COUNT 4u
_Static_assert(sizeof(((struct ompd_cl_registry_context_record *)0)->shards) /
                       sizeof(((struct ompd_cl_registry_context_record *)0)->shards[0]) ==
                   RECORDER_SHARD_COUNT,
               "the format has four shards");

/* The slow paths of the functions below: the object has a parent, or it was the last child. */
void recorder_parent_count(struct recorder_heap *heap, const struct recorder_family *family,
                           uint32_t difference);
void recorder_family_settle_slowly(struct recorder_heap *heap,
                                   const struct recorder_family *family);

/* The number of children of the object. */
uint32_t recorder_children_count(const struct recorder_entry *entry);

/* In the child of a fork(): count all children again. */
void recorder_children_repair(struct recorder_heap *heap);

/* An OpenCL context has ended: end the lingering objects in it. */
void recorder_context_ended(const struct recorder_entry *context);

RECORDER_INLINE struct ompd_cl_registry_object *recorder_member_get(uint32_t reference,
                                                                    uint32_t generation)
{
    struct ompd_cl_registry_object *object = recorder_object_at(reference);
    uint32_t now = __atomic_load_n(&object->generation, __ATOMIC_RELAXED);
    return RECORDER_LIKELY(now == generation) ? object : NULL;
}

RECORDER_INLINE void recorder_family_get(struct recorder_family *family,
                                         const struct ompd_cl_registry_object *object)
{
    family->context = NULL;
    family->context_reference = object->context;
    if (RECORDER_LIKELY(object->context)) {
        uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(object->context);
        struct ompd_cl_registry_context_record *context =
            recorder_record(ompd_cl_registry_context, index);
        uint32_t now = __atomic_load_n(&context->object.generation, __ATOMIC_RELAXED);
        if (RECORDER_LIKELY(now == object->context_generation)) {
            family->context = context;
        }
    }
    family->parent = NULL;
    family->parent_reference = object->parent;
    if (RECORDER_UNLIKELY(object->parent)) {
        family->parent = recorder_member_get(object->parent, object->parent_generation);
    }
}

/* Add one child (DIFFERENCE 1) or subtract one (UINT32_MAX). */
RECORDER_INLINE void recorder_family_count(struct recorder_heap *heap,
                                           const struct recorder_family *family,
                                           uint32_t difference)
{
    if (RECORDER_LIKELY(family->context)) {
        if (RECORDER_LIKELY(heap->number < RECORDER_SHARD_COUNT - 1)) {
            uint32_t *mine = &family->context->shards[heap->number].children;
            __atomic_store_n(mine, *mine + difference, __ATOMIC_RELAXED);
        } else {
            __atomic_fetch_add(&family->context->shards[RECORDER_SHARD_COUNT - 1].children,
                               difference, __ATOMIC_RELAXED);
        }
    }
    if (RECORDER_UNLIKELY(family->parent)) {
        recorder_parent_count(heap, family, difference);
    }
}

/* A child has ended: end those of its FAMILY that only it kept alive. */
RECORDER_INLINE void recorder_family_settle(struct recorder_heap *heap,
                                            const struct recorder_family *family)
{
    /* The count must be lowered before the state is read. The thread that releases the last
     * reference changes the state and then reads the count, and one of the two must see both
     * changes. */
#if !defined(__x86_64__) && !defined(__i386__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    if (RECORDER_LIKELY(family->context && !family->parent)) {
        uint64_t word = recorder_state_word_load(&family->context->object);
        if (RECORDER_LIKELY(recorder_state_word_state(word) == ompd_cl_registry_live)) {
            return;
        }
    }
    recorder_family_settle_slowly(heap, family);
}

/* ---- destroyed ------------------------------------------------------------------------------- */

/* Destroyed objects: records of the last objects of each kind that have ended, in a ring for each
 * kind. */

/* Record the last LENGTH objects of each kind, as memory allows; 0 for none. Call it before the
 * root is published. */
void recorder_destroyed_prepare(uint32_t length);

/* The object of ENTRY has ended, as ENDING says. Its state word was WORD before, and the rest of
 * its record is unchanged. */
void recorder_destroyed_add(const struct recorder_entry *entry, uint64_t word,
                            enum ompd_cl_registry_ending ending);

/* Set *OBJECT, whose `handle` is set, to who released the last destroyed object of TABLE that had
 * this handle, and *SIZE to its bytes. Returns false when no such object is known, or it was not
 * released. */
bool recorder_destroyed_find(uint32_t table, struct ompd_cl_registry_object *object,
                             uint64_t *size);

/* The same for memory objects, fast if there is none. */
bool recorder_destroyed_memobj_find(struct ompd_cl_registry_object *object, uint64_t *size);

/* ---- lingering ------------------------------------------------------------------------------- */

/* Lingering objects: the program has released them, but the runtime still had them at that time.
 * The runtime cannot be queried about them, because after the last release their handles are
 * invalid. Their end follows from the end of the commands and objects that use them. A memory
 * object is deleted when the commands that use it are complete (clReleaseMemObject), a queue when
 * its commands are (clReleaseCommandQueue) and it has no more events. The recorder does not know
 * which commands use which memory object. So it waits for all commands that the queues of its
 * OpenCL context had before its release. Moments order releases and commands: each such release
 * ends one moment and begins the next. */

/* The bits of an object's evidence that count it in `children_released` of the objects that it
 * keeps alive. */
#define RECORDER_LINGERING (OMPD_CL_REGISTRY_HELD_BY_RUNTIME | OMPD_CL_REGISTRY_HELD_BY_CHILDREN)

/* The program got the extension function NAME, whose calls the recorder does not see. */
void recorder_lingering_note_function(const char *name);

/* Whether queues may have commands that are not counted: then only the commands that the program
 * has waited for are known to be complete. */
bool recorder_lingering_has_unseen_commands(void);

/* Whether command buffers may contain commands. */
bool recorder_lingering_has_command_buffers(void);

/* Whether functions that are not recorded may have created objects, or retained them. */
bool recorder_lingering_has_unseen_objects(void);

/* The current moment; the one that this call ends. */
uint32_t recorder_lingering_moment(void);
uint32_t recorder_lingering_moment_end(void);

/* Set the bits of `evidence` in RECORDER_LINGERING of a record that has not ended, and count it. */
void recorder_lingering_mark(const struct recorder_entry *entry, uint8_t evidence);

/* Add one (DIFFERENCE 1) or subtract one (UINT32_MAX) in the objects that this one keeps alive. */
void recorder_lingering_count(const struct ompd_cl_registry_object *object, uint32_t difference);

/* The OpenCL context, which has a queue, has RUNTIME_COUNT references by the runtime's own count.
 * If that does not include the queue, the runtime counts only the references of the program, as
 * NVIDIA's and Intel's for GPUs do. Then its counts never show what keeps an object alive. */
void recorder_lingering_note_count(const struct recorder_entry *context, uint32_t runtime_count);

/* The object is about to lose its last reference of those that the runtime counts. Returns whether
 * it may linger nevertheless: the runtime only counts the program's references, and something that
 * uses the object may remain. */
bool recorder_lingering_is_uncounted(const struct recorder_entry *entry);

/* The program has released the memory object, but the runtime still has it. */
void recorder_lingering_add(const struct recorder_entry *memobj);

/* The queue has made progress: end the lingering objects that are destroyed now. */
void recorder_lingering_settle(const struct recorder_entry *queue);

/* The object has ended, which its OpenCL context may not have shown to the lingering objects in it:
 * end those that it kept alive. */
void recorder_lingering_settle_in(const struct recorder_entry *object);

/* Whether a queue without references has ended: its commands are complete and it has no more
 * events. */
bool recorder_lingering_queue_is_over(const struct recorder_entry *queue);

/* The OpenCL context ends: free its list. */
void recorder_lingering_end(const struct recorder_entry *context);

/* ---- ledger ---------------------------------------------------------------------------------- */

/* The ledger: which calls have created, retained and released objects, in a ring for each kind of
 * object. */

/* The tables with a ledger, bits 1 << table. */
extern uint32_t recorder_ledger_tables __attribute__((visibility("hidden")));

/* Record the last LENGTH entries for each of TABLES, at most up to the table of events, as memory
 * allows. Call it before the root is published. */
void recorder_ledger_prepare(uint32_t tables, uint32_t length);

/* The slow paths of the functions below: there is a ledger. */
void recorder_ledger_write_creation(const struct recorder_entry *entry);
void recorder_ledger_write(const struct recorder_entry *entry, enum ompd_cl_registry_action action,
                           int32_t references, const void *return_address);
void recorder_ledger_write_end(const struct recorder_entry *entry, int32_t references,
                               enum ompd_cl_registry_ending ending);

/* The object is about to be published. */
RECORDER_INLINE void recorder_ledger_created(const struct recorder_entry *entry)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write_creation(entry);
    }
}

/* The call that returns to RETURN_ADDRESS, NULL for none, has set the program's references to the
 * object to REFERENCES. */
RECORDER_INLINE void recorder_ledger_changed(const struct recorder_entry *entry,
                                             enum ompd_cl_registry_action action,
                                             int32_t references, const void *return_address)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write(entry, action, references, return_address);
    }
}

/* The object has ended, with REFERENCES references. */
RECORDER_INLINE void recorder_ledger_ended(const struct recorder_entry *entry, int32_t references,
                                           enum ompd_cl_registry_ending ending)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write_end(entry, references, ending);
    }
}

/* ---- publish --------------------------------------------------------------------------------- */

/* recorder_object_publish, inlined in callers that must be fast. */

/* FAMILY is the object's, for callers that have it. */
RECORDER_INLINE void recorder_object_publish_in(const struct recorder_entry *entry,
                                                const struct recorder_family *family)
{
    struct ompd_cl_registry_object *object = entry->object;
    uint64_t handle = object->handle;
    recorder_family_count(entry->heap, family, 1);
    if (RECORDER_LIKELY(handle)) {
        uint32_t former = recorder_hash_insert(entry->reference, object);
        if (RECORDER_UNLIKELY(former)) {
            recorder_handle_reuse(entry->heap, entry->reference, former);
        }
    }
    recorder_ledger_created(entry);
    __atomic_store_n(recorder_state_word(object), recorder_state_word_make(entry->generation),
                     __ATOMIC_RELEASE);
    recorder_object_changed(entry);
    recorder_usage_count(entry->heap, OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference), object,
                         1);
    ompd_cl_bp_object_created(handle);
}

RECORDER_INLINE void recorder_object_publish_here(const struct recorder_entry *entry)
{
    struct recorder_family family;
    recorder_family_get(&family, entry->object);
    recorder_object_publish_in(entry, &family);
}

/* ---- release --------------------------------------------------------------------------------- */

/*
 * The program retains and releases references.
 *
 * A release changes the record before the runtime is called, because another object may get the
 * handle before that call returns. It is undone when the runtime refuses it. A retain is recorded
 * after it has succeeded.
 */

/* Gets the runtime's own reference count of an object; 0 when it is unknown. */
typedef uint32_t recorder_runtime_count(const void *handle);

/* A release in progress. */
struct recorder_release {
    struct recorder_entry entry; /* `object` NULL: it is not recorded */
    bool ends_object;           /* if the runtime agrees, this release ends the object, or it is one
                                 * of another kind: */
    uint32_t other;             /* its reference, if `entry` has no object */
    const void *return_address; /* likewise */
};

/* The slow paths of the functions below, for all but the usual cases. */
void recorder_release_begin_slowly(struct recorder_release *release, uint32_t table,
                                   const void *handle, recorder_runtime_count *runtime_count,
                                   const void *return_address);
void recorder_release_end_slowly(struct recorder_release *release, bool succeeded);
void recorder_reference_add(struct recorder_entry *entry, enum ompd_cl_registry_action action,
                            const void *return_address);

/* Whether an object of TABLE that had HANDLE, and that no record has now, is known to have ended.
 */
bool recorder_object_has_ended(uint32_t table, const void *handle);

/* Call it before the runtime's release, in the call that returns to RETURN_ADDRESS. RUNTIME_COUNT
 * may be NULL: then only the program and the recorded children keep objects of this kind alive. */
RECORDER_INLINE void recorder_release_begin(struct recorder_release *release, uint32_t table,
                                            const void *handle,
                                            recorder_runtime_count *runtime_count,
                                            const void *return_address)
{
    release->ends_object = false;
    if (RECORDER_LIKELY(recorder_object_find(&release->entry, table, handle))) {
        uint64_t word = recorder_state_word_load(release->entry.object);
        int32_t references = recorder_state_word_references(word);
        /* If an object has destructor callbacks, they show its end. */
        bool is_final = references == 1 && release->entry.object->callbacks;
        uint64_t after = word - RECORDER_STATE_WORD_ONE_REFERENCE;
        if (is_final) {
            recorder_object_released_by(&release->entry, return_address);
            after = recorder_state_word_with_state(after, ompd_cl_registry_app_released);
        }
        if (RECORDER_LIKELY(references > 1 || is_final) &&
            RECORDER_LIKELY(recorder_state_word_exchange(release->entry.object, &word, after))) {
            recorder_object_changed(&release->entry);
            recorder_ledger_changed(&release->entry, ompd_cl_registry_action_released,
                                    references - 1, return_address);
            if (is_final) {
                ompd_cl_bp_object_released((uintptr_t)handle);
            }
            return;
        }
    }
    recorder_release_begin_slowly(release, table, handle, runtime_count, return_address);
}

/* Call it after that. */
RECORDER_INLINE void recorder_release_end(struct recorder_release *release, bool succeeded)
{
    if (RECORDER_UNLIKELY(!succeeded || release->ends_object)) {
        recorder_release_end_slowly(release, succeeded);
    }
}

/* Call it after the runtime's retain has succeeded, in the call that returns to RETURN_ADDRESS. */
RECORDER_INLINE void recorder_object_retained(uint32_t table, const void *handle,
                                              const void *return_address)
{
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_object_find(&entry, table, handle))) {
        recorder_count_unknown_handle();
        return;
    }
    uint64_t word = recorder_state_word_load(entry.object);
    if (RECORDER_LIKELY(recorder_state_word_state(word) == ompd_cl_registry_live) &&
        RECORDER_LIKELY(recorder_state_word_exchange(entry.object, &word,
                                                     word + RECORDER_STATE_WORD_ONE_REFERENCE))) {
        recorder_object_changed(&entry);
        recorder_ledger_changed(&entry, ompd_cl_registry_action_retained,
                                recorder_state_word_references(word) + 1, return_address);
    } else {
        recorder_reference_add(&entry, ompd_cl_registry_action_retained, return_address);
    }
}

#endif
