/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <dlfcn.h>
#include <string.h>

/* Whether OBJECT has published a registry of its own. */
static bool object_records(void *object)
{
    const struct ompd_cl_registry_root *root = dlsym(object, OMPD_CL_REGISTRY_SYMBOL);
    return root && root != recorder_root() &&
           memcmp(root->magic, OMPD_CL_REGISTRY_MAGIC, sizeof(root->magic)) == 0;
}

bool recorder_other_is_there(void)
{
    return recorder_loaded_objects_search(object_records);
}
