/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads records of the registry. Nothing in it is trusted: every count and address is checked
 * before use. */
#include "sources/recorder/registry.h"

#include <string.h>

#define CHUNK_MEMBER(target, entry, member)                                                        \
    TARGET_MEMBER(target, entry, ompd_cl_registry_chunk, member)

static ompd_rc_t fail_chunk(struct registry *registry, uint32_t number)
{
    registry->target->failure = ompd_cl_status_corrupt;
    message_clear(registry->message);
    message_add(registry->message, "the recorder's registry is corrupt: chunk ");
    message_add_decimal(registry->message, number);
    message_add(registry->message, " of a table contradicts its directory.");
    return ompd_rc_error;
}

static ompd_rc_t view_entry(struct registry *registry, struct registry_table *table,
                            uint32_t number, const uint8_t **entry)
{
    const uint64_t size = sizeof(struct ompd_cl_registry_chunk);
    uint64_t address = table->directory + (uint64_t)number * table->entry_size;

    *entry = window_view(registry->target, &table->entries, address, size);
    if (*entry != NULL)
        return ompd_rc_ok;
    return target_view(registry->target, address, size, 0, entry);
}

/* Directories longer than a block are read in pieces of this size by those who walk. */
#define DIRECTORY_PIECE (16 * TARGET_BLOCK_SIZE)

/* Read the directory's entries from NUMBER ahead, for a walk. Entries that are not read ahead are
 * read singly. */
static ompd_rc_t read_entries(struct registry *registry, struct registry_table *table,
                              uint32_t number)
{
    uint64_t address = table->directory + (uint64_t)number * table->entry_size;
    uint64_t size = (uint64_t)(table->chunk_count - number) * table->entry_size;
    ompd_rc_t rc;

    if (size <= TARGET_BLOCK_SIZE ||
        window_view(registry->target, &table->entries, address, table->entry_size) != NULL)
        return ompd_rc_ok;
    rc = target_fill(registry->target, &table->entries, address,
                     size < DIRECTORY_PIECE ? size : DIRECTORY_PIECE, 0);
    return rc == ompd_rc_incomplete ? ompd_rc_ok : rc;
}

bool registry_chunk_decode(const struct target *target, const struct registry_table *table,
                           const uint8_t *entry, struct registry_chunk *chunk)
{
    uint64_t size = (uint64_t)table->records_per_chunk * table->record_size;

    chunk->address = CHUNK_MEMBER(target, entry, address);
    chunk->used = (uint32_t)CHUNK_MEMBER(target, entry, used);
    chunk->live = (uint32_t)(CHUNK_MEMBER(target, entry, local_live) +
                             CHUNK_MEMBER(target, entry, remote_live));
    chunk->stamp = 0;
    return chunk->used <= table->records_per_chunk && chunk->address != 0 &&
           chunk->address <= UINT64_MAX - size;
}

static ompd_rc_t read_entry(struct registry *registry, struct registry_table *table,
                            uint32_t number, struct registry_chunk *chunk)
{
    const struct target *target = registry->target;
    const uint8_t *entry;
    uint32_t changes;
    ompd_rc_t rc;

    rc = view_entry(registry, table, number, &entry);
    if (rc != ompd_rc_ok)
        return rc;
    if (!registry_chunk_decode(target, table, entry, chunk))
        return fail_chunk(registry, number);
    changes = (uint32_t)(CHUNK_MEMBER(target, entry, local_changes) +
                         CHUNK_MEMBER(target, entry, remote_changes));
    /* Another process may have made as many changes in the same place. */
    if (table->is_stamped)
        chunk->stamp = changes | (uint64_t)registry->incarnation << 32;
    return ompd_rc_ok;
}

/* Decode the directory entry of chunk NUMBER; the last one is remembered for this stop.  Returns as
 * target_view, or ompd_rc_error when it makes no sense. */
static ompd_rc_t find_chunk_entry(struct registry *registry, struct registry_table *table,
                                  uint32_t number, struct registry_chunk *chunk)
{
    struct registry_entry *last = &table->last_entry;
    ompd_rc_t rc;

    if (last->number != number || last->stop != registry->target->stop) {
        rc = read_entry(registry, table, number, &last->chunk);
        last->number = number;
        last->first = number * table->records_per_chunk;
        last->stop = rc == ompd_rc_ok ? registry->target->stop : 0;
        if (rc != ompd_rc_ok)
            return rc;
    }
    *chunk = last->chunk;
    return ompd_rc_ok;
}

