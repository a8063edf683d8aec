/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Breaks one rule of OpenCL, or does the same correctly; mistake-scene.c describes its arguments.
 */
#include "rules.h"

#include <pthread.h>

cl_mem rules_make_buffer(const scene_t *scene)
{
    cl_mem buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

void *rules_make_svm(const scene_t *scene)
{
    void *memory = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, SIZE, 0);

    truth_require(memory != NULL, "no SVM");
    return memory;
}

cl_kernel rules_make_kernel(const scene_t *scene, const char *source, const char *name)
{
    cl_program program = clCreateProgramWithSource(scene->context, 1, &source, NULL, NULL);
    cl_kernel kernel;

    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    kernel = clCreateKernel(program, name, NULL);
    truth_require(kernel != NULL, "no kernel");
    clReleaseProgram(program);
    return kernel;
}

void rules_in_thread(void *(*begin)(void *), void *argument)
{
    pthread_t thread;

    truth_require(pthread_create(&thread, NULL, begin, argument) == 0, "no thread");
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const mistake_t *const groups[] = {
        rules_of_callbacks, rules_of_handles, rules_of_kernels, rules_of_memory, rules_of_svm, NULL,
    };

    return mistake_main(argc, argv, groups);
}
