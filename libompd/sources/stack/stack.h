/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What call stacks tell: threads that are in OpenCL, and what they wait for. */
#ifndef LIBOMPD_STACK_H
#define LIBOMPD_STACK_H

#include "sources/address-space.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- found-thread ---------------------------------------------------------------------------- */

/* The threads of one stop that are in OpenCL, as their stacks show, which are followed once. */

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
    uint64_t pthread;         /* 0: not known */
    uint32_t count;           /* activities, innermost first, */
    bool is_caller;           /* the outermost is a call */
    struct shortfall missing; /* around them: not kept, or the stack was not followed to its end */
    struct found_activity activities[FOUND_ACTIVITIES];
};

/* ---- argument-objects ------------------------------------------------------------------------ */

/*
 * What a call or callback that a stack shows was presumably given: a number that the code tells is
 * taken for an object only where there is one of a kind that the function wants.
 */

/* The events that clWaitForEvents was given. */
struct argument_events {
    uint64_t list; /* where they are */
    uint32_t count;
};

/* Find the object that ACTIVITY waits for or works on, in *HANDLE.  False: it is not known. */
bool argument_object_find(struct address_space *space, const struct found_activity *activity,
                          uint64_t *handle);

/* Tell what kind of object ACTIVITY, a callback of the program, is called for, by its first
 * argument, which is then in *HANDLE: LAYOUT_KIND_COUNT where that is not known. */
enum layout_kind argument_callback_kind(struct address_space *space,
                                        const struct found_activity *activity, uint64_t *handle);

/* The user data of ACTIVITY, a callback for an object of KIND, in *USER_DATA.  False: it is not
 * known. */
bool argument_user_data_find(const struct found_activity *activity, enum layout_kind kind,
                             uint64_t *user_data);

/* Find the events that ACTIVITY waits for, of which *HANDLE gets the first that is not known to be
 * over.  False: they are not known. */
bool argument_events_find(struct address_space *space, const struct found_activity *activity,
                          struct argument_events *events, uint64_t *handle);

/* Tell whether ACTIVITY, of a call that may wait for the device, was presumably told to. */
bool argument_is_blocking(const struct found_activity *activity);

/* ---- stack-rows ------------------------------------------------------------------------------ */

/* Rows of threads that are in OpenCL, as their stacks show. */

/* Fill INFO with what is presumed of THREAD, of SPACE. */
void stack_thread_fill(struct address_space *space, const struct found_thread *thread,
                       ompd_cl_thread_info_t *info);

/* Fill INFO with activity NUMBER of THREAD, of SPACE, from 0, the innermost. */
void stack_activity_fill(struct address_space *space, const struct found_thread *thread,
                         uint32_t number, ompd_cl_activity_info_t *info);

/* ---- memory-owners --------------------------------------------------------------------------- */

/* What the target's memory is for: whose data, whose stack, and what is the recorder's own. */

struct address_space;

/* What a module is to the program. */
enum module_role {
    module_of_program, /* itself, and the libraries that it uses */
    module_of_runtime, /* an OpenCL runtime, or its loader */
    module_of_recorder,
    module_of_c_library /* which begins threads for others */
};

/* The memory of a module: [start, end). */
struct owner_module {
    uint64_t start;
    uint64_t end;
    uint32_t index; /* the tool's */
    enum module_role role;
};

/* The memory that a thread's stack is in. */
struct owner_stack {
    uint64_t lwp;     /* 0: not known, of the first thread */
    uint64_t pthread; /* 0: not known */
    uint64_t start;   /* of the region */
    uint64_t end;
    uint64_t live; /* words below are dead; 0: not known, they may all be */
};

/* Records of one table of the recorder's, from the start of one to the end of another. */
struct owner_range {
    uint64_t start;
    uint64_t end;
    uint32_t table; /* number of the table */
};

/* Of one stop.  Memory for it is held as long as the address space. */
struct memory_owners {
    uint64_t stop; /* the target's that it is of */
    struct owner_module *modules;
    uint32_t module_count;
    uint32_t module_capacity;
    struct owner_stack *stacks;
    uint32_t stack_count;
    uint32_t stack_capacity;
    struct owner_range *records; /* the recorder's */
    uint32_t record_count;
    uint32_t record_capacity;
    uint32_t stack_pointer; /* its number in DWARF; UINT32_MAX: not known */
    bool lacks_some;        /* what the tool failed to tell, or to read, is missing */
};

/* Have the map of this stop; what could not be had for an earlier search may be there now.  Returns
 * ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted: what the tool does not tell is missing in it.
 */
ompd_rc_t memory_owners_read(struct address_space *space);

/* The module whose memory ADDRESS is in; NULL: none. */
const struct owner_module *owner_module_find(const struct memory_owners *map, uint64_t address);

/* The stack whose memory ADDRESS is in; NULL: none that is known. */
const struct owner_stack *owner_stack_find(const struct memory_owners *map, uint64_t address);

/* The recorder's records that ADDRESS is in; NULL: it is in none. */
const struct owner_range *owner_range_find(const struct memory_owners *map, uint64_t address);

