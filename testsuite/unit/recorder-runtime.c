/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder-runtime.h"

#include <check.h>
#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd-opencl-calls.h"

#define LOADER "libOpenCL.so.1"
#define VENDORS "/etc/OpenCL/vendors/*.icd"
#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

#define CALL(number, function, ...) {number, #function},
static const struct {
    uint32_t number;
    const char *name;
} calls[] = {
#include <schema/calls.def>
};

/* Whether the library that the .icd file at PATH names is PoCL's. */
static bool is_pocl(const char *path)
{
    char library[4096] = "";
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (!fgets(library, sizeof(library), file)) {
            library[0] = '\0';
        }
        fclose(file);
    }
    const char *slash = strrchr(library, '/');
    const char *name = slash != NULL ? slash + 1 : library;
    return strncmp(name, "libpocl.so", strlen("libpocl.so")) == 0;
}

/* Write the path of PoCL's .icd file to PATH, of SIZE bytes; whether there is one. */
static bool find_pocl(char *path, size_t size)
{
    glob_t found = {.gl_pathc = 0};
    bool is_found = false;
    if (glob(VENDORS, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !is_found; i++) {
            is_found = is_pocl(found.gl_pathv[i]);
            snprintf(path, size, "%s", found.gl_pathv[i]);
        }
    }
    globfree(&found);
    return is_found;
}

const char *recorder_runtime_why_none(void)
{
    char path[4096];
    return find_pocl(path, sizeof(path)) ? NULL : "PoCL is not installed";
}

/* The table that a loader would pass to its first layer. */
static void loader_table_get(cl_icd_dispatch *table)
{
    static void *functions[ENTRY_COUNT];
    void *loader = dlopen(LOADER, RTLD_NOW);
    ck_assert_msg(loader != NULL, "%s", dlerror());
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (calls[i].number <= ENTRY_COUNT) {
            functions[calls[i].number - 1] = dlsym(loader, calls[i].name);
        }
    }
    memcpy(table, functions, sizeof(functions));
}

void recorder_runtime_open(struct recorder_runtime *runtime)
{
    cl_icd_dispatch table;
    cl_uint entries;
    cl_platform_id platform;
    char vendor[4096];
    ck_assert(find_pocl(vendor, sizeof(vendor)));
    ck_assert_int_eq(setenv("OCL_ICD_VENDORS", vendor, 1), 0);
    ck_assert_int_eq(unsetenv("OPENCL_LAYERS"), 0);
    loader_table_get(&table);
    ck_assert_int_eq(clInitLayer(ENTRY_COUNT, &table, &entries, &runtime->cl), CL_SUCCESS);
    const cl_icd_dispatch *cl = runtime->cl;
    ck_assert_ptr_ne(cl, &table);
    ck_assert_int_eq(cl->clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &runtime->device, NULL),
                     CL_SUCCESS);
    runtime->context = cl->clCreateContext(NULL, 1, &runtime->device, NULL, NULL, NULL);
    ck_assert_ptr_nonnull(runtime->context);
    runtime->queue =
        cl->clCreateCommandQueueWithProperties(runtime->context, runtime->device, NULL, NULL);
    ck_assert_ptr_nonnull(runtime->queue);
}

void recorder_runtime_close(struct recorder_runtime *runtime)
{
    ck_assert_int_eq(runtime->cl->clReleaseCommandQueue(runtime->queue), CL_SUCCESS);
    ck_assert_int_eq(runtime->cl->clReleaseContext(runtime->context), CL_SUCCESS);
}
