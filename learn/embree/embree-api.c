/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h. */
#include <learn/embree/embree.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct embree_api embree;

static const char *find_functions(void *library)
{
#define FUNCTION(name, result, parameters)                                                         \
    *(void **)&embree.name = dlsym(library, #name);                                                \
    if (embree.name == NULL)                                                                       \
        return "it is not Embree 3 or 4, because it lacks " #name;
    EMBREE_FUNCTIONS(FUNCTION)
#undef FUNCTION
    *(void **)&embree.rtcSetGeometryInstancedScenes =
        dlsym(library, "rtcSetGeometryInstancedScenes");
    return NULL;
}

bool embree_is_library(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    return handle != NULL && dlsym(handle, "rtcNewDevice") != NULL;
}

/* Record the name and version of the library. */
static const char *version_record(struct icd *module)
{
    struct embree_device device;

    if (!embree_device_open(&device, NULL))
        return "it creates no device";
    snprintf(module->runtime, sizeof(module->runtime), "Embree %zd.%zd.%zd",
             embree.rtcGetDeviceProperty(device.handle, embree_version_major),
             embree.rtcGetDeviceProperty(device.handle, embree_version_minor),
             embree.rtcGetDeviceProperty(device.handle, embree_version_patch));
    embree_device_close(&device);
    return NULL;
}

const char *embree_load(const char *library, struct icd *module)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const char *why;

    if (handle == NULL)
        return dlerror();
    why = find_functions(handle);
    if (why == NULL && !icd_find_module(module, (void *)embree.rtcNewDevice))
        why = "its functions are not in a library";
    return why != NULL ? why : version_record(module);
}

static bool count_bytes(void *data, ssize_t bytes, bool is_after)
{
    struct embree_device *device = data;

    (void)is_after;
    device->bytes += bytes;
    device->calls++;
    if (device->observe != NULL)
        device->observe(device->argument);
    return true;
}

bool embree_device_open(struct embree_device *device, const char *config)
{
    char text[128];

    memset(device, 0, sizeof(*device));
    snprintf(text, sizeof(text), "threads=1%s%s", config != NULL ? "," : "",
             config != NULL ? config : "");
    device->handle = embree.rtcNewDevice(text);
    if (device->handle == NULL)
        return false;
    embree.rtcSetDeviceMemoryMonitorFunction(device->handle, (void *)count_bytes, device);
    return true;
}

void embree_device_close(struct embree_device *device)
{
    embree.rtcSetDeviceMemoryMonitorFunction(device->handle, NULL, NULL);
    embree.rtcReleaseDevice(device->handle);
}
