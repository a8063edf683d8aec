/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making a population: objects of every kind, which differ in every value that can differ. */
#ifndef OMPD_LEARN_POPULATION_H
#define OMPD_LEARN_POPULATION_H

#include <learn/base/base.h>

#define MAKE_CONTEXTS 4
#define MAKE_QUEUES 8
#define MAKE_SVM 48
#define MAKE_MAPS 40
#define MAKE_HELD 4
#define MAKE_SHARED 16
#define MAKE_OF_COPIES 3
#define MAKE_WAITED_FOR 6

struct maker {
    const struct icd *icd;
    struct population *population;
    uint64_t seed;
    cl_context contexts[MAKE_CONTEXTS];   /* and another, of which nothing is made */
    cl_event gates[MAKE_CONTEXTS];        /* user events that commands wait for */
    cl_event waited_for[MAKE_WAITED_FOR]; /* user events of the first of them */
    cl_command_queue queues[MAKE_QUEUES]; /* number N is of context N % MAKE_CONTEXTS */
    struct {
        cl_context context;
        void *pointer;
    } svm[MAKE_SVM];
    unsigned svm_count;
    /* The runtime has no such: it says so of all devices, or has no function for it. */
    bool is_absent[SUBJECT_LISTS];
    unsigned svm_held[MAKE_HELD]; /* allocations that held 0, 1, ... references of their context */
    struct {
        cl_command_queue queue;
        cl_mem memobj;
        void *pointer;
    } maps[MAKE_MAPS];
    unsigned map_count;
    cl_context of_copies[MAKE_OF_COPIES]; /* contexts with copies of a device */
    unsigned of_copies_count;
    cl_mem shared[MAKE_SHARED]; /* sub-buffers and the buffers that they are parts of */
    unsigned shared_count;
};

/* Begin a population, whose values follow from SEED, not 0. */
void maker_begin(struct maker *maker, const struct icd *icd, struct population *population,
                 uint64_t seed);

/* Make all that the runtime can.  Returns NULL, or why there can be no learning: one sentence. */
const char *maker_make(struct maker *maker);

/* Ask the runtime for what it knows better of all subjects: reference counts, states, ...; once
 * these do not change any more. */
void maker_measure(struct maker *maker);

/* Let all commands run to their end, and release everything.  WATCH, unless NULL, is called before
 * and after each object's last release. */
void maker_release(struct maker *maker,
                   void (*watch)(struct maker *maker, struct subject *subject, bool is_after));

/* A number in [LEAST, MOST], by chance. */
uint64_t maker_number(struct maker *maker, uint64_t least, uint64_t most);

/* How many callbacks the memory object number INDEX of a kind gets. */
unsigned maker_callback_count(unsigned index);

/* Register COUNT destructor callbacks on a memory object or OpenCL context. */
void maker_add_callbacks(struct maker *maker, struct subject *subject, unsigned count);

/* Called in each destructor callback of HANDLE, which returns to the address CALLER, maybe on a
 * thread of the runtime; NULL: nobody is. */
extern void (*maker_on_destructor)(uintptr_t handle, uintptr_t caller);

/* Whether the runtime calls destructor callbacks on a thread of its own, as far as was seen, and
 * how many were called so far. */
bool maker_calls_later(void);
unsigned maker_called_count(void);

/* Keep that the command of EVENT, which may be NULL and is not to begin before a gate is open, uses
 * these memory objects. */
void maker_keep_memobjs(struct subject *event, const cl_mem *memobjs, unsigned count);

/* Retain SUBJECT, which may be NULL, COUNT times; release it once. */
void maker_retain(struct maker *maker, struct subject *subject, unsigned count);
void maker_release_subject(struct maker *maker, const struct subject *subject);

/* The makers of each kind, in the order in which they must be called. */
bool maker_make_contexts(struct maker *maker);
void maker_make_queues(struct maker *maker);
void maker_make_buffers(struct maker *maker);
void maker_make_images(struct maker *maker);
void maker_make_pipes(struct maker *maker);
void maker_make_programs(struct maker *maker);
void maker_make_samplers(struct maker *maker);
void maker_make_svm(struct maker *maker);
void maker_make_maps(struct maker *maker);
void maker_make_events(struct maker *maker);
void maker_make_uses(struct maker *maker);
void maker_make_device_copies(struct maker *maker);

/* Release what the last of them made, at which some runtimes may end. */
void maker_release_device_copies(struct maker *maker);

#endif
