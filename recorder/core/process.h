/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about the recorder's process, and the parts of the recorder that tools see. */
#ifndef RECORDER_PROCESS_H
#define RECORDER_PROCESS_H

#include "core/tables.h"

#include <ompd-opencl-registry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- breakpoints ----------------------------------------------------------------------------- */

/*
 * Exported functions that do nothing, for the breakpoints of tools, and what OMPD requires of a
 * target.
 */

/* OMPD (OpenMP 6.0 chapter 42): the libraries that can interpret this process, NULL at the end. */
extern const char **ompd_dll_locations;

/* Called once ompd_dll_locations is set. */
void ompd_dll_locations_valid(void);

/* OMPD: a thread has entered OpenCL for the first time; a thread ends. */
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);

/* Around the program's destructor callback FUNCTION of the object HANDLE. */
void ompd_cl_bp_destructor_begin(uint64_t handle, uint64_t function, uint64_t user_data);
void ompd_cl_bp_destructor_end(uint64_t handle, uint64_t function, uint64_t user_data);

/* Around the program's SVM-free callback FUNCTION of a command in the queue HANDLE. */
void ompd_cl_bp_svm_free_begin(uint64_t queue, uint64_t function, uint64_t user_data);
void ompd_cl_bp_svm_free_end(uint64_t queue, uint64_t function, uint64_t user_data);

/* An object's record was just published; the program has just released its last reference. */
void ompd_cl_bp_object_created(uint64_t handle);
void ompd_cl_bp_object_released(uint64_t handle);

/* The function CALL (schema/calls.def) on HANDLE is about to return ERROR, a cl_int in a wider
 * type; 0: it has created nothing, for an unknown reason. */
void ompd_cl_bp_call_failed(uint64_t handle, uint64_t call, uint64_t error);

/* The call that is recorded is about to make a mistake against RULE (schema/rules.def) with the
 * object HANDLE. */
void ompd_cl_bp_mistake(uint64_t rule, uint64_t handle);

/* Find libompd-opencl, publish ompd_dll_locations and call ompd_dll_locations_valid. */
void recorder_dll_locations_publish(void);

/* ---- clock ----------------------------------------------------------------------------------- */

/* The time of day. */

/* The time of day in nanoseconds since 1970, to some milliseconds. */
uint64_t recorder_clock_now(void);

/* ---- environment ----------------------------------------------------------------------------- */

/* The environment variables that the user sets. */

/* Whether the environment can be trusted: not in a setuid program, in which loaders load the layers
 * that it names all the same. */
bool recorder_environment_is_trusted(void);

/* OMPD_OPENCL_STACK_DEPTH: frames to record per call stack, 1 to OMPD_CL_REGISTRY_MAX_STACK_DEPTH;
 * 1 when it is unset or not a number. */
uint32_t recorder_environment_stack_depth(void);

/* OMPD_OPENCL_HISTORY: how many finished entries to record, for example commands of each queue, 0
 * to RECORDER_HISTORY_LIMIT; 256 when it is unset or not a number. */
#define RECORDER_HISTORY_LIMIT 65536u
uint32_t recorder_environment_history(void);

/* OMPD_OPENCL_LEDGER: the tables of objects that have a ledger, bits 1 << table, and the entries of
 * each, 1 to RECORDER_LEDGER_LIMIT. The value is a comma-separated list of kinds of objects, for
 * example "events", and a number of entries. No kinds means all of them; 0 means none, and 1 the
 * default number. */
#define RECORDER_LEDGER_LIMIT 262144u
uint32_t recorder_environment_ledger(void);
uint32_t recorder_environment_ledger_length(void);

/* OMPD_OPENCL_CALLS: how many of the last calls of each thread to record, 0 to
 * RECORDER_HISTORY_LIMIT; 0 when it is unset or not a number. */
uint32_t recorder_environment_calls(void);

/* OMPD_OPENCL_STOP_ON_MISTAKE=1: whether the first mistake ends the program. */
bool recorder_environment_stops_on_mistake(void);

/* OMPD_OPENCL_TRACK_COMPLETION, OMPD_OPENCL_CHECK and the recorded items, as bits of the root's
 * `switches`. */
uint32_t recorder_environment_switches(void);

/* ocl-icd 2.3.1 splits OPENCL_LAYERS in the environment itself, by writing NULs. The first function
 * notes that a loader is doing so. The second, once all layers are loaded, restores the colons, so
 * that the program and its children see what the user set. At other times it does nothing. */
void recorder_environment_layers_split(void);
void recorder_environment_restore_layers(void);

/* ---- loaded-objects -------------------------------------------------------------------------- */

/* The objects that the dynamic linker has loaded. */

/* Call IS_WANTED for each loaded object, with a handle for dlsym(), until it returns true. Returns
 * whether it did. */
bool recorder_loaded_objects_search(bool (*is_wanted)(void *object));

/* The code of a loaded object. */
struct recorder_loaded_code {
    uintptr_t start;
    uintptr_t size;     /* bytes; 0: none */
    uint64_t name;      /* hash of the object's name */
    uint64_t unloads;   /* how many objects had been unloaded at that time */
    bool is_of_program; /* part of the program itself, which is never unloaded */
};

