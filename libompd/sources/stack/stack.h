/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call stacks as a source: threads in OpenCL, and what they wait for. */
#ifndef LIBOMPD_STACK_H
#define LIBOMPD_STACK_H

#include "sources/address-space.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- found-thread ---------------------------------------------------------------------------- */

/* The threads of one stop that are in OpenCL according to their stacks. The stacks are read
 * once. */

/* The number of nested calls and callbacks stored for a thread, from the innermost. */
#define FOUND_ACTIVITIES 16

/* The number of arguments of a call that are searched for, from the first. */
#define FOUND_ARGUMENTS 3

/* The presumed arguments of a call. */
struct found_arguments {
    uint32_t known;  /* bits: the known arguments */
    uint32_t proved; /* bits: the certain ones, still where the call's function received them */
    uint64_t values[FOUND_ARGUMENTS];
};

/* An OpenCL call, or a callback of the program. */
struct found_activity {
    uint32_t call;     /* number of the function; 0: a callback, */
    uint32_t module;   /* in this module, by the tool's number, */
    uint64_t function; /* and this function of it; 0: unknown */
    uint64_t place;    /* an address in the function */
    struct found_arguments arguments;
};

struct found_thread {
    uint64_t lwp;
    uint64_t pthread; /* 0: not known */
    uint32_t count;   /* activities, innermost first */
    bool is_caller;   /* the outermost is a call */
    struct shortfall
        missing; /* activities that are not stored, or beyond the end of the known stack */
    struct found_activity activities[FOUND_ACTIVITIES];
};

/* ---- argument-objects ------------------------------------------------------------------------ */

/*
 * The presumed arguments of calls and callbacks on a stack. A number is considered an object only
 * if there is one of a kind that the function takes.
 */

/* The events given to clWaitForEvents. */
struct argument_events {
    uint64_t list; /* their address */
    uint32_t count;
};

/* Find the object that ACTIVITY waits for or works on, in *HANDLE. Returns false if it is not
 * known. */
bool argument_object_find(struct address_space *space, const struct found_activity *activity,
                          uint64_t *handle);

/* The kind of object that ACTIVITY, a callback of the program, is called for, by its first
 * argument, in *HANDLE; LAYOUT_KIND_COUNT if it is unknown. */
enum layout_kind argument_callback_kind(struct address_space *space,
                                        const struct found_activity *activity, uint64_t *handle);

/* Find the user data of ACTIVITY, a callback for an object of KIND, in *USER_DATA. Returns false if
 * it is unknown. */
bool argument_user_data_find(const struct found_activity *activity, enum layout_kind kind,
                             uint64_t *user_data);

/* Find the events that ACTIVITY waits for. *HANDLE is the first that is not known to be complete.
 * Returns false if they are unknown. */
bool argument_events_find(struct address_space *space, const struct found_activity *activity,
                          struct argument_events *events, uint64_t *handle);

/* Whether ACTIVITY, a call that may wait for the device, presumably requested that. */
bool argument_is_blocking(const struct found_activity *activity);

/* ---- stack-rows ------------------------------------------------------------------------------ */

/* Rows of threads in OpenCL, from their stacks. */

/* Fill INFO with the presumed state of THREAD of SPACE. */
void stack_thread_fill(struct address_space *space, const struct found_thread *thread,
                       ompd_cl_thread_info_t *info);

/* Fill INFO with activity NUMBER of THREAD of SPACE, from 0, the innermost. */
void stack_activity_fill(struct address_space *space, const struct found_thread *thread,
                         uint32_t number, ompd_cl_activity_info_t *info);

/* ---- memory-owners --------------------------------------------------------------------------- */

/* Who uses which memory of the target: modules, stacks and the recorder. */

struct address_space;

/* The role of a module. */
enum module_role {
    module_of_program, /* the program, and the libraries that it uses */
    module_of_runtime, /* an OpenCL runtime, or its loader */
    module_of_embree,
    module_of_recorder,
    module_of_c_library /* which starts threads for others */
};

/* The memory of a module: [start, end). */
struct owner_module {
    uint64_t start;
    uint64_t end;
    uint32_t index; /* the tool's number */
    enum module_role role;
};

/* The memory region of a thread's stack. */
struct owner_stack {
    uint64_t lwp;     /* 0: unknown, as for the first thread */
    uint64_t pthread; /* 0: not known */
    uint64_t start;   /* of the region */
    uint64_t end;
    uint64_t live; /* words below are dead; 0: unknown, all may be dead */
};

/* A range of records of one table of the recorder. */
struct owner_range {
    uint64_t start;
    uint64_t end;
    uint32_t table; /* number of the table */
};

/* The map of one stop. Its memory is held as long as the address space. */
struct memory_owners {
    uint64_t stop; /* the target's that it is of */
    struct owner_module *modules;
    uint32_t module_count;
    uint32_t module_capacity;
    struct owner_stack *stacks;
    uint32_t stack_count;
    uint32_t stack_capacity;
    struct owner_range *records; /* of the recorder */
    uint32_t record_count;
    uint32_t record_capacity;
    uint32_t stack_pointer; /* its DWARF number; UINT32_MAX: unknown */
    bool lacks_some;        /* the tool failed to list or read some of it */
};

/* Make the map of this stop, and retry what was not available for an earlier search. Returns
 * ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted; what the tool does not report is missing. */
