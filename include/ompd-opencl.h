/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: what a debugger asks about the OpenCL objects of a stopped process or a core.
 *
 * This header is the manual of libompd-opencl.  It adds to the standard OMPD interface (OpenMP 6.0,
 * chapters 38 to 42), whose types and entry points <ompd-opencl-types.h> has.
 *
 * A session
 *
 *     ompd_cl_address_space_create(&callbacks, NULL, tool_context, &space);
 *     ompd_cl_memobj_list_open(space, NULL, &list);
 *     do {
 *         rows[0].struct_size = sizeof(rows[0]);
 *         rc = ompd_cl_memobj_list_next(space, list, 64, rows, &count, &unreadable);
 *         ... count rows, each field with a status of its own ...
 *     } while (count > 0);
 *     ompd_cl_list_close(space, list);
 *     ompd_rel_address_space_handle(space);
 *
 * Words
 *   tool             the debugger that calls this library.
 *   target           the process or core that the tool looks at.
 *   tool context     what the tool passes for its own use; never looked into.
 *   OpenCL context   a cl_context of the target.
 *   object id        this library's name for an object of the target.
 *   cl handle        the value that the target's program holds: cl_mem, cl_context, ...
 *   source           where a fact comes from: the recorder, or a layout of the OpenCL runtime.
 *
 * Memory.  The library owns no memory but what the tool's `alloc_memory` gives it.  What the tool
 * comes to own is said at each function; where nothing is said, the tool owns nothing.  All memory
 * is given back by ompd_rel_address_space_handle.  `char *` results are static text of the library,
 * or belong to the address space: never freed by the tool.
 *
 * Threads.  Distinct address spaces may be used from different threads at once; one address space
 * by one thread at a time: a second call meanwhile, from another thread or from a callback, returns
 * ompd_rc_busy and does nothing; a memory monitor may set another monitor.  All threads of the
 * target are stopped.
 *
 * Callbacks.  The library passes NULL as thread context and file name and 0 as segment, and leaves
 * the segment that comes back alone.  `read_memory` gives all bytes or an error.  Any callback that
 * returns an ompd_rc_t may return ompd_rc_interrupted, when the user has pressed Ctrl-C say: no
 * other callback but `free_memory` is called then, and the call ends with that code.  A callback
 * is to return.  One that leaves by longjmp or a C++ exception leaves the address space busy: all
 * that is left to do is to release it, in the same thread and outside of the function that was
 * left, which gives all memory back.  Of an address space that was being made or released then, all
 * is given back when that thread, outside of that function, makes another.
 *
 * Return codes.  Every function returns one of:
 *   ompd_rc_ok            done.
 *   ompd_rc_unavailable   the target has nothing to show: no recorder and no layout that fits, no
 *                         OpenCL call yet, no such cl handle.
 *   ompd_rc_stale_handle  the address space, object id or list named is gone.
 *   ompd_rc_bad_input     an argument is NULL or was never given out by the library.
 *   ompd_rc_error         the target's data make no sense (a corrupt core, say), or a symbol lookup
 *                         failed otherwise than by not finding the symbol.
 *   ompd_rc_unsupported   not in this version, or a callback is missing that the call needs.
 *   ompd_rc_incompatible  the recorder in the target, or a layout, is of a newer major version.
 *   ompd_rc_nomem         the tool's `alloc_memory` failed, its memory monitor refused, or the
 *                         memory limit would have been passed.
 *   ompd_rc_device_read_error  memory of the target without which nothing can be told could not be
 *                         read: the registry's root, or the object that a list is asked of.
 *   ompd_rc_incomplete    some of the target's memory could not be read: out parameters are set,
 *                         each affected field carries its status, lists say how many rows are
 *                         missing.
 *   ompd_rc_callback_error  a callback returned an error that has no better name.
 *   ompd_rc_incompatible_handle  the handle is of another kind than the call is about.
 *   ompd_rc_interrupted   a callback returned it.  What had been read at this stop is forgotten;
 *                         nothing counts as unreadable for that.  The next call works.
 *   ompd_rc_busy          another call on the address space is under way, in another thread or in
 *                         the callback that makes this one; there is no message.
 * With any code but ompd_rc_ok and ompd_rc_incomplete the out parameters are untouched and the call
 * has had no effect; rows and arrays of frames are undefined after ompd_rc_interrupted.
 * ompd_cl_message_get tells the reason in one sentence.
 */
#ifndef OMPD_OPENCL_H
#define OMPD_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ompd-opencl-types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions ------------------------------------------------------------------------------- */

/* This header's version.  The major number changes when a program that was right stops being so. */
#define OMPD_CL_VERSION_MAJOR 0
#define OMPD_CL_VERSION_MINOR 1

/* Give the version of the library that is running, which may be newer than this header's.
 * Both pointers must not be NULL.  Returns ompd_rc_ok, or ompd_rc_bad_input. */
ompd_rc_t ompd_cl_version_get(uint32_t *major, uint32_t *minor);

/* ---- OpenMP 6.0 ------------------------------------------------------------------------------ */

/* Entry points that OpenMP 6.0 adds to OMPD and LLVM's <omp-tools.h> lacks. */

/*
 * Tell which kinds of native thread ids the address space knows: *KINDS and *THREAD_ID_SIZES get
 * arrays of *COUNT elements.  Both arrays become the tool's, to be freed with what it gave as
 * `free_memory`.  Returns ompd_rc_ok, ompd_rc_nomem, ompd_rc_bad_input, ompd_rc_stale_handle,
 * ompd_rc_incompatible_handle.  OpenMP 6.0 section 41.2.3.
 */
ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
                                          ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes,
                                          int *count);

/*
 * Give the address space that a thread runs in: the handle that the tool has, not a new one.
 * OpenCL's threads all run on the host.  Returns ompd_rc_ok, ompd_rc_bad_input,
 * ompd_rc_stale_handle (the thread has ended, too), ompd_rc_incompatible_handle,
 * ompd_rc_device_read_error; else as in the head of this file.  OpenMP 6.0 section 41.4.4.
 */
ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
                                      ompd_address_space_handle_t **device);

/* ---- Address spaces ------------------------------------------------------------------------- */

/* Bits of ompd_cl_region_t.permissions. */
typedef enum ompd_cl_permission_t {
    ompd_cl_permission_known = 1, /* without it the other bits mean nothing */
    ompd_cl_permission_read = 2,
    ompd_cl_permission_write = 4,
    ompd_cl_permission_execute = 8,
    /*
     * What of it cannot be read was presumably never written to, and then holds no object.  Of a
     * core: private memory of no file, of which it has nothing though it has other such memory.
     * Linux leaves out what has no pages, but also what madvise(2) was told MADV_DONTDUMP of.  Of a
     * process: a page of such memory that the process itself cannot read.
     */
    ompd_cl_permission_untouched = 16,
    /*
     * All its bytes are saved, and 0: it need not be searched.  Of a core: a hole of its file.  Of
     * a process: private memory of no file without pages, to which nothing was ever written.
     */
    ompd_cl_permission_zero = 32,
    /* What of it is not saved was searched when the core was written, by this very version of the
     * library with the same layouts, and what that found is saved: it need not be searched. */
    ompd_cl_permission_searched = 64,
    /* Too much to be searched, for it is not known which of its pages are there.  It can be read.
     * Of a process: terabytes of such memory as Linux cannot list the pages of before 6.7. */
    ompd_cl_permission_unsearched = 128
} ompd_cl_permission_t;

/* A range of the target's addresses, [start, end). */
typedef struct ompd_cl_region_t {
    ompd_size_t struct_size;
    ompd_addr_t start;
    ompd_addr_t end;
    uint32_t is_saved;    /* 0 when a core has the range but not its contents; else 1 */
    uint32_t permissions; /* ompd_cl_permission_t, of the target's program */
    /* Of a part of what the program has mapped as one, where a core has not saved all parts or some
     * have no pages: the whole, [start, end).  0 of others. */
    ompd_addr_t whole_start;
    ompd_addr_t whole_end;
} ompd_cl_region_t;

/* A file that is mapped into the target: its program, a shared library, the dynamic linker. */
typedef struct ompd_cl_module_t {
    ompd_size_t struct_size;
    const char *name;          /* path in the target; "" when not known */
    const uint8_t *build_id;   /* NULL: it has none, or it is not known */
    ompd_size_t build_id_size; /* bytes */
    ompd_addr_t start;         /* lowest address at which it is mapped */
    ompd_addr_t end;           /* past the highest */
} ompd_cl_module_t;

/* A thread of the target, as the tool knows it. */
typedef struct ompd_cl_target_thread_t {
    ompd_size_t struct_size;
    uint64_t lwp;
    uint64_t pthread;  /* its pthread_t; 0: not known */
    uint64_t own_lwp;  /* what gettid(2) gives it, in another PID namespace; 0: the same */
    uint64_t main_lwp; /* of the thread that ran main(), which has the number of the process; where
                        * it is none of the threads that are told, it has ended; 0: not known */
} ompd_cl_target_thread_t;

/* The value of a register, by its number in DWARF. */
typedef struct ompd_cl_register_t {
    uint32_t number;
    uint32_t size; /* bytes of `value` that mean something */
    uint64_t value;
} ompd_cl_register_t;

/* A function call of a thread. */
typedef struct ompd_cl_frame_t {
    ompd_size_t struct_size;
    ompd_addr_t pc;
    ompd_addr_t frame_address; /* what DWARF calls the CFA; 0: not known */
    ompd_addr_t function;      /* its first instruction; 0: not known */
    uint32_t is_caller;        /* 1: `pc` is a return address; 0: that of the next instruction */
    uint32_t register_count;
    const ompd_cl_register_t *registers; /* those that are known; the tool's; NULL: none */
    ompd_size_t register_size; /* from one register to the next: sizeof(ompd_cl_register_t) */
} ompd_cl_frame_t;

/*
 * A memory monitor, with the semantics of Embree's rtcSetDeviceMemoryMonitorFunction.  Told of
 * every allocation and free that the library makes through the tool's callbacks:
 *
 *   bytes > 0, post false   BYTES are about to be allocated.  False cancels: the call that needs
 *                           them returns ompd_rc_nomem and all that it had done is undone.
 *   bytes > 0, post true    BYTES have been allocated.  False cancels likewise; the block is then
 *                           freed, which is told with -BYTES.
 *   bytes < 0, post true    -BYTES have been freed; or were granted but `alloc_memory` then failed;
 *                           or have become the tool's own (a string that it is to free).
 *   bytes < 0, post false   -BYTES are about to be freed.
 *
 * Of one allocation or free it is told once.  This version tells of allocations before and of frees
 * after; a tool must accept all four.  What is returned for a free is ignored.  A tool that adds up
 * BYTES, leaving out those that it cancelled with POST false, has what the library holds; when the
 * address space has been released that is 0.  BYTES is never 0.  No lock is held meanwhile.
 */
typedef bool (*ompd_cl_memory_monitor_t)(void *user_ptr, ssize_t bytes, bool post);

/*
 * What a tool may offer beyond OMPD's callbacks.  Set struct_size to sizeof(ompd_cl_extra_t); a
 * library newer than the tool's header takes entries past it as NULL.  Any entry may be NULL.  All
 * are given the tool context.
 */
