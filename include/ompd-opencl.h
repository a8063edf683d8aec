/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: the OpenCL objects of a stopped process or a core, for debuggers.
 *
 * This header is the manual of libompd-opencl.  It adds to the standard OMPD interface (OpenMP 6.0,
 * chapters 38 to 42), whose types and entry points are in <ompd-opencl-types.h>.
 *
 * A session
 *
 *     ompd_cl_address_space_create(&callbacks, NULL, tool_context, &space);
 *     ompd_cl_memobj_list_open(space, NULL, &list);
 *     do {
 *         rows[0].head.struct_size = sizeof(rows[0]);
 *         rc = ompd_cl_memobj_list_next(space, list, 64, rows, &count, &unreadable);
 *         ... use COUNT rows; each field has a status of its own ...
 *     } while (count > 0);
 *     ompd_cl_list_close(space, list);
 *     ompd_rel_address_space_handle(space);
 *
 * Words
 *   tool             the debugger that uses this library.
 *   target           the process or core that the tool examines.
 *   tool context     a pointer that the tool passes for its own use.  The library never reads it.
 *   OpenCL context   a cl_context of the target.
 *   object id        the library's name for an object of the target.
 *   cl handle        the value that the target's program holds: cl_mem, cl_context, ...
 *   source           where a fact comes from: the recorder, a layout of the OpenCL runtime, or
 *                    the call stacks of threads.
 *   snapshot         what the library has read of one stop.
 *
 * Stability.  The declarations down to the heading "Provisional until 1.1" are meant to stay.
 * Those below it may change in any minor version.
 *
 * Structs.  Every struct that crosses this interface begins with `struct_size`, or with a head that
 * does.  Whoever allocates a struct sets its struct_size to its own sizeof; whoever fills it writes
 * no more than that.  In an array, the struct_size of the first element is the distance between
 * elements.  Structs grow at their end only, so old and new versions work together.
 *
 * Memory.  The library allocates with the tool's `alloc_memory` only, and frees everything in
 * ompd_rel_address_space_handle.  The comment of a function says what the tool comes to own; where
 * it says nothing, the tool owns nothing.  A `char *` result is static text or belongs to the
 * address space: the tool never frees it.
 *
 * Threads.  Different threads may use different address spaces at once.  One address space serves
 * one thread at a time: a second call, from another thread or from a callback, returns ompd_rc_busy
 * and does nothing.  A memory monitor may set another monitor.  All threads of the target must be
 * stopped.
 *
 * Callbacks.  The library passes NULL as thread context and file name, and 0 as segment; it ignores
 * the segment that it gets back.  `read_memory` supplies all bytes or returns an error.  Any
 * callback that returns an ompd_rc_t may return ompd_rc_interrupted, for example when the user
 * presses Ctrl-C.  The call then ends with that code, and calls no other callback but
 * `free_memory`.  A callback must return.  If one leaves by longjmp or a C++ exception, its address
 * space stays busy and can only be released, in the same thread, after the call was left.  If it
 * left the creation or the release of an address space, the memory is freed when that thread
 * creates the next one.
 *
 * Return codes.  Every function returns one of these.  With any code but ompd_rc_ok and
 * ompd_rc_incomplete the out parameters are untouched and the call has had no effect.  Rows and
 * arrays are undefined after ompd_rc_interrupted.  ompd_cl_message_get gives the reason in one
 * sentence.
 *   ompd_rc_ok            success.
 *   ompd_rc_unavailable   the target has nothing to show: no recorder and no matching layout, no
 *                         OpenCL call yet, no such cl handle.
 *   ompd_rc_stale_handle  the address space, object id or list no longer exists.
 *   ompd_rc_bad_input     an argument is NULL, or the library never gave it out.
 *   ompd_rc_error         the target's data make no sense, as in a corrupt core, or a symbol lookup
 *                         failed in another way than by not finding the symbol.
 *   ompd_rc_unsupported   not in this version, or the call needs a callback that is NULL.
 *   ompd_rc_incompatible  the recorder in the target, or a layout, has a newer major version.
 *   ompd_rc_nomem         `alloc_memory` failed, the memory monitor refused, or the memory limit
 *                         would have been exceeded.
 *   ompd_rc_device_read_error  the call cannot proceed without target memory that is unreadable:
 *                         the root of the registry, or the object that a list belongs to.
 *   ompd_rc_incomplete    some target memory could not be read.  The out parameters are set, each
 *                         affected field carries its status, and lists count the missing rows.
 *   ompd_rc_callback_error  a callback returned an error that has no better name.
 *   ompd_rc_incompatible_handle  the handle is of another kind than the call expects.
 *   ompd_rc_interrupted   a callback returned it.  The library has discarded what it had read at
 *                         this stop and counts nothing as unreadable.  The next call works.
 *   ompd_rc_busy          the address space is in another call.  There is no message.
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

/* The version of this header.  The major number changes when a correct program would break. */
#define OMPD_CL_VERSION_MAJOR 0
#define OMPD_CL_VERSION_MINOR 1

/* Get the version of the running library, which may be newer than this header.
 * Both pointers must not be NULL.  Returns ompd_rc_ok, or ompd_rc_bad_input. */
ompd_rc_t ompd_cl_version_get(uint32_t *major, uint32_t *minor);

/* ---- OpenMP 6.0 ------------------------------------------------------------------------------ */

/* Entry points that OpenMP 6.0 adds to OMPD and LLVM's <omp-tools.h> lacks. */

/*
 * List the kinds of native thread ids that the address space knows.  *KINDS and *THREAD_ID_SIZES
 * get arrays of *COUNT elements; the tool owns both, and frees them with what it passed as
 * `free_memory`.  Returns ompd_rc_ok, ompd_rc_nomem, ompd_rc_bad_input, ompd_rc_stale_handle,
 * ompd_rc_incompatible_handle.  OpenMP 6.0 section 41.2.3.
 */
ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
                                          ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes,
                                          int *count);

/*
 * Get the address space of a thread: the handle that the tool has, not a new one.  All threads of
 * OpenCL run on the host.  Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle (also when
 * the thread has ended), ompd_rc_incompatible_handle, ompd_rc_device_read_error; else as in the
 * head of this file.  OpenMP 6.0 section 41.4.4.
 */
ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
                                      ompd_address_space_handle_t **device);

/* ---- What a tool tells the library ----------------------------------------------------------- */

/* Bits of ompd_cl_region_t.permissions. */
typedef enum ompd_cl_permission_t {
    ompd_cl_permission_known = 1, /* without it the other bits have no meaning */
    ompd_cl_permission_read = 2,
    ompd_cl_permission_write = 4,
    ompd_cl_permission_execute = 8,
    /*
     * The unreadable part of the region was presumably never written, and so holds no object.  In a
     * core: private anonymous memory of which the core has nothing, though it has other such
     * memory.  Linux omits memory without pages, and memory that madvise(2) marked MADV_DONTDUMP.
     * In a process: a page of such memory that the process itself cannot read.
     */
    ompd_cl_permission_untouched = 16,
    /*
     * All its bytes are saved and 0, so it need not be searched.  In a core: a hole of the file.
     * In a process: private anonymous memory without pages, to which nothing was ever written.
     */
    ompd_cl_permission_zero = 32,
    /* The unsaved part was searched when the core was written, by this very version of the library
     * and with the same layouts, and all that it found is saved.  It need not be searched. */
    ompd_cl_permission_searched = 64,
    /* Readable, but too large to search, because its present pages are unknown.  In a process:
     * terabytes of memory whose pages Linux cannot list before version 6.7. */
    ompd_cl_permission_unsearched = 128
} ompd_cl_permission_t;

/* A range of the target's addresses, [start, end). */
typedef struct ompd_cl_region_t {
    ompd_size_t struct_size;
    ompd_addr_t start;
    ompd_addr_t end;
    uint32_t is_saved;    /* 0: a core has the range but not its contents; else 1 */
    uint32_t permissions; /* ompd_cl_permission_t, as the target's program has them */
    /* If the program mapped the region as part of a larger range, and the core saved only some of
     * the range or some of it has no pages: the larger range, [start, end).  Otherwise 0. */
    ompd_addr_t whole_start;
    ompd_addr_t whole_end;
} ompd_cl_region_t;

/* A file mapped into the target: its program, a shared library, the dynamic linker. */
typedef struct ompd_cl_module_t {
    ompd_size_t struct_size;
    const char *name;          /* path in the target; "" when unknown */
    const uint8_t *build_id;   /* NULL: none, or unknown */
    ompd_size_t build_id_size; /* bytes */
    ompd_addr_t start;         /* lowest mapped address */
    ompd_addr_t end;           /* past the highest */
} ompd_cl_module_t;

/* A thread of the target, as the tool knows it. */
typedef struct ompd_cl_target_thread_t {
    ompd_size_t struct_size;
    uint64_t lwp;
    uint64_t pthread;  /* its pthread_t; 0: unknown */
    uint64_t own_lwp;  /* its gettid(2) in a PID namespace of its own; 0: the same as `lwp` */
    uint64_t main_lwp; /* LWP of the thread that ran main(), which is the process's id.  If no
                        * listed thread has it, that thread has ended.  0: unknown */
} ompd_cl_target_thread_t;

/* The value of a register, by its DWARF number. */
typedef struct ompd_cl_register_t {
    uint32_t number;
    uint32_t size; /* valid bytes of `value` */
    uint64_t value;
} ompd_cl_register_t;

/* A frame of a thread's call stack. */
typedef struct ompd_cl_frame_t {
    ompd_size_t struct_size;
    ompd_addr_t pc;
    ompd_addr_t frame_address; /* DWARF's canonical frame address; 0: unknown */
    ompd_addr_t function;      /* its first instruction; 0: unknown */
    uint32_t is_caller;        /* 1: `pc` is a return address; 0: the next instruction */
    uint32_t register_count;
    const ompd_cl_register_t *registers; /* the known ones, owned by the tool; NULL: none */
    ompd_size_t register_size; /* distance between registers: the tool's sizeof; 0: this header's */
} ompd_cl_frame_t;

/*
 * A memory monitor, with the semantics of Embree's rtcSetDeviceMemoryMonitorFunction.  The library
 * calls it for every allocation and free that it makes through the tool's callbacks:
 *
 *   bytes > 0, post false   before an allocation of BYTES.  False cancels it: the call that needs
 *                           it returns ompd_rc_nomem and undoes all that it had done.
 *   bytes > 0, post true    after an allocation of BYTES.  False cancels likewise; the block is
 *                           freed, and the monitor called with -BYTES.
 *   bytes < 0, post true    after a free of -BYTES; after a granted allocation whose `alloc_memory`
 *                           failed; and for a block that the tool comes to own.
 *   bytes < 0, post false   before a free of -BYTES.
 *
 * The monitor is called once for each allocation and each free.  This version calls it before
 * allocations and after frees; a tool must accept all four cases.  The result is ignored for a
 * free.  The sum of BYTES, without the calls that the tool cancelled with POST false, is what the
 * library holds; it is 0 once the address space has been released.  BYTES is never 0.  The library
 * holds no lock during the call.
 */
typedef bool (*ompd_cl_memory_monitor_t)(void *user_ptr, ssize_t bytes, bool post);

/*
 * What a tool may offer beyond OMPD's callbacks.  Set struct_size to sizeof(ompd_cl_extra_t); a
 * newer library takes entries past it as NULL.  Any entry may be NULL.  All get the tool context.
 */
typedef struct ompd_cl_extra_t {
    ompd_size_t struct_size;
    /*
     * Get the first region of the target that ends above ADDRESS.  Regions are disjoint and sorted.
     * Returns ompd_rc_ok and fills *REGION, or ompd_rc_unavailable when there is none.  The library
     * uses it to distinguish memory that a core did not save from memory that does not exist.
     */
    ompd_rc_t (*memory_region)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                               ompd_cl_region_t *region);
    /*
     * Give direct access to target memory that the tool has mapped: set *POINTER to the NBYTES at
     * ADDRESS, readable and unchanged until the next ompd_cl_address_space_refresh or the release
     * of the address space.  Returns ompd_rc_ok, or any error to make the library use
     * `read_memory`.
     */
    ompd_rc_t (*map_memory)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                            ompd_size_t nbytes, const void **pointer);
    /* The address space's memory monitor from its first byte on: see ompd_cl_memory_monitor_set.
     * It gets MONITOR_USER_PTR, not the tool context. */
    ompd_cl_memory_monitor_t monitor;
    void *monitor_user_ptr;
    /* Its memory limit from its first byte on: see ompd_cl_memory_limit_set. */
    ompd_size_t memory_limit;
    /*
     * Get module number INDEX, from 0, in any order that stays until the next
     * ompd_cl_address_space_refresh.  Its name and build-id belong to the tool and must stay valid
     * until the next callback only.  Returns ompd_rc_ok and fills *MODULE; ompd_rc_unavailable past
     * the last module; ompd_rc_incomplete past the last known one, when there may be more.  In that
     * case the library never reports that there is no OpenCL runtime, or that an answer is
     * complete.
     */
    ompd_rc_t (*module)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                        ompd_cl_module_t *module);
    /* Look up the symbol NAME in module number INDEX alone.  Returns ompd_rc_ok and sets *ADDRESS,
     * or ompd_rc_unavailable when the module has no such symbol. */
    ompd_rc_t (*module_symbol)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                               const char *name, ompd_addr_t *address);
    /*
     * Called between blocks of a search through memory: DONE of WHOLE bytes are searched, DONE
     * rising from 0.  Return true to go on; false ends the search, and the call that needs it
     * returns ompd_rc_incomplete.
     */
    bool (*progress)(ompd_address_space_context_t *tool_context, uint64_t done, uint64_t whole);
    /*
     * Get thread number INDEX of the target, from 0, in any order that stays until the next
     * ompd_cl_address_space_refresh.  Returns ompd_rc_ok and fills *THREAD; ompd_rc_unavailable
     * past the last one.  The library uses it with `frames`, for reference sites, for findings
     * about memory on stacks, and for the threads that are in OpenCL without a recorder.  It uses
     * it alone to name the recorder's threads as the tool does, when the process has a PID
     * namespace of its own.
     */
    ompd_rc_t (*thread)(ompd_address_space_context_t *tool_context, ompd_size_t index,
                        ompd_cl_target_thread_t *thread);
    /*
     * Get the call stack of the thread LWP, innermost frame first: at most CAPACITY frames in
     * FRAMES, an array of the library's, whose registers must stay valid until the next callback.
     * Returns ompd_rc_ok and sets *COUNT; ompd_rc_unavailable when there is no such thread or its
     * stack is unknown.  This version uses the registers of the first frame, the stack pointer
     * among them; for reference sites the frame addresses of all; and for threads without a
     * recorder `pc`, `is_caller` and `function`.  To find the arguments of calls it also uses the
     * frame addresses and, of outer frames, the registers that functions preserve: their values at
     * the frame's call.  Supply no others.
     */
    ompd_rc_t (*frames)(ompd_address_space_context_t *tool_context, uint64_t lwp,
                        ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count);
    /*
     * Called with the NBYTES at ADDRESS whenever the library uses them, which may be fewer than it
     * has read.  Of memory that it searches it reports only what it found and the bytes about it.
     * A core that has all the reported bytes gives the same answers.
     */
    void (*on_read)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                    ompd_size_t nbytes);
    /* An ompd_cl_log_level_t: the diagnostic log from the first event on, for a tool that has
     * `print_string`.  See ompd_cl_log_level_set. */
    uint32_t log_level;
} ompd_cl_extra_t;

