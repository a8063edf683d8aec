/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of each call as a struct: struct recorder_clFinish_arguments and so on. */
#ifndef RECORDER_ARGUMENTS_H
#define RECORDER_ARGUMENTS_H

#include "core/newer-types.h"
#include "core/parameters.h"

#include <ompd-opencl-calls.h>

#include <CL/cl_icd.h>

typedef void(CL_CALLBACK recorder_native_function)(void *);

/* clang-format off */
/* Those of a command after its own: the event wait list, and where its event is stored. */
#define WAIT_MEMBERS cl_uint wait_count; const cl_event *wait_list; cl_event *event;

#define MEMBERS_OF_BY_HAND(file, ...) __VA_OPT__(MEMBERS(__VA_ARGS__))
#define MEMBERS_OF_PASS(handle, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_PASS_OF(table, handle, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_QUERY(handle, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_QUERY_OF(table, handle, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_QUERY_MEMOBJ(...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_OTHER(its_type, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_OTHER_OF(its_type, table, handle, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_RETAIN(kind, parameter) PARAMETER parameter;
#define MEMBERS_OF_RELEASE(kind, parameter) PARAMETER parameter;
#define MEMBERS_OF_RETAIN_OF(kind, parameter) PARAMETER parameter;
#define MEMBERS_OF_RELEASE_OF(kind, parameter) PARAMETER parameter;
#define MEMBERS_OF_BUFFERED(...)
#define MEMBERS_OF_DESTRUCTOR(kind, type) type handle; const void *callback; void *user_data;
#define MEMBERS_OF_BUFFER(...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_BUFFER_OF(...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_PROGRAM(...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_MEMOBJ(facts, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_COMMAND_QUEUE(flags, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_EVENT(command, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_SVM(type, flags, alignment, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_SVM_ALLOC(type, flags_type) \
    cl_context context; flags_type flags; size_t size; cl_uint alignment;
#define MEMBERS_OF_SVM_FREE(is_blocking, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_ENQUEUE_SVM_FREE(...) \
    cl_command_queue queue; cl_uint count; void *const *pointers; const void *callback; \
    void *user_data; WAIT_MEMBERS
#define MEMBERS_OF_KERNEL_ARGUMENT(...) cl_kernel kernel; cl_uint index; const void *pointer;
#define MEMBERS_OF_EXEC_INFO(...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_COMMAND(facts, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS
#define MEMBERS_OF_COMMAND_ALONE(facts, its_event, ...) MEMBERS(__VA_ARGS__)
#define MEMBERS_OF_MAP(facts, pitches, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS
#define MEMBERS_OF_SHARING(acquisition, facts, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS
#define MEMBERS_OF_UNMAP(facts, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS
#define MEMBERS_OF_SVM_MAP(facts, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS
#define MEMBERS_OF_SVM_UNMAP(facts, ...) MEMBERS(__VA_ARGS__) WAIT_MEMBERS

#define CALL(number, function, kind, ...) \
    struct recorder_##function##_arguments { MEMBERS_OF_##kind(__VA_ARGS__) };
#include <schema/calls.def>
/* clang-format on */

/* The calling thread's CALL, made with ARGUMENTS, a struct of those above, has returned ERROR, 0 if
 * it has none. Find the reason, for the record of the error. TARGET has the loader's functions. */
__attribute__((cold)) void recorder_explain(enum ompd_cl_call call, cl_int error,
                                            const void *arguments, const cl_icd_dispatch *target);

#endif
