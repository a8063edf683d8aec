/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the mistakes of the programs `mistake` and `rules` have in common. */
#ifndef MISTAKE_H
#define MISTAKE_H

#include "runtime.h"

#include <stdbool.h>
#include <stdint.h>

#define SIZE ((size_t)4096)

typedef struct scene_t {
    runtime_t runtime;
    cl_context context;
    cl_command_queue queue;
    cl_event gate; /* a user event that is never set */
    bool is_wrong;
    bool is_to_abort;
    bool is_to_wait;
    bool is_to_end; /* after the stop it releases all objects and returns from main */
    bool is_one_of_all;
} scene_t;

/* The subject of the mistake; NULL for absent parts. */
typedef struct told_t {
    const void *object;
    const void *other;
    uintptr_t address;
    size_t size;
    int line;       /* of the call that made the object, or of the mistake */
    int other_line; /* of the call that made the other */
    int lwp;        /* of the thread that made the call; 0: of the reporting one */
} told_t;

/* Two of these on one line: where the call is, in LINE. */
#define AT(line, call) ((line) = __LINE__, (call))

/* Write what the mistake is about, unless it is one of all. */
void mistake_tell(const scene_t *scene, const told_t *told);

/* Come to the stop and end, unless it is one of all or is to end later. */
void mistake_halt(const scene_t *scene);

/* Both. */
void mistake_stop(const scene_t *scene, const told_t *told);

typedef struct mistake_t {
    const char *name;
    void (*run)(const scene_t *scene);
} mistake_t;

/* Make the one that the arguments name, of the arrays in GROUPS, of which the last is NULL; returns
 * the exit status. */
int mistake_main(int argc, char **argv, const mistake_t *const *groups);

/* Host memory that was freed; the last has no name. */
extern const mistake_t mistakes_freed[];

/* Objects that are released behind the recorder's back, in the same form. */
extern const mistake_t mistakes_unseen[];

/* Mistakes that people have reported, in the same form. */
extern const mistake_t mistakes_reported[];

/* Callbacks that will be called with freed memory, in the same form. */
extern const mistake_t mistakes_user_data[];

#endif
