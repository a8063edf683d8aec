/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * OMPD itself: its types and entry points, as OpenMP 6.0 has them (chapters 38 to 42).
 *
 * <ompd-opencl.h> includes this header, so that a tool needs no other for OMPD.  A tool that
 * wants OMPT as well includes LLVM's <omp-tools.h> (LLVM 13 or later) before <ompd-opencl.h>: then
 * OMPD's types are those of that header, and this one adds what it lacks.  Included after this
 * header, <omp-tools.h> adds nothing.
 *
 * What the entry points mean for OpenCL is said at the end of <ompd-opencl.h>.
 */
#ifndef OMPD_OPENCL_TYPES_H
#define OMPD_OPENCL_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* LLVM's header defines both macros, headers of OMPT alone define __OMPT__. */
#if !defined(ompd_segment_none) && defined(__OMPT__)
#error "the omp-tools.h included before has no OMPD (it is older than LLVM 13): include it later"
#endif

#ifndef ompd_segment_none

/* Keeps an <omp-tools.h> that is included later from defining the same types. */
#define __OMPT__

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types: chapter 39 ----------------------------------------------------------------------- */

typedef uint64_t ompd_size_t;      /* bytes */
typedef uint64_t ompd_addr_t;      /* of the target */
typedef int64_t ompd_word_t;       /* a number of the target */
typedef uint64_t ompd_seg_t;       /* a segment of the target's addresses */
typedef uint64_t ompd_wait_id_t;   /* what a thread waits for */
typedef uint64_t ompd_device_t;    /* a kind of device */
typedef uint64_t ompd_thread_id_t; /* a kind of native thread id */
typedef uint64_t ompd_icv_id_t;

#define ompd_segment_none 0 /* the target's addresses have no segments */
#define ompd_icv_undefined 0

typedef struct ompd_address_t {
    ompd_seg_t segment;
    ompd_addr_t address;
} ompd_address_t;

typedef struct ompd_frame_info_t {
    ompd_address_t frame_address;
    ompd_word_t frame_flag;
} ompd_frame_info_t;

/* Handles of the library's, for the tool. */
typedef struct _ompd_aspace_handle ompd_address_space_handle_t;
typedef struct _ompd_thread_handle ompd_thread_handle_t;
typedef struct _ompd_parallel_handle ompd_parallel_handle_t;
typedef struct _ompd_task_handle ompd_task_handle_t;

/* Contexts of the tool's, for its callbacks. */
typedef struct _ompd_aspace_cont ompd_address_space_context_t;
typedef struct _ompd_thread_cont ompd_thread_context_t;

/* Sizes of the target's types in bytes. */
typedef struct ompd_device_type_sizes_t {
    uint8_t sizeof_char;
    uint8_t sizeof_short;
    uint8_t sizeof_int;
    uint8_t sizeof_long;
    uint8_t sizeof_long_long;
    uint8_t sizeof_pointer;
} ompd_device_type_sizes_t;

/* Section 39.11. */
typedef enum ompd_scope_t {
    ompd_scope_global = 1,
    ompd_scope_address_space = 2,
    ompd_scope_thread = 3,
    ompd_scope_parallel = 4,
    ompd_scope_implicit_task = 5,
    ompd_scope_task = 6,
    ompd_scope_teams = 7,
    ompd_scope_target = 8
} ompd_scope_t;

/* Section 39.9; what the codes mean here is said in <ompd-opencl.h>. */
typedef enum ompd_rc_t {
    ompd_rc_ok = 0,
    ompd_rc_unavailable = 1,
    ompd_rc_stale_handle = 2,
    ompd_rc_bad_input = 3,
    ompd_rc_error = 4,
    ompd_rc_unsupported = 5,
    ompd_rc_needs_state_tracking = 6,
    ompd_rc_incompatible = 7,
    ompd_rc_device_read_error = 8,
    ompd_rc_device_write_error = 9,
    ompd_rc_nomem = 10,
    ompd_rc_incomplete = 11,
    ompd_rc_callback_error = 12,
    ompd_rc_incompatible_handle = 13,
    ompd_rc_interrupted = 1000100, /* this library's own */
    ompd_rc_busy = 1000101         /* this library's own */
} ompd_rc_t;

/* ---- Callbacks that a tool gives: chapter 40 ------------------------------------------------- */