typedef struct ompd_cl_extra_t {
    ompd_size_t struct_size;
    /*
     * Tell the first region of the target that ends above ADDRESS.  Regions are disjoint and
     * sorted. Returns ompd_rc_ok and fills *REGION, or ompd_rc_unavailable when there is none. Used
     * to tell memory that a core did not save from memory that never was.
     */
    ompd_rc_t (*memory_region)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                               ompd_cl_region_t *region);
    /*
     * Lend target memory that the tool has mapped: set *POINTER to the NBYTES at ADDRESS, readable
     * and unchanged until the next ompd_cl_address_space_refresh or the address space's release.  Returns
     * ompd_rc_ok, or any error to make the library use `read_memory`.
     */
    ompd_rc_t (*map_memory)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                      ompd_size_t nbytes, const void **pointer);
    /* The address space's memory monitor from its first byte on: see ompd_cl_memory_monitor_set.
     * It is given MONITOR_USER_PTR, not the tool context. */
    ompd_cl_memory_monitor_t monitor;
    void *monitor_user_ptr;
    /* Its memory limit from its first byte on: see ompd_cl_memory_limit_set. */
    ompd_size_t memory_limit;
    /*
     * Tell module number INDEX, from 0, in any order that stays until the next ompd_cl_address_space_refresh.
     * Its name and build-id are the tool's, and need be good until the next callback only.  Returns
     * ompd_rc_ok and fills *MODULE; ompd_rc_unavailable past the last one; ompd_rc_incomplete past
     * the last that the tool knows, when there may be more or it knows none: then no answer says
     * that there is no OpenCL runtime, and none is called whole.
     */
    ompd_rc_t (*module)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                        ompd_cl_module_t *module);
    /* Look up the symbol NAME in module number INDEX alone.  Returns ompd_rc_ok and sets *ADDRESS,
     * or ompd_rc_unavailable when it has no such symbol. */
    ompd_rc_t (*module_symbol)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                               const char *name, ompd_addr_t *address);
    /*
     * Told between blocks of a search through memory: DONE of WHOLE bytes, DONE growing from 0.
     * True to go on; false ends the search, and the call that needed it returns
     * ompd_rc_incomplete.
     */
    bool (*progress)(ompd_address_space_context_t *tool_context, uint64_t done, uint64_t whole);
    /*
     * Tell thread number INDEX of the target, from 0, in any order that stays until the next
     * ompd_cl_address_space_refresh.  Returns ompd_rc_ok and fills *THREAD; ompd_rc_unavailable past the last
     * one.  Asked with `frames` for host memory on stacks, a finding, for holders, and for the
     * threads that are in OpenCL where no recorder tells them; and alone to name the recorder's
     * threads as the tool does, where the process has a PID namespace of its own.
     */
    ompd_rc_t (*thread)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                        ompd_cl_target_thread_t *thread);
    /*
     * Tell the call stack of the thread LWP, innermost first: at most CAPACITY frames in FRAMES,
     * whose registers are good until the next callback.  Returns ompd_rc_ok, and in *COUNT how many
     * were told; ompd_rc_unavailable when there is no such thread or its stack is not known.  This
     * version uses the registers of the first frame, the stack pointer among them, for holders the
     * frame addresses of all, and for threads without a recorder `pc`, `is_caller` and `function`
     * and, to tell what calls were given, the frame addresses and of further frames the registers
     * that functions preserve: what they were when the frame's function called, no others.
     */
    ompd_rc_t (*frames)(ompd_address_space_context_t *tool_context, uint64_t lwp,
                        ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count);
    /*
     * Told the NBYTES at ADDRESS whenever the library looks at them, which may be fewer than it
     * has read; of what it searches only what was found, and the bytes about it that it looked at.
     * A core that has all that was told gives the same answers.
     */
    void (*on_read)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                      ompd_size_t nbytes);
} ompd_cl_extra_t;

/*
 * Make an address space with callbacks of its own.  ompd_process_initialize does the same with the
 * table given to ompd_initialize, which this function does not need.
 *
 * CALLBACKS  is copied; needed are alloc_memory, free_memory, sizeof_type, symbol_addr_lookup,
 *            read_memory and device_to_host; the others may be NULL.
 * EXTRA      is copied; may be NULL.
 * TOOL_CONTEXT  is handed to the callbacks, unread, until the address space is released.
 * HANDLE     gets the address space, owned by the tool, released by ompd_rel_address_space_handle.
 *
 * The target need not have a recorder yet: then the functions below return ompd_rc_unavailable, and
 * ompd_cl_address_space_refresh looks again.
 * Returns ompd_rc_ok; ompd_rc_bad_input for NULL CALLBACKS or HANDLE or a struct_size of 0;
 * ompd_rc_unsupported when a needed callback is NULL; ompd_rc_nomem when memory or the 256 address
 * spaces of a process are used up; a callback's error from sizeof_type or device_to_host.
 */
ompd_rc_t ompd_cl_address_space_create(const ompd_callbacks_t *callbacks,
                                       const ompd_cl_extra_t *extra,
                                       ompd_address_space_context_t *tool_context,
                                       ompd_address_space_handle_t **handle);

/*
 * Forget what was read of the target.  To be called after the target ran, or its modules changed;
 * ids and open lists stay.  A list that is open goes on with what is there now. Blocks of the
 * registry that have not changed since are not read again; memory is looked through again only when
 * what layouts find is asked for.  What was read is forgotten even when the call fails, unless
 * SPACE is no address space of a process.
 * Returns ompd_rc_ok; ompd_rc_bad_input, ompd_rc_stale_handle, ompd_rc_incompatible_handle;
 * ompd_rc_unavailable when there is neither a recorder (yet) nor a runtime that a layout fits;
 * ompd_rc_incompatible, ompd_rc_error, ompd_rc_nomem, ompd_rc_device_read_error,
 * ompd_rc_callback_error as in the head of this file.
 */
ompd_rc_t ompd_cl_address_space_refresh(ompd_address_space_handle_t *space);

/*
 * Why the last call on SPACE did not return ompd_rc_ok: one sentence without a newline, in
 * *MESSAGE; the empty text when it did.  With SPACE NULL: of the last failed
 * ompd_cl_address_space_create, ompd_initialize or ompd_process_initialize.  The text is the
 * library's, valid until the next call on SPACE.
 * Returns ompd_rc_ok, ompd_rc_bad_input (MESSAGE is NULL, no such SPACE), ompd_rc_stale_handle or
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *space, const char **message);

/* ---- Memory ---------------------------------------------------------------------------------- */

/*
 * Set the memory monitor of SPACE and the pointer that it is given; NULL for none.  The last set
 * wins.  May be called from any thread, and by a monitor: the pair is published as one.  A call of
 * the library that is under way elsewhere may call the former monitor once more.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle (as soon as SPACE is being released)
 * or ompd_rc_incompatible_handle.  Leaves the message of SPACE alone.
 */
ompd_rc_t ompd_cl_memory_monitor_set(ompd_address_space_handle_t *space,
                                     ompd_cl_memory_monitor_t monitor, void *user_ptr);

/*
 * Set the most BYTES that SPACE may hold; 0 for no limit.  An allocation that would pass it fails
 * as if the tool's `alloc_memory` had; what is held already stays.  The sentence of
 * ompd_cl_message_get, and `wanted` of ompd_cl_library_memory_get, then tell how much was wanted.  May be
 * called from any thread, and by a monitor.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 * Leaves the message alone.
 */
ompd_rc_t ompd_cl_memory_limit_set(ompd_address_space_handle_t *space, ompd_size_t bytes);

/* ---- Values --------------------------------------------------------------------------------- */

/* What is known of a field. */
typedef enum ompd_cl_status_t {
    ompd_cl_status_none = 0,           /* the library in use does not know this field */
    ompd_cl_status_value = 1,          /* a fact */
    ompd_cl_status_presumed = 2,       /* nothing speaks against it, but it is not proved */
    ompd_cl_status_unknown = 3,        /* not observed */
    ompd_cl_status_not_applicable = 4, /* this object has no such thing */
    ompd_cl_status_not_saved = 5,      /* its memory was not saved in the core */
    ompd_cl_status_unreadable = 6,     /* its memory could not be read */
    ompd_cl_status_changing = 7,       /* thread `lwp` was changing it when the target stopped */
    ompd_cl_status_corrupt = 8,        /* what was read cannot be */
    ompd_cl_status_at_least = 9        /* a count: presumed, and something may be missing in it */
} ompd_cl_status_t;

typedef enum ompd_cl_source_t {
    ompd_cl_source_none = 0,
    ompd_cl_source_recorder = 1,
    ompd_cl_source_layout = 2,
    ompd_cl_source_stack = 3 /* the call stacks of the target's threads */
} ompd_cl_source_t;

/* One field of an object.  `value` is 0 unless status is value, presumed or at_least; narrower and
 * signed values are extended to 64 bits by their sign. */
typedef struct ompd_cl_value_t {
    uint64_t value;
    uint16_t status; /* ompd_cl_status_t */
    uint16_t source; /* ompd_cl_source_t */
    uint32_t lwp;    /* status changing: the thread; else 0 */
} ompd_cl_value_t;

#define OMPD_CL_TEXT_SIZE 120

/* One field that is a text; NUL-terminated, "" unless status is value or presumed. */
typedef struct ompd_cl_text_t {
    uint16_t status; /* ompd_cl_status_t */
    uint16_t source; /* ompd_cl_source_t */
    uint32_t lwp;
    char text[OMPD_CL_TEXT_SIZE];
} ompd_cl_text_t;

/*
 * States: one enumeration for each kind of thing that changes its state.  They share one range of
 * numbers, in which a number never has two meanings, so that one ompd_cl_filter_t.states serves all.
 */

/* Of an object that the program retains and releases: contexts, queues, memory objects, events,
 * kernels, programs and samplers. */
typedef enum ompd_cl_object_state_t {
    ompd_cl_object_state_live = 1,         /* the program holds references */
    ompd_cl_object_state_app_released = 2, /* the program holds none, but something still does */
    ompd_cl_object_state_destroying = 3    /* its destructor callbacks have begun to run */
} ompd_cl_object_state_t;

/* Of an SVM allocation. */
typedef enum ompd_cl_svm_state_t {
    ompd_cl_svm_state_allocated = 1,
    ompd_cl_svm_state_free_enqueued = 5 /* an SVM-free command names it */
} ompd_cl_svm_state_t;

/* Of a callback: of a destructor, an event or a build. */
typedef enum ompd_cl_callback_state_t {
    ompd_cl_callback_state_registered = 4, /* it will run */
    ompd_cl_callback_state_running = 6,    /* its function is running */
    ompd_cl_callback_state_done = 7,       /* its function has returned */
    /* Its function was called and did not return, but its thread is no longer in it: it was left by
     * longjmp(), an exception or the end of the thread, or it runs in the parent process of a
     * forked one. */
    ompd_cl_callback_state_left = 25
} ompd_cl_callback_state_t;

/* Of an SVM-free command. */
typedef enum ompd_cl_svm_free_state_t {
    ompd_cl_svm_free_state_enqueued = 5, /* not known to have run */
    ompd_cl_svm_free_state_running = 6,  /* its function is running */
    ompd_cl_svm_free_state_done = 7,     /* it has freed its pointers */
    ompd_cl_svm_free_state_failed = 8,   /* it ended with an error */
    ompd_cl_svm_free_state_left = 25     /* as of a callback */
} ompd_cl_svm_free_state_t;

/* Of a thread.  ompd_get_state returns these plus OMPD_CL_STATE_BASE. */
typedef enum ompd_cl_thread_state_t {
    ompd_cl_thread_state_outside = 9,             /* in no OpenCL call or callback */
    ompd_cl_thread_state_in_call = 10,            /* in a call that has no state of its own */
    ompd_cl_thread_state_waits_for_queue = 11,    /* in clFinish */
    ompd_cl_thread_state_waits_for_events = 12,   /* in clWaitForEvents */
    ompd_cl_thread_state_waits_for_transfer = 13, /* in a blocking read, write, map, copy or free */
    ompd_cl_thread_state_builds = 14,             /* builds, compiles or links a program */
    ompd_cl_thread_state_runs_destructor = 15,    /* in a destructor callback of the program */
    ompd_cl_thread_state_runs_svm_free = 16,      /* in the function of a clEnqueueSVMFree */
    /* In a callback of the program, of unknown kind; found by call stacks alone. */
    ompd_cl_thread_state_runs_callback = 22,
    ompd_cl_thread_state_runs_event_callback = 23, /* in the function of a clSetEventCallback */
    ompd_cl_thread_state_runs_build_callback = 24  /* in that of a clBuildProgram or the like */
} ompd_cl_thread_state_t;

/* Of an event and of a command: how far its execution has come. */
typedef enum ompd_cl_event_state_t {
    ompd_cl_event_state_enqueued = 5, /* not known to have begun or ended */
    ompd_cl_event_state_running = 6,
    ompd_cl_event_state_done = 7,            /* ended without an error */
    ompd_cl_event_state_failed = 8,          /* ended with an error */
    ompd_cl_event_state_being_enqueued = 17, /* command: the call that enqueues it has not returned */
    ompd_cl_event_state_unset = 18,          /* user event: nobody has set its status */
    ompd_cl_event_state_queued = 19,         /* CL_QUEUED */
    ompd_cl_event_state_submitted = 20,      /* CL_SUBMITTED */
    ompd_cl_event_state_ended = 21,          /* with or without an error */
    ompd_cl_event_state_left = 25            /* SVM-free command: as of a callback */
} ompd_cl_event_state_t;

/* Of the last build of a program. */
typedef enum ompd_cl_build_state_t {
    ompd_cl_build_state_running = 6, /* not known to have ended */
    ompd_cl_build_state_done = 7,
    ompd_cl_build_state_failed = 8
} ompd_cl_build_state_t;

/* Bits of ompd_cl_filter_t.states: of threads that wait for something, and of those that run a
 * callback of the program. */
#define OMPD_CL_STATES_WAITING                                                                     \
    ((uint64_t)1 << ompd_cl_thread_state_waits_for_queue |                                                \
     (uint64_t)1 << ompd_cl_thread_state_waits_for_events |                                               \
     (uint64_t)1 << ompd_cl_thread_state_waits_for_transfer | (uint64_t)1 << ompd_cl_thread_state_builds)
