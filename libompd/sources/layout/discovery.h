/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The discovery of objects in memory. */
#ifndef LIBOMPD_DISCOVERY_H
#define LIBOMPD_DISCOVERY_H

#include "sources/layout/runtime.h"
#include "target/scan.h"

/* ---- candidate ------------------------------------------------------------------------------- */

/*
 * Words that may be OpenCL objects: for each word that points to a dispatch table, each kind of
 * object whose rules hold there. They exist while an inventory is taken.
 */

enum candidate_flag {
    candidate_dying = 1,          /* all rules hold except the one on a count, which is 0 */
    candidate_internal = 2,       /* the runtime made it for itself */
    candidate_owns = 4,           /* `identity` is the address of memory that it owns */
    candidate_is_supported = 8,   /* it names objects of the right kinds */
    candidate_is_chosen = 16,     /* no other kind matches its handle better */
    candidate_is_named = 32,      /* another object names it */
    candidate_is_counted = 64,    /* its references have been counted */
    candidate_context_lost = 128, /* its OpenCL context is in memory that could not be read */
    candidate_is_compared = 256,  /* its bytes are compared with those of other candidates */
    candidate_is_discarded = 512, /* it holds nothing, because it is a copy */
    candidate_is_command = 1024,  /* it holds the memory objects in its list */
    candidate_is_unproved = 2048, /* it may be a copy: the search for similar ones was abandoned */
    candidate_chunk_lost = 4096,  /* the memory that shows its malloc chunk could not be read */
    candidate_is_bare = 8192,     /* it has no dispatch data of a loader */
    candidate_is_deferred =
        16384,                /* its callbacks are running, and their list was taken out of it */
    candidate_is_near = 32768 /* all rules of a kind hold except one, which is not on a count */
};

/* Bits of a fingerprint, and the unit of a chunk's size. */
#define CANDIDATE_FINGERPRINT ((UINT64_C(1) << 48) - 1)
#define CANDIDATE_CHUNK_UNIT 8

/* At most this many elements of an object's lists are being created or released at one time. */
#define MOST_UNSETTLED 4

struct candidate {
    uint64_t handle;
    uint64_t context;  /* cl handle of its OpenCL context; 0: none */
    uint64_t other;    /* a queue's device, a kernel's program, an event's queue, a parent; or 0 */
    uint64_t identity; /* unique among objects: a number, or memory that it owns; 0: nothing */
    uint64_t fingerprint : 48; /* hash of its bytes where it has no unique number */
    uint64_t chunk : 16;       /* size of its malloc chunk; 0: none was found */
    uint32_t references;
    uint32_t held;          /* references held by objects that were found */
    uint32_t context_index; /* index among the candidates, plus 1; 0: none */
    uint32_t other_index;
    uint32_t duplicate_group : 28; /* number of the group with the same identity or fingerprint; 0:
                                      none */
    uint32_t listed : 3;           /* elements of lists that hold it, up to MOST_UNSETTLED */
    bool is_held_on : 1;           /* an object that is being destroyed may still hold it */
    uint16_t flags;                /* enum candidate_flag */
    uint8_t kind : 4;              /* enum layout_kind */
    uint8_t runtime : 3;   /* index in the runtimes, of which there are at most RUNTIME_LIMIT */
    bool is_destroyed : 1; /* only the runtime holds it, until its callbacks have run */
    uint8_t doubt : 4;     /* ompd_cl_doubt_t */
    uint8_t support : 2;   /* number of objects that it names */
    bool is_one_of : 1;    /* it represents its duplicates, one of which is the original */
    bool is_freed : 1;     /* not an object: another kind of object was there and was freed */
};

#define CANDIDATES_PER_BLOCK 16384
#define CANDIDATE_BLOCK_LIMIT 4096 /* law 6 */

/* Candidates by ascending handle. */
struct candidates {
    struct memory *memory;
    struct candidate **blocks; /* CANDIDATE_BLOCK_LIMIT of them; NULL before the first */
    uint32_t block_count;
    uint32_t count;
};

static inline struct candidate *candidate_at(const struct candidates *candidates, uint32_t index)
{
    return &candidates->blocks[index / CANDIDATES_PER_BLOCK][index % CANDIDATES_PER_BLOCK];
}

