/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists: where a walk over rows stands. */
#ifndef LIBOMPD_LIST_H
#define LIBOMPD_LIST_H

#include "sources/layout/discovery.h"
#include "sources/recorder/recorder.h"

/* ---- list ------------------------------------------------------------------------------------ */

/* Lists: where a walk over rows stands. */

/* A list of records that link to each other. */
struct list_chain {
    uint32_t link;   /* index plus 1 of the next record, 0 for none */
    uint32_t count;  /* links that are still to come, */
    uint32_t slack;  /* of which so many may be missing: the chain was being changed */
    uint32_t object; /* callbacks: reference of the object, which every link must name, */
    uint32_t object_generation; /* and its generation; else 0 */
    bool is_one_of_many;        /* the list goes on with others: what is lost here is looked for */
    uint64_t stop;              /* one of many: the target's when it was begun */
};

/* Links that a chain has gone through.  The first are all kept, so that no row of a short list is
 * given twice; of later ones one is kept, a later one each time the steps have doubled (Brent),
 * which a cycle comes back to. */
#define LIST_LINKS_KEPT 64

struct list_links {
    uint32_t count; /* of `links_kept` the first so many, which are not written again, are good */
    uint32_t kept_later;
};

/* A list of what one thread is in, from the innermost outwards. */
struct list_activities {
    uint32_t thread; /* index and generation of its record */
    uint32_t generation;
    uint32_t left; /* activities still to come: the outermost ones */
};

/* A list of the arguments of one kernel or command. */
struct list_arguments {
    uint32_t table; /* where its record is, and the record's */
    uint32_t index;
    uint32_t generation;
    uint32_t count; /* arguments that are kept, */
    uint32_t next;  /* and the one to be given next */
    struct argument_cursor cursor;
};

/* A chain that ended before its end, when so many of its links had been given. */
struct list_broken_chain {
    uint32_t object; /* as in the chain */
    uint32_t object_generation;
    uint32_t given;
};

#define LIST_BROKEN_KEPT 32

/* A list of all destructor callbacks that the recorder has: where it stands. */
struct list_destructors {
    uint8_t part;   /* enum destructor_part */
    bool is_begun;  /* the walk of this part is */
    uint32_t owner; /* the object whose chain was looked at last: its reference, 0 for none, */
    uint32_t owner_generation;
    bool is_whole;        /* and whether all of it was given */
    uint64_t steps;       /* links that were looked at for that */
    uint64_t owners_lost; /* objects whose records could not be read */
    uint64_t ownerless;   /* rows that were given apart since their object could not be read */
    uint32_t broken_count;
    struct list_broken_chain broken[LIST_BROKEN_KEPT]; /* the first of them */
};

/* A list of what layouts find: where it stands in the inventory. */
struct inventory_walk {
    uint64_t handle; /* of the object that was looked at last; 0: none */
    uint64_t passed; /* elements of a list of it that were */
    bool is_within;  /* there are more elements */
    bool is_of_one;  /* only of that object, and */
    bool is_begun;   /* it has been looked at */
    bool is_lost;    /* the rest is not good: it is to be found again */
    bool is_second; /* destructor callbacks: of OpenCL contexts; those of memory objects are over */
    /* The rest is good for one stop of the target. */
    uint64_t stop;
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    struct container container;
};

/* Where the rows of one call go. */
struct batch {
    ompd_size_t struct_size; /* the tool's, and the distance between rows */
    ompd_size_t capacity;
    ompd_size_t count;
    char *rows;
    struct memory *memory; /* allocates nothing more once there are rows */
    bool is_in_place;      /* the tool's struct is just ours: rows are made in it */
    bool lacks_fields;     /* a field of a row could not be read */
};

struct list;

/* Gives rows of LIST until BATCH is full or there are no more, and counts those that are lost.
 * Returns ompd_rc_ok, or why it could not go on. */
typedef ompd_rc_t (*list_fill_t)(struct address_space *space, struct list *list,
                                 struct batch *batch);

