/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Embree's devices, scenes, geometries and buffers, which layouts with classes show. */
#ifndef LIBOMPD_EMBREE_H
#define LIBOMPD_EMBREE_H

#include "sources/address-space.h"
#include "sources/layout/discovery.h"
#include "sources/layout/layout-source.h"

/* ---- embree-classes -------------------------------------------------------------------------- */

/* The virtual tables of Embree's classes: the first word of each object. */

/* No class of a layout has more listed classes among its bases. */
#define EMBREE_CLASS_DEPTH 4

/* A copy of libembree in the process. No process has more; further ones are counted as missing. */
#define EMBREE_MODULE_LIMIT 8

struct embree_module {
    const struct layout *layout;
    uint64_t start; /* addresses of the module [start, end) */
    uint64_t end;
    uint64_t memory_end; /* with its zero-initialised data */
    uint64_t name_length;
    char name[OMPD_CL_TEXT_SIZE]; /* as in struct module */
};

struct embree_table {
    uint64_t address; /* that objects point to */
    uint8_t module;   /* index of the module */
    bool is_second;   /* of the second base of a device */
    uint8_t kind;     /* enum layout_class_kind */
    uint8_t body_count;
    const struct layout_body *bodies[EMBREE_CLASS_DEPTH]; /* of the class and its bases */
};

/* Further tables are counted as missing: law 6. */
#define EMBREE_TABLE_LIMIT 1024

struct embree_tables {
    uint32_t count;
    struct embree_table all[EMBREE_TABLE_LIMIT]; /* by ascending address */
    /* Those of objects that a search of memory finds. The others are owned by these. */
    uint32_t word_count;
    uint64_t words[EMBREE_TABLE_LIMIT];
    uint16_t word_tables[EMBREE_TABLE_LIMIT]; /* their indexes in `all` */
};

/* Whether LAYOUT, which has no build-id, describes MODULE: the types of its classes have their
 * names there. */
bool embree_layout_fits(struct target *target, const struct module *module,
                        const struct layout *layout);

/* Add the tables of the module at INDEX to TABLES. Returns ompd_rc_ok; ompd_rc_incomplete when some
 * of the module could not be read, with `failure` of TARGET; ompd_rc_nomem. */
ompd_rc_t embree_tables_find(struct embree_tables *tables, struct target *target,
                             const struct embree_module *module, uint8_t index);

/* All tables were added: collect the words to search for. */
void embree_tables_end(struct embree_tables *tables);

/* The table at ADDRESS; NULL if there is none. */
const struct embree_table *embree_table_find(const struct embree_tables *tables, uint64_t address);

/* ---- embree-objects -------------------------------------------------------------------------- */

/* Every object of Embree's, from one search of memory a stop. */

#define EMBREE_NONE UINT32_MAX

/* Facts about an object. */
enum embree_mark {
    embree_unread = 1,  /* some of its links could not be read, or lead to no object */
    embree_partial = 2, /* it may have more bytes than `bytes` */
    embree_orphan = 4   /* its device may be in memory that could not be read */
};

struct embree_item {
    uint64_t handle;
    uint64_t bytes; /* that it has reported to the monitor; scene: its acceleration structures */
    uint64_t unsettled;  /* of these, what a thread in Embree may have freed */
    uint64_t shared;     /* device, buffer: bytes of the program's */
    uint64_t scene;      /* geometry: handle of the first scene that it is attached to */
    uint32_t device;     /* index of the device's item; EMBREE_NONE: unknown */
    uint32_t references; /* its own count */
    uint32_t held;       /* of them, by other objects of Embree's */
    uint32_t number;     /* geometry: its ID in that scene; buffer: last mark of `marks_count` */
    uint32_t uses;   /* scene: attached geometries; geometry: buffers that are bound to it; buffer:
                        geometries that it is bound to */
    uint32_t scenes; /* device: how many of each */
    uint32_t geometries;
    uint32_t buffers;
    uint16_t table;        /* index of its table */
    uint8_t kind;          /* enum layout_class_kind */
    uint8_t marks;         /* enum embree_mark */
    uint8_t building;      /* device, scene: 1 while a scene is being built */
    uint8_t modified;      /* device, scene: 1 if a scene must be committed */
    uint8_t build_failure; /* device, scene: ompd_cl_status_t of why these are not known; else 0 */
};

