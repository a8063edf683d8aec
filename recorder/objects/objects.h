/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of objects: how they begin, change and end, and who has done that. */
#ifndef RECORDER_OBJECTS_H
#define RECORDER_OBJECTS_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- object ---------------------------------------------------------------------------------- */

/*
 * Records of objects.
 *
 * A record is opened (a slot, its common fields), filled, published (from then on found and shown),
 * and ended.  What the usual calls of a program need is in this header, to be compiled into the
 * wrappers: the recorder must be cheap beside runtimes that take 20 ns a call.
 */

/* A record that a thread is working on. */
struct recorder_entry {
    struct recorder_heap *heap;
    struct ompd_cl_registry_object *object; /* NULL: there is none */
    struct recorder_chunk *chunk;
    uint32_t reference;
    uint32_t generation;
};

/* Word by word: so that the one that is copied need not be in memory. */
RECORDER_INLINE void recorder_entry_copy(struct recorder_entry *to,
                                         const struct recorder_entry *from)
{
    to->heap = from->heap;
    to->object = from->object;
    to->chunk = from->chunk;
    to->reference = from->reference;
    to->generation = from->generation;
}

/* Fill in ENTRY for what REFERENCE names now. */
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

/* recorder_queue_record(entry), and so on: the object's record, by the table that it is of. */
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
#undef RECORDER_RECORD

/* Fill in ENTRY for LAST.  False when that object is not there any more. */
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

/* What the functions below do when the object is not the one that the thread worked on last. */
bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle);
bool recorder_object_get_slowly(struct recorder_entry *entry, struct recorder_heap *heap,
                                uint32_t reference, uint32_t generation);

/* Find the record of HANDLE in TABLE.  False when the recorder has none: `object` is NULL then. */
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
    /* In a variable of its own, so that those of the usual path can stay in registers. */
    struct recorder_entry found;
    bool is_known = recorder_object_find_slowly(&found, table, handle);
    recorder_entry_copy(entry, &found);
    return is_known;
}

/* The memory object that REFERENCE named when its generation was GENERATION, or any other object.
 * False when it is gone. */
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

/* The object of ENTRY has not ended. */
RECORDER_INLINE bool recorder_entry_is_there(const struct recorder_entry *entry)
{
    return recorder_state_word_is_of(recorder_state_word_load(entry->object), entry->generation);
}

/* Count a change of a field of the record. */
RECORDER_INLINE void recorder_object_changed(const struct recorder_entry *entry)
{
    recorder_chunk_changed(entry->heap, entry->chunk);
}

/* Hold the record for a change of several words: a reader then shows it as being changed. */
void recorder_object_hold(const struct recorder_entry *entry);
void recorder_object_let_go(const struct recorder_entry *entry);

/* Open a record for HANDLE in TABLE, for the call that returns to RETURN_ADDRESS.  False when there
 * is no room, which has then been counted. */
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
    /* Others may still walk over this slot, on their way along a chain that it was in. */
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

/* Say what keeps what alive, before the record is published.  A CONTEXT or PARENT without record
 * changes nothing. */
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

/* What recorder_object_publish does when a record has the handle already: end that one.  The
 * runtime would not give out a handle twice. */
void recorder_handle_take_over(struct recorder_heap *heap, uint32_t reference, uint32_t former);

/* Publish a filled record, with one reference. */
void recorder_object_publish(const struct recorder_entry *entry);

/* The call that returns to RETURN_ADDRESS is about to give back the last reference.  What others
 * write here at the same time is as true. */
RECORDER_INLINE void recorder_object_released_by(const struct recorder_entry *entry,
                                                 const void *return_address)
{
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    __atomic_store_n(&object->released_stack, site.stack, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_caller, site.caller, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_lwp, entry->heap->lwp, __ATOMIC_RELAXED);
}

/* End the record: it is gone.  False when another thread did so first.  CALLBACK is the index of
 * the destructor callback that has just returned, or RECORDER_NO_SLOT. */
bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback,
                               enum ompd_cl_registry_ending ending);

RECORDER_INLINE bool recorder_object_end(const struct recorder_entry *entry,
                                         enum ompd_cl_registry_ending ending)
{
    return recorder_object_end_after(entry, RECORDER_NO_SLOT, ending);
}

/* Set the state, if the record is still there; references stay. */
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

/*
 * Who keeps whom alive: an OpenCL context lives as long as the objects made in it, a buffer as long
 * as its sub-buffers and images, a program as long as its kernels.
 *
 * A context's children are counted in shards, each on a cache line of its own: the first heaps have
 * one each and count with plain stores, the others share the last one.
 */

/* The records that an object keeps alive; NULL where there is none, or where it is gone. */
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

/* What the functions below do for an object that has a parent, and for one that was the last. */
void recorder_parent_count(struct recorder_heap *heap, const struct recorder_family *family,
                           uint32_t difference);
