/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: what a debugger asks about the OpenCL objects of a stopped process or a core.
 *
 * This header is the manual of libompd-opencl.  It adds to the standard OMPD interface of
 * <omp-tools.h> (OpenMP 6.0, chapters 38 to 42), whose entry points the library exports too.
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
 * by one thread at a time.  Callbacks must not call the library.  All threads of the target are
 * stopped.
 *
 * Return codes.  Every function returns one of:
 *   ompd_rc_ok            done.
 *   ompd_rc_unavailable   the target has nothing to show: no recorder, no OpenCL call yet, no such
 *                         cl handle.
 *   ompd_rc_stale_handle  the address space, object id or list named is gone.
 *   ompd_rc_bad_input     an argument is NULL or was never given out by the library.
 *   ompd_rc_error         the target's data make no sense (a corrupt core, say), or a symbol lookup
 *                         failed otherwise than by not finding the symbol.
 *   ompd_rc_unsupported   not in this version, or a callback is missing that the call needs.
 *   ompd_rc_incompatible  the recorder in the target is of a newer major version.
 *   ompd_rc_nomem         the tool's `alloc_memory` failed.
 *   ompd_rc_device_read_error  memory of the target without which nothing can be told could not be
 *                         read: the registry's root, or the object that a list is asked of.
 *   ompd_rc_incomplete    some of the target's memory could not be read: out parameters are set,
 * each affected field carries its status, lists say how many rows are missing.
 *   ompd_rc_callback_error  a callback returned an error that has no better name.
 * With any code but ompd_rc_ok and ompd_rc_incomplete the out parameters are untouched and the call
 * has had no effect.  ompd_cl_message_get tells the reason in one sentence.
 */
#ifndef OMPD_OPENCL_H
#define OMPD_OPENCL_H

#include <stddef.h>
#include <stdint.h>

#include <omp-tools.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions ------------------------------------------------------------------------------- */

/* This header's version.  The major number changes when a program that was right stops being so. */
#define OMPD_CL_VERSION_MAJOR 0
#define OMPD_CL_VERSION_MINOR 1

/* Give the version of the library that is running, which may be newer than this header's.
 * Both pointers must not be NULL.  Returns ompd_rc_ok, or ompd_rc_bad_input. */
ompd_rc_t ompd_cl_get_version(uint32_t *major, uint32_t *minor);

/* ---- Address spaces ------------------------------------------------------------------------- */

/* A range of the target's addresses, [start, end). */
typedef struct ompd_cl_region_t {
    ompd_addr_t start;
    ompd_addr_t end;
    uint32_t is_saved; /* 0 when a core has the range but not its contents; else 1 */
    uint32_t reserved;
} ompd_cl_region_t;

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
     * and unchanged until the next ompd_cl_refresh or the address space's release.  Returns
     * ompd_rc_ok, or any error to make the library use `read_memory`.
     */
    ompd_rc_t (*lend)(ompd_address_space_context_t *tool_context, ompd_addr_t address,
                      ompd_size_t nbytes, const void **pointer);
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
 * ompd_cl_refresh looks again.
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
 * registry that have not changed since are not read again. Returns ompd_rc_ok, ompd_rc_bad_input,
 * ompd_rc_stale_handle; ompd_rc_unavailable when there is no recorder (yet); ompd_rc_incompatible,
 * ompd_rc_error, ompd_rc_device_read_error as in the head of this file.
 */
ompd_rc_t ompd_cl_refresh(ompd_address_space_handle_t *space);

/*
 * Why the last call on SPACE did not return ompd_rc_ok: one sentence without a newline, in
 * *MESSAGE;
 * "" when it did.  With SPACE NULL: of the last failed ompd_cl_address_space_create or
 * ompd_process_initialize.  The text is the library's, valid until the next call on SPACE.
 * Returns ompd_rc_ok, ompd_rc_bad_input (MESSAGE is NULL, no such SPACE) or ompd_rc_stale_handle.
 */
ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *space, const char **message);

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
    ompd_cl_status_corrupt = 8         /* what was read cannot be */
} ompd_cl_status_t;

typedef enum ompd_cl_source_t {
    ompd_cl_source_none = 0,
    ompd_cl_source_recorder = 1,
    ompd_cl_source_layout = 2
} ompd_cl_source_t;

/* One field of an object.  `value` is 0 unless status is value or presumed; narrower and signed
 * values are extended to 64 bits by their sign. */
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

/* Values of fields of type ompd_cl_type_state. */
typedef enum ompd_cl_state_t {
    ompd_cl_state_live = 1, /* the program holds references */
    ompd_cl_state_app_released =
        2, /* its references are gone, but something still holds the object */
    ompd_cl_state_destroying = 3, /* its destructor callbacks have begun to run */
    ompd_cl_state_registered = 4, /* destructor callback: will run */
    ompd_cl_state_enqueued = 5,   /* SVM-free command: not known to have run; SVM: named by one */
    ompd_cl_state_running = 6,    /* callback: its function is running */
    ompd_cl_state_done = 7,
    ompd_cl_state_failed = 8 /* SVM-free command: ended with an error */
} ompd_cl_state_t;

