/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The probe reads its own memory, where any word may or may not be an address. */
#ifndef OMPD_HOST_LEARN_SELF_H
#define OMPD_HOST_LEARN_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read SIZE bytes at ADDRESS; false: they are not all there. */
bool self_read(uintptr_t address, void *bytes, size_t size);

/* The unsigned number of WIDTH bytes, at most 8, at BYTES, which are there. */
uint64_t self_decode(const unsigned char *bytes, unsigned width);

/* Read the unsigned number of WIDTH bytes at ADDRESS. */
bool self_number(uintptr_t address, unsigned width, uint64_t *number);

/* Call FOUND with the address of each word of private writable memory that is WORD. */
void self_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument), void *argument);

#endif
