/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "embree: %s\n", what);
    exit(2);
}

static void *function_find(void *library, const char *name)
{
    void *function = dlsym(library, name);
    require(function != NULL || strcmp(name, "rtcSetGeometryInstancedScenes") == 0, name);
    return function;
}

void embree_open(embree_t *embree, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        require(false, dlerror());
#define X(name, result, parameters)                                                                \
    embree->name = (result(*) parameters)function_find(library, #name);
    EMBREE_FUNCTIONS(X)
#undef X
    embree->path = path;
}
