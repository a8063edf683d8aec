/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process: opened, stopped, read, let go. */
#ifndef OMPD_HOST_PROCESS_H
#define OMPD_HOST_PROCESS_H

#include <host/base/base.h>

#include <stdio.h>

/* ---- maps ------------------------------------------------------------------------------------ */

/* The regions of a process, as /proc/PID/maps has them. */

/* What a line tells, as far as it goes: what is missing is 0. */
struct maps_line {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    char mode[5];    /* as "r-xp" */
    uint64_t offset; /* bytes into the file */
    uint64_t inode;  /* 0: no file */
    char *path;      /* in the line, without its newline; or a name in brackets, or none: "" */
};

/* Read LINE, of which the newline goes; false: it tells of no region. */
bool maps_line_read(char *line, struct maps_line *read);

/* Give TAKE each line of what TARGET, a process, has mapped; false, there is no memory, ends it. */
ompd_host_rc_t maps_visit(ompd_host_target_t *target, bool (*take)(void *context, char *line),
                          void *context);

/* Put the regions that MAPS tells of, a file of such lines, into LIST, which is empty, sorted.
 * False: there is no memory. */
bool maps_regions_read(FILE *maps, struct region_list *list);

/* The same of TARGET, a process, now. */
ompd_host_rc_t maps_regions_list(ompd_host_target_t *target, struct region_list *list);

/* Keep that there is no memory for what TARGET has mapped, and return ompd_host_rc_nomem. */
ompd_host_rc_t maps_no_memory(ompd_host_target_t *target);

/* ---- page-words ------------------------------------------------------------------------------ */

/*
 * Which pages of a process are there, by its files smaps and pagemap: what kernels have that cannot
 * search for pages, as Linux does since 6.7.
 */

/* Mapped memory, about which much was asked. */
struct page_knowledge {
    struct range range;
    struct ranges present; /* its pages that are there, settled */
    struct ranges unknown; /* those of which it is not known, likewise */
};

/* What is known of a process; all zeros at first. */
struct page_words {
    struct page_knowledge *items; /* sorted */
    size_t count;
    uint64_t spent;   /* words of pagemap that were read for them */
    int64_t good_for; /* nanoseconds, of CLOCK_MONOTONIC: a process that runs may touch more */
};

/* What is asked of the process while its regions are listed. */
struct page_words_search {
    struct page_words *words;
    const struct region_list *mapped;
    const ompd_host_target_t *target;
    int file;      /* pagemap */
    uint64_t page; /* bytes */
    /* Of smaps, which is read once, when it is first needed: */
    struct page_counts *counts;
    size_t count_count;
    bool has_counts;
    struct page_knowledge small; /* the answer about a region that is not kept */
    int64_t begun;               /* as good_for */
    size_t known_before;         /* regions */
};

/* Begin to ask, when all above `counts` is set: what is known of a process that runs is forgotten
 * after a second, or ten times as long as it took to find it out. */
void page_words_search_begin(struct page_words_search *search);

/*
 * Find the pages of REGION, one of those in `mapped`.  *FOUND is good until the next call.  Returns
 * 1; 0 where the kernel does not tell; -1: there is no memory.
 */
int page_words_find(struct page_words_search *search, const struct region *region,
                    const struct page_knowledge **found);

/* Give back what SEARCH holds, but for what is known. */
void page_words_search_end(struct page_words_search *search);

/* Give back WORDS, which were made by calloc; NULL is ignored. */
void page_words_free(struct page_words *words);

/* ---- present-pages --------------------------------------------------------------------------- */

/* Which pages of a process's memory are there: what it has reserved may be thousands of times as
 * much. */

/*
 * Split the regions of LIST, as they are mapped now, where long stretches of private memory of no
 * file have no pages: no thread has written there, so that all is 0.  Where the kernel does not
 * tell, the regions stay as they are.  One that lists the pages of terabytes too slowly leaves
 * parts `is_unsearched`.  False: there is no memory.
 */
bool present_pages_apply(ompd_host_target_t *target, struct region_list *list);

/* ---- process --------------------------------------------------------------------------------- */