ompd_rc_t memory_owners_read(struct address_space *space);

/* The module with ADDRESS; NULL if there is none. */
const struct owner_module *owner_module_find(const struct memory_owners *map, uint64_t address);

/* The stack with ADDRESS; NULL if no known one has it. */
const struct owner_stack *owner_stack_find(const struct memory_owners *map, uint64_t address);

/* The recorder's records with ADDRESS; NULL if there are none. */
const struct owner_range *owner_range_find(const struct memory_owners *map, uint64_t address);

/* ---- call-arguments -------------------------------------------------------------------------- */

/*
 * The arguments of a call that has not returned. They are derived from the machine code in front of
 * the call, the preserved registers, and memory. They may be wrong if other code jumped to the
 * call, or if memory has changed since.
 */

/* The code from which arguments are derived. */
enum call_way {
    call_by_caller = 1, /* the code in front of the call shows that the frame has made the call
                         * itself, not another function that continued there without a frame of its
                         * own */
    call_by_called = 2  /* the code of the called function, whose frame is the inner one */
};

/* Find the first arguments of the function that frame NUMBER of STACK, not the first frame, has
 * called, in *ARGUMENTS. WAYS are bits of enum call_way; MACHINE is the ELF machine number. */
void call_arguments_find(struct address_space *space, uint32_t machine,
                         const struct thread_stack *stack, uint32_t number, unsigned ways,
                         struct found_arguments *arguments);

/* ---- call-site ------------------------------------------------------------------------------- */

/* The function that a thread has called, by the machine code in front of its return address. */

/* Store in *FUNCTION the function that was called where a thread returns to ADDRESS in code of
 * MACHINE, an ELF machine number. An entry of the procedure linkage table is followed to its
 * target. TABLE is the value of i386's %ebx at the call, which code uses to find a global offset
 * table at any address; 0: unknown. Returns ompd_rc_ok; ompd_rc_unavailable when the code does not
 * show the target, such as for a call through a register; as target_view when the code cannot be
 * read. */
ompd_rc_t call_site_find(struct target *target, uint32_t machine, uint64_t address, uint64_t table,
                         uint64_t *function);

/* ---- found-threads --------------------------------------------------------------------------- */

/*
 * Threads in OpenCL without the recorder, by the unfinished calls on their stacks. A return address
 * behind a call of a public OpenCL function proves that the thread is in that function, however the
 * loader and the runtime are built. A function that a runtime has called, in a module that calls
 * OpenCL itself, is presumably a callback.
 */

/* Whether the tool of SPACE provides threads and stacks, and wants them as a source. */
bool found_threads_are_available(const struct address_space *space);

/* Find the threads of this stop in `threads` of SPACE. IS_AGAIN retries stacks that could not be
 * read. Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t found_threads_read(struct address_space *space, bool is_again);

/* The thread LWP of those found; NULL if it is not among them. */
const struct found_thread *found_thread_find(const struct address_space *space, uint64_t lwp);

/* ---- lock-wait ------------------------------------------------------------------------------- */

/*
 * What a thread waits for in glibc, by its call stack and its registers. Functions such as
 * pthread_mutex_lock() call Linux with the address of a word of the lock, and glibc stores the
 * owner in it.
 */

/* A function of the C library, in a module of this stop. */
struct lock_function {
    uint32_t module; /* number of the module */
    uint64_t start;  /* [start, end) of the module */
    uint64_t end;
    uint64_t function;
    uint8_t place; /* which function it is */
};

/* The functions; an older glibc has them in libpthread, too. */
#define LOCK_FUNCTIONS 12

/* The places of glibc's waiting functions in the modules of this stop. */
struct lock_code {
    struct lock_function all[LOCK_FUNCTIONS];
    uint32_t count;
    uint32_t machine;   /* index of the machine; its registers are unknown if it is not supported */
    bool is_renumbered; /* glibc numbers threads differently from the tool: the process is in
                           another PID namespace */
};

struct lock_wait {
    uint8_t kind;     /* ompd_cl_lock_t */
    uint64_t address; /* of the pthread_mutex_t or pthread_rwlock_t; 0: neither */
    uint32_t owner;   /* LWP of the owner, or of the joined thread; 0: unknown */
};

/* Find these places as far as the tool provides them; the others stay unknown. */
void lock_code_find(struct target *target, struct lock_code *code);

/* Find the lock that the thread LWP with STACK waits for, in *WAIT. Returns ompd_rc_ok;
 * ompd_rc_unavailable when it waits for no known kind of lock, or that is unknown;
 * ompd_rc_incomplete when a mutex could not be read. */
ompd_rc_t lock_wait_find(struct target *target, const struct lock_code *code, uint64_t lwp,
                         struct thread_stack *stack, struct lock_wait *wait);

/* Whether the thread with STACK is in abort(), which does not return. */
bool lock_stack_aborts(struct target *target, const struct lock_code *code,
                       const struct thread_stack *stack);

/* Whether the thread with STACK waits in a system call, according to its registers; if the
 * machine's are unknown, it may. */
bool lock_stack_is_in_linux(const struct lock_code *code, const struct thread_stack *stack);

/* ---- stack-source ---------------------------------------------------------------------------- */

/* Call stacks as a source. */

struct stack_source {
    struct kept_rows threads; /* struct found_thread */
    struct memory_owners owners;
};

#endif
