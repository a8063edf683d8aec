/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are found in memory. */
#ifndef LIBOMPD_DISCOVERY_H
#define LIBOMPD_DISCOVERY_H

#include "sources/layout/runtime.h"
#include "target/scan.h"

/* ---- candidate ------------------------------------------------------------------------------- */

/*
 * What may be OpenCL objects: for each word that points to a dispatch table, each kind of object
 * whose rules hold there.  Held while an inventory is taken.
 */

enum candidate_flag {
    candidate_dying = 1,          /* all rules hold but that on a count, which is 0 */
    candidate_internal = 2,       /* the runtime made it for itself */
    candidate_owns = 4,           /* `identity` is the address of memory that it owns */
    candidate_is_supported = 8,   /* what it names are objects of the right kinds */
    candidate_is_chosen = 16,     /* no other kind fits its handle better */
    candidate_is_named = 32,      /* another object names it */
    candidate_is_counted = 64,    /* its references are known */
    candidate_context_lost = 128, /* its OpenCL context is in memory that could not be read */
    candidate_is_compared = 256,  /* its bytes are compared with those of others */
    candidate_is_discarded = 512, /* it holds nothing, being a copy */
    candidate_is_command = 1024,  /* it holds memory objects that its list names */
    candidate_is_unproved = 2048, /* it may be a copy: the search for others like it was given up */
    candidate_chunk_lost = 4096,  /* the memory that tells its malloc chunk could not be read */
    candidate_is_bare = 8192,     /* no loader's dispatch data is in it */
    candidate_is_deferred = 16384, /* its callbacks run, and their list was taken out of it */
    candidate_is_near = 32768      /* all rules of a kind hold but one, which is not on a count */
};

/* Bits of a fingerprint; and what a chunk's size is counted in. */
#define CANDIDATE_FINGERPRINT ((UINT64_C(1) << 48) - 1)
#define CANDIDATE_CHUNK_UNIT 8

/* Of the elements of an object's lists so many at most are being made or given up at one time. */
#define MOST_UNSETTLED 4

