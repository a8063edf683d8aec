/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

#include <CL/cl_ext.h>
#include <string.h>

/* Names that the OpenCL headers of Debian 12 lack. */
#define DEVICE_HANDLE_LIST 0x2051      /* CL_MEM_DEVICE_HANDLE_LIST_KHR */
#define OPAQUE_WIN32_NAME 0x2069       /* CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_NAME_KHR */
#define DEVICE_PRIVATE_ADDRESS 0x5000  /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT */
#define ANDROID_HARDWARE_BUFFER 0x2070 /* CL_EXTERNAL_MEMORY_HANDLE_ANDROID_HARDWARE_BUFFER_KHR */

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_POINTER_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

/* The flags that clGetMemObjectInfo reports for CL_MEM_FLAGS: a sub-buffer or an image inherits
 * from its buffer what its own flags leave open (clCreateSubBuffer). */
static cl_mem_flags flags_complete(cl_mem_flags flags,
                                   const struct ompd_cl_registry_memobj_record *of)
{
    if (of) {
        flags |= flags & ACCESS_FLAGS ? 0 : of->flags & ACCESS_FLAGS;
        flags |= flags & HOST_ACCESS_FLAGS ? 0 : of->flags & HOST_ACCESS_FLAGS;
        flags |= of->flags & HOST_POINTER_FLAGS;
    }
    return flags ? flags : CL_MEM_READ_WRITE;
}

void recorder_memobj_storage_share(struct ompd_cl_registry_memobj_record *record,
                                   const struct recorder_memobj *memobj,
                                   const struct recorder_entry *parent)
{
    const struct ompd_cl_registry_memobj_record *of = recorder_memobj_record(parent);
    record->flags = flags_complete(memobj->flags, of);
    if (of && of->host_pointer) {
        record->host_pointer = of->host_pointer + memobj->origin;
        record->svm = of->svm;
        record->svm_generation = of->svm_generation;
    } else if (memobj->flags & CL_MEM_USE_HOST_PTR) {
        record->host_pointer = (uintptr_t)memobj->host_pointer;
        struct recorder_entry svm;
        if (recorder_object_find(&svm, ompd_cl_registry_svm, memobj->host_pointer)) {
            record->svm = svm.reference;
            record->svm_generation = svm.generation;
        }
    }
}

static uint32_t channel_count(cl_channel_order order)
{
    switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
        return 1;
    case CL_RG:
    case CL_RA:
        return 2;
    case CL_RGB:
    case CL_sRGB:
        return 3;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
    case CL_sRGBA:
    case CL_sBGRA:
        return 4;
    default:
        return 0;
    }
}

/* OpenCL 3.0 section 5.3.1.1 */
uint32_t recorder_pixel_size(const cl_image_format *format)
{
    uint32_t count = channel_count(format->image_channel_order);
    switch (format->image_channel_data_type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
        return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
        return 4;
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return count;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
        return 2 * count;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4 * count;
    default:
        return 0;
    }
}

void recorder_memobj_created(const struct recorder_memobj *memobj)
{
    recorder_memobj_created_here(memobj, false);
}

void recorder_memobj_mapped(cl_mem memobj, bool is_undone)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_memobj, memobj)) {
        return;
    }
    uint32_t *count = &recorder_memobj_record(&entry)->map_count;
    uint32_t before = __atomic_load_n(count, __ATOMIC_RELAXED);
    while ((before || !is_undone) &&
           !__atomic_compare_exchange_n(count, &before, is_undone ? before - 1 : before + 1, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    recorder_object_changed(&entry);
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* Whether PROPERTY is a cl_external_memory_handle_type_khr, and has a handle as its value. */
static bool is_memory_handle_type(cl_mem_properties property)
{
    return (property >= CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR &&
            property <= CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR) ||
           property == OPAQUE_WIN32_NAME || property == ANDROID_HARDWARE_BUFFER;
}

static void external_memory_set(struct ompd_cl_registry_memobj_record *record,
                                cl_mem_properties type, cl_mem_properties handle)
{
    record->sharing = ompd_cl_registry_sharing_external;
    record->acquisition = ompd_cl_registry_never_acquired;
    record->sharing_type = (uint16_t)type;
    record->sharing_name = (uint32_t)handle;
    record->sharing_name_high = (uint32_t)(handle >> 32);
}

/* A list of devices is the only property with several values. It ends with 0
 * (cl_khr_external_memory, clCreateBufferWithProperties). */
static void properties_set(struct ompd_cl_registry_memobj_record *record,
                           const cl_mem_properties *properties)
{
    while (properties && properties[0]) {
        if (properties[0] == DEVICE_HANDLE_LIST) {
            while (*properties) {
                properties++;
            }
            properties++;
            continue;
        }
        if (is_memory_handle_type(properties[0])) {
            external_memory_set(record, properties[0], properties[1]);
        } else if (properties[0] == DEVICE_PRIVATE_ADDRESS) {
            record->has_device_address = properties[1] != CL_FALSE;
        }
        properties += 2;
    }
}

/* Imported memory has no commands that acquire it. */
void recorder_memobj_sharing_set(struct ompd_cl_registry_memobj_record *record,
                                 const struct recorder_memobj *memobj)
{
    if (memobj->sharing) {
        record->sharing = (uint8_t)memobj->sharing;
        record->sharing_name = memobj->sharing_name;
    }
    if (memobj->sharing && memobj->sharing != ompd_cl_registry_sharing_imported) {
        record->acquisition = ompd_cl_registry_never_acquired;
    }
    properties_set(record, memobj->properties);
}

void recorder_buffer_of_created(const struct recorder_memobj *buffer)
{
    if (!buffer->properties) {
        recorder_buffer_created(buffer->handle, buffer->context, buffer->flags, buffer->size,
                                buffer->host_pointer, buffer->return_address);
    } else if (buffer->handle) {
        recorder_memobj_created(buffer);
    }
}

void recorder_memobjs_acquired(cl_uint count, const cl_mem *memobjs,
                               enum ompd_cl_registry_acquisition acquisition)
{
    for (cl_uint i = 0; memobjs && i < count; i++) {
        struct recorder_entry entry;
        if (recorder_object_find(&entry, ompd_cl_registry_memobj, memobjs[i])) {
            __atomic_store_n(&recorder_memobj_record(&entry)->acquisition, (uint8_t)acquisition,
                             __ATOMIC_RELAXED);
            recorder_object_changed(&entry);
        }
    }
}

/* The most device addresses in SIZE bytes for the object of ENTRY: VALUE may have more room. */
static size_t device_address_limit(const struct recorder_entry *entry, size_t size)
{
    const struct ompd_cl_registry_object *object = entry->object;
    struct recorder_entry context;
    uint32_t device_count = 1;
    if (recorder_object_get(&context, entry->heap, object->context, object->context_generation)) {
        device_count = recorder_context_record(&context)->device_count;
    }
    return size / sizeof(uint64_t) < device_count ? size / sizeof(uint64_t) : device_count;
}

void recorder_device_addresses_returned(cl_mem memobj, size_t size, const void *value)
{
    struct recorder_entry entry;
    if (!value || !recorder_object_find(&entry, ompd_cl_registry_memobj, memobj)) {
        return;
    }
    uint64_t address = 0;
    size_t limit = device_address_limit(&entry, size);
    for (size_t i = 0; i < limit && !address; i++) {
        memcpy(&address, (const char *)value + i * sizeof(address), sizeof(address));
    }
    __atomic_store_n(&recorder_memobj_record(&entry)->device_address, address, __ATOMIC_RELAXED);
    recorder_object_changed(&entry);
}
