/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is counted: the overview, objects of each kind, memory of the library. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#define INFO ompd_cl_overview_info_t
static const ompd_cl_field_t overview_fields[] = {
    FIELD(pid, "process", number, 0, "", "process id as the recorder saw it"),
    FIELD(recorder_major, "recorder major", number, 0, "",
          "registry version of the recorder, major"),
    FIELD(recorder_minor, "recorder minor", number, 0, "",
          "registry version of the recorder, minor"),
    FIELD(contexts, "contexts", count, 0, "", "OpenCL contexts that are there"),
    FIELD(queues, "queues", count, 0, "", "command queues that are there"),
    FIELD(memory_objects, "memory objects", count, 0, "", "memory objects that are there"),
    FIELD(memory_object_bytes, "memory object bytes", bytes, 0, "B",
          "their bytes; those made of other memory objects not counted twice"),
    FIELD(app_released, "app-released", count, 0, "",
          "memory objects that the program has released and something still holds"),
    FIELD(svm_allocations, "SVM allocations", count, 0, "", "SVM allocations that are there"),
    FIELD(svm_bytes, "SVM bytes", bytes, 0, "B", "their bytes"),
    FIELD(svm_frees, "SVM frees", count, 0, "", "SVM-free commands not known to be complete"),
    FIELD(destructors_registered, "destructors registered", count, 0, "",
          "destructor callbacks that will run"),
    FIELD(destructors_running, "destructors running", count, 0, "",
          "destructor callbacks that are running"),
    FIELD(programs, "programs", count, 0, "", "programs that are there"),
    FIELD(kernels, "kernels", count, 0, "", "kernels that are there"),
    FIELD(samplers, "samplers", count, 0, "", "samplers that are there"),
    FIELD(events, "events", count, 0, "", "events that the program holds"),
    FIELD(over_releases, "over-releases", count, 0, "",
          "releases of objects with no references left, so far"),
    FIELD(over_released, "over-released", handle, 0, "", "the last object of them"),
    FIELD(unknown_handles, "unknown handles", count, 0, "",
          "calls on handles whose creation was not seen, so far"),
    FIELD(not_recorded, "not recorded", count, 0, "",
          "objects that the recorder had no room for, so far"),
    FIELD(loaders_refused, "loaders refused", count, 0, "",
          "OpenCL loaders in the process beyond those that the recorder can serve"),
    FIELD(stack_depth, "stack depth", number, 0, "", "frames recorded of each call stack"),
    FIELD(tracks_completion, "tracks completion", boolean, 0, "",
          "whether completion of SVM frees is followed by events"),
    FIELD(threads, "threads", count, 0, "", "threads that have entered OpenCL and live"),
    FIELD(untouched_bytes, "untouched bytes", bytes, 0, "B",
          "memory that could not be searched; presumably the program never wrote to it"),
    FIELD(unsaved_bytes, "unsaved bytes", bytes, 0, "B",
          "memory that could not be searched because it was not saved in the core"),
    FIELD(unreadable_bytes, "unreadable bytes", bytes, 0, "B",
          "memory that could not be searched for another reason"),
    FIELD(last_order, "last order", number, 0, "", "the largest order that an object had so far"),
    FIELD(identity, "identity", address, 0, "",
          "number that the recorder has drawn for the process: another one has another"),
};
#undef INFO

KIND(overview, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);

static const ompd_cl_name_t usage_kind_names[] = {
    {ompd_cl_usage_contexts, "contexts", NULL},
    {ompd_cl_usage_queues, "queues", NULL},
    {ompd_cl_usage_memory_objects, "memory-objects", NULL},
    {ompd_cl_usage_programs, "programs", NULL},
    {ompd_cl_usage_kernels, "kernels", NULL},
    {ompd_cl_usage_samplers, "samplers", NULL},
    {ompd_cl_usage_events, "events", NULL},
    {ompd_cl_usage_svm_allocations, "svm-allocations", NULL},
    {ompd_cl_usage_svm_frees, "svm-frees", NULL},
    {ompd_cl_usage_destructors, "destructors", NULL},
};

#define INFO ompd_cl_usage_info_t
static const ompd_cl_field_t usage_fields[] = {
    NAMED(kind, "objects", name, 1, usage_kind_names, "what is counted"),
    FIELD(live, "live", count, 1, "", "how many there are"),
    FIELD(peak, "peak", count, 1, "", "how many there have been at once, at most"),
    FIELD(bytes, "size", bytes, 1, "B", "their bytes"),
    FIELD(peak_bytes, "peak size", bytes, 1, "B", "bytes that there have been at once, at most"),
    SOURCE,
};
#undef INFO

KIND(usage, FIELD_NONE, AT(usage, kind), FIELD_NONE, FIELD_NONE, FIELD_NONE);

#define INFO ompd_cl_memory_info_t
static const ompd_cl_field_t memory_fields[] = {
    FIELD(current, "held", bytes, 1, "B", "bytes that the library holds"),
    FIELD(peak, "held at most", bytes, 1, "B", "most bytes that it has held at once"),
    FIELD(calls, "allocations and frees", count, 1, "", "allocations and frees, so far"),
    FIELD(cancelled, "refused", count, 1, "",
          "allocations that the monitor or the limit refused, so far"),
    FIELD(limit, "limit", bytes, 1, "B", "most bytes that it may hold"),
    FIELD(wanted, "wanted last", bytes, 1, "B",
          "bytes that it would hold had the last refused allocation been granted"),
};
#undef INFO

KIND(memory, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
