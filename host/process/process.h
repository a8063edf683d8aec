/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process: open, stop, read and resume it. */
#ifndef OMPD_HOST_PROCESS_H
#define OMPD_HOST_PROCESS_H

#include <host/base/base.h>

#include <stdio.h>

/* ---- maps ------------------------------------------------------------------------------------ */

/* The regions of a process, from /proc/PID/maps. */

/* The contents of a line; missing parts are 0. */
struct maps_line {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    char mode[5];    /* such as "r-xp" */
    uint64_t offset; /* offset in the file, in bytes */
    uint64_t inode;  /* 0: no file */
    char *path;      /* in the line, without its newline; a name in brackets; or "" */
};

/* Parse LINE, whose newline is removed.  Returns false if it does not describe a region. */
bool maps_line_read(char *line, struct maps_line *read);

/* Call TAKE for each line of the maps of TARGET, a process.  It returns false, and ends the
 * iteration, if out of memory. */
ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context);

/* Put the regions in MAPS, a file of such lines, into LIST, which is empty, and sort them.
 * Returns false if out of memory. */
bool maps_regions_read(FILE *maps, struct region_list *list);

/* The same for the current regions of TARGET, a process. */
ompd_host_rc_t maps_regions_list(ompd_host_target_t *target, struct region_list *list);

/* Report that memory ran out while TARGET's maps were read.  Returns ompd_host_rc_nomem. */
ompd_host_rc_t maps_no_memory(ompd_host_target_t *target);

/* ---- page-words ------------------------------------------------------------------------------ */

/*
 * Find the present pages of a process with the files smaps and pagemap, for kernels that cannot
 * search for pages (Linux before 6.7).
 */

/* A mapping that was searched extensively. */
struct page_knowledge {
    struct range range;
    struct ranges present; /* its present pages, settled */
    struct ranges unknown; /* pages whose presence is unknown, settled */
};

/* What is known about a process; initially all zeros. */
struct page_words {
    struct page_knowledge *items; /* sorted */
    size_t count;
    uint64_t spent;   /* words of pagemap that were read for them */
    int64_t good_for; /* nanoseconds of CLOCK_MONOTONIC: a running process may touch more pages */
};

/* The state of a search while the regions of the process are listed. */
struct page_words_search {
    struct page_words *words;
    const struct region_list *mapped;
    const ompd_host_target_t *target;
    int file;      /* pagemap */
    uint64_t page; /* bytes */
    /* From smaps, which is read once, on demand: */
    struct page_counts *counts;
    size_t count_count;
    bool has_counts;
    struct page_knowledge small; /* the result for a region that is not cached */
    int64_t begun;               /* start of the search; units as for good_for */
    size_t known_before;         /* number of regions */
};

/* Begin a search, after the members above `counts` were set.  The cached pages of a running
 * process expire after one second, or ten times as long as the search took. */
void page_words_search_begin(struct page_words_search *search);

/*
 * Find the pages of REGION, one of those in `mapped`.  *FOUND is valid until the next call.
 * Returns 1; 0 if the kernel does not provide the data; -1 if out of memory.
 */
int page_words_find(struct page_words_search *search, const struct region *region,
                    const struct page_knowledge **found);

/* Free SEARCH, without the cache. */
void page_words_search_end(struct page_words_search *search);

/* Free WORDS, which calloc allocated; NULL is ignored. */
void page_words_free(struct page_words *words);

/* ---- present-pages --------------------------------------------------------------------------- */

/* Find the present pages of a process's memory, as it may have reserved thousands of times as
 * much. */

/*
 * Split the regions of LIST, as currently mapped, at long holes: parts of private anonymous memory
 * without pages.  No thread has written there, so they are 0.  If the kernel does not provide the
 * data, the regions stay as they are.  If it lists the pages of terabytes too slowly, some parts
 * become `is_unsearched`.  Returns false if out of memory.
 */
bool present_pages_apply(ompd_host_target_t *target, struct region_list *list);

/* ---- process --------------------------------------------------------------------------------- */

