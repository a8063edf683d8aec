/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <string.h>

#define ROOM ((uint32_t)OMPD_CL_REGISTRY_ARGUMENTS)

void recorder_arguments_clear(struct ompd_cl_registry_arguments *arguments)
{
    arguments->count = 0;
    arguments->more = 0;
}

/* The SIZE bytes at VALUE as a number; 0 if no number has that size. */
static uint64_t argument_number(size_t size, const void *value)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t number = 0;
    switch (size) {
    case sizeof(byte):
        memcpy(&byte, value, sizeof(byte));
        return byte;
    case sizeof(half):
        memcpy(&half, value, sizeof(half));
        return half;
    case sizeof(word):
        memcpy(&word, value, sizeof(word));
        return word;
    case sizeof(number):
        memcpy(&number, value, sizeof(number));
        return number;
    default:
        return 0;
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static struct ompd_cl_registry_argument_block_record *argument_block_at(uint32_t place)
{
    return recorder_record(ompd_cl_registry_argument_block, place - 1);
}

/* Make a block without arguments, whose first argument is FIRST. Returns its index plus 1; 0 when
 * out of memory, which is counted. */
static uint32_t argument_block_make(struct recorder_heap *heap, uint32_t first)
{
    struct recorder_slot slot;
    recorder_slot_take(&slot, heap, ompd_cl_registry_argument_block);
    if (slot.index == RECORDER_NO_SLOT) {
        recorder_count_not_recorded();
        return 0;
    }
    struct ompd_cl_registry_argument_block_record *block = slot.record;
    block->next = 0;
    block->first = first;
    memset(block->forms, 0, sizeof(block->forms));
    __atomic_store_n(&block->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    recorder_chunk_changed(heap, slot.chunk);
    return slot.index + 1;
}

static void argument_block_free(struct recorder_heap *heap, uint32_t place)
{
    struct recorder_slot slot;
    __atomic_store_n(&argument_block_at(place)->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    recorder_slot_get(&slot, ompd_cl_registry_argument_block, place - 1);
    recorder_slot_free(heap, ompd_cl_registry_argument_block, &slot);
}

/* The block that LINK names, or a new one whose first argument is FIRST. */
static uint32_t argument_block_follow(struct recorder_heap *heap, uint32_t *link, uint32_t first)
{
    uint32_t place = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    uint32_t made = place ? 0 : argument_block_make(heap, first);
    if (made && !__atomic_compare_exchange_n(link, &place, made, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE)) {
        argument_block_free(heap, made);
        return place;
    }
    return made ? made : place;
}

/* The block that contains argument INDEX; 0 when out of memory. */
static uint32_t argument_block_find(struct recorder_heap *heap,
                                    struct ompd_cl_registry_arguments *arguments, uint32_t index)
{
    uint32_t first = ROOM;
    uint32_t place = argument_block_follow(heap, &arguments->more, first);
    while (place && index - first >= ROOM) {
        first += ROOM;
        place = argument_block_follow(heap, &argument_block_at(place)->next, first);
    }
    return place;
}

/* ---- Setting them ---------------------------------------------------------------------------- */

/* Where an argument is stored. */
struct place {
    uint32_t *form;
    uint64_t *value;
};

/* At a stop between the stores a reader sees the argument as being set, never one's form with
 * another's value. */
static void argument_place_set(const struct place *place, uint32_t form, uint64_t value)
{
    __atomic_store_n(place->form, 0, __ATOMIC_RELEASE);
    __atomic_store_n(place->value, value, __ATOMIC_RELEASE);
    __atomic_store_n(place->form, form, __ATOMIC_RELEASE);
}

static void argument_set(struct recorder_heap *heap, struct ompd_cl_registry_arguments *arguments,
                         cl_uint index, uint32_t form, uint64_t value)
{
    uint32_t count = __atomic_load_n(&arguments->count, __ATOMIC_RELAXED);
    /* The arguments in between still have values from an earlier kernel. */
    for (uint32_t i = count; i < index && i < ROOM; i++) {
        __atomic_store_n(&arguments->forms[i], 0, __ATOMIC_RELAXED);
    }
    if (RECORDER_LIKELY(index < ROOM)) {
        argument_place_set(&(struct place){&arguments->forms[index], &arguments->values[index]},
                           form, value);
    } else if (index < OMPD_CL_REGISTRY_ARGUMENT_LIMIT) {
        uint32_t block = argument_block_find(heap, arguments, index);
        if (block) {
            argument_place_set(&(struct place){&argument_block_at(block)->forms[index % ROOM],
                                               &argument_block_at(block)->values[index % ROOM]},
                               form, value);
            recorder_slot_changed(heap, ompd_cl_registry_argument_block, block - 1);
        }
    }
    if (index >= count) {
        __atomic_store_n(&arguments->count, index + 1, __ATOMIC_RELEASE);
    }
}

void recorder_arguments_set(struct recorder_heap *heap,
                            struct ompd_cl_registry_arguments *arguments, cl_uint index,
                            size_t size, const void *value)
{
    uint32_t bytes = size < OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT
                         ? (uint32_t)size
                         : OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT;
    if (value) {
        argument_set(heap, arguments, index,
                     OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, bytes),
                     argument_number(size, value));
    } else {
        argument_set(heap, arguments, index,
                     OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_none, bytes), 0);
    }
}

void recorder_arguments_set_address(struct recorder_heap *heap,
                                    struct ompd_cl_registry_arguments *arguments, cl_uint index,
                                    const struct recorder_address_argument *argument)
{
    argument_set(heap, arguments, index, OMPD_CL_REGISTRY_ARGUMENT(argument->form, argument->size),
                 argument->address);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void argument_run_set_count(struct recorder_argument_run *run)
{
    uint32_t rest = run->total - run->first;
    run->count = rest < ROOM ? rest : ROOM;
}

void recorder_arguments_begin(const struct ompd_cl_registry_arguments *arguments,
                              struct recorder_argument_run *run)
{
    uint32_t total = __atomic_load_n(&arguments->count, __ATOMIC_ACQUIRE);
    run->forms = arguments->forms;
    run->values = arguments->values;
    run->first = 0;
    run->total = total < OMPD_CL_REGISTRY_ARGUMENT_LIMIT ? total : OMPD_CL_REGISTRY_ARGUMENT_LIMIT;
    run->next = total > ROOM ? __atomic_load_n(&arguments->more, __ATOMIC_ACQUIRE) : 0;
    argument_run_set_count(run);
}

bool recorder_arguments_next(struct recorder_argument_run *run)
{
    if (RECORDER_LIKELY(!run->next || run->total - run->first <= ROOM)) {
        return false;
    }
    const struct ompd_cl_registry_argument_block_record *block = argument_block_at(run->next);
    run->forms = block->forms;
    run->values = block->values;
    run->first += ROOM;
    run->next = __atomic_load_n(&block->next, __ATOMIC_ACQUIRE);
    argument_run_set_count(run);
    return true;
}

/* Copy the arguments of RUN to FORMS and VALUES, which no other thread can see yet. */
static void argument_run_copy(const struct recorder_argument_run *run, uint32_t *forms,
                              uint64_t *values)
{
    for (uint32_t i = 0; i < run->count; i++) {
        forms[i] = __atomic_load_n(&run->forms[i], __ATOMIC_ACQUIRE);
        values[i] = __atomic_load_n(&run->values[i], __ATOMIC_ACQUIRE);
    }
}

void recorder_arguments_copy(struct recorder_heap *heap, struct ompd_cl_registry_arguments *to,
                             const struct ompd_cl_registry_arguments *from)
{
    struct recorder_argument_run run;
    uint32_t *link = &to->more;
    recorder_arguments_begin(from, &run);
    to->count = __atomic_load_n(&from->count, __ATOMIC_RELAXED);
    to->more = 0;
    argument_run_copy(&run, to->forms, to->values);
    while (recorder_arguments_next(&run)) {
        uint32_t place = argument_block_make(heap, run.first);
        if (!place) {
            return;
        }
        argument_run_copy(&run, argument_block_at(place)->forms, argument_block_at(place)->values);
        *link = place;
        link = &argument_block_at(place)->next;
    }
}

void recorder_arguments_end(struct recorder_heap *heap,
                            const struct ompd_cl_registry_arguments *arguments)
{
    uint32_t place = __atomic_load_n(&arguments->more, __ATOMIC_ACQUIRE);
    while (RECORDER_UNLIKELY(place)) {
        uint32_t next = __atomic_load_n(&argument_block_at(place)->next, __ATOMIC_ACQUIRE);
        argument_block_free(heap, place);
        place = next;
    }
}
