/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How often a loader has loaded layers, and the number of loadings after the last complete search.
 */
static uint32_t load_count;
static uint32_t searched_count;

/* Whether the library of ADDRESS has the name that programs link to for OpenCL. */
static bool is_opencl(const void *address)
{
    static const char prefix[] = "libOpenCL";
    Dl_info library;
    if (!address || !dladdr(address, &library) || !library.dli_fname) {
        return false;
    }
    const char *slash = strrchr(library.dli_fname, '/');
    const char *name = slash ? slash + 1 : library.dli_fname;
    return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

/* dlsym() may find the symbol in a library that OBJECT needs: then exclude that library. */
static bool object_leave_out(void *object)
{
    const void *layer = dlsym(object, "clGetLayerInfo");
    const void *opencl = dlsym(object, "clGetPlatformIDs");
    if (layer) {
        recorder_stack_leave_out(layer);
    }
    if (is_opencl(opencl)) {
        recorder_stack_leave_out(opencl);
    }
    return false; /* the next object */
}

void recorder_layers_load(void)
{
    recorder_environment_layers_split();
    __atomic_add_fetch(&load_count, 1, __ATOMIC_RELEASE);
}

void recorder_layers_loaded(void)
{
    recorder_environment_restore_layers();
    uint32_t count = __atomic_load_n(&load_count, __ATOMIC_ACQUIRE);
    /* No lock, because another thread may have the dynamic linker's. Two threads may search at once
     * and find the same. */
    if (__atomic_load_n(&searched_count, __ATOMIC_ACQUIRE) != count) {
        recorder_loaded_objects_search(object_leave_out);
        __atomic_store_n(&searched_count, count, __ATOMIC_RELEASE);
    }
}
