/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#define KIND_BITS 8
#define KIND_MASK UINT64_C(0xff)

_Static_assert(OMPD_CL_REGISTRY_OPERANDS_OF_THREE <= ompd_cl_registry_operand_origin &&
                   ompd_cl_registry_operand_dimensions < OMPD_CL_REGISTRY_OPERANDS_OF_THREE,
               "the number of an operand says how many words it has");

/* The number of words of the operand KIND that ARRAY has; 0: it is not known, as the call is about
 * to be refused. DIMENSIONS is that of the work sizes. */
static uint32_t operand_length(uint32_t kind, const size_t *array, uint64_t dimensions)
{
    if (!array) {
        return 0;
    }
    switch (kind) {
#define OPERAND_OF_THREE(number, operand)
#define OPERAND_OF_DIMENSIONS(number, operand) case number:
#include <schema/operands.def>
        return dimensions <= 3 ? (uint32_t)dimensions : 0;
    default:
        return 3;
    }
}

/* Words of an operand that has three of them. */
static void operand_array_copy(uint64_t *words, const size_t *array, uint32_t length)
{
    for (uint32_t i = 0; i < 3; i++) {
        words[i] = i < length ? array[i] : 0;
    }
}

void recorder_operands_set(struct ompd_cl_registry_operands *operands,
                           const struct recorder_command_facts *facts)
{
    const uint64_t *operand = facts->operands;
    uint64_t *words = operands->words;
    uint64_t recorded = 0;
    uint32_t shift = 0;
    for (uint64_t kinds = facts->operand_kinds; kinds; kinds >>= KIND_BITS, operand++) {
        uint64_t kind = kinds & KIND_MASK;
        if (kind < OMPD_CL_REGISTRY_OPERANDS_OF_THREE) {
            *words++ = *operand;
        } else {
            const size_t *array = (const size_t *)(uintptr_t)*operand;
            uint32_t length = operand_length((uint32_t)kind, array, operands->words[0]);
            if (!length) {
                continue;
            }
            operand_array_copy(words, array, length);
            words += 3;
        }
        recorded |= kind << shift;
        shift += KIND_BITS;
    }
    operands->kinds = recorded;
}

static void operands_add(struct ompd_cl_registry_operands *operands, uint32_t kind, uint64_t value)
{
    uint32_t word = 0;
    uint32_t shift = 0;
    for (uint64_t kinds = operands->kinds; kinds; kinds >>= KIND_BITS, shift += KIND_BITS) {
        word += (kinds & KIND_MASK) < OMPD_CL_REGISTRY_OPERANDS_OF_THREE ? 1 : 3;
    }
    operands->words[word] = value;
    __atomic_store_n(&operands->kinds, operands->kinds | (uint64_t)kind << shift, __ATOMIC_RELEASE);
}

void recorder_operands_add_mapping(struct ompd_cl_registry_operands *operands, const void *pointer,
                                   const size_t *const pitches[2])
{
    operands_add(operands, ompd_cl_registry_operand_pointer, (uintptr_t)pointer);
    if (pitches[0]) {
        operands_add(operands, ompd_cl_registry_operand_row_pitch, *pitches[0]);
    }
    if (pitches[1]) {
        operands_add(operands, ompd_cl_registry_operand_slice_pitch, *pitches[1]);
    }
}

void recorder_touched_set(const struct recorder_entry *entry,
                          const struct recorder_command_facts *facts)
{
    struct recorder_address_list touched = {0, 0};
    const uintptr_t *all = facts->touched;
    for (cl_uint i = all ? facts->touched_count : 0; i > 0; i--) {
        if (facts->type == CL_COMMAND_SVM_MIGRATE_MEM) {
            uint64_t size = facts->touched_sizes ? facts->touched_sizes[i - 1] : 0;
            recorder_address_list_prepend(entry->heap, &touched, size, false);
        }
        recorder_address_list_prepend(entry->heap, &touched, all[i - 1], false);
    }
    recorder_command_record(entry)->touched = touched.first;
    recorder_command_record(entry)->touched_count = touched.count;
    recorder_command_record(entry)->touched_lost = 0;
}