typedef enum ompd_cl_confidence_t {
    ompd_cl_confidence_certain = 1,
    ompd_cl_confidence_presumed = 2,
    ompd_cl_confidence_doubtful = 3
} ompd_cl_confidence_t;

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
    ompd_cl_svm_svm = 1,
    ompd_cl_svm_svm_arm = 2,
    ompd_cl_svm_usm_host = 3,
    ompd_cl_svm_usm_device = 4,
    ompd_cl_svm_usm_shared = 5
} ompd_cl_svm_kind_t;

/* ---- Object ids ------------------------------------------------------------------------------ */

/*
 * Ids belong to their address space and are never released.  An id that the library did not give
 * out gives ompd_rc_bad_input, one of an object that is gone ompd_rc_stale_handle.  From the
 * recorder, an id names the same object at every stop as long as the object lives, and is never
 * reused. An id of 0 is no object.
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

/* ---- Info structs ---------------------------------------------------------------------------- */

/*
 * The tool sets struct_size to the sizeof of its own header's struct before each call (in an array:
 * in the first element only; struct_size is also the distance between elements).  It must be a
 * multiple of 8 and hold at least `struct_size` and the id.  The library fills no more than that,
 * and gives members that it does not know the status none.  Structs grow at their end only.
 * ompd_cl_field_get describes every member, with names, units and help.
 */

/* The overview: what is in the target.  Counts are of objects that are there. */
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
} ompd_cl_overview_info_t;

/* An OpenCL platform that a context was created on. */
typedef struct ompd_cl_platform_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t handle;
    ompd_cl_text_t name;
    ompd_cl_text_t version;
    ompd_cl_text_t vendor;
} ompd_cl_platform_info_t;

typedef struct ompd_cl_context_info_t {
    ompd_size_t struct_size;
    ompd_cl_context_id_t id;
    ompd_cl_value_t handle;
    ompd_cl_value_t platform; /* cl_platform_id */
    ompd_cl_value_t devices;  /* count */
    ompd_cl_value_t references;
    ompd_cl_value_t children; /* objects that keep it alive */
    ompd_cl_value_t state;
    ompd_cl_value_t destructor_count;
    ompd_cl_value_t order;
    ompd_cl_value_t lwp;
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
    ompd_cl_value_t confidence;
} ompd_cl_context_info_t;

typedef struct ompd_cl_queue_info_t {
    ompd_size_t struct_size;
    ompd_cl_queue_id_t id;
    ompd_cl_value_t handle;
    ompd_cl_value_t context;
    ompd_cl_value_t device;
    ompd_cl_value_t properties;
    ompd_cl_value_t references;
    ompd_cl_value_t svm_frees; /* commands not known to be complete */
    ompd_cl_value_t state;
    ompd_cl_value_t order;
    ompd_cl_value_t lwp;
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
    ompd_cl_value_t confidence;
} ompd_cl_queue_info_t;

typedef struct ompd_cl_memobj_info_t {
    ompd_size_t struct_size;
    ompd_cl_memobj_id_t id;
    ompd_cl_value_t handle;
    ompd_cl_value_t kind; /* ompd_cl_memobj_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t references;
    ompd_cl_value_t context;
    ompd_cl_value_t parent; /* cl handle of the buffer that a sub-buffer or image is made of */
    ompd_cl_value_t origin; /* of a sub-buffer, bytes into its parent */
    ompd_cl_value_t host_pointer;
    ompd_cl_value_t svm; /* the SVM allocation that host_pointer is the start of */
    ompd_cl_value_t sharing;
    ompd_cl_value_t sharing_name;
    ompd_cl_value_t children;
    ompd_cl_value_t state;
    ompd_cl_value_t destructor_count;
    ompd_cl_value_t order;
    ompd_cl_value_t lwp;
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
    ompd_cl_value_t confidence;
} ompd_cl_memobj_info_t;

/* A destructor callback of a memory object, an OpenCL context or a program. */
typedef struct ompd_cl_destructor_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t object; /* cl handle */
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t state;
    ompd_cl_value_t lwp;         /* registered it */
    ompd_cl_value_t running_lwp; /* runs it, or ran it */
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
} ompd_cl_destructor_info_t;

