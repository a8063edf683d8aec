/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of one address space, and why a call on it failed. */
#ifndef LIBOMPD_ADDRESS_SPACE_H
#define LIBOMPD_ADDRESS_SPACE_H

#include "base/base.h"
#include "target/scan.h"
#include "target/target.h"

/* Why some mistakes were not checked: what the target or the tool does not provide. */
enum unchecked {
    unchecked_recorder,      /* there is no recorder */
    unchecked_regions,       /* the tool does not list mapped memory */
    unchecked_stacks,        /* nor the ends of threads' stacks */
    unchecked_callbacks,     /* neither a recorder nor the tool shows what threads are in */
    unchecked_waits,         /* neither a recorder nor the tool shows who waits, */
    unchecked_objects,       /* or for what, */
    unchecked_certainty,     /* or there is no recorder to prove it, */
    unchecked_threads,       /* or it records no threads, */
    unchecked_commands,      /* or no commands */
    unchecked_references,    /* no recorder shows which references are the program's */
    unchecked_builds,        /* nothing shows the results of program builds */
    unchecked_user_data,     /* the recorder does not store where user data was, */
    unchecked_mappings,      /* or not whether it was mapped memory */
    unchecked_arguments,     /* kernels may retain objects that use freed memory */
    unchecked_allocator,     /* another allocator than glibc's malloc may own memory, */
    unchecked_heaps,         /* or no heap of glibc's malloc was found, */
    unchecked_corrupt_heap,  /* or one is corrupt, */
    unchecked_cached_blocks, /* or the list of cached blocks was not found */
    UNCHECKED_COUNT
};
#define UNCHECKED(reason) (UINT32_C(1) << unchecked_##reason)

/* The contents of the notes. */
struct notes {
    uint32_t parts;           /* bits of COVERAGE that the answer needed from layouts */
    uint64_t deferred;        /* objects whose destructor callbacks the runtime has taken out */
    bool is_searched;         /* the answer needed a search of memory */
    bool has_lost_modules;    /* the tool failed to list or read some modules */
    struct shortfall missing; /* from the list that was read */
    uint64_t main_lwp;        /* the main thread, if it has ended, and */
    uint64_t thread_count; /* the number of live threads; 0: it has not ended, or that is unknown */
};

struct list;
struct known_layout;
struct recorder_source;
struct layout_source;
struct stack_source;
struct kept_answers;

struct address_space {
    uint64_t salt; /* for its ids */
    unsigned slot; /* the slot of its handle */
    struct target target;
    struct code code;
    struct thread_stack stack; /* read last */
    struct message message;
    bool keeps_message; /* the current call leaves the message of the last one */
    struct notes notes;
    struct message note; /* the last one returned */
    struct list *open_lists;
    struct list *closed_lists; /* for reuse */
    uint64_t lists_opened;
    struct handle_table handles; /* of devices and threads */
    /* Bits 1 << ompd_cl_source_t of the sources that the tool wants, and SOURCES_UNCHOSEN. */
    uint32_t sources;
    struct known_layout *layouts; /* added by the tool, newest first */
    /* The target's stop at which the registry's root was read; 0: the cached data is invalid. */
    uint64_t registry_stop;
    struct recorder_source *recorder;
    struct layout_source *layout;
    struct stack_source *stacks;
    struct kept_answers *kept;
};

/* The tool has not chosen sources. All are used, but memory is only searched for objects that the
 * recorder may have missed. */
#define SOURCES_UNCHOSEN OMPD_CL_SOURCES_DEFAULT

/* Whether the tool wants SOURCE. */
static inline bool address_space_wants(const struct address_space *space, ompd_cl_source_t source)
{
    return (space->sources >> source & 1) != 0;
}

/* Whether the recorder's registry is a source of SPACE at this stop, once that has been
 * determined. */
static inline bool address_space_has_recorder(const struct address_space *space)
{
    return address_space_wants(space, ompd_cl_source_recorder) &&
           space->registry_stop == space->target.stop;
}

/* A cache of the rows that answer a question at one stop, because finding them is expensive. */
struct kept_rows {
    uint64_t stop;    /* the target's stop; 0: the rows were never found completely */
    uint64_t subject; /* the subject of the rows; 0: the whole process */
    uint32_t sources; /* the sources that the tool wanted */
    uint32_t count;
    uint32_t capacity;
    struct shortfall missing; /* from the rows, or from the data that they derive from */
    void *rows;
};

/* Further rows are only counted: law 6. */
#define KEPT_LIMIT (UINT32_C(1) << 16)

/* Whether KEPT answers a question about SUBJECT. An incomplete answer is valid only for a caller
 * that has already read rows of it, as IS_BEGUN says; other callers search again. */
bool kept_rows_are_good(const struct address_space *space, const struct kept_rows *kept,
                        uint64_t subject, bool is_begun);

/* Begin a new search for the rows of KEPT, about SUBJECT. */
void kept_rows_begin(struct kept_rows *kept, uint64_t subject);

/* Add ROW of SIZE bytes; beyond LIMIT it is lost. Returns as memory_grow does. */
ompd_rc_t kept_rows_add(struct address_space *space, struct kept_rows *kept, size_t size,
                        uint32_t limit, const void *row);

/* End the search: KEPT is complete. */
void kept_rows_end(const struct address_space *space, struct kept_rows *kept);

/* Return RC with TEXT as the reason. */
ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text);

/* Return ompd_rc_bad_input with the reason that WHAT, an argument of the call, is NULL. */
ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what);

/* Return RC, with a message if there is none yet. */
ompd_rc_t address_space_set_message(struct address_space *space, ompd_rc_t rc);

/* Set *TEXT to the path of the module mapped at START, with NAME and LENGTH as in struct module. */
void address_space_set_path(const struct address_space *space, uint64_t start, const char *name,
                            uint64_t length, ompd_cl_text_t *text);

/* ---- row ------------------------------------------------------------------------------------- */

/* Rows of any kind, by their description alone. */

/* Whether INFO of KIND matches FILTER, or may match. */
bool row_passes(uint32_t kind, const void *info, const ompd_cl_filter_t *filter);

/* Whether STRUCT_SIZE from a tool is valid for rows of KIND. */
bool row_size_is_good(uint32_t kind, ompd_size_t struct_size);

/* Check INFO, a tool's info struct of KIND, and read its *STRUCT_SIZE.  Returns ompd_rc_ok or
 * ompd_rc_bad_input. */
ompd_rc_t row_check(struct address_space *space, uint32_t kind, const void *info,
                    ompd_size_t *struct_size);

/* Copy INFO of KIND to the tool's ROW of STRUCT_SIZE bytes. */
void row_copy_to_tool(uint32_t kind, const void *info, void *row, ompd_size_t struct_size);

#endif