/* Reserve one more at the end, with undefined contents, in *CANDIDATE. Returns ompd_rc_ok or
 * ompd_rc_nomem. */
ompd_rc_t candidates_add(struct candidates *candidates, struct candidate **candidate);

/* The index of the first candidate at HANDLE or above; their count if there is none. */
uint32_t candidates_find(const struct candidates *candidates, uint64_t handle);

void candidates_free(struct candidates *candidates);

/* The lowest address of any heap. A smaller value in place of a pointer is a marker, such as the
 * address of an empty vector's elements in Rust. */
#define LEAST_POINTER 65536

/* ---- Steps to an inventory ------------------------------------------------------------------- */

#define REJECTED_LIMIT 1024 /* law 6 */

/* The state of discovery: the candidates of a target, and facts about them. */
struct discovery {
    struct target *target;
    struct code *code;
    const struct runtimes *runtimes;
    struct candidates candidates;
    /* Words that lead to a table but match no rules, at most REJECTED_LIMIT of a runtime.
     * `identity` is the start of their allocation, 0 if unknown. A word that looks like a freed
     * object is candidate_dying; one that fails a single rule is candidate_is_near.
     * last_references_find sets `context`. */
    struct candidates rejected;
    uint32_t rejected_count[RUNTIME_LIMIT];
    /* For each runtime, the number of words that look like freed objects. */
    uint32_t freed[RUNTIME_LIMIT];
    /* For each runtime, the number of words that seem to be objects which its layout does not
     * recognise. */
    uint32_t unrecognised[RUNTIME_LIMIT];
    /* By runtime, whether a layout of another build agrees with the objects: enum kin_verdict. */
    uint8_t kin_verdicts[RUNTIME_LIMIT];
    struct scan scan;
    /* The size of the chunks that most objects of a kind are in, by runtime; 0: they are in
     * none. */
    uint16_t typical_chunks[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
};

/* The layout of the candidate's kind in its runtime. */
static inline const struct layout_object *candidate_layout(const struct discovery *discovery,
                                                           const struct candidate *candidate)
{
    return &discovery->runtimes->all[candidate->runtime].layout->objects[candidate->kind];
}

/* Whether an object that CANDIDATE names besides its OpenCL context may be destroyed already. Some
 * runtimes free the buffer of a sub-buffer before the sub-buffer's destructor callbacks have
 * run. */
static inline bool candidate_may_outlive(const struct candidate *candidate)
{
    return (candidate->flags & candidate_dying) != 0 &&
           (candidate->kind == layout_buffer || candidate->kind == layout_image);
}

/* ---- classify -------------------------------------------------------------------------------- */

/* Which candidates are objects, and of which kind: those that name objects of the right kinds. */

/* Choose the kind of object at each handle, if any, and set what it names. */
void classify_candidates(struct discovery *discovery);

/* ---- command-references ---------------------------------------------------------------------- */

/* The references of memory objects that commands hold. */

/* If CANDIDATE is a command, add the references that it holds, as far as they can be read. *COUNTED
 * is the number of memory objects of all commands so far. Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t command_count(struct discovery *discovery, struct candidate *candidate,
                        uint64_t *counted);

/* Subtract what was counted for CANDIDATE, which is not an object. */
void command_discard(struct discovery *discovery, const struct candidate *candidate);

/* ---- confidence ------------------------------------------------------------------------------ */

/* The confidence in the objects found: reference counts are compared with the references found. */

/* The reference count of an object, compared with the objects that were found to hold it. */
enum refcount_state {
    refcount_unknown,
    refcount_even,    /* exactly one is not accounted for: the program's */
    refcount_surplus, /* several were not found: they belong to the program or to objects not found;
                         or one, which may belong to an object that is being destroyed */
    refcount_spent, /* all were found: the program has released it, or a false object is counted, or
                       one that holds none yet */
    refcount_over   /* more objects hold it than it has references */
};

/* After confidence_check. */
enum refcount_state refcount_state_of(const struct discovery *discovery,
                                      const struct candidate *holder);

/* Count the references found, and set the doubts of candidates. Returns ompd_rc_ok, or what ended
 * the work (rc_is_final). */
ompd_rc_t confidence_check(struct discovery *discovery);

/* The confidence that CANDIDATE is an object, after confidence_check. */
ompd_cl_confidence_t confidence_of(const struct discovery *discovery,
                                   const struct candidate *candidate);

/* ---- destruction ----------------------------------------------------------------------------- */

/* Objects whose destructor callbacks are running, and freed ones that look similar. */

/* Of the candidates with a count of 0, retain those whose destructor callbacks are running and drop
 * the freed ones. Scans stacks. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete when the
 * tool cancelled. */
ompd_rc_t destruction_verify(struct discovery *discovery);

/* ---- duplicates ------------------------------------------------------------------------------ */

/* Candidates with the same value where no two objects can have it: all but one are copies. */

/*
 * Find the chosen candidates of one kind with the same KEY, where 0 is no key. Each that is not
 * known to be the original gets a doubt, and COPY is called for all but one of each group. Returns
 * ompd_rc_ok or ompd_rc_nomem.
 */
ompd_rc_t duplicates_find(struct discovery *discovery,
                          uint64_t (*key)(const struct discovery *discovery,
                                          const struct candidate *candidate),
                          void (*copy)(struct discovery *discovery, struct candidate *candidate));

/*
 * The same for candidates with the same KEY that may all be objects, such as two unused ones. One
 * that is outside the allocator's chunks is a copy of one that is in a chunk, unless another object
 * names it.
 */
ompd_rc_t duplicates_find_strays(struct discovery *discovery,
                                 uint64_t (*key)(const struct discovery *discovery,
                                                 const struct candidate *candidate),
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate));

