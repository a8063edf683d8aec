/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of addresses in the registry: the SVM pointers of a command, the events it waits for. */
#ifndef RECORDER_ADDRESS_LIST_H
#define RECORDER_ADDRESS_LIST_H

#include <stdint.h>

#include "heap.h"

/* A list being made, from its end. */
struct recorder_address_list {
    uint32_t first; /* index plus 1 */
    uint32_t count;
};

/* Put an address before the others; one that there is no room for is counted as not recorded. */
void recorder_address_list_prepend(struct recorder_heap *heap, struct recorder_address_list *list,
                                   uint64_t address, bool from_svm_alloc);

/* Give back the links from FIRST on. */
void recorder_address_list_end(struct recorder_heap *heap, uint32_t first);

/* A link of its own, as index plus 1; 0 when there is no room, which has then been counted. */
uint32_t recorder_address_make(struct recorder_heap *heap, uint64_t address);

/* A list that several threads put links into, whose first is at *FIRST: put in one, take all. */
void recorder_address_stack_put(uint32_t *first, uint32_t place);
uint32_t recorder_address_stack_take(uint32_t *first);

/* Give back the link at PLACE. */
void recorder_address_list_give_back(struct recorder_heap *heap, uint32_t place);

/* The address of the link at PLACE, index plus 1; *NEXT gets the next place, 0 at the end. */
uint64_t recorder_address_list_get(uint32_t place, uint32_t *next);

#endif
