/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default"), noinline))
/* Without this the compiler removes a call without effect. */
#define KEEP __asm__ volatile("")

#define LIBRARY "libompd-opencl.so.0"

static char library_beside_recorder[PATH_MAX];
static const char *locations[3];

__attribute__((visibility("default"))) const char **ompd_dll_locations;

EXPORTED void ompd_dll_locations_valid(void)
{
    KEEP;
}

EXPORTED void ompd_bp_thread_begin(void)
{
    KEEP;
}

EXPORTED void ompd_bp_thread_end(void)
{
    KEEP;
}

EXPORTED void ompd_cl_bp_destructor_begin(uint64_t handle, uint64_t function, uint64_t user_data)
{
    (void)handle, (void)function, (void)user_data;
    KEEP;
}

EXPORTED void ompd_cl_bp_destructor_end(uint64_t handle, uint64_t function, uint64_t user_data)
{
    (void)handle, (void)function, (void)user_data;
    KEEP;
}

EXPORTED void ompd_cl_bp_svm_free_begin(uint64_t queue, uint64_t function, uint64_t user_data)
{
    (void)queue, (void)function, (void)user_data;
    KEEP;
}

EXPORTED void ompd_cl_bp_svm_free_end(uint64_t queue, uint64_t function, uint64_t user_data)
{
    (void)queue, (void)function, (void)user_data;
    KEEP;
}

EXPORTED void ompd_cl_bp_object_created(uint64_t handle)
{
    (void)handle;
    KEEP;
}

EXPORTED void ompd_cl_bp_object_released(uint64_t handle)
{
    (void)handle;
    KEEP;
}

EXPORTED void ompd_cl_bp_mistake(uint64_t rule, uint64_t handle)
{
    (void)rule, (void)handle;
    KEEP;
}

EXPORTED void ompd_cl_bp_call_failed(uint64_t handle, uint64_t call, uint64_t error)
{
    (void)handle, (void)call, (void)error;
    KEEP;
}

void recorder_dll_locations_publish(void)
{
    size_t count = 0;
    Dl_info recorder;
    if (dladdr((void *)&ompd_dll_locations_valid, &recorder) && recorder.dli_fname) {
        const char *slash = strrchr(recorder.dli_fname, '/');
        size_t folder = slash ? (size_t)(slash - recorder.dli_fname) + 1 : 0;
        if (folder && folder + sizeof(LIBRARY) <= sizeof(library_beside_recorder)) {
            memcpy(library_beside_recorder, recorder.dli_fname, folder);
            memcpy(library_beside_recorder + folder, LIBRARY, sizeof(LIBRARY));
            locations[count++] = library_beside_recorder;
        }
    }
    locations[count] = LIBRARY;
    ompd_dll_locations = locations;
    ompd_dll_locations_valid();
}