/* ---- Address spaces -------------------------------------------------------------------------- */

/*
 * Create an address space with callbacks of its own.  ompd_process_initialize does the same with
 * the table passed to ompd_initialize, which this function does not need.
 *
 * CALLBACKS  is copied.  It must have alloc_memory, free_memory, sizeof_type, symbol_addr_lookup,
 *            read_memory and device_to_host; the others may be NULL.
 * EXTRA      is copied; may be NULL.
 * TOOL_CONTEXT  is passed to the callbacks, unread, until the address space is released.
 * HANDLE     gets the address space.  The tool owns it and releases it with
 *            ompd_rel_address_space_handle.
 *
 * The target need not have a recorder yet.  Until it has one, the functions below may return
 * ompd_rc_unavailable; ompd_cl_address_space_refresh checks again.
 * Returns ompd_rc_ok; ompd_rc_bad_input for NULL CALLBACKS or HANDLE or a struct_size of 0;
 * ompd_rc_unsupported when a required callback is NULL; ompd_rc_nomem when memory or the 256
 * address spaces of a process are used up; a callback's error from sizeof_type or device_to_host.
 */
ompd_rc_t ompd_cl_address_space_create(const ompd_callbacks_t *callbacks,
                                       const ompd_cl_extra_t *extra,
                                       ompd_address_space_context_t *tool_context,
                                       ompd_address_space_handle_t **handle);

/*
 * Discard the snapshot of the target.  Call it after the target ran, or its modules changed.  Ids
 * stay valid, and an open list goes on with what is there now.  Blocks of the registry that have
 * not changed are not read again; memory is searched again only when a call needs objects that
 * layouts find.  The snapshot is discarded even when the call fails, unless SPACE is not the
 * address space of a process.
 * Returns ompd_rc_ok; ompd_rc_bad_input, ompd_rc_stale_handle, ompd_rc_incompatible_handle;
 * ompd_rc_unavailable when there is neither a recorder nor a runtime or an Embree with a matching
 * layout; ompd_rc_incompatible, ompd_rc_error, ompd_rc_nomem, ompd_rc_device_read_error,
 * ompd_rc_callback_error as in the head of this file.
 */
ompd_rc_t ompd_cl_address_space_refresh(ompd_address_space_handle_t *space);

/*
 * Get the reason why the last call on SPACE did not return ompd_rc_ok: one sentence without a
 * newline in *MESSAGE, or the empty text if it did.  With SPACE NULL: the reason of the last failed
 * ompd_cl_address_space_create, ompd_initialize or ompd_process_initialize.  The text belongs to
 * the library and is valid until the next call on SPACE.
 * Returns ompd_rc_ok, ompd_rc_bad_input (MESSAGE is NULL, no such SPACE), ompd_rc_stale_handle or
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *space, const char **message);

/* ---- The library's memory -------------------------------------------------------------------- */

/*
 * Set the memory monitor of SPACE and the pointer that it gets; NULL for none.  The last one set
 * wins.  Any thread may call this, and so may a monitor: the pair is published as one.  A call of
 * the library in another thread may call the former monitor once more.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle (as soon as SPACE is being released)
 * or ompd_rc_incompatible_handle.  Leaves the message of SPACE alone.
 */
ompd_rc_t ompd_cl_memory_monitor_set(ompd_address_space_handle_t *space,
                                     ompd_cl_memory_monitor_t monitor, void *user_ptr);

/*
 * Set the most BYTES that SPACE may hold; 0 for no limit.  An allocation beyond it fails as if the
 * tool's `alloc_memory` had; what is held already stays.  The message, and `wanted` of
 * ompd_cl_library_memory_get, then say how much was wanted.  Any thread may call this, and so may a
 * monitor.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 * Leaves the message alone.
 */
ompd_rc_t ompd_cl_memory_limit_set(ompd_address_space_handle_t *space, ompd_size_t bytes);

/* ---- Diagnostic log -------------------------------------------------------------------------- */

/* What the log reports.  Each level includes those before it. */
typedef enum ompd_cl_log_level_t {
    ompd_cl_log_level_none = 0,
    ompd_cl_log_level_refusal = 1, /* each call that does not return ompd_rc_ok, with its message */
    ompd_cl_log_level_decision = 2, /* which source or layout is used or refused, and why */
    ompd_cl_log_level_lookup = 3,   /* each module and symbol */
    ompd_cl_log_level_read = 4      /* each read of target memory */
} ompd_cl_log_level_t;

/*
 * Log events of SPACE up to LEVEL through the tool's `print_string`: one line for each event, in
 * printable ASCII, which begins with "ompd-opencl: " and ends with a newline.  The category is the
 * event's level.  The text of the lines may change with every version.  The log is off unless it is
 * set here or by `log_level` of ompd_cl_extra_t, and then costs nothing.
 * When `print_string` returns ompd_rc_interrupted the call ends with that code, as it does for
 * other callbacks; other errors are ignored.  The line that reports a failed call is its last: what
 * `print_string` returns for it is ignored.
 * Returns ompd_rc_ok; ompd_rc_bad_input for an unknown LEVEL; ompd_rc_unsupported for a LEVEL other
 * than ompd_cl_log_level_none when the tool has no `print_string`; ompd_rc_stale_handle;
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_log_level_set(ompd_address_space_handle_t *space, ompd_cl_log_level_t level);

/* ---- Values --------------------------------------------------------------------------------- */

/* What is known of a field. */
typedef enum ompd_cl_status_t {
    ompd_cl_status_none = 0,           /* the running library does not know this field */
    ompd_cl_status_value = 1,          /* a fact */
    ompd_cl_status_presumed = 2,       /* nothing contradicts it, but it is not proved */
    ompd_cl_status_unknown = 3,        /* not observed */
    ompd_cl_status_not_applicable = 4, /* this object has no such thing */
    ompd_cl_status_not_saved = 5,      /* its memory was not saved in the core */
    ompd_cl_status_unreadable = 6,     /* its memory could not be read */
    ompd_cl_status_changing = 7,       /* thread `lwp` was changing it when the target stopped */
    ompd_cl_status_corrupt = 8,        /* the bytes that were read are impossible */
    ompd_cl_status_at_least = 9        /* a count: presumed, and it may miss something; a text:
                                        * its rest is unknown */
} ompd_cl_status_t;

typedef enum ompd_cl_source_t {
    ompd_cl_source_none = 0,
    ompd_cl_source_recorder = 1,
    ompd_cl_source_layout = 2,
    ompd_cl_source_stack = 3 /* the call stacks of the target's threads */
} ompd_cl_source_t;

/* One field of an object.  `value` is 0 unless the status is value, presumed or at_least.  Narrower
 * signed values are sign-extended to 64 bits. */
typedef struct ompd_cl_value_t {
    uint64_t value;
    uint16_t status; /* ompd_cl_status_t */
    uint16_t source; /* ompd_cl_source_t */
    uint32_t lwp;    /* status changing: the thread; else 0 */
} ompd_cl_value_t;

#define OMPD_CL_TEXT_SIZE 120

/*
 * One field that is a text of any length.  `text` is the whole text if `length` is less than
 * OMPD_CL_TEXT_SIZE.  Of a longer text it is a short form, with an ellipsis: the beginning, or the
 * end of a module's path.  ompd_cl_text_read reads the whole text.
 */
typedef struct ompd_cl_text_t {
    uint16_t status; /* ompd_cl_status_t */
    uint16_t source; /* ompd_cl_source_t */
    uint32_t lwp;
    uint64_t key;    /* for ompd_cl_text_read; 0: `text` is all that can be read */
    uint64_t length; /* bytes of the whole text, without a NUL; of `text` when the status is
                      * at_least and no more is known */
    char text[OMPD_CL_TEXT_SIZE]; /* NUL-terminated; "" unless the status is value, presumed or
                                   * at_least */
} ompd_cl_text_t;

/* ---- States ---------------------------------------------------------------------------------- */

/*
 * Each kind of thing that changes its state has an enumeration of its own.  All share one range of
 * numbers, in which no number has two meanings, so that ompd_cl_filter_t.states serves them all.
 */

/* An object that the program retains and releases: a context, queue, memory object, event, kernel,
 * program or sampler. */
typedef enum ompd_cl_object_state_t {
    ompd_cl_object_state_live = 1,         /* the program holds references */
    ompd_cl_object_state_app_released = 2, /* the program holds none, but something else does */
    ompd_cl_object_state_destroying = 3    /* its destructor callbacks have begun to run */
} ompd_cl_object_state_t;

typedef enum ompd_cl_svm_state_t {
    ompd_cl_svm_state_allocated = 1,
    ompd_cl_svm_state_free_enqueued = 5 /* an enqueued SVM-free command names it */
} ompd_cl_svm_state_t;

/* A destructor callback, or a callback of an event or a build. */
typedef enum ompd_cl_callback_state_t {
    ompd_cl_callback_state_registered = 4, /* it will run */
    ompd_cl_callback_state_running = 6,
    ompd_cl_callback_state_done = 7,
    /* Its function began and did not return, but its thread is no longer in it: the thread left it
     * by longjmp(), by an exception or by ending, or runs it in the process that this one was
     * forked from. */
    ompd_cl_callback_state_left = 25
} ompd_cl_callback_state_t;

/* An SVM-free command. */
typedef enum ompd_cl_svm_free_state_t {
    ompd_cl_svm_free_state_enqueued = 5, /* not known to have run */
    ompd_cl_svm_free_state_running = 6,  /* its function is running */
    ompd_cl_svm_free_state_done = 7,
    ompd_cl_svm_free_state_failed = 8, /* it ended with an error */
    ompd_cl_svm_free_state_left = 25   /* as ompd_cl_callback_state_left */
} ompd_cl_svm_free_state_t;

/* A thread.  ompd_get_state returns these plus OMPD_CL_STATE_BASE. */
typedef enum ompd_cl_thread_state_t {
    ompd_cl_thread_state_outside = 9,             /* in no OpenCL call or callback */
    ompd_cl_thread_state_in_call = 10,            /* in a call that is none of the next */
    ompd_cl_thread_state_waits_for_queue = 11,    /* in clFinish */
    ompd_cl_thread_state_waits_for_events = 12,   /* in clWaitForEvents */
    ompd_cl_thread_state_waits_for_transfer = 13, /* in a blocking read, write, map, copy or free */
    ompd_cl_thread_state_builds = 14,             /* builds, compiles or links a program */
    ompd_cl_thread_state_runs_destructor = 15,    /* in a destructor callback of the program */
    ompd_cl_thread_state_runs_svm_free = 16,      /* in the function passed to clEnqueueSVMFree */
    ompd_cl_thread_state_runs_callback = 22,      /* in a callback of an unknown kind */
    ompd_cl_thread_state_runs_event_callback = 23, /* in one passed to clSetEventCallback */
    ompd_cl_thread_state_runs_build_callback = 24  /* in one passed to clBuildProgram, ... */
} ompd_cl_thread_state_t;

/* A command or an event: how far its execution has come. */
typedef enum ompd_cl_event_state_t {
    ompd_cl_event_state_enqueued = 5, /* not known to have begun or ended */
    ompd_cl_event_state_running = 6,
    ompd_cl_event_state_done = 7,            /* ended without an error */
    ompd_cl_event_state_failed = 8,          /* ended with an error */
    ompd_cl_event_state_being_enqueued = 17, /* the call that enqueues it has not returned */
    ompd_cl_event_state_unset = 18,          /* user event: its status was never set */
    ompd_cl_event_state_queued = 19,         /* CL_QUEUED */
    ompd_cl_event_state_submitted = 20,      /* CL_SUBMITTED */
    ompd_cl_event_state_ended = 21,          /* with or without an error */
    ompd_cl_event_state_left = 25            /* as ompd_cl_callback_state_left */
} ompd_cl_event_state_t;

/* The last build of a program. */
typedef enum ompd_cl_build_state_t {
    ompd_cl_build_state_running = 6, /* not known to have ended */
    ompd_cl_build_state_done = 7,
    ompd_cl_build_state_failed = 8
} ompd_cl_build_state_t;

/* Bits of ompd_cl_filter_t.states: threads that wait, and threads that run a callback of the
 * program. */
#define OMPD_CL_STATES_WAITING                                                                     \
    ((uint64_t)1 << ompd_cl_thread_state_waits_for_queue |                                         \
     (uint64_t)1 << ompd_cl_thread_state_waits_for_events |                                        \
     (uint64_t)1 << ompd_cl_thread_state_waits_for_transfer |                                      \
     (uint64_t)1 << ompd_cl_thread_state_builds)
#define OMPD_CL_STATES_IN_CALLBACK                                                                 \
    ((uint64_t)1 << ompd_cl_thread_state_runs_destructor |                                         \
     (uint64_t)1 << ompd_cl_thread_state_runs_svm_free |                                           \
     (uint64_t)1 << ompd_cl_thread_state_runs_callback |                                           \
     (uint64_t)1 << ompd_cl_thread_state_runs_event_callback |                                     \
     (uint64_t)1 << ompd_cl_thread_state_runs_build_callback)

/* ---- Object ids ------------------------------------------------------------------------------ */

/*
 * Ids belong to their address space and are never released.  An id that the library did not give
 * out returns ompd_rc_bad_input, the id of a destroyed object ompd_rc_stale_handle.  From the
 * recorder, an id names the same object at every stop as long as the object lives, and is never
 * reused.  From a layout, an id names the object of its kind at the same cl handle (SVM: pointer;
 * SVM-free command: event); at another stop it is presumed to be the same object.  0 is no object.
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
typedef struct ompd_cl_command_buffer_id_t {
    uint64_t id;
} ompd_cl_command_buffer_id_t;
typedef struct ompd_cl_semaphore_id_t {
    uint64_t id;
} ompd_cl_semaphore_id_t;

/* ---- What every row has ---------------------------------------------------------------------- */

