/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder learns from its process, and what it shows of itself to tools. */
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
 * Exported functions that do nothing, for tools to put breakpoints on, and what OMPD asks of a
 * target.
 */

/* OMPD (OpenMP 6.0 chapter 42): the libraries that can explain this process, NULL at the end. */
extern const char **ompd_dll_locations;

/* Called once ompd_dll_locations is set. */
void ompd_dll_locations_valid(void);

/* OMPD: a thread has entered OpenCL for the first time; it ends. */
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);

/* Around the program's destructor callback FUNCTION of the object HANDLE. */
void ompd_cl_bp_destructor_begin(uint64_t handle, uint64_t function, uint64_t user_data);
void ompd_cl_bp_destructor_end(uint64_t handle, uint64_t function, uint64_t user_data);

/* Around the program's SVM-free callback FUNCTION of a command in the queue HANDLE. */
void ompd_cl_bp_svm_free_begin(uint64_t queue, uint64_t function, uint64_t user_data);
void ompd_cl_bp_svm_free_end(uint64_t queue, uint64_t function, uint64_t user_data);

/* An object's record has just come to be, or the program's last reference was just given back. */
void ompd_cl_bp_object_created(uint64_t handle);
void ompd_cl_bp_object_released(uint64_t handle);

/* The function CALL (schema/calls.def) on HANDLE is about to return ERROR, a cl_int that was
 * made wider; 0: it has made nothing, and nobody knows why. */
void ompd_cl_bp_call_failed(uint64_t handle, uint64_t call, uint64_t error);

/* Find libompd-opencl, publish ompd_dll_locations and call ompd_dll_locations_valid. */
void recorder_dll_locations_publish(void);

/* ---- clock ----------------------------------------------------------------------------------- */

/* When something happened. */

/* The time of day in nanoseconds since 1970, to some milliseconds. */
uint64_t recorder_clock_now(void);

/* ---- environment ----------------------------------------------------------------------------- */

/* What the user sets in the environment. */

/* Whether the environment is of somebody who may do all that the program may: not in a setuid
 * program, where loaders name layers by it all the same. */
bool recorder_environment_is_trusted(void);

/* OMPD_OPENCL_STACK_DEPTH: frames to record per call stack, 1 to OMPD_CL_REGISTRY_MAX_STACK_DEPTH;
 * 1 when it is not set or no number. */
uint32_t recorder_environment_stack_depth(void);

/* OMPD_OPENCL_HISTORY: entries to keep of what is over, of the commands of each queue say, 0 to
 * RECORDER_HISTORY_LIMIT; 256 when it is not set or no number. */
#define RECORDER_HISTORY_LIMIT 65536u
uint32_t recorder_environment_history(void);

/* OMPD_OPENCL_LEDGER: the tables of objects that a ledger is kept of, bits 1 << table, and how many
 * entries of each, 1 to RECORDER_LEDGER_LIMIT.  The value is words with commas between them: kinds
 * of objects, "events" say, and a number of entries.  Without kinds it is all of them; 0 is none,
 * and 1 the usual number. */
#define RECORDER_LEDGER_LIMIT 262144u
uint32_t recorder_environment_ledger(void);
uint32_t recorder_environment_ledger_length(void);

/* OMPD_OPENCL_CALLS: the last calls to keep of each thread, 0 to RECORDER_HISTORY_LIMIT; 0 when it
 * is not set or no number. */
uint32_t recorder_environment_calls(void);

/* OMPD_OPENCL_TRACK_COMPLETION, and what is kept, as bits of the root's `switches`. */
uint32_t recorder_environment_switches(void);

/* ocl-icd 2.3.1 splits OPENCL_LAYERS where it lies, in the environment, by writing NULs.  The first
 * call says that a loader is just doing so; the second, once all layers are loaded, puts the colons
 * back, so that the program and its children see what the user set.  It does nothing at other
 * times. */
void recorder_environment_layers_split(void);
void recorder_environment_restore_layers(void);

/* ---- loaded-objects -------------------------------------------------------------------------- */

/* What the dynamic linker has loaded. */

/* Ask IS_WANTED about one loaded object after the other, each by a handle for dlsym(), until it
 * says yes; tells whether it did. */
bool recorder_loaded_objects_search(bool (*is_wanted)(void *object));

