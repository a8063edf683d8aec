/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Uses a layer through another loader than the system's:
 *
 *     loader-program DIRECTORY VENDOR LAYER WAY
 *
 * WAY is with-properties, legacy, short (an old loader with fewer functions), or both (the system's
 * loader and this one in one process).  Writes DIRECTORY/main.json and stops.  It is linked with a
 * library that exports OMPD's names, too, which must not be confused with the layer's.
 */
#include "loader.h"
#include "other-ompd.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OLD_ENTRIES 100 /* of OpenCL 1.2's first headers */

static void destructor(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void objects_create(const cl_icd_dispatch *functions, cl_platform_id platform, size_t size)
{
    cl_device_id device = NULL;
    functions->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = TRUTH_CALL(functions->clCreateContext(NULL, 1, &device, NULL, NULL, NULL));
    truth_row_t *row = truth_row_add(truth_contexts, "", context);
    row->platform = platform;
    row->devices = 1;
    for (size_t i = 0; i < 3; i++) {
        cl_mem memory = TRUTH_CALL(functions->clCreateBuffer(context, 0, size + i, NULL, NULL));
        row = truth_row_add(truth_memobjs, "buffer", memory);
        row->context = context;
        row->flags = CL_MEM_READ_WRITE;
        row->size = size + i;
        row->children = 0;
        for (size_t j = 0; j < i; j++) {
            void *data = (void *)(size + j);
            TRUTH_CALL(functions->clSetMemObjectDestructorCallback(memory, destructor, data));
            truth_destructor_add(row, "destructor", (const void *)destructor, data);
        }
    }
    cl_mem gone = functions->clCreateBuffer(context, 0, 9, NULL, NULL);
    functions->clReleaseMemObject(gone);
}

static void system_objects_create(void)
{
    const cl_icd_dispatch functions = {
        .clGetDeviceIDs = clGetDeviceIDs,
        .clCreateContext = clCreateContext,
        .clCreateBuffer = clCreateBuffer,
        .clReleaseMemObject = clReleaseMemObject,
        .clSetMemObjectDestructorCallback = clSetMemObjectDestructorCallback,
    };
    cl_platform_id platform = NULL;
    clGetPlatformIDs(1, &platform, NULL);
    truth_require(platform != NULL, "no platform");
    objects_create(&functions, platform, 2000);
}

static void names_check(void *layer)
{
    const char ***theirs = dlsym(layer, "ompd_dll_locations");
    truth_require(theirs != NULL && *theirs != NULL, "the layer has no ompd_dll_locations");
    truth_require(*theirs != other_ompd_locations(), "the layer uses another's ompd_dll_locations");
    truth_require(strstr((*theirs)[0], "libompd-opencl.so") != NULL,
                  "ompd_dll_locations does not name libompd-opencl");
    truth_require(other_ompd_is_untouched(), "the layer called another library's OMPD functions");
}

int main(int argc, char **argv)
{
    static loader_t loader;
    char path[4096];
    truth_require(argc == 5, "usage: loader-program DIRECTORY VENDOR LAYER WAY");
    const char *way = argv[4];
    loader_way_t how = strcmp(way, "legacy") == 0 ? loader_legacy : loader_with_properties;
    cl_uint entries = strcmp(way, "short") == 0 ? OLD_ENTRIES : LOADER_ALL_ENTRIES;
    if (strcmp(way, "both") == 0)
        system_objects_create();
    loader_init(&loader, argv[2], argv[3], how, entries);
    objects_create(&loader.functions, loader.platform, 1000);
    if (strcmp(way, "both") == 0)
        system_objects_create();
    names_check(loader.layer);
    snprintf(path, sizeof(path), "%s/main.json", argv[1]);
    truth_write(path);
    truth_stop("main");
    _exit(0);
}
