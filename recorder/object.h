/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The life of an object's record.
 *
 * A record is opened (a slot, its common fields), filled, published (from then on found and shown),
 * and ended.  `state`, `evidence`, `references` and the low bits of the generation are one word,
 * the life word: who changes it by compare-and-exchange knows that the record is still the same
 * object, and of several who would end a record exactly one does.
 */
#ifndef RECORDER_OBJECT_H
#define RECORDER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "heap.h"
#include "ompd-opencl-registry.h"
#include "registry.h"
#include "stack.h"

/* The life word of an object's record. */
union recorder_life {
    uint64_t word;
    struct {
        uint8_t state;
        uint8_t evidence;
        uint16_t tag; /* the generation's low 16 bits */
        int32_t references;
    };
};
_Static_assert(offsetof(struct ompd_cl_registry_object, references) ==
                   offsetof(struct ompd_cl_registry_object, state) + 4,
               "state and references share a word");
_Static_assert(offsetof(struct ompd_cl_registry_object, state) % 8 == 0,
               "the life word is aligned");
_Static_assert(offsetof(struct ompd_cl_registry_object, callbacks) % 8 == 0,
               "callbacks and callback_count share a word");

/* A record that one thread is working on. */
struct recorder_entry {
    struct recorder_heap *heap;
    struct ompd_cl_registry_object *object; /* NULL: there is none */
    uint32_t reference;
    uint32_t generation;
};

/* Find the record of HANDLE in TABLE; `object` is NULL when the recorder has none. */
struct recorder_entry recorder_object_find(uint32_t table, const void *handle);

/* The record that REFERENCE named when its generation was GENERATION; `object` NULL when it is
 * gone. */
struct recorder_entry recorder_object_get(uint32_t reference, uint32_t generation);

/* Open a record for HANDLE in TABLE, created at SITE.  `object` is NULL when there is no room,
 * which has then been counted. */
struct recorder_entry recorder_object_open(uint32_t table, const void *handle, uint32_t type,
                                           struct recorder_site site);

/* Say what keeps what alive; before the record is published. */
void recorder_object_set_context(struct recorder_entry *entry, struct recorder_entry context);
void recorder_object_set_parent(struct recorder_entry *entry, struct recorder_entry parent);

/* Publish a filled record, with one reference.  A record that had the handle before is ended: the
 * runtime would not give a handle twice. */
void recorder_object_publish(struct recorder_entry *entry);

/* End the record: it is gone.  False when another thread did so first. */
bool recorder_object_end(struct recorder_entry *entry);

/* Count a change of a field of the record. */
void recorder_object_changed(struct recorder_entry *entry);

/* The life word now. */
static inline union recorder_life recorder_life_load(const struct ompd_cl_registry_object *object)
{
    union recorder_life life;
    life.word = __atomic_load_n((const uint64_t *)(const void *)&object->state, __ATOMIC_ACQUIRE);
    return life;
}

/* Replace the life word when it is *EXPECTED, else set *EXPECTED to what it is. */
static inline bool recorder_life_exchange(struct ompd_cl_registry_object *object,
                                          union recorder_life *expected,
                                          union recorder_life desired)
{
    return __atomic_compare_exchange_n((uint64_t *)(void *)&object->state, &expected->word,
                                       desired.word, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

/* LIFE is that of ENTRY's object, not of a later one in its slot. */
static inline bool recorder_life_is_of(union recorder_life life, const struct recorder_entry *entry)
{
    return life.state != ompd_cl_registry_free && life.tag == (uint16_t)entry->generation;
}

/* Set the state, if the record is still there; references stay. */
bool recorder_object_set_state(struct recorder_entry *entry, uint8_t state);

#endif
