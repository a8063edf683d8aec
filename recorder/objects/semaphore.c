/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include "objects/kinds.h"
#include <CL/cl_ext.h>

/* Names that the OpenCL headers of Debian 12 lack, or have for another number. */
#define DEVICE_HANDLE_LIST 0x2053     /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR */
#define OLD_DEVICE_HANDLE_LIST 0x2051 /* CL_DEVICE_HANDLE_LIST_KHR, before version 1.0 */
#define OPAQUE_WIN32_NAME 0x2068      /* CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_NAME_KHR */

/* Whether PROPERTY is a cl_external_semaphore_handle_type_khr, and has a handle as its value. */
static bool is_handle_type(uint64_t property)
{
    return (property >= CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR &&
            property <= CL_SEMAPHORE_HANDLE_D3D12_FENCE_KHR) ||
           property == OPAQUE_WIN32_NAME;
}

/* Set what the list of values at VALUES, which ends with 0, says of PROPERTY. Returns its end. */
static const cl_semaphore_properties_khr *
values_set(struct ompd_cl_registry_semaphore_record *record, cl_semaphore_properties_khr property,
           const cl_semaphore_properties_khr *values)
{
    if (property == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) {
        record->export_type = (uint32_t)values[0];
    } else {
        record->device = values[0];
    }
    while (*values) {
        values++;
    }
    return values + 1;
}

/* Set what PROPERTIES say (OpenCL extension cl_khr_semaphore,
 * clCreateSemaphoreWithPropertiesKHR). */
static void semaphore_properties_set(struct ompd_cl_registry_semaphore_record *record,
                                     const cl_semaphore_properties_khr *properties)
{
    while (properties && properties[0]) {
        cl_semaphore_properties_khr property = properties[0];
        if (property == DEVICE_HANDLE_LIST || property == OLD_DEVICE_HANDLE_LIST ||
            property == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) {
            properties = values_set(record, property, properties + 1);
            continue;
        }
        if (property == CL_SEMAPHORE_TYPE_KHR) {
            record->object.type = (uint32_t)properties[1];
        } else if (is_handle_type(property)) {
            record->import_type = (uint32_t)property;
        }
        properties += 2;
    }
}

void recorder_semaphore_created(cl_semaphore_khr semaphore, cl_context context,
                                const cl_semaphore_properties_khr *properties,
                                const void *return_address)
{
    struct recorder_entry entry;
    struct recorder_entry its_context;
    if (!semaphore ||
        !recorder_object_open(&entry, ompd_cl_registry_semaphore, semaphore, 0, return_address)) {
        return;
    }
    struct ompd_cl_registry_semaphore_record *record = recorder_semaphore_record(&entry);
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    record->device = 0;
    record->signals = 0;
    record->waits = 0;
    record->export_type = 0;
    record->import_type = 0;
    record->exports = 0;
    record->imports = 0;
    recorder_operations_open(&record->operations);
    semaphore_properties_set(record, properties);
    recorder_object_publish(&entry);
}

/* COMMAND is to signal or to wait for SEMAPHORE. */
static void semaphore_used(cl_semaphore_khr semaphore, bool is_signal,
                           const struct recorder_entry *command)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_semaphore, semaphore)) {
        recorder_count_unknown_handle();
        return;
    }
    struct ompd_cl_registry_semaphore_record *record = recorder_semaphore_record(&entry);
    __atomic_fetch_add(is_signal ? &record->signals : &record->waits, 1, __ATOMIC_RELAXED);
    /* What a failed command has done is unknown. */
    if (recorder_operation_add(&entry, command)) {
        __atomic_fetch_add(&record->operations.lost, 1, __ATOMIC_RELAXED);
    }
}

void recorder_semaphores_used(const struct recorder_command *command, bool is_signal, cl_uint count,
                              const cl_semaphore_khr *semaphores)
{
    for (cl_uint i = 0; semaphores && i < count; i++) {
        semaphore_used(semaphores[i], is_signal, &command->record);
    }
}

void recorder_semaphores_refused(const struct recorder_command *command, bool is_signal,
                                 cl_uint count, const cl_semaphore_khr *semaphores)
{
    for (cl_uint i = 0; semaphores && i < count; i++) {
        struct recorder_entry entry;
        if (recorder_object_find(&entry, ompd_cl_registry_semaphore, semaphores[i])) {
            struct ompd_cl_registry_semaphore_record *record = recorder_semaphore_record(&entry);
            __atomic_fetch_sub(is_signal ? &record->signals : &record->waits, 1, __ATOMIC_RELAXED);
            recorder_operation_refused(&entry, &command->record);
        }
    }
}

static void semaphore_count_add(cl_semaphore_khr semaphore, bool is_export)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_semaphore, semaphore)) {
        recorder_count_unknown_handle();
        return;
    }
    struct ompd_cl_registry_semaphore_record *record = recorder_semaphore_record(&entry);
    __atomic_fetch_add(is_export ? &record->exports : &record->imports, 1, __ATOMIC_RELAXED);
    recorder_object_changed(&entry);
}

void recorder_semaphore_exported(cl_semaphore_khr semaphore)
{
    semaphore_count_add(semaphore, true);
}

void recorder_semaphore_imported(cl_semaphore_khr semaphore)
{
    semaphore_count_add(semaphore, false);
}