/*
 * How sure the library is that an object exists.  An object of the recorder is presumed if the
 * program has released it while the runtime still held it: the runtime may have deleted it since.
 * If a layout shows it, it is certain; if a layout shows that it does not exist, it is left out.
 * An unreadable field of a doubtful object has its status, but makes no list or count incomplete,
 * because the object is more likely none.  An answer about that object alone is incomplete.
 */
typedef enum ompd_cl_confidence_t {
    ompd_cl_confidence_certain = 1,
    ompd_cl_confidence_presumed = 2,
    ompd_cl_confidence_doubtful = 3
} ompd_cl_confidence_t;

/* What contradicts an object of source layout. */
typedef enum ompd_cl_doubt_t {
    ompd_cl_doubt_none = 0,
    ompd_cl_doubt_same_number = 1,  /* another object has its number, which should be unique */
    ompd_cl_doubt_over_counted = 2, /* more objects than its OpenCL context has references for */
    ompd_cl_doubt_twin = 3,         /* another object owns the same memory: one is a copy */
    ompd_cl_doubt_context = 4,      /* its OpenCL context is doubtful */
    ompd_cl_doubt_kind = 5,         /* it may be an object of another kind */
    ompd_cl_doubt_place = 6,        /* its runtime does not allocate such objects there */
    ompd_cl_doubt_references = 7,   /* 65536 references or more, and no holder was found */
    ompd_cl_doubt_callback = 8      /* the destructor callback that it runs has no code */
} ompd_cl_doubt_t;

/*
 * The start of every info struct but the overview's, library_memory's and the layout's.  It lets
 * one function serve all kinds, for example to print who made a row.  Members that do not apply to
 * a kind have that status.
 */
typedef struct ompd_cl_object_head_t {
    ompd_size_t struct_size;
    uint64_t id; /* for ompd_cl_object_get and ompd_cl_object_list_open; 0: the kind has no ids */
    ompd_cl_value_t handle;             /* cl handle; of an SVM allocation its pointer, of a thread
                                         * its LWP */
    ompd_cl_value_t source;             /* ompd_cl_source_t */
    ompd_cl_value_t confidence;         /* ompd_cl_confidence_t */
    ompd_cl_value_t doubt;              /* ompd_cl_doubt_t */
    ompd_cl_value_t order;              /* of creation, over the objects of all kinds */
    ompd_cl_value_t lwp;                /* creator thread: it made the object, registered the
                                         * callback, or made the call that the row is about */
    ompd_cl_value_t caller;             /* call site: the return address of that call */
    ompd_cl_value_t stack;              /* key for ompd_cl_stack_get: the call stack of that call */
    ompd_cl_value_t runtime_references; /* that the runtime counts: the program's and its own */
} ompd_cl_object_head_t;

/* ---- Objects --------------------------------------------------------------------------------- */

/*
 * Info structs.  The caller sets struct_size, in lists that of the first row; it must be a multiple
 * of 8 and hold at least the head.  The library fills no more than that, and gives members that it
 * does not know the status none.  ompd_cl_field_get describes every member, with its name, unit
 * and help.
 */

/* The overview: what is in the target.  Counts are of objects that exist.  Of doubtful objects
 * that seem to be copies of one object, one is counted; other doubtful ones are left out, and their
 * count has the status at_least. */
typedef struct ompd_cl_overview_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t pid;
    ompd_cl_value_t recorder_major;
    ompd_cl_value_t recorder_minor;
    ompd_cl_value_t contexts;
    ompd_cl_value_t queues;
    ompd_cl_value_t memory_objects;
    ompd_cl_value_t memory_object_bytes; /* without sub-buffers and images made of buffers */
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
    ompd_cl_value_t over_releases;     /* releases of objects without references, so far */
    ompd_cl_value_t over_released;     /* cl handle of the last of them */
    ompd_cl_value_t unknown_handles;   /* calls on handles whose creation was not seen, so far */
    ompd_cl_value_t not_recorded;      /* objects that the recorder had no room for, so far */
    ompd_cl_value_t loaders_refused;   /* OpenCL loaders beyond those that the recorder serves */
    ompd_cl_value_t stack_depth;       /* frames recorded per call stack */
    ompd_cl_value_t tracks_completion; /* 1: events track the completion of SVM frees */
    ompd_cl_value_t threads;           /* live threads that have entered OpenCL */
    /* Bytes that the search for objects left out, 0 without layouts: because the program presumably
     * never wrote to them; because a core has not saved them; for another reason. */
    ompd_cl_value_t untouched_bytes;
    ompd_cl_value_t unsaved_bytes;
    ompd_cl_value_t unreadable_bytes;
    ompd_cl_value_t last_order; /* the largest `order` so far */
    /* A random number of the recorder's.  Two targets with the same pid and identity are one
     * process, in which objects of the same `order` are the same.  Not applicable of recorders
     * before registry version 1.6. */
    ompd_cl_value_t identity;
    ompd_cl_value_t is_thorough; /* 1: the recorder also runs slower checks */
    ompd_cl_value_t command_buffers;
    ompd_cl_value_t semaphores;
} ompd_cl_overview_info_t;

/* A platform that an OpenCL context was created on. */
typedef struct ompd_cl_platform_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name;
    ompd_cl_text_t version;
    ompd_cl_text_t vendor;
} ompd_cl_platform_info_t;

/* A device that an OpenCL context was created with. */
typedef struct ompd_cl_device_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name;
    ompd_cl_value_t type; /* cl_device_type */
    ompd_cl_value_t platform;
} ompd_cl_device_info_t;

typedef struct ompd_cl_context_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t platform; /* cl_platform_id */
    ompd_cl_value_t devices;  /* count */
    ompd_cl_value_t references;
    ompd_cl_value_t children; /* objects that keep it alive */
    ompd_cl_value_t state;    /* ompd_cl_object_state_t */
    ompd_cl_value_t destructor_count;
} ompd_cl_context_info_t;

typedef struct ompd_cl_queue_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t device;
    ompd_cl_value_t properties;
    ompd_cl_value_t references;
    ompd_cl_value_t svm_frees; /* commands not known to be complete */
    ompd_cl_value_t state;     /* ompd_cl_object_state_t */
} ompd_cl_queue_info_t;

/* What a memory object is (OpenCL 3.0 sections 5.2 to 5.4). */
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

/* The other API that the storage of a memory object comes from. */
typedef enum ompd_cl_sharing_t {
    ompd_cl_sharing_none = 0,
    ompd_cl_sharing_gl = 1,
    ompd_cl_sharing_egl = 2,
    ompd_cl_sharing_va_api = 3,
    ompd_cl_sharing_imported = 4,
    ompd_cl_sharing_external = 5 /* an external memory handle: cl_khr_external_memory */
} ompd_cl_sharing_t;

/* The last command that acquires a memory object from the other API or releases it to that API. It
 * was enqueued, and may not be complete. */
typedef enum ompd_cl_acquisition_t {
    ompd_cl_acquisition_never = 1,
    ompd_cl_acquisition_acquired = 2,
    ompd_cl_acquisition_released = 3
} ompd_cl_acquisition_t;

typedef struct ompd_cl_memobj_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t kind; /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t references;
    ompd_cl_value_t context;
    ompd_cl_value_t parent; /* cl handle of the buffer that a sub-buffer or image is made of */
    ompd_cl_value_t origin; /* of a sub-buffer: bytes into its parent */
    ompd_cl_value_t host_pointer;
    ompd_cl_value_t svm; /* SVM allocation that starts at host_pointer; of a sub-buffer, at that of
                          * its buffer */
    ompd_cl_value_t sharing; /* ompd_cl_sharing_t */
    ompd_cl_value_t sharing_name;
    ompd_cl_value_t children;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
    ompd_cl_value_t destructor_count;
    ompd_cl_value_t map_count; /* mappings that were not unmapped yet */
    ompd_cl_value_t width;     /* of an image: pixels */
    ompd_cl_value_t height;
    ompd_cl_value_t depth;
    ompd_cl_value_t array_size; /* of an array of images */
    ompd_cl_value_t row_pitch;  /* bytes */
    ompd_cl_value_t channel_order;
    ompd_cl_value_t channel_type;
    /* The call that released the program's last reference: thread, call site and call stack. */
    ompd_cl_value_t released_lwp;
    ompd_cl_value_t released_caller;
    ompd_cl_value_t released_stack;
    ompd_cl_value_t
        sharing_type;            /* cl_external_memory_handle_type_khr; the handle is `sharing_name`
                                  */
    ompd_cl_value_t acquisition; /* ompd_cl_acquisition_t */
    ompd_cl_value_t
        has_device_address;         /* the program asked for one: cl_ext_buffer_device_address */
    ompd_cl_value_t device_address; /* on the first device of the OpenCL context that has one, as
                                     * the runtime told the program; unknown before the program
                                     * asks */
} ompd_cl_memobj_info_t;

/* Where the user data of a callback was when the callback was registered. */
typedef enum ompd_cl_user_data_place_t {
    ompd_cl_user_data_on_stack = 1,  /* on the stack of the registering thread */
    ompd_cl_user_data_in_data = 2,   /* between the program's file and its break, brk(2): its data
                                      * and the main heap of malloc.  This and the next are unknown
                                      * below 4 GiB, where a number might look like an address */
    ompd_cl_user_data_in_mapping = 3 /* in other mapped memory: another heap of malloc, a mapping
                                      * of the program or of malloc, data of a library */
} ompd_cl_user_data_place_t;

/* A destructor callback of a memory object, an OpenCL context or a program. */
typedef struct ompd_cl_destructor_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object; /* cl handle of the object that it is registered on */
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t state;           /* ompd_cl_callback_state_t */
    ompd_cl_value_t running_lwp;     /* thread that runs it, or ran it */
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_destructor_info_t;

/* The function that made an SVM allocation. */
typedef enum ompd_cl_svm_kind_t {
    ompd_cl_svm_core = 1, /* clSVMAlloc */
    ompd_cl_svm_arm = 2,
    ompd_cl_svm_usm_host = 3,
    ompd_cl_svm_usm_device = 4,
    ompd_cl_svm_usm_shared = 5
} ompd_cl_svm_kind_t;

typedef struct ompd_cl_svm_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t kind; /* ompd_cl_svm_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t alignment;
    ompd_cl_value_t context;
    ompd_cl_value_t state; /* ompd_cl_svm_state_t */
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
    ompd_cl_value_t state; /* ompd_cl_svm_free_state_t */
    ompd_cl_value_t running_lwp;
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_svm_free_info_t;

/* A pointer that an SVM-free command frees. */
typedef struct ompd_cl_svm_pointer_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t pointer;
    ompd_cl_value_t from_svm_alloc; /* 1: clSVMAlloc was seen to return it; 0: it was not */
} ompd_cl_svm_pointer_info_t;

/* An event that a command waits for. */
typedef struct ompd_cl_wait_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t event;
} ompd_cl_wait_info_t;

/* A command of a queue: one that is not known to be complete, or one of the last. */
typedef struct ompd_cl_command_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t queue;
    ompd_cl_value_t number; /* in its queue, from 1; not applicable until it is enqueued */
    ompd_cl_value_t type;   /* cl_command_type */
    ompd_cl_value_t state;  /* ompd_cl_event_state_t: being_enqueued, enqueued, running, left,
                             * ended, done or failed */
    ompd_cl_value_t error;  /* state failed: the negative status; unknown: the runtime is not known
                             * to have ended it, and may never */
    ompd_cl_value_t event;  /* that the program received */
    ompd_cl_value_t kernel;
    ompd_cl_value_t memobj;      /* that it works on, or reads */
    ompd_cl_value_t destination; /* of a copy: that it writes */
    ompd_cl_value_t wait_count;
    ompd_cl_value_t is_blocking; /* 1: its call returns when it is complete */
    ompd_cl_value_t is_flushed;  /* 1: the runtime was told to begin it */
    ompd_cl_value_t context;
    ompd_cl_value_t enqueued_at;    /* when the call began, as `since` of activities */
    ompd_cl_value_t argument_count; /* of its kernel, when it was enqueued */
    /* State failed, because a user event that it waits for, directly or through other commands, was
     * set to an error: that event, its status, and the call that set it. */
    ompd_cl_value_t failed_event;
    ompd_cl_value_t failed_status;
    ompd_cl_value_t failed_lwp;
    ompd_cl_value_t failed_caller;
    ompd_cl_value_t failed_stack;
    /* The work sizes of a kernel, as many of each as dimensions.  An offset or a local size that
     * the program left to the runtime is not applicable. */
    ompd_cl_value_t dimensions;
    ompd_cl_value_t global_offset_x;
    ompd_cl_value_t global_offset_y;
    ompd_cl_value_t global_offset_z;
    ompd_cl_value_t global_size_x;
    ompd_cl_value_t global_size_y;
    ompd_cl_value_t global_size_z;
    ompd_cl_value_t local_size_x;
    ompd_cl_value_t local_size_y;
    ompd_cl_value_t local_size_z;
    ompd_cl_value_t command_buffer; /* cl_command_buffer_khr that it executes */
    ompd_cl_value_t semaphore;      /* the first cl_semaphore_khr that it signals or waits for */
    ompd_cl_value_t semaphore_count;
    ompd_cl_value_t in_callback; /* the program's callback that enqueued it */
} ompd_cl_command_info_t;

/* What a command does with something that it touches. */
typedef enum ompd_cl_access_use_t {
    ompd_cl_access_uses = 1, /* reads or writes, which is not known */
    ompd_cl_access_reads = 2,
    ompd_cl_access_writes = 3,
    ompd_cl_access_maps = 4,
    ompd_cl_access_unmaps = 5,
    ompd_cl_access_migrates = 6,
    ompd_cl_access_acquires = 7, /* from another API, or returns it there: */
    ompd_cl_access_releases = 8,
    ompd_cl_access_frees = 9
} ompd_cl_access_use_t;

/* Something that a command touches, as the call that enqueued it said.  Boxes are of pixels, or of
 * bytes for a buffer and memory of the program; offsets, sizes and pitches are in bytes. */
