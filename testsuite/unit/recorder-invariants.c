/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder-invariants.h"

#include <stdbool.h>
#include <stdio.h>

#include "../../recorder/core/tables.h"
#include "../../recorder/objects/objects.h"

static char sentence[200];

static bool is_there(uint32_t table, uint32_t index)
{
    const char *record = recorder_record(table, index);
    return record[recorder_tables[table].state_offset] != 0;
}

static uint32_t chunk_count_there(uint32_t table, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < recorder_tables[table].directory[number].used; place++) {
        count += is_there(table, number * RECORDER_RECORDS_PER_CHUNK + place);
    }
    return count;
}

uint32_t recorder_records_count(uint32_t table)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < recorder_tables[table].chunk_count; number++) {
        count += chunk_count_there(table, number);
    }
    return count;
}

/* The slots of a free list are free, and no more than the chunk has. */
static bool free_list_is_sound(uint32_t table, uint32_t number, uint32_t place, uint32_t *length)
{
    for (; place; (*length)++) {
        uint32_t index = number * RECORDER_RECORDS_PER_CHUNK + place - 1;
        if (place > RECORDER_RECORDS_PER_CHUNK || *length > RECORDER_RECORDS_PER_CHUNK ||
            is_there(table, index)) {
            return false;
        }
        place = *recorder_slot_link(table, recorder_record(table, index));
    }
    return true;
}

static const char *chunk_check(uint32_t table, uint32_t number)
{
    const struct recorder_chunk *chunk = &recorder_tables[table].directory[number];
    uint32_t there = chunk_count_there(table, number);
    uint32_t live = chunk->local_live + chunk->remote_live;
    uint32_t free_count = 0;
    if (live < there || live > chunk->used) {
        snprintf(sentence, sizeof(sentence),
                 "table %u chunk %u: %u records counted as live, %u are", table, number, live,
                 there);
        return sentence;
    }
    if (!free_list_is_sound(table, number, chunk->local_free, &free_count) ||
        !free_list_is_sound(table, number, chunk->remote_free, &free_count)) {
        snprintf(sentence, sizeof(sentence), "table %u chunk %u: bad free list", table, number);
        return sentence;
    }
    if (free_count + there > chunk->used) {
        snprintf(sentence, sizeof(sentence), "table %u chunk %u: %u free, %u there, %u used", table,
                 number, free_count, there, chunk->used);
        return sentence;
    }
    return NULL;
}

/* Every live object is found by its handle. */
static const char *hash_check(uint32_t table)
{
    uint32_t limit = recorder_tables[table].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_object *object = recorder_record(table, index);
        if (object->state != ompd_cl_registry_free &&
            recorder_hash_find(table, object->handle) != OMPD_CL_REGISTRY_REFERENCE(table, index)) {
            snprintf(sentence, sizeof(sentence), "table %u record %u is not in the hash", table,
                     index);
            return sentence;
        }
        if (OMPD_CL_REGISTRY_CHANGE_LWP(object->change)) {
            snprintf(sentence, sizeof(sentence), "table %u record %u is held", table, index);
            return sentence;
        }
    }
    return NULL;
}

/* Children that the program has released, by the records of all objects. */
static uint32_t children_released_there(uint32_t reference, uint32_t generation)
{
    uint32_t count = 0;
    for (uint32_t table = ompd_cl_registry_queue; table <= ompd_cl_registry_svm_free; table++) {
        uint32_t limit = recorder_tables[table].chunk_count * RECORDER_RECORDS_PER_CHUNK;
        for (uint32_t index = 0; index < limit; index++) {
            const struct ompd_cl_registry_object *object = recorder_record(table, index);
            count += object->state != ompd_cl_registry_free &&
                     object->evidence & RECORDER_LINGERING &&
                     ((object->context == reference && object->context_generation == generation) ||
                      (object->parent == reference && object->parent_generation == generation));
        }
    }
    return count;
}

static const char *released_check(uint32_t table)
{
    uint32_t limit = recorder_tables[table].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_context_record *context = recorder_record(table, index);
        const struct ompd_cl_registry_memobj_record *memobj = recorder_record(table, index);
        uint32_t counted = table == ompd_cl_registry_context ? context->children_released
                                                             : memobj->children_released;
        if (!is_there(table, index) ||
            (counted == 0 && table == ompd_cl_registry_memobj && memobj->object.children == 0)) {
            continue;
        }
        uint32_t there = children_released_there(OMPD_CL_REGISTRY_REFERENCE(table, index),
                                                 context->object.generation);
        if (counted != there) {
            snprintf(sentence, sizeof(sentence),
                     "table %u record %u: %u children counted as released, %u are", table, index,
                     counted, there);
            return sentence;
        }
    }
    return NULL;
}

int64_t recorder_usage_sum(uint32_t kind)
{
    int64_t sum = 0;
    uint32_t limit = recorder_tables[ompd_cl_registry_thread].chunk_count;
    for (uint32_t index = 0; index < limit * RECORDER_RECORDS_PER_CHUNK; index++) {
        const struct ompd_cl_registry_thread_record *thread =
            recorder_record(ompd_cl_registry_thread, index);
        sum += thread->usage[kind].live;
    }
    return sum;
}

/* The bytes of a table's records that the format counts. */
static int64_t bytes_there(uint32_t table)
{
    int64_t bytes = 0;
    uint32_t limit = recorder_tables[table].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_memobj_record *memobj = recorder_record(table, index);
        const struct ompd_cl_registry_svm_record *svm = recorder_record(table, index);
        if (is_there(table, index) && table == ompd_cl_registry_svm) {
            bytes += (int64_t)svm->size;
        } else if (is_there(table, index) && !memobj->parent_handle) {
            bytes += (int64_t)memobj->size;
        }
    }
    return bytes;
}

static const char *usage_compare(uint32_t kind, int64_t expected)
{
    if (recorder_usage_sum(kind) == expected) {
        return NULL;
    }
    snprintf(sentence, sizeof(sentence), "usage %u: %lld counted, %lld there", kind,
             (long long)recorder_usage_sum(kind), (long long)expected);
    return sentence;
}

/* What the threads have counted is what the tables hold. */
static const char *usage_check(void)
{
    const char *wrong = NULL;
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_callback && !wrong;
         table++) {
        wrong = usage_compare(table - 1, recorder_records_count(table));
    }
    if (!wrong) {
        wrong = usage_compare(OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES,
                              bytes_there(ompd_cl_registry_memobj));
    }
    if (!wrong) {
        wrong = usage_compare(OMPD_CL_REGISTRY_USAGE_SVM_BYTES, bytes_there(ompd_cl_registry_svm));
    }
    return wrong;
}

const char *recorder_invariants_check(void)
{
    const char *wrong = NULL;
    for (uint32_t table = 1; table < RECORDER_TABLE_LIMIT && !wrong; table++) {
        for (uint32_t n = 0; n < recorder_tables[table].chunk_count && !wrong; n++) {
            wrong = chunk_check(table, n);
        }
        if (!wrong && table <= ompd_cl_registry_svm) {
            wrong = hash_check(table);
        }
        if (!wrong && (table == ompd_cl_registry_context || table == ompd_cl_registry_memobj)) {
            wrong = released_check(table);
        }
    }
    return wrong ? wrong : usage_check();
}