/* No object has more bytes: so many addresses a process has at most. */
#define EMBREE_BYTES_LIMIT (UINT64_C(1) << 57)

/* Further objects are counted as missing: law 6. */
#define EMBREE_ITEM_LIMIT (UINT32_C(1) << 22)

struct embree_source {
    uint64_t stop;         /* the target's stop when the objects were found; 0: never */
    uint64_t modules_stop; /* the same for the modules, */
    const struct known_layout *layouts; /* and the layouts at that time */
    uint32_t module_count;
    struct embree_module modules[EMBREE_MODULE_LIMIT];
    struct module unknown; /* a copy without a layout, if there is one */
    bool has_unknown;
    bool has_lost_modules; /* the tool failed for some modules */
    struct embree_tables tables;
    uint32_t count;
    uint32_t capacity;
    struct embree_item *items; /* by ascending handle */
    uint32_t marks_count;      /* of marks that buffers were given so far */
    uint32_t unread_links;     /* bits 1 << enum layout_class_kind of objects with embree_unread */
    struct shortfall missing;  /* from the items */
    uint16_t failure;          /* ompd_cl_status_t of the last bytes that could not be read */
    uint64_t surveyed;         /* the target's stop when `is_busy` was found; 0: never */
    bool is_busy;              /* a thread is executing a function of Embree's, or may be */
};

/* Find the objects of this stop. Returns ompd_rc_ok, with `missing` set; ompd_rc_unavailable, with
 * a message, when there is no Embree or no layout matches it; ompd_rc_unsupported when the tool
 * lists no modules or no regions; ompd_rc_incomplete when the tool cancelled; ompd_rc_nomem. */
ompd_rc_t embree_source_take(struct address_space *space);

/* The item with HANDLE; NULL if there is none. */
struct embree_item *embree_item_find(const struct embree_source *source, uint64_t handle);

/* The first item with a handle of at least HANDLE; the count if there is none. */
uint32_t embree_item_first(const struct embree_source *source, uint64_t handle);

/* The body with MEMBER of the class of TABLE or of its bases; NULL if its layout has none. */
const struct layout_body *embree_body_with(const struct embree_table *table,
                                           enum layout_member member);

/* The table of ITEM. */
static inline const struct embree_table *embree_item_table(const struct embree_source *source,
                                                           const struct embree_item *item)
{
    return &source->tables.all[item->table];
}

/* Read MEMBER of ITEM in *NUMBER. Returns ompd_rc_ok; ompd_rc_unavailable when the layout does not
 * have it; ompd_rc_incomplete; ompd_rc_nomem. */
ompd_rc_t embree_member_read(struct address_space *space, const struct embree_item *item,
                             enum layout_member member, uint64_t *number);

/* Read LOCATION of the object at ADDRESS. Returns the same codes. */
ompd_rc_t embree_location_read(struct target *target, const struct layout_member_location *location,
                               uint64_t address, uint64_t *number);

/* ---- embree-modules -------------------------------------------------------------------------- */

/* The copies of libembree in the process. */

/* Find the copies of this stop that have a layout. Returns ompd_rc_ok; ompd_rc_unavailable, with a
 * message, when there are none; ompd_rc_unsupported when the tool lists no modules or no regions;
 * ompd_rc_nomem. */
ompd_rc_t embree_modules_take(struct address_space *space);

/* Whether there are any. Returns ompd_rc_ok, or what ends the call. The message stays. */
ompd_rc_t embree_source_is_there(struct address_space *space, bool *is_there);

/* ---- embree-links ---------------------------------------------------------------------------- */

/* The references that objects of Embree hold on each other. */

/* The number of links of all objects: law 6. */
#define EMBREE_LINK_LIMIT (UINT64_C(1) << 24)

/* Links of one object to others: geometries of a scene, buffers of a geometry. */
struct embree_walk {
    const struct embree_item *owner;
    uint32_t body;    /* index of the current body of the owner's table, */
    uint32_t slot;    /* its current slot, */
    uint64_t element; /* and the next element there */
};

/* A link of an object. */
struct embree_link {
    uint64_t handle;  /* 0: the place is empty */
    uint64_t address; /* of the link itself */
    uint32_t place;   /* in the list */
    uint8_t role;     /* enum layout_slot_role */
};

