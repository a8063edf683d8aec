/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists: the position of a walk over rows. */
#ifndef LIBOMPD_LIST_H
#define LIBOMPD_LIST_H

#include "sources/layout/discovery.h"
#include "sources/recorder/recorder.h"

/* ---- list ------------------------------------------------------------------------------------ */

/* A list of records that link to each other. */
struct list_chain {
    uint32_t link;   /* index plus 1 of the next record, 0 for none */
    uint32_t count;  /* remaining links, */
    uint32_t slack;  /* this many of which may be missing because the chain was being changed */
    uint32_t object; /* callbacks: reference of the object that every link must name, */
    uint32_t object_generation; /* and its generation; else 0 */
    bool is_one_of_many;        /* other chains follow: rows lost here are found in them */
    uint64_t stop;              /* one of many: the target's stop when it began */
};

/* The links that a chain has passed. The first ones are all stored, so that no row of a short list
 * is returned twice. Of the later ones, one is stored, and replaced each time the number of steps
 * has doubled (Brent): a cycle comes back to it. */
#define LIST_LINKS_KEPT 64

struct list_links {
    uint32_t count; /* the first `count` of `links_kept` are valid and never overwritten */
    uint32_t kept_later;
};

/* A list of the activities of one thread, from the innermost outwards. */
struct list_activities {
    uint32_t thread; /* index and generation of its record */
    uint32_t generation;
    uint32_t left; /* activities still to be returned: the outermost ones */
};

/* A list of the arguments of one kernel or command. */
struct list_arguments {
    uint32_t table; /* table, index and generation of its record */
    uint32_t index;
    uint32_t generation;
    uint32_t count; /* recorded arguments, */
    uint32_t next;  /* and the next one */
    struct argument_cursor cursor;
};

/* A list of what one command touches: first by its operands, then by a list of objects, then by the
 * arguments of its kernel. */
struct list_accesses {
    uint32_t table; /* of commands or kernels; */
    uint32_t index; /* and generation of its record */
    uint32_t generation;
    uint32_t listed_end; /* the end of the second part */
    uint32_t count;
    uint32_t next;
    uint32_t link; /* of the next object, index plus 1 */
    struct argument_cursor cursor;
};

/* A chain that broke off after some of its links. */
struct list_broken_chain {
    uint32_t object; /* as in the chain */
    uint32_t object_generation;
    uint32_t given;
};

#define LIST_BROKEN_KEPT 32

/* The position in a list of all destructor callbacks that the recorder has. */
struct list_destructors {
    uint8_t part;   /* enum destructor_part */
    bool is_begun;  /* the walk of this part has begun */
    uint32_t owner; /* reference of the object whose chain was read last, 0 for none, */
    uint32_t owner_generation;
    bool is_whole;        /* and whether its chain was complete */
    uint64_t steps;       /* links read so far */
    uint64_t owners_lost; /* objects whose records could not be read */
    uint64_t ownerless;   /* rows returned without an owner because its record could not be read */
    uint32_t broken_count;
    struct list_broken_chain broken[LIST_BROKEN_KEPT]; /* the first of them */
};

/* The position in a list of objects that layouts show. */
struct inventory_walk {
    uint64_t handle; /* of the current object; 0: none */
    uint64_t passed; /* elements of its list read so far */
    bool is_within;  /* there are more elements */
    bool is_of_one;  /* the list is of that object only, */
    bool is_begun;   /* and has begun */
    bool is_lost;    /* the rest is invalid and must be found again */
    bool is_second; /* destructor callbacks: those of OpenCL contexts, after those of memory objects
                     */
    /* The rest is valid for one stop of the target. */
    uint64_t stop;
    bool is_glanced; /* `owner` is the object, which was found without a search */
    struct inventory_item owner;
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    struct container container;
};

/* The destination of the rows of one call. */
struct batch {
    ompd_size_t struct_size; /* the tool's, and the stride of rows */
    ompd_size_t capacity;
    ompd_size_t count;
    char *rows;
    struct memory *memory; /* frozen once there are rows */
    bool is_in_place;      /* the tool's struct is the library's: rows are made in place */
    bool lacks_fields;     /* a field of a row could not be read */
};

struct list;

/* Add rows of LIST to BATCH until it is full or there are no more, and count lost rows. Returns
 * ompd_rc_ok, or why it could not continue. */
