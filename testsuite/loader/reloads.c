/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loads OpenCL loaders itself, as plug-in hosts do, and leaks one buffer in each:
 *
 *     reloads again ROUNDS      one that is unloaded before it is loaded again
 *     reloads moved ROUNDS      the same, to another place each time
 *     reloads at-once FILE ...  loaders that stay loaded, side by side
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GET(function) __typeof__(&(function)) its_##function = symbol(loader, #function)

static void *symbol(void *loader, const char *name)
{
    void *address = dlsym(loader, name);
    if (address == NULL) {
        fprintf(stderr, "reloads: %s\n", dlerror());
        exit(1);
    }
    return address;
}

static void *load(const char *file)
{
    void *loader = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (loader == NULL) {
        fprintf(stderr, "reloads: %s\n", dlerror());
        exit(1);
    }
    return loader;
}

static void buffer_forget(void *loader)
{
    GET(clGetPlatformIDs);
    GET(clGetDeviceIDs);
    GET(clCreateContext);
    GET(clCreateBuffer);
    GET(clReleaseContext);
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    its_clGetPlatformIDs(1, &platform, NULL);
    its_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = its_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (its_clCreateBuffer(context, 0, 4096, NULL, NULL) == NULL)
        exit(1);
    its_clReleaseContext(context);
}

/* Unload LOADER; IS_MOVED: nothing is to be loaded where it was. */
static void unload(void *loader, int is_moved)
{
    const struct link_map *map = loader;
    void *place = (void *)map->l_addr;
    dlclose(loader);
    if (!is_moved)
        return;
    if (mmap(place, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
        exit(1); /* it is still loaded */
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "at-once") == 0) {
        for (int i = 2; i < argc; i++)
            buffer_forget(load(argv[i]));
        return 0;
    }
    for (int rounds = atoi(argv[2]); rounds > 0; rounds--) {
        void *loader = load("libOpenCL.so.1");
        buffer_forget(loader);
        unload(loader, strcmp(argv[1], "moved") == 0);
    }
    return 0;
}
