/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about platforms, devices, contexts and queues. */
#include "refusals/refusals.h"

#include "objects/kinds.h"

#include <stdlib.h>
#include <string.h>

#define PLATFORM_LIMIT 64u

/* ---- Devices --------------------------------------------------------------------------------- */

uint64_t refusal_device_number(const struct refusal *refusal, cl_device_id device,
                               cl_device_info name)
{
    uint64_t number = 0;
    uint32_t half = 0;
    size_t size = 0;
    if (!device || refusal->target->clGetDeviceInfo(device, name, 0, NULL, &size) != CL_SUCCESS) {
        return 0;
    }
    if (size == sizeof(half)) {
        refusal->target->clGetDeviceInfo(device, name, sizeof(half), &half, NULL);
        return half;
    }
    if (size == sizeof(number)) {
        refusal->target->clGetDeviceInfo(device, name, sizeof(number), &number, NULL);
    }
    return number;
}

bool refusal_device_lacks(struct refusal *refusal, cl_device_id device, cl_device_info name,
                          uint64_t bits)
{
    uint64_t all = refusal_device_number(refusal, device, name);
    return all && refusal_has_other_bits(refusal, bits, all);
}

/* The version in "OpenCL 3.0 vendor": 300; 0 for another text. */
static uint32_t version_parse(const char *text)
{
    const char *prefix = "OpenCL ";
    if (strncmp(text, prefix, strlen(prefix)) != 0) {
        return 0;
    }
    text += strlen(prefix);
    bool is_version =
        text[0] >= '0' && text[0] <= '9' && text[1] == '.' && text[2] >= '0' && text[2] <= '9';
    return is_version ? (uint32_t)(text[0] - '0') * 100 + (uint32_t)(text[2] - '0') * 10 : 0;
}

uint32_t refusal_device_version(const struct refusal *refusal, cl_device_id device)
{
    char text[1024] = "";
    size_t size = 0;
    if (!device || refusal->target->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(text) - 1,
                                                    text, &size) != CL_SUCCESS) {
        return 0;
    }
    return version_parse(text);
}

/* The record of a queue that the program holds; NULL when there is none. */
static const struct ompd_cl_registry_queue_record *queue_record_find(cl_command_queue queue)
{
    struct recorder_entry entry;
    bool is_live = refusal_is_live(ompd_cl_registry_queue, queue) &&
                   recorder_object_find(&entry, ompd_cl_registry_queue, queue);
    return is_live ? recorder_queue_record(&entry) : NULL;
}

cl_device_id refusal_queue_device(cl_command_queue queue)
{
    const struct ompd_cl_registry_queue_record *record = queue_record_find(queue);
    return record ? (cl_device_id)(uintptr_t)record->device : NULL;
}

cl_command_queue_properties refusal_queue_flags(cl_command_queue queue)
{
    const struct ompd_cl_registry_queue_record *record = queue_record_find(queue);
    return record ? record->flags : 0;
}

/* The devices of a live context. Returns how many; 0 when they are not known or too many. */
static uint32_t context_devices_get(const struct refusal *refusal, cl_context context,
                                    cl_device_id devices[REFUSAL_DEVICES])
{
    size_t size = 0;
    if (!refusal_is_live(ompd_cl_registry_context, context) ||
        refusal->target->clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size) !=
            CL_SUCCESS ||
        size > REFUSAL_DEVICES * sizeof(devices[0]) ||
        refusal->target->clGetContextInfo(context, CL_CONTEXT_DEVICES, size, devices, NULL) !=
            CL_SUCCESS) {
        return 0;
    }
    return (uint32_t)(size / sizeof(devices[0]));
}

uint32_t refusal_context_version(const struct refusal *refusal, cl_context context)
{
    cl_device_id devices[REFUSAL_DEVICES];
    uint32_t count = context_devices_get(refusal, context, devices);
    uint32_t lowest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t version = refusal_device_version(refusal, devices[i]);
        lowest = i == 0 || version < lowest ? version : lowest;
    }
    return lowest;
}

bool refusal_has_several_devices(const struct refusal *refusal, cl_context context)
{
    cl_device_id devices[REFUSAL_DEVICES];
    return context_devices_get(refusal, context, devices) > 1;
}

bool refusal_is_other_device(struct refusal *refusal, cl_context context, cl_device_id device)
{
    cl_device_id devices[REFUSAL_DEVICES];
    uint32_t count = context_devices_get(refusal, context, devices);
    for (uint32_t i = 0; i < count; i++) {
        if (devices[i] == device) {
            return false;
        }
    }
    return count && refusal_values(refusal, ADDRESS(device), ADDRESS(context), 0);
}

/* The device at INDEX of DEVICES; NULL when it cannot be read. */
static cl_device_id device_at(const cl_device_id *devices, uint32_t index)
{
    return refusal_handle_at(devices + index);
}