typedef struct ompd_cl_access_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t use;         /* ompd_cl_access_use_t */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj or svm; 0: memory of the program */
    ompd_cl_value_t object;      /* cl_mem, or start of the SVM allocation */
    ompd_cl_value_t address;     /* memory of the program, SVM, or a mapping */
    ompd_cl_value_t argument;    /* kernel: index of the argument */
    ompd_cl_value_t offset;      /* in the object, or from the address */
    ompd_cl_value_t size;        /* from there to the last byte */
    ompd_cl_value_t origin_x;
    ompd_cl_value_t origin_y;
    ompd_cl_value_t origin_z;
    ompd_cl_value_t region_x;
    ompd_cl_value_t region_y;
    ompd_cl_value_t region_z;
    ompd_cl_value_t row_pitch; /* as passed, 0 for rows without gaps; of a mapping, as returned */
    ompd_cl_value_t slice_pitch;
    ompd_cl_value_t map_flags; /* cl_map_flags */
} ompd_cl_access_info_t;

/* Whether a mapping exists. */
typedef enum ompd_cl_mapping_state_t {
    ompd_cl_mapping_mapped = 1,
    ompd_cl_mapping_unmapping = 6, /* a thread is in the call that unmaps it */
    ompd_cl_mapping_unmapped = 7,
    ompd_cl_mapping_never_unmapped = 8 /* its object has ended without that */
} ompd_cl_mapping_state_t;

/* A mapping of a memory object or of SVM: one that was not unmapped, or one of the last.  Boxes are
 * of pixels; offsets, sizes and pitches are in bytes. */
typedef struct ompd_cl_mapping_info_t {
    ompd_cl_object_head_t head;  /* handle: the pointer; the call that made it */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj or svm */
    ompd_cl_value_t object;      /* cl_mem, or start of the SVM allocation */
    ompd_cl_value_t state;       /* ompd_cl_mapping_state_t */
    ompd_cl_value_t offset;      /* of a buffer */
    ompd_cl_value_t size;        /* of a buffer, SVM or an image, from the pointer */
    ompd_cl_value_t map_flags;   /* cl_map_flags */
    ompd_cl_value_t origin_x;
    ompd_cl_value_t origin_y;
    ompd_cl_value_t origin_z;
    ompd_cl_value_t region_x;
    ompd_cl_value_t region_y;
    ompd_cl_value_t region_z;
    ompd_cl_value_t row_pitch; /* as the call returned it */
    ompd_cl_value_t slice_pitch;
    ompd_cl_value_t context;
    ompd_cl_value_t queue;
    ompd_cl_value_t number;      /* of the command in the queue */
    ompd_cl_value_t is_blocking; /* 1: the call returned when the memory was mapped */
    ompd_cl_value_t mapped_at;   /* when the call returned, as `since` of activities */
    ompd_cl_value_t unmapped_at; /* when it was unmapped, or its object ended; as `mapped_at` */
    /* The call that unmapped it. */
    ompd_cl_value_t unmapped_lwp;
    ompd_cl_value_t unmapped_caller;
    ompd_cl_value_t unmapped_stack;
} ompd_cl_mapping_info_t;

/* An event that the program received or made.  Its execution is what the program has learned: by
 * waiting, by asking, or by setting a user event. */
typedef struct ompd_cl_event_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t type; /* cl_command_type */
    ompd_cl_value_t queue;
    ompd_cl_value_t context;
    ompd_cl_value_t execution; /* ompd_cl_event_state_t: unset, enqueued, queued, submitted,
                                * running, ended, done or failed */
    ompd_cl_value_t error;     /* execution failed: the negative status */
    ompd_cl_value_t set_by;    /* user event: the thread that has set its status */
    ompd_cl_value_t number;    /* of its command in its queue, from 1 */
    ompd_cl_value_t references;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
    /* User event: the call that has set its status. */
    ompd_cl_value_t set_caller;
    ompd_cl_value_t set_stack;
} ompd_cl_event_info_t;

typedef struct ompd_cl_program_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t build;       /* ompd_cl_build_state_t */
    ompd_cl_value_t build_error; /* build failed: the result of the build, or its status */
    ompd_cl_value_t build_lwp;   /* thread that began the last build */
    ompd_cl_text_t options;      /* of the last build */
    ompd_cl_text_t log;          /* of the last build, from its first error on, if the program has
                                  * asked for it */
    ompd_cl_value_t references;
    ompd_cl_value_t children;         /* its kernels */
    ompd_cl_value_t state;            /* ompd_cl_object_state_t */
    ompd_cl_value_t destructor_count; /* release callbacks */
} ompd_cl_program_info_t;

/* Memory that a kernel may use without a pointer that the program has set. */
typedef enum ompd_cl_uses_any_t {
    ompd_cl_uses_any_system = 1, /* fine-grained system SVM: all memory of the process */
    ompd_cl_uses_any_usm_host = 2,
    ompd_cl_uses_any_usm_device = 4,
    ompd_cl_uses_any_usm_shared = 8
} ompd_cl_uses_any_t;

typedef struct ompd_cl_kernel_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t name; /* of its function */
    ompd_cl_value_t program;
    ompd_cl_value_t context;
    ompd_cl_value_t references;
    ompd_cl_value_t state;          /* ompd_cl_object_state_t */
    ompd_cl_value_t argument_count; /* one more than the last that was set */
    /* Set by clSetKernelExecInfo: the number of SVM and USM pointers, and the kinds of memory of
     * which it may use any, bits of ompd_cl_uses_any_t. */
    ompd_cl_value_t svm_pointer_count;
    ompd_cl_value_t uses_any;
} ompd_cl_kernel_info_t;

/* How the program has set an argument of a kernel. */
typedef enum ompd_cl_argument_form_t {
    ompd_cl_argument_unset = 0,  /* not at all, or a thread is setting it */
    ompd_cl_argument_data = 1,   /* a value that is no cl handle; presumed if it could be one */
    ompd_cl_argument_local = 2,  /* NULL: local memory, or no memory object */
    ompd_cl_argument_svm = 3,    /* an SVM pointer */
    ompd_cl_argument_object = 4, /* an object that exists */
    ompd_cl_argument_device = 5  /* a device address */
} ompd_cl_argument_form_t;

/* An argument of a kernel, or of a command that runs one, as it was when that was enqueued (OpenCL
 * 3.0 section 5.9.2). */
typedef struct ompd_cl_argument_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t number;      /* from 0 */
    ompd_cl_value_t form;        /* ompd_cl_argument_form_t */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj, sampler, queue or svm */
    ompd_cl_value_t object;      /* cl handle, or SVM pointer; form device: the buffer in which the
                                  * address is, if its device address is known */
    ompd_cl_value_t size;        /* in bytes, as passed; at most 2^28 - 1 */
    ompd_cl_value_t value;       /* form data, of 1, 2, 4 or 8 bytes: as an unsigned number; form
                                  * device: the address */
} ompd_cl_argument_info_t;

typedef struct ompd_cl_sampler_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;
    ompd_cl_value_t normalized; /* 1: its coordinates are */
    ompd_cl_value_t addressing; /* cl_addressing_mode */
    ompd_cl_value_t filter;     /* cl_filter_mode */
    ompd_cl_value_t references;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
} ompd_cl_sampler_info_t;

/* What the program may do with a command buffer. */
typedef enum ompd_cl_command_buffer_phase_t {
    ompd_cl_command_buffer_recording = 1,
    ompd_cl_command_buffer_executable = 2,
    ompd_cl_command_buffer_finalized = 3 /* mutable: executable once all arguments are set */
} ompd_cl_command_buffer_phase_t;

/* A command buffer (cl_khr_command_buffer).  It retains its queues, and the kernels and memory
 * objects that its commands name.  Those of a copy made by clRemapCommandBufferKHR are unknown. */
typedef struct ompd_cl_command_buffer_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t phase; /* ompd_cl_command_buffer_phase_t */
    ompd_cl_value_t queue; /* the first of its queues */
    ompd_cl_value_t queue_count;
    ompd_cl_value_t command_count;
    ompd_cl_value_t executions; /* calls that enqueued it */
    ompd_cl_value_t pending;    /* commands that execute it: one in each queue of such a call */
    ompd_cl_value_t updates;    /* calls of clUpdateMutableCommandsKHR */
    ompd_cl_value_t flags;      /* cl_command_buffer_flags_khr */
    ompd_cl_value_t context;
    ompd_cl_value_t references;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
} ompd_cl_command_buffer_info_t;

/* A command in a command buffer, as it was recorded.  `handle` of its head is its
 * cl_mutable_command_khr, if the program asked for that. */
typedef struct ompd_cl_buffered_command_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t number; /* from 1 */
    ompd_cl_value_t type;   /* cl_command_type */
    ompd_cl_value_t kernel;
    ompd_cl_value_t memobj;      /* that it fills or reads */
    ompd_cl_value_t destination; /* of a copy: that it writes */
    ompd_cl_value_t svm_source;
    ompd_cl_value_t svm_destination;
    ompd_cl_value_t sync_point; /* its own */
    ompd_cl_text_t waits_for;   /* numbers of sync points */
    ompd_cl_value_t sync_count;
    ompd_cl_value_t kernel_arguments; /* count */
    ompd_cl_value_t queue;
    ompd_cl_value_t kernel_pointers; /* count: SVM and USM that it uses besides its arguments */
} ompd_cl_buffered_command_info_t;

/* Payload of a binary semaphore. */
typedef enum ompd_cl_semaphore_payload_t {
    ompd_cl_semaphore_unsignaled = 1,
    ompd_cl_semaphore_signaled = 2
} ompd_cl_semaphore_payload_t;

/* A semaphore (cl_khr_semaphore, cl_khr_external_semaphore).  Its payload is known if it is binary,
 * the program did not import or export a handle of it, and all commands that use it are known to
 * be complete. */
typedef struct ompd_cl_semaphore_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t type;            /* cl_semaphore_type_khr */
    ompd_cl_value_t payload;         /* ompd_cl_semaphore_payload_t */
    ompd_cl_value_t pending_signals; /* commands */
    ompd_cl_value_t pending_waits;
    ompd_cl_value_t signals; /* commands so far, complete or not */
    ompd_cl_value_t waits;
    ompd_cl_value_t export_type; /* cl_external_semaphore_handle_type_khr */
    ompd_cl_value_t exports;
    ompd_cl_value_t import_type;
    ompd_cl_value_t imports; /* by clReImportSemaphoreSyncFdKHR */
    ompd_cl_value_t device;
    ompd_cl_value_t context;
    ompd_cl_value_t references;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
} ompd_cl_semaphore_info_t;

/* A thread that has entered OpenCL, by a call or because the runtime ran a callback in it.  `order`
 * of its head is that of its first entry. */
typedef struct ompd_cl_thread_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t pthread;     /* its pthread_t */
    ompd_cl_value_t state;       /* ompd_cl_thread_state_t, of its innermost activity */
    ompd_cl_value_t call;        /* innermost function of OpenCL that it is in */
    ompd_cl_value_t object;      /* cl handle that the innermost activity waits for or works on */
    ompd_cl_value_t depth;       /* nested activities */
    ompd_cl_value_t is_caller;   /* 0: known only from callbacks, a thread of the runtime */
    ompd_cl_value_t event_count; /* clWaitForEvents: how many events were passed; `object` is the
                                  * first of them that is not known to be complete */
    ompd_cl_value_t since;       /* when its innermost activity began, as there */
} ompd_cl_thread_info_t;

/* A call or callback that a thread is in. */
typedef struct ompd_cl_activity_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t state;  /* ompd_cl_thread_state_t of a thread whose innermost activity it is */
    ompd_cl_value_t call;   /* function of OpenCL; not applicable to a callback */
    ompd_cl_value_t object; /* cl handle that it waits for or works on */
    ompd_cl_value_t function; /* of a callback */
    ompd_cl_value_t user_data;
    ompd_cl_value_t since; /* when a callback, or a call that waits, began: milliseconds since 1970,
                            * accurate to a few; not applicable to other calls, whose time the
                            * recorder does not take */
} ompd_cl_activity_info_t;

/* What usage counts. */
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

/* How many objects of a kind the target has, and had at most, as its threads counted them.  An
 * object that the program has released is counted until the recorder learns of its end, or a layout
 * shows it.  Where neither can, `live` and `bytes` are presumed, as upper bounds. */
typedef struct ompd_cl_usage_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t counted_kind; /* ompd_cl_usage_kind_t */
    ompd_cl_value_t live;
    ompd_cl_value_t peak; /* most at once; presumed, as an upper bound, once two threads have
                           * entered OpenCL */
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
    ompd_cl_value_t wanted;    /* bytes that the last of them would have led to */
} ompd_cl_library_memory_info_t;

/* How the dispatch table of a runtime was found. */
typedef enum ompd_cl_found_by_t {
    ompd_cl_found_by_layout = 1, /* at the address that the layout names */
    ompd_cl_found_by_symbol = 2,
    ompd_cl_found_by_search = 3 /* without a layout or a symbol */
} ompd_cl_found_by_t;

/* An OpenCL runtime (ICD) that is loaded in the target. */
typedef struct ompd_cl_runtime_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_text_t module;    /* path of its file */
    ompd_cl_text_t build_id;  /* hexadecimal */
    ompd_cl_text_t layout;    /* runtime that its layout describes; presumed: it is of another
                               * build; not applicable: none matches */
    ompd_cl_value_t address;  /* lowest address of the module */
    ompd_cl_value_t table;    /* address of the dispatch table */
    ompd_cl_value_t found_by; /* ompd_cl_found_by_t */
    ompd_cl_value_t objects;  /* found objects of any kind.  Without a layout: unknown, or 0,
                               * presumed, if at most a platform has this table or the module is
                               * still being loaded */
} ompd_cl_runtime_info_t;

/* What a layout says of itself. */
typedef struct ompd_cl_layout_info_t {
    ompd_size_t struct_size;
    ompd_cl_text_t runtime;
    ompd_cl_text_t module;
    ompd_cl_text_t build_id; /* hexadecimal */
    ompd_cl_value_t machine; /* ELF e_machine */
    ompd_cl_value_t pointer_size;
} ompd_cl_layout_info_t;

