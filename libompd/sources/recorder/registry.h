/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry: its tables, and records in them. */
#ifndef LIBOMPD_REGISTRY_H
#define LIBOMPD_REGISTRY_H

#include "sources/address-space.h"

#include <ompd-opencl-registry.h>

/* ---- registry -------------------------------------------------------------------------------- */

/* The recorder's registry in the target: its tables, and the records in them. */

/* Where a field lies in a table's records; size 0 when this recorder does not have it. */
struct registry_location {
    uint16_t offset;
    uint16_t size;
};

/* A chunk as its directory entry tells it. */
struct registry_chunk {
    uint64_t address;
    uint32_t used;
    uint32_t live;
    uint64_t stamp; /* changes with every change of its records; 0 where that is not so */
};

/* The directory entry that was read last. */
struct registry_entry {
    struct registry_chunk chunk;
    uint32_t number;
    uint32_t first; /* index of its first record */
    uint64_t stop;  /* the target's when it was read */
};

/* The recorder's times are in nanoseconds, those of rows in milliseconds. */
#define REGISTRY_NANOSECONDS_OF_MILLISECOND 1000000

/* What registry_record_follow has learned of the order in which records are asked for. */
struct read_ahead {
    uint32_t next;   /* index of the record behind those that were read last */
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
    bool is_stamped;      /* every change of a record shows in its chunk's stamp */
    struct registry_location locations[OMPD_CL_REGISTRY_FIELD_LIMIT];
    struct window window;  /* walks read records through it, */
    struct window entries; /* and the directory */
    struct read_ahead ahead;
    struct registry_entry last_entry;
};

/* The cl handle that was looked up last by reference: most rows name the same OpenCL context. */
struct registry_handle {
    uint32_t reference;
    uint32_t generation;
    uint64_t handle;
    uint64_t stop; /* the target's when it was looked up */
};

/* How far the queue that was looked up last has come: many events are of one queue. */
struct registry_progress {
    uint32_t reference;
    uint32_t generation;
    uint32_t finished; /* number of the command that is known to be over, as are those before */
    uint32_t flushed;  /* likewise, that was flushed */
    uint64_t stop;     /* the target's when it was looked up */
};

/* The root's beginning, up to its pid, never changes in one process. */
#define REGISTRY_ROOT_START                                                                        \
    (offsetof(struct ompd_cl_registry_root, pid) + sizeof(((struct ompd_cl_registry_root *)0)->pid))

struct registry {
    struct target *target;
    struct message *message;                 /* gets the sentence for whatever fails here */
    uint64_t root;                           /* address; 0: it could not be looked up */
    uint32_t incarnation;                    /* counts the different roots so far */
    uint8_t root_start[REGISTRY_ROOT_START]; /* as the target stores it */
    uint16_t major;
    uint16_t minor;
    uint32_t pid;
    uint32_t switches;
    uint32_t stack_depth;
    uint64_t serial;      /* the last one given out */
    uint32_t forked_from; /* pid of the process that this one is a child of, after that had used
                           * OpenCL; 0: none, or the recorder is older */
    uint64_t identity;    /* of the process; 0: the recorder is older */
    uint64_t buckets;
    uint64_t bucket_count;
    struct ompd_cl_registry_counts counts;
    struct registry_handle last_handle;
    struct registry_progress last_progress;
    struct registry_table tables[OMPD_CL_REGISTRY_TABLE_COUNT + 1]; /* by table id */
};

/* Decode a chunk's directory ENTRY but for its stamp, which becomes 0.  Returns false when the
 * chunk cannot be so. */
bool registry_chunk_decode(const struct target *target, const struct registry_table *table,
                           const uint8_t *entry, struct registry_chunk *chunk);

/* SIZE bytes at ADDRESS if WINDOW holds them, as read at this stop; else NULL. */
static inline const uint8_t *window_view(const struct target *target, const struct window *window,
                                         uint64_t address, uint64_t size)
{
    if (window->stop != target->stop || address < window->start ||
        address - window->start > window->size || window->size - (address - window->start) < size)
        return NULL;
    return window->bytes + (address - window->start);
}

