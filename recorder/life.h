/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The life word of an object's record: state, evidence, a tag (the generation's low 16 bits) and
 * the program's references, in one aligned word.
 *
 * Whoever changes it by compare-and-exchange knows that the record is still the same object, and of
 * several who would end a record exactly one does.
 */
#ifndef RECORDER_LIFE_H
#define RECORDER_LIFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompd-opencl-registry.h"

/* Where the members of struct ompd_cl_registry_object lie in the word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RECORDER_LIFE_STATE 0
#define RECORDER_LIFE_EVIDENCE 8
#define RECORDER_LIFE_TAG 16
#define RECORDER_LIFE_REFERENCES 32
#else
#define RECORDER_LIFE_STATE 56
#define RECORDER_LIFE_EVIDENCE 48
#define RECORDER_LIFE_TAG 32
#define RECORDER_LIFE_REFERENCES 0
#endif
_Static_assert(offsetof(struct ompd_cl_registry_object, state) % 8 == 0 &&
                   offsetof(struct ompd_cl_registry_object, evidence) ==
                       offsetof(struct ompd_cl_registry_object, state) + 1 &&
                   offsetof(struct ompd_cl_registry_object, references) ==
                       offsetof(struct ompd_cl_registry_object, state) + 4,
               "state, evidence and references share an aligned word");

#define RECORDER_LIFE_ONE_REFERENCE (UINT64_C(1) << RECORDER_LIFE_REFERENCES)

static inline uint8_t recorder_life_state(uint64_t life)
{
    return (uint8_t)(life >> RECORDER_LIFE_STATE);
}

static inline uint8_t recorder_life_evidence(uint64_t life)
{
    return (uint8_t)(life >> RECORDER_LIFE_EVIDENCE);
}

static inline int32_t recorder_life_references(uint64_t life)
{
    return (int32_t)(uint32_t)(life >> RECORDER_LIFE_REFERENCES);
}

static inline uint64_t recorder_life_with_state(uint64_t life, uint8_t state)
{
    return (life & ~(UINT64_C(0xff) << RECORDER_LIFE_STATE)) | (uint64_t)state
                                                                   << RECORDER_LIFE_STATE;
}

static inline uint64_t recorder_life_with_evidence(uint64_t life, uint8_t evidence)
{
    return (life & ~(UINT64_C(0xff) << RECORDER_LIFE_EVIDENCE)) | (uint64_t)evidence
                                                                      << RECORDER_LIFE_EVIDENCE;
}

/* The life of a new object whose slot is of GENERATION. */
static inline uint64_t recorder_life_begin(uint32_t generation)
{
    return (uint64_t)ompd_cl_registry_live << RECORDER_LIFE_STATE |
           (uint64_t)(generation & 0xffff) << RECORDER_LIFE_TAG | RECORDER_LIFE_ONE_REFERENCE;
}

/* LIFE is that of the object that had its slot at GENERATION, and that has not ended. */
static inline bool recorder_life_is_of(uint64_t life, uint32_t generation)
{
    return recorder_life_state(life) != ompd_cl_registry_free &&
           (uint16_t)(life >> RECORDER_LIFE_TAG) == (uint16_t)generation;
}

static inline uint64_t *recorder_life_word(struct ompd_cl_registry_object *object)
{
    return (uint64_t *)(void *)&object->state;
}

static inline uint64_t recorder_life_load(struct ompd_cl_registry_object *object)
{
    return __atomic_load_n(recorder_life_word(object), __ATOMIC_ACQUIRE);
}

/* Replace the life word when it is *EXPECTED, else set *EXPECTED to what it is. */
static inline bool recorder_life_exchange(struct ompd_cl_registry_object *object,
                                          uint64_t *expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(recorder_life_word(object), expected, desired, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

#endif
