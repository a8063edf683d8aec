/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h.  The tables are all that is known of such calls. */
#include <command/run/run.h>

#include <stddef.h>
#include <string.h>

/* Calls that may be refused with any error.  A * stands for the rest of the name. */
static const char *const always[] = {
    /* Queries: how else would a program learn that a platform, a device, an extension or a value
     * is not there? */
    "clGet*",
    "clIcdGet*",
    /* A hint, which need not be taken. */
    "clUnloadCompiler",
    "clUnloadPlatformCompiler",
};

/* The same, which are told all the same: whether a source compiles, and with which options, is
 * tried; the log says why not. */
static const char *const builds[] = {"clBuildProgram", "clCompileProgram", "clLinkProgram"};

/* Calls that may be refused with one error. */
static const struct {
    const char *call;
    const char *error;
} sometimes[] = {
    /* A device of this type is looked for on each platform, or an OpenGL context may have none. */
    {"clCreateContext*", "CL_DEVICE_NOT_FOUND"},
    {"clCreateContext*", "CL_DEVICE_NOT_AVAILABLE"},
    {"clCreateContext*", "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR"},
    {"clCreateContextFromType", "CL_INVALID_PLATFORM"},
    /* An out-of-order queue, one with a priority or one on the device is tried before a plain
     * one; clCreateCommandQueueWithProperties is not there before OpenCL 2.0. */
    {"clCreateCommandQueue*", "CL_INVALID_QUEUE_PROPERTIES"},
    {"clCreateCommandQueueWithProperties", "CL_INVALID_OPERATION"},
    {"clSetCommandQueueProperty", "CL_INVALID_OPERATION"},
    /* Which formats and sizes of images, samplers and pipes a device has, it says best itself. */
    {"clCreateImage*", "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
    {"clCreateImage*", "CL_INVALID_IMAGE_SIZE"},
    {"clCreateImage*", "CL_INVALID_OPERATION"},
    {"clCreateSampler*", "CL_INVALID_OPERATION"},
    {"clCreatePipe", "CL_INVALID_OPERATION"},
    /* How much memory there is is found by asking for less and less. */
    {"clCreate*", "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {"clCreate*", "CL_OUT_OF_RESOURCES"},
    {"clCreate*", "CL_OUT_OF_HOST_MEMORY"},
    /* Objects of other APIs can be shared by some devices alone. */
    {"clCreateFrom*", "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
    {"clCreateFrom*", "CL_INVALID_OPERATION"},
    /* A binary that was kept may be of another driver: the program is then built anew.  Not all
     * devices take intermediate language or have built-in kernels. */
    {"clCreateProgramWithBinary", "CL_INVALID_BINARY"},
    {"clCreateProgramWithIL*", "CL_INVALID_OPERATION"},
    {"clCreateProgramWithIL*", "CL_INVALID_VALUE"},
    {"clCreateProgramWithBuiltInKernels", "CL_INVALID_VALUE"},
    /* Few devices let another queue on them be the one that is used by default. */
    {"clSetDefaultDeviceCommandQueue", "CL_INVALID_OPERATION"},
    /* Not all devices can be partitioned, nor in each way. */
    {"clCreateSubDevices*", "CL_DEVICE_PARTITION_FAILED"},
    {"clCreateSubDevices*", "CL_DEVICE_PARTITION_FAILED_EXT"},
    {"clCreateSubDevices*", "CL_INVALID_DEVICE_PARTITION_COUNT"},
    {"clCreateSubDevices*", "CL_INVALID_VALUE"},
    /* Not refused: a command that it waited for has failed, which is told with the commands. */
    {"cl*", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
};

/* Calls that may be given no handle, as free() may be given no memory: a program that ends need not
 * know what it has made.  Why it was not made is told. */
static const char *const of_nothing[] = {"clRelease*"};

/* Whether PATTERN, which may end with a *, is NAME. */
static bool matches(const char *pattern, const char *name)
{
    size_t length = strcspn(pattern, "*");

    return strncmp(pattern, name, length) == 0 && (pattern[length] == '*' || name[length] == '\0');
}

/* Whether one of the COUNT PATTERNS is NAME, which may be NULL. */
static bool has_match(const char *const *patterns, size_t count, const char *name)
{
    for (size_t i = 0; name != NULL && i < count; i++)
        if (matches(patterns[i], name))
            return true;
    return false;
}

bool command_call_is_build(const char *call)
{
    return has_match(builds, sizeof(builds) / sizeof(builds[0]), call);
}

bool command_call_is_probe(const char *call, const char *error, bool has_handle)
{
    if (!has_handle && has_match(of_nothing, sizeof(of_nothing) / sizeof(of_nothing[0]), call))
        return true;
    if (has_match(always, sizeof(always) / sizeof(always[0]), call) || command_call_is_build(call))
        return true;
    for (size_t i = 0;
         call != NULL && error != NULL && i < sizeof(sometimes) / sizeof(sometimes[0]); i++)
        if (matches(sometimes[i].call, call) && strcmp(sometimes[i].error, error) == 0)
            return true;
    return false;
}
