/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry: its tables and their records. */
#ifndef LIBOMPD_REGISTRY_H
#define LIBOMPD_REGISTRY_H

#include "sources/address-space.h"

#include <ompd-opencl-registry.h>

/* ---- registry -------------------------------------------------------------------------------- */

/* The registry in the target: its tables and their records. */

/* The place of a field in a table's records; size 0 when this recorder does not have the field. */
struct registry_location {
    uint16_t offset;
    uint16_t size;
};

/* A chunk, as described by its directory entry. */
struct registry_chunk {
    uint64_t address;
    uint32_t used;
    uint32_t live;
    uint64_t stamp; /* changes whenever its records change; 0 if not known to do so */
};

/* The directory entry that was read last. */
struct registry_entry {
    struct registry_chunk chunk;
    uint32_t number;
    uint32_t first; /* index of its first record */
    uint64_t stop;  /* the target's stop when it was read */
};

/* The recorder's times are in nanoseconds, those of rows in milliseconds. */
#define REGISTRY_NANOSECONDS_OF_MILLISECOND 1000000

/* What registry_record_follow has learned about the order of requests. */
struct read_ahead {
    uint32_t next;   /* index of the record behind those read last */
    uint32_t missed; /* index of the last record that was not where it was expected */
    uint64_t size;   /* bytes read last */
};

struct registry_table {
    uint32_t record_size; /* 0: this recorder does not have the table */
    uint32_t records_per_chunk;
    uint32_t chunk_count;
    uint32_t entry_size; /* of the directory */
    uint64_t directory;
    uint64_t description; /* address of its struct ompd_cl_registry_table in the root */
    bool is_stamped;      /* every change of a record changes its chunk's stamp */
    struct registry_location locations[OMPD_CL_REGISTRY_FIELD_LIMIT];
    struct window window;  /* for walks over records, */
    struct window entries; /* and for the directory */
    struct read_ahead ahead;
    struct registry_entry last_entry;
};

/* The cl handle that was last read by reference, because most rows name the same OpenCL context. */
struct registry_handle {
    uint32_t reference;
    uint32_t generation;
    uint64_t handle;
    uint64_t stop; /* the target's stop when it was read */
};

/* The progress of the queue that was read last, because many events belong to one queue. */
struct registry_progress {
    uint32_t reference;
    uint32_t generation;
    uint32_t finished; /* number of the last complete command; all earlier commands are complete */
    uint32_t flushed;  /* number of the last command that was flushed */
    uint64_t stop;     /* the target's stop when it was read */
};

/* The beginning of the root, up to its pid, which never changes within a process. */
#define REGISTRY_ROOT_START                                                                        \
    (offsetof(struct ompd_cl_registry_root, pid) + sizeof(((struct ompd_cl_registry_root *)0)->pid))

struct registry {
    struct target *target;
    struct message *message;                 /* for the reasons of failures */
    uint64_t root;                           /* address; 0: it could not be resolved */
    uint32_t incarnation;                    /* number of different roots so far */
    uint8_t root_start[REGISTRY_ROOT_START]; /* as the target stores it */
    uint16_t major;
    uint16_t minor;
    uint32_t pid;
    uint32_t switches;
    uint32_t stack_depth;
    uint32_t field_room;  /* of the root */
    uint64_t serial;      /* the last one issued */
    uint32_t forked_from; /* pid of the parent process, if that had used OpenCL before fork(); 0:
                             none, or an older recorder */
    uint64_t identity;    /* of the process; 0: an older recorder */
    uint64_t buckets;
    uint64_t bucket_count;
    struct ompd_cl_registry_counts counts;
    struct registry_handle last_handle;
    struct registry_progress last_progress;
    struct registry_table tables[OMPD_CL_REGISTRY_TABLE_COUNT + 1]; /* by table id */
};

/* Decode the directory ENTRY of a chunk except for its stamp, which becomes 0. Returns false when
 * the entry is impossible. */
bool registry_chunk_decode(const struct target *target, const struct registry_table *table,
                           const uint8_t *entry, struct registry_chunk *chunk);

/* View SIZE bytes at ADDRESS in WINDOW, as read at this stop; NULL if it does not have them. */
static inline const uint8_t *window_view(const struct target *target, const struct window *window,
                                         uint64_t address, uint64_t size)
{
    if (window->stop != target->stop || address < window->start ||
        address - window->start > window->size || window->size - (address - window->start) < size)
        return NULL;
    return window->bytes + (address - window->start);
}

