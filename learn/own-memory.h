/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The probe reads its own memory, where any word may or may not be an address. */
#ifndef OMPD_LEARN_OWN_MEMORY_H
#define OMPD_LEARN_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read SIZE bytes at ADDRESS; false: they are not all there. */
bool own_memory_read(uintptr_t address, void *bytes, size_t size);

/* The same of at most OWN_MEMORY_VIEW bytes: where they are until this thread's next call; NULL:
 * they are not all there. */
#define OWN_MEMORY_VIEW 4096
const void *own_memory_view(uintptr_t address, size_t size);

/* The unsigned number of WIDTH bytes, at most 8, at BYTES, which are there. */
uint64_t own_memory_decode(const unsigned char *bytes, unsigned width);

/* Read the unsigned number of WIDTH bytes at ADDRESS. */
bool own_memory_number(uintptr_t address, unsigned width, uint64_t *number);

/* Call FOUND with the address of each word of private writable memory that is WORD. */
void own_memory_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument),
                     void *argument);

#endif