/* Get the next link of WALK in *LINK. Returns ompd_rc_ok; ompd_rc_unavailable at the end;
 * ompd_rc_incomplete when some could not be read, and the walk continues behind them;
 * ompd_rc_nomem. */
ompd_rc_t embree_walk_next(struct address_space *space, struct embree_walk *walk,
                           struct embree_link *link);

/* The scene that ITEM, an instance, shows in *SCENE: the first one of an array. Returns as
 * embree_member_read does. */
ompd_rc_t embree_instance_scene(struct address_space *space, const struct embree_item *item,
                                uint64_t *scene);

/* Count the references and the children of all objects. Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t embree_links_count(struct address_space *space);

/* Give ITEM, a buffer, the mark of the current object. Returns false if it has it already. */
static inline bool embree_item_mark(const struct embree_source *source, struct embree_item *item)
{
    bool is_new = item->number != source->marks_count;

    item->number = source->marks_count;
    return is_new;
}

/* A list of places in the target's memory: `count`, one each `stride` bytes from `first`. */
struct embree_places {
    uint64_t first;
    uint64_t count;
    uint64_t stride;
};

/* Set *PLACES to where ARRAY of the object at ADDRESS is. Returns ompd_rc_ok; ompd_rc_incomplete
 * when it cannot be read, or is impossible. */
ompd_rc_t embree_array_find(struct target *target, const struct layout_array *array,
                            uint64_t address, struct embree_places *places);

/* ---- embree-visited -------------------------------------------------------------------------- */

/* What was counted already: in corrupt memory, lists may lead in a cycle and objects have several
 * owners. */

/* No process has so many blocks and objects of hierarchies: law 6. */
#define EMBREE_VISIT_LIMIT (UINT32_C(1) << 22)

struct embree_visited {
    struct memory *memory;
    uint64_t *slots; /* a hash table of addresses; 0: free */
    uint32_t capacity;
    uint32_t count;
};

/* Add ADDRESS to VISITED. Returns ompd_rc_ok; ompd_rc_unavailable if it was there;
 * ompd_rc_incomplete if it cannot be of an object, or there are too many; ompd_rc_nomem. */
ompd_rc_t embree_visited_add(struct embree_visited *visited, uint64_t address);

void embree_visited_close(struct embree_visited *visited);

/* ---- embree-bytes ---------------------------------------------------------------------------- */

/* The memory that devices have reported to their monitors. */

/* Add the bytes of all objects to their devices and scenes. Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t embree_bytes_count(struct address_space *space);

/* ---- embree-survey --------------------------------------------------------------------------- */

/* Whether the bytes of devices are exact. */

/* Find out, once a stop, whether a thread is executing a function of Embree's. Returns ompd_rc_ok,
 * or what ends the call. */
ompd_rc_t embree_survey(struct address_space *space);

/* Whether the bytes of ITEM, a device, are exact, after embree_survey. */
bool embree_bytes_are_exact(const struct embree_source *source, const struct embree_item *item);

/* A number of bytes that ITEM has at least. While a thread is in Embree, it may have freed a vector
 * and reported that before it clears the vector. */
static inline uint64_t embree_bytes_least(const struct embree_source *source,
                                          const struct embree_item *item)
{
    bool may_change = source->is_busy || item->building != 0 || item->build_failure != 0;

    if (!may_change)
        return item->bytes;
    return item->unsettled < item->bytes ? item->bytes - item->unsettled : 0;
}

/* Whether the bytes of ITEM, a scene, are all that it has, unless its lock is not Embree's. */
bool embree_scene_is_whole(const struct embree_source *source, const struct embree_item *item);

/* ---- embree-rows ----------------------------------------------------------------------------- */

/* Rows of Embree's objects. */

/* Whether KIND (ompd_cl_kind_t) is one of Embree's. */
bool embree_has_kind(uint32_t kind);

/* Whether ITEM provides a row of KIND. */
bool embree_item_is_of(const struct embree_item *item, uint32_t kind);

/* Fill INFO of KIND except for its struct_size from ITEM. Returns ompd_rc_ok; ompd_rc_incomplete
 * when a field could not be read; ompd_rc_nomem. */
ompd_rc_t embree_row_fill(struct address_space *space, const struct embree_item *item,
                          uint32_t kind, void *info);

#endif
