/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why calls were refused: the conditions of schema/conditions.def, and the facts that they use.
 *
 * A fact is what the recorder has recorded, or what the runtime answers about an object that the
 * recorder knows to be live. What is not known is no fact: then the condition does not hold, and
 * another one, or none, is the reason. All this runs only after a call has failed.
 */
#ifndef RECORDER_REFUSALS_H
#define RECORDER_REFUSALS_H

#include "objects/objects.h"
#include "refusals/arguments.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

/* A search for the reason of one refused call. A fact that is true leaves in VALUES what the
 * sentence of its condition shows. */
struct refusal {
    const cl_icd_dispatch *target; /* the loader's functions */
    cl_int error;
    uint32_t number; /* of the condition; 0: none was found */
    uint64_t values[RECORDER_REASON_VALUES];
    size_t needed;      /* bytes of a query's answer */
    cl_context context; /* that other objects should be in */
};

/* A handle or an address as a value. */
#define ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))

/* Set VALUES to the given ones; always true. */
bool refusal_values(struct refusal *refusal, uint64_t first, uint64_t second, uint64_t third);

/* ---- handles --------------------------------------------------------------------------------- */

/* Facts about a handle, which should be of an object of TABLE. */
typedef bool refusal_test(struct refusal *refusal, uint32_t table, const void *handle);

/* It is NULL. No values. */
refusal_test refusal_is_null;
/* It is of a live object of another kind. Values: handle, table. */
refusal_test refusal_is_other_kind;
/* The program has released all its references. Value: handle. */
refusal_test refusal_is_released;
/* The recorder knows no object with this handle. Value: handle. */
refusal_test refusal_is_unknown;
/* It is in another context than `context` of REFUSAL. Values: its context, that context. */
refusal_test refusal_is_elsewhere;
/* It is an event that has failed. Values: handle, error. */
refusal_test refusal_has_failed;
/* It is no user event. Value: handle. */
refusal_test refusal_is_no_user_event;
/* It is a user event. Value: handle. */
refusal_test refusal_is_user_event;
/* It is a user event that was set. Value: handle. */
refusal_test refusal_is_set;
/* It is a program that was never built, compiled or linked. Value: handle. */
refusal_test refusal_is_uncompiled;
/* It is a pointer into no SVM allocation. Value: it. */
refusal_test refusal_is_foreign_pointer;
/* It is a memory object that is no buffer, or no image. Values: handle, cl_mem_object_type. */
refusal_test refusal_is_no_buffer;
refusal_test refusal_is_no_image;
/* It is a memory object that shares none with OpenGL. Value: handle. */
refusal_test refusal_is_no_gl_object;

/* Whether TEST holds for one of the COUNT handles of LIST, in the program's memory. Values: its
 * index, then those of TEST. */
bool refusal_list_has(struct refusal *refusal, refusal_test *test, uint32_t table, const void *list,
                      uint32_t count);

/* Whether the queue of EVENT does not profile. Value: queue. */
bool refusal_is_unprofiled(struct refusal *refusal, cl_event event);
/* Whether the command of EVENT is still not complete. Value: event. */
bool refusal_is_incomplete(struct refusal *refusal, cl_event event);

/* Whether the program holds a reference of the object. */
bool refusal_is_live(uint32_t table, const void *handle);

/* The context of an object, and a context's own handle; NULL when it is not known. */
cl_context refusal_context_of(uint32_t table, const void *handle);

/* Expect the context of that object. Returns true. */
bool refusal_expect_context_of(struct refusal *refusal, uint32_t table, const void *handle);

/* Copy SIZE bytes of the program's memory. Returns false if they are not mapped. */
bool refusal_read(void *to, const void *from, size_t size);

/* ---- memory ---------------------------------------------------------------------------------- */

/* What is recorded of a memory object, 0 if that is not known: cl_mem_object_type, flags,
 * parent. */
cl_mem_object_type refusal_memobj_type(cl_mem memobj);
cl_mem_flags refusal_memobj_flags(cl_mem memobj);
cl_mem refusal_memobj_parent(cl_mem memobj);