struct candidate {
    uint64_t handle;
    uint64_t context;  /* cl handle of its OpenCL context; 0: none */
    uint64_t other;    /* a queue's device, a kernel's program, an event's queue, a parent; or 0 */
    uint64_t identity; /* what no two objects share: a number, or memory that it owns; 0: nothing */
    uint64_t fingerprint : 48; /* stands for its bytes where it has no number of its own */
    uint64_t chunk : 16;       /* size of the allocator's chunk that it is in; 0: none is seen */
    uint32_t references;
    uint32_t held;          /* of them, by objects that were found */
    uint32_t context_index; /* among the candidates, plus 1; 0: none */
    uint32_t other_index;
    uint32_t duplicate_group : 28; /* number of those with the same identity or fingerprint; 0:
                                      there are none */
    uint32_t listed : 3;   /* elements of lists that hold it, but no more than MOST_UNSETTLED */
    bool is_held_on : 1;   /* what is being destroyed may still hold it */
    uint16_t flags;        /* enum candidate_flag */
    uint8_t kind : 4;      /* enum layout_kind */
    uint8_t runtime : 3;   /* index in the runtimes, which are RUNTIME_LIMIT at most */
    bool is_destroyed : 1; /* the runtime holds it alone, until its callbacks have run */
    uint8_t doubt : 4;     /* ompd_cl_doubt_t */
    uint8_t support : 2;   /* objects that it names */
    bool is_one_of : 1;    /* it stands for its duplicates, of which one is the original */
    bool is_freed : 1;     /* it is no object: one of another kind was there, and was freed */
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

/* Give room for one more at the end, of undefined contents, in *CANDIDATE.  Returns ompd_rc_ok or
 * ompd_rc_nomem. */
ompd_rc_t candidates_add(struct candidates *candidates, struct candidate **candidate);

/* The first candidate with HANDLE or above; their count when there is none. */
uint32_t candidates_find(const struct candidates *candidates, uint64_t handle);

void candidates_free(struct candidates *candidates);

/* The lowest address of any heap. A lower value where a pointer is kept is a special mark, such as
 * the address of an empty vector's elements in Rust. */
#define LEAST_POINTER 65536

/* ---- Steps to an inventory ------------------------------------------------------------------- */

#define REJECTED_LIMIT 1024 /* law 6 */

/* What discovery works with: the candidates of a target, and what is learned of them on the way. */
struct discovery {
    struct target *target;
    struct code *code;
    const struct runtimes *runtimes;
    struct candidates candidates;
    /* Words that lead to a table where no rules hold, at most REJECTED_LIMIT of a runtime.
     * `identity` is the start of what is allocated there, 0: not known; one that looks like an
     * object that was freed is candidate_dying, one with a rule that does not fit is
     * candidate_is_near.  `context` is set by last_references_find. */
    struct candidates rejected;
    uint32_t rejected_count[RUNTIME_LIMIT];
    /* Of each runtime, how many words look like objects that were freed. */
    uint32_t freed[RUNTIME_LIMIT];
    /* Of each runtime, how many words seem to be objects that its layout does not recognise. */
    uint32_t unrecognised[RUNTIME_LIMIT];
    struct scan scan;
    /* Size of the chunks that most objects of a kind are in, by runtime; 0: they are in none. */
    uint16_t typical_chunks[RUNTIME_LIMIT][LAYOUT_KIND_COUNT];
};

/* What the layout of its runtime says of objects of the candidate's kind. */
static inline const struct layout_object *candidate_layout(const struct discovery *discovery,
                                                           const struct candidate *candidate)
{
    return &discovery->runtimes->all[candidate->runtime].layout->objects[candidate->kind];
}

/* Tell whether what CANDIDATE names beside its OpenCL context may be gone: some runtimes free the
 * buffer of a sub-buffer before the destructor callbacks of that have run. */
static inline bool candidate_may_outlive(const struct candidate *candidate)
{
    return (candidate->flags & candidate_dying) != 0 &&
           (candidate->kind == layout_buffer || candidate->kind == layout_image);
}

/* ---- classify -------------------------------------------------------------------------------- */

/* Which candidates are objects, and of which kind: those that name objects of the right kinds. */

/* Choose for each handle which kind of object it is, if any, and tell what it names. */
void classify_candidates(struct discovery *discovery);

/* ---- command-references ---------------------------------------------------------------------- */

/* The references of memory objects that commands hold. */

/* Add the references that CANDIDATE holds, as far as they can be read, if it is a command. *COUNTED
 * is of the memory objects of all commands so far.  Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t command_count(struct discovery *discovery, struct candidate *candidate,
                        uint64_t *counted);

/* Subtract what was counted for CANDIDATE, which is no object. */
void command_discard(struct discovery *discovery, const struct candidate *candidate);

/* ---- confidence ------------------------------------------------------------------------------ */

/* How sure one is of the objects found: reference counts are compared with their holders. */

/* Count the references that are accounted for, and set the doubts of candidates. Returns
 * ompd_rc_ok, or what ended the work (rc_is_final). */
ompd_rc_t confidence_check(struct discovery *discovery);

/* How sure one is that CANDIDATE is an object, after confidence_check. */
ompd_cl_confidence_t confidence_of(const struct discovery *discovery,
                                   const struct candidate *candidate);

/* ---- destruction ----------------------------------------------------------------------------- */

/* Objects whose destructor callbacks are running, and freed ones that look the same. */

/* Among the candidates with a count of 0, keep those whose destructor callbacks are running and
 * drop the freed ones. Scans stacks. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete when
 * the tool cancelled. */
ompd_rc_t destruction_verify(struct discovery *discovery);

/* ---- duplicates ------------------------------------------------------------------------------ */

/* Candidates that have the same where no two objects can: all but one of them are copies. */

/*
 * Find the chosen candidates of one kind that have the same KEY, 0 being none.  Each that is not
 * known to be the original gets a doubt; and COPY is told of all but one of each group.  Returns
 * ompd_rc_ok or ompd_rc_nomem.
 */
ompd_rc_t duplicates_find(struct discovery *discovery,
                          uint64_t (*key)(const struct discovery *discovery,
                                          const struct candidate *candidate),
                          void (*copy)(struct discovery *discovery, struct candidate *candidate));

/*
 * The same of candidates that are alike in KEY but may be objects each, as two that nobody has used
 * yet: one in no chunk of the allocator's, and in other memory, is a copy of one that is in such,
 * unless it is named.
 */
ompd_rc_t duplicates_find_strays(struct discovery *discovery,
                                 uint64_t (*key)(const struct discovery *discovery,
                                                 const struct candidate *candidate),
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate));

