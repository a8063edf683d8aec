/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How many objects and bytes there are: each thread counts, in its own record, what it makes and
 * what it takes away.  Only the sum over all records is what there is.
 */
#ifndef RECORDER_USAGE_H
#define RECORDER_USAGE_H

#include "heap.h"

/* Count AMOUNT more of KIND, or less. */
RECORDER_INLINE void recorder_usage_add(struct recorder_heap *heap, uint32_t kind, int64_t amount)
{
    struct ompd_cl_registry_usage *usage = &heap->thread->usage[kind];
    int64_t live = usage->live + amount;
    __atomic_store_n(&usage->live, live, __ATOMIC_RELAXED);
    if (live > usage->peak) {
        __atomic_store_n(&usage->peak, live, __ATOMIC_RELAXED);
    }
}

/* The bytes of storage that an object of TABLE has of its own. */
RECORDER_INLINE int64_t recorder_usage_bytes(uint32_t table,
                                             const struct ompd_cl_registry_object *object)
{
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        const struct ompd_cl_registry_memobj_record *memobj = (const void *)object;
        return memobj->parent_handle ? 0 : (int64_t)memobj->size;
    }
    if (table == ompd_cl_registry_svm) {
        return (int64_t)((const struct ompd_cl_registry_svm_record *)(const void *)object)->size;
    }
    return 0;
}

/* Count an object of TABLE that has come to be (SIGN 1) or ended (-1). */
RECORDER_INLINE void recorder_usage_count(struct recorder_heap *heap, uint32_t table,
                                          const struct ompd_cl_registry_object *object,
                                          int64_t sign)
{
    int64_t bytes = sign * recorder_usage_bytes(table, object);
    recorder_usage_add(heap, table - 1, sign);
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        recorder_usage_add(heap, OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, bytes);
    } else if (table == ompd_cl_registry_svm) {
        recorder_usage_add(heap, OMPD_CL_REGISTRY_USAGE_SVM_BYTES, bytes);
    }
}

/* In the child of a fork(): let the sums be what the tables say, whatever vanished threads had yet
 * to count.  What is missing counts for HEAP's thread. */
void recorder_usage_repair(struct recorder_heap *heap);

#endif