/* Whether [OFFSET, OFFSET + SIZE) ends after the memory object. Values: offset, size, its size. */
bool refusal_is_beyond(struct refusal *refusal, cl_mem memobj, uint64_t offset, uint64_t size);

/* The region of a new sub-buffer, as in the program's memory; one byte at 0 if there is none. */
cl_buffer_region refusal_buffer_region(cl_buffer_create_type type, const void *info);

/* Whether it is mapped at no address, as far as all mappings are recorded. */
bool refusal_is_unmapped(cl_mem memobj);

/* Whether the ranges of a copy within one buffer overlap: SIZE bytes from offsets of SOURCE and
 * DESTINATION, which may be sub-buffers of one buffer. Values: both offsets in that buffer, size.
 */
bool refusal_copy_overlaps(struct refusal *refusal, cl_mem source, uint64_t source_offset,
                           cl_mem destination, uint64_t destination_offset, uint64_t size);

/* Whether FLAGS has bits that are not in ALLOWED. Values: those bits. */
bool refusal_has_other_bits(struct refusal *refusal, uint64_t flags, uint64_t allowed);

/* Whether FLAGS has more than one bit of GROUP. Value: those bits. */
bool refusal_has_several_bits(struct refusal *refusal, uint64_t flags, uint64_t group);

/* Whether flags for a part of PARENT contradict the parent's. Values: flags, the parent's. */
bool refusal_access_contradicts(struct refusal *refusal, cl_mem parent, cl_mem_flags flags);

/* A rectangle of a buffer or of host memory. Arrays have three elements, in the program's memory.
 */
struct refusal_rectangle {
    const size_t *origin;
    const size_t *region;
    size_t row_pitch; /* 0: as for the region */
    size_t slice_pitch;
};

/* Whether one of the three numbers at REGION is 0. Value: its index. */
bool refusal_region_has_zero(struct refusal *refusal, const size_t *region);

/* Whether a pitch is not allowed. Values: it, and what it must not be below, or be a multiple of.
 */
bool refusal_row_pitch_is_low(struct refusal *refusal, const struct refusal_rectangle *rectangle);
bool refusal_slice_pitch_is_low(struct refusal *refusal, const struct refusal_rectangle *rectangle);
bool refusal_slice_pitch_is_odd(struct refusal *refusal, const struct refusal_rectangle *rectangle);

/* Whether the rectangle ends after the memory object. Values: where it ends, the object's size. */
bool refusal_rectangle_is_beyond(struct refusal *refusal, cl_mem memobj,
                                 const struct refusal_rectangle *rectangle);

/* Whether POINTER is in no recorded SVM allocation, in a context whose devices have no fine-grained
 * system SVM. Value: pointer. */
bool refusal_is_no_svm(struct refusal *refusal, cl_context context, const void *pointer);

/* Whether the SIZE bytes at two addresses overlap. Values: size, both addresses. */
bool refusal_pointers_overlap(struct refusal *refusal, const void *one, const void *other,
                              uint64_t size);

/* ---- devices --------------------------------------------------------------------------------- */

/* The number that the runtime has for NAME of DEVICE, which must be live; 0 if it has none. */
uint64_t refusal_device_number(const struct refusal *refusal, cl_device_id device,
                               cl_device_info name);

/* Whether DEVICE, of which NAME is a set of bits that is not empty, lacks some of BITS. Value:
 * those.
 */
bool refusal_device_lacks(struct refusal *refusal, cl_device_id device, cl_device_info name,
                          uint64_t bits);

/* The OpenCL version of DEVICE: 300 for 3.0; 0 when it is not known. */
uint32_t refusal_device_version(const struct refusal *refusal, cl_device_id device);

/* The lowest version of the devices of CONTEXT; 0 when it is not known. Functions of later versions
 * must not be called. */
uint32_t refusal_context_version(const struct refusal *refusal, cl_context context);

/* The device of a live queue; NULL when it is not known. */
cl_device_id refusal_queue_device(cl_command_queue queue);

