/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small OpenCL vendor library of the test suite, for what no installed runtime can do: pipes, GL,
 * EGL and vendor creation functions, context destructor callbacks, late callbacks on other threads,
 * failing calls.  It computes nothing.  Some arguments select special behaviour: see ICD_... below.
 */
#ifndef ICD_H
#define ICD_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A buffer of this size cannot be made, nor a fill of it enqueued. */
#define ICD_SIZE_FAILS 666
/* The first release of a buffer of this size fails and changes nothing. */
#define ICD_SIZE_RELEASE_FAILS 667
/* Buffers of this size share one place: a new one silently destroys the old one, and their
 * reference count is always 5. */
#define ICD_SIZE_ONE_PLACE 669
/* Every other registration of a destructor callback on a buffer of this size fails, the first too.
 */
#define ICD_SIZE_REGISTER_FAILS 668
/* A buffer of this size has the device address 0. */
#define ICD_SIZE_NO_ADDRESS 670
#define ICD_DEVICE_PRIVATE_ADDRESS 0x5000 /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT */
#define ICD_DEVICE_ADDRESS 0x5001         /* CL_MEM_DEVICE_ADDRESS_EXT */
/* A program with such a source cannot be built. */
#define ICD_SOURCE_FAILS "is no C"
/* An SVM free of so many pointers fails, and so does an acquire of so many memory objects. */
#define ICD_COUNT_FAILS 13

/* Names given to clGetExtensionFunctionAddressForPlatform, type icd_switch_t: while on, destructor
 * callbacks wait; switching off runs them on the worker thread and returns when all have begun. */
#define ICD_HOLD_NAME "testIcdHold"
typedef void (*icd_switch_t)(int on);

/* Likewise: report TEXT and the SIZE bytes at INFO to the `pfn_notify` of the last context created,
 * on the worker thread if ON_WORKER, and even if that context no longer exists.  Returns false when
 * the context was created without one. */
#define ICD_REPORT_NAME "testIcdReport"
typedef bool (*icd_report_t)(const char *text, const void *info, size_t size, bool on_worker);

#define ICD_MAX_DESTRUCTORS 16

typedef enum icd_kind_t {
    icd_context,
    icd_queue,
    icd_memobj,
    icd_program,
    icd_kernel,
    icd_sampler,
    icd_event,
    icd_command_buffer,
    icd_semaphore
} icd_kind_t;

typedef struct icd_destructor_t {
    void (*function)(void *object, void *user_data);
    void *user_data;
} icd_destructor_t;

/* Every object; the dispatch table comes first as the loader demands. */
typedef struct icd_object_t {
    const cl_icd_dispatch *dispatch;
    icd_kind_t kind;
    atomic_int references;
    struct icd_object_t *context;
    struct icd_object_t *parent;
    cl_uint type;
    cl_bitfield flags;
    size_t size;
    size_t origin;
    void *host_pointer;
    cl_ulong device_address;
    atomic_int status; /* of an event */
    int release_failures;
    int registrations;
    size_t destructor_count;
    icd_destructor_t destructors[ICD_MAX_DESTRUCTORS];
} icd_object_t;

extern const cl_icd_dispatch icd_dispatch;
extern icd_object_t icd_the_platform;
extern icd_object_t icd_the_device;

/* Make an object with one reference, which holds one of CONTEXT and one of PARENT. */
icd_object_t *icd_object_create(icd_kind_t kind, void *context, void *parent);
cl_int icd_object_retain(void *object);
cl_int icd_object_release(void *object);
cl_int icd_destructor_set(void *object, void (*function)(void *, void *), void *user_data);

/* Answer an Info call with SIZE bytes at VALUE. */
cl_int icd_answer(const void *value, size_t size, size_t room, void *out, size_t *size_out);

/* Make a memory object; SIZE may be ICD_SIZE_.... */
cl_mem icd_memobj_create(cl_context context, cl_uint type, cl_mem_flags flags, size_t size,
                         void *host_pointer, cl_int *status);

/* Run FUNCTION(ARGUMENT) on the worker thread, at once. */
void icd_worker_run(void (*function)(void *), void *argument);

/* Enqueue a command of TYPE that does nothing and is complete at once. */
void icd_command_complete(cl_command_queue queue, cl_command_type type, cl_event *event);

/* Enqueue a command of TYPE that does nothing. It runs when the first event of WAITS is set, or in
 * clFinish. */
void icd_command_enqueue(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                         const cl_event *waits, cl_event *event);

/* Functions of command buffers and semaphores; the versions of these extensions. */
void *icd_buffer_extension_find(const char *name);
cl_int icd_answer_extensions(size_t room, void *value, size_t *size);

void icd_hold(int on);
bool icd_report(const char *text, const void *info, size_t size, bool on_worker);
void *icd_extension_find(const char *name);