/* ---- Kinds and fields ------------------------------------------------------------------------ */

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
    ompd_cl_kind_layout = 16, /* a text of the tool's: of no target */
    ompd_cl_kind_device = 17,
    ompd_cl_kind_event = 18,
    ompd_cl_kind_command = 19,
    ompd_cl_kind_kernel = 20,
    ompd_cl_kind_program = 21,
    ompd_cl_kind_sampler = 22,
    ompd_cl_kind_finding = 23,        /* provisional */
    ompd_cl_kind_wait_step = 24,      /* provisional */
    ompd_cl_kind_destroyed = 25,      /* provisional */
    ompd_cl_kind_error = 26,          /* provisional */
    ompd_cl_kind_reference_site = 27, /* provisional */
    ompd_cl_kind_leak = 28,           /* provisional */
    ompd_cl_kind_ledger = 29,         /* provisional */
    ompd_cl_kind_call = 30,           /* provisional */
    ompd_cl_kind_callback = 31,       /* provisional; of an event or a build */
    ompd_cl_kind_argument = 32,       /* of a kernel, or of a command that runs one */
    ompd_cl_kind_embree_device = 33,
    ompd_cl_kind_embree_scene = 34,
    ompd_cl_kind_embree_geometry = 35,
    ompd_cl_kind_embree_buffer = 36,
    ompd_cl_kind_command_buffer = 37,
    ompd_cl_kind_buffered_command = 38, /* of a command buffer */
    ompd_cl_kind_semaphore = 39,
    ompd_cl_kind_access = 40, /* of a command */
    ompd_cl_kind_mapping = 41,
    ompd_cl_kind_message = 42 /* of a runtime to the program */
} ompd_cl_kind_t;

/* How to show a field. */
typedef enum ompd_cl_type_t {
    ompd_cl_type_handle = 1,   /* cl handle: hexadecimal */
    ompd_cl_type_address = 2,  /* of data: hexadecimal */
    ompd_cl_type_function = 3, /* of code, its first instruction: symbol */
    ompd_cl_type_caller = 4,   /* of code, a return address: symbol and line of the byte before */
    ompd_cl_type_bytes = 5,
    ompd_cl_type_count = 6,
    ompd_cl_type_number = 7, /* neither bytes nor a count */
    ompd_cl_type_lwp = 8,
    ompd_cl_type_flags = 9,    /* a set of bits with names */
    ompd_cl_type_name = 10,    /* one of the names */
    ompd_cl_type_state = 11,   /* one of the names: a state */
    ompd_cl_type_boolean = 12, /* 0 or 1 */
    ompd_cl_type_stack = 13,   /* key for ompd_cl_stack_get */
    ompd_cl_type_text = 14,    /* the member is an ompd_cl_text_t */
    ompd_cl_type_time = 15,    /* milliseconds since 1970-01-01, UTC */
    ompd_cl_type_duration = 16 /* milliseconds, shown as seconds; no field has it yet */
} ompd_cl_type_t;

/* The name of a value, or of a bit.  All texts are static. */
typedef struct ompd_cl_name_t {
    ompd_size_t struct_size;
    uint64_t value;
    const char *name; /* one word, for scripts */
    const char *text; /* a phrase for people; NULL: the name suffices */
} ompd_cl_name_t;

/* One field of an info struct.  All texts are static. */
typedef struct ompd_cl_field_t {
    ompd_size_t struct_size;
    const char *name;            /* its key in JSON and in Python */
    const char *title;           /* column heading */
    const char *help;            /* one line */
    const char *unit;            /* "B" for bytes, or "" */
    const ompd_cl_name_t *names; /* of types flags, name and state: see ompd_cl_field_name_at; else
                                  * NULL */
    uint32_t name_count;
    uint32_t type;     /* ompd_cl_type_t */
    uint32_t offset;   /* of the ompd_cl_value_t or ompd_cl_text_t in the info struct */
    uint32_t in_table; /* 1: a table of many objects should have a column for it */
} ompd_cl_field_t;

/*
 * Describe field number INDEX, from 0, of rows of KIND: *FIELD gets static data.
 * Returns ompd_rc_ok; ompd_rc_unavailable past the last field; ompd_rc_bad_input for an unknown
 * KIND or a NULL pointer.  Needs no address space.
 */
ompd_rc_t ompd_cl_field_get(ompd_cl_kind_t kind, uint32_t index, const ompd_cl_field_t **field);

/* Get the name of a kind ("memobj") in *NAME and the size of its info struct in *STRUCT_SIZE.
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
 * Get what people call rows of KIND: *NOUN gets static data.
 * Returns ompd_rc_ok; ompd_rc_bad_input for an unknown KIND or a NULL pointer.
 */
ompd_rc_t ompd_cl_noun_get(ompd_cl_kind_t kind, const ompd_cl_noun_t **noun);

/* Values that have names but belong to no field. */
typedef enum ompd_cl_names_t {
    ompd_cl_names_rc = 1,    /* ompd_rc_t: "ompd_rc_nomem" */
    ompd_cl_names_status = 2 /* ompd_cl_status_t: "not_saved", "not saved in the core" */
} ompd_cl_names_t;

/*
 * Find the name of VALUE among NAMES: *NAME gets static data, whose `text` is not NULL.
 * Returns ompd_rc_ok; ompd_rc_unavailable if VALUE has none, for example because a later version of
 * this header has it; ompd_rc_bad_input for unknown NAMES or a NULL pointer.
 */
ompd_rc_t ompd_cl_name_find(ompd_cl_names_t names, uint64_t value, const ompd_cl_name_t **name);

/* ---- Sources --------------------------------------------------------------------------------- */

/*
 * Add a layout: the SIZE bytes of TEXT, in the format of ompd-opencl-layout(5), which are not kept.
 * It serves the modules of the target that have its build-id, now or later; of two with one
 * build-id the later one counts.  What was found at this stop without it is discarded, as by
 * ompd_cl_address_space_refresh; ids and open lists stay.  If the target has no recorder, all
 * objects come from layouts, and the first question at each stop searches memory.  A module whose
 * build-id no layout has is then read by a layout of another build of the same runtime, if nothing
 * contradicts it: its values are presumed, and ompd_cl_note_get names it.
 * Returns ompd_rc_ok; ompd_rc_bad_input for a text that is not a layout (ompd_cl_message_get names
 * the line); ompd_rc_incompatible for a newer major version of the format, or one that requires
 * an unknown feature; ompd_rc_nomem; ompd_rc_stale_handle; ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_layout_add(ompd_address_space_handle_t *space, const char *text,
                             ompd_size_t size);

/* Describe the layout in the SIZE bytes of TEXT, in *INFO.  Needs no address space.
 * Returns ompd_rc_ok, ompd_rc_bad_input or ompd_rc_incompatible, as ompd_cl_layout_add, which
 * alone explains what is wrong with a text. */
ompd_rc_t ompd_cl_layout_get(const char *text, ompd_size_t size, ompd_cl_layout_info_t *info);

/* For ompd_cl_sources_set: all sources, and the choice at first. */
#define OMPD_CL_SOURCES_ALL                                                                        \
    (UINT32_C(1) << ompd_cl_source_recorder | UINT32_C(1) << ompd_cl_source_layout |               \
     UINT32_C(1) << ompd_cl_source_stack)
#define OMPD_CL_SOURCES_DEFAULT (UINT32_C(1) << 31)

/*
 * Choose the sources of SPACE: bits 1 << ompd_cl_source_t, or OMPD_CL_SOURCES_DEFAULT, the choice
 * at first.  The default is all: the recorder knows what the program did, layouts add what the
 * runtime holds, and without a recorder call stacks show which threads are in OpenCL.  Beside the
 * recorder, layouts then only add to the objects that it has.  Memory is searched for others if the
 * recorder knows that it has missed some, if the process has a second OpenCL loader, and for
 * findings, leaks and holders.  If layouts are chosen, lists and the overview search it always.
 * Open lists and ids stay.
 * Returns ompd_rc_ok; ompd_rc_bad_input for no or unknown bits; ompd_rc_stale_handle;
 * ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_sources_set(ompd_address_space_handle_t *space, uint32_t sources);

/*
 * Search the memory of SPACE for objects, once a stop, if a layout matches a runtime.  Objects that
 * only a layout shows then have a state and the program's references, which are unknown if they
 * were found by their handles: they depend on all objects that hold them.  Findings, leaks and
 * holders, and lists without a recorder, search by themselves.
 *
 * Returns ompd_rc_ok, also when there is nothing to search for; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_unavailable without any source; ompd_rc_unsupported when the tool
 * does not list memory regions; ompd_rc_nomem; else as in the head of this file.
 */
ompd_rc_t ompd_cl_objects_search(ompd_address_space_handle_t *space);

/* ---- Overview -------------------------------------------------------------------------------- */

/*
 * Count what is in the target: the recorder's objects, whose registry is read as a whole, and those
 * that layouts find beside them.  ompd_cl_sources_set says when memory is searched for these.
 * The recorder's counts are facts even if there is memory that the program presumably never wrote
 * to.  A count that may miss something has the status at_least; one that no source knows, unknown.
 * Returns ompd_rc_ok, also when memory that the program presumably never wrote to was not searched;
 * ompd_rc_incomplete when other memory was not, a count is unknown, or a layout seems not to
 * recognise objects; else as in the head of this file.
 */
ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *space, ompd_cl_overview_info_t *info);

/*
 * Get what the last answer on SPACE leaves open, of ompd_cl_overview_get or a *_list_next function:
 * note number INDEX, from 0, in *NOTE, one sentence without a newline.  Notes report how many bytes
 * were not searched, what the layouts do not cover, how many objects a layout seems not to
 * recognise, that modules could not be read and there may be more runtimes, and links of the
 * recorder that make no sense though no row is missing.  The text belongs to the library and is
 * valid until the next call on SPACE.  Reads nothing.
 * Returns ompd_rc_ok, past the last note with the empty text; ompd_rc_bad_input;
 * ompd_rc_stale_handle; ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_note_get(ompd_address_space_handle_t *space, uint32_t index, const char **note);

/*
 * Get what SPACE holds of the tool's memory.  Reads nothing of the target and allocates nothing.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 */
ompd_rc_t ompd_cl_library_memory_get(ompd_address_space_handle_t *space,
                                     ompd_cl_library_memory_info_t *info);

/* ---- Lists ----------------------------------------------------------------------------------- */

/* An open list.  It belongs to its address space; ompd_cl_list_close closes it. */
typedef struct ompd_cl_list_t {
    uint64_t id;
} ompd_cl_list_t;

/* Which rows a list returns: those that meet every condition.  0 is no condition.  Set struct_size
 * to sizeof(ompd_cl_filter_t).  A row whose field for a condition is unknown is returned, because
 * it may meet the condition. */
typedef struct ompd_cl_filter_t {
    ompd_size_t struct_size;
    uint64_t context;     /* cl handle of the row's OpenCL context; of Embree its RTCDevice */
    uint64_t kinds;       /* bits 1 << ompd_cl_memobj_kind_t or ompd_cl_svm_kind_t; of destroyed,
                           * ledger and callback rows bits 1 << ompd_cl_kind_t */
    uint64_t states;      /* bits 1 << the state enumeration of the kind */
    ompd_size_t min_size; /* bytes */
    uint64_t queue;       /* cl handle of the row's command queue */
} ompd_cl_filter_t;

/*
 * Open a list of all rows of KIND; each appears once.  ompd-opencl-fields(7) describes each kind:
 * the order of its rows, the sources that have them, its limits, and when it is unavailable.
 *
 * FILTER may be NULL; conditions without a field in the rows are ignored.  *LIST gets the list,
 * which the tool closes with ompd_cl_list_close.  A list holds no target memory, and needs the same
 * memory however long it is.  Opening looks for the sources; ompd_cl_list_next reports rows that
 * cannot be read.
 * Returns ompd_rc_ok; ompd_rc_bad_input for another KIND; ompd_rc_unavailable when no source has
 * such rows; ompd_rc_unsupported when the tool lacks the callbacks that KIND needs; else as in the
 * head of this file.
 */
ompd_rc_t ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                            const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/*
 * Open a list of the rows of KIND that belong to OBJECT, an id: destructors of a memory object,
 * context or program, newest first; commands of a queue; svm_pointers and waits of a command;
 * activities of a thread, innermost first; arguments of a kernel or command; reference_sites of an
 * object; embree_geometries of an embree_scene, by geometry ID; embree_buffers of an
 * embree_geometry.  ompd-opencl-fields(7) describes each kind.  If no source has the rows of
 * OBJECT, the list is empty and ompd_rc_incomplete.
 * Returns ompd_rc_ok; ompd_rc_bad_input for another KIND, or an OBJECT of an unsuitable kind; else
 * as ompd_cl_list_open.
 */
ompd_rc_t ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   uint64_t object, ompd_cl_list_t *list);

/*
 * Get the next rows of LIST, which are of KIND: at most CAPACITY, in ROWS, an array of the info
 * struct of KIND.  *COUNT gets their number, 0 at the end of the list.
 * *UNREADABLE, which may be NULL, gets how many rows of the list so far are missing because their
 * memory could not be read or made no sense; a chunk of records that the recorder's directory does
 * not show counts with all its records.  It does not count rows whose number is unknown too, which
 * ompd_cl_note_get mentions, or objects in memory that was not searched.
 * Returns ompd_rc_ok; ompd_rc_incomplete when rows are missing so far, when some may not have been
 * found, when the list's links make no sense, or when a field of a returned row that is not
 * doubtful could not be read; ompd_rc_bad_input for NULL ROWS or COUNT, CAPACITY 0, a bad
 * struct_size, or a LIST of another kind; ompd_rc_stale_handle for a closed list, or one of an
 * object that was destroyed; else as in the head of this file.
 * After ompd_rc_interrupted the list stays where it was before the call.
 */
ompd_rc_t ompd_cl_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                            ompd_cl_kind_t kind, ompd_size_t capacity, void *rows,
                            ompd_size_t *count, ompd_size_t *unreadable);

/* Close a list, at its end or before.  Keeps the message of the call before.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle (closed before) or
 * ompd_rc_incompatible_handle. */
ompd_rc_t ompd_cl_list_close(ompd_address_space_handle_t *space, ompd_cl_list_t list);

/* ---- One object ------------------------------------------------------------------------------ */

/*
 * Find the object of KIND (context, queue, memobj, svm, event, kernel, program, sampler, thread or
 * one of Embree's) that HANDLE names: a cl handle; of an SVM allocation the pointer that clSVMAlloc
 * returned; of a thread its LWP, among the threads that have entered OpenCL; of Embree's objects an
 * RTCDevice, RTCScene, RTCGeometry or RTCBuffer.  Finding an object takes a
 * small number of reads.  One that only a layout shows is then presumed, and its state and the
 * program's references are unknown until ompd_cl_objects_search.  Memory is searched for SVM, and
 * where only a search shows whether there is an object.
 * Returns ompd_rc_ok and sets *ID; ompd_rc_unavailable when there is no such object, which does not
 * prove that the handle is wrong; ompd_rc_incomplete and an id of 0 when it may be in memory that
 * could not be read, or `progress` ended the search; ompd_rc_bad_input for another KIND; else as in
 * the head of this file.
 */
