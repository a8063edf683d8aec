/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of one stop that are in OpenCL, as their stacks show, which are followed once. */
#ifndef LIBOMPD_KEPT_THREADS_H
#define LIBOMPD_KEPT_THREADS_H

#include "base/export.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls and callbacks within each other that are kept of a thread: the innermost. */
#define FOUND_ACTIVITIES 16

/* Arguments of a call that are looked for: the first. */
#define FOUND_ARGUMENTS 3

/* What a call was presumably given. */
struct found_arguments {
    uint32_t known;  /* bits: arguments that are told, and */
    uint32_t proved; /* of them those that are certain: the call's function has them still */
    uint64_t values[FOUND_ARGUMENTS];
};

/* A call of OpenCL's, or a callback of the program. */
struct found_activity {
    uint32_t call;     /* the function's number; 0: a callback, */
    uint32_t module;   /* in this module, by the tool's number, and */
    uint64_t function; /* this function of it; 0: not known */
    uint64_t place;    /* an address within that */
    struct found_arguments arguments;
};

struct found_thread {
    uint64_t lwp;
    uint64_t pthread; /* 0: not known */
    uint32_t count;   /* activities, innermost first, */
    uint32_t lost;    /* and more around them that were not kept */
    bool is_caller;   /* the outermost is a call */
    bool is_cut;      /* there may be more: the stack was not followed to its end */
    struct found_activity activities[FOUND_ACTIVITIES];
};

struct kept_threads {
    uint64_t stop;      /* the target's when they were found; 0: never */
    bool is_incomplete; /* some threads, modules or code could not be looked at */
    uint32_t count;
    uint32_t capacity;
    struct found_thread *rows;
};

#endif
