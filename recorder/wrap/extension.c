/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that platforms returned for the wrapped extensions. */
#include "wrap/wrap.h"

#define FIRST 512u /* the number of the first */

#define CALL(number, function, ...)
#define NEWER(number, function, ...)
#define EXTENSION(number, function, ...) PLACE_OF_##function,
enum {
#include <schema/calls.def>
    COUNT
};

#define CALL(number, function, ...)
#define NEWER(number, function, ...)
#define EXTENSION(number, function, ...)                                                           \
    _Static_assert((number) == FIRST + PLACE_OF_##function, "they are numbered in their order");
#include <schema/calls.def>

static struct recorder_extension extensions[COUNT];

/* Whether nothing tells the platform of the objects that a function is called for. */
enum {
    LACKS_PLATFORM_BY_HAND = false,
    LACKS_PLATFORM_PASS = true,
    LACKS_PLATFORM_PASS_OF = false,
    LACKS_PLATFORM_QUERY = true,
    LACKS_PLATFORM_QUERY_OF = false,
    LACKS_PLATFORM_OTHER = false,
    LACKS_PLATFORM_OTHER_OF = false,
    LACKS_PLATFORM_RETAIN_OF = false,
    LACKS_PLATFORM_RELEASE_OF = false,
    LACKS_PLATFORM_BUFFERED = false,
    LACKS_PLATFORM_BUFFER = false,
    LACKS_PLATFORM_BUFFER_OF = false,
    LACKS_PLATFORM_MEMOBJ = false,
    LACKS_PLATFORM_PROGRAM = false,
    LACKS_PLATFORM_COMMAND_QUEUE = false,
    LACKS_PLATFORM_SVM = false,
    LACKS_PLATFORM_SVM_ALLOC = false,
    LACKS_PLATFORM_SVM_FREE = false,
    LACKS_PLATFORM_ENQUEUE_SVM_FREE = false,
    LACKS_PLATFORM_DESTRUCTOR = false,
    LACKS_PLATFORM_KERNEL_ARGUMENT = false,
    LACKS_PLATFORM_EXEC_INFO = false,
    LACKS_PLATFORM_COMMAND = false,
    LACKS_PLATFORM_SHARING = false,
    LACKS_PLATFORM_SVM_MAP = false,
    LACKS_PLATFORM_SVM_UNMAP = false,
};
#define CALL(number, function, ...)
#define NEWER(number, function, ...)
#define EXTENSION(number, function, kind, ...) LACKS_PLATFORM_##kind,
static const bool lacks_platform[COUNT] = {
#include <schema/calls.def>
};

static uint64_t platform_of(uint32_t table, const void *handle)
{
    cl_platform_id platform = NULL;
    switch (table) {
    case ompd_cl_registry_platform:
        return (uintptr_t)handle;
    case ompd_cl_registry_device:
        RECORDER_TARGET.clGetDeviceInfo((cl_device_id)handle, CL_DEVICE_PLATFORM, sizeof(platform),
                                        &platform, NULL);
        return (uintptr_t)platform;
    default:
        return recorder_platform_of(table, handle);
    }
}

void *recorder_extension_of(enum ompd_cl_call call, uint32_t table, const void *handle)
{
    return recorder_extension_choose(&extensions[call - FIRST], platform_of(table, handle));
}

bool recorder_extension_function(enum ompd_cl_call call, uint64_t platform, void *function)
{
    uint32_t place = call - FIRST;
    return lacks_platform[place]
               ? recorder_extension_add_one(&extensions[place], platform, function)
               : recorder_extension_add(&extensions[place], platform, function);
}
