/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target through the tool's callbacks: symbols, sizes, byte order, memory. */
#include "target/target.h"

#include "target/scan.h"

#include <string.h>

/* The size of all blocks together. */
#define BLOCK_BYTES ((size_t)TARGET_BLOCK_COUNT * TARGET_BLOCK_SIZE)

/* The error RC of a callback, but for one that would promise out parameters. */
static ompd_rc_t callback_error(ompd_rc_t rc)
{
    return rc == ompd_rc_incomplete ? ompd_rc_callback_error : rc;
}

/* Determine the byte order from the tool's conversion of eight different bytes. */
static ompd_rc_t find_byte_order(struct target *target)
{
    static const uint8_t probe[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t converted[8] = {0};
    ompd_rc_t rc;

    rc = TARGET_CALL(target, callbacks.device_to_host, probe, sizeof(probe), 1, converted);
    if (rc != ompd_rc_ok)
        return callback_error(rc);
    target->is_swapped = converted[0] != probe[0];
    for (size_t i = 0; i < sizeof(probe); i++) {
        if (converted[i] != probe[target->is_swapped ? sizeof(probe) - 1 - i : i])
            return ompd_rc_error;
    }
    return ompd_rc_ok;
}

ompd_rc_t target_open(struct target *target, struct memory *memory,
                      const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                      ompd_address_space_context_t *context)
{
    ompd_device_type_sizes_t sizes;
    ompd_rc_t rc;

    memset(target, 0, sizeof(*target));
    target->memory = memory;
    target->callbacks = *callbacks;
    target->extra = *extra;
    target->context = context;
    target->stop = 1;
    log_open(&target->log, &memory->call, callbacks, extra->log_level);

    memset(&sizes, 0, sizeof(sizes));
    rc = TARGET_CALL(target, callbacks.sizeof_type, &sizes);
    if (rc != ompd_rc_ok)
        return callback_error(rc);
    if (sizes.sizeof_pointer != 4 && sizes.sizeof_pointer != 8)
        return ompd_rc_error;
    target->pointer_size = sizes.sizeof_pointer;
    return find_byte_order(target);
}

void target_refresh(struct target *target)
{
    target->stop++;
    target->last_view.size = 0;
}

/* The result of a symbol lookup, by the tool's RC and ADDRESS. */
static ompd_rc_t symbol_code(ompd_rc_t rc, uint64_t address)
{
    /* OpenMP 6.0 section 40.3.2.2 has ompd_rc_error for a symbol that is not there. */
    if (rc == ompd_rc_error || rc == ompd_rc_unavailable)
        return ompd_rc_unavailable;
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_interrupted ? rc : ompd_rc_error;
    /* LLVM's plugin answers ok and all ones for a symbol that is not there. */
    return address == 0 || address == UINT64_MAX ? ompd_rc_unavailable : ompd_rc_ok;
}

ompd_rc_t target_symbol(struct target *target, const char *name, uint64_t *address)
{
    ompd_address_t found = {ompd_segment_none, 0};
    ompd_rc_t rc;

    rc = TARGET_CALL(target, callbacks.symbol_addr_lookup, NULL, name, &found, NULL);
    rc = symbol_code(rc, found.address);
    if (log_has(&target->log, ompd_cl_log_level_lookup))
        rc = target_log_symbol(target, name, found.address, rc);
    if (rc == ompd_rc_ok)
        *address = found.address;
    return rc;
}

/* The maximum number of regions of a read that are queried. */
#define MAX_REGIONS 64

/* Why [ADDRESS, ADDRESS + SIZE) cannot be read, as far as the tool knows its regions. */
static uint16_t failure_reason(struct target *target, uint64_t address, uint64_t size)
{
    uint64_t end = address + size;

    if (target->extra.memory_region == NULL)
        return ompd_cl_status_unreadable;
    for (unsigned i = 0; i < MAX_REGIONS && address < end; i++) {
        ompd_cl_region_t region;

        memset(&region, 0, sizeof(region));
        region.struct_size = sizeof(region);
        if (TARGET_CALL(target, extra.memory_region, address, &region) != ompd_rc_ok ||
            region.start >= end || region.end <= address)
            break;
        if (!region.is_saved)
            return ompd_cl_status_not_saved;
        address = region.end;
    }
    return ompd_cl_status_unreadable;
}

ompd_rc_t target_read_raw(struct target *target, uint64_t address, uint64_t size, void *bytes)
{
    ompd_address_t from = {ompd_segment_none, address};
    ompd_rc_t rc;

    if (size > UINT64_MAX - address)
        return ompd_rc_incomplete;
    rc = TARGET_CALL(target, callbacks.read_memory, NULL, &from, size, bytes);
    if (log_has(&target->log, ompd_cl_log_level_read))
        rc = target_log_read(target, "read", address, size, rc);
    return rc == ompd_rc_ok || rc == ompd_rc_interrupted ? rc : ompd_rc_incomplete;
}

/* Return RC, of a read of SIZE bytes at ADDRESS, with the failure noted where it was one. */
static ompd_rc_t note_failure(struct target *target, ompd_rc_t rc, uint64_t address, uint64_t size)
{
    if (rc == ompd_rc_incomplete)
        target->failure = size > UINT64_MAX - address ? ompd_cl_status_corrupt
                                                      : failure_reason(target, address, size);
    return rc;
}

ompd_rc_t target_read_uncached(struct target *target, uint64_t address, uint64_t size, void *bytes)
{
    return note_failure(target, target_read_raw(target, address, size, bytes), address, size);
}

bool target_map(struct target *target, uint64_t address, uint64_t size, const void **mapped)
{
    ompd_rc_t rc;

    *mapped = NULL;
    if (target->extra.map_memory == NULL)
        return false;
    rc = TARGET_CALL(target, extra.map_memory, address, size, mapped);
    if (log_has(&target->log, ompd_cl_log_level_read))
        rc = target_log_read(target, "map", address, size, rc);
    return rc == ompd_rc_ok && *mapped != NULL;
}

/* The block with the page at START, or the one to replace by it. */
static struct block *choose_block(struct target *target, uint64_t start)
{
    size_t first = (start / TARGET_BLOCK_SIZE) % (TARGET_BLOCK_COUNT / 4) * 4;
    struct block *oldest = &target->blocks[first];

    for (size_t i = first; i < first + 4; i++) {
        struct block *block = &target->blocks[i];
        if (block->is_filled && block->start == start)
            return block;
        if (!block->is_filled || (oldest->is_filled && block->used < oldest->used))
            oldest = block;
    }
    return oldest;
}

bool target_has_block(const struct target *target, uint64_t start)
{
    const struct block *set =
        &target->blocks[(start / TARGET_BLOCK_SIZE) % (TARGET_BLOCK_COUNT / 4) * 4];

    for (size_t i = 0; i < 4; i++) {
        if (set[i].is_filled && set[i].start == start && set[i].stop == target->stop)
            return true;
    }
    return false;
}

static uint8_t *block_bytes_of(struct target *target, const struct block *block)
{
    return target->block_bytes + (size_t)(block - target->blocks) * TARGET_BLOCK_SIZE;
}

/* Load [FROM, END), within one page, into a block. A page that cannot be read as a whole, for
 * example because the core is truncated, is read only as far as requested, and not cached. */
static ompd_rc_t load_block(struct target *target, uint64_t from, uint64_t end, uint64_t stamp,
                            const uint8_t **bytes)
{
    uint64_t start = from - from % TARGET_BLOCK_SIZE;
    struct block *block = choose_block(target, start);
    uint8_t *buffer = block_bytes_of(target, block);
    bool is_good = block->is_filled && block->start == start &&
                   (block->stop == target->stop || (stamp != 0 && block->stamp == stamp));

    *bytes = buffer + (from - start);
    if (!is_good) {
        block->is_filled = false;
        if (target_read_raw(target, start, TARGET_BLOCK_SIZE, buffer) != ompd_rc_ok)
            return note_failure(target,
                                target_read_raw(target, from, end - from, buffer + (from - start)),
                                from, end - from);
        block->is_filled = true;
        block->start = start;
        block->stop = target->stop;
    }
    /* A stamp of an earlier stop covers only its own bytes: the rest of the page may have
     * changed. */
    if (block->stop == target->stop)
        block->stamp = stamp;
    block->used = ++target->clock;
    return ompd_rc_ok;
}

void target_report_read(struct target *target, uint64_t address, uint64_t size)
{
    if (call_out(&target->memory->call))
        target->extra.on_read(target->context, address, size);
}

ompd_rc_t target_cached(struct target *target, uint64_t address, uint64_t size, uint64_t stamp,
                        const uint8_t **bytes)
{
    uint64_t first_end = address - address % TARGET_BLOCK_SIZE + TARGET_BLOCK_SIZE;
    const uint8_t *piece;
    const void *mapped;
    ompd_rc_t rc;

    if (size > TARGET_BLOCK_SIZE || size > UINT64_MAX - TARGET_BLOCK_SIZE - address) {
        target->failure = ompd_cl_status_corrupt;
        return ompd_rc_incomplete;
    }
    if (target->is_walking && read_ahead_view(target, address, size, bytes))
        return ompd_rc_ok;
    if (target_map(target, address, size, &mapped)) {
        *bytes = mapped;
        return ompd_rc_ok;
    }
    if (target->block_bytes == NULL) {
        void *allocated;
        rc = memory_allocate(target->memory, BLOCK_BYTES, &allocated);
        if (rc != ompd_rc_ok)
            return rc;
        target->block_bytes = allocated;
    }
    if (address + size <= first_end)
        return load_block(target, address, address + size, stamp, bytes);

    rc = load_block(target, address, first_end, stamp, &piece);
    if (rc != ompd_rc_ok)
        return rc;
    memcpy(target->scratch, piece, first_end - address);
    rc = load_block(target, first_end, address + size, stamp, &piece);
    if (rc != ompd_rc_ok)
        return rc;
    *bytes = (const uint8_t *)target->scratch;
    memcpy((uint8_t *)target->scratch + (first_end - address), piece, address + size - first_end);
    return ompd_rc_ok;
}

/* Allocate a buffer of at least SIZE bytes in WINDOW, whose contents are dropped. */
static ompd_rc_t make_room(struct target *target, struct window *window, uint64_t size)
{
    uint64_t capacity = TARGET_BLOCK_SIZE;
    ompd_rc_t rc;

    if (window->capacity >= size)
        return ompd_rc_ok;
    while (capacity < size)
        capacity *= 4;
    /* The smaller buffer is freed first: a memory limit may not allow both. */
    memory_free(target->memory, window->buffer);
    window->buffer = NULL;
    window->capacity = 0;
    rc = memory_allocate(target->memory, capacity, &window->buffer);
    if (rc == ompd_rc_ok)
        window->capacity = capacity;
    return rc;
}

ompd_rc_t target_fill(struct target *target, struct window *window, uint64_t address, uint64_t size,
                      uint64_t stamp)
{
    const void *mapped;
    ompd_rc_t rc;

    window->size = 0;
    if (!window->is_searched)
        target_note_read(target, address, size);
    if (target_map(target, address, size, &mapped)) {
        window->bytes = mapped;
    } else {
        rc = make_room(target, window, size);
        if (rc == ompd_rc_ok)
            rc = target_read_uncached(target, address, size, window->buffer);
        if (rc != ompd_rc_ok)
            return rc;
        window->bytes = window->buffer;
    }
    window->start = address;
    window->size = size;
    window->stop = target->stop;
    window->stamp = stamp;
    return ompd_rc_ok;
}

void target_window_close(struct target *target, struct window *window)
{
    memory_free(target->memory, window->buffer);
    memset(window, 0, sizeof(*window));
}
