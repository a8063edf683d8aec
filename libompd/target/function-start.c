/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finds the start of functions by unwind tables. .eh_frame_hdr and .eh_frame are described in the
 * Linux Standard Base Core Specification 5.0, chapter 10.6.
 */
#include "target/machine.h"

#include <string.h>

/* How an index begins that all linkers make: its version, then how the address of .eh_frame, the
 * count of entries and the entries are written: in four bytes each, the last two as distances from
 * the index. */
static const uint8_t usual_start[4] = {1, 0x1b, 0x03, 0x3b};

#define COUNT_PLACE 8  /* of the count of entries */
#define TABLE_PLACE 12 /* of the first entry */
#define ENTRY_SIZE 8   /* where a function begins; where its unwind information is */
#define RANGE_PLACE 12 /* within that, of the function's size */

/* The four bytes at ADDRESS in *VALUE, with their sign.  Returns as target_view. */
static ompd_rc_t read_index_word(struct target *target, uint64_t address, uint64_t *value)
{
    const uint8_t *bytes;
    ompd_rc_t rc = target_view(target, address, 4, 0, &bytes);

    if (rc == ompd_rc_ok)
        *value = (uint64_t)(int64_t)(int32_t)target_integer(target, bytes, 4);
    return rc;
}

/* Where entry NUMBER of the index at INDEX begins, in *START. */
static ompd_rc_t read_start(struct target *target, uint64_t index, uint64_t number, uint64_t *start)
{
    ompd_rc_t rc = read_index_word(target, index + TABLE_PLACE + number * ENTRY_SIZE, start);

    if (rc == ompd_rc_ok)
        *start += index;
    return rc;
}

/* Find the last of COUNT entries that begins at ADDRESS or before, in *NUMBER and *START: they are
 * in order.  ompd_rc_unavailable when all begin later. */
static ompd_rc_t find_index_entry(struct target *target, uint64_t index, uint64_t count,
                                  uint64_t address, uint64_t *number, uint64_t *start)
{
    uint64_t first = 0;
    uint64_t end = count;
    ompd_rc_t rc;

    while (first < end) {
        uint64_t middle = first + (end - first) / 2;

        rc = read_start(target, index, middle, start);
        if (rc != ompd_rc_ok)
            return rc;
        if (*start <= address)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == 0)
        return ompd_rc_unavailable;
    *number = first - 1;
    return read_start(target, index, *number, start);
}

/* How many entries the index at INDEX has, in *COUNT; ompd_rc_unavailable when it is another. */
static ompd_rc_t read_count(struct target *target, uint64_t index, uint64_t *count)
{
    const uint8_t *bytes;
    ompd_rc_t rc = target_view(target, index, sizeof(usual_start), 0, &bytes);

    if (rc == ompd_rc_ok && memcmp(bytes, usual_start, sizeof(usual_start)) != 0)
        return ompd_rc_unavailable;
    if (rc == ompd_rc_ok)
        rc = read_index_word(target, index + COUNT_PLACE, count);
    *count &= UINT32_MAX;
    return rc;
}

ompd_rc_t function_find(struct target *target, const struct module *module, uint64_t address,
                        uint64_t *start, uint64_t *end)
{
    uint64_t index;
    uint64_t count = 0;
    uint64_t number;
    uint64_t entry;
    uint64_t size;
    ompd_rc_t rc = module_unwind_index(target, module, &index);

    if (rc == ompd_rc_ok)
        rc = read_count(target, index, &count);
    if (rc == ompd_rc_ok)
        rc = find_index_entry(target, index, count, address, &number, start);
    if (rc == ompd_rc_ok)
        rc = read_index_word(target, index + TABLE_PLACE + number * ENTRY_SIZE + 4, &entry);
    if (rc == ompd_rc_ok)
        rc = read_index_word(target, index + entry + RANGE_PLACE, &size);
    if (rc != ompd_rc_ok)
        return rc;
    *end = *start + (size & UINT32_MAX);
    /* Between functions there may be code without an entry. */
    return address - *start < (size & UINT32_MAX) ? ompd_rc_ok : ompd_rc_unavailable;
}

ompd_rc_t function_start_find(struct target *target, const struct module *module, uint64_t address,
                              uint64_t *start)
{
    uint64_t end;

    return function_find(target, module, address, start, &end);
}