ompd_rc_t registry_count_live(struct registry *registry, struct registry_table *table,
                              uint64_t *live)
{
    struct registry_chunk chunk;

    *live = 0;
    for (uint32_t number = 0; number < table->chunk_count; number++) {
        ompd_rc_t rc = read_entries(registry, table, number);

        if (rc == ompd_rc_ok)
            rc = find_chunk_entry(registry, table, number, &chunk);
        if (rc != ompd_rc_ok)
            return rc;
        *live += chunk.live;
    }
    return ompd_rc_ok;
}

/* The address of record INDEX; the table's last entry is that of its chunk. */
static inline ompd_rc_t locate_record(struct registry *registry, struct registry_table *table,
                                      uint32_t index, uint64_t *address)
{
    const struct registry_entry *last = &table->last_entry;
    uint32_t position = index - last->first;
    struct registry_chunk chunk;
    ompd_rc_t rc;

    if (table->record_size == 0)
        return ompd_rc_unavailable;
    /* Usually it is the chunk of last time, which saves a division. */
    if (last->stop != registry->target->stop || position >= table->records_per_chunk) {
        uint32_t number = index / table->records_per_chunk;

        if (number >= table->chunk_count)
            return ompd_rc_unavailable;
        rc = find_chunk_entry(registry, table, number, &chunk);
        if (rc != ompd_rc_ok)
            return rc;
        position = index - last->first;
    }
    if (position >= last->chunk.used)
        return ompd_rc_unavailable;
    *address = last->chunk.address + (uint64_t)position * table->record_size;
    return ompd_rc_ok;
}

ompd_rc_t registry_record_view_apart(struct registry *registry, struct registry_table *table,
                                     uint32_t index, const uint8_t **record)
{
    uint64_t address;
    ompd_rc_t rc;

    rc = locate_record(registry, table, index, &address);
    if (rc != ompd_rc_ok)
        return rc;
    *record = window_view(registry->target, &table->window, address, table->record_size);
    if (*record != NULL)
        return ompd_rc_ok;
    return target_view(registry->target, address, table->record_size, table->last_entry.chunk.stamp,
                       record);
}

/* The last chunk that one read from chunk NUMBER may include: chunks must follow each other in
 * memory without a large gap. Chunks without live records are skipped unless TAKES_FREE. *STAMP
 * represents the contents of all of them. */
static ompd_rc_t find_chunk_run(struct registry *registry, struct registry_table *table,
                                uint32_t number, const struct registry_chunk *chunk,
                                bool takes_free, uint64_t *end, uint64_t *stamp)
{
    struct registry_chunk last = *chunk;
    struct registry_chunk next;

    *end = chunk->address + (uint64_t)chunk->used * table->record_size;
    *stamp = chunk->stamp;
    while (++number < table->chunk_count) {
        uint64_t next_end;
        ompd_rc_t rc = find_chunk_entry(registry, table, number, &next);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok || (next.live == 0 && !takes_free) || next.address < last.address ||
            next.address - last.address >
                (uint64_t)table->records_per_chunk * table->record_size + TARGET_BLOCK_SIZE)
            break;
        next_end = next.address + (uint64_t)next.used * table->record_size;
        if (next_end - chunk->address > TARGET_WINDOW_SIZE)
            break;
        /* A chunk may claim the address of another, with fewer records. */
        if (next_end > *end)
            *end = next_end;
        *stamp = *stamp * UINT64_C(0x9e3779b97f4a7c15) + next.stamp;
        last = next;
    }
    return ompd_rc_ok;
}

/* Whether record INDEX, which is not in the window, continues the order of earlier requests: then
 * four times as much is read. The order need not be strict, because a list that is followed newest
 * first visits records that were created together. */
static bool record_is_ahead(struct registry_table *table, uint32_t index)
{
    struct read_ahead *ahead = &table->ahead;
    uint64_t reach = ahead->size / table->record_size;

    if (index >= ahead->next && index - ahead->next < reach) {
        ahead->size = ahead->size * 4 < TARGET_WINDOW_SIZE ? ahead->size * 4 : TARGET_WINDOW_SIZE;
        return true;
    }
    if (index > ahead->missed && index - ahead->missed <= TARGET_BLOCK_SIZE / table->record_size) {
        ahead->size = TARGET_BLOCK_SIZE;
        ahead->next = index;
        return true;
    }
    ahead->missed = index;
    return false;
}

/* Read record INDEX of CHUNK into the table's window, with the records since the last window in the
 * same chunk, and those that follow. */
