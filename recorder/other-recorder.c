/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "other-recorder.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "registry.h"

/* The name of one of the loaded objects, by its place among them. */
struct object_name {
    size_t objects_before;
    char name[PATH_MAX];
};

static int name_copy(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct object_name *wanted = argument;
    (void)size;
    if (wanted->objects_before > 0) {
        wanted->objects_before--;
        return 0;
    }
    size_t length = strnlen(object->dlpi_name, sizeof(wanted->name) - 1);
    memcpy(wanted->name, object->dlpi_name, length);
    wanted->name[length] = '\0';
    return 1;
}

/* The object NAME, which may have been unloaded meanwhile, has published a registry of its own. */
static bool object_records(const char *name)
{
    void *object = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (!object) {
        return false;
    }
    const struct ompd_cl_registry_root *root = dlsym(object, OMPD_CL_REGISTRY_SYMBOL);
    bool records = root && root != recorder_root() &&
                   memcmp(root->magic, OMPD_CL_REGISTRY_MAGIC, sizeof(root->magic)) == 0;
    dlclose(object);
    return records;
}

bool recorder_other_is_there(void)
{
    bool is_there = false;
    /* One name at a time: the dynamic linker must not be called from within dl_iterate_phdr(). */
    for (size_t place = 0; !is_there; place++) {
        struct object_name object = {.objects_before = place};
        if (!dl_iterate_phdr(name_copy, &object)) {
            break;
        }
        is_there = object_records(object.name);
    }
    dlerror(); /* or the program would be told of what was not found here */
    return is_there;
}