/* View record INDEX in TABLE's window, if it is in the last chunk, as it usually is; else NULL. */
static inline const uint8_t *registry_record_at_hand(const struct registry *registry,
                                                     const struct registry_table *table,
                                                     uint32_t index)
{
    const struct registry_entry *last = &table->last_entry;
    uint32_t position = index - last->first;

    if (last->stop != registry->target->stop || position >= last->chunk.used)
        return NULL;
    return window_view(registry->target, &table->window,
                       last->chunk.address + (uint64_t)position * table->record_size,
                       table->record_size);
}

/* For the functions below: records that are not in the window. */
ompd_rc_t registry_record_view_apart(struct registry *registry, struct registry_table *table,
                                     uint32_t index, const uint8_t **record);
ompd_rc_t registry_record_follow_apart(struct registry *registry, struct registry_table *table,
                                       uint32_t index, const uint8_t **record);

/*
 * View record INDEX, as one of few: *RECORD is valid until the next call on REGISTRY. Returns
 * ompd_rc_ok; ompd_rc_unavailable when there never was such a record; ompd_rc_error for an
 * impossible entry or index; ompd_rc_nomem; ompd_rc_incomplete, for the reason in the target's
 * `failure`.
 */
static inline ompd_rc_t registry_record_view(struct registry *registry,
                                             struct registry_table *table, uint32_t index,
                                             const uint8_t **record)
{
    *record = registry_record_at_hand(registry, table, index);
    return *record != NULL ? ompd_rc_ok
                           : registry_record_view_apart(registry, table, index, record);
}

/* The same for a walk that mostly visits neighbours: reads ahead as long as they follow. */
static inline ompd_rc_t registry_record_follow(struct registry *registry,
                                               struct registry_table *table, uint32_t index,
                                               const uint8_t **record)
{
    *record = registry_record_at_hand(registry, table, index);
    return *record != NULL ? ompd_rc_ok
                           : registry_record_follow_apart(registry, table, index, record);
}

/* Count the live records of TABLE in *LIVE, by its chunks. Returns ompd_rc_ok; else why a chunk
 * could not be read, as registry_record_view does. */
ompd_rc_t registry_count_live(struct registry *registry, struct registry_table *table,
                              uint64_t *live);

/* A walk over all used records of a table, in chunks that have live ones. */
struct registry_walk {
    struct registry_table *table;
    uint32_t chunk; /* of the next record */
    uint32_t position;
    uint32_t seen;   /* live records of the current chunk so far, if it is read in pieces */
    uint32_t faults; /* chunks that could not be read at once */
    uint32_t pieces; /* records or pages of these that could not be read */
    bool in_pieces;  /* the current chunk cannot be read at once */
    bool takes_free; /* free records are visited, too, because their counts matter */
    uint64_t
        lost; /* live records that could not be read; if their number is unknown, the maximum */
};

/*
 * View the next records of WALK: *RECORDS points to *COUNT of them, the first with index *FIRST,
 * until the next call on REGISTRY; *COUNT is 0 at the end. Unreadable records are skipped and
 * counted in `lost`. Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_error when too much of the table
 * cannot be read.
 */
ompd_rc_t registry_walk_look(struct registry *registry, struct registry_walk *walk,
                             const uint8_t **records, uint32_t *first, uint32_t *count);

/* Advance WALK past the next record; IS_ROW says whether that is live. */
static inline void registry_walk_pass(struct registry_walk *walk, bool is_row)
{
    walk->position++;
    walk->seen += is_row;
}

/* Visits one record of a walk, with index INDEX, which is valid until other memory is read; false
 * ends the walk. */
typedef bool (*registry_visit_t)(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record,
                                 uint32_t index, void *context);

/* Call VISIT for each live record of WALK. Returns as registry_walk_look does. */
ompd_rc_t registry_walk_visit(struct registry *registry, struct registry_walk *walk,
                              registry_visit_t visit, void *context);

/* Whether RECORD is in TABLE's window, where it stays valid while other tables are read. */
static inline bool registry_is_kept(const struct registry_table *table, const uint8_t *record)
{
    return (uintptr_t)record - (uintptr_t)table->window.bytes < table->window.size;
}

/* Return whether TABLE's records have FIELD. */
static inline bool registry_has(const struct registry_table *table,
                                enum ompd_cl_registry_field_id field)
{
    return table->locations[field].size != 0;
}

/* FIELD of RECORD as an unsigned integer; 0 when this recorder does not have it. */
static inline uint64_t registry_get(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record,
                                    enum ompd_cl_registry_field_id field)
{
    struct registry_location location = table->locations[field];

    if (location.size == 0)
        return 0;
    return target_integer(registry->target, record + location.offset, location.size);
}

/* Element NUMBER of FIELD of RECORD, an array of unsigned integers of SIZE bytes; 0 where this
 * recorder has no such array, or a shorter one. */