#define OMPD_CL_STATES_IN_CALLBACK                                                                 \
    ((uint64_t)1 << ompd_cl_thread_state_runs_destructor | (uint64_t)1 << ompd_cl_thread_state_runs_svm_free |   \
     (uint64_t)1 << ompd_cl_thread_state_runs_callback |                                                  \
     (uint64_t)1 << ompd_cl_thread_state_runs_event_callback |                                            \
     (uint64_t)1 << ompd_cl_thread_state_runs_build_callback)

/*
 * Of the recorder's objects those are presumed that the program has released and the runtime held
 * then: it may have deleted them since.  Where a layout shows that they are there they are certain;
 * where it shows that they are not, they are not given.
 * What of a doubtful object could not be read has its mark, but makes no list or count incomplete:
 * that it is no object is likelier.  An answer about that object alone is incomplete for it.
 */
typedef enum ompd_cl_confidence_t {
    ompd_cl_confidence_certain = 1,
    ompd_cl_confidence_presumed = 2,
    ompd_cl_confidence_doubtful = 3
} ompd_cl_confidence_t;

/* What speaks against an object of source layout. */
typedef enum ompd_cl_doubt_t {
    ompd_cl_doubt_none = 0,
    ompd_cl_doubt_same_number = 1,  /* another object has the number that no two objects share */
    ompd_cl_doubt_over_counted = 2, /* more objects than its OpenCL context has references for */
    ompd_cl_doubt_twin = 3,    /* another object owns the same memory: one of the two is a copy */
    ompd_cl_doubt_context = 4, /* its OpenCL context is in doubt */
    ompd_cl_doubt_kind = 5,    /* it may be an object of another kind */
    ompd_cl_doubt_place = 6,   /* it does not lie where its runtime allocates objects of its kind */
    ompd_cl_doubt_references = 7, /* 65536 references or more, and nothing found holds it */
    ompd_cl_doubt_callback = 8    /* no code is where the destructor callback that it runs was */
} ompd_cl_doubt_t;

/* What a memory object is (OpenCL 3.0 section 5.2 to 5.4). */
typedef enum ompd_cl_memobj_kind_t {
    ompd_cl_memobj_buffer = 1,
    ompd_cl_memobj_sub_buffer = 2,
    ompd_cl_memobj_image1d = 3,
    ompd_cl_memobj_image1d_array = 4,
    ompd_cl_memobj_image1d_buffer = 5,
    ompd_cl_memobj_image2d = 6,
    ompd_cl_memobj_image2d_array = 7,
    ompd_cl_memobj_image3d = 8,
    ompd_cl_memobj_pipe = 9
} ompd_cl_memobj_kind_t;

/* Where the storage of a memory object comes from when not from OpenCL. */
typedef enum ompd_cl_sharing_t {
    ompd_cl_sharing_none = 0,
    ompd_cl_sharing_gl = 1,
    ompd_cl_sharing_egl = 2,
    ompd_cl_sharing_va_api = 3,
    ompd_cl_sharing_imported = 4
} ompd_cl_sharing_t;

/* Which function made an SVM allocation. */
typedef enum ompd_cl_svm_kind_t {
    ompd_cl_svm_core = 1,
    ompd_cl_svm_arm = 2,
    ompd_cl_svm_usm_host = 3,
    ompd_cl_svm_usm_device = 4,
    ompd_cl_svm_usm_shared = 5
} ompd_cl_svm_kind_t;

/* ---- Object ids ------------------------------------------------------------------------------ */

/*
 * Ids belong to their address space and are never released.  An id that the library did not give
 * out gives ompd_rc_bad_input, one of an object that is gone ompd_rc_stale_handle.  From the
 * recorder, an id names the same object at every stop as long as the object lives, and is never
 * reused.  From a layout it names what is found under the same cl handle (SVM: pointer; SVM-free
 * command: event) as an object of the same kind: at another stop it is presumed to be the same.
 * An id of 0 is no object.
 */
typedef struct ompd_cl_context_id_t {
    uint64_t id;
} ompd_cl_context_id_t;
typedef struct ompd_cl_queue_id_t {
    uint64_t id;
} ompd_cl_queue_id_t;
typedef struct ompd_cl_memobj_id_t {
    uint64_t id;
} ompd_cl_memobj_id_t;
typedef struct ompd_cl_svm_id_t {
    uint64_t id;
} ompd_cl_svm_id_t;
typedef struct ompd_cl_svm_free_id_t {
    uint64_t id;
} ompd_cl_svm_free_id_t;
typedef struct ompd_cl_thread_id_t {
    uint64_t id;
} ompd_cl_thread_id_t;
typedef struct ompd_cl_command_id_t {
    uint64_t id;
} ompd_cl_command_id_t;
typedef struct ompd_cl_event_id_t {
    uint64_t id;
} ompd_cl_event_id_t;
typedef struct ompd_cl_kernel_id_t {
    uint64_t id;
} ompd_cl_kernel_id_t;
typedef struct ompd_cl_program_id_t {
    uint64_t id;
} ompd_cl_program_id_t;
typedef struct ompd_cl_sampler_id_t {
    uint64_t id;
} ompd_cl_sampler_id_t;

/* ---- Info structs ---------------------------------------------------------------------------- */

/*
 * The tool sets struct_size to the sizeof of its own header's struct before each call (in an array:
 * in the first element only; struct_size is also the distance between elements).  It must be a
 * multiple of 8 and hold at least `struct_size` and the id.  The library fills no more than that,
 * and gives members that it does not know the status none.  Structs grow at their end only.
 * ompd_cl_field_get describes every member, with names, units and help.
 */

/*
 * What the info struct of every object and row begins with, so that one function serves all kinds:
 * it prints who made a row, say.  A member that a kind has nothing for is not applicable.
 */
typedef struct ompd_cl_object_head_t {
    ompd_size_t struct_size;
    uint64_t id; /* object id, for ompd_cl_object_get and ompd_cl_object_list_open; 0: it has none */
    ompd_cl_value_t handle; /* cl handle; of an SVM allocation its pointer, of a thread its LWP */
    ompd_cl_value_t source; /* ompd_cl_source_t */
    ompd_cl_value_t confidence;         /* ompd_cl_confidence_t */
    ompd_cl_value_t doubt;              /* ompd_cl_doubt_t */
    ompd_cl_value_t order;              /* of creation, over the objects of all kinds */
    ompd_cl_value_t lwp;                /* creator thread */
    ompd_cl_value_t caller;             /* call site: return address of the call that made it */
    ompd_cl_value_t stack;              /* call stack of that call: key for ompd_cl_stack_get */
    ompd_cl_value_t runtime_references; /* references that the runtime counts, its own among them */
} ompd_cl_object_head_t;

/*
 * The overview: what is in the target.  Counts are of objects that are there.  Of doubtful ones
 * that seem to be copies of one object that one counts; others are left out, and their count then
 * has the status at_least.
 */
typedef struct ompd_cl_overview_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t pid;
    ompd_cl_value_t recorder_major;
    ompd_cl_value_t recorder_minor;
    ompd_cl_value_t contexts;
    ompd_cl_value_t queues;
    ompd_cl_value_t memory_objects;
    ompd_cl_value_t memory_object_bytes; /* sub-buffers and images made of buffers not counted in */
    ompd_cl_value_t app_released;        /* memory objects in that state */
    ompd_cl_value_t svm_allocations;
    ompd_cl_value_t svm_bytes;
    ompd_cl_value_t svm_frees; /* not known to be complete */
    ompd_cl_value_t destructors_registered;
    ompd_cl_value_t destructors_running;
    ompd_cl_value_t programs;
    ompd_cl_value_t kernels;
    ompd_cl_value_t samplers;
    ompd_cl_value_t events;
    ompd_cl_value_t over_releases;     /* releases of objects with no references left, so far */
    ompd_cl_value_t over_released;     /* cl handle of the last of them */
    ompd_cl_value_t unknown_handles;   /* calls on handles whose creation was not seen, so far */
    ompd_cl_value_t not_recorded;      /* objects that the recorder had no room for, so far */
    ompd_cl_value_t loaders_refused;   /* OpenCL loaders in the process beyond what it can serve */
    ompd_cl_value_t stack_depth;       /* frames recorded per call stack */
    ompd_cl_value_t tracks_completion; /* 1: completion of SVM frees is followed by events */
    ompd_cl_value_t threads;           /* that have entered OpenCL and live */
    /* Of the search for objects by layouts, none without one: bytes that could not be looked
     * through because the program presumably never wrote to them, */
    ompd_cl_value_t untouched_bytes;
    ompd_cl_value_t unsaved_bytes;    /* because a core has not saved them, */
    ompd_cl_value_t unreadable_bytes; /* or for another reason */
    ompd_cl_value_t last_order;       /* the largest `order` that was given to an object so far */
    /* What the recorder has drawn for the process: with the pid it tells whether two targets are
     * one process, in which an object is the same where its `order` is.  Not applicable of
     * recorders older than registry version 1.6. */
    ompd_cl_value_t identity;
} ompd_cl_overview_info_t;

/* An OpenCL platform that a context was created on. */
typedef struct ompd_cl_platform_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name;
    ompd_cl_text_t version;
    ompd_cl_text_t vendor;
} ompd_cl_platform_info_t;

typedef struct ompd_cl_context_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t platform; /* cl_platform_id */
    ompd_cl_value_t devices;  /* count */
    ompd_cl_value_t references;
    ompd_cl_value_t children; /* objects that keep it alive */
    ompd_cl_value_t state;
    ompd_cl_value_t destructor_count;
} ompd_cl_context_info_t;

typedef struct ompd_cl_queue_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t device;
    ompd_cl_value_t properties;
    ompd_cl_value_t references;
    ompd_cl_value_t svm_frees; /* commands not known to be complete */
    ompd_cl_value_t state;
} ompd_cl_queue_info_t;

typedef struct ompd_cl_memobj_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t kind; /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t references;
    ompd_cl_value_t context;
    ompd_cl_value_t parent; /* cl handle of the buffer that a sub-buffer or image is made of */
    ompd_cl_value_t origin; /* of a sub-buffer, bytes into its parent */
    ompd_cl_value_t host_pointer;
    ompd_cl_value_t svm; /* the SVM allocation that host_pointer is the start of; of a sub-buffer,
                          * that of its buffer */
    ompd_cl_value_t sharing;
    ompd_cl_value_t sharing_name;
    ompd_cl_value_t children;
    ompd_cl_value_t state;
    ompd_cl_value_t destructor_count;
    ompd_cl_value_t map_count; /* mappings that were not undone yet */
    ompd_cl_value_t width;     /* images: pixels */
    ompd_cl_value_t height;
    ompd_cl_value_t depth;
    ompd_cl_value_t array_size; /* images: of an array of images */
    ompd_cl_value_t row_pitch;  /* bytes */
    ompd_cl_value_t channel_order;
    ompd_cl_value_t channel_type;
    /* The call that gave the program's last reference back; as lwp, caller and stack. */
    ompd_cl_value_t released_lwp;
    ompd_cl_value_t released_caller;
    ompd_cl_value_t released_stack;
} ompd_cl_memobj_info_t;

/* Where the user data of a callback was when that was registered. */
typedef enum ompd_cl_user_data_place_t {
    ompd_cl_user_data_on_stack = 1,  /* on the stack of the thread that registered the callback */
    ompd_cl_user_data_in_data = 2,   /* between the program's file and its break, brk(2): its data,
                                      * and malloc's main heap; this and the next are not told below
                                      * 4 GiB, as a number might be such an address */
    ompd_cl_user_data_in_mapping = 3 /* in other memory that was mapped: a heap of malloc's for
                                      * other threads, what the program or malloc has mapped, data
                                      * of a library */
} ompd_cl_user_data_place_t;

/* A destructor callback of a memory object, an OpenCL context or a program. */
typedef struct ompd_cl_destructor_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object; /* cl handle */
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t state;
    ompd_cl_value_t running_lwp; /* runs it, or ran it */
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_destructor_info_t;

typedef struct ompd_cl_svm_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t kind; /* ompd_cl_svm_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t alignment;
    ompd_cl_value_t context;
    ompd_cl_value_t state;
} ompd_cl_svm_info_t;

typedef struct ompd_cl_svm_free_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t queue;
    ompd_cl_value_t context;
    ompd_cl_value_t pointer_count;
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t wait_count;
    ompd_cl_value_t event;
    ompd_cl_value_t state;
    ompd_cl_value_t running_lwp;
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_svm_free_info_t;

/* A pointer that an SVM-free command frees. */
typedef struct ompd_cl_svm_pointer_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t pointer;
    ompd_cl_value_t from_svm_alloc; /* 1: clSVMAlloc was seen to give it; 0: it was not */
} ompd_cl_svm_pointer_info_t;

