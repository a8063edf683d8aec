/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Has the vendor library of the test suite make buffers with device addresses, and sets arguments
 * of a kernel to such addresses. Writes a line "NAME HANDLE ADDRESS" for each:
 *
 *     asked    the program has asked for its address
 *     unasked  it has not
 *     none     it has asked, and the runtime has no address for it
 *     plain    a buffer that has no device address
 *     kernel   argument 0 is ADDRESS, in the first buffer, and argument 1 is in no buffer
 *
 * and the line "main". Stops, and ends at the end of its input.
 */
#include "icd.h"
#include "truth.h"

#include <stdint.h>
#include <stdio.h>

#define SIZE 4096
#define OFFSET 16
#define GARBAGE UINT64_C(0xbadbadbad000)

typedef cl_int (*set_address_t)(cl_kernel, cl_uint, cl_ulong);

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;

/* Ask for the device address of MEMORY, with more room than it needs. */
static cl_ulong address_get(cl_mem memory)
{
    cl_ulong addresses[2] = {GARBAGE, GARBAGE};
    truth_require(clGetMemObjectInfo(memory, ICD_DEVICE_ADDRESS, sizeof(addresses), addresses,
                                     NULL) == CL_SUCCESS,
                  "no address");
    truth_require(addresses[1] == GARBAGE, "a second address");
    return addresses[0];
}

static cl_mem buffer_create(const char *name, size_t size, bool is_asked)
{
    const cl_mem_properties properties[] = {ICD_DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0};
    cl_mem memory = clCreateBufferWithProperties(context, properties, 0, size, NULL, NULL);
    truth_require(memory != NULL, "no buffer");
    printf("%s %p %#llx\n", name, (void *)memory,
           is_asked ? (unsigned long long)address_get(memory) : 0);
    return memory;
}

/* A kernel whose arguments are ADDRESS and one that is in no buffer. */
static void kernel_create(cl_ulong address)
{
    const char *source = "kernel void nothing(global int *a, global int *b) { *a = *b; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "nothing", NULL);
    set_address_t set_address = (set_address_t)clGetExtensionFunctionAddressForPlatform(
        platform, "clSetKernelArgDevicePointerEXT");
    truth_require(kernel != NULL && set_address != NULL, "no kernel");
    truth_require(set_address(kernel, 0, address) == CL_SUCCESS, "no argument");
    truth_require(set_address(kernel, 1, GARBAGE) == CL_SUCCESS, "no argument");
    printf("kernel %p %#llx\n", (void *)kernel, (unsigned long long)address);
}

int main(void)
{
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_mem memory = buffer_create("asked", SIZE, true);
    buffer_create("unasked", SIZE, false);
    buffer_create("none", ICD_SIZE_NO_ADDRESS, true);
    printf("plain %p 0\n", (void *)clCreateBuffer(context, 0, SIZE, NULL, NULL));
    kernel_create(address_get(memory) + OFFSET);
    printf("main\n");
    fflush(stdout);
    getchar();
    return 0;
}
