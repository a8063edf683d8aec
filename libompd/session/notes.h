/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an answer that was given leaves open, in sentences. */
#ifndef LIBOMPD_NOTES_H
#define LIBOMPD_NOTES_H

#include "base/export.h"
#include "target/scan.h"

#include <ompd-opencl.h>

#include <stdbool.h>
#include <stdint.h>

struct address_space;

/* Why some mistakes were not looked for: what the target, or the tool, does not tell. */
enum unlooked {
    unlooked_recorder,    /* there is none */
    unlooked_regions,     /* the tool does not tell what is mapped */
    unlooked_stacks,      /* nor where the stacks of threads end */
    unlooked_callbacks,   /* neither a recorder nor the tool tells what threads are in */
    unlooked_waits,       /* there is no recorder, nor such a tool, to tell who waits, */
    unlooked_objects,     /* or no recorder to tell for what, */
    unlooked_certainty,   /* or none to prove what is told, */
    unlooked_threads,     /* or it keeps no threads, */
    unlooked_commands,    /* or no commands */
    unlooked_references,  /* there is none to tell which references are the program's */
    unlooked_builds,      /* nothing tells how the builds of programs went */
    unlooked_user_data,   /* the recorder does not tell where user data was, */
    unlooked_mappings,    /* or not of memory that was mapped */
    unlooked_arguments,   /* kernels may hold what uses memory that is gone */
    unlooked_allocator,   /* memory may be another allocator's than glibc's malloc, */
    unlooked_heaps,       /* or no heap of that is there, */
    unlooked_broken_heap, /* or what is one is not whole, */
    unlooked_kept_blocks, /* or which blocks of it are kept to be given out again */
    UNLOOKED_COUNT
};
#define UNLOOKED(reason) (UINT32_C(1) << unlooked_##reason)

/* What the notes are about. */
struct notes {
    uint32_t parts;        /* bits of COVERAGE that the answer needed from layouts */
    uint64_t taken;        /* objects whose destructor callbacks are missing in it, being taken */
    bool is_searched;      /* memory was looked through for it */
    bool has_lost_modules; /* the tool failed to tell them all, or to read them */
    uint32_t unlooked;     /* bits of UNLOOKED: of findings */
    const char *allocator; /* of unlooked_allocator */
    struct scan_missed missed; /* by a search for handles */
    const char *reason;        /* a sentence: why a list that has lost no row may not be right */
    uint64_t main_lwp;         /* the main thread, which has ended while */
    uint64_t thread_count;     /* these live; 0: it lives, or that is not known */
};

/* After an answer that needed PARTS: remember what it leaves open.  Tells whether part of the
 * answer is missing, so that it is ompd_rc_incomplete. */
bool notes_take(struct address_space *space, uint32_t parts);

/* After a call for rows of a list of which nothing is lost, but that is not as it should be. */
void notes_take_reason(struct address_space *space, const char *reason);

/* After a call for findings, hops or leaks: UNLOOKED has bits of UNLOOKED(); ALLOCATOR names the
 * one of unlooked_allocator. */
void notes_take_unlooked(struct address_space *space, uint32_t unlooked, const char *allocator);

/* After a search for handles in memory, which has MISSED some. */
void notes_take_search(struct address_space *space, const struct scan_missed *missed);

/* After an answer about threads: that the main thread has ended.  Returns as
 * main_thread_has_ended. */
ompd_rc_t notes_take_threads(struct address_space *space);

/* Have note number INDEX on the last answer, or "" where there is none, in the note of SPACE. */
void notes_tell(struct address_space *space, uint32_t index);

/* There is nothing to be said of the answer. */
void notes_clear(struct address_space *space);

/* After an answer about modules that the tool failed to tell or to read: it may leave some out. */
void notes_take_modules(struct address_space *space);

/* The parts that rows of KIND need from layouts. */
uint32_t notes_parts(uint32_t kind);

#endif