/* An event that a command waits for. */
typedef struct ompd_cl_wait_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t event;
} ompd_cl_wait_info_t;

/* How the program has given an argument of a kernel. */
typedef enum ompd_cl_argument_form_t {
    ompd_cl_argument_unset = 0,  /* not at all, or a thread is setting it */
    ompd_cl_argument_data = 1,   /* a value that is no cl handle; presumed where it could be one */
    ompd_cl_argument_local = 2,  /* NULL: local memory, or no memory object */
    ompd_cl_argument_svm = 3,    /* an SVM pointer */
    ompd_cl_argument_object = 4, /* an object that is there */
} ompd_cl_argument_form_t;

/* An argument of a kernel; of a command that runs one, as it was when it was enqueued (OpenCL 3.0
 * section 5.9.2). */
typedef struct ompd_cl_argument_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t number;      /* from 0 */
    ompd_cl_value_t form;        /* ompd_cl_argument_form_t */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj, sampler, queue or svm */
    ompd_cl_value_t object;      /* cl handle, or SVM pointer */
    ompd_cl_value_t size;        /* bytes that were given; at most 2^28 - 1 */
    ompd_cl_value_t value;       /* form data, of 1, 2, 4 or 8 bytes: as an unsigned number */
} ompd_cl_argument_info_t;

/* A device that an OpenCL context was created with. */
typedef struct ompd_cl_device_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name;
    ompd_cl_value_t type; /* cl_device_type */
    ompd_cl_value_t platform;
} ompd_cl_device_info_t;

/* A command of a queue: one that is not known to be over, or one of the last. */
typedef struct ompd_cl_command_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t queue;
    ompd_cl_value_t number; /* among those of its queue, from 1; not applicable until it is enqueued
                             */
    ompd_cl_value_t type;   /* cl_command_type */
    ompd_cl_value_t state;  /* being_enqueued, enqueued, running, left, ended, done or
                             * failed */
    ompd_cl_value_t error;  /* state failed: the negative status; unknown: the runtime is not known
                             * to have ended it, and may never */
    ompd_cl_value_t event;  /* that the program was given */
    ompd_cl_value_t kernel;
    ompd_cl_value_t memobj;      /* that it works on, or reads */
    ompd_cl_value_t destination; /* of a copy: that it writes */
    ompd_cl_value_t wait_count;
    ompd_cl_value_t is_blocking; /* 1: its call returns when it is over */
    ompd_cl_value_t is_flushed;  /* 1: the runtime was told to begin it */
    ompd_cl_value_t context;
    ompd_cl_value_t enqueued_at;    /* when the call began, as `since` of activities */
    ompd_cl_value_t argument_count; /* as of its kernel, when it was enqueued */
    ompd_cl_value_t failed_event;   /* state failed, as a user event that it waits for, itself or by
                                     * way of other commands, was set to an error: that event */
    ompd_cl_value_t failed_status;  /* what it was set to, */
    ompd_cl_value_t failed_lwp;     /* and who has set it */
    ompd_cl_value_t failed_caller;
    ompd_cl_value_t failed_stack;
} ompd_cl_command_info_t;

/* An event that the program was given or made.  What it knows of its command's progress is what the
 * program has been told: by waiting, asking, or setting a user event. */
typedef struct ompd_cl_event_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t type; /* cl_command_type */
    ompd_cl_value_t queue;
    ompd_cl_value_t context;
    ompd_cl_value_t execution; /* ompd_cl_state_t: unset, enqueued, queued, submitted, running,
                                * ended, done or failed */
    ompd_cl_value_t error;     /* execution failed: the negative status */
    ompd_cl_value_t set_by;    /* user event: the thread that has set its status */
    ompd_cl_value_t number;    /* of its command among those of its queue, from 1 */
    ompd_cl_value_t references;
    ompd_cl_value_t state;
} ompd_cl_event_info_t;

typedef struct ompd_cl_kernel_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name; /* of its function; cut where it has no room */
    ompd_cl_value_t program;
    ompd_cl_value_t context;
    ompd_cl_value_t references;
    ompd_cl_value_t state;
    ompd_cl_value_t argument_count; /* one more than the last that was set */
} ompd_cl_kernel_info_t;

typedef struct ompd_cl_program_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t build;       /* ompd_cl_state_t: running, ended, done or failed */
    ompd_cl_value_t build_error; /* build failed: what the build returned, or its status */
    ompd_cl_value_t build_lwp;   /* the thread that began the last build */
    ompd_cl_text_t options;      /* of the last build; cut where it has no room */
    ompd_cl_text_t log;          /* of the last build, from its first error on, where the program
                                  * has asked for it; cut where it has no room, but for the folder
                                  * of a file that a long first line names, which is "..." */
    ompd_cl_value_t references;
    ompd_cl_value_t children; /* kernels of it */
    ompd_cl_value_t state;
    ompd_cl_value_t destructor_count; /* release callbacks */
} ompd_cl_program_info_t;

typedef struct ompd_cl_sampler_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t normalized; /* 1: coordinates are */
    ompd_cl_value_t addressing; /* cl_addressing_mode */
    ompd_cl_value_t filter;     /* cl_filter_mode */
    ompd_cl_value_t references;
    ompd_cl_value_t state;
} ompd_cl_sampler_info_t;

/* A thread that has entered OpenCL, by a call or because the runtime ran a callback in it. */
typedef struct ompd_cl_thread_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t pthread;   /* its pthread_t */
    ompd_cl_value_t state;     /* of its innermost activity */
    ompd_cl_value_t call;      /* the function of OpenCL it is in, innermost */
    ompd_cl_value_t object;    /* what it waits for, or works on: that of the innermost activity */
    ompd_cl_value_t depth;     /* activities: calls and callbacks within each other */
    ompd_cl_value_t is_caller; /* 0: known only from callbacks, a thread of the runtime */
    ompd_cl_value_t event_count; /* of clWaitForEvents: how many events it was given; `handle` is
                                  * the first of them that is not known to be over */
    ompd_cl_value_t since;       /* when its innermost activity began, as in its activities */
} ompd_cl_thread_info_t;

/* A call or callback that a thread is in. */
typedef struct ompd_cl_activity_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t state; /* what the thread's state would be if this were the innermost */
    ompd_cl_value_t call;  /* function of OpenCL; not applicable to a callback */
    ompd_cl_value_t object;
    ompd_cl_value_t function; /* callback: the program's function, and */
    ompd_cl_value_t user_data;
    ompd_cl_value_t since; /* when a callback, or a call that waits, began: the time of day, in
                            * milliseconds since 1970, to a few of them; not applicable to other
                            * calls, which return too soon for the recorder to ask the clock */
} ompd_cl_activity_info_t;

/* What usage is of. */
typedef enum ompd_cl_usage_kind_t {
    ompd_cl_usage_contexts = 1,
    ompd_cl_usage_queues = 2,
    ompd_cl_usage_memory_objects = 3,
    ompd_cl_usage_programs = 4,
    ompd_cl_usage_kernels = 5,
    ompd_cl_usage_samplers = 6,
    ompd_cl_usage_events = 7,
    ompd_cl_usage_svm_allocations = 8,
    ompd_cl_usage_svm_frees = 9,
    ompd_cl_usage_destructors = 10
} ompd_cl_usage_kind_t;

/* How many objects of a kind the target has, and had at most, as the threads counted them.  One
 * that the program has released counts while the recorder has not learned of its end, unless a
 * layout shows that it is gone; where none does, `live` and `bytes` are presumed, as bounds. */
typedef struct ompd_cl_usage_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t counted_kind; /* ompd_cl_usage_kind_t */
    ompd_cl_value_t live;
    ompd_cl_value_t peak; /* at most so many at once; presumed, as a bound, once two threads have
                             entered OpenCL */
    ompd_cl_value_t bytes;
    ompd_cl_value_t peak_bytes;
} ompd_cl_usage_info_t;

/* The library's own memory, of one address space. */
typedef struct ompd_cl_library_memory_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t current;   /* bytes held now */
    ompd_cl_value_t peak;      /* most bytes held at once */
    ompd_cl_value_t calls;     /* allocations and frees so far */
    ompd_cl_value_t cancelled; /* allocations that the monitor or the limit refused */
    ompd_cl_value_t limit;     /* bytes */
    ompd_cl_value_t wanted; /* bytes that would have been held had the last of them been granted */
} ompd_cl_library_memory_info_t;

/* How the dispatch table of a runtime was found. */
typedef enum ompd_cl_found_by_t {
    ompd_cl_found_by_layout = 1, /* where the layout says */
    ompd_cl_found_by_symbol = 2,
    ompd_cl_found_by_search = 3 /* no layout and no symbol was needed */
} ompd_cl_found_by_t;

/* An OpenCL runtime (ICD) that is loaded in the target. */
typedef struct ompd_cl_runtime_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t module;    /* the end of its path */
    ompd_cl_text_t build_id;  /* hexadecimal */
    ompd_cl_text_t layout;    /* the runtime that its layout is of; not applicable: none fits */
    ompd_cl_value_t address;  /* lowest address of the module */
    ompd_cl_value_t table;    /* address of the dispatch table */
    ompd_cl_value_t found_by; /* ompd_cl_found_by_t */
    ompd_cl_value_t objects;  /* that were found, of any kind.  Where no layout fits: not known, or
                                 0, presumed, since at most a platform has this table, or since
                                 the module is being loaded and nothing of it has run */
} ompd_cl_runtime_info_t;

/* What a finding is of: a mistake that the target shows at this stop. */
typedef enum ompd_cl_finding_kind_t {
    ompd_cl_finding_host_unmapped = 1, /* host memory of a memory object is not mapped */
    ompd_cl_finding_host_freed = 2,    /* glibc's malloc has it back */
    ompd_cl_finding_host_on_stack = 3, /* it is of a function that has returned */
    /* The next two are legal as long as no commands use both at the same time, and not found. */
    ompd_cl_finding_host_shared = 4,        /* two memory objects use the same host memory */
    ompd_cl_finding_sub_buffers = 5,        /* two sub-buffers of one buffer overlap */
    ompd_cl_finding_callback_code = 6,      /* a callback that is to run has no code */
    ompd_cl_finding_over_release = 7,       /* what had no references left was released */
    ompd_cl_finding_svm_freed_twice = 8,    /* enqueued frees of one SVM allocation */
    ompd_cl_finding_svm_used = 9,           /* a free of what a memory object uses is enqueued, or what
                                          * a command of a kernel uses was freed */
    ompd_cl_finding_callback_waits = 10,    /* a callback is in a call that waits */
    ompd_cl_finding_callback_releases = 11, /* a callback releases the object that it is called for */
    ompd_cl_finding_build_failed = 12,      /* the last build of a program that is held has failed;
                                          * no mistake until `thread` then called
                                          * clCreateKernel for it: a program may try */
    ompd_cl_finding_forked = 13,            /* a process calls OpenCL that was forked from one that had
                                          * used it */
    ompd_cl_finding_exiting = 14,           /* a thread is in OpenCL while the program is in exit() */
    ompd_cl_finding_svm_mapped = 15,        /* an SVM allocation was freed while it was mapped */
    ompd_cl_finding_user_data_freed = 16,   /* a callback is to be called with memory that malloc has
                                          * back */
    ompd_cl_finding_user_data_on_stack = 17, /* or with memory of a function that has returned */
    ompd_cl_finding_runtime_released = 18,   /* the runtime has fewer references of an object than the
                                           * program, or has it no more */
    ompd_cl_finding_runtime_other = 19,      /* it has another at that handle, */
    ompd_cl_finding_runtime_callbacks = 20,  /* or other destructor callbacks of it, than were seen */
    ompd_cl_finding_user_data_unmapped = 21, /* a callback is to be called with memory that is not
                                           * mapped any more, */
    ompd_cl_finding_user_data_of_ended = 22, /* or was on the stack of a thread that has ended */
    ompd_cl_finding_argument_gone = 23,      /* a kernel was enqueued with a memory object that was
                                           * gone */
    ompd_cl_finding_used_after_release = 24, /* what had no references left was used */
    ompd_cl_finding_set_twice = 25,          /* a user event was set that had been set before */
    ompd_cl_finding_wrong_handle = 26        /* a thread is in a call with what can be no handle, is
                                           * one of another kind, or was of what it had released */
} ompd_cl_finding_kind_t;

/*
 * A finding: a mistake of the program, as far as facts of this stop show it.  Fields that a rule
 * has nothing to say in are not applicable.
 */