bool refusal_list_has_other_device(struct refusal *refusal, cl_context context,
                                   const cl_device_id *devices, uint32_t count)
{
    for (uint32_t i = 0; devices && i < count && i < REFUSAL_DEVICES; i++) {
        cl_device_id device = device_at(devices, i);
        if (device && refusal_is_other_device(refusal, context, device)) {
            return refusal_values(refusal, i, ADDRESS(device), ADDRESS(context));
        }
    }
    return false;
}

bool refusal_devices_have(const struct refusal *refusal, cl_context context, cl_device_info name,
                          uint64_t number)
{
    cl_device_id devices[REFUSAL_DEVICES];
    uint32_t count = context_devices_get(refusal, context, devices);
    for (uint32_t i = 0; i < count; i++) {
        if (refusal_device_number(refusal, devices[i], name) != number) {
            return false;
        }
    }
    return count != 0;
}

uint64_t refusal_devices_most(const struct refusal *refusal, cl_context context,
                              cl_device_info name)
{
    cl_device_id devices[REFUSAL_DEVICES];
    uint32_t count = context_devices_get(refusal, context, devices);
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = refusal_device_number(refusal, devices[i], name);
        if (number == 0) {
            return 0;
        }
        most = number > most ? number : most;
    }
    return most;
}

bool refusal_exceeds_most(struct refusal *refusal, cl_context context, cl_device_info name,
                          uint64_t size)
{
    uint64_t most = refusal_devices_most(refusal, context, name);
    return most && size > most && refusal_values(refusal, size, most, 0);
}

bool refusal_exceeds_allocation(struct refusal *refusal, cl_context context, uint64_t size)
{
    return refusal_exceeds_most(refusal, context, CL_DEVICE_MAX_MEM_ALLOC_SIZE, size);
}

/* Whether DEVICE, of a known version, supports no SVM of KINDS. */
static bool device_lacks_svm(const struct refusal *refusal, cl_device_id device, uint64_t kinds)
{
    uint32_t version = refusal_device_version(refusal, device);
    return version &&
           (version < 200 ||
            !(refusal_device_number(refusal, device, CL_DEVICE_SVM_CAPABILITIES) & kinds));
}

bool refusal_lacks_svm(const struct refusal *refusal, cl_context context, cl_device_id device,
                       uint64_t kinds)
{
    cl_device_id devices[REFUSAL_DEVICES];
    if (device) {
        return device_lacks_svm(refusal, device, kinds);
    }
    uint32_t count = context_devices_get(refusal, context, devices);
    for (uint32_t i = 0; i < count; i++) {
        if (!device_lacks_svm(refusal, devices[i], kinds)) {
            return false;
        }
    }
    return count != 0;
}

/* ---- Platforms ------------------------------------------------------------------------------- */

static uint32_t platforms_get(const struct refusal *refusal,
                              cl_platform_id platforms[PLATFORM_LIMIT])
{
    cl_uint count = 0;
    if (refusal->target->clGetPlatformIDs(PLATFORM_LIMIT, platforms, &count) != CL_SUCCESS) {
        return 0;
    }
    return count > PLATFORM_LIMIT ? 0 : count;
}

bool refusal_is_no_platform(struct refusal *refusal, cl_platform_id platform)
{
    cl_platform_id platforms[PLATFORM_LIMIT];
    uint32_t count = platforms_get(refusal, platforms);
    for (uint32_t i = 0; i < count; i++) {
        if (platforms[i] == platform) {
            return false;
        }
    }
    return count && refusal_values(refusal, ADDRESS(platform), 0, 0);
}

/* The platform that has DEVICE as a root device; NULL for none. Sets *IS_COMPLETE to whether all
 * devices were seen. */
static cl_platform_id platform_of(const struct refusal *refusal, cl_device_id device,
                                  bool *is_complete)
{
    cl_platform_id platforms[PLATFORM_LIMIT];
    cl_device_id devices[REFUSAL_DEVICES];
    uint32_t platform_count = platforms_get(refusal, platforms);
    *is_complete = platform_count != 0;
    for (uint32_t i = 0; i < platform_count; i++) {
        cl_uint count = 0;
        cl_int status = refusal->target->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
                                                        REFUSAL_DEVICES, devices, &count);
        if (status == CL_DEVICE_NOT_FOUND) {
            continue;
        }
        *is_complete = *is_complete && status == CL_SUCCESS && count <= REFUSAL_DEVICES;
        for (uint32_t j = 0; status == CL_SUCCESS && j < count && j < REFUSAL_DEVICES; j++) {
            if (devices[j] == device) {
                return platforms[i];
            }
        }
    }
    return NULL;
}

bool refusal_is_no_device(struct refusal *refusal, cl_device_id device)
{
    bool is_complete;
    return device && !recorder_device_is_known(ADDRESS(device)) &&
           !platform_of(refusal, device, &is_complete) && is_complete &&
           refusal_values(refusal, ADDRESS(device), 0, 0);
}