void recorder_family_settle_slowly(struct recorder_heap *heap,
                                   const struct recorder_family *family);

/* How many children the object has. */
uint32_t recorder_children_count(const struct recorder_entry *entry);

/* In the child of a fork(): count all children anew. */
void recorder_children_repair(struct recorder_heap *heap);

/* An OpenCL context is gone: so are the objects in it that only the runtime had held. */
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

/* Count one child more (DIFFERENCE 1) or less (UINT32_MAX). */
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

/* A child has ended: end those of its FAMILY that it alone had kept alive. */
RECORDER_INLINE void recorder_family_settle(struct recorder_heap *heap,
                                            const struct recorder_family *family)
{
    /* The count must be seen lowered before the state is looked at: whoever gives back the last
     * reference changes the state and then looks at the count, and one of the two must see both. */
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

/* ---- gone ------------------------------------------------------------------------------------ */

/* What is gone: records of the last objects of each kind that have ended, a ring for each. */

/* Keep the last LENGTH objects of each kind, as far as there is memory; 0: keep none.  Before the
 * root is published. */
void recorder_destroyed_prepare(uint32_t length);

/* The object of ENTRY has ended, as ENDING says; its life word was LIFE before, and its record is
 * still as it was but for that. */
void recorder_destroyed_keep(const struct recorder_entry *entry, uint64_t word,
                             enum ompd_cl_registry_ending ending);

/* Have in *OBJECT, whose `handle` is set, who has released the last memory object that had this
 * handle and is gone, and in *SIZE its bytes.  False: none is known, or none was released. */
bool recorder_destroyed_memobj_find(struct ompd_cl_registry_object *object, uint64_t *size);

/* ---- held ------------------------------------------------------------------------------------ */

/*
 * Objects that the program has released, and that the runtime still held then.
 *
 * The runtime cannot be asked about them: with the program's last reference their handles are not
 * valid any more.  That they are gone is learned from what held them.  A memory object is deleted
 * when the commands that use it are complete (clReleaseMemObject), a queue when its commands are
 * (clReleaseCommandQueue), and when no event of it is left.  Which commands use which memory object
 * is not recorded: all that its OpenCL context's queues had been given before it was released count
 * as such.
 *
 * Moments order releases and commands: each such release ends one moment and begins the next.
 */

/* The bits of an object's evidence by which it counts in `children_released` of what it keeps
 * alive. */
#define RECORDER_LINGERING (OMPD_CL_REGISTRY_HELD_BY_RUNTIME | OMPD_CL_REGISTRY_HELD_BY_CHILDREN)

/* The program was given the extension function NAME, whose calls are not seen. */
void recorder_lingering_function_given(const char *name);

/* Queues may have been given commands that are not counted: only what has been waited for is known
 * to be complete. */
bool recorder_lingering_has_unseen_commands(void);

/* Commands may have been put into command buffers. */
bool recorder_lingering_has_command_buffers(void);

/* The moment that it is, and the one that ends with this. */
uint32_t recorder_lingering_moment(void);
uint32_t recorder_lingering_moment_end(void);

/* Set the bits of `evidence` that are of RECORDER_LINGERING in a record that is there, and count.
 */
void recorder_lingering_mark(const struct recorder_entry *entry, uint8_t evidence);

/* Count one more (DIFFERENCE 1) or less (UINT32_MAX) in what the object keeps alive. */
void recorder_lingering_count(const struct ompd_cl_registry_object *object, uint32_t difference);

/* The OpenCL context, which has a queue, has RUNTIME_COUNT references by the runtime's own count.
 * Where the queue is not among them the runtime counts the references of the program alone, as
 * NVIDIA's and Intel's for GPUs do: no count of it tells what holds an object. */
void recorder_lingering_learn(const struct recorder_entry *context, uint32_t runtime_count);

/* The object is to lose its last reference, which is all that the runtime counts; yet the runtime
 * may hold it: its counts are of the program alone, and something that uses it may be left. */
bool recorder_lingering_uncounted(const struct recorder_entry *entry);

/* The program has released the memory object, and the runtime holds it. */
void recorder_lingering_add(const struct recorder_entry *memobj);

/* The queue has come further: end what is gone now. */
void recorder_lingering_settle(const struct recorder_entry *queue);

/* A queue without references is gone: its commands are complete and no event of it is left. */
bool recorder_lingering_queue_is_over(const struct recorder_entry *queue);

/* The OpenCL context ends. */
void recorder_lingering_forget(const struct recorder_entry *context);

/* ---- ledger ---------------------------------------------------------------------------------- */

/* The ledger: who has made, retained and released objects, a ring for each kind of them. */

/* The tables whose objects have a ledger, bits 1 << table. */
extern uint32_t recorder_ledger_tables __attribute__((visibility("hidden")));

/* Keep the last LENGTH entries of the objects of each of TABLES, which are no bits beyond that of
 * events, as far as there is memory.  Before the root is published. */
void recorder_ledger_prepare(uint32_t tables, uint32_t length);

/* What the functions below do when there is a ledger. */
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

/* The call that returns to RETURN_ADDRESS, or none when that is NULL, has left the program so many
 * REFERENCES of the object. */
RECORDER_INLINE void recorder_ledger_changed(const struct recorder_entry *entry,
                                             enum ompd_cl_registry_action action,
                                             int32_t references, const void *return_address)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write(entry, action, references, return_address);
    }
}