typedef ompd_rc_t (*ompd_callback_memory_alloc_fn_t)(ompd_size_t nbytes, void **ptr);
typedef ompd_rc_t (*ompd_callback_memory_free_fn_t)(void *ptr);
typedef ompd_rc_t (*ompd_callback_get_thread_context_for_thread_id_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id, const void *thread_id, ompd_thread_context_t **thread_context);
typedef ompd_rc_t (*ompd_callback_sizeof_fn_t)(ompd_address_space_context_t *address_space_context,
                                               ompd_device_type_sizes_t *sizes);
typedef ompd_rc_t (*ompd_callback_symbol_addr_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const char *symbol_name, ompd_address_t *symbol_addr, const char *file_name);
typedef ompd_rc_t (*ompd_callback_memory_read_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const ompd_address_t *addr, ompd_size_t nbytes, void *buffer);
typedef ompd_rc_t (*ompd_callback_memory_write_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_context_t *thread_context,
    const ompd_address_t *addr, ompd_size_t nbytes, const void *buffer);
typedef ompd_rc_t (*ompd_callback_device_host_fn_t)(
    ompd_address_space_context_t *address_space_context, const void *input, ompd_size_t unit_size,
    ompd_size_t count, void *output);
typedef ompd_rc_t (*ompd_callback_print_string_fn_t)(const char *string, int category);

typedef struct ompd_callbacks_t {
    ompd_callback_memory_alloc_fn_t alloc_memory;
    ompd_callback_memory_free_fn_t free_memory;
    ompd_callback_print_string_fn_t print_string;
    ompd_callback_sizeof_fn_t sizeof_type;
    ompd_callback_symbol_addr_fn_t symbol_addr_lookup;
    ompd_callback_memory_read_fn_t read_memory;
    ompd_callback_memory_write_fn_t write_memory;
    ompd_callback_memory_read_fn_t read_string;
    ompd_callback_device_host_fn_t device_to_host;
    ompd_callback_device_host_fn_t host_to_device;
    ompd_callback_get_thread_context_for_thread_id_fn_t get_thread_context_for_thread_id;
} ompd_callbacks_t;

/* ---- Entry points of the library: chapter 41 ------------------------------------------------- */

ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks);
ompd_rc_t ompd_get_api_version(ompd_word_t *version);
ompd_rc_t ompd_get_version_string(const char **string);
ompd_rc_t ompd_finalize(void);

ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                  ompd_address_space_handle_t **handle);
ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *process_handle,
                                 ompd_address_space_context_t *device_context, ompd_device_t kind,
                                 ompd_size_t sizeof_id, void *id,
                                 ompd_address_space_handle_t **device_handle);
ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle);

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space,
                               ompd_word_t *omp_version);
ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space,
                                      const char **string);

ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                      ompd_thread_handle_t **thread_handle);
ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
                                 ompd_size_t sizeof_thread_id, const void *thread_id,
                                 ompd_thread_handle_t **thread_handle);
ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle);
ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
                                     ompd_thread_handle_t *thread_handle_2, int *cmp_value);
ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
                             ompd_size_t sizeof_thread_id, void *thread_id);

ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
                                        ompd_parallel_handle_t **parallel_handle);
ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *parallel_handle,
                                             ompd_parallel_handle_t **enclosing_parallel_handle);
ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
                                        ompd_parallel_handle_t **task_parallel_handle);
ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle);
ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
                                       ompd_parallel_handle_t *parallel_handle_2, int *cmp_value);

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle,
                                    ompd_task_handle_t **task_handle);
ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **generating_task_handle);
ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **scheduling_task_handle);
ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                    ompd_task_handle_t **task_handle);
ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle);
ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1,
                                   ompd_task_handle_t *task_handle_2, int *cmp_value);
ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point);
ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
                              ompd_frame_info_t *enter_frame);

ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle,
                                ompd_word_t current_state, ompd_word_t *next_state,
                                const char **next_state_name, ompd_word_t *more_enums);
ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state,
                         ompd_wait_id_t *wait_id);

ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space_handle,
                                        const char *const **control_vars);
ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars);

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
                              ompd_icv_id_t *next_id, const char **next_icv_name,
                              ompd_scope_t *next_scope, int *more);
ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                  ompd_word_t *icv_value);
ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                         const char **icv_string);
ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value,
                             ompd_address_t *ptr);

#ifdef __cplusplus
}
#endif

#else /* <omp-tools.h> came first */

