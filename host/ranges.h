/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges of a target's addresses, collected in any order. */
#ifndef OMPD_HOST_RANGES_H
#define OMPD_HOST_RANGES_H

#include <config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
};

struct ranges {
    struct range *items;
    size_t count;
    size_t capacity;
    bool is_short; /* there was no memory for some */
};

/* Add the SIZE bytes at START, up to the last address at most. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t size);

/* Sort RANGES and merge those that touch. */
void ranges_settle(struct ranges *ranges);

/* Take the addresses of OTHERS from RANGES, both settled. */
void ranges_subtract(struct ranges *ranges, const struct ranges *others);

/* The number of ranges that end at or below ADDRESS, RANGES being settled. */
size_t ranges_find(const struct ranges *ranges, uint64_t address);

/* Give back what RANGES hold. */
void ranges_free(struct ranges *ranges);

#endif
