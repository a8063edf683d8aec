/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the target's memory is for: whose data, whose stack, and what is the recorder's own. */
#ifndef LIBOMPD_OWNER_MAP_H
#define LIBOMPD_OWNER_MAP_H

#include "target/thread-stack.h"

struct address_space;

/* What a module is to the program. */
enum module_role {
    module_of_program, /* itself, and the libraries that it uses */
    module_of_runtime, /* an OpenCL runtime, or its loader */
    module_of_recorder,
    module_of_c_library /* which begins threads for others */
};

/* The memory of a module: [start, end). */
struct owner_module {
    uint64_t start;
    uint64_t end;
    uint32_t index; /* the tool's */
    enum module_role role;
};

/* The memory that a thread's stack is in. */
struct owner_stack {
    uint64_t lwp;     /* 0: not known, of the first thread */
    uint64_t pthread; /* 0: not known */
    uint64_t start;   /* of the region */
    uint64_t end;
    uint64_t live; /* words below are dead; 0: not known, they may all be */
};

/* Records of one table of the recorder's, from the start of one to the end of another. */
struct owner_range {
    uint64_t start;
    uint64_t end;
    uint32_t table; /* number of the table */
};

/* Of one stop.  Memory for it is held as long as the address space. */
struct owner_map {
    uint64_t stop; /* the target's that it is of */
    struct owner_module *modules;
    uint32_t module_count;
    uint32_t module_capacity;
    struct owner_stack *stacks;
    uint32_t stack_count;
    uint32_t stack_capacity;
    struct owner_range *records; /* the recorder's */
    uint32_t record_count;
    uint32_t record_capacity;
    uint32_t stack_pointer; /* its number in DWARF; UINT32_MAX: not known */
    bool lacks_some;        /* what the tool failed to tell, or to read, is missing */
};

/* Have the map of this stop; what could not be had for an earlier search may be there now.  Returns
 * ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted: what the tool does not tell is missing in it.
 */
ompd_rc_t owner_map_take(struct address_space *space);

/* The module whose memory ADDRESS is in; NULL: none. */
const struct owner_module *owner_module_find(const struct owner_map *map, uint64_t address);

/* The stack whose memory ADDRESS is in; NULL: none that is known. */
const struct owner_stack *owner_stack_find(const struct owner_map *map, uint64_t address);

/* The recorder's records that ADDRESS is in; NULL: it is in none. */
const struct owner_range *owner_range_find(const struct owner_map *map, uint64_t address);

#endif