/* ---- hit-field ------------------------------------------------------------------------------- */

/* The fields that an object of some kind would have at a hit of the scan. */

/* Whether an object that may lack the field of CONDITION has it; also false where the condition's
 * bytes are not available. */
static inline bool hit_has_field(struct target *target, const struct scan_hit *hit,
                                 const struct layout_condition *condition)
{
    uint64_t number;

    return scan_hit_number(target, hit, condition->rule.offset, condition->rule.width, &number) &&
           layout_condition_holds(condition, number);
}

/* Read a field that needs no pointer; false where the layout has no such field. */
static inline bool hit_read_field(struct target *target, const struct scan_hit *hit,
                                  const struct layout_object *object, enum layout_field field,
                                  uint64_t *value)
{
    const struct layout_location *location = &object->fields[field];
    const struct layout_condition *condition = &object->when[field];

    if (location->width == 0 || location->path.count != 1 ||
        !scan_hit_number(target, hit, location->path.offsets[0], location->width, value))
        return false;
    if (condition->rule.width != 0 && !hit_has_field(target, hit, condition))
        *value = 0;
    return true;
}

/* Read a field that is a cl handle. 0 stays 0. */
static inline bool hit_read_handle(struct target *target, const struct scan_hit *hit,
                                   const struct layout_object *object, enum layout_field field,
                                   uint64_t *handle)
{
    const struct layout_location *location = &object->fields[field];

    if (!hit_read_field(target, hit, object, field, handle))
        return false;
    if (*handle != 0)
        *handle += (uint64_t)(int64_t)location->adjust;
    if (target->pointer_size == sizeof(uint32_t))
        *handle = (uint32_t)*handle;
    return true;
}

/* ---- inventory ------------------------------------------------------------------------------- */

/*
 * The inventory: every OpenCL object that the layouts find in the target at one stop, from one scan
 * of its writable memory. It takes 16 bytes an object until the next stop.
 */

#define HELD_UNKNOWN UINT32_MAX

/* Facts about an object besides its address. */
enum inventory_mark {
    inventory_dying = 1,    /* its destructor callbacks are running */
    inventory_internal = 2, /* the runtime made it for itself */
    inventory_recorded = 4, /* the recorder has it, too */
    inventory_deferred = 8, /* the runtime has taken the list of those callbacks out of it */
    inventory_copy = 16,    /* presumably a copy of another object that was found */
    inventory_one_of = 32,  /* it represents itself and its copies, one of which is an object */
    inventory_destroyed =
        64, /* only the runtime holds it, until its destructor callbacks have run */
    inventory_released = 128 /* the recorder lists it among the last destroyed objects */
};