/* Record INDEX where TABLE's window has it, which is in the chunk of last time, as mostly; NULL: it
 * is to be looked for. */
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

/* For the functions below: what is not at hand. */
ompd_rc_t registry_record_view_apart(struct registry *registry, struct registry_table *table,
                                     uint32_t index, const uint8_t **record);
ompd_rc_t registry_record_follow_apart(struct registry *registry, struct registry_table *table,
                                       uint32_t index, const uint8_t **record);

/*
 * Look at record INDEX, as one of few: *RECORD is good until the next call on REGISTRY.
 * Returns ompd_rc_ok; ompd_rc_unavailable when there never was one; ompd_rc_error for an entry or
 * an index that cannot be; ompd_rc_nomem; ompd_rc_incomplete, the target's `failure` saying why.
 */
static inline ompd_rc_t registry_record_view(struct registry *registry,
                                             struct registry_table *table, uint32_t index,
                                             const uint8_t **record)
{
    *record = registry_record_at_hand(registry, table, index);
    return *record != NULL ? ompd_rc_ok
                           : registry_record_view_apart(registry, table, index, record);
}

/* The same for a walk that mostly goes on to neighbours: reads ahead as long as they follow. */
static inline ompd_rc_t registry_record_follow(struct registry *registry,
                                               struct registry_table *table, uint32_t index,
                                               const uint8_t **record)
{
    *record = registry_record_at_hand(registry, table, index);
    return *record != NULL ? ompd_rc_ok
                           : registry_record_follow_apart(registry, table, index, record);
}

/* Count the records of TABLE that are there, as its chunks tell, in *LIVE.  Returns ompd_rc_ok;
 * else why a chunk does not tell, as registry_record_view. */
ompd_rc_t registry_count_live(struct registry *registry, struct registry_table *table,
                              uint64_t *live);

/* A walk over all records of a table that are or were in use, in chunks that have live ones. */
struct registry_walk {
    struct registry_table *table;
    uint32_t chunk; /* where the next record is */
    uint32_t position;
    uint32_t seen;   /* live records of the current chunk so far, when it is read in pieces */
    uint32_t faults; /* chunks that could not be read whole */
    uint32_t pieces; /* of them, records or pages that could not be read */
    bool in_pieces;  /* the current chunk cannot be read whole */
    bool takes_free; /* records that are free are looked at as well: what they keep counts */
    uint64_t lost; /* live records that could not be read; if their count was lost too, the most */
};

/*
 * Look at the next records of WALK: *RECORDS points to *COUNT of them, the first of index *FIRST,
 * good until the next call on REGISTRY; *COUNT 0 is the end.  Records that cannot be read are left
 * out and counted in `lost`. Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_error when too much of the
 * table cannot be read.
 */
ompd_rc_t registry_walk_look(struct registry *registry, struct registry_walk *walk,
                             const uint8_t **records, uint32_t *first, uint32_t *count);

/* Go past the next record of WALK, which was looked at; IS_ROW tells whether it was there. */
static inline void registry_walk_pass(struct registry_walk *walk, bool is_row)
{
    walk->position++;
    walk->seen += is_row;
}

/* Looks at one record of a walk, of index INDEX, which stays until it reads other memory; false
 * ends the walk. */
typedef bool (*registry_visit_t)(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record,
                                 uint32_t index, void *context);

/* Let VISIT look at each record of WALK that is there.  Returns as registry_walk_look. */
ompd_rc_t registry_walk_visit(struct registry *registry, struct registry_walk *walk,
                              registry_visit_t visit, void *context);

/* Tell whether RECORD lies in TABLE's window, where reading other tables does not disturb it. */
static inline bool registry_is_kept(const struct registry_table *table, const uint8_t *record)
{
    return (uintptr_t)record - (uintptr_t)table->window.bytes < table->window.size;
}

/* Tell whether TABLE's records have FIELD. */
static inline bool registry_has(const struct registry_table *table,
                                enum ompd_cl_registry_field_id field)
{
    return table->locations[field].size != 0;
}

/* FIELD of RECORD as an unsigned integer, 0 when this recorder does not have it. */
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