#define LIST_PARTS 8

struct list {
    struct list *next; /* of the address space's open or closed lists */
    uint64_t number;   /* this use of it; permuted, its id */
    list_fill_t fill;
    uint32_t kind;   /* ompd_cl_kind_t of its rows */
    uint32_t in_use; /* bytes of this struct that the list needs, from its start */
    uint32_t source; /* index of the one that gives rows now */
    uint32_t part_count;
    uint32_t part;  /* that is walked */
    uint32_t given; /* rows of a list of few */
    bool is_filtered;
    bool is_completed;        /* rows are completed with what layouts know */
    bool is_begun;            /* leaks: they were looked for, for it */
    struct shortfall missing; /* but for what the walks have lost */
    uint64_t linked;          /* rows that chains gave so far */
    struct list_chain chain;
    struct list_links links;
    struct registry_walk walk; /* of all objects of a kind */
    struct list_activities activities;
    struct list_arguments arguments;
    /* Small lists end here: those of what belongs to one object. */
    ompd_cl_filter_t filter;
    struct inventory_walk found;
    struct list_destructors destructors;
    uint64_t handle;                 /* of what it is about */
    const struct question *question; /* that its rows answer */
    uint64_t passed;                 /* runtimes: those that begin below it were given */
    /* A list that is made of others, which it closes: */
    ompd_cl_list_t parts[LIST_PARTS];
    ompd_size_t parts_lost[LIST_PARTS]; /* rows of each that could not be given, so far */
    /* Last, because it need neither be zeroed nor saved. */
    uint32_t links_kept[LIST_LINKS_KEPT];
};

/* Open a list of rows of KIND that GIVE is to give, with zeroes for it to start from; NULL when
 * there is no memory for it. */
struct list *list_open(struct address_space *space, uint32_t kind, list_fill_t fill,
                       ompd_cl_list_t *id);

/* The same of what the recorder says of one object: there may be a list for each. */
struct list *list_open_small(struct address_space *space, uint32_t kind, list_fill_t fill,
                             ompd_cl_list_t *id);

/* The same, in *OPENED, of those rows that pass FILTER, which may be NULL.  Returns ompd_rc_ok;
 * ompd_rc_bad_input; ompd_rc_nomem. */
ompd_rc_t list_open_filtered(struct address_space *space, uint32_t kind, list_fill_t fill,
                             const ompd_cl_filter_t *filter, ompd_cl_list_t *id,
                             struct list **opened);

/* Where to make the next row of BATCH: LOCAL, unless it can be made in its place.  The first is
 * made apart, so that a call that fails at it leaves the tool's rows untouched. */
static inline void *batch_row(const struct batch *batch, union row *local)
{
    if (!batch->is_in_place || batch->count == 0)
        return local;
    return batch->rows + batch->count * batch->struct_size;
}

/* Give the row that was made at INFO, if it passes the filter of LIST; RC says whether it is whole
 * (ompd_rc_incomplete: not). */
void batch_add(const struct list *list, struct batch *batch, const void *info, ompd_rc_t rc);

/* LOST rows of LIST cannot be given because of what TEXT, which must be static, says. */
void list_note_lost(struct list *list, uint64_t lost, const char *text);

/* Give the next rows, of KIND, of list ID: see ompd_cl_list_next. */
ompd_rc_t list_next(struct address_space *space, ompd_cl_list_t id, uint32_t kind,
                    ompd_size_t capacity, void *rows, ompd_size_t *count, ompd_size_t *unreadable);

/* Have in *BEFORE how far the open list ID has come, */
void list_save(struct address_space *space, ompd_cl_list_t id, struct list *before);

/* and go back there: what the rows given since need cannot be had now. */
void list_restore(struct address_space *space, ompd_cl_list_t id, const struct list *before);

/* Close list ID: see ompd_cl_list_close. */
ompd_rc_t list_close(struct address_space *space, ompd_cl_list_t id);

/* ---- list-chain ------------------------------------------------------------------------------ */