struct inventory_item {
    uint64_t handle;
    uint32_t held;   /* references held by other objects found, by `holds` lines of layouts, or
                        HELD_UNKNOWN */
    uint8_t kind;    /* enum layout_kind */
    uint8_t runtime; /* index in the runtimes */
    uint8_t marks;   /* enum inventory_mark */
    uint8_t confidence : 4; /* ompd_cl_confidence_t */
    uint8_t doubt : 4;      /* ompd_cl_doubt_t */
};

#define INVENTORY_BLOCK_ITEMS 16384

/* Items by ascending handle across all blocks. */
struct inventory_block {
    struct inventory_block *next;
    uint32_t count;
    struct inventory_item items[INVENTORY_BLOCK_ITEMS];
};

struct inventory {
    uint64_t stop; /* the target's stop; 0: there is no inventory */
    struct inventory_block *first;
    struct inventory_block *last;
    uint64_t counts[LAYOUT_KIND_COUNT];
    uint64_t deferred; /* objects with that mark, except doubtful ones */
    uint64_t scanned;  /* bytes searched */
    struct shortfall missing;
    uint16_t failure;         /* ompd_cl_status_t of the last unread bytes; 0: none */
    bool has_lost_regions;    /* the tool failed to report them all */
    uint32_t runtimes_in_use; /* bits 1 << index of the runtimes that have an OpenCL context */
    struct untouched untouched;
    /* By runtime: at least this many words seem to be objects that the layout does not
     * recognise. */
    uint32_t unrecognised[RUNTIME_LIMIT];
    uint8_t kin_verdicts[RUNTIME_LIMIT]; /* by runtime: enum kin_verdict */
};

/* Whether all memory was searched for INVENTORY, except for memory presumed untouched. */
static inline bool inventory_is_whole(const struct inventory *inventory)
{
    return inventory->failure == 0;
}

/* Whether there seem to be objects that their layout does not recognise. */
static inline bool inventory_is_misfit(const struct inventory *inventory)
{
    uint32_t unrecognised = 0;

    for (uint32_t i = 0; i < RUNTIME_LIMIT; i++)
        unrecognised |= inventory->unrecognised[i];
    return unrecognised != 0;
}

/* Whether INVENTORY has all objects outside of memory presumed untouched. */
static inline bool inventory_has_all(const struct inventory *inventory)
{
    return inventory_is_whole(inventory) && !inventory_is_misfit(inventory);
}

/* Why INVENTORY may lack objects: an ompd_cl_status_t. */
static inline uint16_t inventory_failure(const struct inventory *inventory)
{
    return inventory->failure != 0 ? inventory->failure : ompd_cl_status_unknown;
}

/* Whether INVENTORY may lack objects. */
static inline bool inventory_may_miss(const struct inventory *inventory)
{
    return !inventory_has_all(inventory) || inventory->untouched.bytes != 0;
}

/* Record that an object is known to be at ADDRESS. If its memory was presumed untouched, it was
 * not, and INVENTORY is incomplete. */
void inventory_disprove(struct inventory *inventory, struct target *target, uint64_t address);

/* A position in the inventory. */
struct inventory_cursor {
    const struct inventory_block *block; /* NULL: at the end */
    uint32_t index;
    uint64_t stop;
};

/* Build the inventory of this stop: find the objects of RUNTIMES, and distinguish live objects from
 * freed ones, copies and the runtime's own. Returns ompd_rc_ok. Returns ompd_rc_incomplete when
 * some memory could not be read (the rest is available, and `failure` of TARGET says why, at later
 * calls too), or the tool's `progress` cancelled it (then it is empty, and `stop` is not the
 * target's). Else returns ompd_rc_unsupported when the tool does not list memory regions;
 * ompd_rc_nomem. */
ompd_rc_t inventory_take(struct inventory *inventory, struct target *target, struct code *code,
                         const struct runtimes *runtimes);

/* The item with HANDLE; NULL if there is none. Takes a logarithmic number of steps within a
 * block. */
struct inventory_item *inventory_find(const struct inventory *inventory, uint64_t handle);

/* The last item with a handle of at most ADDRESS; NULL if there is none. */
const struct inventory_item *inventory_find_below(const struct inventory *inventory,
                                                  uint64_t address);

/* Begin at the first item. */
void inventory_begin(const struct inventory *inventory, struct inventory_cursor *cursor);

/* The next item whose kind is in KINDS (bits 1 << enum layout_kind); NULL at the end. */
const struct inventory_item *inventory_next(struct inventory_cursor *cursor, uint32_t kinds);

