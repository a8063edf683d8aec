/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the scenarios of the program `embree` have in common. */
#ifndef EMBREE_H
#define EMBREE_H

#include "embree-meshes.h"
#include "embree-truth.h"

#define THREADS "threads=2"
#define MOST_LIBRARIES 2
#define MOST_ACCOUNTS 8

typedef struct world_t {
    embree_t libraries[MOST_LIBRARIES];
    size_t library_count;
    const char *folder;
    bool is_correct; /* the correct twin of a mistake */
    int64_t at;      /* the call of the monitor in which to stop, or a seed; 0: none */
} world_t;

typedef struct scenario_t {
    const char *name; /* NULL: the last */
    void (*run)(world_t *world);
} scenario_t;

/* Those of one file each. Their names begin with `mistake-` and `correct-` if there are two. */
extern const scenario_t scenarios[];
extern const scenario_t builds[];
extern const scenario_t hierarchies[];
extern const scenario_t mixtures[];
extern const scenario_t mistakes[];

extern account_t accounts[MOST_ACCOUNTS];

/* Monitors of the program's own. */
bool embree_count(void *account, ssize_t bytes, bool post);

/* A device with a monitor of account NUMBER. */
object_t *watched_device(world_t *world, const char *name, size_t number);

/* Release all that the program has, and require that nothing is left. */
void release_all(void);

#endif