bool refusal_list_has_no_device(struct refusal *refusal, const cl_device_id *devices,
                                uint32_t count)
{
    for (uint32_t i = 0; devices && i < count && i < REFUSAL_DEVICES; i++) {
        cl_device_id device = device_at(devices, i);
        if (refusal_is_no_device(refusal, device)) {
            return refusal_values(refusal, i, ADDRESS(device), 0);
        }
    }
    return false;
}

bool refusal_list_mixes_platforms(struct refusal *refusal, const cl_device_id *devices,
                                  uint32_t count)
{
    bool is_complete;
    cl_platform_id first =
        devices && count ? platform_of(refusal, device_at(devices, 0), &is_complete) : NULL;
    for (uint32_t i = 1; first && i < count && i < REFUSAL_DEVICES; i++) {
        cl_platform_id its = platform_of(refusal, device_at(devices, i), &is_complete);
        if (its && its != first) {
            return refusal_values(refusal, i, ADDRESS(its), ADDRESS(first));
        }
    }
    return false;
}

bool refusal_list_has_unavailable(struct refusal *refusal, const cl_device_id *devices,
                                  uint32_t count)
{
    bool is_complete;
    for (uint32_t i = 0; devices && i < count && i < REFUSAL_DEVICES; i++) {
        cl_device_id device = device_at(devices, i);
        if (device && platform_of(refusal, device, &is_complete) &&
            !refusal_device_number(refusal, device, CL_DEVICE_AVAILABLE)) {
            return refusal_values(refusal, i, ADDRESS(device), 0);
        }
    }
    return false;
}

bool refusal_size_is_low(struct refusal *refusal, uint64_t name, size_t size, cl_int status)
{
    return status == CL_SUCCESS && size < refusal->needed &&
           refusal_values(refusal, size, name, refusal->needed);
}

/* ---- Partitions ------------------------------------------------------------------------------ */

/* A partition scheme with its counts. */
struct partition {
    intptr_t scheme;
    uint64_t sum;
    uint64_t count;
};

/* Read PROPERTIES. Returns false when they are NULL or not in memory. */
static bool partition_read(struct partition *partition, const void *properties)
{
    const intptr_t *next = properties;
    intptr_t number;
    if (!refusal_read(&partition->scheme, next++, sizeof(partition->scheme))) {
        return false;
    }
    partition->sum = 0;
    partition->count = 0;
    while (partition->scheme == CL_DEVICE_PARTITION_BY_COUNTS &&
           partition->count < REFUSAL_PROPERTIES && refusal_read(&number, next++, sizeof(number)) &&
           number != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END) {
        partition->sum += (uint64_t)number;
        partition->count++;
    }
    return true;
}

bool refusal_lacks_partition(struct refusal *refusal, cl_device_id device, const void *properties)
{
    struct partition partition;
    cl_device_partition_property supported[REFUSAL_PROPERTIES];
    size_t size = 0;
    if (!partition_read(&partition, properties) ||
        refusal->target->clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof(supported),
                                         supported, &size) != CL_SUCCESS) {
        return false;
    }
    for (size_t i = 0; i < size / sizeof(supported[0]); i++) {
        if (supported[i] == partition.scheme) {
            return false;
        }
    }
    return refusal_values(refusal, (uint64_t)partition.scheme, 0, 0);
}

bool refusal_partition_units(struct refusal *refusal, cl_device_id device, const void *properties)
{
    struct partition partition;
    uint64_t limit = refusal_device_number(refusal, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    return limit && partition_read(&partition, properties) && partition.sum > limit &&
           refusal_values(refusal, partition.sum, limit, 0);
}

bool refusal_partition_count(struct refusal *refusal, cl_device_id device, const void *properties)
{
    struct partition partition;
    uint64_t limit = refusal_device_number(refusal, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    return limit && partition_read(&partition, properties) && partition.count > limit &&
           refusal_values(refusal, partition.count, limit, 0);
}

/* ---- Alignment ------------------------------------------------------------------------------- */

bool refusal_is_misaligned(struct refusal *refusal, cl_context context, cl_device_id device,
                           uint64_t offset)
{
    cl_device_id devices[REFUSAL_DEVICES] = {device};
    uint32_t count = device ? 1 : context_devices_get(refusal, context, devices);
    uint64_t least = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes =
            refusal_device_number(refusal, devices[i], CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
        if (bytes == 0 || offset % bytes == 0) {
            return false;
        }
        least = least == 0 || bytes < least ? bytes : least;
    }
    return least && refusal_values(refusal, offset, least, 0);
}

bool refusal_is_misaligned_for(struct refusal *refusal, cl_mem memobj, cl_command_queue queue)
{
    struct recorder_entry entry;
    cl_device_id device = refusal_queue_device(queue);
    return device && refusal_memobj_parent(memobj) &&
           recorder_object_find(&entry, ompd_cl_registry_memobj, memobj) &&
           refusal_is_misaligned(refusal, NULL, device, recorder_memobj_record(&entry)->origin);
}
