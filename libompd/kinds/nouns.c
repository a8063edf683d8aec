/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What people call the rows of each kind. */
#include "kinds/kinds.h"

#include <ompd-opencl.h>
#include <stddef.h>

static const ompd_cl_noun_t nouns[] = {
    [ompd_cl_kind_overview] = {"an", "overview", "overviews"},
    [ompd_cl_kind_platform] = {"an", "OpenCL platform", "OpenCL platforms"},
    [ompd_cl_kind_context] = {"an", "OpenCL context", "OpenCL contexts"},
    [ompd_cl_kind_queue] = {"a", "command queue", "command queues"},
    [ompd_cl_kind_memobj] = {"a", "memory object", "memory objects"},
    [ompd_cl_kind_destructor] = {"a", "destructor callback", "destructor callbacks"},
    [ompd_cl_kind_svm] = {"an", "SVM allocation", "SVM allocations"},
    [ompd_cl_kind_svm_free] = {"an", "SVM-free command", "SVM-free commands"},
    [ompd_cl_kind_svm_pointer] = {"an", "SVM pointer", "SVM pointers"},
    [ompd_cl_kind_wait] = {"an", "event waited for", "events waited for"},
    [ompd_cl_kind_thread] = {"a", "thread", "threads that have entered OpenCL"},
    [ompd_cl_kind_activity] = {"a", "call", "calls"},
    [ompd_cl_kind_usage] = {"a", "count", "counts"},
    [ompd_cl_kind_memory] = {"an", "account of memory", "accounts of memory"},
    [ompd_cl_kind_runtime] = {"an", "OpenCL runtime", "OpenCL runtimes"},
    [ompd_cl_kind_layout] = {"a", "layout", "layouts"},
    [ompd_cl_kind_device] = {"an", "OpenCL device", "OpenCL devices"},
    [ompd_cl_kind_command] = {"a", "command", "commands"},
    [ompd_cl_kind_event] = {"an", "event", "events"},
    [ompd_cl_kind_kernel] = {"a", "kernel", "kernels"},
    [ompd_cl_kind_program] = {"a", "program", "programs"},
    [ompd_cl_kind_sampler] = {"a", "sampler", "samplers"},
    [ompd_cl_kind_finding] = {"a", "finding", "findings"},
    [ompd_cl_kind_hop] = {"a", "hop", "hops"},
    [ompd_cl_kind_gone] = {"an", "object that is gone", "objects that are gone"},
    [ompd_cl_kind_error] = {"an", "error", "errors"},
    [ompd_cl_kind_holder] = {"a", "place that has a handle", "places that have a handle"},
    [ompd_cl_kind_leak] = {"an", "object that is left", "objects that are left"},
    [ompd_cl_kind_ledger] = {"an", "entry of the ledger", "entries of the ledger"},
    [ompd_cl_kind_call] = {"a", "call that has returned", "calls that have returned"},
    [ompd_cl_kind_callback] = {"a", "callback of an event or a build",
                               "callbacks of events and builds"},
    [ompd_cl_kind_argument] = {"an", "argument of a kernel", "arguments of a kernel"},
};

PUBLIC ompd_rc_t ompd_cl_noun_get(ompd_cl_kind_t kind, const ompd_cl_noun_t **noun)
{
    if ((size_t)kind >= sizeof(nouns) / sizeof(nouns[0]) || nouns[kind].singular == NULL ||
        noun == NULL)
        return ompd_rc_bad_input;
    *noun = &nouns[kind];
    return ompd_rc_ok;
}
