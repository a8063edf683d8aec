/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "loaded-objects.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

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

/* The object NAME, which may have been unloaded meanwhile, is wanted. */
static bool object_is_wanted(const char *name, bool (*is_wanted)(void *object))
{
    void *object = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (!object) {
        return false;
    }
    bool result = is_wanted(object);
    dlclose(object);
    return result;
}

bool recorder_loaded_objects_search(bool (*is_wanted)(void *object))
{
    bool is_found = false;
    /* One name at a time: the dynamic linker must not be called from within dl_iterate_phdr(). */
    for (size_t place = 0; !is_found; place++) {
        struct object_name object = {.objects_before = place};
        if (!dl_iterate_phdr(name_copy, &object)) {
            break;
        }
        is_found = object_is_wanted(object.name, is_wanted);
    }
    dlerror(); /* or the program would be told of what was not found here */
    return is_found;
}