typedef struct ompd_cl_finding_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t rule;        /* ompd_cl_finding_kind_t */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: what `object` is the cl handle of; a callback is
                                  * of its object */
    ompd_cl_value_t object;
    ompd_cl_value_t other_kind; /* the other of two objects, or what the thread waits for; of user
                                 * data that is gone: what the same callback was registered for
                                 * with it, too, and called for; of a wrong handle: what it
                                 * is, or was, in place of `object_kind` */
    ompd_cl_value_t other;
    ompd_cl_value_t parent;   /* of sub-buffers: their buffer */
    ompd_cl_value_t address;  /* of the memory that it is about, */
    ompd_cl_value_t size;     /* and its bytes */
    ompd_cl_value_t origin;   /* of sub-buffers: where their common bytes begin in the buffer */
    ompd_cl_value_t function; /* of a callback */
    ompd_cl_value_t thread;   /* LWP: whose stack it is, or that runs the callback; of user data
                               * that is gone: known where the callback runs already */
    ompd_cl_value_t call;     /* function of OpenCL that it is in */
    ompd_cl_value_t count;    /* how often, at the same places: the rest is of one of them; not
                               * applicable: once; of calls within exit(): objects that are still
                               * there; of what the runtime has otherwise: references or destructor
                               * callbacks that the program has */
    ompd_cl_value_t other_lwp; /* the same of the other object; that gave the last reference back,
                                * had set the event before, or built the program; that is in exit(),
                                * or the process that this one was forked from */
    ompd_cl_value_t other_caller;
    ompd_cl_value_t other_stack;
    ompd_cl_text_t clause; /* what OpenCL 3.0 says, and where */
    ompd_cl_value_t error;         /* of a build: what the call returned; of an event that was set
                                    * before: the error that it was set to, if it was */
    ompd_cl_value_t runtime_count; /* what the runtime has in place of `count`; of another object
                                    * its size, 0 where that is the same */
    ompd_cl_value_t argument;      /* of a kernel, or of the call that a wrong handle was given, but
                                    * for its first: its index, from 0 */
} ompd_cl_finding_info_t;

/* How a chain of waits ends. */
typedef enum ompd_cl_wait_end_t {
    ompd_cl_wait_end_cycle = 1,      /* with an object that is in the chain before: hop `returns_to` */
    ompd_cl_wait_end_user_event = 2, /* with a user event whose status nobody has set */
    ompd_cl_wait_end_unflushed = 3, /* with a command that the runtime was not told to begin, and that is
                                * not known to have begun */
    ompd_cl_wait_end_failed = 4,    /* with an event that has failed, so that what waits cannot run */
    ompd_cl_wait_end_callback = 5,  /* with a callback that has not returned */
    ompd_cl_wait_end_build = 6,     /* with the build of a program */
    ompd_cl_wait_end_device = 7,    /* with a command that nothing known keeps from running */
    ompd_cl_wait_end_unknown = 8,   /* it is not known what comes next, for `reason` */
    ompd_cl_wait_end_mutex = 9,     /* with a mutex that a thread has locked which waits for nothing that
                                * is known */
    ompd_cl_wait_end_behind = 10    /* with a command that nothing known keeps from running, but that is
                                * behind one of its out-of-order queue that waits for what does not
                                * come: a runtime may keep to their order */
} ompd_cl_wait_end_t;

/* What a thread waits for in glibc. */
typedef enum ompd_cl_lock_t {
    ompd_cl_lock_mutex = 1,    /* a pthread_mutex_t */
    ompd_cl_lock_rwlock = 2,   /* a pthread_rwlock_t, which `owner` has locked to write */
    ompd_cl_lock_thread = 3,   /* in pthread_join: the end of the thread `owner` */
    ompd_cl_lock_condition = 4 /* in pthread_cond_wait: who is to signal, nothing tells */
} ompd_cl_lock_t;

/*
 * A hop of a chain of waits: an object, which waits for that of the next hop, as far as facts of
 * this stop show it.  Fields that do not apply to its kind are not applicable.
 */
typedef struct ompd_cl_wait_step_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t chain;      /* number of its chain, from 1 */
    ompd_cl_value_t step;       /* its place in it, from 1 */
    ompd_cl_value_t object_kind;       /* ompd_cl_kind_t: thread, queue, command or event */
    ompd_cl_value_t object;     /* of a queue or an event; of a thread what it waits for */
    ompd_cl_value_t state;      /* ompd_cl_state_t, of a thread, a command or an event; of a user
                                 * event that is gone and was not set: app-released */
    ompd_cl_value_t thread;     /* LWP of a thread; of a user event: that runs `function` */
    ompd_cl_value_t call;       /* function of OpenCL that it is in */
    ompd_cl_value_t function;   /* of the innermost callback that it is in; of a user event that
                                 * nobody has set: of a callback whose user data has its handle,
                                 * which need not set it.  That is called for `event` */
    ompd_cl_value_t type;       /* of a command or an event: cl_command_type */
    ompd_cl_value_t queue;      /* of a command */
    ompd_cl_value_t number;     /* of a command, among those of its queue */
    ompd_cl_value_t event;      /* of a command; of a user event: that `function` is called for */
    ompd_cl_value_t kernel;     /* of a command */
    ompd_cl_value_t error;      /* of an event that has failed */
    ompd_cl_value_t set_by;     /* LWP that has set a user event */
    ompd_cl_value_t end;        /* ompd_cl_wait_end_t, of the last hop; else not applicable */
    ompd_cl_value_t is_mistake; /* of the last hop: 1: it will not end by itself, which is proved:
                                 * of a user event or a command that was not flushed all other
                                 * threads are known to wait for ever */
    ompd_cl_value_t returns_to; /* end cycle: `step` of the object that it comes back to; presumed
                                 * where call stacks alone tell of the waits */
    ompd_cl_value_t other_thread;      /* end user event or unflushed: LWP of a thread that is not known to
                                 * wait for ever, so that it may set the event or flush the queue */
    ompd_cl_text_t reason;      /* end unknown, and end user event or unflushed that has no `other`:
                                 * a clause; of a mistake where something might still lead to its
                                 * end */
    ompd_cl_value_t mutex; /* of a thread: the pthread_mutex_t or pthread_rwlock_t of glibc that it
                            * waits for, and */
    ompd_cl_value_t owner; /* LWP of who has locked it, or of the thread that it joins; known where
                            * the tool has `frames` */
    ompd_cl_value_t more_events; /* of a thread in clWaitForEvents: how many events that are not
                                  * known to be over it waits for beside the one that the chain
                                  * goes on with */
    ompd_cl_value_t since; /* as of a thread, but not where it waits for a mutex; of a command: when
                            * it was enqueued */
    ompd_cl_value_t lock;  /* ompd_cl_lock_t: what a thread waits for that is none of OpenCL's */
} ompd_cl_wait_step_info_t;

/* How the recorder has learned that an object is gone. */
typedef enum ompd_cl_ending_t {
    /* The program has given its last reference back, or freed it, and nothing was known to hold it.
     * A command that is not over may, unknown to the recorder. */
    ompd_cl_ending_released = 1,
    ompd_cl_ending_callbacks = 2, /* its last destructor callback has returned */
    ompd_cl_ending_later = 3,     /* what had held it was found to be gone or over */
    ompd_cl_ending_reused = 4     /* its handle was given out again */
} ompd_cl_ending_t;

/* An object that is gone, of the last ones of its kind. */
typedef struct ompd_cl_destroyed_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind;            /* ompd_cl_kind_t: context, queue, memobj, svm, event, kernel,
                                      * program or sampler */
    ompd_cl_value_t memobj_kind;     /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;            /* of memory objects and SVM */
    ompd_cl_value_t flags;           /* likewise */
    ompd_cl_value_t host_pointer;    /* of memory objects, as in their list */
    ompd_cl_value_t context;         /* cl handle */
    ompd_cl_value_t parent;          /* memory object's, kernel's program, event's queue */
    ompd_cl_value_t ended_at;        /* when it was known: milliseconds since 1970, to a few */
    ompd_cl_value_t ending;          /* ompd_cl_ending_t */
    ompd_cl_value_t released_lwp;    /* who gave the last reference back, freed it or enqueued */
    ompd_cl_value_t released_caller; /* the free; unknown where that was not seen */
    ompd_cl_value_t released_stack;
    ompd_cl_value_t ended_lwp; /* the thread that the recorder learned of the end in, then */
    ompd_cl_value_t end_order; /* larger for what ended later; of one kind strictly */
    ompd_cl_value_t map_count; /* of memory objects: mappings that had not been undone by then */
} ompd_cl_destroyed_info_t;

/* A mistake that the recorder saw a call make, whatever the runtime returned. */
typedef enum ompd_cl_mistake_t {
    ompd_cl_mistake_over_release = 1,       /* it released an object that had no references left */
    ompd_cl_mistake_freed_mapped = 2,       /* it freed SVM that was mapped */
    ompd_cl_mistake_used_after_release = 3, /* it used an object that had no references left */
    ompd_cl_mistake_set_again = 4, /* it set a user event that had been set, and got no error */
    ompd_cl_mistake_released_argument = 5, /* it enqueued a kernel with such an object as argument */
    /* No mistake of the call, but the fate of the command that it enqueued: it never runs, because a
     * user event that it waits for was set to an error.  `object` is that event, `released_lwp`,
     * `released_caller` and `released_stack` say who set it. */
    ompd_cl_mistake_command_failed = 6
} ompd_cl_mistake_t;

/* A call of the program's that the runtime has refused or that was a mistake, of the last ones. */
typedef struct ompd_cl_error_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t call;   /* function of OpenCL */
    ompd_cl_value_t object; /* cl handle that it was to work on */
    ompd_cl_value_t outcome;  /* what it returned; unknown where the recorder was not told it;
                             * ompd_cl_mistake_over_release, ompd_cl_mistake_freed_mapped,
                             * ompd_cl_mistake_used_after_release, ompd_cl_mistake_set_again or
                             * ompd_cl_mistake_released_argument of what the recorder saw it do */
    ompd_cl_value_t at;     /* when: milliseconds since 1970, to a few of them */
    ompd_cl_value_t error_order;  /* larger for what was refused later */
    ompd_cl_value_t released_lwp; /* of an over-release, or a use after that: who had given the last
                                   * reference back; of SVM freed while mapped: who had mapped it;
                                   * of a user event that was set again: who had set it; */
    ompd_cl_value_t released_caller; /* not applicable to others */
    ompd_cl_value_t released_stack;
    ompd_cl_value_t kernel;   /* of a released argument, which is the memory object `handle`: of */
    ompd_cl_value_t argument; /* which kernel, and its index, from 0; of what was used beside the
                               * first argument of the call, that one's index, from 0 */
    ompd_cl_value_t size;     /* bytes of that memory object */
    ompd_cl_value_t failed_status; /* of a command that failed: what its event was set to */
} ompd_cl_error_info_t;

/* What has become of the references that the program has on an object. */
typedef enum ompd_cl_action_t {
    ompd_cl_action_created = 1, /* with one */
    ompd_cl_action_retained = 2,
    ompd_cl_action_released = 3,
    ompd_cl_action_refused = 4,       /* the runtime has refused a release: it does not count */
    ompd_cl_action_over_released = 5, /* released although there were none */
    ompd_cl_action_ended = 6          /* the object is gone */
} ompd_cl_action_t;

/* An entry of the ledger: an object was made, retained, released, or has gone. */
typedef struct ompd_cl_ledger_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind;   /* ompd_cl_kind_t: context, queue, memobj, event, kernel, program or
                             * sampler */
    ompd_cl_value_t number; /* of the entry, among those of objects of its kind, from 1; larger for
                             * what was written later.  Those that are missing below the smallest
                             * were written too, and are not kept any more.  Unknown of an entry
                             * that was just being finished: the newest one then. */
    ompd_cl_value_t action; /* ompd_cl_action_t */
    ompd_cl_value_t references; /* that the program has after it */
    ompd_cl_value_t ending;     /* of action ended: ompd_cl_ending_t; else not applicable */
    ompd_cl_value_t at;         /* when: milliseconds since 1970, to a few of them */
} ompd_cl_ledger_info_t;

/* A call of the program's that has returned, of the last ones of its thread. */
typedef struct ompd_cl_call_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t call;   /* function of OpenCL */
    ompd_cl_value_t object; /* cl handle that it worked on */
    ompd_cl_value_t result; /* what it returned, an error or 0; of a function that gives an object,
                             * unknown where there is none and the recorder was not told why; not
                             * applicable where the function tells no status */
    ompd_cl_value_t at;     /* when it returned: milliseconds since 1970, to a few of them */
    ompd_cl_value_t return_order;  /* larger for what returned later, on whatever thread */
} ompd_cl_call_info_t;

