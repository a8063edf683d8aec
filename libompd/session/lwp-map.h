/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The numbers of threads in another PID namespace: the recorder writes what gettid(2) gives to the
 * program, as in a container, and the tool has what it gives outside of it.
 */
#ifndef LIBOMPD_LWP_MAP_H
#define LIBOMPD_LWP_MAP_H

#include "base/memory.h"

#include <stdbool.h>

struct address_space;

/* A thread of the tool's. */
struct lwp_pair {
    uint64_t pthread;  /* 0: not known */
    uint64_t told;     /* by the tool */
    uint64_t recorded; /* 0: it has not entered OpenCL */
};

/* Of one stop.  Memory for it is held as long as the address space. */
struct lwp_map {
    uint64_t stop; /* the target's that it is of */
    struct lwp_pair *pairs;
    uint32_t count; /* 0: the numbers are the same, or not known to differ */
    uint32_t capacity;
};

/* Have the map of this stop; the registry's root was read, and none of its records is in use.
 * Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t lwp_map_take(struct address_space *space);

/* The tool's number of the thread that the recorder calls RECORDED; 0: not known, it has ended. */
uint64_t lwp_map_told(const struct lwp_map *map, uint64_t recorded);

/* The recorder's number of the thread that the tool calls TOLD; 0: it has not seen it. */
uint64_t lwp_map_recorded(const struct lwp_map *map, uint64_t told);

/* Have ROW of KIND, as the recorder's record was decoded, name threads as the tool does. */
void lwp_map_rename(const struct lwp_map *map, uint32_t kind, void *row);

/* The same of VALUE, the number of a thread or a process. */
void lwp_map_rename_thread(const struct lwp_map *map, ompd_cl_value_t *value);

#endif