/* Open process PID as TARGET, which is new, and stop it unless LEAVES_RUNNING. */
ompd_host_rc_t process_open(ompd_host_target_t *target, pid_t pid, bool leaves_running);

/* The same for a process that the caller traces; its COUNT THREADS are valid. */
ompd_host_rc_t process_open_traced(ompd_host_target_t *target, pid_t pid,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* The registers of a stopped thread, by DWARF number. */
struct registers {
    uint64_t pc; /* on some machines not one of the others */
    uint64_t values[REGISTER_COUNT];
    bool are_known[REGISTER_COUNT];
};

/* traced.c: decode the registers of a thread that has them.  Returns false for an unknown
 * machine. */
bool traced_registers_read(const ompd_host_target_t *target, const struct thread *thread,
                           struct registers *registers);

/* traced.c: read the registers of the thread LWP, which the calling thread has stopped.  Returns
 * false if the kernel does not provide them, or for an unknown machine. */
bool traced_registers_ask(const ompd_host_target_t *target, uint32_t lwp,
                          struct registers *registers);

/* traced.c: whether the COUNT THREADS are valid, with registers. */
bool traced_threads_make_sense(const ompd_host_traced_thread_t *threads, size_t count);

/* traced.c: copy them as the threads of TARGET. */
ompd_host_rc_t traced_threads_take(ompd_host_target_t *target,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* Set the pthread_t of such threads from their registers, after the machine is known. */
void traced_pthreads_read(ompd_host_target_t *target);

/* Resume the process if it is stopped, and free its data. */
void process_close(ompd_host_target_t *target);

/* stop.c: stop all threads of the process, which become TARGET's threads.  On failure, stopped
 * threads resume when the tracer ends. */
ompd_host_rc_t stop_threads(ompd_host_target_t *target);

/* stop.c: read the pthread_t of each stopped thread, after the word size is known. */
void stop_read_pthreads(ompd_host_target_t *target);

/* stop.c: resume all threads, each with its pending signal. */
void stop_end(ompd_host_target_t *target);

/* stop.c: list the threads of the process without stopping them; there is at least one. */
ompd_host_rc_t stop_list_threads(ompd_host_target_t *target);

/* Run FUNCTION on the tracer thread, because only the tracer may use ptrace.  For a core, or a
 * process that is not stopped, run it on the caller's thread. */
void process_run(ompd_host_target_t *target, void (*function)(void *argument), void *argument);

/* memory.c: read the regions of TARGET, a process, again. */
ompd_host_rc_t memory_regions_read(ompd_host_target_t *target);

/* ---- tracer ---------------------------------------------------------------------------------- */

/*
 * A thread that traces a process.
 *
 * Only the thread that attached to a process may trace it.  When that thread ends, or the tool, its
 * traced processes are resumed.  Tools may use a target from several threads, so each stopped
 * process has a tracer thread of its own.
 */

struct tracer;

/* Start a tracer thread; NULL on failure. */
struct tracer *tracer_start(void);

/* Run FUNCTION on the tracer thread and wait for its return. */
void tracer_run(struct tracer *tracer, void (*function)(void *argument), void *argument);

/* End the tracer thread, which resumes what it still traces. */
void tracer_stop(struct tracer *tracer);

/* ---- untouched ------------------------------------------------------------------------------- */

/* Memory that the target's program presumably never wrote to. */

/*
 * Mark the regions of a core in LIST that were never written to: anonymous memory that was omitted
 * completely, although the core contains other such memory.  The kernel omits regions without
 * pages, or those excluded by madvise(2).
 */
void untouched_find(struct region_list *list);

/* ADDRESS of a process could not be read.  Find out the extent of the range and whether it is a
 * guard region (MADV_GUARD_INSTALL), or was never written to. */
void untouched_note(ompd_host_target_t *target, uint64_t address);

/* Split the regions of LIST, as currently mapped, at the recorded ranges.  Returns false if out
 * of memory. */
bool untouched_apply(const ompd_host_target_t *target, struct region_list *list);

#endif