ompd_rc_t ompd_cl_object_find(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                              uint64_t handle, uint64_t *id);

/*
 * Describe the object ID in *INFO, the info struct of KIND (context, queue, memobj, svm, svm_free,
 * command, event, kernel, program, sampler, thread or one of Embree's).
 * Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read; ompd_rc_stale_handle when
 * the object was destroyed; ompd_rc_bad_input, also for another KIND; else as in the head of this
 * file.
 */
ompd_rc_t ompd_cl_object_get(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t id,
                             void *info);

/*
 * Get the call stack of a field of type stack: return addresses in the program, innermost first, at
 * most CAPACITY of them in FRAMES.  *COUNT gets how many there are, which may be more.
 * Returns ompd_rc_ok; ompd_rc_bad_input when STACK is not the key of a stack; ompd_rc_incomplete
 * (with *COUNT 0) when it could not be read; else as in the head of this file.
 */
ompd_rc_t ompd_cl_stack_get(ompd_address_space_handle_t *space, uint64_t stack,
                            ompd_size_t capacity, ompd_addr_t *frames, ompd_size_t *count);

/*
 * Read the text of a field of type text that has KEY: at most CAPACITY bytes from byte OFFSET on,
 * into TEXT, without a NUL.  *COUNT gets how many bytes were read: fewer than CAPACITY at the end
 * of the text, and 0 from there on.  A key is valid until the text is replaced or its object ends;
 * the bytes of two texts are never mixed. Returns ompd_rc_ok; ompd_rc_incomplete when the bytes
 * after *COUNT could not be read, with the reason as the message; ompd_rc_bad_input when KEY is not
 * the key of a text, or TEXT or COUNT is NULL; ompd_rc_stale_handle when the text is no longer
 * there; else as in the head of this file. TEXT after *COUNT is unchanged, except after
 * ompd_rc_interrupted, when it is undefined.
 */
ompd_rc_t ompd_cl_text_read(ompd_address_space_handle_t *space, uint64_t key, uint64_t offset,
                            ompd_size_t capacity, char *text, ompd_size_t *count);

/* ---- Memory of the target -------------------------------------------------------------------- */

/*
 * Read numbers from the target's memory, as they are at this stop: up to CAPACITY unsigned integers
 * of SIZE bytes each (1, 2, 4 or 8), consecutive from ADDRESS, in its byte order, into NUMBERS.
 * *COUNT gets how many precede the first unreadable one.  Reads at most 4 KiB at once, and caches
 * the last block.  The bytes of a memory object are at its `host_pointer`, if it has one (OpenCL
 * 3.0 section 5.2.1, CL_MEM_USE_HOST_PTR).
 * Returns ompd_rc_ok when all were read; ompd_rc_incomplete when fewer were, with the reason as the
 * message; ompd_rc_bad_input for another SIZE, NULL NUMBERS or COUNT, a CAPACITY above 65536, or
 * numbers beyond the end of 64-bit addresses; else as in the head of this file.  NUMBERS stays as
 * it was behind *COUNT, but is undefined after ompd_rc_interrupted.
 */
ompd_rc_t ompd_cl_numbers_read(ompd_address_space_handle_t *space, ompd_addr_t address,
                               ompd_size_t size, ompd_size_t capacity, uint64_t *numbers,
                               ompd_size_t *count);

/* ---- OMPD, as a tool sees it ----------------------------------------------------------------- */

/*
 * The entry points of OMPD and their meaning for OpenCL.  A tool that knows only OMPD never reports
 * that the target ran.  These functions therefore examine the target as it is at each call, and
 * read only what they need: a few dozen bytes for a thread, 16 for each thread for a counter.
 *
 * All check their arguments first: ompd_rc_bad_input for NULL where a value is needed and for a
 * handle that was never given out, ompd_rc_stale_handle for one that was released or whose thread
 * has ended, ompd_rc_incompatible_handle for one of another kind.  Those that read the target may
 * return ompd_rc_unavailable, ompd_rc_incompatible, ompd_rc_error and ompd_rc_device_read_error as
 * in the head of this file, those that allocate ompd_rc_nomem.
 *
 *   ompd_initialize, ompd_finalize
 *       Set or clear the callback table of ompd_process_initialize.  The table is copied; a later
 *       one replaces it; address spaces keep the one that they were created with.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for NULL CALLBACKS and for a table that lacks a
 *       required callback (ompd_cl_message_get names it); ompd_rc_unsupported for an API_VERSION
 *       before 201811, and from ompd_finalize when no table is set.  OpenMP 6.0 sections 41.1.1 and
 *       41.1.4.
 *   ompd_get_api_version, ompd_get_version_string
 *       Get the version of OMPD, 202411, and that of the library, such as "ompd-opencl 0.1.0".  The
 *       string is static.  May be called before ompd_initialize.
 *       Returns ompd_rc_ok or ompd_rc_bad_input.  OpenMP 6.0 sections 41.1.2 and 41.1.3.
 *   ompd_process_initialize
 *       Create an address space with the table of ompd_initialize and without an ompd_cl_extra_t:
 *       see ompd_cl_address_space_create.  The tool owns it.  The process need not have a recorder
 *       yet.
 *       Returns ompd_rc_ok; ompd_rc_incompatible when the recorder has a newer major version;
 *       ompd_rc_error without ompd_initialize; else as ompd_cl_address_space_create.  OpenMP 6.0
 *       section 41.2.1.
 *   ompd_device_initialize
 *       Create an address space of kind OMPD_CL_DEVICE_KIND for the cl_device_id at ID, of 4 or 8
 *       bytes in the tool's byte order, if a queue of the target uses it.  The tool owns it; it
 *       ends with the address space of the process.  DEVICE_CONTEXT is not used.
 *       Returns ompd_rc_ok; ompd_rc_unavailable when no queue uses such a device;
 *       ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another size or a device of 0.
 *       OpenMP 6.0 section 41.2.2.
 *   ompd_rel_address_space_handle
 *       Release an address space.  With that of a process end its devices, thread handles, lists
 *       and display control variables.  All memory is freed except the strings and arrays that the
 *       tool owns.
 *       Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle.
 *       OpenMP 6.0 section 41.8.1.
 *   ompd_get_omp_version, ompd_get_omp_version_string
 *       OpenCL has no version of OpenMP.
 *       Returns ompd_rc_unsupported, when the arguments are good.  OpenMP 6.0 sections 41.3.1 and
 *       41.3.2.
 *   ompd_get_thread_handle, ompd_rel_thread_handle
 *       Get a handle of a thread that has entered OpenCL, by its OMPD_CL_THREAD_PTHREAD or
 *       OMPD_CL_THREAD_LWP; or release it.  The tool owns the handle, at most until the address
 *       space is released.  Each call returns another handle; all handles of a thread are equal to
 *       ompd_thread_handle_compare.
 *       Returns ompd_rc_ok; ompd_rc_unavailable for a thread that has not entered OpenCL;
 *       ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another size.  OpenMP 6.0
 *       sections 41.4.2 and 41.8.4.
 *   ompd_get_thread_id
 *       Get the native id of a thread, of either kind.
 *       Returns ompd_rc_ok; ompd_rc_unsupported for another KIND; ompd_rc_bad_input for another
 *       size; ompd_rc_stale_handle when the thread has ended.  OpenMP 6.0 section 41.4.3.
 *   ompd_thread_handle_compare
 *       Order threads as they entered OpenCL: *CMP_VALUE gets -1, 0 or 1.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for threads of two address spaces.  OpenMP 6.0
 *       section 41.7.3.
 *   ompd_enumerate_states, ompd_get_state
 *       Enumerate the states, from OMPD_CL_STATE_UNDEFINED on, and get that of a thread:
 *       OMPD_CL_STATE_BASE plus an ompd_cl_thread_state_t, or plus 0 when the recorder had no room
 *       to record it, or is newer and the library does not know the state.  *WAIT_ID gets the cl
 *       handle that the thread waits for or works on, or 0; WAIT_ID may be NULL.  The tool owns
 *       *NEXT_STATE_NAME ("opencl_waits_for_queue").
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a CURRENT_STATE that is not one of them or is the
 *       last.  OpenMP 6.0 section 41.9.
 *   ompd_enumerate_icvs
 *       Enumerate the counters, from ompd_icv_undefined on.  Their scopes are address space and
 *       thread; that of a device has two.  The tool owns *NEXT_ICV_NAME ("memory-objects-var").  An
 *       address space has, for each kind of object, the current and the highest number (queues-var,
 *       queues-peak-var); the same of the bytes of memory objects and SVM (svm-bytes-var,
 *       svm-bytes-peak-var); threads-var; errors so far (over-releases-var, unknown-handles-var,
 *       not-recorded-var); the settings of the recorder (recorder-major-var, recorder-minor-var,
 *       stack-depth-var, completion-tracking-var); sources-var, a set of bits
 *       1 << ompd_cl_source_t.  A device has queues-var and svm-frees-var.  A thread has call-var,
 *       handle-var and depth-var, of its innermost call or callback, and what it made less what it
 *       ended (thread-svm-bytes-var).
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a CURRENT that is not one of them or is the last.
 *       OpenMP 6.0 section 41.11.1.
 *   ompd_get_icv_from_scope, ompd_get_icv_string_from_scope
 *       Get the value of a counter.  Each is an integer, or -1 ("unknown") for a call that the
 *       recorder had no room to record and for a count that was changing at the stop.  The tool
 *       owns the string, which has a unit or a name ("3 memory objects", "clFinish").  "at most "
 *       precedes an upper bound: a peak, once two threads have entered OpenCL.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for an unknown ICV_ID or SCOPE; ompd_rc_incompatible
 *       when HANDLE, SCOPE and ICV_ID do not match.  OpenMP 6.0 sections 41.11.2 and 41.11.3.
 *   ompd_get_display_control_vars, ompd_rel_display_control_vars
 *       Get the recorder's settings and version as a NULL-terminated vector of NAME=VALUE, or
 *       release it.  The tool owns the vector, at most until the address space is released.
 *       Returns ompd_rc_ok; ompd_rc_bad_input for a vector that was not given out or was released.
 *       OpenMP 6.0 section 41.10.
 *   ompd_get_tool_data
 *       Get, of scope thread, the user_data of the innermost callback that the thread runs, as
 *       *VALUE and as *PTR.
 *       Returns ompd_rc_ok; ompd_rc_unavailable when the thread runs none, or none that the
 *       recorder had room to record; ompd_rc_unsupported for the scopes global and address space;
 *       ompd_rc_incompatible_handle for others and for a HANDLE that is not of the SCOPE.  OpenMP
 *       6.0 section 41.11.4.
 *   the rest
 *       OpenCL has no parallel regions and no tasks, so there are no handles of them.
 *       Returns ompd_rc_unsupported to a question about a thread; ompd_rc_incompatible_handle for
 *       any handle that is passed as that of a parallel region or task; ompd_rc_bad_input and
 *       ompd_rc_stale_handle as for all.  OpenMP 6.0 sections 41.4 to 41.8.
 *
 * Strings and arrays that the tool owns come from its `alloc_memory`.
 */

/* Kind of an OpenCL device for ompd_device_initialize, in the range reserved for vendors. */
#define OMPD_CL_DEVICE_KIND 1000100

/* Kinds of native thread ids, numbered as in LLVM's ompd-types.h: pthread_t, 4 or 8 bytes as the
 * target's pointers; LWP, 4 or 8 bytes. */
#define OMPD_CL_THREAD_PTHREAD 0
#define OMPD_CL_THREAD_LWP 1

/* The state that ompd_enumerate_states starts from: OMPT's ompt_state_undefined. */
#define OMPD_CL_STATE_UNDEFINED 0x102

/* What ompd_get_state adds to an ompd_cl_thread_state_t, to lie beyond the states of OpenMP. */
#define OMPD_CL_STATE_BASE 0x200

/* ---- Provisional until 1.1 ------------------------------------------------------------------- */

/*
 * Rows that answer questions: findings, wait steps, reference sites, leaks, and the histories that
 * the recorder keeps.  They are listed as all others are.  Their structs and enumerations may
 * change in any minor version until tools have used them.
 */