/* The properties of a live queue; 0 when they are not known. */
cl_command_queue_properties refusal_queue_flags(cl_command_queue queue);

/* The most devices of a list that are looked at. */
#define REFUSAL_DEVICES 64

/* Whether CONTEXT has more than one device. */
bool refusal_has_several_devices(const struct refusal *refusal, cl_context context);

/* Whether DEVICE is not one of CONTEXT's. Values: device, context. */
bool refusal_is_other_device(struct refusal *refusal, cl_context context, cl_device_id device);
/* Whether one of COUNT devices in the program's memory is not. Values: index, device, context. */
bool refusal_list_has_other_device(struct refusal *refusal, cl_context context,
                                   const cl_device_id *devices, uint32_t count);

/* Whether all devices of CONTEXT, at least one, have NUMBER for NAME. */
bool refusal_devices_have(const struct refusal *refusal, cl_context context, cl_device_info name,
                          uint64_t number);
/* The largest number for NAME among the devices of CONTEXT; 0 when it is not known. */
uint64_t refusal_devices_most(const struct refusal *refusal, cl_context context,
                              cl_device_info name);

/* Whether SIZE exceeds that. Values: size, the largest number. */
bool refusal_exceeds_most(struct refusal *refusal, cl_context context, cl_device_info name,
                          uint64_t size);
bool refusal_exceeds_allocation(struct refusal *refusal, cl_context context, uint64_t size);

/* Whether no device of CONTEXT, or DEVICE if that is not NULL, supports SVM of one of KINDS. */
bool refusal_lacks_svm(const struct refusal *refusal, cl_context context, cl_device_id device,
                       uint64_t kinds);

/* Whether clGetPlatformIDs does not return PLATFORM. Value: platform. */
bool refusal_is_no_platform(struct refusal *refusal, cl_platform_id platform);
/* Whether no platform has DEVICE as a root device, and no context was created with it. Value: it.
 */
bool refusal_is_no_device(struct refusal *refusal, cl_device_id device);
/* The same of COUNT devices in the program's memory. Values: index, device. */
bool refusal_list_has_no_device(struct refusal *refusal, const cl_device_id *devices,
                                uint32_t count);
/* Whether they are not of one platform. Values: index, its platform, that of the first. */
bool refusal_list_mixes_platforms(struct refusal *refusal, const cl_device_id *devices,
                                  uint32_t count);
/* Whether one of them is not available. Values: index, device. */
bool refusal_list_has_unavailable(struct refusal *refusal, const cl_device_id *devices,
                                  uint32_t count);
/* The most pairs of a list of properties that are looked at. */
#define REFUSAL_PROPERTIES 32

/* The value of property NAME in a list that ends with 0, in the program's memory; 0 for none. Its
 * words have SIZE bytes. */
uint64_t refusal_property(const void *properties, size_t size, uint64_t name);
/* Whether the list has a name that is not one of the COUNT NAMES, or an extension's. Value: it. */
bool refusal_has_other_property(struct refusal *refusal, const void *properties, size_t size,
                                const uint64_t *names, size_t count);
/* Whether it has a name twice. Value: it. */
bool refusal_repeats_property(struct refusal *refusal, const void *properties, size_t size);

/* Whether a repeated query with STATUS, which has set `needed`, needs more than SIZE bytes. Values:
 * size, needed, name. */
bool refusal_size_is_low(struct refusal *refusal, uint64_t name, size_t size, cl_int status);

/* Whether a partition of DEVICE by PROPERTIES is impossible. Values: the scheme. */
bool refusal_lacks_partition(struct refusal *refusal, cl_device_id device, const void *properties);
/* Whether its counts exceed the device. Values: their sum or number, the limit. */
bool refusal_partition_units(struct refusal *refusal, cl_device_id device, const void *properties);
bool refusal_partition_count(struct refusal *refusal, cl_device_id device, const void *properties);

/* Whether a sub-buffer begins where no device of its context, or DEVICE if that is not NULL, has
 * memory begin. Values: offset, alignment in bytes. */
