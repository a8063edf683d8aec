/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry in the target: its tables, and the records in them. */
#ifndef LIBOMPD_REGISTRY_H
#define LIBOMPD_REGISTRY_H

#include "base/message.h"
#include "target/target.h"

#include <ompd-opencl-registry.h>

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

/*
 * Look at record INDEX, as one of few: *RECORD is good until the next call on REGISTRY.
 * Returns ompd_rc_ok; ompd_rc_unavailable when there never was one; ompd_rc_error for an entry or
 * an index that cannot be; ompd_rc_nomem; ompd_rc_incomplete, the target's `failure` saying why.
 */
ompd_rc_t registry_record_view(struct registry *registry, struct registry_table *table,
                               uint32_t index, const uint8_t **record);

/* The same for a walk that mostly goes on to neighbours: reads ahead as long as they follow. */
ompd_rc_t registry_record_follow(struct registry *registry, struct registry_table *table,
                                 uint32_t index, const uint8_t **record);

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

#endif
