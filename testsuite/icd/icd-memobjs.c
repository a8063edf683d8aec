/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "icd.h"

#define PIXEL_SIZE 4
#define SHARED_SIZE 5000 /* of what GL and EGL share: the program cannot know it */

CL_API_ENTRY cl_mem CL_API_CALL icd_create_buffer(cl_context context, cl_mem_flags flags,
                                                  size_t size, void *host_pointer, cl_int *status)
{
    if (size == 0) {
        if (status != NULL)
            *status = CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    return icd_memobj_create(context, CL_MEM_OBJECT_BUFFER, flags, size, host_pointer, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_buffer_with_properties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
    void *host_pointer, cl_int *status)
{
    static atomic_ullong last_address = 0x200000000000;
    cl_mem buffer = icd_create_buffer(context, flags, size, host_pointer, status);
    if (buffer != NULL && properties != NULL && properties[0] == ICD_DEVICE_PRIVATE_ADDRESS &&
        size != ICD_SIZE_NO_ADDRESS)
        ((icd_object_t *)buffer)->device_address = last_address += 0x10000;
    return buffer;
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                                      cl_buffer_create_type type, const void *info,
                                                      cl_int *status)
{
    const cl_buffer_region *region = info;
    icd_object_t *parent = (icd_object_t *)buffer;
    icd_object_t *object = icd_object_create(icd_memobj, parent->context, parent);
    (void)type;
    object->type = CL_MEM_OBJECT_BUFFER;
    object->flags = flags != 0 ? flags : parent->flags;
    object->size = region->size;
    object->origin = region->origin;
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_mem)object;
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_image(cl_context context, cl_mem_flags flags,
                                                 const cl_image_format *format,
                                                 const cl_image_desc *shape, void *host_pointer,
                                                 cl_int *status)
{
    size_t height = shape->image_height > 0 ? shape->image_height : 1;
    size_t size = PIXEL_SIZE * shape->image_width * height;
    (void)format;
    cl_mem image = icd_memobj_create(context, shape->image_type, flags, size, host_pointer, status);
    icd_object_t *parent = (icd_object_t *)shape->mem_object;
    if (parent != NULL) {
        ((icd_object_t *)image)->parent = parent;
        icd_object_retain(parent);
    }
    return image;
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_image_with_properties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *shape, void *host_pointer, cl_int *status)
{
    (void)properties;
    return icd_create_image(context, flags, format, shape, host_pointer, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_image2d(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *format, size_t width,
                                                   size_t height, size_t row_pitch,
                                                   void *host_pointer, cl_int *status)
{
    size_t size = PIXEL_SIZE * width * height;
    (void)format;
    (void)row_pitch;
    return icd_memobj_create(context, CL_MEM_OBJECT_IMAGE2D, flags, size, host_pointer, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_image3d(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *format, size_t width,
                                                   size_t height, size_t depth, size_t row_pitch,
                                                   size_t slice_pitch, void *host_pointer,
                                                   cl_int *status)
{
    size_t size = PIXEL_SIZE * width * height * depth;
    (void)format;
    (void)row_pitch;
    (void)slice_pitch;
    return icd_memobj_create(context, CL_MEM_OBJECT_IMAGE3D, flags, size, host_pointer, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_pipe(cl_context context, cl_mem_flags flags,
                                                cl_uint packet_size, cl_uint packets,
                                                const cl_pipe_properties *properties,
                                                cl_int *status)
{
    size_t size = (size_t)packet_size * packets;
    (void)properties;
    return icd_memobj_create(context, CL_MEM_OBJECT_PIPE, flags, size, NULL, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_buffer(cl_context context, cl_mem_flags flags,
                                                     cl_GLuint name, int *status)
{
    return icd_memobj_create(context, CL_MEM_OBJECT_BUFFER, flags, SHARED_SIZE + name, NULL,
                             status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_texture(cl_context context, cl_mem_flags flags,
                                                      cl_GLenum target, cl_GLint level,
                                                      cl_GLuint name, cl_int *status)
{
    (void)target;
    (void)level;
    return icd_memobj_create(context, CL_MEM_OBJECT_IMAGE2D, flags, SHARED_SIZE + name, NULL,
                             status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_renderbuffer(cl_context context, cl_mem_flags flags,
                                                           cl_GLuint name, cl_int *status)
{
    return icd_create_gl_texture(context, flags, 0, 0, name, status);
}

CL_API_ENTRY cl_mem CL_API_CALL icd_create_egl_image(cl_context context, CLeglDisplayKHR display,
                                                     CLeglImageKHR image, cl_mem_flags flags,
                                                     const cl_egl_image_properties_khr *properties,
                                                     cl_int *status)
{
    (void)display;
    (void)image;
    (void)properties;
    return icd_memobj_create(context, CL_MEM_OBJECT_IMAGE2D, flags, SHARED_SIZE, NULL, status);
}

CL_API_ENTRY cl_int CL_API_CALL icd_get_memobj_info(cl_mem memory, cl_mem_info name, size_t room,
                                                    void *value, size_t *size)
{
    icd_object_t *object = (icd_object_t *)memory;
    cl_uint references = (cl_uint)object->references;
    switch (name) {
    case CL_MEM_TYPE:
        return icd_answer(&object->type, sizeof(object->type), room, value, size);
    case CL_MEM_FLAGS:
        return icd_answer(&object->flags, sizeof(object->flags), room, value, size);
    case CL_MEM_SIZE:
        return icd_answer(&object->size, sizeof(object->size), room, value, size);
    case CL_MEM_HOST_PTR:
        return icd_answer(&object->host_pointer, sizeof(void *), room, value, size);
    case CL_MEM_REFERENCE_COUNT:
        return icd_answer(&references, sizeof(references), room, value, size);
    case CL_MEM_CONTEXT:
        return icd_answer(&object->context, sizeof(void *), room, value, size);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return icd_answer(&object->parent, sizeof(void *), room, value, size);
    case CL_MEM_OFFSET:
        return icd_answer(&object->origin, sizeof(object->origin), room, value, size);
    case ICD_DEVICE_ADDRESS:
        return icd_answer(&object->device_address, sizeof(cl_ulong), room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}
