/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A target from within: what its parts (core or process, regions, threads, modules) share.
 *
 * Functions are named for their file.  They return an ompd_host_rc_t and, where it is not
 * ompd_host_rc_ok, have set the target's message.
 */
#ifndef OMPD_HOST_BASE_H
#define OMPD_HOST_BASE_H

#include <config.h>
#include <elfutils/libdwfl.h>
#include <host/base/callbacks.h>
#include <ompd-opencl-host.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- array ----------------------------------------------------------------------------------- */

/* ARRAY, whose COUNT elements of SIZE bytes were added one by one after such a call, with room for
 * another; NULL at first.  Returns NULL, and ARRAY is as it was, where there is no memory. */
void *array_grow(void *array, size_t count, size_t size);

/* Sort COUNT elements of SIZE bytes by the number of 8 bytes that each begins with, and compare two
 * of them by it. */
void array_sort(void *array, size_t count, size_t size);
int array_compare(const void *first, const void *second);

/* The number of elements of ARRAY that end at or below ADDRESS: ranges that do not overlap, sorted,
 * each of which begins as struct range does. */
size_t array_find(const void *array, size_t count, size_t size, uint64_t address);

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Ranges of a target's addresses, collected in any order. */

struct range {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
};

struct ranges {
    struct range *items;
    size_t count;
    size_t capacity;
    bool is_short; /* there was no memory for some */
};

/* Add the SIZE bytes at START, up to the last address at most. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t size);

/* Sort RANGES and merge those that touch. */
void ranges_settle(struct ranges *ranges);

/* Take the addresses of OTHERS from RANGES, both settled. */
void ranges_subtract(struct ranges *ranges, const struct ranges *others);

/* The number of ranges that end at or below ADDRESS, RANGES being settled. */
size_t ranges_find(const struct ranges *ranges, uint64_t address);

/* Give back what RANGES hold. */
void ranges_free(struct ranges *ranges);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A piece of a core, and numbers in it: in the target's byte order, within bounds. */

struct bytes {
    const uint8_t *start;
    size_t size;
    bool is_swapped;
};

/* SIZE bytes of WHOLE from OFFSET on: fewer, down to none, where it ends before. */
struct bytes bytes_cut(struct bytes whole, uint64_t offset, uint64_t size);

/* The number of SIZE (1, 2, 4 or 8) bytes at OFFSET; 0 when it is not within. */
uint64_t bytes_number(struct bytes whole, uint64_t offset, size_t size);

/* The text at OFFSET, NULL when it does not end within. */
const char *bytes_text(struct bytes whole, uint64_t offset);

/* ---- target ---------------------------------------------------------------------------------- */

#define PUBLIC __attribute__((visibility("default")))

#define HOST_MESSAGE_SIZE 512

/* A file that the target has mapped, as the note NT_FILE of a core says. */
struct file_mapping {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    uint64_t offset;  /* bytes into the file */
    const char *path; /* in the core */
};

/* A range of the target's addresses, all of which is saved or none. */
struct region {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    /* Core: its bytes, mapped as long as the target is open; NULL when there are none.
     * file_pages_find sets it where the core has none, but the file that was mapped does. */
    const uint8_t *bytes;
    const struct file_mapping *file; /* core: what it maps; NULL: no file */
    bool has_permissions;            /* else the next three are not known */
    bool is_readable;                /* false, as the others: a range kept free */
    bool is_writable;
    bool is_executable;
    bool is_left_out;   /* core: it has nothing of the whole segment */
    bool is_private;    /* process: memory of no file, not shared with others */
    bool is_untouched;  /* presumably never written to; of a process, what cannot be read of it */
    bool is_zero;       /* core: a hole of its file; process: it has no pages there */
    bool is_unsearched; /* process: it is not known which pages are there, and there is too much */
    bool is_searched;   /* snapshot: what it has nothing of was searched before */
    uint64_t whole_start; /* of a part of what the program mapped as one, else 0 */
    uint64_t whole_end;
};

struct thread {
    uint32_t lwp;
    uint32_t own_lwp; /* in the process's own PID namespace; 0: the same */
    int32_t signal;   /* core: that it got, as NT_PRSTATUS says */
    uint64_t pthread; /* 0: not known */
    uint32_t segment; /* core of an i386: number of the descriptor that has its thread pointer */
    bool is_seized;   /* process: held by ptrace */
    int32_t held;     /* process: a signal that it was about to get, for when it is let go */
    /* Process that the caller traces: what NT_PRSTATUS has; NULL: of others. */
    uint8_t *registers;
    size_t registers_size; /* bytes */
};

/* A note of a core: its bytes are the core's. */
struct core_note {
    uint32_t type;
    const char *name; /* "CORE" or "LINUX" */
    const uint8_t *contents;
    size_t size;
};

/* A core file. */
struct core {
    int descriptor;       /* of the file, or of the unlinked one that it was unpacked to */
    const uint8_t *bytes; /* the whole of it, mapped; NULL: this target is no core */
    size_t size;
    uint64_t present;    /* bytes that are really in it: a file may have holes */
    uint64_t whole_size; /* that it should have */
    int64_t time;
    struct file_mapping *files; /* sorted by address */
    size_t file_count;
    uint64_t saved_bytes;
    uint64_t left_out_bytes;
    uint64_t unsaved_reads; /* that ended in ompd_host_rc_not_saved */
    /* Of the note NT_AUXV; 0: not there. */
    uint64_t program_headers; /* AT_PHDR */
    uint64_t entry_point;     /* AT_ENTRY */
    uint64_t program_name;    /* AT_EXECFN: address of a text */
    uint64_t vdso;            /* AT_SYSINFO_EHDR */
    bool is_of_debugger;      /* written by GDB's gcore, not by the kernel */
    bool lacks_notes;         /* they are cut off */
    bool is_snapshot;         /* saved by this library, without what is in buffers */
    struct core_note *notes;  /* of the kernel's names */
    size_t note_count;
    struct region *snapshot_regions; /* of the process's memory, sorted, without bytes */
    size_t snapshot_region_count;
    volatile bool is_cut; /* a signal handler has met that the file was cut off */
};