/* Lists of records that link to each other. */

/* Open a list of the records of KIND that are linked from CHAIN. */
ompd_rc_t list_open_chain(struct address_space *space, uint32_t kind,
                          const struct list_chain *chain, ompd_cl_list_t *id);

/* Let LIST, which goes through many chains, go on with CHAIN. */
void list_chain_begin(struct address_space *space, struct list *list,
                      const struct list_chain *chain);

/* Give the rows of LIST's chain, a list_fill_t.  The count that the chain's owner keeps bounds the
 * walk.  What is behind a fault is lost, unless the chain is one of many. */
ompd_rc_t list_chain_fill(struct address_space *space, struct list *list, struct batch *batch);

/* Tell whether RECORD is one that CHAIN may link to. */
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

/* What starts a chain in the record of an object: its fields for the first link and the count. */
struct object_chain {
    uint32_t link_kind; /* of the rows */
    enum ompd_cl_registry_field_id first;
    enum ompd_cl_registry_field_id count;
    bool links_name_object; /* each link says whose it is */
};

/* Take the chain of SHAPE out of RECORD of TABLE, the object that IDENTIFIER names. */
void object_chain_read(const struct registry *registry, const struct registry_table *table,
                       const uint8_t *record, struct identifier identifier,
                       const struct object_chain *shape, struct list_chain *chain);

/* ---- object-list ----------------------------------------------------------------------------- */

/* Lists of all objects of a kind, from all sources. */

/* Open a list of all objects of KIND.  FILTER may be NULL. */
ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id);

/* ---- record-walk ----------------------------------------------------------------------------- */

/* A walk over the recorder's records in which other memory may be read. */

/* Looks at RECORD, of index INDEX, which stays while other memory is read.  Anything but
 * ompd_rc_ok ends the walk, which the record is then still the next of. */
typedef ompd_rc_t (*record_visit_t)(struct address_space *space, const uint8_t *record,
                                    uint32_t index, void *context);

/* The context of a visit that gives rows: of LIST, into BATCH. */
struct list_filling {
    struct list *list;
    struct batch *batch;
};

/* Let VISIT look at each record of WALK that is there, until BATCH is full; NULL is never full.
 * Returns what VISIT ended the walk with; else as registry_walk_look. */
ompd_rc_t record_walk_visit(struct address_space *space, struct registry_walk *walk,
                            const struct batch *batch, record_visit_t visit, void *context);

/* ---- recorded-row ---------------------------------------------------------------------------- */

/* Rows of the recorder's records, completed with what other records and layouts tell. */

/* Make a row of RECORD, of index INDEX, and give it.  RECORD is to stay while other memory is read.
 */
ompd_rc_t list_row_add(struct address_space *space, const struct list *list, struct batch *batch,
                       const uint8_t *record, uint32_t index);

/* Set what records of other objects tell of ROW of KIND, which is otherwise complete.  Returns
 * ompd_rc_ok; ompd_rc_incomplete when some could not be looked at; ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t row_complete(struct address_space *space, uint32_t kind, union row *row);

/* ---- source ---------------------------------------------------------------------------------- */

/* Who tells of rows and objects.  Lists and objects ask one source after the other, and none of
 * them chooses. */

struct source {
    /* Whether it is this one that gives out IDENTIFIER. */
    bool (*owns_id)(struct identifier identifier);
    /* Give rows of LIST, which are not among those of the sources before, as a list_fill_t does.
     * *IS_OVER gets true where it has given the rest and the next source is to go on. */
    ompd_rc_t (*fill)(struct address_space *space, struct list *list, struct batch *batch,
                      bool *is_over);
    /* Find the id of the object of KIND that VALUE names.  Returns ompd_rc_unavailable where it
     * knows no such object; else as ompd_cl_object_find. */
    ompd_rc_t (*find)(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);
    /* Describe object ID of KIND, which IDENTIFIER is of, in *ROW.  Returns as ompd_cl_object_get.
     */
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