/* ---- hit-field ------------------------------------------------------------------------------- */

/* What a layout's fields would hold if there were an object of a kind at a hit of the scan. */

/* Tell whether an object that may lack the field of CONDITION has it; false too where the bytes
 * that tell are not there. */
static inline bool hit_has_field(struct target *target, const struct scan_hit *hit,
                                 const struct layout_condition *condition)
{
    uint64_t number;

    return scan_hit_number(target, hit, condition->rule.offset, condition->rule.width, &number) &&
           layout_condition_holds(condition, number);
}

/* A field that needs no hop; false where the layout has none such. */
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

/* A field that holds a cl handle.  0 stays 0. */
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
 * of its writable memory.  16 bytes an object are held until the next stop.
 */

/* What is known of an object beside where it is. */
enum inventory_mark {
    inventory_dying = 1,      /* its destructor callbacks are running */
    inventory_internal = 2,   /* the runtime made it for itself */
    inventory_recorded = 4,   /* the recorder has it too */
    inventory_deferred = 8,   /* the runtime has taken the list of those callbacks out of it */
    inventory_copy = 16,      /* presumably it is a copy of another that was found */
    inventory_one_of = 32,    /* it stands for itself and its copies, of which one is an object */
    inventory_destroyed = 64, /* the runtime holds it alone, until its destructor callbacks have run
                               */
    inventory_released = 128  /* the recorder knows it as one of the last that are gone */
};

struct inventory_item {
    uint64_t handle;
    uint32_t held;   /* its references that other objects found hold, by `holds` of layouts */
    uint8_t kind;    /* enum layout_kind */
    uint8_t runtime; /* index in the runtimes */
    uint8_t marks;   /* enum inventory_mark */
    uint8_t confidence : 4; /* ompd_cl_confidence_t */
    uint8_t doubt : 4;      /* ompd_cl_doubt_t */
};

#define INVENTORY_BLOCK_ITEMS 16384

/* Items, by ascending handle over all blocks. */
struct inventory_block {
    struct inventory_block *next;
    uint32_t count;
    struct inventory_item items[INVENTORY_BLOCK_ITEMS];
};

struct inventory {
    uint64_t stop; /* the target's that it is of; 0: there is none */
    struct inventory_block *first;
    struct inventory_block *last;
    uint64_t counts[LAYOUT_KIND_COUNT];
    uint64_t deferred; /* objects with that mark, but for doubtful ones */
    uint64_t scanned;  /* bytes looked through */
    struct shortfall missing;
    uint16_t failure;         /* ompd_cl_status_t of the last of them; 0: there are none */
    bool has_lost_regions;    /* the tool failed to tell them all */
    uint32_t runtimes_in_use; /* bits 1 << index in the runtimes: it has an OpenCL context */
    struct untouched untouched;
    /* By index in the runtimes: so many words seem to be objects that the layout does not
     * recognise; there may be more. */
    uint32_t unrecognised[RUNTIME_LIMIT];
};

/* Tell whether all memory was looked through for INVENTORY, but for what is presumed untouched. */
static inline bool inventory_is_whole(const struct inventory *inventory)
{
    return inventory->failure == 0;
}

/* Tell whether there seem to be objects that their layout does not recognise. */
static inline bool inventory_is_misfit(const struct inventory *inventory)
{
    uint32_t unrecognised = 0;

    for (uint32_t i = 0; i < RUNTIME_LIMIT; i++)
        unrecognised |= inventory->unrecognised[i];
    return unrecognised != 0;
}

/* Tell whether INVENTORY has all objects, apart from memory that is presumed untouched. */
static inline bool inventory_has_all(const struct inventory *inventory)
{
    return inventory_is_whole(inventory) && !inventory_is_misfit(inventory);
}

/* Why INVENTORY may lack objects: an ompd_cl_status_t. */
static inline uint16_t inventory_failure(const struct inventory *inventory)
{
    return inventory->failure != 0 ? inventory->failure : ompd_cl_status_unknown;
}

/* Tell whether there may be objects that INVENTORY lacks. */
static inline bool inventory_may_miss(const struct inventory *inventory)
{
    return !inventory_has_all(inventory) || inventory->untouched.bytes != 0;
}

/* An object is known to be at ADDRESS. If that memory was taken for untouched, it was not, and
 * INVENTORY is incomplete. */
