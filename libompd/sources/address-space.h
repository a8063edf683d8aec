/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of one address space, and why a call on it failed. */
#ifndef LIBOMPD_ADDRESS_SPACE_H
#define LIBOMPD_ADDRESS_SPACE_H

#include "base/base.h"
#include "target/scan.h"
#include "target/target.h"

/* Why some mistakes were not looked for: what the target, or the tool, does not tell. */
enum unchecked {
    unchecked_recorder,      /* there is none */
    unchecked_regions,       /* the tool does not tell what is mapped */
    unchecked_stacks,        /* nor where the stacks of threads end */
    unchecked_callbacks,     /* neither a recorder nor the tool tells what threads are in */
    unchecked_waits,         /* there is no recorder, nor such a tool, to tell who waits, */
    unchecked_objects,       /* or no recorder to tell for what, */
    unchecked_certainty,     /* or none to prove what is told, */
    unchecked_threads,       /* or it keeps no threads, */
    unchecked_commands,      /* or no commands */
    unchecked_references,    /* there is none to tell which references are the program's */
    unchecked_builds,        /* nothing tells how the builds of programs went */
    unchecked_user_data,     /* the recorder does not tell where user data was, */
    unchecked_mappings,      /* or not of memory that was mapped */
    unchecked_arguments,     /* kernels may hold what uses memory that is gone */
    unchecked_allocator,     /* memory may be another allocator's than glibc's malloc, */
    unchecked_heaps,         /* or no heap of that is there, */
    unchecked_corrupt_heap,  /* or what is one is not whole, */
    unchecked_cached_blocks, /* or which blocks of it are kept to be given out again */
    UNCHECKED_COUNT
};
#define UNCHECKED(reason) (UINT32_C(1) << unchecked_##reason)

/* What the notes are about. */
struct notes {
    uint32_t parts;        /* bits of COVERAGE that the answer needed from layouts */
    uint64_t deferred;     /* objects whose destructor callbacks are missing in it, being taken */
    bool is_searched;      /* memory was looked through for it */
    bool has_lost_modules; /* the tool failed to tell them all, or to read them */
    struct shortfall missing; /* from a list that was asked for */
    uint64_t main_lwp;        /* the main thread, which has ended while */
    uint64_t thread_count;    /* these live; 0: it lives, or that is not known */
};

struct list;
struct known_layout;
struct recorder_source;
struct layout_source;
struct stack_source;
struct kept_answers;

struct address_space {
    uint64_t salt; /* of its ids */
    unsigned slot; /* that it got its handle from */
    struct target target;
    struct code code;
    struct thread_stack stack; /* that was asked for last */
    struct message message;
    bool keeps_message; /* the call that is under way leaves that of the last one */
    struct notes notes;
    struct message note; /* the last that was given */
    struct list *open_lists;
    struct list *closed_lists; /* to be used again */
    uint64_t lists_opened;
    struct handle_table handles;  /* of devices and threads */
    uint32_t sources;             /* that the tool wants: bits 1 << ompd_cl_source_t */
    struct known_layout *layouts; /* that the tool gave, the newest first */
    /* The target's stop at which the registry's root was read; 0: what is known of it is no good.
     */
    uint64_t registry_stop;
    struct recorder_source *recorder;
    struct layout_source *layout;
    struct stack_source *stacks;
    struct kept_answers *kept;
};

/* Whether the tool wants SOURCE. */
static inline bool address_space_wants(const struct address_space *space, ompd_cl_source_t source)
{
    return (space->sources >> source & 1) != 0;
}

/* Whether the recorder's registry is a source of SPACE at this stop, once that was found out. */
static inline bool address_space_has_recorder(const struct address_space *space)
{
    return address_space_wants(space, ompd_cl_source_recorder) &&
           space->registry_stop == space->target.stop;
}

/* The rows that answer a question at one stop, which costs much: kept for who asks again. */
struct kept_rows {
    uint64_t stop;    /* the target's when they were looked for; 0: they never were, to the end */
    uint64_t subject; /* what they are about; 0: the whole process */
    uint32_t sources; /* those that the tool wanted then */
    uint32_t count;
    uint32_t capacity;
    struct shortfall missing; /* from them, or from what they are told by */
    void *rows;
};

/* Rows beyond it are counted alone: law 6. */
#define KEPT_LIMIT (UINT32_C(1) << 16)

/* Tell whether KEPT answers a question about SUBJECT.  What could not be read may be there for who
 * asks anew: IS_BEGUN tells that rows were given already. */
bool kept_rows_are_good(const struct address_space *space, const struct kept_rows *kept,
                        uint64_t subject, bool is_begun);

/* Begin to look for the rows of KEPT, about SUBJECT, anew. */
void kept_rows_begin(struct kept_rows *kept, uint64_t subject);

/* Add ROW, of SIZE bytes; beyond LIMIT it is lost.  Returns as memory_grow. */
ompd_rc_t kept_rows_add(struct address_space *space, struct kept_rows *kept, size_t size,
                        uint32_t limit, const void *row);

/* All rows of KEPT were looked for. */
void kept_rows_end(const struct address_space *space, struct kept_rows *kept);

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return ompd_rc_bad_input with the reason that WHAT, an argument of the call, is NULL. */
ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what);

/* Return RC, which the target or the registry gave, with a reason if it has none yet. */
ompd_rc_t address_space_set_message(struct address_space *space, ompd_rc_t rc);

/* Set *TEXT to the path of a module that is mapped at START, of which NAME is as struct module has
 * it, and LENGTH that of the whole. */
void address_space_set_path(const struct address_space *space, uint64_t start, const char *name,
                            uint64_t length, ompd_cl_text_t *text);

/* ---- row ------------------------------------------------------------------------------------- */

/* What can be done with a row of any kind by its description alone. */

/* Tell whether INFO of KIND meets FILTER, or may. */
bool row_passes(uint32_t kind, const void *info, const ompd_cl_filter_t *filter);

/* Tell whether STRUCT_SIZE, as a tool gave it, can be of rows of KIND. */
bool row_size_is_good(uint32_t kind, ompd_size_t struct_size);

/* Check INFO, a tool's info struct of KIND, and read its *STRUCT_SIZE.  Returns ompd_rc_ok or
 * ompd_rc_bad_input. */
ompd_rc_t row_check(struct address_space *space, uint32_t kind, const void *info,
                    ompd_size_t *struct_size);

/* Copy INFO of KIND to the tool's ROW of STRUCT_SIZE bytes. */
void row_copy_to_tool(uint32_t kind, const void *info, void *row, ompd_size_t struct_size);

#endif