static ompd_rc_t read_ahead(struct registry *registry, struct registry_table *table, uint32_t index,
                            const struct registry_chunk *chunk)
{
    uint32_t first_of_chunk = index - index % table->records_per_chunk;
    uint32_t from = table->ahead.next > first_of_chunk ? table->ahead.next : first_of_chunk;
    uint64_t start = chunk->address + (uint64_t)(from - first_of_chunk) * table->record_size;
    uint64_t size = table->ahead.size;
    uint64_t least = (uint64_t)(index - from + 1) * table->record_size;
    uint64_t end;
    uint64_t stamp;
    ompd_rc_t rc;

    rc = read_entries(registry, table, index / table->records_per_chunk);
    if (rc != ompd_rc_ok)
        return rc;
    rc = find_chunk_run(registry, table, index / table->records_per_chunk, chunk, false, &end,
                        &stamp);
    if (rc != ompd_rc_ok)
        return rc;
    if (size < least)
        size = least;
    if (size > end - start)
        size = end - start;
    /* Later chunks are treated as if there were no gaps: an estimate is sufficient here. */
    table->ahead.next = from + (uint32_t)(size / table->record_size);
    return target_fill(registry->target, &table->window, start, size, 0);
}

ompd_rc_t registry_record_follow_apart(struct registry *registry, struct registry_table *table,
                                       uint32_t index, const uint8_t **record)
{
    struct registry_chunk chunk;
    uint64_t address;
    ompd_rc_t rc;

    rc = locate_record(registry, table, index, &address);
    if (rc != ompd_rc_ok)
        return rc;
    *record = window_view(registry->target, &table->window, address, table->record_size);
    if (*record != NULL)
        return ompd_rc_ok;
    /* Reading ahead may have decoded later chunks. */
    chunk = table->last_entry.chunk;
    if (record_is_ahead(table, index)) {
        rc = read_ahead(registry, table, index, &chunk);
        if (rc == ompd_rc_ok)
            *record = window_view(registry->target, &table->window, address, table->record_size);
        if (rc_is_final(rc) || *record != NULL)
            return rc;
    }
    return target_view(registry->target, address, table->record_size, chunk.stamp, record);
}

/* Read the used part of CHUNK into the table's window, and what follows it if one read can. */
static ompd_rc_t fill_window(struct registry *registry, const struct registry_walk *walk,
                             const struct registry_chunk *chunk)
{
    struct registry_table *table = walk->table;
    struct target *target = registry->target;
    struct window *window = &table->window;
    uint64_t end = chunk->address + (uint64_t)chunk->used * table->record_size;
    uint64_t run_end;
    uint64_t stamp;
    ompd_rc_t rc;

    if (window->stop == target->stop && window->start <= chunk->address &&
        window->start + window->size >= end)
        return ompd_rc_ok;
    rc = find_chunk_run(registry, table, walk->chunk, chunk, walk->takes_free, &run_end, &stamp);
    if (rc != ompd_rc_ok)
        return rc;
    /* Mapped memory is valid for one stop. */
    if (stamp != 0 && window->stamp == stamp && window->bytes == window->buffer &&
        window->start == chunk->address && window->size == run_end - chunk->address) {
        window->stop = target->stop;
        return ompd_rc_ok;
    }
    rc = target_fill(target, window, chunk->address, run_end - chunk->address, stamp);
    if (rc == ompd_rc_incomplete && run_end != end)
        rc = target_fill(target, window, chunk->address, end - chunk->address, chunk->stamp);
    return rc;
}

/* More unreadable chunks mean that the registry is corrupt: law 6. */
#define MAX_FAULTS 256

static ompd_rc_t count_walk_fault(struct registry *registry, struct registry_walk *walk)
{
    if (++walk->faults <= MAX_FAULTS)
        return ompd_rc_ok;
    message_clear(registry->message);
    message_add(registry->message,
                "too much of the recorder's registry cannot be read; stopped after ");
    message_add_decimal(registry->message, MAX_FAULTS);
    message_add(registry->message, " chunks.");
    return ompd_rc_error;
}

/* Go to the next chunk, and count as lost the RECORDS that remain in this one. */
static void leave_chunk(struct registry_walk *walk, uint32_t records)
{
    if (walk->in_pieces && records > walk->seen)
        walk->lost += records - walk->seen;
    walk->in_pieces = false;
    walk->seen = 0;
    walk->position = 0;
    walk->chunk++;
}

/* Memory exists in pages of at least this many bytes. */
#define PAGE 4096

/* A chunk may claim any size. After this many unreadable records of a walk, the others of a page
 * are skipped with the first; after this many pages, the rest of each such chunk is skipped. */