bool refusal_is_misaligned(struct refusal *refusal, cl_context context, cl_device_id device,
                           uint64_t offset);
/* The same for the sub-buffer MEMOBJ and the device of QUEUE. */
bool refusal_is_misaligned_for(struct refusal *refusal, cl_mem memobj, cl_command_queue queue);

/* ---- images ---------------------------------------------------------------------------------- */

/* Whether a region ends after the image in one dimension. Values: dimension, where it ends, the
 * image's size. */
bool refusal_image_is_beyond(struct refusal *refusal, cl_mem image, const size_t *origin,
                             const size_t *region);
/* Whether it is not 1 (a region) or 0 (an origin) in a dimension that the image does not have.
 * Values: the dimension, the number. */
bool refusal_region_is_deep(struct refusal *refusal, cl_mem image, const size_t *region);
bool refusal_origin_is_deep(struct refusal *refusal, cl_mem image, const size_t *origin);
/* Whether a row or slice pitch is too low for a region of the image. Values: it, the least. */
bool refusal_image_row_is_low(struct refusal *refusal, cl_mem image, const size_t *region,
                              size_t row_pitch);
bool refusal_image_slice_is_low(struct refusal *refusal, cl_mem image, const size_t *region,
                                size_t row_pitch, size_t slice_pitch);
/* Whether two images differ in their formats. Values: order and type of each. */
bool refusal_formats_differ(struct refusal *refusal, cl_mem one, cl_mem other);
/* Whether the regions of a copy within one memory object overlap. No values. */
bool refusal_regions_overlap(struct refusal *refusal, cl_mem source, const size_t *source_origin,
                             cl_mem destination, const size_t *destination_origin,
                             const size_t *region);
/* The bytes of a region of the image; 0 when they are not known. */
uint64_t refusal_image_bytes(const struct refusal *refusal, cl_mem image, const size_t *region);
/* Whether a blocking or other call concerns an image of one or two dimensions. */
bool refusal_image_is_flat(const struct refusal *refusal, cl_mem image);

/* A new image. */
struct refusal_new_image {
    cl_context context;
    cl_mem_flags flags;
    const cl_image_format *format;
    const cl_image_desc *description;
};
/* Whether its format's order or type is none of OpenCL's. Value: it. */
bool refusal_order_is_unknown(struct refusal *refusal, const cl_image_format *format);
bool refusal_type_is_unknown(struct refusal *refusal, const cl_image_format *format);
/* Whether the type does not go with the order. Values: order, type. */
bool refusal_format_is_odd(struct refusal *refusal, const cl_image_format *format);
/* Whether the context has no such images of that format. Values: order, type, image type. */
bool refusal_format_is_unsupported(struct refusal *refusal, const struct refusal_new_image *image);
/* Whether its type is none. Value: it. */
bool refusal_image_type_is_unknown(struct refusal *refusal, const cl_image_desc *description);
/* Whether a number of its description is wrong. Value: the number, or none. */
bool refusal_image_lacks_width(const cl_image_desc *description);
bool refusal_image_lacks_height(const cl_image_desc *description);
bool refusal_image_lacks_depth(const cl_image_desc *description);
bool refusal_image_lacks_array_size(const cl_image_desc *description);
/* Whether its width, height, depth or array size exceeds the limit of all devices. Values: it,
 * limit, and cl_device_info of the limit. */
bool refusal_image_is_large(struct refusal *refusal, const struct refusal_new_image *image,
                            unsigned dimension);
/* Whether a pitch is too low, or is given without memory. Values of the first: it, the least. */
bool refusal_image_pitch_is_low(struct refusal *refusal, const struct refusal_new_image *image);
bool refusal_image_pitch_is_free(const cl_image_desc *description, const void *host_ptr);

/* ---- kernels --------------------------------------------------------------------------------- */