/* A callback of an event (OpenCL 3.0 clSetEventCallback) or of a build (the `pfn_notify` of
 * clBuildProgram, clCompileProgram and clLinkProgram) that has yet to be called or is being called.
 */
typedef struct ompd_cl_callback_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object; /* cl handle of the event or program that it is called for; unknown of
                             * clLinkProgram, which gives the program when it returns */
    ompd_cl_value_t object_kind;   /* ompd_cl_kind_t: event or program */
    ompd_cl_value_t status; /* of an event: the execution status (cl_int) that it is called at, or
                             * at an error */
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t state;       /* registered or running */
    ompd_cl_value_t running_lwp; /* runs it */
    ompd_cl_value_t context;
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_callback_info_t;

/* What the memory is that a cl handle was found in. */
typedef enum ompd_cl_site_kind_t {
    ompd_cl_site_register = 1,     /* of a thread */
    ompd_cl_site_stack = 2,        /* of a function that has not returned */
    ompd_cl_site_thread_data = 3,  /* behind the frames of a thread's stack: its own variables */
    ompd_cl_site_on_stack = 4,     /* a thread's stack; the function may have returned */
    ompd_cl_site_module = 5,       /* a variable of a module */
    ompd_cl_site_heap = 6,         /* a block that glibc's malloc has given out */
    ompd_cl_site_freed = 7,        /* such a block that waits to be given out again */
    ompd_cl_site_runtime_data = 8, /* a variable of an OpenCL runtime or its loader */
    ompd_cl_site_memory = 9,       /* none of these that is known */
    ompd_cl_site_user_data = 10    /* of a callback that is to run, as the recorder keeps it */
} ompd_cl_site_kind_t;

/* Who can use what was found. */
typedef enum ompd_cl_site_owner_t {
    ompd_cl_site_owner_program = 1,
    ompd_cl_site_owner_runtime = 2,
    ompd_cl_site_owner_nobody = 3
} ompd_cl_site_owner_t;

/* A place in the target's memory or registers that has the cl handle of an object.  Fields that a
 * place has nothing to say in are not applicable. */
typedef struct ompd_cl_reference_site_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t site_kind;         /* ompd_cl_site_kind_t */
    ompd_cl_value_t owner;           /* ompd_cl_site_owner_t; unknown: of the program or of a runtime */
    ompd_cl_value_t address;         /* of the word */
    ompd_cl_value_t register_number; /* as DWARF numbers it */
    ompd_cl_value_t thread;             /* the thread whose register or stack it is */
    ompd_cl_value_t frame;           /* number of the function call, from 0 for the innermost */
    ompd_cl_value_t instruction;     /* that it is at, and */
    ompd_cl_value_t return_address;          /* the return address that it is at; one of the two */
    ompd_cl_text_t module;           /* the end of its path */
    ompd_cl_value_t block;           /* what malloc gave, and */
    ompd_cl_value_t block_size;      /* its bytes, with what malloc rounds up */
    ompd_cl_value_t object;          /* cl handle of the OpenCL object that it is part of: it is the
                                      * runtime's then */
} ompd_cl_reference_site_info_t;

/* Whether the program has the handle of an object. */
typedef enum ompd_cl_reachability_t {
    ompd_cl_reachability_lost = 1,         /* not found in its registers and memory that it can use */
    ompd_cl_reachability_perhaps_lost = 2, /* only on stacks whose functions may have returned */
    ompd_cl_reachability_held = 3,
    ompd_cl_reachability_reachable = 4,    /* not found, but the program has the handle of an object that
                                       * tells it: of its child, say (CL_MEM_CONTEXT) */
    ompd_cl_reachability_perhaps_freed = 5 /* only in memory of an allocator, not glibc's malloc, whose
                                       * freed blocks are not told from those in use */
} ompd_cl_reachability_t;

/*
 * An object that the program leaves: one that it has references on, or one that it has released but
 * that others keep.  Fields that it has nothing to say in are not applicable.
 */
typedef struct ompd_cl_leak_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj, svm, context, queue, event, kernel, program or
                           * sampler */
    ompd_cl_value_t memobj_kind; /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;        /* of SVM, and of memory objects that are not made of others */
    ompd_cl_value_t references;  /* that the program holds */
    ompd_cl_value_t state;
    /*
     * 1: it is a leak.  At a stop that is what the program has references on whose handle is lost:
     * it can no longer release it.  Once it is in its exit, all that it has references on: it will
     * no longer.  0: it is none, as the program has its handle or has released it.  Presumed where
     * it is not proved that the object is there.  Unknown where a handle was not found, but not all
     * could be looked through, or is only on stacks; and of a lost one that a layout shows and that
     * has references: they may be the runtime's own.
     */
    ompd_cl_value_t is_leak;
    ompd_cl_value_t is_exiting; /* 1: a thread of the program is in exit() or _exit() */
    ompd_cl_value_t reachability;    /* ompd_cl_reachability_t; presumed where the place may be a runtime's,
                                 * or freed */
    /* Of the places that have the handle, the one that tells most, as in ompd_cl_reference_site_info_t: */
    ompd_cl_value_t site_kind;
    ompd_cl_value_t site_address;
    ompd_cl_value_t site_register_number;
    ompd_cl_value_t site_thread;
    ompd_cl_value_t site_frame;
    ompd_cl_value_t site_instruction;
    ompd_cl_value_t site_return_address;
    ompd_cl_text_t site_module;
    ompd_cl_value_t site_block;
    ompd_cl_value_t site_block_size;
    /* cl handles of objects that the program has released and that this one keeps: */
    ompd_cl_value_t kept_context;
    ompd_cl_value_t kept_queue;   /* of an event */
    ompd_cl_value_t kept_parent;  /* that a memory object is made of */
    ompd_cl_value_t kept_program; /* of a kernel */
    ompd_cl_value_t made; /* objects of all kinds that its call stack has made so far, those that
                           * are gone too, and in a forked child those of its parent; not applicable
                           * where no call stack was recorded */
} ompd_cl_leak_info_t;

/* What a layout says of itself. */
typedef struct ompd_cl_layout_info_t {
    ompd_size_t struct_size;
    ompd_cl_text_t runtime;
    ompd_cl_text_t module;
    ompd_cl_text_t build_id; /* hexadecimal */
    ompd_cl_value_t machine; /* ELF e_machine */
    ompd_cl_value_t pointer_size;
} ompd_cl_layout_info_t;

/* ---- Fields ---------------------------------------------------------------------------------- */

/* What the rows of a list are. */
typedef enum ompd_cl_kind_t {
    ompd_cl_kind_overview = 1,
    ompd_cl_kind_platform = 2,
    ompd_cl_kind_context = 3,
    ompd_cl_kind_queue = 4,
    ompd_cl_kind_memobj = 5,
    ompd_cl_kind_destructor = 6,
    ompd_cl_kind_svm = 7,
    ompd_cl_kind_svm_free = 8,
    ompd_cl_kind_svm_pointer = 9,
    ompd_cl_kind_wait = 10,
    ompd_cl_kind_thread = 11,
    ompd_cl_kind_activity = 12,
    ompd_cl_kind_usage = 13,
    ompd_cl_kind_library_memory = 14, /* the library's own: of no source */
    ompd_cl_kind_runtime = 15,
    ompd_cl_kind_layout = 16, /* a text that the tool has: of no target */
    ompd_cl_kind_device = 17,
    ompd_cl_kind_event = 18,
    ompd_cl_kind_command = 19,
    ompd_cl_kind_kernel = 20,
    ompd_cl_kind_program = 21,
    ompd_cl_kind_sampler = 22,
    ompd_cl_kind_finding = 23,
    ompd_cl_kind_wait_step = 24,
    ompd_cl_kind_destroyed = 25,
    ompd_cl_kind_error = 26,
    ompd_cl_kind_reference_site = 27,
    ompd_cl_kind_leak = 28,
    ompd_cl_kind_ledger = 29,
    ompd_cl_kind_call = 30,
    ompd_cl_kind_callback = 31, /* of an event or a build */
    ompd_cl_kind_argument = 32  /* of a kernel, or of a command that runs one */
} ompd_cl_kind_t;

/* How a field is to be shown. */
typedef enum ompd_cl_type_t {
    ompd_cl_type_handle = 1,   /* cl handle: hexadecimal */
    ompd_cl_type_address = 2,  /* of data: hexadecimal */
    ompd_cl_type_function = 3, /* of code, its first instruction: symbol */
    ompd_cl_type_caller = 4,   /* of code, a return address: symbol and line of the byte before */
    ompd_cl_type_bytes = 5,
    ompd_cl_type_count = 6,
    ompd_cl_type_number = 7, /* neither of bytes nor of things */
    ompd_cl_type_lwp = 8,
    ompd_cl_type_flags = 9,    /* a set of bits with names */
    ompd_cl_type_name = 10,    /* one of the names */
    ompd_cl_type_state = 11,   /* one of the names; ompd_cl_state_t */
    ompd_cl_type_boolean = 12, /* 0 or 1 */
    ompd_cl_type_stack = 13,   /* key for ompd_cl_stack_get */
    ompd_cl_type_text = 14,    /* the member is an ompd_cl_text_t */
    ompd_cl_type_time = 15,    /* milliseconds since 1970-01-01, UTC */
    ompd_cl_type_duration = 16 /* milliseconds, shown as seconds; of no field yet */
} ompd_cl_type_t;

/* A value's name, or a bit's.  All texts are static. */
typedef struct ompd_cl_name_t {
    ompd_size_t struct_size;
    uint64_t value;
    const char *name; /* one word, for scripts */
    const char *text; /* for people, to go on after a colon; NULL: the name says it all */
} ompd_cl_name_t;

/* One field of an info struct.  All texts are static. */
typedef struct ompd_cl_field_t {
    ompd_size_t struct_size;
    const char *name;            /* the JSON key, and the member's name */
    const char *title;           /* column heading */
    const char *help;            /* one line */
    const char *unit;            /* "B" for bytes, or "" */
    const ompd_cl_name_t *names; /* of types flags, name and state; else NULL */
    uint32_t name_count;
    uint32_t type;     /* ompd_cl_type_t */
    uint32_t offset;   /* of the ompd_cl_value_t or ompd_cl_text_t in the info struct */
    uint32_t in_table; /* 1 when a table of many objects should have a column for it */
} ompd_cl_field_t;

/*
 * Describe field number INDEX, from 0, of rows of KIND: *FIELD gets static data.
 * Returns ompd_rc_ok; ompd_rc_unavailable past the last field; ompd_rc_bad_input for an unknown
 * KIND or a NULL pointer.  Needs no address space.
 */
ompd_rc_t ompd_cl_field_get(ompd_cl_kind_t kind, uint32_t index, const ompd_cl_field_t **field);

/* Tell the name of a kind ("memobj") in *NAME and the size of its info struct in *STRUCT_SIZE.
 * Returns ompd_rc_ok; ompd_rc_bad_input for an unknown KIND or a NULL pointer. */
ompd_rc_t ompd_cl_kind_get(ompd_cl_kind_t kind, const char **name, ompd_size_t *struct_size);

/* What people call rows of a kind.  All texts are static. */
typedef struct ompd_cl_noun_t {
    ompd_size_t struct_size;
    const char *article;  /* "an" */
    const char *singular; /* "SVM allocation" */
    const char *plural;   /* "SVM allocations" */
} ompd_cl_noun_t;

/*
 * Tell what people call rows of KIND: *NOUN gets static data.
 * Returns ompd_rc_ok; ompd_rc_bad_input for an unknown KIND or a NULL pointer.
 */
ompd_rc_t ompd_cl_noun_get(ompd_cl_kind_t kind, const ompd_cl_noun_t **noun);

/* Values that have names but are those of no field. */
typedef enum ompd_cl_names_t {
    ompd_cl_names_rc = 1,    /* ompd_rc_t: "ompd_rc_nomem" */
    ompd_cl_names_status = 2 /* ompd_cl_status_t: "not_saved", "not saved in the core" */
} ompd_cl_names_t;

/*
 * Find the name of VALUE among NAMES: *NAME gets static data, whose `text` is not NULL.
 * Returns ompd_rc_ok; ompd_rc_unavailable where VALUE has none, as one of a later version of this
 * header has; ompd_rc_bad_input for unknown NAMES or a NULL pointer.
 */
ompd_rc_t ompd_cl_name_find(ompd_cl_names_t names, uint64_t value, const ompd_cl_name_t **name);

/* ---- Layouts --------------------------------------------------------------------------------- */