static inline uint64_t registry_get_element(const struct registry *registry,
                                            const struct registry_table *table,
                                            const uint8_t *record,
                                            enum ompd_cl_registry_field_id field, uint32_t number,
                                            uint32_t size)
{
    struct registry_location location = table->locations[field];

    if (number >= location.size / size)
        return 0;
    return target_integer(registry->target, record + location.offset + number * size, size);
}

/* Whether RECORD is unused. Callbacks have their state in `run`. */
static inline bool registry_is_free(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record)
{
    if (registry_has(table, ompd_cl_registry_field_state))
        return registry_get(registry, table, record, ompd_cl_registry_field_state) ==
               ompd_cl_registry_free;
    return OMPD_CL_REGISTRY_RUN_STATE(registry_get(
               registry, table, record, ompd_cl_registry_field_run)) == ompd_cl_registry_free;
}

/* Cache the cl handle of RECORD of TABLE, a live record that REFERENCE names: the next lookups are
 * likely to name it. */
static inline void registry_handle_cache(struct registry *registry,
                                         const struct registry_table *table, const uint8_t *record,
                                         uint32_t reference)
{
    registry->last_handle = (struct registry_handle){
        .reference = reference,
        .generation =
            (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_generation),
        .handle = registry_get(registry, table, record, ompd_cl_registry_field_handle),
        .stop = registry->target->stop,
    };
}

/* ---- activity -------------------------------------------------------------------------------- */

/* The calls and callbacks that a thread is in, by its record. */

/* An activity of a thread: struct ompd_cl_registry_activity. */
struct activity {
    uint32_t what;
    uint32_t reference;
    uint64_t handle;
    uint64_t list; /* clWaitForEvents: address of the events in the target; 0: unknown */
    uint32_t list_count;
    uint64_t began; /* callbacks and waiting calls: nanoseconds since 1970; 0: unknown */
};

/* The number of activities that thread records in TABLE can store. */
uint32_t activity_room(const struct registry_table *table);

/* The number of activities that the thread of RECORD in TABLE is in. The recorder learns at the
 * thread's next call that an activity was left by longjmp() or an exception; the thread's stack
 * shows it at any stop. An impossible count is returned unchanged. */
uint32_t activity_count_held(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record);

/* The same for a record and a stack that are read uncached. */
uint32_t activity_count_held_now(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record);

/* Whether RUN, of the callback or SVM-free command REFERENCE, names a thread that runs its function
 * although the thread has left it. False if that is unknown. */
bool activity_is_left(struct registry *registry, uint32_t reference, uint64_t run);

/* Whether the recorder takes the time for ACTIVITY: others return too soon. */
bool activity_has_time(const struct activity *activity);

/* Decode the activity at BYTES of the target, without its list and its time. */
struct activity activity_decode(const struct target *target, const uint8_t *bytes);

/* Activity NUMBER of the thread of RECORD, from 0, the outermost, and below activity_room. */
struct activity activity_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number);

/* Read event INDEX, below its count, of the list of ACTIVITY into *HANDLE. Returns ompd_rc_ok,
 * ompd_rc_nomem or ompd_rc_incomplete, as target_view does. */
ompd_rc_t activity_event_get(struct target *target, const struct activity *activity, uint32_t index,
                             uint64_t *handle);

/* ---- evidence -------------------------------------------------------------------------------- */

/* The confidence of the recorder that an object still exists: the runtime may have deleted an
 * object that the program has released, which the recorder does not see. */

/* The number of objects that the object of RECORD keeps alive. */
uint32_t record_confidence_children(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record);

/* Whether the object of RECORD, a live record, is only presumed to exist. */
bool record_confidence_is_presumed(const struct registry *registry,
                                   const struct registry_table *table, const uint8_t *record);

/* ---- record-lookup --------------------------------------------------------------------------- */

/* Finds records by their contents. */

/*
 * Find the record of TABLE_ID with HANDLE. Returns ompd_rc_ok with its *INDEX and *GENERATION;
 * ompd_rc_unavailable when there is none; ompd_rc_incomplete when it may be in unreadable memory;
 * ompd_rc_error or ompd_rc_nomem.
 */
ompd_rc_t record_find(struct registry *registry, uint32_t table_id, uint64_t handle,
                      uint32_t *index, uint32_t *generation);

/* The same by the recorder's hash table only. Returns ompd_rc_error or ompd_rc_incomplete when that
 * is inconclusive. */
ompd_rc_t record_find_hashed(struct registry *registry, uint32_t table_id, uint64_t handle,
                             uint32_t *index);

