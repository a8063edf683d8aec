/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Images, and memory objects that share storage with graphics. */
#include "wrap/wrap.h"

static size_t size_ask(cl_mem memobj)
{
    size_t size = 0;
    RECORDER_TARGET.clGetMemObjectInfo(memobj, CL_MEM_SIZE, sizeof(size), &size, NULL);
    return size;
}

static cl_mem_object_type type_ask(cl_mem memobj)
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
        memobj.type = type_ask(memobj.handle);
    }
    memobj.size = size_ask(memobj.handle);
    recorder_memobj_created(&memobj);
}

static cl_mem CL_API_CALL wrap_create_image(cl_context context, cl_mem_flags flags,
                                            const cl_image_format *format,
                                            const cl_image_desc *description, void *host_ptr,
                                            cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateImage, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem image =
        RECORDER_TARGET.clCreateImage(context, flags, format, description, host_ptr, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = image,
        .context = context,
        .parent = image ? description->mem_object : NULL,
        .type = image ? description->image_type : 0,
        .flags = flags,
        .host_pointer = host_ptr,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(image, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_image_with_properties(cl_context context,
                                                            const cl_mem_properties *properties,
                                                            cl_mem_flags flags,
                                                            const cl_image_format *format,
                                                            const cl_image_desc *description,
                                                            void *host_ptr, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateImageWithProperties, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem image = RECORDER_TARGET.clCreateImageWithProperties(context, properties, flags, format,
                                                               description, host_ptr, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = image,
        .context = context,
        .parent = image ? description->mem_object : NULL,
        .type = image ? description->image_type : 0,
        .flags = flags,
        .host_pointer = host_ptr,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(image, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_image_2d(cl_context context, cl_mem_flags flags,
                                               const cl_image_format *format, size_t width,
                                               size_t height, size_t row_pitch, void *host_ptr,
                                               cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateImage2D, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem image = RECORDER_TARGET.clCreateImage2D(context, flags, format, width, height, row_pitch,
                                                   host_ptr, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = image,
        .context = context,
        .type = CL_MEM_OBJECT_IMAGE2D,
        .flags = flags,
        .host_pointer = host_ptr,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(image, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_image_3d(cl_context context, cl_mem_flags flags,
                                               const cl_image_format *format, size_t width,
                                               size_t height, size_t depth, size_t row_pitch,
                                               size_t slice_pitch, void *host_ptr,
                                               cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateImage3D, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem image = RECORDER_TARGET.clCreateImage3D(context, flags, format, width, height, depth,
                                                   row_pitch, slice_pitch, host_ptr, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = image,
        .context = context,
        .type = CL_MEM_OBJECT_IMAGE3D,
        .flags = flags,
        .host_pointer = host_ptr,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(image, errcode_ret);
}

/* A memory object was made of the GL object NAME. */
static void gl_object_shared(cl_mem memobj, cl_context context, cl_mem_flags flags, cl_GLuint name,
                             const void *return_address)
{
    recorder_memobj_ask((struct recorder_memobj){
        .handle = memobj,
        .context = context,
        .flags = flags,
        .sharing = ompd_cl_registry_sharing_gl,
        .sharing_name = name,
        .return_address = return_address,
    });
}

static cl_mem CL_API_CALL wrap_create_from_gl_buffer(cl_context context, cl_mem_flags flags,
                                                     cl_GLuint name, int *errcode_ret)
{
    RECORDER_CALL(clCreateFromGLBuffer, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj = RECORDER_TARGET.clCreateFromGLBuffer(context, flags, name, errcode_ret);
    gl_object_shared(memobj, context, flags, name, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_gl_texture(cl_context context, cl_mem_flags flags,
                                                      cl_GLenum target, cl_GLint miplevel,
                                                      cl_GLuint name, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromGLTexture, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj =
        RECORDER_TARGET.clCreateFromGLTexture(context, flags, target, miplevel, name, errcode_ret);
    gl_object_shared(memobj, context, flags, name, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_gl_texture_2d(cl_context context, cl_mem_flags flags,
                                                         cl_GLenum target, cl_GLint miplevel,
                                                         cl_GLuint name, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromGLTexture2D, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj = RECORDER_TARGET.clCreateFromGLTexture2D(context, flags, target, miplevel, name,
                                                            errcode_ret);
    gl_object_shared(memobj, context, flags, name, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_gl_texture_3d(cl_context context, cl_mem_flags flags,
                                                         cl_GLenum target, cl_GLint miplevel,
                                                         cl_GLuint name, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromGLTexture3D, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj = RECORDER_TARGET.clCreateFromGLTexture3D(context, flags, target, miplevel, name,
                                                            errcode_ret);
    gl_object_shared(memobj, context, flags, name, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_gl_renderbuffer(cl_context context, cl_mem_flags flags,
                                                           cl_GLuint name, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromGLRenderbuffer, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj = RECORDER_TARGET.clCreateFromGLRenderbuffer(context, flags, name, errcode_ret);
    gl_object_shared(memobj, context, flags, name, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_egl_image(cl_context context, CLeglDisplayKHR display,
                                                     CLeglImageKHR image, cl_mem_flags flags,
                                                     const cl_egl_image_properties_khr *properties,
                                                     cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromEGLImageKHR, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem memobj = RECORDER_TARGET.clCreateFromEGLImageKHR(context, display, image, flags,
                                                            properties, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = memobj,
        .context = context,
        .flags = flags,
        .sharing = ompd_cl_registry_sharing_egl,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(memobj, errcode_ret);
}

void recorder_wrap_images(cl_icd_dispatch *table)
{
    table->clCreateImage = wrap_create_image;
    table->clCreateImageWithProperties = wrap_create_image_with_properties;
    table->clCreateImage2D = wrap_create_image_2d;
    table->clCreateImage3D = wrap_create_image_3d;
    table->clCreateFromGLBuffer = wrap_create_from_gl_buffer;
    table->clCreateFromGLTexture = wrap_create_from_gl_texture;
    table->clCreateFromGLTexture2D = wrap_create_from_gl_texture_2d;
    table->clCreateFromGLTexture3D = wrap_create_from_gl_texture_3d;
    table->clCreateFromGLRenderbuffer = wrap_create_from_gl_renderbuffer;
    table->clCreateFromEGLImageKHR = wrap_create_from_egl_image;
}
