/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The expected values: what a test program knows about its OpenCL objects, written to a JSON file
 * that a test compares with what the debugger shows.
 *
 * Nothing here uses the recorder or the library. The program records its own calls.
 */
#ifndef TRUTH_H
#define TRUTH_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TRUTH_MAX_DESTRUCTORS 8
#define TRUTH_MAX_ADDRESSES 8

typedef enum truth_table_t {
    truth_contexts,
    truth_queues,
    truth_memobjs,
    truth_svm,
    truth_svm_frees,
    truth_commands,
    truth_events,
    truth_kernels,
    truth_programs,
    truth_samplers
} truth_table_t;

/* The position of a call whose call site the recorder records. */
typedef struct truth_place_t {
    const char *function;
    const char *file;
    int line;
    pid_t lwp;
} truth_place_t;

typedef struct truth_destructor_t {
    const char *symbol;
    const void *function;
    const void *user_data;
    const char *state;
    pid_t running_lwp; /* 0 before it runs */
    truth_place_t place;
} truth_destructor_t;

/* Pointers are NULL, and flags_names is NULL, where a row has no such field. */
typedef struct truth_row_t {
    truth_table_t table;
    const char *kind;
    const void *handle;
    const char *state;
    const void *context;
    const void *parent;
    const void *device;
    const void *platform;
    const void *host_pointer;
    const void *svm;
    const void *function;
    const char *symbol;
    const void *user_data;
    const void *queue;
    const void *event;
    const void *memobj; /* of a command */
    long number;
    bool is_flushed;
    const char *execution; /* of an event */
    pid_t set_by;          /* of a user event; 0: it is unset */
    const char *name;      /* of a kernel, whose program is `parent` */
    const char *build;     /* of a program; NULL: it was not built */
    long build_error;
    pid_t build_lwp;
    const char *options;
    bool has_log;
    bool is_normalized; /* of a sampler */
    const char *addressing;
    const char *filter;
    const char *sharing;
    long sharing_name;
    long references;
    long children; /* -1: not written */
    long devices;
    long alignment;
    long svm_frees;
    bool has_origin;
    size_t origin;
    size_t size;
    cl_bitfield flags;
    size_t destructor_count;
    truth_destructor_t destructors[TRUTH_MAX_DESTRUCTORS]; /* in the order of registration */
    size_t pointer_count;
    const void *pointers[TRUTH_MAX_ADDRESSES];
    bool from_svm_alloc[TRUTH_MAX_ADDRESSES];
    size_t wait_count;
    const void *waits[TRUTH_MAX_ADDRESSES];
    pid_t running_lwp; /* of an SVM-free command; 0 before it runs */
    truth_place_t place;
    truth_place_t released; /* of a memory object: its last release; function NULL: none was made */
    bool gone;
    bool is_pending;  /* a command that waits holds it */
    bool may_be_gone; /* its end is the runtime's affair: shown or not, both are right */
} truth_row_t;

/* Objects that are only counted, where they have no rows. */
typedef struct truth_counts_t {
    long events;
} truth_counts_t;

extern truth_counts_t truth_counts;

/* Make CALL and remember that it was made here, for the row or destructor added next on this
 * thread. Must stand on one line, so that the debugger and __LINE__ agree. */
#define TRUTH_CALL(call) (truth_place_set(__func__, __FILE__, __LINE__), (call))

void truth_place_set(const char *function, const char *file, int line);

/* Make CALL, which releases the program's last reference of ROW. */
#define TRUTH_RELEASE(row, call) (truth_release_set((row), __func__, __FILE__, __LINE__), (call))

void truth_release_set(truth_row_t *row, const char *function, const char *file, int line);

/* Add a row for the object that the last TRUTH_CALL of this thread has made. */
truth_row_t *truth_row_add(truth_table_t table, const char *kind, const void *handle);

truth_row_t *truth_row_find(truth_table_t table, const void *handle);

/* Note a destructor callback that the last TRUTH_CALL of this thread has registered. */
void truth_destructor_add(truth_row_t *row, const char *symbol, const void *function,
                          const void *user_data);

/* Note that this thread begins, or has ended, the callback FUNCTION of the object; returns it. */
truth_destructor_t *truth_destructor_begin(truth_table_t table, const void *handle,
                                           const void *function, const void *user_data);
void truth_destructor_end(truth_destructor_t *destructor);

/* Wait until all destructor callbacks of ROW, which this thread has released, have run; tell
 * whether they did so within the release: some runtimes run them later, on a thread of their own.
 */
bool truth_destructors_await(const truth_row_t *row);

/* The row number INDEX, in order of creation, or NULL past the last. */
truth_row_t *truth_row_get(size_t index);

/* Write all objects that are not destroyed to the file PATH. */
void truth_write(const char *path);

/* A runtime may reserve gigabytes of addresses, as NVIDIA's and Intel's NEO do.  They are
 * unreadable, but GDB would write as many zeros into its core: make it omit them. */
void truth_leave_out_reservations(void);

/* Where the tests set their breakpoint.  STOP is the name of the stop. */
void truth_stop(const char *stop);

/* Wait for input on the standard input, without memory from malloc. */
void truth_await_input(void);

/* End the program with a sentence unless CONDITION holds. */
void truth_require(bool condition, const char *what);

#endif