/* Whether an argument of the kernel was never set. Value: its index. */
bool refusal_argument_is_unset(struct refusal *refusal, cl_kernel kernel);
/* Whether INDEX is not below the number of arguments. Values: index, that number. */
bool refusal_index_is_beyond(struct refusal *refusal, cl_kernel kernel, cl_uint index);
/* Whether an argument is a sub-buffer that is misaligned for the queue's device. Values: index,
 * offset, alignment. */
bool refusal_argument_is_misaligned(struct refusal *refusal, cl_kernel kernel,
                                    cl_command_queue queue);

/* Whether no build of the program, or of the kernel's program, has succeeded. Values: program,
 * error of the build or 0. */
bool refusal_is_unbuilt(struct refusal *refusal, cl_program program);
/* The error of its last build, if that failed. Values: program, error. */
bool refusal_build_failed(struct refusal *refusal, cl_program program);
/* Whether a build has not ended. Value: program. */
bool refusal_is_building(struct refusal *refusal, cl_program program);
/* Whether the program, which is built, has more kernels than COUNT. Values: count, their number. */
bool refusal_kernels_are_more(struct refusal *refusal, cl_program program, uint32_t count);
/* Whether kernel objects of the program exist. Values: their number, program. */
bool refusal_has_kernels(struct refusal *refusal, cl_program program);
/* The program of a live kernel; NULL when it is not known. */
cl_program refusal_kernel_program(cl_kernel kernel);

/* What an argument of a live kernel is declared as, if the runtime knows. */
enum refusal_form {
    REFUSAL_FORM_UNKNOWN,
    REFUSAL_FORM_BUFFER, /* a pointer to global or constant memory */
    REFUSAL_FORM_LOCAL,
    REFUSAL_FORM_IMAGE,
    REFUSAL_FORM_SAMPLER,
    REFUSAL_FORM_VALUE
};
enum refusal_form refusal_argument_form(const struct refusal *refusal, cl_kernel kernel,
                                        cl_uint index);
/* Its bytes, if it is a value of a built-in type; 0 when that is not known. */
uint64_t refusal_argument_size(const struct refusal *refusal, cl_kernel kernel, cl_uint index);
/* Its access qualifier, if it is an image; 0 when that is not known. */
cl_kernel_arg_access_qualifier refusal_argument_access(const struct refusal *refusal,
                                                       cl_kernel kernel, cl_uint index);
/* The handle at VALUE, in the program's memory; NULL for none. */
void *refusal_handle_at(const void *value);

/* Work sizes of a call that enqueues a kernel. Arrays have DIMENSIONS elements, in the program's
 * memory; NULL: none. */
struct refusal_work {
    cl_kernel kernel;
    cl_command_queue queue;
    uint32_t dimensions;
    const size_t *offset;
    const size_t *global;
    const size_t *local;
};
/* Whether one of SIZES is 0. Value: the dimension. */
bool refusal_work_has_zero(struct refusal *refusal, const struct refusal_work *work,
                           const size_t *sizes);
/* Whether a global size is not a multiple of the local one. Values: dimension, global, local. */
bool refusal_work_is_ragged(struct refusal *refusal, const struct refusal_work *work);
/* Whether the local size exceeds CL_DEVICE_MAX_WORK_GROUP_SIZE, or CL_KERNEL_WORK_GROUP_SIZE.
 * Values: local size, limit. */
bool refusal_work_exceeds_device(struct refusal *refusal, const struct refusal_work *work);
bool refusal_work_exceeds_kernel(struct refusal *refusal, const struct refusal_work *work);
/* Whether it differs from what the kernel requires. Values: dimension, it, the required one. */
bool refusal_work_differs(struct refusal *refusal, const struct refusal_work *work);
/* Whether the kernel requires a local size. Values: it. */
bool refusal_work_is_required(struct refusal *refusal, const struct refusal_work *work);
/* Whether a local size exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES. Values: dimension, it, limit. */
bool refusal_work_item_exceeds(struct refusal *refusal, const struct refusal_work *work);
/* Whether offset and size exceed the device's addresses. Values: dimension, offset, size. */
bool refusal_work_is_beyond(struct refusal *refusal, const struct refusal_work *work);

#endif