/* Open process PID as TARGET, which is new; unless LEAVES_RUNNING, stop it. */
ompd_host_rc_t process_open(ompd_host_target_t *target, pid_t pid, bool leaves_running);

/* The same of one that the caller traces: its COUNT THREADS make sense. */
ompd_host_rc_t process_open_traced(ompd_host_target_t *target, pid_t pid,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* The registers of a thread that does not run, by their numbers in DWARF. */
struct registers {
    uint64_t pc; /* on some machines none of the others */
    uint64_t values[REGISTER_COUNT];
    bool are_known[REGISTER_COUNT];
};

/* traced.c: read the registers of a thread that has them.  False: they are of a machine that is not
 * known here. */
bool traced_registers_read(const ompd_host_target_t *target, const struct thread *thread,
                           struct registers *registers);

/* traced.c: the same of the thread LWP, which the calling thread has stopped.  False: the kernel
 * does not tell them, or they are of a machine that is not known here. */
bool traced_registers_ask(const ompd_host_target_t *target, uint32_t lwp,
                          struct registers *registers);

/* traced.c: whether THREADS, COUNT of them, are some, with their registers. */
bool traced_threads_make_sense(const ompd_host_traced_thread_t *threads, size_t count);

/* traced.c: make copies of them the threads of TARGET. */
ompd_host_rc_t traced_threads_take(ompd_host_target_t *target,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* Have the pthread_t of such threads, as their registers tell it, once the machine is known. */
void traced_pthreads_read(ompd_host_target_t *target);

/* Let the process go on, as far as it is stopped, and give back what is held of it. */
void process_close(ompd_host_target_t *target);

/* stop.c: stop all threads of the process, which become those of TARGET.  Where it fails, what has
 * been stopped goes on when the tracer ends. */
ompd_host_rc_t stop_threads(ompd_host_target_t *target);

/* stop.c: read the pthread_t of each stopped thread, when the word size is known. */
void stop_read_pthreads(ompd_host_target_t *target);

/* stop.c: let all threads go on, each with the signal that it was about to get. */
void stop_end(ompd_host_target_t *target);

/* stop.c: list the threads of the process, of which there is one at least, without stopping them.
 */
ompd_host_rc_t stop_list_threads(ompd_host_target_t *target);

/* Run FUNCTION where the target may be traced: ptrace obeys one thread only, which is not the
 * caller's.  For a core, or a process that is not stopped, in the caller's own. */
void process_run(ompd_host_target_t *target, void (*function)(void *argument), void *argument);

/* memory.c: read the regions of TARGET, a process, in place of those it has. */
ompd_host_rc_t memory_regions_read(ompd_host_target_t *target);

/* ---- tracer ---------------------------------------------------------------------------------- */

/*
 * A thread that traces a process.
 *
 * The kernel lets only the thread that attached to a process trace it, and lets go of all that a
 * thread traces when that ends, with the tool too.  A target may be handed between the threads of a
 * tool; so each stopped process has a thread of its own.
 */

struct tracer;

/* Start a thread; NULL: the system has none to give. */
struct tracer *tracer_start(void);

/* Run FUNCTION in the thread, and wait for its end. */
void tracer_run(struct tracer *tracer, void (*function)(void *argument), void *argument);

/* End the thread, which lets go of what it still traces. */
void tracer_stop(struct tracer *tracer);

/* ---- untouched ------------------------------------------------------------------------------- */

/* Memory to which the target's program presumably never wrote, so that nothing is there. */

/*
 * Tell of the regions of a core in LIST which were never written to: memory of no file that its
 * writer left out whole, when it has other such memory.  What the kernel leaves out so has no
 * pages, or was excepted by madvise(2).
 */
void untouched_find(struct region_list *list);

/* ADDRESS of a process could not be read: find out how far it is a range with which the process
 * keeps others apart (MADV_GUARD_INSTALL), or which nothing was ever written to. */
void untouched_note(ompd_host_target_t *target, uint64_t address);

/* Split the regions of LIST, as they are mapped now, at the ranges that were noted.  False: there
 * is no memory. */
bool untouched_apply(const ompd_host_target_t *target, struct region_list *list);

#endif