/* Free what INVENTORY holds. */
void inventory_free(struct inventory *inventory, struct memory *memory);

/* ---- glance ---------------------------------------------------------------------------------- */

/* One object at a known handle, without a search of memory. */

enum glance_finding {
    glance_nothing,  /* no object of a runtime with a layout */
    glance_object,   /* presumably an object: its rules hold, and those of the objects it names */
    glance_undecided /* only a search may tell: it looks like an object that was freed, is being
                        destroyed, belongs to the runtime, or is of another build */
};

/* Set *FINDING to what is at HANDLE, and *ITEM to the object. Which other objects hold it is not
 * known. Returns ompd_rc_ok; ompd_rc_incomplete when the handle cannot be read; ompd_rc_nomem. */
ompd_rc_t glance_at(struct target *target, const struct runtimes *runtimes, uint64_t handle,
                    enum glance_finding *finding, struct inventory_item *item);

/* ---- last-reference -------------------------------------------------------------------------- */

/* Objects that have lost their last reference and are being destroyed at this stop. */

/*
 * If the allocation at START has an object at HANDLE, of any kind of RUNTIME's, that has lost its
 * last reference and is being destroyed, return the cl handle of its OpenCL context; that of a
 * context is its own. It may be destroyed in part already. 0: there is no such object.
 */
uint64_t last_reference_context(struct target *target, const struct runtime *runtime,
                                uint64_t handle, uint64_t start);

/*
 * Find the non-objects of DISCOVERY that are being destroyed: they become candidate_dying, with
 * their OpenCL contexts. A word at such a context becomes candidate_is_named, because it may be too
 * far destroyed to look like an object.
 */
void last_references_find(struct discovery *discovery);

/* ---- malloc-chunk ---------------------------------------------------------------------------- */

/* The glibc malloc chunks in which objects were allocated. */

/* Most chunks end at most this many bytes behind the fields of their object. */
#define MALLOC_CHUNK_REACH 1024

struct malloc_chunk {
    uint32_t size; /* bytes; 0: none was found */
    bool is_free;  /* the allocator has it back */
    bool is_lost;  /* it could not be read whether there is one */
};

/*
 * Find the chunk of the OBJECT at HIT. A freed chunk that was merged with its neighbours has a size
 * at its end, where a reference count may have been. The start of a cached chunk is overwritten.
 */
struct malloc_chunk malloc_chunk_inspect(struct target *target, const struct scan_hit *hit,
                                         const struct layout_object *object);

/*
 * Whether the object of LAYOUT at HANDLE, for which no chunk was found, was in one of SIZE bytes
 * that is now part of a larger free one. At the end of that chunk is its size.
 */
bool malloc_chunk_was_freed(struct target *target, uint64_t handle,
                            const struct layout_object *layout, uint32_t size);

/*
 * Whether the size in front of the object of LAYOUT at HANDLE, which could be that of its chunk, is
 * left over from an earlier time: that chunk would not begin where the free one before it ends.
 */
bool malloc_chunk_is_left(struct target *target, uint64_t handle,
                          const struct layout_object *layout);

/* Facts about the memory around a word. */
enum malloc_chunk_finding {
    malloc_chunk_not_seen, /* it is in no chunk of glibc's malloc */
    malloc_chunk_is_free,
    malloc_chunk_is_allocated /* allocated to the program, unless malloc_chunk_is_used says
                                 otherwise */
};

/* Find the chunk around the word at HIT. *START is set to the program's part of it, and unchanged
 * if no chunk is found. */
enum malloc_chunk_finding malloc_chunk_find(struct target *target, const struct scan_hit *hit,
                                            uint64_t *start);

/*
 * Whether the object of LAYOUT at HANDLE, for which no chunk was found, would begin in a chunk and
 * extend beyond it, which no allocation does. If so, *START is the program's part of the chunk.
 */
bool malloc_chunk_is_crossed(struct target *target, uint64_t handle,
                             const struct layout_object *layout, uint64_t *start);

/* Whether ADDRESS lies in a free chunk, or in memory that the allocator has not allocated yet. */
bool malloc_chunk_in_free(struct target *target, uint64_t address);

/*
 * Whether the chunk at START, from malloc_chunk_find, is a chunk now, in use or cached, rather than
 * a remnant within a larger free one.
 */
