/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Internals of a target that its parts (core or process, regions, threads, modules) share.
 *
 * Functions are named for their file.  They return an ompd_host_rc_t and set the target's message
 * if it is not ompd_host_rc_ok.
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

/* Make room for one more element in ARRAY, which has COUNT elements of SIZE bytes and was grown
 * by this function one by one; initially NULL.  Returns NULL, with ARRAY unchanged, if out of
 * memory. */
void *array_grow(void *array, size_t count, size_t size);

/* Sort COUNT elements of SIZE bytes by the 8-byte number that each begins with; compare two
 * elements by it. */
void array_sort(void *array, size_t count, size_t size);
int array_compare(const void *first, const void *second);

/* The number of elements of ARRAY that end at or below ADDRESS.  Elements begin as struct range
 * does, and are sorted and disjoint. */
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
    bool is_short; /* some were lost when memory ran out */
};

/* Add the SIZE bytes at START, at most up to the last address. */
void ranges_add(struct ranges *ranges, uint64_t start, uint64_t size);

/* Sort RANGES and merge adjacent ones. */
void ranges_settle(struct ranges *ranges);

/* Remove the addresses of OTHERS from RANGES.  Both must be settled. */
void ranges_subtract(struct ranges *ranges, const struct ranges *others);

/* The number of ranges that end at or below ADDRESS.  RANGES must be settled. */
size_t ranges_find(const struct ranges *ranges, uint64_t address);

/* Free RANGES. */
void ranges_free(struct ranges *ranges);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A part of a core, with bounds, and access to numbers in the target's byte order. */

struct bytes {
    const uint8_t *start;
    size_t size;
    bool is_swapped;
};

/* SIZE bytes of WHOLE from OFFSET on; fewer or none if it ends before. */
struct bytes bytes_cut(struct bytes whole, uint64_t offset, uint64_t size);

/* The number of SIZE (1, 2, 4 or 8) bytes at OFFSET; 0 if it is out of bounds. */
uint64_t bytes_number(struct bytes whole, uint64_t offset, size_t size);

/* The text at OFFSET; NULL if it does not end within bounds. */
const char *bytes_text(struct bytes whole, uint64_t offset);

/* ---- target ---------------------------------------------------------------------------------- */

#define PUBLIC __attribute__((visibility("default")))

#define HOST_MESSAGE_SIZE 512

/* A file mapped by the target, from the note NT_FILE of a core. */
struct file_mapping {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    uint64_t offset;  /* bytes into the file */
    const char *path; /* in the core */
};

/* A range of the target's addresses that is saved completely or not at all. */
struct region {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    /* Core: its mapped contents, valid while the target is open, or NULL.  file_pages_find sets
     * it from the mapped file if the core lacks the contents. */
    const uint8_t *bytes;
    const struct file_mapping *file; /* core: the mapped file, or NULL */
    bool has_permissions;            /* otherwise the next three are unknown */
    bool is_readable;                /* if this and the others are false, the range is reserved */
    bool is_writable;
    bool is_executable;
    bool is_left_out;   /* core: it contains nothing of the segment */
    bool is_private;    /* process: private anonymous memory */
    bool is_untouched;  /* presumably never written to; for a process, the unreadable part of it */
    bool is_zero;       /* core: a hole of its file; process: no pages are present */
    bool is_unsearched; /* process: too large to search, and it is unknown which pages are
                         * present */
    bool is_searched;   /* snapshot: it was searched before the rest was dropped */
    uint64_t whole_start; /* for a part of one mapping: start of the mapping; otherwise 0 */
    uint64_t whole_end;
};

struct thread {
    uint32_t lwp;
    uint32_t own_lwp; /* in the PID namespace of the process; 0: the same */
    int32_t signal;   /* core: the signal it got, from NT_PRSTATUS */
    uint64_t pthread; /* 0: unknown */
    uint32_t segment; /* core of an i386: index of the descriptor with its thread pointer */
    bool is_seized;   /* process: stopped by ptrace */
    int32_t held;     /* process: a signal to deliver when it is resumed */
    /* Process that the caller traces: contents of NT_PRSTATUS; otherwise NULL. */
    uint8_t *registers;
    size_t registers_size; /* bytes */
};

/* A note of a core, which owns its contents. */
struct core_note {
    uint32_t type;
    const char *name; /* "CORE" or "LINUX" */
    const uint8_t *contents;
    size_t size;
};

/* A core file. */
struct core {
    int descriptor;       /* of the file, or of the unlinked file that it was decompressed to */
    const uint8_t *bytes; /* the mapped file; NULL: the target is not a core */
    size_t size;
    uint64_t present;    /* allocated bytes, as a file may have holes */
    uint64_t whole_size; /* size that it should have */
    int64_t time;
    struct file_mapping *files; /* sorted by address */
    size_t file_count;
    uint64_t saved_bytes;
    uint64_t left_out_bytes;
    uint64_t unsaved_reads; /* number that returned ompd_host_rc_not_saved */
    /* From the note NT_AUXV; 0: missing. */
    uint64_t program_headers; /* AT_PHDR */
    uint64_t entry_point;     /* AT_ENTRY */
    uint64_t program_name;    /* AT_EXECFN: address of a text */
    uint64_t vdso;            /* AT_SYSINFO_EHDR */
    bool is_of_debugger;      /* written by GDB's gcore, not by the kernel */
    bool lacks_notes;         /* notes are truncated */
    bool is_snapshot;         /* saved by this library, without the contents of buffers */
    struct core_note *notes;  /* with names that the kernel uses */
    size_t note_count;
    struct region *snapshot_regions; /* regions of the original process, sorted, without contents */
    size_t snapshot_region_count;
    volatile bool is_cut; /* a signal handler found that the file was truncated */
};