struct page_words;

/* A process. */
struct process {
    int memory;               /* /proc/PID/mem, -1: this target is no process */
    struct tracer *tracer;    /* NULL: it is not stopped here */
    bool is_traced;           /* by the caller, who has stopped it */
    bool is_apart;            /* in a PID namespace below the one of /proc here */
    struct region *untouched; /* ranges that could not be read, as untouched.c finds; sorted */
    size_t untouched_count;
    struct page_words *words; /* of page-words.c; NULL: it knows nothing yet */
};

/* What modules and their symbols were found; of symbol.c and its neighbours. */
struct symbols;

#define REGISTER_COUNT 128 /* no machine has more that a stack is followed by */

/* Of the first frame all, and of the others those that functions preserve. */
#define TOLD_REGISTERS (REGISTER_COUNT + 1024)

struct ompd_host_target_t {
    char message[HOST_MESSAGE_SIZE];
    /* The options, copied; NULL: none. */
    char *executable;
    char *sysroot;
    bool asks_debuginfod;
    bool opens_no_files;
    bool (*progress)(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole);
    void *progress_user_ptr;
    bool (*is_interrupted)(void *user_ptr);
    uint32_t log_level;

    bool is_swapped;
    uint16_t machine;                                  /* EM_ of <elf.h> */
    ompd_cl_register_t told_registers[TOLD_REGISTERS]; /* of the stack that was told last */
    uint32_t pointer_size;
    pid_t pid;
    int32_t signal;
    char *path; /* of the core */
    char *program;
    char *command_line;
    char *host_name;

    struct region *regions; /* sorted, disjoint */
    size_t region_count;
    uint64_t region_end; /* of that which was asked for last */
    struct thread *threads;
    size_t thread_count;
    struct core core;
    struct process process;

    uint64_t short_places; /* named without debug information that is too much to be read */

    struct symbols *symbols;  /* made by what first needs them; NULL: not yet */
    struct ranges *looked_at; /* of a snapshot being made: what the library reads; else NULL */
    ompd_host_callbacks_t *bound;
    ompd_callbacks_t callbacks; /* valid when bound is not NULL */
};

static inline bool target_is_core(const ompd_host_target_t *target)
{
    return target->core.bytes != NULL;
}

/* Nothing stops it: what it has may change at any time. */
static inline bool target_is_running(const ompd_host_target_t *target)
{
    return !target_is_core(target) && target->process.tracer == NULL && !target->process.is_traced;
}

/* ---- message --------------------------------------------------------------------------------- */

/* Keep a sentence, without a newline, as TARGET's message, and return RC. */
ompd_host_rc_t target_message_set(ompd_host_target_t *target, ompd_host_rc_t rc, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* The call succeeded: there is no message. */
ompd_host_rc_t target_message_clear(ompd_host_target_t *target);

/* Copy KNOWN, of SIZE bytes, to GIVEN, a struct of the library's that begins with its struct_size:
 * no more than that, which stays. */
void struct_fill(void *given, const void *known, size_t size);

/* Keep SENTENCE, "" for none, as that of the calling thread's last open, which has no target to
 * keep it. */
void message_of_open(const char *sentence);

/* ---- thread ---------------------------------------------------------------------------------- */

/* Whether LWP is one of the target's threads. */
bool thread_is_known(const ompd_host_target_t *target, uint32_t lwp);

/* The thread LWP; NULL: it is none of the target's. */
const struct thread *thread_find(const ompd_host_target_t *target, uint32_t lwp);

/* The number of the main thread, also where it has ended, of a target whose live threads are all
 * known; 0: not known. */
uint64_t thread_main_lwp(const ompd_host_target_t *target);

/* ---- region ---------------------------------------------------------------------------------- */

/* Regions being collected, from the program headers of a core or the maps of a process. */

struct region_list {
    struct region *items;
    size_t count;
};

/* Add a region to LIST, unless it is empty.  False: there is no memory. */
bool region_add(struct region_list *list, const struct region *region);

/* The first region that ends above ADDRESS; NULL: none. */
const struct region *region_find(const ompd_host_target_t *target, uint64_t address);

/* What is known of REGION, as ompd_cl_permission_t. */
uint32_t region_permissions(const struct region *region);

/* Sort LIST, and cut what overlaps, as it may in a damaged core, from the later region. */
void region_sort(struct region_list *list);

/* Add to LIST, which is sorted, what of COUNT sorted REGIONS it does not have, and sort it.  False:
 * there is no memory. */
bool region_put_missing(struct region_list *list, const struct region *regions, size_t count);

/*
 * Tell the regions of LIST, which is sorted, which of COUNT sorted FILES they map: they are split
 * where a file begins or ends.  What of the files is in no region becomes one without bytes or
 * permissions.  False: there is no memory.
 */
bool region_put_files(struct region_list *list, const struct file_mapping *files, size_t count);

#endif
