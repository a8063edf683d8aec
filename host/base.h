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
#include <host/callbacks.h>
#include <host/ranges.h>
#include <ompd-opencl-host.h>

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
    struct region *untouched; /* ranges that could not be read, as untouched.h says; sorted */
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

/* ---- message.c ------------------------------------------------------------------------------- */

/* Keep a sentence, without a newline, as TARGET's message, and return RC. */
ompd_host_rc_t target_message_set(ompd_host_target_t *target, ompd_host_rc_t rc, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* The call succeeded: there is no message. */
ompd_host_rc_t target_message_clear(ompd_host_target_t *target);

/* ---- thread.c -------------------------------------------------------------------------------- */

/* Whether LWP is one of the target's threads. */
bool thread_is_known(const ompd_host_target_t *target, uint32_t lwp);

/* The thread LWP; NULL: it is none of the target's. */
const struct thread *thread_find(const ompd_host_target_t *target, uint32_t lwp);

/* The number of the main thread, also where it has ended, of a target whose live threads are all
 * known; 0: not known. */
uint64_t thread_main_lwp(const ompd_host_target_t *target);

#endif