typedef struct ompd_cl_svm_info_t {
    ompd_size_t struct_size;
    ompd_cl_svm_id_t id;
    ompd_cl_value_t pointer;
    ompd_cl_value_t kind; /* ompd_cl_svm_kind_t */
    ompd_cl_value_t size;
    ompd_cl_value_t flags;
    ompd_cl_value_t alignment;
    ompd_cl_value_t context;
    ompd_cl_value_t state;
    ompd_cl_value_t order;
    ompd_cl_value_t lwp;
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
    ompd_cl_value_t confidence;
} ompd_cl_svm_info_t;

typedef struct ompd_cl_svm_free_info_t {
    ompd_size_t struct_size;
    ompd_cl_svm_free_id_t id;
    ompd_cl_value_t queue;
    ompd_cl_value_t context;
    ompd_cl_value_t pointer_count;
    ompd_cl_value_t function;
    ompd_cl_value_t user_data;
    ompd_cl_value_t wait_count;
    ompd_cl_value_t event;
    ompd_cl_value_t state;
    ompd_cl_value_t running_lwp;
    ompd_cl_value_t order;
    ompd_cl_value_t lwp;
    ompd_cl_value_t caller;
    ompd_cl_value_t stack;
    ompd_cl_value_t source;
    ompd_cl_value_t confidence;
} ompd_cl_svm_free_info_t;

/* A pointer that an SVM-free command frees. */
typedef struct ompd_cl_svm_pointer_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t pointer;
    ompd_cl_value_t
        from_svm_alloc; /* 1: clSVMAlloc had given it; 0: the recorder had not seen that */
} ompd_cl_svm_pointer_info_t;

/* An event that a command waits for. */
typedef struct ompd_cl_wait_info_t {
    ompd_size_t struct_size;
    ompd_cl_value_t event;
} ompd_cl_wait_info_t;

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
    ompd_cl_kind_wait = 10
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
    ompd_cl_type_text = 14     /* the member is an ompd_cl_text_t */
} ompd_cl_type_t;

/* A value's name, or a bit's. */
typedef struct ompd_cl_name_t {
    uint64_t value;
    const char *name;
} ompd_cl_name_t;

/* One field of an info struct.  All texts are static. */
typedef struct ompd_cl_field_t {
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

/* ---- Overview -------------------------------------------------------------------------------- */

/*
 * Count what is in the target.  Reads the whole registry once.
 * Returns ompd_rc_ok; ompd_rc_incomplete when part of it could not be read: the counts concerned
 * have the status of what is missing; else as in the head of this file.
 */
ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *space, ompd_cl_overview_info_t *info);

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
} ompd_cl_filter_t;

/*
 * Open a list of all objects of a kind, in no particular order (`order` gives the order of
 * creation). FILTER may be NULL; conditions that a kind's rows have no field for are ignored. *LIST
 * gets the list, to be closed with ompd_cl_list_close.  No target memory is held, and a list needs
 * the same memory however long it is. Return codes as in the head of this file.
 */
