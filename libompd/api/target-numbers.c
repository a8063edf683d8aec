/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers in the target's memory, for tools that display memory. */
#include "api/api.h"

#include <string.h>

/* The limit of one call; a tool reads more by further calls. */
#define NUMBER_LIMIT 65536

/* The requested numbers, and how many were read. */
struct numbers {
    struct address_space *space;
    uint64_t address;
    unsigned size;
    uint64_t capacity;
    uint64_t *all;
    uint64_t count;
};

static bool is_size_of_number(ompd_size_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The number of remaining numbers that are within one page; 1 if the next one spans two pages. */
static uint64_t numbers_in_piece(const struct numbers *numbers)
{
    uint64_t address = numbers->address + numbers->count * numbers->size;
    uint64_t count = (TARGET_BLOCK_SIZE - address % TARGET_BLOCK_SIZE) / numbers->size;
    uint64_t left = numbers->capacity - numbers->count;

    count = count != 0 ? count : 1;
    return count < left ? count : left;
}

/* Read COUNT more, which are a piece. */
static ompd_rc_t read_piece(struct numbers *numbers, uint64_t count)
{
    uint64_t address = numbers->address + numbers->count * numbers->size;
    struct target *target = &numbers->space->target;
    const uint8_t *bytes;
    ompd_rc_t rc;

    rc = target_view(target, address, count * numbers->size, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    if (!address_space_may_set_outputs(numbers->space, rc))
        return ompd_rc_interrupted;
    for (uint64_t i = 0; i < count; i++)
        numbers->all[numbers->count++] =
            target_integer(target, bytes + i * numbers->size, numbers->size);
    return ompd_rc_ok;
}

/* Read as many as possible of COUNT numbers in a range that cannot be read at once. Reads the first
 * one alone, because it usually fails too, then bisects. */
static ompd_rc_t read_beginning(struct numbers *numbers, uint64_t count)
{
    ompd_rc_t rc = read_piece(numbers, 1);

    if (rc != ompd_rc_ok)
        return rc;
    for (count--; count != 0;) {
        uint64_t half = (count + 1) / 2;

        rc = read_piece(numbers, half);
        if (rc != ompd_rc_ok && (rc != ompd_rc_incomplete || half == 1))
            return rc;
        count = rc == ompd_rc_ok ? count - half : half;
    }
    return ompd_rc_ok;
}

static ompd_rc_t read_all_numbers(struct numbers *numbers)
{
    ompd_rc_t rc = ompd_rc_ok;

    while (rc == ompd_rc_ok && numbers->count < numbers->capacity) {
        uint64_t count = numbers_in_piece(numbers);

        rc = read_piece(numbers, count);
        if (rc == ompd_rc_incomplete)
            rc = read_beginning(numbers, count);
    }
    return rc;
}

/* Say which memory it is that cannot be read. */
static void set_unreadable_message(struct address_space *space, const struct numbers *numbers)
{
    message_clear(&space->message);
    message_add(&space->message, "the memory at ");
    message_add_hexadecimal(&space->message, numbers->address + numbers->count * numbers->size);
    message_add(&space->message, space->target.failure == ompd_cl_status_not_saved
                                     ? " is not saved in the core."
                                     : " cannot be read.");
}

/* Read NUMBERS, whose arguments are not checked yet. */
static ompd_rc_t read_numbers(struct address_space *space, struct numbers *numbers)
{
    ompd_rc_t rc;

    if (!is_size_of_number(numbers->size))
        return address_space_fail(space, ompd_rc_bad_input,
                                  "unsupported size of a number; use 1, 2, 4 or 8 bytes.");
    if (numbers->all == NULL)
        return address_space_refuse_null(space, "the pointer to the numbers");
    if (numbers->capacity > NUMBER_LIMIT)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "at most 65536 numbers can be read at once.");
    if (numbers->capacity * numbers->size > UINT64_MAX - numbers->address)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "the numbers would pass the end of 64-bit addresses.");
    rc = read_all_numbers(numbers);
    if (rc == ompd_rc_incomplete)
        set_unreadable_message(space, numbers);
    return address_space_set_message(space, rc);
}

PUBLIC ompd_rc_t ompd_cl_numbers_read(ompd_address_space_handle_t *handle, ompd_addr_t address,
                                      ompd_size_t size, ompd_size_t capacity, uint64_t *numbers,
                                      ompd_size_t *count)
{
    struct numbers asked = {.address = address, .capacity = capacity, .all = numbers};
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    asked.space = space;
    asked.size = is_size_of_number(size) ? (unsigned)size : 0;
    rc = count == NULL ? address_space_refuse_null(space, "the pointer to the count of numbers")
                       : read_numbers(space, &asked);
    if (address_space_may_set_outputs(space, rc))
        *count = asked.count;
    return address_space_leave(space, rc);
}

/* ---- Integers for the tool ------------------------------------------------------------------- */

uint64_t tool_integer_read(const void *bytes, ompd_size_t size)
{
    uint64_t eight;
    uint32_t four;

    if (size == sizeof(four)) {
        memcpy(&four, bytes, sizeof(four));
        return four;
    }
    if (size != sizeof(eight))
        return 0;
    memcpy(&eight, bytes, sizeof(eight));
    return eight;
}

void tool_integer_write(void *bytes, ompd_size_t size, uint64_t value)
{
    uint32_t four = (uint32_t)value;

    if (size == sizeof(four))
        memcpy(bytes, &four, sizeof(four));
    else
        memcpy(bytes, &value, sizeof(value));
}