/* The object has ended, with so many REFERENCES. */
RECORDER_INLINE void recorder_ledger_ended(const struct recorder_entry *entry, int32_t references,
                                           enum ompd_cl_registry_ending ending)
{
    if (RECORDER_UNLIKELY(recorder_ledger_tables)) {
        recorder_ledger_write_end(entry, references, ending);
    }
}

/* ---- publish --------------------------------------------------------------------------------- */

/* recorder_object_publish, to be compiled into the callers that are to be fast. */

/* FAMILY is the object's, where the caller has it at hand. */
RECORDER_INLINE void recorder_object_publish_in(const struct recorder_entry *entry,
                                                const struct recorder_family *family)
{
    struct ompd_cl_registry_object *object = entry->object;
    uint64_t handle = object->handle;
    recorder_family_count(entry->heap, family, 1);
    if (RECORDER_LIKELY(handle)) {
        uint32_t former = recorder_hash_put(entry->reference, object);
        if (RECORDER_UNLIKELY(former)) {
            recorder_handle_take_over(entry->heap, entry->reference, former);
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
 * The program takes and gives back references.
 *
 * A release changes the record before the runtime is called, because the handle may be another
 * object's before that call returns; it is undone when the runtime refuses.  A retain is recorded
 * once it has succeeded.
 */

/* Ask the runtime for its own reference count of an object; 0 when it does not tell. */
typedef uint32_t recorder_runtime_count(const void *handle);

/* A release under way. */
struct recorder_release {
    struct recorder_entry entry; /* `object` NULL: nothing is recorded of it */
    bool ends_object;            /* with it the object is gone, when the runtime agrees */
};

/* What the functions below do in all but the usual cases. */
void recorder_release_begin_slowly(struct recorder_release *release, uint32_t table,
                                   const void *handle, recorder_runtime_count *runtime_count,
                                   const void *return_address);
void recorder_release_end_slowly(struct recorder_release *release, bool succeeded);
void recorder_reference_add(struct recorder_entry *entry, enum ompd_cl_registry_action action,
                            const void *return_address);

/* What a call uses. */
struct recorder_used {
    const void *handle;
    uint32_t table;
    uint32_t number; /* of OMPD_CL_REGISTRY_USED */
};

void recorder_use_slowly(const struct recorder_used *use, const struct recorder_entry *used,
                         const void *return_address);

/* A call that returns to RETURN_ADDRESS is about to use the object HANDLE of TABLE, as NUMBER, of
 * OMPD_CL_REGISTRY_USED, says: keep that, if the program has released it. */
RECORDER_INLINE void recorder_use_as(uint32_t number, uint32_t table, const void *handle,
                                     const void *return_address)
{
    struct recorder_entry used;
    if (RECORDER_UNLIKELY(!recorder_object_find(&used, table, handle) ||
                          recorder_state_word_references(recorder_state_word_load(used.object)) <=
                              0)) {
        const struct recorder_used use = {handle, table, number};
        recorder_use_slowly(&use, &used, return_address);
    }
}

RECORDER_INLINE void recorder_use(uint32_t table, const void *handle, const void *return_address)
{
    recorder_use_as(0, table, handle, return_address);
}

/* Before the runtime's release, of the call that returns to RETURN_ADDRESS.  RUNTIME_COUNT may be
 * NULL: nothing but the program and the recorded children hold objects of this kind. */
RECORDER_INLINE void recorder_release_begin(struct recorder_release *release, uint32_t table,
                                            const void *handle,
                                            recorder_runtime_count *runtime_count,
                                            const void *return_address)
{
    release->ends_object = false;
    if (RECORDER_LIKELY(recorder_object_find(&release->entry, table, handle))) {
        uint64_t word = recorder_state_word_load(release->entry.object);
        int32_t references = recorder_state_word_references(word);
        /* Of an object with destructor callbacks these will tell the end. */
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

/* After it. */
RECORDER_INLINE void recorder_release_end(struct recorder_release *release, bool succeeded)
{
    if (RECORDER_UNLIKELY(!succeeded || release->ends_object)) {
        recorder_release_end_slowly(release, succeeded);
    }
}

/* After the runtime's retain has succeeded, in the call that returns to RETURN_ADDRESS. */
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
