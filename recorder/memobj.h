/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is recorded of a memory object when it is created. */
#ifndef RECORDER_MEMOBJ_H
#define RECORDER_MEMOBJ_H

#include <stdint.h>

#include <CL/cl.h>

#include "object.h"
#include "publish.h"

/* The facts that the creating call tells.  What does not apply is 0. */
struct recorder_memobj {
    cl_mem handle;
    cl_context context; /* NULL: its parent's */
    cl_mem parent;
    cl_mem_object_type type;
    cl_mem_flags flags; /* as passed */
    uint64_t size;
    const void *host_pointer; /* as passed */
    uint64_t origin;
    enum ompd_cl_registry_sharing sharing;
    uint32_t sharing_name;
    const void *return_address;
};

void recorder_memobj_created(const struct recorder_memobj *memobj);

/* The same, faster, for what programs create most: a buffer without CL_MEM_USE_HOST_PTR. */
RECORDER_INLINE void recorder_buffer_created(cl_mem buffer, cl_context context, cl_mem_flags flags,
                                             size_t size, const void *return_address)
{
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_object_open(&entry, ompd_cl_registry_memobj, buffer,
                                                CL_MEM_OBJECT_BUFFER, return_address))) {
        return;
    }
    struct ompd_cl_registry_memobj_record *record = (void *)entry.object;
    struct recorder_entry its_context;
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    record->flags = flags ? flags : CL_MEM_READ_WRITE;
    record->size = size;
    record->host_pointer = 0;
    record->origin = 0;
    record->parent_handle = 0;
    record->svm = 0;
    record->svm_generation = 0;
    record->sharing = ompd_cl_registry_sharing_none;
    record->sharing_name = 0;
    record->children_released = 0;
    record->map_count = 0;
    struct recorder_family family = {.context = (void *)its_context.object};
    recorder_object_publish_in(&entry, &family);
    recorder_last_set(&entry, ompd_cl_registry_memobj);
}

/* The runtime has taken a command of the program's that maps MEMOBJ, or IS_UNDONE: undoes that. */
void recorder_memobj_mapped(cl_mem memobj, bool is_undone);

#endif
