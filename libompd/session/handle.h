/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OMPD handles: numbers that are looked up and never followed (law 3), and the table of those that
 * one address space has given out. */
#ifndef LIBOMPD_HANDLE_H
#define LIBOMPD_HANDLE_H

#include "base/memory.h"

/* Address spaces of processes that can live at once; each has a slot. */
#define HANDLE_SLOT_BITS 8
#define HANDLE_SLOT_COUNT (1u << HANDLE_SLOT_BITS)

enum handle_kind {
    handle_of_none = 0,
    handle_of_process = 1,
    handle_of_device = 2,
    handle_of_thread = 3,
};

/* What a handle's number says. */
struct handle {
    enum handle_kind kind;
    unsigned slot;
    uintptr_t count; /* handles that this slot had given out before, of any kind */
};

/* A slot that has given out so many gives out no more, so that no number comes twice. */
#define HANDLE_COUNT_LIMIT (UINTPTR_MAX >> (HANDLE_SLOT_BITS + 2))

uintptr_t handle_encode(struct handle handle);

/* Take NUMBER apart: of kind none when no handle has such a number.  One that was never given out
 * has in all likelihood a count that no slot has come to. */
struct handle handle_decode(uintptr_t number);

/* A handle of a device or a thread. */
struct handle_entry {
    uintptr_t count;
    enum handle_kind kind; /* none once it is released */
    uint32_t generation;   /* thread: of its record */
    uint64_t address;      /* thread: of its record; device: the cl_device_id */
    uint32_t incarnation;  /* of the target's registry */
};

/* Those of an address space, by ascending count. */
struct handle_table {
    struct handle_entry *entries;
    uint32_t used; /* entries, released ones too */
    uint32_t live;
    uint32_t capacity;
};

/* Have room for one more.  Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t handle_table_make_room(struct handle_table *table, struct memory *memory);

/* Put ENTRY, whose count is above all others, into the room that was made. */
void handle_table_add(struct handle_table *table, const struct handle_entry *entry);

/* The entry of a device or thread handle, NULL for one that is released or was never given out. */
struct handle_entry *handle_table_find(struct handle_table *table, struct handle handle);

/* Release an entry. */
void handle_table_remove(struct handle_table *table, struct handle_entry *entry);

#endif
