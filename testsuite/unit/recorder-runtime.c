/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder-runtime.h"

#include <check.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompd-opencl-calls.h"

#define LOADER "libOpenCL.so.1"
#define VENDOR "/etc/OpenCL/vendors/pocl.icd"
#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

#define CALL(number, function) {number, #function},
static const struct {
    uint32_t number;
    const char *name;
} calls[] = {OMPD_CL_CALLS(CALL)};

const char *recorder_runtime_why_none(void)
{
    return access(VENDOR, R_OK) != 0 ? "PoCL is not installed" : NULL;
}

/* The table that a loader would give to its first layer. */
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
    ck_assert_int_eq(setenv("OCL_ICD_VENDORS", VENDOR, 1), 0);
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
