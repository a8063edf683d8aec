/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tool of the fault sweep: its callbacks read a target, and one of them fails on demand. */
#ifndef SWEEP_TOOL_H
#define SWEEP_TOOL_H

#include "session.h"
#include "target.h"

#define TOOL_ALLOCATION_LIMIT 256

enum tool_callback {
    tool_alloc,
    tool_monitor, /* fails: refuses an allocation */
    tool_limit,   /* the same, by the address space's memory limit */
    tool_symbol,
    tool_sizes,
    tool_to_host,
    tool_to_device,
    tool_read,
    tool_read_string,
    tool_thread_context,
    tool_region, /* asked about reads that fail: all do meanwhile */
    tool_map_memory,
    tool_module,
    tool_module_symbol,
    tool_progress, /* fails: ends the search */
    tool_callback_count,
    tool_none = tool_callback_count
};

enum tool_manner {
    tool_fails,      /* at once */
    tool_fills_half, /* reads half of it, then fails */
    tool_has_gap,    /* a cache line of the read range is not in the target */
    tool_ends        /* from somewhere in the read range to the page's end, everything is missing */
};

/* The positions in a read where the missing part begins. */
#define TOOL_PLACES 16

/* The fault to inject. */
struct tool_fault {
    enum tool_callback callback;
    enum tool_manner manner;
    uint64_t at; /* call number, from 1; 0: none */
    bool is_for_ever;
    ompd_rc_t code; /* that the callback returns */
    bool is_blind;  /* memory_region fails as well */
    unsigned place; /* of TOOL_PLACES, where a gap or an end is */
};

/* A copy of the target's memory that was mapped. */
struct tool_copy;

struct sweep_tool {
    struct sweep_target target; /* what a session takes */
    const struct sweep_target *real;
    bool maps_memory;
    struct tool_fault fault;
    uint64_t calls[tool_callback_count];  /* since the fault was given */
    uint64_t failures;                    /* likewise */
    int64_t limit;                        /* of `held`, which must not be exceeded; 0: none */
    bool is_limit_passed;                 /* since the fault was given */
    ompd_address_space_handle_t *limited; /* has that limit set; NULL for none */
    uint64_t hole_start;
    uint64_t hole_end;
    struct tool_copy *copies;
    int64_t held; /* bytes, by the monitor of the current session */
    /* The allocated bytes after allocation number i, since the fault was set. */
    int64_t held_at[TOOL_ALLOCATION_LIMIT];
};

/* Set TOOL up for the target REAL, which stays the caller's. */
void sweep_tool_begin(struct sweep_tool *tool, const struct sweep_target *real);
void sweep_tool_end(struct sweep_tool *tool);

/* Make SESSION's memory and monitor fail with the tool's callbacks, before it is opened. */
void sweep_tool_attach(struct sweep_tool *tool, struct sweep_session *session);

/* Inject FAULT from now on, counting calls from 0. */
void sweep_tool_arm(struct sweep_tool *tool, const struct tool_fault *fault);

/* Refresh SPACE.  Memory that was mapped before is garbage from then on. */
ompd_rc_t sweep_tool_refresh(struct sweep_tool *tool, ompd_address_space_handle_t *space);

/* Stop all faults, and restore what was missing; the counts remain. */
void sweep_tool_repair(struct sweep_tool *tool);

extern const char *const sweep_tool_callback_names[tool_callback_count];

#endif