/* As record_find, for the record whose FIELD is VALUE, by a search of the whole table. */
ompd_rc_t record_find_by_field(struct registry *registry, uint32_t table_id,
                               enum ompd_cl_registry_field_id field, uint64_t value,
                               uint32_t *index, uint32_t *generation);

/*
 * Find the record of TABLE_ID, created before ORDER, whose memory has ADDRESS: that is `size` bytes
 * from START, 0 for no memory. Returns as record_find, with the record's *INDEX and the *START_AT
 * of that memory.
 */
ompd_rc_t record_find_around(struct registry *registry, uint32_t table_id,
                             enum ompd_cl_registry_field_id start, uint64_t address, uint64_t order,
                             uint32_t *index, uint64_t *start_at);

/* ---- registry-root --------------------------------------------------------------------------- */

/* Finds the registry's root, and reads the places of all tables from it. */

/* Find and read the root; call it at each new stop. Returns ompd_rc_ok, ompd_rc_unavailable,
 * ompd_rc_incompatible, ompd_rc_error, ompd_rc_device_read_error or ompd_rc_nomem. */
ompd_rc_t registry_open(struct registry *registry);

/* ---- usage-sum ------------------------------------------------------------------------------- */

/* One usage count, summed over the records of all threads, including ended ones. */

struct usage_sum {
    int64_t live;
    int64_t
        peak; /* an upper bound for two or more records, whose peaks may be at different times */
    uint32_t records; /* number of records in the sum */
    bool is_corrupt;
};

/* Add the usage of one thread, struct ompd_cl_registry_usage, at BYTES of the target. */
void usage_sum_add(struct usage_sum *sum, const struct target *target, const uint8_t *bytes);

/* The status of SUM, of usage NUMBER: ompd_cl_status_value; ompd_cl_status_corrupt; or, for `live`
 * only, ompd_cl_status_unknown. A thread may count the end of an object before another counts its
 * creation. The sum may therefore be below 0, by one per thread at most, and is then unknown. */
uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number);

/* ---- registry-uncached ----------------------------------------------------------------------- */

/*
 * The registry as it is now, for the functions of OMPD, because a tool that knows only OMPD never
 * reports that the target ran. It bypasses the cache and reads no more than requested: a byte costs
 * some tools 3 us. A symbol lookup costs them 2 ms, so the places of the tables are cached as long
 * as the root belongs to the same process.
 */

/* Have the places of the tables in SPACE's registry. Returns as registry_open does. */
ompd_rc_t uncached_open(struct address_space *space);

/* Read COUNT FIELDS (enum ompd_cl_registry_field_id) of the record of TABLE at ADDRESS into VALUES,
 * with one read that spans them. Fields that this recorder does not have are 0. Returns as
 * target_read_uncached does. */
ompd_rc_t uncached_fields(struct address_space *space, const struct registry_table *table,
                          uint64_t address, const uint8_t *fields, unsigned count,
                          uint64_t *values);

/* Return ompd_rc_device_read_error, with a message: required memory could not be read. */
ompd_rc_t uncached_unreadable(struct address_space *space);

/* Read the unsigned integer of SIZE bytes at ADDRESS.  Returns ompd_rc_ok or
 * ompd_rc_device_read_error. */
ompd_rc_t uncached_integer(struct address_space *space, uint64_t address, unsigned size,
                           uint64_t *number);

/* The same for MEMBER of the struct TYPE at ADDRESS. */
#define UNCACHED_MEMBER(space, address, type, member, number)                                      \
    uncached_integer(space, (address) + offsetof(struct type, member),                             \
                     sizeof(((struct type *)0)->member), number)

/* Find the address of record INDEX of TABLE_ID. Returns ompd_rc_ok; ompd_rc_unavailable when there
 * never was such a record; ompd_rc_device_read_error; ompd_rc_error when the table's description is
 * impossible. */
ompd_rc_t uncached_locate(struct address_space *space, uint32_t table_id, uint32_t index,
                          uint64_t *address);

/* Visits the record at ADDRESS. Returns ompd_rc_ok; ompd_rc_incomplete when the record cannot be
 * read; any other code to end the walk. */
typedef ompd_rc_t (*uncached_visitor_t)(struct address_space *space, uint64_t address,
                                        void *context);

/*
 * VISIT each used record of TABLE_ID; unless TAKES_FREE, chunks without live records are skipped.
 * Returns ompd_rc_ok; the code that ended the walk; ompd_rc_unavailable when the recorder has no
 * such table; ompd_rc_error when the table's description is impossible; ompd_rc_device_read_error
 * when some of it could not be read, usually after visiting the rest.
 */
ompd_rc_t uncached_visit(struct address_space *space, uint32_t table_id, bool takes_free,
                         uncached_visitor_t visit, void *context);

#endif
