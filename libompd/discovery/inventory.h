/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The inventory: every OpenCL object that the layouts find in the target at one stop, from one scan
 * of its writable memory.  16 bytes an object are held until the next stop.
 */
#ifndef LIBOMPD_INVENTORY_H
#define LIBOMPD_INVENTORY_H

#include "runtime/runtime.h"
#include "target/scan.h"

/* What is known of an object beside where it is. */
enum inventory_mark {
    inventory_dying = 1,      /* its destructor callbacks are running */
    inventory_internal = 2,   /* the runtime made it for itself */
    inventory_recorded = 4,   /* the recorder has it too */
    inventory_taken = 8,      /* the runtime has taken the list of those callbacks out of it */
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
    uint64_t taken;   /* objects with that mark, but for doubtful ones */
    uint64_t scanned; /* bytes looked through */
    struct scan_missed missed;
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
static inline bool inventory_may_lack(const struct inventory *inventory)
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

#endif
