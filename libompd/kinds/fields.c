/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every field of every kind of row. To add one: a line here, a member of its info struct, and a
 * line in record-decoder.c that says where it comes from. */
#include "kinds/fields.h"

#include "kinds/channel-names.h"
#include "kinds/command-names.h"
#include "registry/call-names.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const ompd_cl_name_t state_names[] = {
    {ompd_cl_state_live, "live", "the program holds references"},
    {ompd_cl_state_app_released, "app-released",
     "the program has released it, and something else still holds it"},
    {ompd_cl_state_destroying, "destroying", "its destructor callbacks have begun to run"},
};

static const ompd_cl_name_t destructor_state_names[] = {
    {ompd_cl_state_registered, "registered", "will be called when the object is destroyed"},
    {ompd_cl_state_running, "running", "is being called"},
    {ompd_cl_state_done, "done", "has returned"},
};

static const ompd_cl_name_t svm_state_names[] = {
    {ompd_cl_state_live, "allocated", "no command that would free it is known"},
    {ompd_cl_state_enqueued, "free-enqueued", "a command that frees it is enqueued"},
};

static const ompd_cl_name_t svm_free_state_names[] = {
    {ompd_cl_state_enqueued, "enqueued", "is not known to have run"},
    {ompd_cl_state_running, "running", "its function is being called"},
    {ompd_cl_state_done, "done", "has freed its pointers"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
};

static const ompd_cl_name_t execution_names[] = {
    {ompd_cl_state_unset, "unset", "a user event whose status nobody has set"},
    {ompd_cl_state_enqueued, "enqueued", "is not known to have begun or ended"},
    {ompd_cl_state_queued, "queued", "has not been submitted to its device"},
    {ompd_cl_state_submitted, "submitted", "has been submitted to its device"},
    {ompd_cl_state_running, "running", "its device runs it"},
    {ompd_cl_state_ended, "ended", "is over, with or without an error"},
    {ompd_cl_state_done, "complete", "ended without an error"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
};

static const ompd_cl_name_t command_state_names[] = {
    {ompd_cl_state_being_enqueued, "being-enqueued", "the call that enqueues it has not returned"},
    {ompd_cl_state_enqueued, "enqueued", "is not known to have begun or ended"},
    {ompd_cl_state_ended, "ended", "is over, with or without an error"},
    {ompd_cl_state_done, "complete", "ended without an error"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
};

/* cl_device_type (OpenCL 3.0 section 4.2). */
static const ompd_cl_name_t device_type_names[] = {
    {1 << 0, "CL_DEVICE_TYPE_DEFAULT", NULL}, {1 << 1, "CL_DEVICE_TYPE_CPU", NULL},
    {1 << 2, "CL_DEVICE_TYPE_GPU", NULL},     {1 << 3, "CL_DEVICE_TYPE_ACCELERATOR", NULL},
    {1 << 4, "CL_DEVICE_TYPE_CUSTOM", NULL},
};

static const ompd_cl_name_t build_names[] = {
    {ompd_cl_state_running, "running", "is not known to have ended"},
    {ompd_cl_state_done, "done", "ended without an error"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
};

/* cl_addressing_mode and cl_filter_mode (OpenCL 3.0 section 5.7.1). */
static const ompd_cl_name_t addressing_names[] = {
    {0x1130, "CL_ADDRESS_NONE", NULL},
    {0x1131, "CL_ADDRESS_CLAMP_TO_EDGE", NULL},
    {0x1132, "CL_ADDRESS_CLAMP", NULL},
    {0x1133, "CL_ADDRESS_REPEAT", NULL},
    {0x1134, "CL_ADDRESS_MIRRORED_REPEAT", NULL},
};
static const ompd_cl_name_t filter_names[] = {
    {0x1140, "CL_FILTER_NEAREST", NULL},
    {0x1141, "CL_FILTER_LINEAR", NULL},
};

static const ompd_cl_name_t thread_state_names[] = {
    {ompd_cl_state_outside, "outside", "in no OpenCL call and no callback"},
    {ompd_cl_state_in_call, "in-call", "in an OpenCL call that does not wait"},
    {ompd_cl_state_waits_for_queue, "waits-for-queue", "in clFinish"},
    {ompd_cl_state_waits_for_events, "waits-for-events", "in clWaitForEvents"},
    {ompd_cl_state_waits_for_transfer, "waits-for-transfer",
     "in a blocking read, write, map, copy or free"},
    {ompd_cl_state_builds, "builds", "builds, compiles or links a program"},
    {ompd_cl_state_runs_destructor, "runs-destructor", "in a destructor callback of the program"},
    {ompd_cl_state_runs_svm_free, "runs-svm-free", "in the function given to clEnqueueSVMFree"},
};

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

static const ompd_cl_name_t source_names[] = {
    {ompd_cl_source_recorder, "recorder", "recorded in the program"},
    {ompd_cl_source_layout, "layout", "read from the runtime's own memory"},
};

static const ompd_cl_name_t confidence_names[] = {
    {ompd_cl_confidence_certain, "certain", "it is there"},
    {ompd_cl_confidence_presumed, "presumed", "nothing speaks against it, and it is not proved"},
    {ompd_cl_confidence_doubtful, "doubtful", "something speaks against it"},
};

static const ompd_cl_name_t doubt_names[] = {
    {ompd_cl_doubt_same_number, "same-number", "another object has the number that no two share"},
    {ompd_cl_doubt_over_counted, "over-counted",
     "more objects were found than the OpenCL context has references for"},
    {ompd_cl_doubt_twin, "twin", "another object owns the same memory"},
    {ompd_cl_doubt_context, "context", "the OpenCL context is doubtful"},
    {ompd_cl_doubt_kind, "kind", "may be an object of another kind"},
    {ompd_cl_doubt_place, "place", "does not lie where its runtime puts objects of its kind"},
    {ompd_cl_doubt_references, "references",
     "has more references than a program takes, and nothing that was found holds it"},
    {ompd_cl_doubt_callback, "callback", "no code is where its destructor callback was"},
};

static const ompd_cl_name_t finding_names[] = {
    {ompd_cl_found_by_layout, "layout", "where its layout says"},
    {ompd_cl_found_by_symbol, "symbol", "by a symbol of its library"},
    {ompd_cl_found_by_search, "search", "by a search of its memory"},
};

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
    {ompd_cl_rule_svm_used, "svm-freed-in-use", "a free is enqueued of what a memory object uses"},
    {ompd_cl_rule_callback_waits, "callback-waits", "a callback is in a call that waits"},
    {ompd_cl_rule_callback_releases, "callback-releases-its-object",
     "a callback releases the object that it is called for"},
};

static const ompd_cl_name_t object_kind_names[] = {
    {ompd_cl_kind_context, "context", NULL},
    {ompd_cl_kind_queue, "queue", NULL},
    {ompd_cl_kind_memobj, "memobj", NULL},
    {ompd_cl_kind_svm, "svm", NULL},
};

static const ompd_cl_name_t memobj_kind_names[] = {
    {ompd_cl_memobj_buffer, "buffer", NULL},
    {ompd_cl_memobj_sub_buffer, "sub-buffer", NULL},
    {ompd_cl_memobj_image1d, "image1d", NULL},
    {ompd_cl_memobj_image1d_array, "image1d_array", NULL},
    {ompd_cl_memobj_image1d_buffer, "image1d_buffer", NULL},
    {ompd_cl_memobj_image2d, "image2d", NULL},
    {ompd_cl_memobj_image2d_array, "image2d_array", NULL},
    {ompd_cl_memobj_image3d, "image3d", NULL},
    {ompd_cl_memobj_pipe, "pipe", NULL},
};

static const ompd_cl_name_t sharing_names[] = {
    {ompd_cl_sharing_gl, "gl", NULL},
    {ompd_cl_sharing_egl, "egl", NULL},
    {ompd_cl_sharing_va_api, "va-api", NULL},
    {ompd_cl_sharing_imported, "imported", NULL},
};

static const ompd_cl_name_t svm_kind_names[] = {
    {ompd_cl_svm_svm, "svm", NULL},
    {ompd_cl_svm_svm_arm, "svm-arm", NULL},
    {ompd_cl_svm_usm_host, "usm-host", NULL},
    {ompd_cl_svm_usm_device, "usm-device", NULL},
    {ompd_cl_svm_usm_shared, "usm-shared", NULL},
};

/* cl_mem_flags (OpenCL 3.0 section 5.2.1) and, with the same bits, cl_svm_mem_flags (5.6.1). */
static const ompd_cl_name_t mem_flag_names[] = {
    {1 << 0, "CL_MEM_READ_WRITE", NULL},      {1 << 1, "CL_MEM_WRITE_ONLY", NULL},
    {1 << 2, "CL_MEM_READ_ONLY", NULL},       {1 << 3, "CL_MEM_USE_HOST_PTR", NULL},
    {1 << 4, "CL_MEM_ALLOC_HOST_PTR", NULL},  {1 << 5, "CL_MEM_COPY_HOST_PTR", NULL},
    {1 << 7, "CL_MEM_HOST_WRITE_ONLY", NULL}, {1 << 8, "CL_MEM_HOST_READ_ONLY", NULL},
    {1 << 9, "CL_MEM_HOST_NO_ACCESS", NULL},  {1 << 10, "CL_MEM_SVM_FINE_GRAIN_BUFFER", NULL},
    {1 << 11, "CL_MEM_SVM_ATOMICS", NULL},    {1 << 12, "CL_MEM_KERNEL_READ_AND_WRITE", NULL},
};

/* cl_command_queue_properties (OpenCL 3.0 section 5.1). */
static const ompd_cl_name_t queue_property_names[] = {
    {1 << 0, "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE", NULL},
    {1 << 1, "CL_QUEUE_PROFILING_ENABLE", NULL},
    {1 << 2, "CL_QUEUE_ON_DEVICE", NULL},
    {1 << 3, "CL_QUEUE_ON_DEVICE_DEFAULT", NULL},
};

/* clang-format off */
/* One field: member, column heading, type, shown in tables, unit, help. */
#define FIELD(member, title, type, in_table, unit, help)                                           \
    {#member, title, help, unit, NULL, 0, ompd_cl_type_##type, offsetof(INFO, member), in_table}

/* One field whose values, or bits, have names. */
#define NAMED(member, title, type, in_table, names, help)                                          \
    {#member, title, help, "", names, COUNT(names), ompd_cl_type_##type, offsetof(INFO, member),   \
     in_table}
/* clang-format on */

/* What every row has that knows who made it. */
#define MADE_BY                                                                                    \
    FIELD(lwp, "LWP", lwp, 0, "", "thread that made the call"),                                    \
        FIELD(caller, "made at", caller, 0, "", "return address of the call, in the program"),     \
        FIELD(stack, "call stack", stack, 0, "",                                                   \
              "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1")

#define ORDER                                                                                      \
    FIELD(order, "order", number, 0, "", "place in the order of creation over all objects")

#define SOURCE                                                                                     \
    NAMED(source, "source", name, 0, source_names, "where the facts of this row come from")

#define CONFIDENCE                                                                                 \
    NAMED(confidence, "confidence", name, 0, confidence_names, "how sure it is that it is there")

#define DOUBT NAMED(doubt, "doubt", name, 0, doubt_names, "what speaks against a doubtful object")

#define RUNTIME_REFERENCES                                                                         \
    FIELD(runtime_references, "runtime's references", count, 0, "",                                \
          "references that the runtime counts: the program's, and those that it holds itself")

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
};
#undef INFO

#define INFO ompd_cl_platform_info_t
static const ompd_cl_field_t platform_fields[] = {
    FIELD(handle, "platform", handle, 1, "", "cl_platform_id"),
    FIELD(name, "name", text, 1, "", "CL_PLATFORM_NAME"),
    FIELD(version, "version", text, 1, "", "CL_PLATFORM_VERSION"),
    FIELD(vendor, "vendor", text, 1, "", "CL_PLATFORM_VENDOR"),
};
#undef INFO

#define INFO ompd_cl_context_info_t
static const ompd_cl_field_t context_fields[] = {
    FIELD(handle, "context", handle, 1, "", "cl_context"),
    FIELD(platform, "platform", handle, 0, "", "cl_platform_id that it was created on"),
    FIELD(devices, "devices", count, 1, "", "devices that it was created with"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(children, "children", count, 1, "", "objects that keep it alive"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(destructor_count, "destructors", count, 1, "", "destructor callbacks registered on it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_queue_info_t
static const ompd_cl_field_t queue_fields[] = {
    FIELD(handle, "queue", handle, 1, "", "cl_command_queue"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(device, "device", handle, 1, "", "cl_device_id that it feeds"),
    NAMED(properties, "properties", flags, 1, queue_property_names, "CL_QUEUE_PROPERTIES"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(svm_frees, "SVM frees", count, 1, "", "its SVM-free commands not known to be complete"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_memobj_info_t
static const ompd_cl_field_t memobj_fields[] = {
    FIELD(handle, "memory object", handle, 1, "", "cl_mem"),
    NAMED(kind, "kind", name, 1, memobj_kind_names, "buffer, sub-buffer, image or pipe"),
    FIELD(size, "size", bytes, 1, "B", "CL_MEM_SIZE"),
    NAMED(flags, "flags", flags, 1, mem_flag_names, "cl_mem_flags that it was created with"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(parent, "parent", handle, 0, "", "memory object that it is made of"),
    FIELD(origin, "origin", bytes, 0, "B", "where a sub-buffer begins in its parent"),
    FIELD(host_pointer, "host pointer", address, 1, "", "program's memory that it uses in place"),
    FIELD(svm, "SVM allocation", address, 0, "",
          "SVM allocation that the host pointer, or that of the buffer it is made of, is the start "
          "of"),
    NAMED(sharing, "sharing", name, 0, sharing_names, "other API that its storage comes from"),
    FIELD(sharing_name, "sharing name", number, 0, "", "its name in the other API"),
    FIELD(children, "children", count, 0, "", "memory objects made of it"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(destructor_count, "destructors", count, 1, "", "destructor callbacks registered on it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    FIELD(map_count, "mappings", count, 0, "", "mappings of it that were not undone yet"),
    FIELD(width, "width", count, 0, "", "of an image, in pixels"),
    FIELD(height, "height", count, 0, "", "of an image, in pixels"),
    FIELD(depth, "depth", count, 0, "", "of an image, in pixels"),
    FIELD(array_size, "array size", count, 0, "", "images in an array of images"),
    FIELD(row_pitch, "row pitch", bytes, 0, "B", "from one row of an image to the next"),
    NAMED(channel_order, "channel order", name, 0, channel_order_names,
          "channels of an image's pixels"),
    NAMED(channel_type, "channel type", name, 0, channel_type_names, "type of each channel"),
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_destructor_info_t
static const ompd_cl_field_t destructor_fields[] = {
    FIELD(object, "object", handle, 0, "", "object that it is registered on"),
    FIELD(function, "callback", function, 1, "", "function that is called"),
    FIELD(user_data, "user_data", address, 1, "", "what it is called with"),
    NAMED(state, "state", state, 1, destructor_state_names, "whether it has run"),
    FIELD(lwp, "registered by", lwp, 1, "", "thread that registered it"),
    FIELD(running_lwp, "run by", lwp, 0, "", "thread that runs it, or ran it"),
    FIELD(caller, "registered at", caller, 1, "", "return address of the registering call"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the registering call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
};
#undef INFO

#define INFO ompd_cl_svm_info_t
static const ompd_cl_field_t svm_fields[] = {
    FIELD(pointer, "pointer", address, 1, "", "what clSVMAlloc returned"),
    NAMED(kind, "kind", name, 1, svm_kind_names, "function that made it"),
    FIELD(size, "size", bytes, 1, "B", "size of the allocation"),
    NAMED(flags, "flags", flags, 1, mem_flag_names, "cl_svm_mem_flags"),
    FIELD(alignment, "alignment", bytes, 0, "B", "alignment asked for, 0 for the default"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    NAMED(state, "state", state, 1, svm_state_names, "whether a free of it is enqueued"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_svm_free_info_t
static const ompd_cl_field_t svm_free_fields[] = {
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue that it is in"),
    FIELD(context, "context", handle, 0, "", "cl_context of the queue"),
    FIELD(pointer_count, "pointers", count, 1, "", "SVM pointers that it frees"),
    FIELD(function, "callback", function, 1, "",
          "function that frees them; none: the runtime does"),
    FIELD(user_data, "user_data", address, 1, "", "what the callback is called with"),
    FIELD(wait_count, "waits for", count, 1, "", "events that it waits for"),
    FIELD(event, "event", handle, 1, "", "cl_event of the command, if the program asked for one"),
    NAMED(state, "state", state, 1, svm_free_state_names, "how far it is known to have come"),
    FIELD(running_lwp, "run by", lwp, 0, "", "thread that runs the callback, or ran it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_svm_pointer_info_t
static const ompd_cl_field_t svm_pointer_fields[] = {
    FIELD(pointer, "pointer", address, 1, "", "pointer that the command frees"),
    FIELD(from_svm_alloc, "from clSVMAlloc", boolean, 1, "",
          "whether clSVMAlloc was seen to give it"),
};
#undef INFO

#define INFO ompd_cl_wait_info_t
static const ompd_cl_field_t wait_fields[] = {
    FIELD(event, "event", handle, 1, "", "cl_event that the command waits for"),
};
#undef INFO

/* What every object has that the program may retain, behind the fields of its kind. */
#define OBJECT                                                                                     \
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"), ORDER,     \
        MADE_BY, SOURCE, CONFIDENCE, RUNTIME_REFERENCES, DOUBT

#define INFO ompd_cl_device_info_t
static const ompd_cl_field_t device_fields[] = {
    FIELD(handle, "device", handle, 1, "", "cl_device_id"),
    FIELD(name, "name", text, 1, "", "CL_DEVICE_NAME"),
    NAMED(type, "type", flags, 1, device_type_names, "CL_DEVICE_TYPE"),
    FIELD(platform, "platform", handle, 1, "", "cl_platform_id that it belongs to"),
    SOURCE,
};
#undef INFO

#define INFO ompd_cl_command_info_t
static const ompd_cl_field_t command_fields[] = {
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue that it is in"),
    FIELD(number, "number", number, 1, "", "its place among the commands of its queue"),
    NAMED(type, "command", name, 1, command_type_names, "cl_command_type"),
    NAMED(state, "state", state, 1, command_state_names, "how far it is known to have come"),
    FIELD(error, "error", number, 0, "", "status of a command that failed"),
    FIELD(event, "event", handle, 1, "", "cl_event of it, if the program asked for one"),
    FIELD(kernel, "kernel", handle, 1, "", "cl_kernel that it runs"),
    FIELD(memobj, "memory object", handle, 1, "", "cl_mem that it works on, or reads"),
    FIELD(destination, "destination", handle, 0, "", "cl_mem that a copy writes"),
    FIELD(wait_count, "waits for", count, 1, "", "events that it waits for"),
    FIELD(is_blocking, "blocking", boolean, 0, "", "whether its call returns when it is over"),
    FIELD(is_flushed, "flushed", boolean, 1, "", "whether the runtime was told to begin it"),
    FIELD(context, "context", handle, 0, "", "cl_context of the queue"),
    ORDER,
    MADE_BY,
    SOURCE,
};
#undef INFO

#define INFO ompd_cl_event_info_t
static const ompd_cl_field_t event_fields[] = {
    FIELD(handle, "event", handle, 1, "", "cl_event"),
    NAMED(type, "command", name, 1, command_type_names,
          "type of its command; user: an event that the program sets"),
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue of its command"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    NAMED(execution, "execution", state, 1, execution_names,
          "how far its command is known to have come"),
    FIELD(error, "error", number, 0, "", "status of a command that failed"),
    FIELD(set_by, "set by", lwp, 0, "", "thread that has set the status of a user event"),
    FIELD(number, "number", number, 0, "", "place of its command among those of its queue"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
};
#undef INFO

#define INFO ompd_cl_kernel_info_t
static const ompd_cl_field_t kernel_fields[] = {
    FIELD(handle, "kernel", handle, 1, "", "cl_kernel"),
    FIELD(name, "name", text, 1, "", "function that it runs"),
    FIELD(program, "program", handle, 1, "", "cl_program that it was made of"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
};
#undef INFO

#define INFO ompd_cl_program_info_t
static const ompd_cl_field_t program_fields[] = {
    FIELD(handle, "program", handle, 1, "", "cl_program"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    NAMED(build, "build", state, 1, build_names, "how its last build, compilation or link went"),
    FIELD(build_error, "build error", number, 0, "", "error of a build that failed"),
    FIELD(build_lwp, "built by", lwp, 0, "", "thread that began the last build"),
    FIELD(options, "options", text, 0, "", "options of the last build"),
    FIELD(log, "log", text, 0, "",
          "log of the last build, from the first error on, once the program has asked for it"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(children, "kernels", count, 1, "", "kernels that were made of it"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(destructor_count, "destructors", count, 0, "", "release callbacks registered on it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

#define INFO ompd_cl_sampler_info_t
static const ompd_cl_field_t sampler_fields[] = {
    FIELD(handle, "sampler", handle, 1, "", "cl_sampler"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(normalized, "normalized", boolean, 1, "", "whether its coordinates are normalized"),
    NAMED(addressing, "addressing", name, 1, addressing_names, "cl_addressing_mode"),
    NAMED(filter, "filter", name, 1, filter_names, "cl_filter_mode"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
};
#undef INFO

#define INFO ompd_cl_thread_info_t
static const ompd_cl_field_t thread_fields[] = {
    FIELD(lwp, "thread", lwp, 1, "", "its LWP"),
    FIELD(pthread, "pthread", address, 0, "", "its pthread_t"),
    NAMED(state, "state", state, 1, thread_state_names, "what it does or waits for"),
    NAMED(call, "in", name, 1, call_names, "function of OpenCL that it is in, innermost"),
    FIELD(handle, "object", handle, 1, "", "object that it waits for or works on"),
    FIELD(depth, "depth", count, 0, "", "calls and callbacks that it is in, within each other"),
    FIELD(is_caller, "owner", boolean, 1, "",
          "whether it has called OpenCL by itself, or is a thread of the runtime"),
    FIELD(order, "order", number, 0, "", "when it entered OpenCL, in the order of creation"),
    SOURCE,
};
#undef INFO

#define INFO ompd_cl_activity_info_t
static const ompd_cl_field_t activity_fields[] = {
    NAMED(state, "state", state, 1, thread_state_names, "what is done or waited for in it"),
    NAMED(call, "in", name, 1, call_names, "function of OpenCL; none: a callback of the program"),
    FIELD(handle, "object", handle, 1, "", "object that it waits for or works on"),
    FIELD(function, "callback", function, 1, "", "the program's function, of a callback"),
    FIELD(user_data, "user_data", address, 1, "", "what the callback was called with"),
    SOURCE,
};
#undef INFO

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
    FIELD(count, "count", count, 0, "", "how often it was done"),
    MADE_BY,
    FIELD(other_lwp, "other LWP", lwp, 0, "", "thread that made the other object"),
    FIELD(other_caller, "other made at", caller, 0, "",
          "return address of the call that made the other object"),
    FIELD(other_stack, "other call stack", stack, 0, "",
          "call stack of that call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    FIELD(clause, "OpenCL 3.0", text, 0, "", "what OpenCL 3.0 says, and where"),
    SOURCE,
};
#undef INFO

#define INFO ompd_cl_runtime_info_t
static const ompd_cl_field_t runtime_fields[] = {
    FIELD(module, "module", text, 1, "", "file of the runtime, the end of its path"),
    FIELD(build_id, "build-id", text, 1, "", "its build-id, hexadecimal"),
    FIELD(layout, "layout", text, 1, "",
          "runtime that the layout which fits is of; none: none does"),
    FIELD(address, "address", address, 0, "", "lowest address of the module"),
    FIELD(table, "table", address, 0, "", "its dispatch table, which its objects point to"),
    NAMED(found_by, "found by", name, 0, finding_names, "how the dispatch table was found"),
    FIELD(objects, "objects", count, 1, "", "objects of it that were found, of any kind"),
};
#undef INFO

#define INFO ompd_cl_layout_info_t
static const ompd_cl_field_t layout_fields[] = {
    FIELD(runtime, "runtime", text, 1, "", "name and version of the runtime"),
    FIELD(module, "module", text, 1, "", "file of the runtime"),
    FIELD(build_id, "build-id", text, 1, "", "build of the runtime that it is of, hexadecimal"),
    FIELD(machine, "machine", number, 0, "", "machine that it is for, as ELF numbers them"),
    FIELD(pointer_size, "pointer size", bytes, 0, "B", "size of a pointer on that machine"),
};
#undef INFO

#define KIND(kind_name, context, kind, state, size, queue)                                         \
    [ompd_cl_kind_##kind_name] = {#kind_name,                                                      \
                                  kind_name##_fields,                                              \
                                  COUNT(kind_name##_fields),                                       \
                                  sizeof(ompd_cl_##kind_name##_info_t),                            \
                                  context,                                                         \
                                  kind,                                                            \
                                  state,                                                           \
                                  size,                                                            \
                                  queue}
#define AT(kind_name, member) offsetof(ompd_cl_##kind_name##_info_t, member)

static const struct kind kinds[] = {
    KIND(overview, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(platform, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(context, AT(context, handle), FIELD_NONE, AT(context, state), FIELD_NONE, FIELD_NONE),
    KIND(queue, AT(queue, context), FIELD_NONE, AT(queue, state), FIELD_NONE, FIELD_NONE),
    KIND(memobj, AT(memobj, context), AT(memobj, kind), AT(memobj, state), AT(memobj, size),
         FIELD_NONE),
    KIND(destructor, FIELD_NONE, FIELD_NONE, AT(destructor, state), FIELD_NONE, FIELD_NONE),
    KIND(svm, AT(svm, context), AT(svm, kind), AT(svm, state), AT(svm, size), FIELD_NONE),
    KIND(svm_free, AT(svm_free, context), FIELD_NONE, AT(svm_free, state), FIELD_NONE,
         AT(svm_free, queue)),
    KIND(svm_pointer, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(wait, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(thread, FIELD_NONE, FIELD_NONE, AT(thread, state), FIELD_NONE, FIELD_NONE),
    KIND(activity, FIELD_NONE, FIELD_NONE, AT(activity, state), FIELD_NONE, FIELD_NONE),
    KIND(usage, FIELD_NONE, AT(usage, kind), FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(memory, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(runtime, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(layout, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(event, AT(event, context), FIELD_NONE, AT(event, state), FIELD_NONE, AT(event, queue)),
    KIND(kernel, AT(kernel, context), FIELD_NONE, AT(kernel, state), FIELD_NONE, FIELD_NONE),
    KIND(program, AT(program, context), FIELD_NONE, AT(program, state), FIELD_NONE, FIELD_NONE),
    KIND(sampler, AT(sampler, context), FIELD_NONE, AT(sampler, state), FIELD_NONE, FIELD_NONE),
    KIND(device, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
    KIND(command, AT(command, context), FIELD_NONE, AT(command, state), FIELD_NONE,
         AT(command, queue)),
    KIND(finding, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE),
};

const struct kind *kind_find(uint32_t kind)
{
    if (kind >= COUNT(kinds) || kinds[kind].name == NULL)
        return NULL;
    return &kinds[kind];
}

PUBLIC ompd_rc_t ompd_cl_field_get(ompd_cl_kind_t kind, uint32_t index,
                                   const ompd_cl_field_t **field)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || field == NULL)
        return ompd_rc_bad_input;
    if (index >= found->field_count)
        return ompd_rc_unavailable;
    *field = &found->fields[index];
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_kind_get(ompd_cl_kind_t kind, const char **name, ompd_size_t *struct_size)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || name == NULL || struct_size == NULL)
        return ompd_rc_bad_input;
    *name = found->name;
    *struct_size = found->struct_size;
    return ompd_rc_ok;
}