/* Find the code that contains ADDRESS. Returns whether there is any. */
bool recorder_loaded_code_find(struct recorder_loaded_code *code, uintptr_t address);

/* Whether CODE, which was found before, is no longer loaded. If it was unloaded and loaded again at
 * the same address, it counts as loaded. */
bool recorder_loaded_code_is_gone(const struct recorder_loaded_code *code);

/* ---- other-layers ---------------------------------------------------------------------------- */

/*
 * Other code between the program and the recorder: layers that are nearer to the program, and
 * libraries that replace the OpenCL library, such as CLIntercept. A call through them is still a
 * call of the program, and call sites leave out their code.
 */

/* A loader is loading layers, including this one. */
void recorder_layers_load(void);

/* All layers are loaded: find the others, and restore OPENCL_LAYERS (environment.c), once after
 * each loading. */
void recorder_layers_loaded(void);

/* ---- other-recorder -------------------------------------------------------------------------- */

/*
 * Another copy of the recorder in this process, for example a second file in the list of layers.
 * Two recorders would record each other's trampolines, and a debugger would show those as the
 * program's functions. So the first one that is initialised records, and the others do nothing.
 */

/* Whether another recorder has published a registry in this process. */
bool recorder_other_is_there(void);

/* ---- stack ----------------------------------------------------------------------------------- */

/* Call sites: the return address into the program, and call stacks when the user has enabled them.
 */

/* A call site. */
struct recorder_site {
    uint64_t caller; /* return address into the program */
    uint32_t stack;  /* index in the stack table plus 1, 0 for none */
};

/* Frames to record per call stack; 1 is the caller alone. */
void recorder_stacks_prepare(uint32_t depth);

/* Exclude the module that contains ADDRESS from call sites: it is an OpenCL loader or another
 * layer. */
void recorder_stack_leave_out(const void *address);

/* Return addresses in [start, start + size) may be code outside the program. With call stacks
 * enabled the range has all addresses. */
struct recorder_code_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_code_range recorder_code_doubtful;

/* The slow path of recorder_site_find, for a return address that may be outside the program. */
void recorder_site_find_slowly(struct recorder_site *site, const void *return_address);

/* An object that STACK, which is not 0, made is about to be published. */
void recorder_stack_count_made(uint32_t stack);

/* Find the call site, from the return address of the wrapper that the program or the loader called.
 */
static inline void recorder_site_find(struct recorder_site *site, const void *return_address)
{
    site->caller = (uintptr_t)return_address;
    site->stack = 0;
    if (__builtin_expect(site->caller - recorder_code_doubtful.start < recorder_code_doubtful.size,
                         0)) {
        recorder_site_find_slowly(site, return_address);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Texts in records. */

#define RECORDER_TEXT_CUT "\xe2\x80\xa6" /* an ellipsis */

/* End the truncated text TO with an ellipsis after a whole character. */
static inline void recorder_text_cut(char to[OMPD_CL_REGISTRY_TEXT_SIZE])
{
    size_t length = OMPD_CL_REGISTRY_TEXT_SIZE - sizeof(RECORDER_TEXT_CUT);
    while (length && ((unsigned char)to[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(to + length, RECORDER_TEXT_CUT, sizeof(RECORDER_TEXT_CUT));
}

/* Copy TEXT, or NULL, of at most SIZE bytes, to a record's text TO. A text that does not fit is
 * cut. */
static inline void recorder_text_copy(char to[OMPD_CL_REGISTRY_TEXT_SIZE], const char *text,
                                      size_t size)
{
    size_t room = OMPD_CL_REGISTRY_TEXT_SIZE - 1;
    size_t length = text ? strnlen(text, size < room ? size : room) : 0;
    if (length != 0) {
        memcpy(to, text, length);
    }
    to[length] = '\0';
    if (length == room && size > room && text[room]) {
        recorder_text_cut(to);
    }
}

/* ---- user-data ------------------------------------------------------------------------------- */

/* The location of a callback's user data at registration. It need not be a pointer, so it is not
 * read: only addresses are compared, and the kernel reports the mappings. */

/* The memory that is mapped from the program's file. Its size is 0 if it is below 4 GiB, where a
 * number could be mistaken for an address in it. */
struct recorder_program_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_program_range recorder_program_range __attribute__((visibility("hidden")));

/* Call it before there are threads. */
void recorder_user_data_prepare(void);

/* The slow path of the function below: ADDRESS is outside the program's file. */
uint32_t recorder_user_data_place_slowly(uintptr_t address);

/* Returns an enum ompd_cl_registry_place, or 0. */
RECORDER_INLINE uint32_t recorder_user_data_place(const void *user_data)
{
    uintptr_t address = (uintptr_t)user_data;
    if (RECORDER_LIKELY(address - recorder_program_range.start < recorder_program_range.size)) {
        return ompd_cl_registry_in_data;
    }
    return address ? recorder_user_data_place_slowly(address) : 0;
}

#endif