/* The code of a loaded object. */
struct recorder_loaded_code {
    uintptr_t start;
    uintptr_t size;     /* bytes; 0: of none */
    uint64_t name;      /* hash of the object's name */
    uint64_t unloads;   /* how many objects had been unloaded when this was found */
    bool is_of_program; /* in the program itself, which is never unloaded */
};

/* Find the code that ADDRESS is in; tells whether there is any. */
bool recorder_loaded_code_find(struct recorder_loaded_code *code, uintptr_t address);

/* CODE, which was found before, is not loaded any more.  What was unloaded and loaded at the same
 * place again is loaded. */
bool recorder_loaded_code_is_gone(const struct recorder_loaded_code *code);

/* ---- other-layers ---------------------------------------------------------------------------- */

/*
 * Others between the program and the recorder: layers that are nearer to the program, and libraries
 * that stand in for the OpenCL library, as CLIntercept does.  A call that comes through them was
 * made by the program all the same, and their code is left out of where it was made.
 */

/* A loader is loading layers, this one among them. */
void recorder_layers_load(void);

/* All layers are loaded: find the others, and put OPENCL_LAYERS back as it was (environment.c).  It
 * does so once after each loading. */
void recorder_layers_loaded(void);

/* ---- other-recorder -------------------------------------------------------------------------- */

/*
 * Another copy of the recorder in this process: a second file that is listed as a layer too.  Two
 * would record each other's trampolines, and a debugger would show those for the program's
 * functions.  So the first that is initialised records, and others stay out of the way.
 */

/* A registry that is not this recorder's has been published in this process. */
bool recorder_other_is_there(void);

/* ---- stack ----------------------------------------------------------------------------------- */

/* Where the program called from: the return address, and call stacks when the user asked for them.
 */

/* A place in the program. */
struct recorder_site {
    uint64_t caller; /* return address into the program */
    uint32_t stack;  /* index in the stack table plus 1, 0 for none */
};

/* Frames to record per call stack; 1 is the caller alone. */
void recorder_stacks_prepare(uint32_t depth);

/* Take the code of ADDRESS's module for no part of the program: it is an OpenCL loader, or another
 * layer. */
void recorder_stack_leave_out(const void *address);

/* Return addresses in [start, start + size) may be of code that is no part of the program (or call
 * stacks are wanted, and all addresses are in it). */
struct recorder_code_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_code_range recorder_code_doubtful;

/* What recorder_site_find does with a return address that is doubtful. */
void recorder_site_find_slowly(struct recorder_site *site, const void *return_address);

/* An object is about to be there that STACK, which is not 0, has made. */
void recorder_stack_count_made(uint32_t stack);

/* Find the place, given the return address of the wrapper that the program (or the loader) called.
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

/* End the text TO, which had no room for all, by an ellipsis, behind a whole character. */
static inline void recorder_text_cut(char to[OMPD_CL_REGISTRY_TEXT_SIZE])
{
    size_t length = OMPD_CL_REGISTRY_TEXT_SIZE - sizeof(RECORDER_TEXT_CUT);
    while (length && ((unsigned char)to[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(to + length, RECORDER_TEXT_CUT, sizeof(RECORDER_TEXT_CUT));
}

/* Copy TEXT, or NULL, of at most SIZE bytes, to a record's text TO: what it has no room for is left
 * out. */
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

/* Where the user data of a callback is when that is registered.  Only addresses are compared, and
 * the kernel is asked what is mapped: nothing is read, as it need not be a pointer. */

/* What the program's file has put into memory; of size 0 where that is below 4 GiB, and a number
 * may be the address of something in it. */
struct recorder_program_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_program_range recorder_program_range __attribute__((visibility("hidden")));

/* Before there are threads. */
void recorder_user_data_prepare(void);

/* What the function below does with an ADDRESS that is not of the program's file. */
uint32_t recorder_user_data_place_slowly(uintptr_t address);

/* Give an enum ompd_cl_registry_place, or 0. */
RECORDER_INLINE uint32_t recorder_user_data_place(const void *user_data)
{
    uintptr_t address = (uintptr_t)user_data;
    if (RECORDER_LIKELY(address - recorder_program_range.start < recorder_program_range.size)) {
        return ompd_cl_registry_in_data;
    }
    return address ? recorder_user_data_place_slowly(address) : 0;
}

#endif
