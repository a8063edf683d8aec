/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Creation of a population: objects of every kind, with as many different values as possible. */
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

struct builder {
    const struct icd *icd;
    struct population *population;
    uint64_t seed;
    cl_context contexts[MAKE_CONTEXTS];   /* and another one that stays empty */
    cl_event gates[MAKE_CONTEXTS];        /* user events that commands wait for */
    cl_event waited_for[MAKE_WAITED_FOR]; /* user events of the first context */
    cl_command_queue queues[MAKE_QUEUES]; /* number N is in context N % MAKE_CONTEXTS */
    struct {
        cl_context context;
        void *pointer;
    } svm[MAKE_SVM];
    unsigned svm_count;
    /* The runtime has no such lists: all devices report so, or the function is missing. */
    bool is_absent[SPECIMEN_LISTS];
    unsigned svm_held[MAKE_HELD]; /* number of allocations that held 0, 1, ... references to
                                   * their context */
    struct {
        cl_command_queue queue;
        cl_mem memobj;
        void *pointer;
    } maps[MAKE_MAPS];
    unsigned map_count;
    cl_context of_copies[MAKE_OF_COPIES]; /* contexts with copies of a device */
    unsigned of_copies_count;
    cl_mem shared[MAKE_SHARED]; /* sub-buffers and their parents */
    unsigned shared_count;
    cl_program of_commands; /* built for commands that run kernels; NULL: not yet */
};

/* The source of all programs that are built: compilers take most of the time, and they cache. */
extern const char *const population_source;

/* Begin a population, whose values depend on SEED, not 0. */
void population_begin(struct builder *builder, const struct icd *icd, struct population *population,
                      uint64_t seed);

/* Create everything that the runtime supports.  Returns NULL, or a sentence with the reason why
 * learning is impossible. */
const char *population_make(struct builder *builder);

/* Query reference counts, states and other values from the runtime, after they have stopped
 * changing. */
void population_measure(struct builder *builder);

/* Let all commands complete, and release everything.  WATCH, unless NULL, is called before and
 * after each object's last release. */
void population_release(struct builder *builder,
                        void (*watch)(struct builder *builder, struct specimen *specimen,
                                      bool is_after));

/* A random number in [LEAST, MOST]. */
uint64_t population_number(struct builder *builder, uint64_t least, uint64_t most);

/* The number of callbacks for the memory object number INDEX of a kind. */
unsigned population_callback_count(unsigned index);

/* Register COUNT destructor callbacks on a memory object or OpenCL context. */
void population_add_callbacks(struct builder *builder, struct specimen *specimen, unsigned count);

/* Called in each destructor callback of HANDLE, which returns to the address CALLER, possibly on
 * a thread of the runtime.  May be NULL. */
extern void (*population_on_destructor)(uintptr_t handle, uintptr_t caller);

/* Whether the runtime calls destructor callbacks on a thread of its own, as far as observed; and
 * the number of calls so far. */
bool population_calls_later(void);
unsigned population_called_count(void);

/* Record that the command of EVENT uses these memory objects.  EVENT may be NULL; the command
 * must not begin before a gate is open. */
void population_record_memobjs(struct specimen *event, const cl_mem *memobjs, unsigned count);

/* Retain the specimen, which may be NULL, COUNT times; release it once. */
void population_retain(struct builder *builder, struct specimen *specimen, unsigned count);
void population_release_specimen(struct builder *builder, const struct specimen *specimen);

/* Functions that create each kind, in calling order. */
bool population_make_contexts(struct builder *builder);
void population_make_queues(struct builder *builder);
void population_make_buffers(struct builder *builder);
void population_make_images(struct builder *builder);
void population_make_pipes(struct builder *builder);
void population_make_programs(struct builder *builder);
void population_make_samplers(struct builder *builder);
void population_make_svm(struct builder *builder);
void population_make_maps(struct builder *builder);
void population_make_events(struct builder *builder);
void population_make_uses(struct builder *builder);
void population_make_device_copies(struct builder *builder);

/* Release the result of the last function; some runtimes crash there. */
void population_release_device_copies(struct builder *builder);

#endif