/* What OpenMP 6.0 and this library add.  No enumerator can be added, so these are constants of the
 * types; in C++, where a value beyond the enumerators has no meaning in the type, numbers. */
#ifdef __cplusplus
#define OMPD_CL_ADDED(type, name, value) static const int name = value
#else
#define OMPD_CL_ADDED(type, name, value) static const type name = (type)value
#endif
OMPD_CL_ADDED(ompd_rc_t, ompd_rc_incompatible_handle, 13);
OMPD_CL_ADDED(ompd_rc_t, ompd_rc_interrupted, 1000100);
OMPD_CL_ADDED(ompd_rc_t, ompd_rc_busy, 1000101);
OMPD_CL_ADDED(ompd_scope_t, ompd_scope_teams, 7);
OMPD_CL_ADDED(ompd_scope_t, ompd_scope_target, 8);
#undef OMPD_CL_ADDED

/* LLVM's header before LLVM 15 leaves the entry points to the linkage of C++, the library has C's.
 * Where the header did give them C's, the names are these already. */
#if defined(__cplusplus) && defined(__GNUC__)
#define OMPD_CL_TEXT(name) #name
#define OMPD_CL_LINKER_NAME(prefix, name) OMPD_CL_TEXT(prefix) #name
#define OMPD_CL_C_LINKAGE(name)                                                                    \
    extern __typeof__(name) name __asm__(OMPD_CL_LINKER_NAME(__USER_LABEL_PREFIX__, name))
OMPD_CL_C_LINKAGE(ompd_initialize);
OMPD_CL_C_LINKAGE(ompd_get_api_version);
OMPD_CL_C_LINKAGE(ompd_get_version_string);
OMPD_CL_C_LINKAGE(ompd_finalize);
OMPD_CL_C_LINKAGE(ompd_process_initialize);
OMPD_CL_C_LINKAGE(ompd_device_initialize);
OMPD_CL_C_LINKAGE(ompd_rel_address_space_handle);
OMPD_CL_C_LINKAGE(ompd_get_omp_version);
OMPD_CL_C_LINKAGE(ompd_get_omp_version_string);
OMPD_CL_C_LINKAGE(ompd_get_thread_in_parallel);
OMPD_CL_C_LINKAGE(ompd_get_thread_handle);
OMPD_CL_C_LINKAGE(ompd_rel_thread_handle);
OMPD_CL_C_LINKAGE(ompd_thread_handle_compare);
OMPD_CL_C_LINKAGE(ompd_get_thread_id);
OMPD_CL_C_LINKAGE(ompd_get_curr_parallel_handle);
OMPD_CL_C_LINKAGE(ompd_get_enclosing_parallel_handle);
OMPD_CL_C_LINKAGE(ompd_get_task_parallel_handle);
OMPD_CL_C_LINKAGE(ompd_rel_parallel_handle);
OMPD_CL_C_LINKAGE(ompd_parallel_handle_compare);
OMPD_CL_C_LINKAGE(ompd_get_curr_task_handle);
OMPD_CL_C_LINKAGE(ompd_get_generating_task_handle);
OMPD_CL_C_LINKAGE(ompd_get_scheduling_task_handle);
OMPD_CL_C_LINKAGE(ompd_get_task_in_parallel);
OMPD_CL_C_LINKAGE(ompd_rel_task_handle);
OMPD_CL_C_LINKAGE(ompd_task_handle_compare);
OMPD_CL_C_LINKAGE(ompd_get_task_function);
OMPD_CL_C_LINKAGE(ompd_get_task_frame);
OMPD_CL_C_LINKAGE(ompd_enumerate_states);
OMPD_CL_C_LINKAGE(ompd_get_state);
OMPD_CL_C_LINKAGE(ompd_get_display_control_vars);
OMPD_CL_C_LINKAGE(ompd_rel_display_control_vars);
OMPD_CL_C_LINKAGE(ompd_enumerate_icvs);
OMPD_CL_C_LINKAGE(ompd_get_icv_from_scope);
OMPD_CL_C_LINKAGE(ompd_get_icv_string_from_scope);
OMPD_CL_C_LINKAGE(ompd_get_tool_data);
#undef OMPD_CL_C_LINKAGE
#undef OMPD_CL_LINKER_NAME
#undef OMPD_CL_TEXT
#endif

#endif

#endif