void inventory_disprove(struct inventory *inventory, struct target *target, uint64_t address);

/* A place in the inventory, to go on from. */
struct inventory_cursor {
    const struct inventory_block *block; /* NULL: at the end */
    uint32_t index;
    uint64_t stop;
};

/*
 * Have the inventory of this stop: find the objects of RUNTIMES and tell live from freed ones,
 * kinds, copies and the runtime's own.  Returns ompd_rc_ok; ompd_rc_incomplete when some memory
 * could not be read (the rest is there; `failure` of TARGET says why, at further calls too) or the
 * tool's `progress` ended it (nothing is there, and `stop` is not the target's);
 * ompd_rc_unsupported when the tool does not tell memory regions; ompd_rc_nomem.
 */
ompd_rc_t inventory_take(struct inventory *inventory, struct target *target, struct code *code,
                         const struct runtimes *runtimes);

/* The item with HANDLE, NULL when there is none.  In a logarithmic number of steps within a block.
 */
struct inventory_item *inventory_find(const struct inventory *inventory, uint64_t handle);

/* The last item whose handle is ADDRESS or below; NULL when there is none. */
const struct inventory_item *inventory_find_below(const struct inventory *inventory,
                                                  uint64_t address);

/* Begin at the first item. */
void inventory_begin(const struct inventory *inventory, struct inventory_cursor *cursor);

/* The next item of a kind whose bit 1 << enum layout_kind is in KINDS, NULL at the end. */
const struct inventory_item *inventory_next(struct inventory_cursor *cursor, uint32_t kinds);

/* Give back what INVENTORY holds. */
void inventory_free(struct inventory *inventory, struct memory *memory);

/* ---- last-reference -------------------------------------------------------------------------- */

/* Objects that have lost their last reference, and are being destroyed at the stop. */

/*
 * The cl handle of the OpenCL context of what is at HANDLE, in the memory that was given out at
 * START, if it has lost its last reference, of whatever kind of RUNTIME's it is: it is being
 * destroyed, however much of it is undone already.  That of an OpenCL context is its own.  0: it is
 * no such object.
 */
uint64_t last_reference_context(struct target *target, const struct runtime *runtime,
                                uint64_t handle, uint64_t start);

/*
 * Find which rejected words of DISCOVERY are being destroyed: they become candidate_dying, with
 * their OpenCL contexts.  A word at one of these becomes candidate_is_named, as enough of it may be
 * undone that it looks like nothing.
 */
void last_references_find(struct discovery *discovery);

/* ---- malloc-chunk ---------------------------------------------------------------------------- */

/* The memory that objects were allocated in, where glibc's malloc did it. */

/* How far beyond the fields of an object most chunks end, in bytes. */
#define MALLOC_CHUNK_REACH 1024

struct malloc_chunk {
    uint32_t size; /* bytes; 0: none can be seen */
    bool is_free;  /* the allocator has taken it back */
    bool is_lost;  /* whether there is one cannot be read */
};

/*
 * Look at the chunk of the OBJECT at HIT.  That of a freed object shows when it has become one with
 * its neighbours; the allocator then writes a size over its end, where a count of references may
 * have been.  Of a chunk that waits to be given out again as it is, the start is overwritten.
 */
struct malloc_chunk malloc_chunk_inspect(struct target *target, const struct scan_hit *hit,
                                         const struct layout_object *object);

/*
 * Tell whether the object of LAYOUT at HANDLE, about which no chunk was seen, was in one of SIZE
 * bytes that is now part of a larger free one: at its end is written how far that reaches back.
 */
bool malloc_chunk_was_freed(struct target *target, uint64_t handle,
                            const struct layout_object *layout, uint32_t size);

/*
 * Tell whether the size before the object of LAYOUT at HANDLE, which could be that of its chunk, is
 * left of an earlier time: that chunk would not begin where the free one before it ends.
 */
bool malloc_chunk_is_left(struct target *target, uint64_t handle,
                          const struct layout_object *layout);

/* What is known of the memory that a word is in. */
enum malloc_chunk_finding {
    malloc_chunk_not_seen, /* no chunk of glibc's malloc has it */
    malloc_chunk_is_free,
    malloc_chunk_is_allocated /* to the program, unless malloc_chunk_is_used says otherwise */
};