bool malloc_chunk_is_there(struct target *target, uint64_t start);

/*
 * Whether the chunk at START, from malloc_chunk_find, is a chunk now and in use. A cached one
 * begins with the address of the next.
 */
bool malloc_chunk_is_used(struct target *target, uint64_t start);

/* Whether START, an address within a chunk, seems to have been the program's part of a former
 * chunk, whose size is still in front of it. */
bool malloc_chunk_was_start(struct target *target, uint64_t start);

/* The number of bytes of START's chunk behind START; 0 when that cannot be read. */
uint64_t malloc_chunk_room(struct target *target, uint64_t start);

/* Set `typical_chunks`: for kinds whose objects are mostly in malloc chunks, the most frequent
 * size. For one or two objects, the other objects of the runtime show whether it uses malloc.
 * Returns whether any object of such a kind is in no chunk. */
bool typical_chunks_find(struct discovery *discovery);

/* ---- match ----------------------------------------------------------------------------------- */

/* Finds candidates at words that point to a dispatch table, from the memory around them. */

/* Search memory once for the candidates. Returns as scan_memory does. */
ompd_rc_t match_candidates(struct discovery *discovery);

/* Add the candidates at ADDRESS alone. *IS_TABLE is set to whether the word there leads to the
 * table of a runtime with a layout. Returns ompd_rc_ok; ompd_rc_incomplete when that word cannot be
 * read; ompd_rc_nomem. */
ompd_rc_t match_at(struct discovery *discovery, uint64_t address, bool *is_table);

/* ---- stack-candidates ------------------------------------------------------------------------ */

/* Candidates on threads' stacks: a runtime builds an object there and moves it to the heap. */

/*
 * Doubt the chosen candidates on stacks that no other object names, and call COPY for each. Unknown
 * memory is not a stack. Returns ompd_rc_ok, or what ended the work (rc_is_final).
 */
ompd_rc_t stack_candidates_doubt(struct discovery *discovery,
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate));

/* ---- non-objects ----------------------------------------------------------------------------- */

/* Words that lead to a dispatch table but match no object of the layout. */

/* Record the word at HIT, which leads to the table of the runtime at INDEX and matches no object,
 * unless it is in the runtime's own data or in freed memory. Returns ompd_rc_ok or
 * ompd_rc_nomem. */
ompd_rc_t non_object_add(struct discovery *discovery, const struct scan_hit *hit, uint8_t index);

/* ---- runtime-data ---------------------------------------------------------------------------- */

/* The data of the runtimes' own modules. */

/*
 * The data of RUNTIMES points to what they have made. Memory of SCAN that was presumed untouched no
 * longer is where such a pointer leads into it. A pointer to the start of a page does not count,
 * because mmap(2) returns memory that was never written. Returns ompd_rc_ok or ompd_rc_nomem;
 * unreadable data leads nowhere.
 */
ompd_rc_t runtime_data_check(const struct runtimes *runtimes, struct target *target,
                             struct scan *scan);

/* ---- deferred-destructors -------------------------------------------------------------------- */

/* Objects that only the runtime holds, until it has run their destructor callbacks. */

/* Mark the candidates whose destructor callbacks the runtime has moved out, to run them on its own
 * thread. Scans stacks if a layout specifies the return address of the callbacks. Returns
 * ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete when the tool cancelled. */
ompd_rc_t deferred_destructors_find(struct discovery *discovery);

/* Whether the object of LAYOUT at HANDLE, which has no callbacks, may be such an object. */
bool deferred_destructors_are_possible(struct target *target, const struct layout_object *layout,
                                       uint64_t handle);

/* ---- unrecognised ---------------------------------------------------------------------------- */

/* Objects that the layout of their runtime does not recognise. */

/* After the audit, find out whether a runtime has objects that its layout does not recognise, such
 * as those of another build. */
void unrecognised_count(struct discovery *discovery);

/* ---- kin-audit ------------------------------------------------------------------------------- */

/* Whether layouts of other builds agree with the objects that they find. */

/*
 * After unrecognised_count, set `kin_verdicts` for the runtimes that are read by such layouts.
 * Returns ompd_rc_ok, or what ends the call.
 */
ompd_rc_t kin_audit(struct discovery *discovery);

#endif