/* Entries of the dispatch table that other files hold. */
CL_API_ENTRY cl_mem CL_API_CALL icd_create_buffer(cl_context, cl_mem_flags, size_t, void *,
                                                  cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_buffer_with_properties(cl_context,
                                                                  const cl_mem_properties *,
                                                                  cl_mem_flags, size_t, void *,
                                                                  cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_sub_buffer(cl_mem, cl_mem_flags, cl_buffer_create_type,
                                                      const void *, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_image(cl_context, cl_mem_flags, const cl_image_format *,
                                                 const cl_image_desc *, void *, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL
icd_create_image_with_properties(cl_context, const cl_mem_properties *, cl_mem_flags,
                                 const cl_image_format *, const cl_image_desc *, void *, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_pipe(cl_context, cl_mem_flags, cl_uint, cl_uint,
                                                const cl_pipe_properties *, cl_int *);
CL_API_ENTRY cl_program CL_API_CALL icd_create_program(cl_context, cl_uint, const char **,
                                                       const size_t *, cl_int *);
CL_API_ENTRY cl_int CL_API_CALL icd_build_program(cl_program, cl_uint, const cl_device_id *,
                                                  const char *,
                                                  void(CL_CALLBACK *)(cl_program, void *), void *);
CL_API_ENTRY cl_int CL_API_CALL icd_get_build_info(cl_program, cl_device_id, cl_program_build_info,
                                                   size_t, void *, size_t *);
CL_API_ENTRY cl_kernel CL_API_CALL icd_create_kernel(cl_program, const char *, cl_int *);
CL_API_ENTRY cl_int CL_API_CALL icd_create_kernels(cl_program, cl_uint, cl_kernel *, cl_uint *);
CL_API_ENTRY cl_int CL_API_CALL icd_get_kernel_arg_info(cl_kernel, cl_uint, cl_kernel_arg_info,
                                                        size_t, void *, size_t *);
CL_API_ENTRY cl_int CL_API_CALL icd_get_kernel_info(cl_kernel, cl_kernel_info, size_t, void *,
                                                    size_t *);
CL_API_ENTRY cl_int CL_API_CALL icd_set_kernel_arg(cl_kernel, cl_uint, size_t, const void *);
CL_API_ENTRY cl_sampler CL_API_CALL icd_create_sampler(cl_context, cl_bool, cl_addressing_mode,
                                                       cl_filter_mode, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_buffer(cl_context, cl_mem_flags, cl_GLuint, int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_texture(cl_context, cl_mem_flags, cl_GLenum, cl_GLint,
                                                      cl_GLuint, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_gl_renderbuffer(cl_context, cl_mem_flags, cl_GLuint,
                                                           cl_int *);
CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_acquire_gl(cl_command_queue, cl_uint, const cl_mem *,
                                                       cl_uint, const cl_event *, cl_event *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_egl_image(cl_context, CLeglDisplayKHR, CLeglImageKHR,
                                                     cl_mem_flags,
                                                     const cl_egl_image_properties_khr *, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_image2d(cl_context, cl_mem_flags,
                                                   const cl_image_format *, size_t, size_t, size_t,
                                                   void *, cl_int *);
CL_API_ENTRY cl_mem CL_API_CALL icd_create_image3d(cl_context, cl_mem_flags,
                                                   const cl_image_format *, size_t, size_t, size_t,
                                                   size_t, size_t, void *, cl_int *);
CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_write(cl_command_queue, cl_mem, cl_bool, size_t, size_t,
                                                  const void *, cl_uint, const cl_event *,
                                                  cl_event *);
CL_API_ENTRY cl_int CL_API_CALL icd_get_memobj_info(cl_mem, cl_mem_info, size_t, void *, size_t *);
CL_API_ENTRY void *CL_API_CALL icd_svm_alloc(cl_context, cl_svm_mem_flags, size_t, cl_uint);
CL_API_ENTRY void CL_API_CALL icd_svm_free(cl_context, void *);
CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_svm_free(cl_command_queue, cl_uint, void *[],
                                                     void(CL_CALLBACK *)(cl_command_queue, cl_uint,
                                                                         void *[], void *),
                                                     void *, cl_uint, const cl_event *, cl_event *);
CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_write(cl_command_queue, cl_mem, cl_bool, size_t, size_t,
                                                  const void *, cl_uint, const cl_event *,
                                                  cl_event *);
CL_API_ENTRY cl_event CL_API_CALL icd_create_user_event(cl_context, cl_int *);
CL_API_ENTRY cl_int CL_API_CALL icd_set_user_event_status(cl_event, cl_int);
CL_API_ENTRY cl_int CL_API_CALL icd_wait_for_events(cl_uint, const cl_event *);
CL_API_ENTRY cl_int CL_API_CALL icd_get_event_info(cl_event, cl_event_info, size_t, void *,
                                                   size_t *);
CL_API_ENTRY cl_int CL_API_CALL icd_flush(cl_command_queue);
CL_API_ENTRY cl_int CL_API_CALL icd_finish(cl_command_queue);

#endif