/*
 * Find the chunk that has the word at HIT in it, of whatever object: *START is what the program
 * got; where no chunk is seen it is unchanged.
 */
enum malloc_chunk_finding malloc_chunk_find(struct target *target, const struct scan_hit *hit,
                                            uint64_t *start);

/*
 * Tell whether the object of LAYOUT at HANDLE, about which no chunk was seen, would begin in a
 * chunk and reach out of it: no allocation does.  *START is then what the program got of the chunk.
 */
bool malloc_chunk_is_crossed(struct target *target, uint64_t handle,
                             const struct layout_object *layout, uint64_t *start);

/* Tell whether ADDRESS lies in a free chunk, or in what the allocator has not given out yet. */
bool malloc_chunk_in_free(struct target *target, uint64_t address);

/*
 * Tell whether the chunk of START, which malloc_chunk_find gave, is one now, in use or waiting to
 * be given out again, and not what is left of one within a larger free one.
 */
bool malloc_chunk_is_there(struct target *target, uint64_t start);

/*
 * Tell whether the chunk of START, which malloc_chunk_find gave, is one now and in use: one that
 * waits to be given out again as it is begins with the address of the next such.
 */
bool malloc_chunk_is_used(struct target *target, uint64_t start);

/* Tell whether START, an address within a chunk, seems to have been what a program got, of a chunk
 * that is gone: its size is left before it. */
bool malloc_chunk_was_start(struct target *target, uint64_t start);

/* The bytes that the chunk of START has behind it; 0 when that cannot be read. */
uint64_t malloc_chunk_room(struct target *target, uint64_t start);

/* Set `typical_chunks`: for a kind whose objects are mostly in chunks of malloc, the most frequent
 * chunk size. Where there are only one or two, the other objects of the runtime decide whether it
 * allocates by malloc.  Tells whether any object of such a kind is in no chunk. */
bool typical_chunks_find(struct discovery *discovery);

/* ---- match ----------------------------------------------------------------------------------- */

/* From words that point to a dispatch table to candidates, by what lies about them. */

/* Find the candidates: look through memory once.  Returns as scan_memory. */
ompd_rc_t match_candidates(struct discovery *discovery);

/* ---- stack-candidates ------------------------------------------------------------------------ */

/* Candidates on the stacks of threads: a runtime makes an object there and moves it to the heap. */

/*
 * Doubt the chosen candidates on stacks that no other object names, and tell COPY of each.  What is
 * not known to be a stack has none.  Returns ompd_rc_ok, or what ended the work (rc_is_final).
 */
ompd_rc_t stack_candidates_doubt(struct discovery *discovery,
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate));

/* ---- non-objects ----------------------------------------------------------------------------- */

/* Words that lead to a dispatch table where no object is that the layout knows. */

/* Note the word at HIT, which leads to the table of the runtime at INDEX and is of no object that
 * its layout knows, unless it is in the data of the runtime itself or in memory that was freed.
 * Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t non_object_add(struct discovery *discovery, const struct scan_hit *hit, uint8_t index);

/* ---- runtime-data ---------------------------------------------------------------------------- */

/* What the runtimes keep in the data of their own modules. */

/*
 * Disprove of the memory that SCAN thought to be untouched what the data of RUNTIMES leads into: a
 * runtime keeps pointers to what it has made.  A pointer to the start of a page does not count: so
 * mmap(2) gives memory to which nothing was written yet.  Returns ompd_rc_ok or ompd_rc_nomem; what
 * cannot be read leads nowhere.
 */
ompd_rc_t runtime_data_check(const struct runtimes *runtimes, struct target *target,
                             struct scan *scan);

/* ---- deferred-destructors -------------------------------------------------------------------- */

/* Objects that the runtime alone holds, until it has run their destructor callbacks. */

/* Mark the candidates whose destructor callbacks the runtime has taken out to run them on a thread
 * of its own.  Scans stacks where a layout says where the callbacks return to.  Returns ompd_rc_ok,
 * ompd_rc_nomem, or ompd_rc_incomplete when the tool cancelled. */
ompd_rc_t deferred_destructors_find(struct discovery *discovery);

/* ---- unrecognised ---------------------------------------------------------------------------- */

/* Objects that the layout of their runtime does not recognise. */

/* After the audit: see whether there are objects of a runtime that its layout does not recognise,
 * as those of another build. */
void unrecognised_count(struct discovery *discovery);

#endif