/* What a finding is about: a mistake that the target shows at this stop. */
typedef enum ompd_cl_finding_kind_t {
    ompd_cl_finding_host_unmapped = 1, /* host memory of a memory object is not mapped */
    ompd_cl_finding_host_freed = 2,    /* it was freed, by glibc's malloc */
    ompd_cl_finding_host_on_stack = 3, /* it belongs to a function that has returned */
    /* The next two are legal as long as no commands use both at the same time; not reported. */
    ompd_cl_finding_host_shared = 4,        /* two memory objects use the same host memory */
    ompd_cl_finding_sub_buffers = 5,        /* two sub-buffers of one buffer overlap */
    ompd_cl_finding_callback_code = 6,      /* a callback that will run has no code */
    ompd_cl_finding_over_release = 7,       /* an object without references was released */
    ompd_cl_finding_svm_freed_twice = 8,    /* two enqueued frees name one SVM allocation */
    ompd_cl_finding_svm_used = 9,           /* a free is enqueued of SVM that a memory object uses,
                                             * or a command runs a kernel with freed SVM */
    ompd_cl_finding_callback_waits = 10,    /* a callback is in a call that waits */
    ompd_cl_finding_callback_releases = 11, /* a callback releases the object that it serves */
    ompd_cl_finding_build_failed = 12,      /* the last build of a held program has failed.  No
                                             * mistake until `thread` called clCreateKernel for it:
                                             * a program may try */
    ompd_cl_finding_forked = 13,            /* a process that was forked from one that had used
                                             * OpenCL calls it */
    ompd_cl_finding_exiting = 14,         /* a thread is in OpenCL while the program is in exit() */
    ompd_cl_finding_svm_mapped = 15,      /* an SVM allocation was freed while it was mapped */
    ompd_cl_finding_user_data_freed = 16, /* user data of a pending callback was freed, by
                                           * glibc's malloc */
    ompd_cl_finding_user_data_on_stack = 17, /* it belongs to a function that has returned */
    ompd_cl_finding_runtime_released = 18,   /* the runtime has fewer references of an object than
                                              * the program, or has deleted it */
    ompd_cl_finding_runtime_other = 19,      /* the runtime has another object at that handle */
    ompd_cl_finding_runtime_callbacks = 20,  /* it has other destructor callbacks than the recorder
                                              * saw */
    ompd_cl_finding_user_data_unmapped = 21, /* user data of a pending callback is not mapped */
    ompd_cl_finding_user_data_of_ended = 22, /* it was on the stack of a thread that has ended */
    ompd_cl_finding_argument_gone = 23,      /* a kernel was enqueued with a destroyed memory
                                              * object */
    ompd_cl_finding_used_after_release = 24, /* an object without references was used */
    ompd_cl_finding_set_twice = 25,          /* a user event was set a second time */
    ompd_cl_finding_wrong_handle = 26,       /* a thread is in a call with a value that cannot be a
                                              * handle, is a handle of another kind, or names an
                                              * object that the thread has released */
    /* The rules about host memory, callbacks without code and user data also apply to shared
     * buffers and to the functions of devices and scenes of Embree. */
    ompd_cl_finding_embree_too_short = 27,  /* the heap block of a shared buffer of Embree ends
                                             * before the buffer */
    ompd_cl_finding_embree_error = 28,      /* an error of Embree is set that the program has not
                                             * read.  No mistake: it may do so next */
    ompd_cl_finding_embree_in_monitor = 29, /* a thread is in a memory monitor that Embree has
                                             * called, perhaps with a lock.  No mistake */
    ompd_cl_finding_embree_padding = 30,    /* Embree reads beyond the memory of a shared vertex
                                             * buffer, because its last vertex has no padding */
    /* From here on most are mistakes of calls that have returned. */
    ompd_cl_finding_callback_uses = 31,      /* a destructor callback used the object that it was
                                              * called for */
    ompd_cl_finding_callback_creates = 32,   /* a callback created an OpenCL context or a command
                                              * queue */
    ompd_cl_finding_callback_unflushed = 33, /* a callback enqueued a command, and its queue was
                                              * not flushed.  No mistake */
    ompd_cl_finding_callback_twice = 34,    /* one destructor callback was registered twice with the
                                             * same user data.  No mistake */
    ompd_cl_finding_svm_free_foreign = 35,  /* a pointer that is no SVM allocation was freed */
    ompd_cl_finding_svm_other_context = 36, /* SVM of one OpenCL context was used with another */
    ompd_cl_finding_own_event = 37, /* the event of a command is an element of its own wait list */
    ompd_cl_finding_svm_freed_again = 38,   /* an SVM allocation was freed again */
    ompd_cl_finding_wrong_kind = 40,        /* a handle of another kind was passed */
    ompd_cl_finding_other_context = 41,     /* an object of another OpenCL context was passed */
    ompd_cl_finding_never_unmapped = 42,    /* memory was never unmapped.  No mistake */
    ompd_cl_finding_unmap_unmapped = 43,    /* memory that is not mapped was unmapped */
    ompd_cl_finding_host_too_small = 44,    /* host memory is smaller than its use needs */
    ompd_cl_finding_transfer_freed = 45,    /* host memory of an unfinished transfer was freed */
    ompd_cl_finding_transfer_unmapped = 46, /* host memory of an unfinished transfer is not
                                             * mapped */
    ompd_cl_finding_transfer_on_stack = 47, /* host memory of an unfinished transfer belongs to a
                                             * function that has returned */
    ompd_cl_finding_argument_size = 48,     /* a kernel argument was set with a wrong size */
    ompd_cl_finding_argument_unset = 49,    /* a kernel was enqueued with an argument that was never
                                             * set */
    ompd_cl_finding_kernel_shared = 50,     /* a thread replaced an argument that another thread had
                                             * set for its own command */
    ompd_cl_finding_failed_event_unseen = 51, /* a command failed, and the program did not look
                                               * at its event.  No mistake */
    ompd_cl_finding_callback_unreached = 52   /* a callback of an event was never called.  No
                                               * mistake */
} ompd_cl_finding_kind_t;

/*
 * A finding: a mistake of the program, as far as facts of this stop prove it.  Fields that do not
 * apply to its rule are not applicable.  The call of its head made the object, registered the
 * callback, enqueued the free, released or used an object without references, or set an event
 * again.
 */
typedef struct ompd_cl_finding_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t rule;        /* ompd_cl_finding_kind_t */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t of `object`; a callback counts as its object */
    ompd_cl_value_t object;      /* cl handle */
    /* The second object, or what the thread waits for.  Of lost user data: the other object that
     * the callback was registered for, and called for.  Of a wrong handle: what it is, or was. */
    ompd_cl_value_t other_kind;
    ompd_cl_value_t other;
    ompd_cl_value_t parent;   /* of sub-buffers: their buffer */
    ompd_cl_value_t address;  /* of the memory in question */
    ompd_cl_value_t size;     /* its bytes */
    ompd_cl_value_t origin;   /* of sub-buffers: offset of their common bytes in the buffer */
    ompd_cl_value_t function; /* of a callback */
    ompd_cl_value_t thread;   /* LWP of the thread whose stack it is, or that runs the callback */
    ompd_cl_value_t call;     /* function of OpenCL that the thread is in */
    ompd_cl_value_t count;    /* how often, at the same places; not applicable: once.  Of calls
                               * within exit(): remaining objects.  Beside `runtime_count`: the
                               * program's references or destructor callbacks */
    /* The same of the second object; or the call that released the last reference, set the event
     * before, or built the program; or the thread in exit(), or the parent process of a fork. */
    ompd_cl_value_t other_lwp;
    ompd_cl_value_t other_caller;
    ompd_cl_value_t other_stack;
    ompd_cl_text_t clause;         /* the rule of OpenCL 3.0, and its section */
    ompd_cl_value_t error;         /* of a build: its result; of an event: the error that it was set
                                    * to before */
    ompd_cl_value_t runtime_count; /* what the runtime has in place of `count`; of another object
                                    * its size, or 0 if that is the same */
    ompd_cl_value_t argument;      /* index of an argument of the kernel or the call, from 0; not
                                    * applicable to the first argument of a call */
    ompd_cl_value_t at;            /* when a call first made the mistake, as of an error; only of
                                    * mistakes that the recorder saw as they were made */
} ompd_cl_finding_info_t;

/* How a wait chain ends. */
typedef enum ompd_cl_wait_end_t {
    ompd_cl_wait_end_cycle = 1,      /* at an object that is in the chain already: `returns_to` */
    ompd_cl_wait_end_user_event = 2, /* at a user event whose status was never set */
    ompd_cl_wait_end_unflushed = 3,  /* at a command that was not flushed and is not known to have
                                      * begun */
    ompd_cl_wait_end_failed = 4,     /* at a failed event, after which the waiter cannot run */
    ompd_cl_wait_end_callback = 5,   /* at a callback that has not returned */
    ompd_cl_wait_end_build = 6,      /* at the build of a program */
    ompd_cl_wait_end_device = 7,     /* at a command that nothing known keeps from running */
    ompd_cl_wait_end_unknown = 8,    /* the next step is unknown, for `reason` */
    ompd_cl_wait_end_mutex = 9,      /* at a mutex whose owner waits for nothing known */
    ompd_cl_wait_end_behind = 10,    /* at a command that nothing known keeps from running, but that
                                      * follows one of its out-of-order queue that waits for ever: a
                                      * runtime may execute them in order */
    ompd_cl_wait_end_semaphore = 11  /* at a command that waits for a semaphore, of which the signal
                                      * was not enqueued */
} ompd_cl_wait_end_t;

/* What a thread waits for in glibc. */
typedef enum ompd_cl_lock_t {
    ompd_cl_lock_mutex = 1,    /* a pthread_mutex_t */
    ompd_cl_lock_rwlock = 2,   /* a pthread_rwlock_t that `owner` has locked for writing */
    ompd_cl_lock_thread = 3,   /* in pthread_join: the end of the thread `owner` */
    ompd_cl_lock_condition = 4 /* in pthread_cond_wait; who will signal it is unknown */
} ompd_cl_lock_t;

/*
 * A step of a wait chain: an object that waits for the object of the next step, as far as facts of
 * this stop show.  Fields that do not apply to its kind are not applicable.  The call of its head
 * made the object, or the program that a thread builds, or enqueued the command.
 */
typedef struct ompd_cl_wait_step_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t chain;       /* number of its chain, from 1 */
    ompd_cl_value_t step;        /* its number in the chain, from 1 */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: thread, queue, command or event */
    ompd_cl_value_t object;      /* cl handle of the queue or the event, or of what the thread waits
                                  * for */
    ompd_cl_value_t state;  /* ompd_cl_thread_state_t of a thread, ompd_cl_event_state_t of others;
                             * ompd_cl_object_state_app_released: a user event that was released
                             * before it was set */
    ompd_cl_value_t thread; /* LWP of the thread; of a user event: that runs `function` */
    ompd_cl_value_t call;   /* function of OpenCL that it is in */
    ompd_cl_value_t function;   /* of the innermost callback that it is in.  Of an unset user event:
                                 * of a callback whose user data has the event's handle, and which
                                 * may set it; `event` is what that callback is called for */
    ompd_cl_value_t type;       /* of a command or an event: cl_command_type */
    ompd_cl_value_t queue;      /* of a command */
    ompd_cl_value_t number;     /* of a command, in its queue */
    ompd_cl_value_t event;      /* of a command; of a user event: see `function` */
    ompd_cl_value_t kernel;     /* of a command */
    ompd_cl_value_t error;      /* of a failed event */
    ompd_cl_value_t set_by;     /* LWP of the thread that set a user event */
    ompd_cl_value_t end;        /* ompd_cl_wait_end_t, of the last step; else not applicable */
    ompd_cl_value_t is_mistake; /* of the last step: 1: the wait is proved never to end; of a user
                                 * event or an unflushed command: all other threads wait for ever */
    ompd_cl_value_t returns_to; /* end cycle: `step` of the object in question; presumed if call
                                 * stacks alone show the waits */
    ompd_cl_value_t
        other_thread;      /* end user event or unflushed: LWP of a thread that is not known
                            * to wait for ever, and so may set the event or flush the queue */
    ompd_cl_text_t reason; /* a clause: of end unknown; of end user event or unflushed without
                            * `other_thread`; of a mistake that something might still end */
    ompd_cl_value_t mutex; /* of a thread: the pthread_mutex_t or pthread_rwlock_t of glibc that it
                            * waits for */
    ompd_cl_value_t owner; /* LWP of the thread that has locked `mutex`, or that is joined; known
                            * only if the tool has `frames` */
    ompd_cl_value_t more_events; /* of a thread in clWaitForEvents: other events, not known to be
                                  * complete, that it waits for beside that of the next step */
    ompd_cl_value_t since; /* as of a thread, but not if it waits for a mutex; of a command: when it
                            * was enqueued */
    ompd_cl_value_t lock;  /* ompd_cl_lock_t: what a thread waits for outside of OpenCL */
    ompd_cl_value_t semaphore; /* cl_semaphore_khr that the command waits for */
} ompd_cl_wait_step_info_t;

/* How the recorder has learned that an object was destroyed. */
typedef enum ompd_cl_ending_t {
    /* The program released its last reference, or freed it, and nothing known held it.  An
     * incomplete command may, unknown to the recorder. */
    ompd_cl_ending_released = 1,
    ompd_cl_ending_callbacks = 2, /* its last destructor callback has returned */
    ompd_cl_ending_later = 3,     /* its holders were found to be destroyed or complete */
    ompd_cl_ending_reused = 4     /* its handle was given to a new object */
} ompd_cl_ending_t;

/* A destroyed object, one of the last of its kind.  Another object may have its handle now. */
typedef struct ompd_cl_destroyed_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind;  /* ompd_cl_kind_t: context, queue, memobj, svm, event, kernel,
                                   * program or sampler */
    ompd_cl_value_t memobj_kind;  /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;         /* of a memory object or an SVM allocation */
    ompd_cl_value_t flags;        /* likewise */
    ompd_cl_value_t host_pointer; /* of a memory object, as in its info struct */
    ompd_cl_value_t context;      /* cl handle */
    ompd_cl_value_t parent;       /* memory object's parent, kernel's program, event's queue */
    ompd_cl_value_t ended_at;     /* when the recorder learned of it: milliseconds since 1970,
                                   * accurate to a few */
    ompd_cl_value_t ending;       /* ompd_cl_ending_t */
    /* The call that released its last reference, freed it or enqueued its free; unknown if that was
     * not seen. */
    ompd_cl_value_t released_lwp;
    ompd_cl_value_t released_caller;
    ompd_cl_value_t released_stack;
    ompd_cl_value_t ended_lwp; /* thread in which the recorder learned of it */
    ompd_cl_value_t end_order; /* rises with each end, strictly within a kind */
    ompd_cl_value_t map_count; /* of a memory object: mappings that were never unmapped */
} ompd_cl_destroyed_info_t;

/* A mistake that the recorder saw a call make, whatever the runtime returned. */
typedef enum ompd_cl_mistake_t {
    ompd_cl_mistake_over_release = 1,       /* it released an object without references */
    ompd_cl_mistake_freed_mapped = 2,       /* it freed SVM that was mapped */
    ompd_cl_mistake_used_after_release = 3, /* it used an object without references */
    ompd_cl_mistake_set_again = 4,          /* it set a user event again, and got no error */
    ompd_cl_mistake_released_argument = 5,  /* it enqueued a kernel with an argument without
                                             * references */
    /* No mistake of the call, but the fate of its command: it never runs, because a user event that
     * it waits for was set to an error.  `object` is that event, and the `released_` fields name
     * the call that set it. */
    ompd_cl_mistake_command_failed = 6
} ompd_cl_mistake_t;

/* A call that the runtime has refused or that was a mistake, one of the last.  Its head names the
 * call. */
typedef struct ompd_cl_error_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t call;        /* function of OpenCL */
    ompd_cl_value_t object;      /* cl handle that it should work on */
    ompd_cl_value_t outcome;     /* negative: the error that it returned; positive: an
                                  * ompd_cl_mistake_t; unknown: the recorder did not see it */
    ompd_cl_value_t at;          /* when: milliseconds since 1970, accurate to a few */
    ompd_cl_value_t error_order; /* rises with each such call */
    /* Of an over-release or a use after release: the call that released the last reference.  Of SVM
     * freed while mapped: the call that mapped it.  Of a user event: the call that set it. */
    ompd_cl_value_t released_lwp;
    ompd_cl_value_t released_caller;
    ompd_cl_value_t released_stack;
    ompd_cl_value_t kernel;        /* of a released argument, whose memory object is `object` */
    ompd_cl_value_t argument;      /* index of the argument of the kernel, or of the call if it is
                                    * not the first, from 0 */
    ompd_cl_value_t size;          /* of that memory object, bytes */
    ompd_cl_value_t failed_status; /* of a failed command: the status of its event */
    ompd_cl_text_t reason;         /* of an error that it returned: the condition that it did not
                                    * meet */
} ompd_cl_error_info_t;

