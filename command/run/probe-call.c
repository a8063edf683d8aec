/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h.  These tables are all that the command knows about such calls. */
#include <command/run/run.h>

#include <stddef.h>
#include <string.h>

/* Calls that may be refused with any error.  A * matches the rest of the name. */
static const char *const always[] = {
    /* Queries: a program has no other way to find out whether a platform, a device, an extension
     * or a value exists. */
    "clGet*",
    "clIcdGet*",
    /* A hint, which the runtime may refuse. */
    "clUnloadCompiler",
    "clUnloadPlatformCompiler",
};

/* These may be refused too, but are reported: programs try whether a source compiles with some
 * options, and the build log explains failures. */
static const char *const builds[] = {"clBuildProgram", "clCompileProgram", "clLinkProgram"};

/* Calls that may be refused with one error. */
static const struct {
    const char *call;
    const char *error;
} sometimes[] = {
    /* Programs look for a device type on each platform; an OpenGL context may have no device. */
    {"clCreateContext*", "CL_DEVICE_NOT_FOUND"},
    {"clCreateContext*", "CL_DEVICE_NOT_AVAILABLE"},
    {"clCreateContext*", "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR"},
    {"clCreateContextFromType", "CL_INVALID_PLATFORM"},
    /* Programs try an out-of-order queue, one with a priority or a device queue before a plain
     * one.  Before OpenCL 2.0, clCreateCommandQueueWithProperties does not exist. */
    {"clCreateCommandQueue*", "CL_INVALID_QUEUE_PROPERTIES"},
    {"clCreateCommandQueueWithProperties", "CL_INVALID_OPERATION"},
    {"clSetCommandQueueProperty", "CL_INVALID_OPERATION"},
    /* Programs find out in this way which images, samplers and pipes a device supports. */
    {"clCreateImage*", "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
    {"clCreateImage*", "CL_INVALID_IMAGE_SIZE"},
    {"clCreateImage*", "CL_INVALID_OPERATION"},
    {"clCreateSampler*", "CL_INVALID_OPERATION"},
    {"clCreatePipe", "CL_INVALID_OPERATION"},
    /* Programs find out the amount of memory by requesting less and less. */
    {"clCreate*", "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {"clCreate*", "CL_OUT_OF_RESOURCES"},
    {"clCreate*", "CL_OUT_OF_HOST_MEMORY"},
    /* Only some devices can share objects of other APIs. */
    {"clCreateFrom*", "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
    {"clCreateFrom*", "CL_INVALID_OPERATION"},
    /* A cached binary may be of another driver version; the program is then built from source.
     * Not all devices support intermediate language or built-in kernels. */
    {"clCreateProgramWithBinary", "CL_INVALID_BINARY"},
    {"clCreateProgramWithIL*", "CL_INVALID_OPERATION"},
    {"clCreateProgramWithIL*", "CL_INVALID_VALUE"},
    {"clCreateProgramWithBuiltInKernels", "CL_INVALID_VALUE"},
    /* Few devices support changing the default on-device queue. */
    {"clSetDefaultDeviceCommandQueue", "CL_INVALID_OPERATION"},
    /* Not all devices support partitioning, or each way of it. */
    {"clCreateSubDevices*", "CL_DEVICE_PARTITION_FAILED"},
    {"clCreateSubDevices*", "CL_DEVICE_PARTITION_FAILED_EXT"},
    {"clCreateSubDevices*", "CL_INVALID_DEVICE_PARTITION_COUNT"},
    {"clCreateSubDevices*", "CL_INVALID_VALUE"},
    /* Not refused: a command in the wait list failed, which is reported with the commands. */
    {"cl*", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
};

/* Calls that may be given NULL, as free() may: a program that ends need not know what it
 * created.  Failed creations are reported already. */
static const char *const of_nothing[] = {"clRelease*"};

/* Whether PATTERN, which may end with a *, matches NAME. */
static bool call_matches(const char *pattern, const char *name)
{
    size_t length = strcspn(pattern, "*");

    return strncmp(pattern, name, length) == 0 && (pattern[length] == '*' || name[length] == '\0');
}

/* Whether one of the COUNT PATTERNS matches NAME, which may be NULL. */
static bool has_match(const char *const *patterns, size_t count, const char *name)
{
    for (size_t i = 0; name != NULL && i < count; i++)
        if (call_matches(patterns[i], name))
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
        if (call_matches(sometimes[i].call, call) && strcmp(sometimes[i].error, error) == 0)
            return true;
    return false;
}