/* Tell whether RECORD is there.  Callbacks have their state in `run`. */
static inline bool registry_is_free(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record)
{
    if (registry_has(table, ompd_cl_registry_field_state))
        return registry_get(registry, table, record, ompd_cl_registry_field_state) ==
               ompd_cl_registry_free;
    return OMPD_CL_REGISTRY_RUN_STATE(registry_get(
               registry, table, record, ompd_cl_registry_field_run)) == ompd_cl_registry_free;
}

/* Keep the cl handle of RECORD of TABLE, which is there and which REFERENCE names: what is asked of
 * next is likely to name it. */
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

/* The calls and callbacks that a thread is in, as its record has them. */

/* An activity of a thread: struct ompd_cl_registry_activity. */
struct activity {
    uint32_t what;
    uint32_t reference;
    uint64_t handle;
    uint64_t list; /* of clWaitForEvents: where the events are in the target; 0: not known */
    uint32_t list_count;
    uint64_t began; /* of a callback, or a call that waits: the time of day in nanoseconds since
                     * 1970; 0: not known */
};

/* How many activities the records of threads in TABLE have room for. */
uint32_t activity_room(const struct registry_table *table);

/* How many of the activities of the thread with RECORD in TABLE it is in.  What a thread has left
 * by longjmp() or an exception the recorder learns at the thread's next call only; its stack shows
 * it at any stop.  A count that cannot be is given as it is. */
uint32_t activity_count_held(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record);

/* The same of a record that was read just now: so is the stack. */
uint32_t activity_count_held_now(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record);

/* Tell whether RUN, of the callback or SVM-free command that REFERENCE names, says that a thread
 * runs its function, which that thread has left.  False where that is not known. */
bool activity_is_left(struct registry *registry, uint32_t reference, uint64_t run);

/* Tell whether the recorder looks at the clock for ACTIVITY: others return too soon. */
bool activity_has_time(const struct activity *activity);

/* The activity at BYTES of the target, without its list and its time. */
struct activity activity_decode(const struct target *target, const uint8_t *bytes);

/* Activity NUMBER, from 0, the outermost, and below activity_room, of the thread with RECORD. */
struct activity activity_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number);

/* Have in *HANDLE event INDEX, below its count, of the list of ACTIVITY.  Returns ompd_rc_ok,
 * ompd_rc_nomem or ompd_rc_incomplete, as target_view. */
ompd_rc_t activity_event_get(struct target *target, const struct activity *activity, uint32_t index,
                             uint64_t *handle);

/* ---- evidence -------------------------------------------------------------------------------- */

/* How sure the recorder is that an object is still there: the runtime may have deleted one that the
 * program has released without the recorder's seeing it. */

/* The number of objects that the one of RECORD keeps alive. */
uint32_t record_confidence_children(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record);

/* Tell whether the object of RECORD, which is there, is only presumed to be. */
bool record_confidence_is_presumed(const struct registry *registry,
                                   const struct registry_table *table, const uint8_t *record);

/* ---- record-lookup --------------------------------------------------------------------------- */

/* Finding a record by what it says. */

/*
 * Find the record of TABLE_ID that HANDLE names.  Returns ompd_rc_ok with its *INDEX and
 * *GENERATION; ompd_rc_unavailable when there is none; ompd_rc_incomplete when it may be in memory
 * that cannot be read; ompd_rc_error or ompd_rc_nomem.
 */
ompd_rc_t record_find(struct registry *registry, uint32_t table_id, uint64_t handle,
                      uint32_t *index, uint32_t *generation);

/* The same by the recorder's hash table alone.  Returns ompd_rc_error or ompd_rc_incomplete when it
 * cannot tell. */
ompd_rc_t record_find_hashed(struct registry *registry, uint32_t table_id, uint64_t handle,
                             uint32_t *index);

/* The same as record_find of the record whose FIELD is VALUE, by looking through all of the table.
 */
ompd_rc_t record_find_by_field(struct registry *registry, uint32_t table_id,
                               enum ompd_cl_registry_field_id field, uint64_t value,
                               uint32_t *index, uint32_t *generation);

