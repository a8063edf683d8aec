/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mistakes that a stop shows. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t rule_names[] = {
    {ompd_cl_rule_host_unmapped, "host-memory-unmapped", "host memory that is not mapped"},
    {ompd_cl_rule_host_freed, "host-memory-freed", "host memory that malloc has back"},
    {ompd_cl_rule_host_on_stack, "host-memory-on-dead-stack",
     "host memory of a function that has returned"},
    {ompd_cl_rule_host_shared, "host-memory-shared", "two objects use the same host memory"},
    {ompd_cl_rule_sub_buffers, "sub-buffers-overlap", "two sub-buffers of one buffer overlap"},
    {ompd_cl_rule_callback_code, "callback-without-code", "a callback that is to run has no code"},
    {ompd_cl_rule_over_release, "over-release", "what had no references left was released"},
    {ompd_cl_rule_svm_freed_twice, "svm-freed-twice",
     "two enqueued frees are of one SVM allocation"},
    {ompd_cl_rule_svm_used, "svm-freed-in-use", "a memory object or a command uses what is freed"},
    {ompd_cl_rule_callback_waits, "callback-waits", "a callback is in a call that waits"},
    {ompd_cl_rule_callback_releases, "callback-releases-its-object",
     "a callback releases the object that it is called for"},
    {ompd_cl_rule_build_failed, "build-failed", "the last build of a program has failed"},
    {ompd_cl_rule_forked, "call-after-fork",
     "a process calls OpenCL that was forked from one that had used it"},
    {ompd_cl_rule_svm_mapped, "svm-freed-while-mapped",
     "an SVM allocation was freed while it was mapped"},
    {ompd_cl_rule_exiting, "call-in-exit", "a thread is in OpenCL while the program is in exit()"},
    {ompd_cl_rule_user_data_freed, "user-data-freed",
     "a callback is to be called with memory that malloc has back"},
    {ompd_cl_rule_user_data_on_stack, "user-data-on-dead-stack",
     "a callback is to be called with memory of a function that has returned"},
    {ompd_cl_rule_runtime_released, "released-unseen",
     "the runtime has fewer references of an object than the program"},
    {ompd_cl_rule_runtime_other, "another-object",
     "the runtime has another object where the program's was"},
    {ompd_cl_rule_runtime_callbacks, "callbacks-differ",
     "the runtime has other destructor callbacks than were registered"},
    {ompd_cl_rule_user_data_unmapped, "user-data-unmapped",
     "a callback is to be called with memory that is not mapped"},
    {ompd_cl_rule_user_data_of_ended, "user-data-of-ended-thread",
     "a callback is to be called with memory of a thread that has ended"},
    {ompd_cl_rule_argument_gone, "argument-gone",
     "a kernel was enqueued with a memory object that was gone"},
    {ompd_cl_rule_used_after_release, "used-after-release", "what had no references left was used"},
    {ompd_cl_rule_set_twice, "user-event-set-twice", "a user event was set that had been set"},
    {ompd_cl_rule_wrong_handle, "wrong-handle",
     "a thread is in a call with what is no handle for it"},
};

static const ompd_cl_name_t object_kind_names[] = {
    {ompd_cl_kind_context, "context", NULL}, {ompd_cl_kind_queue, "queue", NULL},
    {ompd_cl_kind_memobj, "memobj", NULL},   {ompd_cl_kind_svm, "svm", NULL},
    {ompd_cl_kind_event, "event", NULL},     {ompd_cl_kind_kernel, "kernel", NULL},
    {ompd_cl_kind_program, "program", NULL}, {ompd_cl_kind_sampler, "sampler", NULL},
};

#define INFO ompd_cl_finding_info_t
static const ompd_cl_field_t finding_fields[] = {
    NAMED(rule, "rule", name, 1, rule_names, "what the mistake is"),
    NAMED(confidence, "confidence", name, 1, confidence_names, "how sure it is"),
    NAMED(object_kind, "kind", name, 1, object_kind_names, "what the object is"),
    FIELD(object, "object", handle, 1, "", "object that it is about"),
    NAMED(other_kind, "other kind", name, 0, object_kind_names, "what the other object is"),
    FIELD(other, "other", handle, 1, "", "other object, or what the thread waits for"),
    FIELD(parent, "parent", handle, 0, "", "buffer that both sub-buffers are made of"),
    FIELD(address, "address", address, 1, "", "memory that it is about"),
    FIELD(size, "size", bytes, 1, "B", "bytes of that memory"),
    FIELD(origin, "origin", bytes, 0, "B", "where common bytes of sub-buffers begin in the buffer"),
    FIELD(function, "callback", function, 0, "", "function of the callback"),
    FIELD(thread, "thread", lwp, 0, "", "thread whose stack it is, or that runs the callback"),
    NAMED(call, "in", name, 0, call_names, "function of OpenCL that the thread is in"),
    FIELD(count, "count", count, 0, "",
          "how often, at the same places; within exit(): objects still there; beside what the "
          "runtime has: what the program has"),
    MADE_BY,
    FIELD(other_lwp, "other LWP", lwp, 0, "",
          "thread that made the other object, released or freed it"),
    FIELD(other_caller, "other made at", caller, 0, "",
          "return address of the call that made the other object"),
    FIELD(other_stack, "other call stack", stack, 0, "",
          "call stack of that call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    FIELD(clause, "OpenCL 3.0", text, 0, "", "what OpenCL 3.0 says, and where"),
    SOURCE,
    NAMED(error, "error", name, 0, error_names, "what the call returned that built a program"),
    FIELD(runtime_count, "runtime has", count, 0, "",
          "references or destructor callbacks that the runtime has; of another object: its size"),
    FIELD(argument, "argument", number, 0, "", "index of the argument of the kernel or call"),
};
#undef INFO

KIND(finding, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