typedef ompd_rc_t (*list_fill_t)(struct address_space *space, struct list *list,
                                 struct batch *batch);

#define LIST_PARTS 14

struct list {
    struct list *next; /* of the address space's open or closed lists */
    uint64_t number;   /* its id before permutation */
    list_fill_t fill;
    uint32_t kind;   /* ompd_cl_kind_t of its rows */
    uint32_t in_use; /* bytes of this struct that the list uses, from its start */
    uint32_t source; /* index of the source that provides rows now */
    uint32_t part_count;
    uint32_t part;  /* the current part */
    uint32_t given; /* rows returned from a short list */
    bool is_filtered;
    bool is_completed;        /* rows are completed by layouts */
    bool is_begun;            /* leaks: the search was run for this list */
    struct shortfall missing; /* except for losses of walks */
    uint64_t linked;          /* rows returned from chains */
    struct list_chain chain;
    struct list_links links;
    struct registry_walk walk; /* of all objects of a kind */
    struct list_activities activities;
    struct list_arguments arguments;
    struct list_accesses accesses;
    /* Small lists, of what belongs to one object, end here. */
    ompd_cl_filter_t filter;
    struct inventory_walk found;
    struct list_destructors destructors;
    uint64_t handle;                 /* its subject */
    const struct question *question; /* the question that its rows answer */
    uint64_t passed;                 /* runtimes: those below this address were returned */
    /* A list that is composed of others, which it closes: */
    ompd_cl_list_t parts[LIST_PARTS];
    ompd_size_t parts_lost[LIST_PARTS]; /* lost rows of each so far */
    /* Last, because it is neither zeroed nor saved. */
    uint32_t links_kept[LIST_LINKS_KEPT];
};

/* Open a zeroed list of rows of KIND that FILL provides; NULL if out of memory. */
struct list *list_open(struct address_space *space, uint32_t kind, list_fill_t fill,
                       ompd_cl_list_t *id);

/* The same for a list of what belongs to one object, of which there may be many. */
struct list *list_open_small(struct address_space *space, uint32_t kind, list_fill_t fill,
                             ompd_cl_list_t *id);

/* The same, in *OPENED, for rows that match FILTER, which may be NULL. Returns ompd_rc_ok;
 * ompd_rc_bad_input; ompd_rc_nomem. */
ompd_rc_t list_open_filtered(struct address_space *space, uint32_t kind, list_fill_t fill,
                             const ompd_cl_filter_t *filter, ompd_cl_list_t *id,
                             struct list **opened);

/* Where to build the next row of BATCH: in place if possible, else LOCAL. The first row is built in
 * LOCAL, so that a call that fails leaves the tool's rows untouched. */
static inline void *batch_row(const struct batch *batch, union row *local)
{
    if (!batch->is_in_place || batch->count == 0)
        return local;
    return batch->rows + batch->count * batch->struct_size;
}

/* Add the row at INFO if it matches the filter of LIST. RC is ompd_rc_incomplete if a field could
 * not be read. */
void batch_add(const struct list *list, struct batch *batch, const void *info, ompd_rc_t rc);

/* Record that LOST rows of LIST are missing for the reason TEXT, which must be static. */
void list_note_lost(struct list *list, uint64_t lost, const char *text);

/* Return the next rows, of KIND, of list ID: see ompd_cl_list_next. */
ompd_rc_t list_next(struct address_space *space, ompd_cl_list_t id, uint32_t kind,
                    ompd_size_t capacity, void *rows, ompd_size_t *count, ompd_size_t *unreadable);

/* Save the position of the open list ID in *BEFORE, */
void list_save(struct address_space *space, ompd_cl_list_t id, struct list *before);

/* and restore it, because rows returned since then are incomplete. */
void list_restore(struct address_space *space, ompd_cl_list_t id, const struct list *before);

/* Close list ID: see ompd_cl_list_close. */
ompd_rc_t list_close(struct address_space *space, ompd_cl_list_t id);

/* ---- list-chain ------------------------------------------------------------------------------ */

/* Lists of records that link to each other. */

/* Open a list of the records of KIND that are linked from CHAIN. */
ompd_rc_t list_open_chain(struct address_space *space, uint32_t kind,
                          const struct list_chain *chain, ompd_cl_list_t *id);

