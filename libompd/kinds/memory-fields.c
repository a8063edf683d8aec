/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory objects, SVM allocations, and what is called or enqueued to end them. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t sharing_names[] = {
    {ompd_cl_sharing_gl, "gl", NULL},
    {ompd_cl_sharing_egl, "egl", NULL},
    {ompd_cl_sharing_va_api, "va-api", NULL},
    {ompd_cl_sharing_imported, "imported", NULL},
};

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

KIND(memobj, AT(memobj, context), AT(memobj, kind), AT(memobj, state), AT(memobj, size),
     FIELD_NONE);

static const ompd_cl_name_t destructor_state_names[] = {
    {ompd_cl_state_registered, "registered", "will be called when the object is destroyed"},
    {ompd_cl_state_running, "running", "is being called"},
    {ompd_cl_state_done, "done", "has returned"},
    STATE_LEFT,
};

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
    USER_DATA_PLACE,
};
#undef INFO

KIND(destructor, FIELD_NONE, FIELD_NONE, AT(destructor, state), FIELD_NONE, FIELD_NONE);

static const ompd_cl_name_t svm_kind_names[] = {
    {ompd_cl_svm_svm, "svm", NULL},
    {ompd_cl_svm_svm_arm, "svm-arm", NULL},
    {ompd_cl_svm_usm_host, "usm-host", NULL},
    {ompd_cl_svm_usm_device, "usm-device", NULL},
    {ompd_cl_svm_usm_shared, "usm-shared", NULL},
};

static const ompd_cl_name_t svm_state_names[] = {
    {ompd_cl_state_live, "allocated", "no command that would free it is known"},
    {ompd_cl_state_enqueued, "free-enqueued", "a command that frees it is enqueued"},
};

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

KIND(svm, AT(svm, context), AT(svm, kind), AT(svm, state), AT(svm, size), FIELD_NONE);

static const ompd_cl_name_t svm_free_state_names[] = {
    {ompd_cl_state_enqueued, "enqueued", "is not known to have run"},
    {ompd_cl_state_running, "running", "its function is being called"},
    {ompd_cl_state_done, "done", "has freed its pointers"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
    STATE_LEFT,
};

#define INFO ompd_cl_svm_free_info_t
static const ompd_cl_field_t svm_free_fields[] = {
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue that it is in"),
    FIELD(context, "context", handle, 0, "", "cl_context of the queue"),
    FIELD(pointer_count, "pointers", count, 1, "", "SVM pointers that it frees"),
    FIELD(function, "callback", function, 1, "",
          "function that frees them; none: the runtime does"),
    FIELD(user_data, "user_data", address, 1, "", "what the callback is called with"),
    FIELD(wait_count, "events awaited", count, 1, "", "events that it waits for"),
    FIELD(event, "event", handle, 1, "", "cl_event of the command, if the program asked for one"),
    NAMED(state, "state", state, 1, svm_free_state_names, "how far it is known to have come"),
    FIELD(running_lwp, "run by", lwp, 0, "", "thread that runs the callback, or ran it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    DOUBT,
    USER_DATA_PLACE,
};
#undef INFO

KIND(svm_free, AT(svm_free, context), FIELD_NONE, AT(svm_free, state), FIELD_NONE,
     AT(svm_free, queue));

#define INFO ompd_cl_svm_pointer_info_t
static const ompd_cl_field_t svm_pointer_fields[] = {
    FIELD(pointer, "pointer", address, 1, "", "pointer that the command frees"),
    FIELD(from_svm_alloc, "from clSVMAlloc", boolean, 1, "",
          "whether clSVMAlloc was seen to give it"),
};
#undef INFO

KIND(svm_pointer, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