struct page_words;

/* A process. */
struct process {
    int memory;               /* /proc/PID/mem; -1: the target is not a process */
    struct tracer *tracer;    /* NULL: this library has not stopped it */
    bool is_traced;           /* by the caller, who has stopped it */
    bool is_apart;            /* in a PID namespace below that of /proc here */
    struct region *untouched; /* unreadable ranges, as found by untouched.c; sorted */
    size_t untouched_count;
    struct page_words *words; /* see page-words.c; NULL: nothing known yet */
};

/* Modules and their symbols; see symbol.c and its neighbours. */
struct symbols;

#define REGISTER_COUNT 128 /* maximum number of registers that unwinding needs on any machine */

/* All registers of the first frame, and the callee-saved ones of the others. */
#define FRAME_REGISTERS (REGISTER_COUNT + 1024)

struct ompd_host_target_t {
    char message[HOST_MESSAGE_SIZE];
    /* Copies of the options, or NULL. */
    char *executable;
    char *sysroot;
    bool asks_debuginfod;
    bool opens_no_files;
    bool (*progress)(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole);
    void *progress_user_ptr;
    bool (*is_interrupted)(void *user_ptr);
    uint32_t log_level;

    bool is_swapped;
    uint16_t machine;                                    /* EM_ of <elf.h> */
    ompd_cl_register_t frame_registers[FRAME_REGISTERS]; /* of the last stack that was returned */
    uint32_t pointer_size;
    pid_t pid;
    int32_t signal;
    char *path; /* of the core */
    char *program;
    char *command_line;
    char *host_name;

    struct region *regions; /* sorted, disjoint */
    size_t region_count;
    uint64_t region_end; /* of the last requested region */
    struct thread *threads;
    size_t thread_count;
    struct core core;
    struct process process;

    uint64_t short_places; /* places named without their debug information, which is too large */

    struct symbols *symbols; /* created on demand; NULL: not yet */
    struct ranges *reads;    /* while a snapshot is made: what the library reads; otherwise NULL */
    ompd_host_callbacks_t *bound;
    ompd_callbacks_t callbacks; /* valid if bound is not NULL */
};

static inline bool target_is_core(const ompd_host_target_t *target)
{
    return target->core.bytes != NULL;
}

/* Nothing stops it: its contents may change at any time. */
static inline bool target_is_running(const ompd_host_target_t *target)
{
    return !target_is_core(target) && target->process.tracer == NULL && !target->process.is_traced;
}

/* ---- message --------------------------------------------------------------------------------- */

/* Store a sentence, without a newline, as TARGET's message, and return RC. */
ompd_host_rc_t target_message_set(ompd_host_target_t *target, ompd_host_rc_t rc, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* The call succeeded: clear the message. */
ompd_host_rc_t target_message_clear(ompd_host_target_t *target);

/* Copy KNOWN, of SIZE bytes, to GIVEN, a struct that begins with its struct_size: at most as many
 * bytes as that says.  The struct_size is unchanged. */
void struct_fill(void *given, const void *known, size_t size);

/* Store SENTENCE ("" for none) as the message of the calling thread's last open, which has no
 * target yet. */
void message_of_open(const char *sentence);

/* ---- thread ---------------------------------------------------------------------------------- */

/* Whether LWP is one of the target's threads. */
bool thread_is_known(const ompd_host_target_t *target, uint32_t lwp);

/* The thread LWP of the target, or NULL. */
const struct thread *thread_find(const ompd_host_target_t *target, uint32_t lwp);

/* The LWP of the main thread, even if that has ended, of a target whose live threads are all
 * known; 0: unknown. */
uint64_t thread_main_lwp(const ompd_host_target_t *target);

/* ---- region ---------------------------------------------------------------------------------- */

/* Collected regions, from the program headers of a core or the maps of a process. */

struct region_list {
    struct region *items;
    size_t count;
};

/* Add a region to LIST, unless it is empty.  Returns false if out of memory. */
bool region_add(struct region_list *list, const struct region *region);

/* The first region that ends above ADDRESS, or NULL. */
const struct region *region_find(const ompd_host_target_t *target, uint64_t address);

/* The known permissions of REGION, as ompd_cl_permission_t. */
uint32_t region_permissions(const struct region *region);

/* Sort LIST.  Regions of a damaged core may overlap: shorten the later ones. */
void region_sort(struct region_list *list);

/* Add the parts of COUNT sorted REGIONS that are missing from LIST, which stays sorted.  Returns
 * false if out of memory. */
bool region_put_missing(struct region_list *list, const struct region *regions, size_t count);

/*
 * Set the files of the regions of LIST, which is sorted, from COUNT sorted FILES.  Regions are
 * split where files begin and end.  Parts of files outside all regions become regions without
 * contents or permissions.  Returns false if out of memory.
 */
bool region_put_files(struct region_list *list, const struct file_mapping *files, size_t count);

#endif