/* Continue LIST, which reads many chains, with CHAIN. */
void list_chain_begin(struct address_space *space, struct list *list,
                      const struct list_chain *chain);

/* A list_fill_t for the rows of LIST's chain. The count that the chain's owner has limits the walk.
 * Rows behind a fault are lost, unless the chain is one of many. */
ompd_rc_t list_chain_fill(struct address_space *space, struct list *list, struct batch *batch);

/* Whether CHAIN may link to RECORD. */
static inline bool list_chain_has(const struct registry *registry,
                                  const struct registry_table *table,
                                  const struct list_chain *chain, const uint8_t *record)
{
    if (registry_is_free(registry, table, record))
        return false;
    if (chain->object == 0)
        return true;
    return registry_get(registry, table, record, ompd_cl_registry_field_object) == chain->object &&
           registry_get(registry, table, record, ompd_cl_registry_field_object_generation) ==
               chain->object_generation;
}

/* The fields of an object's record that begin a chain: its first link and its count. */
struct object_chain {
    uint32_t link_kind; /* of the rows */
    enum ompd_cl_registry_field_id first;
    enum ompd_cl_registry_field_id count;
    bool links_name_object; /* each link names its object */
};

/* Read the chain of SHAPE from RECORD of TABLE, the object IDENTIFIER. */
void object_chain_read(const struct registry *registry, const struct registry_table *table,
                       const uint8_t *record, struct identifier identifier,
                       const struct object_chain *shape, struct list_chain *chain);

/* ---- object-list ----------------------------------------------------------------------------- */

/* Lists of all objects of a kind, from all sources. */

/* Open a list of all objects of KIND.  FILTER may be NULL. */
ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id);

/* ---- record-walk ----------------------------------------------------------------------------- */

/* A walk over the recorder's records during which other memory may be read. */

/* Visits RECORD with index INDEX, which stays valid while other memory is read. Any result but
 * ompd_rc_ok ends the walk, and the next walk begins with the same record. */
typedef ompd_rc_t (*record_visit_t)(struct address_space *space, const uint8_t *record,
                                    uint32_t index, void *context);

/* The context of a visit that adds rows of LIST to BATCH. */
struct list_filling {
    struct list *list;
    struct batch *batch;
};

/* Call VISIT for each live record of WALK until BATCH is full; NULL is never full. Returns what
 * VISIT ended the walk with; else as registry_walk_look does. */
ompd_rc_t record_walk_visit(struct address_space *space, struct registry_walk *walk,
                            const struct batch *batch, record_visit_t visit, void *context);

/* ---- recorded-row ---------------------------------------------------------------------------- */

/* Rows of the recorder's records, completed by other records and layouts. */

/* Build a row of RECORD with index INDEX, and add it. RECORD must stay valid while other memory is
 * read. */
ompd_rc_t list_row_add(struct address_space *space, const struct list *list, struct batch *batch,
                       const uint8_t *record, uint32_t index);

/* Complete ROW of KIND from records of other objects. Returns ompd_rc_ok; ompd_rc_incomplete when
 * some could not be read; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t row_complete(struct address_space *space, uint32_t kind, union row *row);

/* ---- source ---------------------------------------------------------------------------------- */

/* Sources of rows and objects. Lists and objects ask one source after the other; none of them
 * selects a source. */

struct source {
    /* Whether this source issues IDENTIFIER. */
    bool (*owns_id)(struct identifier identifier);
    /* Add rows of LIST that are not in the sources before, as a list_fill_t does. *IS_OVER is set
     * when this source has no more rows. */
    ompd_rc_t (*fill)(struct address_space *space, struct list *list, struct batch *batch,
                      bool *is_over);
    /* Find the id of the object of KIND that VALUE names. Returns ompd_rc_unavailable where the
     * source has no such object; else as ompd_cl_object_find does. */
    ompd_rc_t (*find)(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);
    /* Describe object ID of KIND, which is IDENTIFIER, in *ROW. Returns as ompd_cl_object_get
     * does. */
    ompd_rc_t (*get)(struct address_space *space, uint32_t kind, uint64_t id,
                     struct identifier identifier, union row *row);
};

/* The sources, in the order in which they are asked. */
#define SOURCE_COUNT 3
extern const struct source *const sources_all[SOURCE_COUNT];

extern const struct source source_recorder;
extern const struct source source_layout;
extern const struct source source_stack;

#endif