/*
 * Give the library a layout: the SIZE bytes of TEXT, as ompd-opencl-layout(5) describes them, which
 * are not kept.  It is used for the modules of the target that have its build-id, now or later; of
 * two with one build-id the later counts.  What was found at this stop without it is forgotten, as
 * by ompd_cl_address_space_refresh; ids and open lists stay.  Of a target that has no recorder, all objects then
 * come from the layouts' source: memory is looked through once a stop, at the first question.
 * Returns ompd_rc_ok; ompd_rc_bad_input for a text that is no layout (ompd_cl_message_get names the
 * line); ompd_rc_incompatible for a newer major version of the format or one that requires what
 * this library does not know; ompd_rc_nomem; ompd_rc_stale_handle; ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_layout_add(ompd_address_space_handle_t *space, const char *text,
                             ompd_size_t size);

/* Tell what the SIZE bytes of TEXT say of themselves, in *INFO.  Needs no address space.
 * Returns ompd_rc_ok, ompd_rc_bad_input or ompd_rc_incompatible, as ompd_cl_layout_add, which
 * alone says what is wrong with a text. */
ompd_rc_t ompd_cl_layout_get(const char *text, ompd_size_t size, ompd_cl_layout_info_t *info);

/*
 * Choose where the objects of SPACE come from: bits 1 << ompd_cl_source_t.  At first from all: the
 * recorder tells what the program did, the layouts add what it does not know, and without it the
 * call stacks tell which threads are in OpenCL.  What is open or was given out stays.
 * Returns ompd_rc_ok; ompd_rc_bad_input for no or unknown bits; ompd_rc_stale_handle;
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_sources_set(ompd_address_space_handle_t *space, uint32_t sources);

/* ---- Overview -------------------------------------------------------------------------------- */

/*
 * Count what is in the target: what the recorder has, whose registry is read as a whole, and what
 * layouts find beside it, for which memory is looked through once a stop.
 * What the recorder counted is a fact beside memory that the program presumably never wrote to; a
 * count that may miss something has the status at_least, one that no source tells unknown.
 * Returns ompd_rc_ok, also when some memory could not be looked through that the program presumably
 * never wrote to; ompd_rc_incomplete when other memory could not, a count is not told, or objects
 * seem not to be recognised; else as in the head of this file.
 */
ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *space, ompd_cl_overview_info_t *info);

/*
 * Tell what the last answer on SPACE leaves open, of ompd_cl_overview_get or a *_list_next
 * function: note number INDEX, from 0, in *NOTE, one sentence without a newline: how many bytes
 * could not be looked through, what of what was asked no layout tells, how many objects there seem
 * to be that their layout does not recognise, that modules could not be read, so that there may be
 * more runtimes, or what of the recorder's links makes no sense though no row is missing.  The text
 * is the library's, valid until the next call on SPACE.  Reads nothing.  Returns ompd_rc_ok, past
 * the last note with the empty text; ompd_rc_bad_input; ompd_rc_stale_handle;
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_note_get(ompd_address_space_handle_t *space, uint32_t index, const char **note);

/*
 * Tell what SPACE holds of the tool's memory.  Reads nothing of the target and allocates nothing.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_library_memory_get(ompd_address_space_handle_t *space, ompd_cl_library_memory_info_t *info);

/* ---- Lists ----------------------------------------------------------------------------------- */

/* A list being walked.  It belongs to its address space and is given back by ompd_cl_list_close. */
typedef struct ompd_cl_list_t {
    uint64_t id;
} ompd_cl_list_t;

/* Which rows a list gives: those that meet every condition set.  0 sets no condition.  Set
 * struct_size to sizeof(ompd_cl_filter_t).  A row whose field for a condition is not known is
 * given: it may meet it. */
typedef struct ompd_cl_filter_t {
    ompd_size_t struct_size;
    uint64_t context;     /* cl handle of the row's OpenCL context */
    uint64_t kinds;       /* bits 1 << kind: ompd_cl_memobj_kind_t or ompd_cl_svm_kind_t */
    uint64_t states;      /* bits 1 << ompd_cl_state_t */
    ompd_size_t min_size; /* bytes */
    uint64_t queue;       /* cl handle of the row's command queue */
} ompd_cl_filter_t;

/*
 * Open a list of all rows of KIND; each appears once.
 *
 *   platform, context, queue, memobj, svm, svm_free, event, kernel, program, sampler
 *       First come those that the recorder has, in the order of their records, then those that only
 *       layouts find, by ascending cl handle: the same order whenever the list is opened at one
 *       stop, and on a core of that stop.  Neither is that of creation, which `order` gives.
 *   destructor
 *       All destructor callbacks of all objects, object by object: of memory objects, then of
 *       OpenCL contexts, each in the order of the list of these objects, and of one object in call
 *       order, as in ompd_cl_object_list_open.  Those that the recorder has come first, the last of
 *       them those whose object could not be read or does not name them; then come those that only
 *       layouts find.
 *   command
 *       The commands of queues: those that are not known to be over, and the last ones of each
 *       queue, in no order; `number` is theirs in a queue.  Only the recorder tells of them:
 *       ompd_rc_unavailable without it, when it is older than registry version 1.3, and when it
 *       runs with OMPD_OPENCL_HISTORY=0.
 *   device
 *       The devices that OpenCL contexts were created with.  ompd_rc_unavailable likewise, but for
 *       that switch.
 *   thread
 *       The threads that have entered OpenCL and live.  Without the recorder those whose call
 *       stacks show that they are in it, presumed, where the tool has `thread`, `frames`, `module`
 *       and `module_symbol`: all stacks are followed once a stop, 128 frames of each at most, and
 *       the list is incomplete unless its filter leaves out threads in no call.  What a call or
 *       callback was given is told where the code before it has it from a register that functions
 *       preserve, or from memory, on x86-64 and AArch64, and on i386 from the stack, and there is
 *       an object of the kind that the function wants: of functions of up to 32 KiB, which are
 *       read for it.  Else `handle` is unknown, and `state` that of a call which does not wait.
 *       ompd_rc_unavailable when neither is there, and when the recorder is older than registry
 *       version 1.1.
 *   usage
 *       What the threads counted, a row a kind: reads the threads' records once a call of
 *       ompd_cl_list_next, and to tell what of it may be gone the objects' as the overview does.
 *       ompd_rc_unavailable as for threads.
 *   finding
 *       Mistakes that the target shows at this stop, rule by rule.  Reads all objects, looks
 *       through memory as their lists do, and follows the heaps of glibc's malloc that host memory
 *       of memory objects lies in, all once a stop.  No more than 65536 are given, the others are
 *       counted as unreadable.  What was not looked for, because this target does not tell it, is
 *       said by ompd_cl_note_get and makes the list no less whole.
 *   hop
 *       What each thread and queue waits for, hop by hop to the end, chain after chain: first those
 *       of threads that wait in OpenCL, build a program or run a callback, then those of queues
 *       with commands that are not known to be over and that no other chain came to; without the
 *       recorder, threads as their call stacks show them, followed to what their calls were given,
 *       of a queue to the events that layouts show of it, and user events that are not set, a hop
 *       each.  Where an object waits for several, a chain goes to the one whose end is first in
 *       ompd_cl_wait_end_t, where that of a mutex comes before that of a callback.  Reads all threads,
 *       and of commands those that are not known to be over with their events, once a stop; of
 *       those no more than 1048576, and no more than 65536 hops are given, the others are counted
 *       as unreadable.  What the target does not tell is said as for findings.
 *   gone
 *       The last objects of each kind that have ended, kind by kind, in no order; `end_order` gives
 *       that.  How many there are was said by OMPD_OPENCL_HISTORY.  Only the recorder tells of
 *       them: ompd_rc_unavailable without it, when it is older than registry version 1.4, and when
 *       it runs with OMPD_OPENCL_HISTORY=0.
 *   error
 *       The last calls that the runtime has refused, in no order, of all threads together; as many
 *       as OMPD_OPENCL_HISTORY says.  ompd_rc_unavailable as for what is gone.
 *   ledger
 *       Who has made, retained and released objects, entry by entry, kind by kind, in no order;
 *       `number` gives that.  The kinds, and how many entries of each are kept, were said by
 *       OMPD_OPENCL_LEDGER.  Only the recorder tells of them: ompd_rc_unavailable without it, when
 *       it is older than registry version 1.5, and when it keeps no entries of any of the kinds of
 *       FILTER that have a ledger (`kinds` are here bits 1 << ompd_cl_kind_t), or of any kind.
 *   call
 *       The last calls of each thread that have returned, of threads that have ended too, in no
 *       order; as many of each as OMPD_OPENCL_CALLS says.  Only the recorder tells of them:
 *       ompd_rc_unavailable without it, when it is older than registry version 1.5, and when it
 *       keeps none.
 *   callback
 *       Callbacks of events and builds that have yet to be called or are being called, in the order
 *       of their records; `order` gives that of registration.  Only the recorder tells of them:
 *       ompd_rc_unavailable without it, and when it is older than registry version 1.6.
 *   leak
 *       Objects that the program leaves, kind by kind, each as in the list of its kind: those that
 *       it has references on, whether or not it has their handles too, and those that it has
 *       released but that others keep; none that is doubtful.  All objects are looked at, then
 *       memory once for the handles of those that it has references on, as of holders, all once a
 *       stop; of no more than 1048576 of them.  Where memory could not be looked through a handle
 *       that was not found is not called lost, and the list is incomplete, but not once the program
 *       is in its exit.  ompd_rc_unsupported
 *       when the tool does not tell memory regions.
 *   runtime
 *       The OpenCL runtimes of the target, with or without a layout.  Needs no recorder; looks
 *       through memory as the lists of objects do, for their number.  ompd_rc_unsupported when the
 *       tool does not tell modules.
 *
 * FILTER may be NULL; conditions that a kind's rows have no field for are ignored.  *LIST gets the
 * list, to be closed with ompd_cl_list_close.  No target memory is held, and a list needs the same
 * memory however long it is.  Opening looks for the sources; what cannot be read of the rows is
 * said by ompd_cl_list_next.  ompd_rc_bad_input for another KIND; else return codes as in the head
 * of this file.
 */
ompd_rc_t ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                            const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/*
 * Open a list of the rows of KIND that belong to OBJECT, an id.
 *
 *   destructor
 *       Of a memory object or an OpenCL context: its destructor callbacks in call order, newest
 *       first (OpenCL 3.0 clSetMemObjectDestructorCallback, clSetContextDestructorCallback); of a
 *       program its release callbacks likewise (OpenCL 2.2 clSetProgramReleaseCallback).  From
 *       the recorder, those that have run stay in the list, as done, until the object is gone; from
 *       a layout, those are there that the runtime still has.  Where no source tells them the list
 *       has no rows and is ompd_rc_incomplete.
 *   command
 *       Of a command queue: its commands, as ompd_cl_list_open gives those of all.
 *   svm_pointer, wait
 *       Of an SVM-free command: the pointers that it frees, or of any command the events it waits
 *       for, in the program's order (OpenCL 3.0 clEnqueueSVMFree).  What a command waits for only
 *       the recorder knows: of a layout's command that list has no rows and is ompd_rc_incomplete.
 *   activity
 *       Of a thread: the calls and callbacks that it is in, innermost first.  Those beyond the
 *       eight outermost are lost and counted as unreadable.  The list ends when the thread has.
 *   holder
 *       Of any object that has a cl handle, and of an SVM allocation: where its handle, or pointer,
 *       is in the registers of the target's threads and in its writable memory, which the first
 *       call looks through.  Words that are certainly dead are not given: below a stack pointer, or
 *       in a block that malloc has back; nor those of the object itself and of the recorder, but
 *       for user data of callbacks that are to run.  Without the tool's `thread` and `frames`
 *       registers are not looked at, and stacks are memory like any other.  No more than 65536 are
 *       given, the others are counted as unreadable.  What could not be looked through is said by
 *       ompd_cl_note_get, and makes the list incomplete.  ompd_rc_unsupported when the tool does
 *       not tell memory regions.
 *
 * ompd_rc_bad_input for another KIND, or an OBJECT of another kind than these; else as
 * ompd_cl_list_open.
 */
ompd_rc_t ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   uint64_t object, ompd_cl_list_t *list);

/*
 * Give the next rows of LIST, which are of KIND, at most CAPACITY, in ROWS, an array of the info
 * struct of KIND; *COUNT gets how many; 0 is the list's end.
 * *UNREADABLE gets how many rows of the list so far could not be given because their memory could
 * not be read or made no sense; of a chunk of records that the recorder's directory does not show,
 * all that it has room for.  Where their number was lost too they do not count, and
 * ompd_cl_note_get says what is missing; objects that may lie in memory that was not looked through
 * do not count either.  It may be NULL.
 * Returns ompd_rc_ok; ompd_rc_incomplete when rows are missing so far or there may be some that
 * were not found, of which ompd_cl_note_get tells, the list's links make no sense, or a field of a
 * row given now, which is not doubtful, could not be read; ompd_rc_bad_input for NULL ROWS or
 * COUNT, CAPACITY 0, a bad struct_size, or a LIST of another kind of row; ompd_rc_stale_handle for
 * a list that is closed, or of an object that is gone by now; else as in the head of this file.
 * After ompd_rc_interrupted the list goes on where it was before the call; what ROWS have is
 * undefined.
 */