/* ---- registry-root --------------------------------------------------------------------------- */

/* Finding the registry's root, and learning from it where everything is. */

/* Find the root and read it.  To be called at each new stop.
 * Returns ompd_rc_ok, ompd_rc_unavailable, ompd_rc_incompatible, ompd_rc_error,
 * ompd_rc_device_read_error or ompd_rc_nomem. */
ompd_rc_t registry_open(struct registry *registry);

/* ---- usage-sum ------------------------------------------------------------------------------- */

/* What one usage comes to, summed up over the records of all threads, of ended ones too. */

struct usage_sum {
    int64_t live;
    int64_t peak;     /* a bound, once there are two records: they need not have been at one time */
    uint32_t records; /* that are in it */
    bool is_corrupt;
};

/* Add the usage of one thread, struct ompd_cl_registry_usage, at BYTES of the target. */
void usage_sum_add(struct usage_sum *sum, const struct target *target, const uint8_t *bytes);

/* The status of SUM, which is of usage NUMBER: ompd_cl_status_value; ompd_cl_status_corrupt; or,
 * for `live` alone, ompd_cl_status_unknown. One thread may count an object's end before another
 * counts its creation, so the sum may be below 0 by up to one per thread and is then unknown. */
uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number);

/* ---- registry-uncached ----------------------------------------------------------------------- */

/*
 * The registry as it is at this moment, for the functions of OMPD: a tool that knows only OMPD
 * never says that the target ran.  Reads past the cache and no more than is asked for, because a
 * byte costs some tools 3 us, but a symbol lookup costs them 2 ms: where the tables are is kept for
 * as long as the root is that of the same process.
 */

/* Have at hand where everything is in SPACE's registry.  Returns as registry_open. */
ompd_rc_t uncached_open(struct address_space *space);

/* Read the COUNT FIELDS (enum ompd_cl_registry_field_id) of the record of TABLE at ADDRESS into
 * VALUES, with one read that spans them; those that this recorder does not have are 0.
 * Returns as target_read_uncached. */
ompd_rc_t uncached_fields(struct address_space *space, const struct registry_table *table,
                          uint64_t address, const uint8_t *fields, unsigned count,
                          uint64_t *values);

/* That memory which the call cannot do without could not be read: ompd_rc_device_read_error. */
ompd_rc_t uncached_unreadable(struct address_space *space);

/* Read the unsigned integer of SIZE bytes at ADDRESS.  Returns ompd_rc_ok or
 * ompd_rc_device_read_error. */
ompd_rc_t uncached_integer(struct address_space *space, uint64_t address, unsigned size,
                           uint64_t *number);

/* The same of MEMBER of a struct TYPE that lies at ADDRESS. */
#define UNCACHED_MEMBER(space, address, type, member, number)                                      \
    uncached_integer(space, (address) + offsetof(struct type, member),                             \
                     sizeof(((struct type *)0)->member), number)

/* Find where record INDEX of TABLE_ID lies.  Returns ompd_rc_ok; ompd_rc_unavailable when there
 * never was such a record; ompd_rc_device_read_error; ompd_rc_error when the table cannot be as it
 * says. */
ompd_rc_t uncached_locate(struct address_space *space, uint32_t table_id, uint32_t index,
                          uint64_t *address);

/* What uncached_visit does with the record at ADDRESS.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * the record cannot be read; any other code to end the walk. */
typedef ompd_rc_t (*uncached_visitor_t)(struct address_space *space, uint64_t address,
                                        void *context);

/*
 * VISIT each record of TABLE_ID that is or was in use; unless TAKES_FREE, those in chunks without
 * live records are left out.  Returns ompd_rc_ok; the code that ended the walk; ompd_rc_unavailable
 * when the recorder has no such table; ompd_rc_error when the table cannot be as it says;
 * ompd_rc_device_read_error when some of it could not be read: as a rule the rest was visited.
 */
ompd_rc_t uncached_visit(struct address_space *space, uint32_t table_id, bool takes_free,
                         uncached_visitor_t visit, void *context);

#endif