/* ---- call-arguments -------------------------------------------------------------------------- */

/*
 * What a function was given by a call that has not returned: told by the machine's code before the
 * call, from the registers that functions preserve and from memory.  Where other code may have come
 * to the call on another way, or memory was changed since, it may be something else.
 */

/* Which code tells what a function was given. */
enum call_way {
    call_by_caller = 1, /* that before the call: the frame has called it itself, and not another
                         * function that went on to it without a frame of its own */
    call_by_called = 2  /* that of the function: the frame within is its own */
};

/* Have in *ARGUMENTS what the first parameters of the function were given that frame NUMBER of
 * STACK, not the first, has led to, as WAYS, of enum call_way, tell; MACHINE is the number of ELF.
 */
void call_arguments_find(struct address_space *space, uint32_t machine,
                         const struct thread_stack *stack, uint32_t number, unsigned ways,
                         struct found_arguments *arguments);

/* ---- call-site ------------------------------------------------------------------------------- */

/* Which function a thread has called that is to return to an address: told by the machine's code
 * before it. */

/*
 * Have in *FUNCTION the function that was called where a thread returns to ADDRESS in code of
 * MACHINE, a number of ELF: an entry of the procedure linkage table is followed to what it leads
 * to.  TABLE is what %ebx of i386 had at the call, by which code finds the global offset table that
 * may be anywhere; 0: it is not known.  Returns ompd_rc_ok; ompd_rc_unavailable when the call is
 * none whose target is told, such as one through a register; as target_view when the code cannot be
 * read.
 */
ompd_rc_t call_site_find(struct target *target, uint32_t machine, uint64_t address, uint64_t table,
                         uint64_t *function);

/* ---- found-threads --------------------------------------------------------------------------- */

/*
 * Threads that are in OpenCL, told without the recorder: by the calls on their stacks that have not
 * returned.  A return address behind a call of a public function of OpenCL says that the thread is
 * in that function, however the loader and the runtime are built; a function that an OpenCL runtime
 * has called, and that is in a module which calls OpenCL itself, is presumably a callback.
 */

/* Tell whether the tool of SPACE tells threads and their stacks, and wants them as a source. */
bool found_threads_are_available(const struct address_space *space);

/* Have the threads of this stop in `threads` of SPACE; where some could not be looked at, IS_AGAIN
 * has that tried again.  Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t found_threads_read(struct address_space *space, bool is_again);

/* The thread LWP of those; NULL when it is none of them. */
const struct found_thread *found_thread_find(const struct address_space *space, uint64_t lwp);

/* ---- lock-wait ------------------------------------------------------------------------------- */

/*
 * What a thread waits for in glibc, told by its call stack and its registers: functions such as
 * pthread_mutex_lock() call Linux with the address of a word of what they wait for, and glibc keeps
 * who has locked that.
 */

/* A function of the C library, in a module of this stop. */
struct lock_function {
    uint32_t module; /* its number */
    uint64_t start;  /* [start, end) of the module */
    uint64_t end;
    uint64_t function;
    uint8_t place; /* which of them it is */
};

/* Each of these functions; an older glibc has them in libpthread, too. */
#define LOCK_FUNCTIONS 12

/* Where glibc has the functions that wait, in the modules of this stop. */
struct lock_code {
    struct lock_function all[LOCK_FUNCTIONS];
    uint32_t count;
    uint32_t machine; /* its place in a table; its registers are not known where there is no code */
    bool is_renumbered; /* glibc knows threads by other numbers than the tool: the process is of
                         * another PID namespace */
};

struct lock_wait {
    uint8_t kind;     /* ompd_cl_lock_t */
    uint64_t address; /* of the pthread_mutex_t or pthread_rwlock_t; 0: it is none */
    uint32_t owner;   /* LWP that has locked it, or is to end; 0: not known */
};

/* Find where that is, so far as the tool tells it: nothing is known where it is not. */
void lock_code_find(struct target *target, struct lock_code *code);

/*
 * Have in *WAIT what the thread LWP waits for, its stack in STACK.  Returns ompd_rc_ok;
 * ompd_rc_unavailable when it waits for nothing of this, or that is not told; ompd_rc_incomplete
 * when a mutex could not be read.
 */
ompd_rc_t lock_wait_find(struct target *target, const struct lock_code *code, uint64_t lwp,
                         struct thread_stack *stack, struct lock_wait *wait);

/* Tell whether the thread with STACK is in abort(), which does not return. */
bool lock_stack_aborts(struct target *target, const struct lock_code *code,
                       const struct thread_stack *stack);

/* Tell whether the thread with STACK has called Linux and waits there, so far as its registers
 * tell; where the machine's do not, it may. */
bool lock_stack_is_in_linux(const struct lock_code *code, const struct thread_stack *stack);

/* ---- stack-source ---------------------------------------------------------------------------- */

/* Call stacks as a source. */

struct stack_source {
    struct kept_rows threads; /* struct found_thread */
    struct memory_owners owners;
};

#endif