/* A message of a runtime to the function that the program passed to clCreateContext or
 * clCreateContextFromType (`pfn_notify`, OpenCL 3.0 section 4.4), one of the last.  Its head names
 * the thread. */
typedef struct ompd_cl_message_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t context;       /* cl handle; unknown if its creation had not ended */
    ompd_cl_text_t text;           /* what the runtime reported */
    ompd_cl_value_t call;          /* function of OpenCL that the thread was in; not applicable: in
                                    * none, as a thread of the runtime is */
    ompd_cl_value_t at;            /* when: milliseconds since 1970, accurate to a few */
    ompd_cl_value_t message_order; /* rises with each message */
    ompd_cl_value_t function;      /* the program's function that got it */
} ompd_cl_message_info_t;

/* What happened to the program's references of an object. */
typedef enum ompd_cl_action_t {
    ompd_cl_action_created = 1, /* with one */
    ompd_cl_action_retained = 2,
    ompd_cl_action_released = 3,
    ompd_cl_action_refused = 4,       /* the runtime refused a release, which does not count */
    ompd_cl_action_over_released = 5, /* released although it had none */
    ompd_cl_action_ended = 6          /* the object was destroyed */
} ompd_cl_action_t;

/* An entry of the ledger: an object was made, retained, released or destroyed.  `order` of its head
 * is that of the object, and tells apart the objects that had one handle; `lwp` is the thread that
 * acted or, of action ended, in which the recorder learned of the end.  `caller` and `stack` are
 * not applicable to the actions ended and refused, the latter of which follows its release. */
typedef struct ompd_cl_ledger_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: context, queue, memobj, event, kernel, program
                                  * or sampler */
    ompd_cl_value_t number; /* of the entry, among those of objects of its kind, from 1 and rising.
                             * Those below the smallest were overwritten.  Unknown of the newest
                             * entry if it was being written. */
    ompd_cl_value_t action; /* ompd_cl_action_t */
    ompd_cl_value_t references; /* the program's, after the action */
    ompd_cl_value_t ending;     /* of action ended: ompd_cl_ending_t; else not applicable */
    ompd_cl_value_t at;         /* when: milliseconds since 1970, accurate to a few */
} ompd_cl_ledger_info_t;

/* A call that has returned, one of the last of its thread.  Its head names the call. */
typedef struct ompd_cl_call_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t call;         /* function of OpenCL */
    ompd_cl_value_t object;       /* cl handle that it worked on */
    ompd_cl_value_t result;       /* what it returned: an error or 0.  Of a function that returns an
                                   * object: unknown if there is none, for a reason not seen.
                                   * Not applicable if the function returns no status */
    ompd_cl_value_t at;           /* when it returned: milliseconds since 1970, accurate to a few */
    ompd_cl_value_t return_order; /* rises with each return, on any thread */
} ompd_cl_call_info_t;

/* A callback of an event (OpenCL 3.0 clSetEventCallback) or of a build (the `pfn_notify` of
 * clBuildProgram, clCompileProgram and clLinkProgram) that is pending or running.  Its head names
 * the call that registered it. */
typedef struct ompd_cl_callback_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object;      /* cl handle of its event or program; unknown of clLinkProgram,
                                  * which returns the program later */
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: event or program */
    ompd_cl_value_t status; /* of an event: the execution status (cl_int) at which it is called,
                             * unless an error comes first */
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t state;       /* ompd_cl_callback_state_t: registered, running or left */
    ompd_cl_value_t running_lwp; /* thread that runs it */
    ompd_cl_value_t context;
    ompd_cl_value_t user_data_place; /* ompd_cl_user_data_place_t; not applicable elsewhere */
} ompd_cl_callback_info_t;

/* Where a cl handle was found. */
typedef enum ompd_cl_site_kind_t {
    ompd_cl_site_register = 1,     /* in a register of a thread */
    ompd_cl_site_stack = 2,        /* in the frame of a function that has not returned */
    ompd_cl_site_thread_data = 3,  /* behind the frames of a thread's stack: its own variables */
    ompd_cl_site_on_stack = 4,     /* on a thread's stack; the function may have returned */
    ompd_cl_site_module = 5,       /* in a variable of a module */
    ompd_cl_site_heap = 6,         /* in a block that glibc's malloc has allocated */
    ompd_cl_site_freed = 7,        /* in such a block that was freed and may be allocated again */
    ompd_cl_site_runtime_data = 8, /* in a variable of an OpenCL runtime or its loader */
    ompd_cl_site_memory = 9,       /* in other memory */
    ompd_cl_site_user_data = 10    /* user data of a pending callback, in the recorder's memory */
} ompd_cl_site_kind_t;

/* Who can use the handle that was found. */
typedef enum ompd_cl_site_owner_t {
    ompd_cl_site_owner_program = 1,
    ompd_cl_site_owner_runtime = 2,
    ompd_cl_site_owner_nobody = 3
} ompd_cl_site_owner_t;

/* A reference site: a place in the target's memory or registers that has the cl handle of an
 * object.  Fields that do not apply to its kind are not applicable. */
typedef struct ompd_cl_reference_site_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t site_kind;       /* ompd_cl_site_kind_t */
    ompd_cl_value_t owner;           /* ompd_cl_site_owner_t; unknown: the program or a runtime */
    ompd_cl_value_t address;         /* of the word */
    ompd_cl_value_t register_number; /* DWARF's */
    ompd_cl_value_t thread;          /* LWP of the thread whose register or stack it is */
    ompd_cl_value_t frame;           /* number of the frame, 0 the innermost */
    ompd_cl_value_t instruction;     /* next instruction of the frame; or */
    ompd_cl_value_t return_address;  /* its return address: one of the two */
    ompd_cl_text_t module;           /* path of its file */
    ompd_cl_value_t block;           /* of malloc */
    ompd_cl_value_t block_size;      /* its bytes, as rounded up by malloc */
    ompd_cl_value_t object;          /* cl handle of the OpenCL object that the word is part of: it
                                      * then belongs to the runtime */
} ompd_cl_reference_site_info_t;

/* Whether the program still has the handle of an object. */
typedef enum ompd_cl_reachability_t {
    ompd_cl_reachability_lost = 1,         /* in no register or memory that the program can use */
    ompd_cl_reachability_perhaps_lost = 2, /* only on stacks whose functions may have returned */
    ompd_cl_reachability_held = 3,
    ompd_cl_reachability_reachable = 4,    /* not found, but another object that the program has
                                            * returns it, as a child returns CL_MEM_CONTEXT */
    ompd_cl_reachability_perhaps_freed = 5 /* only in memory of an allocator other than glibc's
                                            * malloc, whose freed blocks cannot be told from used
                                            * ones */
} ompd_cl_reachability_t;

/*
 * An object that the program leaves behind: one that it has references of, or one that it has
 * released but that others keep alive.  Fields that do not apply are not applicable.
 */
typedef struct ompd_cl_leak_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t object_kind; /* ompd_cl_kind_t: memobj, svm, context, queue, event, kernel,
                                  * program or sampler */
    ompd_cl_value_t memobj_kind; /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;        /* of SVM, and of memory objects that are not made of others */
    ompd_cl_value_t references;  /* the program's */
    ompd_cl_value_t state;       /* ompd_cl_object_state_t, or ompd_cl_svm_state_t */
    /*
     * 1: it is a leak.  At a stop: the program has references, but its handle is lost, so it can
     * never release them.  During the program's exit: the program has references.  0: it is none,
     * because the program has its handle or has released it.  Presumed if it is not proved to
     * exist.  Unknown if its handle was not found but not all memory could be searched, or only on
     * stacks; and of a lost object of a layout with references, which may be the runtime's own.
     */
    ompd_cl_value_t is_leak;
    ompd_cl_value_t is_exiting;   /* 1: a thread of the program is in exit() or _exit() */
    ompd_cl_value_t reachability; /* ompd_cl_reachability_t; presumed if the site may belong to a
                                   * runtime, or was perhaps freed */
    /* The most telling of its reference sites, as in ompd_cl_reference_site_info_t. */
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
    /* cl handles of released objects that it keeps alive. */
    ompd_cl_value_t kept_context;
    ompd_cl_value_t kept_queue;   /* of an event */
    ompd_cl_value_t kept_parent;  /* that a memory object is made of */
    ompd_cl_value_t kept_program; /* of a kernel */
    ompd_cl_value_t made; /* objects of all kinds that its call stack has made so far, destroyed
                           * ones and those of a forked child's parent included; not applicable if
                           * no call stack was recorded */
} ompd_cl_leak_info_t;

/* ---- Embree ---------------------------------------------------------------------------------- */

/*
 * Devices of Embree, the ray tracing library, and their scenes, geometries and buffers.  They are
 * found by layouts, in each copy of libembree in the process; Embree has no query for most of these
 * facts.  `handle` of the head is the RTCDevice, RTCScene, RTCGeometry or RTCBuffer.
 * `runtime_references` is the object's own reference count; `references` is what remains of it when
 * the references of Embree's own objects are subtracted: the program's, presumed, because a
 * function of Embree in progress may hold one for a moment.  The field `context` of a filter
 * selects the objects of one RTCDevice.
 */

typedef enum ompd_cl_embree_ownership_t {
    ompd_cl_embree_ownership_owned = 1, /* allocated by Embree and reported to the memory monitor */
    ompd_cl_embree_ownership_shared = 2 /* the program's memory */
} ompd_cl_embree_ownership_t;

typedef enum ompd_cl_embree_build_t {
    ompd_cl_embree_build_committed = 1,
    ompd_cl_embree_build_modified = 2, /* never committed, or changed since */
    ompd_cl_embree_build_building = 3  /* a thread holds the lock of its build */
} ompd_cl_embree_build_t;

typedef struct ompd_cl_embree_device_info_t {
    ompd_cl_object_head_t head;
    /* Memory that Embree has reported to the device's monitor, or would have: the sum of `bytes` of
     * all calls, without cancelled ones.  At least, where a thread is executing a function of
     * Embree, or the layout does not cover some memory. */
    ompd_cl_value_t bytes;
    ompd_cl_value_t shared_bytes; /* of shared buffers, which are never reported */
    ompd_cl_value_t monitor;      /* function of rtcSetDeviceMemoryMonitorFunction */
    ompd_cl_value_t monitor_data;
    ompd_cl_value_t error_function; /* of rtcSetDeviceErrorFunction */
    ompd_cl_value_t error_data;
    ompd_cl_value_t pending_error; /* RTCError that a thread has not read yet; 0: none */
    ompd_cl_value_t references;
    ompd_cl_value_t child_references;
    ompd_cl_value_t scenes;
    ompd_cl_value_t geometries;
    ompd_cl_value_t buffers;
    ompd_cl_value_t build; /* ompd_cl_embree_build_t: building if one of its scenes is; committed if
                            * all are; not applicable without scenes */
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
    ompd_cl_text_t module; /* path of its libembree */
} ompd_cl_embree_device_info_t;

typedef struct ompd_cl_embree_scene_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t device;      /* RTCDevice */
    ompd_cl_value_t build;       /* ompd_cl_embree_build_t */
    ompd_cl_value_t builder_lwp; /* while it is being built */
    ompd_cl_value_t geometries;  /* attached ones */
    ompd_cl_value_t bytes;       /* of its acceleration structures, as `bytes` of the device */
    ompd_cl_value_t flags;       /* RTCSceneFlags */
    ompd_cl_value_t quality;     /* RTCBuildQuality */
    ompd_cl_value_t references;
    ompd_cl_value_t geometry_references; /* of instances */
    ompd_cl_value_t progress_function;   /* of rtcSetSceneProgressMonitorFunction */
    ompd_cl_value_t progress_data;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
} ompd_cl_embree_scene_info_t;

typedef struct ompd_cl_embree_geometry_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t device; /* RTCDevice */
    ompd_cl_value_t type;   /* RTCGeometryType */
    ompd_cl_value_t primitives;
    ompd_cl_value_t time_steps;
    ompd_cl_value_t buffers;       /* different ones that are bound to it */
    ompd_cl_value_t vertex_buffer; /* RTCBuffer, of the first time step */
    ompd_cl_value_t index_buffer;  /* RTCBuffer */
    ompd_cl_value_t user_data;     /* of rtcSetGeometryUserData */
    ompd_cl_value_t scene;         /* RTCScene: the first that it is attached to, */
    ompd_cl_value_t number;        /* and its geometry ID there */
    ompd_cl_value_t instance_of;   /* RTCScene of an instance */
    ompd_cl_value_t is_enabled;
    ompd_cl_value_t is_committed;
    ompd_cl_value_t references;
    ompd_cl_value_t scene_references;
    ompd_cl_value_t state;          /* ompd_cl_object_state_t */
    ompd_cl_value_t vertices;       /* of the first time step */
    ompd_cl_value_t vertex_pointer; /* of the first of them */
    ompd_cl_value_t vertex_stride;  /* bytes from one to the next */
} ompd_cl_embree_geometry_info_t;

typedef struct ompd_cl_embree_buffer_info_t {
    ompd_cl_object_head_t head;
    ompd_cl_value_t device; /* RTCDevice */
    ompd_cl_value_t pointer;
    ompd_cl_value_t bytes;
    ompd_cl_value_t ownership;  /* ompd_cl_embree_ownership_t */
    ompd_cl_value_t geometries; /* that it is bound to */
    ompd_cl_value_t references;
    ompd_cl_value_t geometry_references;
    ompd_cl_value_t state; /* ompd_cl_object_state_t */
} ompd_cl_embree_buffer_info_t;

typedef struct ompd_cl_embree_device_id_t {
    uint64_t id;
} ompd_cl_embree_device_id_t;
typedef struct ompd_cl_embree_scene_id_t {
    uint64_t id;
} ompd_cl_embree_scene_id_t;
typedef struct ompd_cl_embree_geometry_id_t {
    uint64_t id;
} ompd_cl_embree_geometry_id_t;
typedef struct ompd_cl_embree_buffer_id_t {
    uint64_t id;
} ompd_cl_embree_buffer_id_t;

#ifdef __cplusplus
}
#endif

/* The functions with the types of each kind. */
#include <ompd-opencl-typed.h>

#endif