#define MAX_SINGLE 256
#define MAX_PIECES 4096

/* The next record of CHUNK, with records of SIZE bytes, that may be readable behind the unreadable
 * one at PLACE: those that begin in the same page are not, unless the one at PLACE extends into
 * another. */
static uint32_t skip_page(const struct registry_chunk *chunk, uint32_t position, uint32_t size)
{
    uint64_t start = chunk->address + (uint64_t)position * size;
    uint64_t end = (start | (PAGE - 1)) + 1;
    uint64_t next;

    if (start + size > end)
        return position + 1;
    next = (end - chunk->address + size - 1) / size;
    return next < chunk->used ? (uint32_t)next : chunk->used;
}

/* Examine the next readable record of a chunk that cannot be read at once. */
static ompd_rc_t walk_piece(struct registry *registry, struct registry_walk *walk,
                            const struct registry_chunk *chunk, const uint8_t **records,
                            uint32_t *count)
{
    uint32_t size = walk->table->record_size;

    while (walk->position < chunk->used) {
        ompd_rc_t rc =
            target_view(registry->target, chunk->address + (uint64_t)walk->position * size, size,
                        chunk->stamp, records);
        if (rc_is_final(rc))
            return rc;
        if (rc == ompd_rc_ok) {
            *count = 1;
            return ompd_rc_ok;
        }
        walk->pieces++;
        if (walk->pieces <= MAX_SINGLE)
            walk->position++;
        else if (walk->pieces <= MAX_PIECES)
            walk->position = skip_page(chunk, walk->position, size);
        else
            walk->position = chunk->used;
    }
    return ompd_rc_ok;
}

/* View the rest of the current chunk; *COUNT stays 0 if there is none. */
static ompd_rc_t walk_chunk(struct registry *registry, struct registry_walk *walk,
                            const struct registry_chunk *chunk, const uint8_t **records,
                            uint32_t *count)
{
    struct registry_table *table = walk->table;
    ompd_rc_t rc;

    if ((chunk->live == 0 && !walk->takes_free) || walk->position >= chunk->used)
        return ompd_rc_ok;
    if (!walk->in_pieces) {
        rc = fill_window(registry, walk, chunk);
        if (rc == ompd_rc_ok) {
            *records = table->window.bytes + (chunk->address - table->window.start) +
                       (uint64_t)walk->position * table->record_size;
            *count = chunk->used - walk->position;
            return ompd_rc_ok;
        }
        if (rc == ompd_rc_incomplete) {
            walk->in_pieces = true;
            rc = count_walk_fault(registry, walk);
        }
        if (rc != ompd_rc_ok)
            return rc;
    }
    return walk_piece(registry, walk, chunk, records, count);
}

ompd_rc_t registry_walk_look(struct registry *registry, struct registry_walk *walk,
                             const uint8_t **records, uint32_t *first, uint32_t *count)
{
    struct registry_table *table = walk->table;

    *count = 0;
    while (walk->chunk < table->chunk_count) {
        struct registry_chunk chunk;
        ompd_rc_t rc = read_entries(registry, table, walk->chunk);

        if (rc == ompd_rc_ok)
            rc = find_chunk_entry(registry, table, walk->chunk, &chunk);
        if (rc_is_final(rc))
            return rc;
        if (rc == ompd_rc_ok) {
            rc = walk_chunk(registry, walk, &chunk, records, count);
            *first = walk->chunk * table->records_per_chunk + walk->position;
        } else {
            chunk.live = chunk.used = 0;
            walk->lost += table->records_per_chunk;
            rc = count_walk_fault(registry, walk);
        }
        if (rc != ompd_rc_ok || *count != 0)
            return rc;
        leave_chunk(walk, walk->takes_free ? chunk.used : chunk.live);
    }
    return ompd_rc_ok;
}

ompd_rc_t registry_walk_visit(struct registry *registry, struct registry_walk *walk,
                              registry_visit_t visit, void *context)
{
    const struct registry_table *table = walk->table;
    const uint8_t *records;
    uint32_t first;
    uint32_t count;
    ompd_rc_t rc;

    while ((rc = registry_walk_look(registry, walk, &records, &first, &count)) == ompd_rc_ok &&
           count != 0) {
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *record = records + (size_t)i * table->record_size;
            bool is_taken = walk->takes_free || !registry_is_free(registry, table, record);

            if (is_taken && !visit(registry, table, record, first + i, context))
                return ompd_rc_ok;
            registry_walk_pass(walk, is_taken);
        }
    }
    return rc;
}
