/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory objects whose creating call does not have all facts. */
#include "wrap/wrap.h"

static size_t memobj_size_get(cl_mem memobj)
{
    size_t size = 0;
    RECORDER_TARGET.clGetMemObjectInfo(memobj, CL_MEM_SIZE, sizeof(size), &size, NULL);
    return size;
}

static cl_mem_object_type memobj_type_get(cl_mem memobj)
{
    cl_mem_object_type type = 0;
    RECORDER_TARGET.clGetMemObjectInfo(memobj, CL_MEM_TYPE, sizeof(type), &type, NULL);
    return type;
}

void recorder_memobj_ask(struct recorder_memobj memobj)
{
    if (!memobj.handle) {
        return;
    }
    if (!memobj.type) {
        memobj.type = memobj_type_get(memobj.handle);
    }
    memobj.size = memobj_size_get(memobj.handle);
    recorder_memobj_created(&memobj);
}

cl_mem CL_API_CALL RECORDER_WRAPPER(clCreateSubBuffer)(cl_mem parent, cl_mem_flags flags,
                                                       cl_buffer_create_type type, const void *info,
                                                       cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSubBuffer, parent);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(parent);
    cl_mem buffer = RECORDER_TARGET.clCreateSubBuffer(parent, flags, type, info, errcode_ret);
    if (buffer) {
        cl_buffer_region region = {0, 0};
        if (type == CL_BUFFER_CREATE_TYPE_REGION && info) {
            region = *(const cl_buffer_region *)info;
        }
        recorder_memobj_created(&(struct recorder_memobj){
            .handle = buffer,
            .parent = parent,
            .type = CL_MEM_OBJECT_BUFFER,
            .flags = flags,
            .size = region.size,
            .origin = region.origin,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    RECORDER_USED(buffer);
    RECORDER_EXPLAIN_NULL(buffer, clCreateSubBuffer, *errcode_ret, parent, flags, type, info);
    return RECORDER_MADE(buffer, errcode_ret);
}

uint32_t recorder_memobj_runtime_count(const void *handle)
{
    cl_uint count = 0;
    RECORDER_TARGET.clGetMemObjectInfo((cl_mem)handle, CL_MEM_REFERENCE_COUNT, sizeof(count),
                                       &count, NULL);
    return count;
}