ompd_rc_t ompd_cl_platform_list_open(ompd_address_space_handle_t *space, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_context_list_open(ompd_address_space_handle_t *space,
                                    const ompd_cl_filter_t *filter, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_queue_list_open(ompd_address_space_handle_t *space,
                                  const ompd_cl_filter_t *filter, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_memobj_list_open(ompd_address_space_handle_t *space,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_svm_list_open(ompd_address_space_handle_t *space, const ompd_cl_filter_t *filter,
                                ompd_cl_list_t *list);
ompd_rc_t ompd_cl_svm_free_list_open(ompd_address_space_handle_t *space,
                                     const ompd_cl_filter_t *filter, ompd_cl_list_t *list);
/* All destructor callbacks of all objects, in no particular order. */
ompd_rc_t ompd_cl_destructor_list_open(ompd_address_space_handle_t *space,
                                       const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/*
 * Open the list of one object's destructor callbacks in call order: newest first (OpenCL 3.0
 * clSetMemObjectDestructorCallback, clSetContextDestructorCallback).  Those that have run stay in
 * the list, as done, until the object is gone.
 */
ompd_rc_t ompd_cl_memobj_destructor_list_open(ompd_address_space_handle_t *space,
                                              ompd_cl_memobj_id_t memobj, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_context_destructor_list_open(ompd_address_space_handle_t *space,
                                               ompd_cl_context_id_t context, ompd_cl_list_t *list);

/* Open the list of the pointers that an SVM-free command frees, or of the events it waits for, in
 * the program's order (OpenCL 3.0 clEnqueueSVMFree). */
ompd_rc_t ompd_cl_svm_pointer_list_open(ompd_address_space_handle_t *space,
                                        ompd_cl_svm_free_id_t command, ompd_cl_list_t *list);
ompd_rc_t ompd_cl_wait_list_open(ompd_address_space_handle_t *space, ompd_cl_svm_free_id_t command,
                                 ompd_cl_list_t *list);

/*
 * Give the next rows of LIST, at most CAPACITY, in ROWS; *COUNT gets how many; 0 is the list's end.
 * *UNREADABLE gets how many rows of the list so far could not be given because their memory could
 * not be read or made no sense; where their number was lost too, the most that it can have been. It
 * may be NULL. Returns ompd_rc_ok; ompd_rc_incomplete when rows are missing so far, the list's
 * links make no sense, or a field of a row given now could not be read; ompd_rc_bad_input for NULL
 * ROWS or COUNT, CAPACITY 0, a bad struct_size, or a LIST of another kind of row;
 * ompd_rc_stale_handle for a list that is closed.
 */
ompd_rc_t ompd_cl_platform_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                     ompd_size_t capacity, ompd_cl_platform_info_t *rows,
                                     ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_context_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                    ompd_size_t capacity, ompd_cl_context_info_t *rows,
                                    ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_queue_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                  ompd_size_t capacity, ompd_cl_queue_info_t *rows,
                                  ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_memobj_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                   ompd_size_t capacity, ompd_cl_memobj_info_t *rows,
                                   ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_destructor_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                       ompd_size_t capacity, ompd_cl_destructor_info_t *rows,
                                       ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_svm_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                ompd_size_t capacity, ompd_cl_svm_info_t *rows, ompd_size_t *count,
                                ompd_size_t *unreadable);
ompd_rc_t ompd_cl_svm_free_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                     ompd_size_t capacity, ompd_cl_svm_free_info_t *rows,
                                     ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_svm_pointer_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                        ompd_size_t capacity, ompd_cl_svm_pointer_info_t *rows,
                                        ompd_size_t *count, ompd_size_t *unreadable);
ompd_rc_t ompd_cl_wait_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                 ompd_size_t capacity, ompd_cl_wait_info_t *rows,
                                 ompd_size_t *count, ompd_size_t *unreadable);

/* Give a list back, walked to its end or not.
 * Returns ompd_rc_ok, ompd_rc_bad_input or ompd_rc_stale_handle (closed before). */
ompd_rc_t ompd_cl_list_close(ompd_address_space_handle_t *space, ompd_cl_list_t list);

/* ---- One object ------------------------------------------------------------------------------ */

/*
 * Find the object of a cl handle (an SVM allocation: of the pointer that clSVMAlloc returned) in a
 * constant number of reads.  Returns ompd_rc_ok and sets the id; ompd_rc_unavailable when the
 * recorder has no such object, which does not prove that the handle is wrong; ompd_rc_incomplete
 * and an id of 0 when it may be in memory that could not be read; else as in the head of this file.
 */
ompd_rc_t ompd_cl_context_find(ompd_address_space_handle_t *space, uint64_t handle,
                               ompd_cl_context_id_t *context);
ompd_rc_t ompd_cl_queue_find(ompd_address_space_handle_t *space, uint64_t handle,
                             ompd_cl_queue_id_t *queue);
ompd_rc_t ompd_cl_memobj_find(ompd_address_space_handle_t *space, uint64_t handle,
                              ompd_cl_memobj_id_t *memobj);
ompd_rc_t ompd_cl_svm_find(ompd_address_space_handle_t *space, uint64_t pointer,
                           ompd_cl_svm_id_t *svm);

/*
 * Fill *INFO with what is known of one object.
 * Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read; ompd_rc_stale_handle when
 * the object is gone; ompd_rc_bad_input; else as in the head of this file.
 */
ompd_rc_t ompd_cl_context_get(ompd_address_space_handle_t *space, ompd_cl_context_id_t context,
                              ompd_cl_context_info_t *info);
ompd_rc_t ompd_cl_queue_get(ompd_address_space_handle_t *space, ompd_cl_queue_id_t queue,
                            ompd_cl_queue_info_t *info);
ompd_rc_t ompd_cl_memobj_get(ompd_address_space_handle_t *space, ompd_cl_memobj_id_t memobj,
                             ompd_cl_memobj_info_t *info);
ompd_rc_t ompd_cl_svm_get(ompd_address_space_handle_t *space, ompd_cl_svm_id_t svm,
                          ompd_cl_svm_info_t *info);
ompd_rc_t ompd_cl_svm_free_get(ompd_address_space_handle_t *space, ompd_cl_svm_free_id_t command,
                               ompd_cl_svm_free_info_t *info);

/*
 * Give the call stack of a field of type stack: return addresses into the program, innermost first,
 * at most CAPACITY of them in FRAMES; *COUNT gets how many there are, which may be more. Returns
 * ompd_rc_ok; ompd_rc_bad_input when STACK is no stack's key; ompd_rc_incomplete (with *COUNT 0)
 * when it could not be read.
 */
ompd_rc_t ompd_cl_stack_get(ompd_address_space_handle_t *space, uint64_t stack,
                            ompd_size_t capacity, ompd_addr_t *frames, ompd_size_t *count);

#ifdef __cplusplus
}
#endif

#endif