ompd_rc_t ompd_cl_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                            ompd_cl_kind_t kind, ompd_size_t capacity, void *rows,
                            ompd_size_t *count, ompd_size_t *unreadable);

/* Give a list back, walked to its end or not.  The message of the call before stays.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle (closed before) or
 * ompd_rc_incompatible_handle. */
ompd_rc_t ompd_cl_list_close(ompd_address_space_handle_t *space, ompd_cl_list_t list);

/* ---- One object ------------------------------------------------------------------------------ */

/*
 * Find the object of KIND (context, queue, memobj, svm, event, kernel, program, sampler or thread)
 * that HANDLE names: a cl handle, of an SVM allocation the pointer that clSVMAlloc returned, of a
 * thread its LWP, looking through the threads that have entered OpenCL.  Objects are found in a
 * constant number of reads when the recorder has them, else among what layouts find, for which
 * memory is looked through once a stop. Returns ompd_rc_ok and sets *ID; ompd_rc_unavailable when
 * there is no such object, which does not prove that the handle is wrong; ompd_rc_incomplete and an
 * id of 0 when it may be in memory that could not be read, or the tool's `progress` ended the
 * search; ompd_rc_bad_input for another KIND; else as in the head of this file.
 */
ompd_rc_t ompd_cl_object_find(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                              uint64_t handle, uint64_t *id);

/*
 * Fill *INFO, the info struct of KIND (context, queue, memobj, svm, svm_free, command, event,
 * kernel, program, sampler or thread), with what is known of the object ID. Returns ompd_rc_ok;
 * ompd_rc_incomplete when a field could not be read; ompd_rc_stale_handle when the object is gone;
 * ompd_rc_bad_input, also for another KIND; else as in the head of this file.
 */
ompd_rc_t ompd_cl_object_get(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t id,
                             void *info);

/*
 * Give the call stack of a field of type stack: return addresses into the program, innermost first,
 * at most CAPACITY of them in FRAMES; *COUNT gets how many there are, which may be more.
 * Returns ompd_rc_ok; ompd_rc_bad_input when STACK is no stack's key; ompd_rc_incomplete (with
 * *COUNT 0) when it could not be read; else as in the head of this file.
 */
ompd_rc_t ompd_cl_stack_get(ompd_address_space_handle_t *space, uint64_t stack,
                            ompd_size_t capacity, ompd_addr_t *frames, ompd_size_t *count);

/* ---- Memory of the target -------------------------------------------------------------------- */

/*
 * Read numbers in the target's memory, as they are at this stop: up to CAPACITY unsigned integers
 * of SIZE bytes each (1, 2, 4 or 8), one behind the other from ADDRESS on, in its byte order, into
 * NUMBERS.  *COUNT gets how many stand before the first that could not be read.  Reads at most
 * 4 KiB at once, and keeps the last that it has read.  The bytes of a memory object are at its
 * `host_pointer`, where it has one (OpenCL 3.0 section 5.2.1, CL_MEM_USE_HOST_PTR).
 * Returns ompd_rc_ok: all were read; ompd_rc_incomplete when they are fewer, with the reason as the
 * message; ompd_rc_bad_input for another SIZE, NULL NUMBERS or COUNT, a CAPACITY above 65536, and
 * where the numbers would pass the end of 64-bit addresses; else as in the head of this file.  What
 * NUMBERS have behind *COUNT is as it was, after ompd_rc_interrupted undefined.
 */
ompd_rc_t ompd_cl_numbers_read(ompd_address_space_handle_t *space, ompd_addr_t address,
                               ompd_size_t size, ompd_size_t capacity, uint64_t *numbers,
                               ompd_size_t *count);

/* ---- Typed functions ------------------------------------------------------------------------- */

/* Those with the types of each kind are in <ompd-opencl-typed.h>, which this header includes. */

/* ---- OMPD, as a tool sees it ----------------------------------------------------------------- */

/*
 * The entry points of OMPD, and what they mean here.  A tool that knows only OMPD never
 * says that the target ran, so these look at the target as it is at each call, and read only what
 * they need: a few dozen bytes for a thread, 16 for each thread for a counter.
 *
 * All check their arguments first: ompd_rc_bad_input for NULL where a value is needed and for a
 * handle that was never given out, ompd_rc_stale_handle for one that was released or whose thread
 * has ended, ompd_rc_incompatible_handle for one of another kind.  All that look at the target may
 * return ompd_rc_unavailable, ompd_rc_incompatible, ompd_rc_error and ompd_rc_device_read_error as
 * in the head of this file, all that allocate ompd_rc_nomem.
 *
 *   ompd_initialize, ompd_finalize
 *       Set or forget the callback table of ompd_process_initialize.  The table is copied; one set
 *       later takes its place; address spaces live on with the one that they were made with.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for NULL CALLBACKS and for a table that lacks a
 *       needed callback (ompd_cl_message_get names it); ompd_rc_unsupported for an API_VERSION
 *       before 201811, and of ompd_finalize when no table is set.  OpenMP 6.0 sections 41.1.1 and
 *       41.1.4.
 *   ompd_get_api_version, ompd_get_version_string
 *       Tell the version of OMPD, 202411, and of the library, "ompd-opencl 0.1.0" say.  The string
 *       is static.  May be called before ompd_initialize.
 *       Returns ompd_rc_ok or ompd_rc_bad_input.  OpenMP 6.0 sections 41.1.2 and 41.1.3.
 *   ompd_process_initialize
 *       Make an address space with the table of ompd_initialize and without an ompd_cl_extra_t: see
 *       ompd_cl_address_space_create.  The tool owns it.  The process need not have a recorder yet.
 *       Returns ompd_rc_ok; ompd_rc_incompatible when there is a recorder of a newer major version;
 *       ompd_rc_error without ompd_initialize; else as ompd_cl_address_space_create.  OpenMP 6.0
 *       section 41.2.1.
 *   ompd_device_initialize
 *       Make an address space of kind OMPD_CL_DEVICE_KIND for the cl_device_id at ID, of 4 or 8
 *       bytes in the tool's byte order, that a queue of the target is for.  The tool owns it; it is
 *       gone when the address space of the process is released.  DEVICE_CONTEXT is not used.
 *       Returns ompd_rc_ok; ompd_rc_unavailable when no queue is for such a device;
 *       ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another size or a device of 0.
 *       OpenMP 6.0 section 41.2.2.
 *   ompd_rel_address_space_handle
 *       Release an address space.  With that of a process go its devices, thread handles, lists and
 *       display control variables; all memory is given back, but for strings and arrays that are
 *       the tool's.
 *       Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 *       OpenMP 6.0 section 41.8.1.
 *   ompd_get_omp_version, ompd_get_omp_version_string
 *       Refuse to tell a version of OpenMP: OpenCL has none.
 *       Returns ompd_rc_unsupported, when the arguments are good.  OpenMP 6.0 sections 41.3.1 and
 *       41.3.2.
 *   ompd_get_thread_handle, ompd_rel_thread_handle
 *       Give a handle of a thread that has entered OpenCL, by its OMPD_CL_THREAD_PTHREAD or
 *       OMPD_CL_THREAD_LWP; or take it back.  The tool owns the handle, until the address space is
 *       released at last.  Each call gives another; all of a thread are equal to
 *       ompd_thread_handle_compare.
 *       Returns ompd_rc_ok; ompd_rc_unavailable for a thread that has not entered OpenCL;
 *       ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another size.  OpenMP 6.0
 *       sections 41.4.2 and 41.8.4.
 *   ompd_get_thread_id
 *       Tell the native id of a thread: the way back, for both kinds.
 *       Returns ompd_rc_ok; ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another
 *       size; ompd_rc_stale_handle when the thread has ended.  OpenMP 6.0 section 41.4.3.
 *   ompd_thread_handle_compare
 *       Order threads as they entered OpenCL: *CMP_VALUE gets -1, 0 or 1.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for threads of two address spaces.  OpenMP 6.0
 *       section 41.7.3.
 *   ompd_enumerate_states, ompd_get_state
 *       Tell what states there are, from OMPD_CL_STATE_UNDEFINED on, and what a thread is doing:
 *       OMPD_CL_STATE_BASE plus an ompd_cl_state_t, or plus 0 when the recorder had no room to keep
 *       it, or is newer and means what this library does not know.  *WAIT_ID gets the cl handle
 *       that the thread waits for or works on, 0 for none; WAIT_ID may be NULL.
 *       *NEXT_STATE_NAME ("opencl_waits_for_queue") becomes the tool's.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a CURRENT_STATE that is not one of them or is the
 *       last.  OpenMP 6.0 section 41.9.
 *   ompd_enumerate_icvs
 *       Tell what counters there are, from ompd_icv_undefined on.  Their scopes are address space
 *       and thread; that of a device has two.  *NEXT_ICV_NAME ("memory-objects-var") becomes the
 *       tool's.  Of an address space: for each kind of object how many there are (queues-var,
 *       svm-frees-var) and were at most (queues-peak-var); bytes of memory objects and SVM
 *       (svm-bytes-var, svm-bytes-peak-var); threads-var; what went wrong so far
 *       (over-releases-var, unknown-handles-var, not-recorded-var); how the recorder runs
 *       (recorder-major-var, recorder-minor-var, stack-depth-var, completion-tracking-var);
 *       sources-var, a set of bits 1 << ompd_cl_source_t.  Of a device: queues-var and
 *       svm-frees-var.  Of a thread: call-var, handle-var and depth-var, of its innermost call or
 *       callback; and what it made less what it ended (thread-svm-bytes-var).
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a CURRENT that is not one of them or is the last.
 *       OpenMP 6.0 section 41.11.1.
 *   ompd_get_icv_from_scope, ompd_get_icv_string_from_scope
 *       Tell the value of a counter.  Each is an integer, -1 where it is not known ("unknown"): a
 *       call that the recorder had no room to keep, a count that the stop caught half made.  The
 *       string, which becomes the tool's, has a unit or a name with it ("3 memory objects",
 *       "clFinish"), and "at most " before a bound: of what there was at most once two threads have
 *       entered OpenCL.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for an unknown ICV_ID or SCOPE; ompd_rc_incompatible
 *       when HANDLE, SCOPE and ICV_ID do not go together.  OpenMP 6.0 sections 41.11.2 and 41.11.3.
 *   ompd_get_display_control_vars, ompd_rel_display_control_vars
 *       Give the recorder's switches and version as a NULL-terminated vector of NAME=VALUE, or take
 *       it back.  The tool owns the vector, until the address space is released at last.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a vector that was not given out or was released.
 *       OpenMP 6.0 section 41.10.
 *   ompd_get_tool_data
 *       Tell, of scope thread, the user_data of the innermost callback that the thread runs, as
 *       *VALUE and as *PTR.
 *       Returns ompd_rc_ok; ompd_rc_unavailable when the thread runs none, or none that the
 *       recorder had room to keep; ompd_rc_unsupported for the scopes global and address space;
 *       ompd_rc_incompatible_handle for others and for a HANDLE that is not of the SCOPE.  OpenMP
 *       6.0 section 41.11.4.
 *   the rest
 *       Refuse to answer about parallel regions and tasks: OpenCL has none, so there are no handles
 *       of them.
 *       Returns ompd_rc_unsupported to a question about a thread; ompd_rc_incompatible_handle for
 *       any handle that is passed as that of a parallel region or task; ompd_rc_bad_input and
 *       ompd_rc_stale_handle as for all.  OpenMP 6.0 sections 41.4 to 41.8.
 *
 * Strings and arrays that become the tool's come from its `alloc_memory`.
 */

/* Kind of an OpenCL device for ompd_device_initialize, in the range left to vendors. */
#define OMPD_CL_DEVICE_KIND 1000100

/* Kinds of native thread ids, numbered as LLVM's ompd-types.h does: pthread_t, 4 or 8 bytes as the
 * target's pointers are; LWP, 4 or 8 bytes. */
#define OMPD_CL_THREAD_PTHREAD 0
#define OMPD_CL_THREAD_LWP 1

/* Where ompd_enumerate_states starts: OMPT's ompt_state_undefined. */
#define OMPD_CL_STATE_UNDEFINED 0x102

/* What ompd_get_state adds to an ompd_cl_state_t: beyond the states that OpenMP defines. */
#define OMPD_CL_STATE_BASE 0x200

#ifdef __cplusplus
}
#endif

#include <ompd-opencl-typed.h>

#endif
