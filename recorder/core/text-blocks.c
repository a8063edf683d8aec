/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"
#include "core/process.h"

#include <limits.h>
#include <string.h>

static struct ompd_cl_registry_text_block_record *text_block_at(uint32_t place)
{
    return recorder_record(ompd_cl_registry_text_block, place - 1);
}

/* Make a block, which no other thread can see yet, with the bytes at TEXT, which are at offset
 * ORIGIN of a text of SIZE bytes. Returns its index plus 1; 0 when out of memory. */
static uint32_t text_block_make(struct recorder_heap *heap, const char *text, uint32_t origin,
                                uint32_t size)
{
    struct recorder_slot slot;
    recorder_slot_take(&slot, heap, ompd_cl_registry_text_block);
    if (slot.index == RECORDER_NO_SLOT) {
        return 0;
    }
    struct ompd_cl_registry_text_block_record *block = slot.record;
    uint32_t rest = size - origin;
    block->next = 0;
    block->origin = origin;
    block->size = size;
    memcpy(block->text, text, rest < sizeof(block->text) ? rest : sizeof(block->text));
    __atomic_store_n(&block->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    recorder_chunk_changed(heap, slot.chunk);
    return slot.index + 1;
}

static void text_blocks_free(struct recorder_heap *heap, uint32_t place)
{
    while (place) {
        struct ompd_cl_registry_text_block_record *block = text_block_at(place);
        uint32_t next = block->next;
        struct recorder_slot slot;
        __atomic_store_n(&block->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
        recorder_slot_get(&slot, ompd_cl_registry_text_block, place - 1);
        recorder_slot_free(heap, ompd_cl_registry_text_block, &slot);
        place = next;
    }
}

/* Make a chain of blocks with the SIZE bytes of TEXT. Returns the first, index plus 1; 0 when there
 * is not enough memory, which is then counted. */
static uint32_t text_blocks_make(struct recorder_heap *heap, const char *text, uint32_t size)
{
    uint32_t first = 0;
    uint32_t *link = &first;
    for (uint32_t origin = 0; origin < size; origin += OMPD_CL_REGISTRY_TEXT_BLOCK_SIZE) {
        uint32_t place = text_block_make(heap, text + origin, origin, size);
        if (!place) {
            recorder_count_not_recorded();
            text_blocks_free(heap, first);
            return 0;
        }
        *link = place;
        link = &text_block_at(place)->next;
    }
    return first;
}

struct ompd_cl_registry_text recorder_text_make(struct recorder_heap *heap, const char *text,
                                                size_t limit)
{
    size_t size = text ? strnlen(text, limit < INT_MAX ? limit : INT_MAX) : 0;
    struct ompd_cl_registry_text whole = {.place = 0, .size = (uint32_t)size};
    if (size >= OMPD_CL_REGISTRY_TEXT_SIZE && heap) {
        whole.place = text_blocks_make(
            heap, text,
            whole.size < OMPD_CL_REGISTRY_TEXT_LIMIT ? whole.size : OMPD_CL_REGISTRY_TEXT_LIMIT);
    }
    return whole;
}

void recorder_text_set(struct recorder_heap *heap, char to[OMPD_CL_REGISTRY_TEXT_SIZE],
                       struct ompd_cl_registry_text *whole, const char *text, size_t limit)
{
    recorder_text_copy(to, text, limit);
    *whole = recorder_text_make(heap, text, limit);
}

struct ompd_cl_registry_text recorder_text_clone(struct recorder_heap *heap,
                                                 const struct ompd_cl_registry_text *text)
{
    struct ompd_cl_registry_text whole = {.place = 0, .size = text->size};
    uint32_t place = __atomic_load_n(&text->place, __ATOMIC_ACQUIRE);
    uint32_t size = place ? text_block_at(place)->size : 0;
    uint32_t *link = &whole.place;
    for (uint32_t origin = 0; place && origin < size; origin += OMPD_CL_REGISTRY_TEXT_BLOCK_SIZE) {
        uint32_t copy = text_block_make(heap, text_block_at(place)->text, origin, size);
        if (!copy) {
            recorder_count_not_recorded();
            text_blocks_free(heap, whole.place);
            whole.place = 0;
            return whole;
        }
        *link = copy;
        link = &text_block_at(copy)->next;
        place = text_block_at(place)->next;
    }
    return whole;
}

struct ompd_cl_registry_text recorder_text_replace(struct ompd_cl_registry_text *text,
                                                   struct ompd_cl_registry_text other)
{
    struct ompd_cl_registry_text former = {.size = text->size};
    former.place = __atomic_exchange_n(&text->place, other.place, __ATOMIC_ACQ_REL);
    text->size = other.size;
    return former;
}

void recorder_text_end(struct recorder_heap *heap, struct ompd_cl_registry_text text)
{
    text_blocks_free(heap, text.place);
}

void recorder_program_texts_end(struct recorder_heap *heap,
                                struct ompd_cl_registry_program_record *program)
{
    const struct ompd_cl_registry_text none = {.place = 0};
    recorder_text_end(heap, recorder_text_replace(&program->whole_options, none));
    recorder_text_end(heap, recorder_text_replace(&program->whole_log, none));
}
