/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* The name of a loaded object, by its index. */
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

/* Whether the object NAME, which may have been unloaded meanwhile, is wanted. */
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

struct code_search {
    uintptr_t address;
    struct recorder_loaded_code *code;
};

static uint64_t name_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static int code_visit(struct dl_phdr_info *object, size_t size, void *argument)
{
    const struct code_search *search = argument;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
            search->address - start < segment->p_memsz) {
            *search->code = (struct recorder_loaded_code){
                .start = start,
                .size = segment->p_memsz,
                .name = name_hash(object->dlpi_name),
                .unloads = object->dlpi_subs,
                .is_of_program = object->dlpi_name[0] == '\0',
            };
            return 1;
        }
    }
    return 0;
}

bool recorder_loaded_code_find(struct recorder_loaded_code *code, uintptr_t address)
{
    struct code_search search = {address, code};
    return dl_iterate_phdr(code_visit, &search) != 0;
}

bool recorder_loaded_code_is_gone(const struct recorder_loaded_code *code)
{
    struct recorder_loaded_code now;
    return !recorder_loaded_code_find(&now, code->start) || now.start != code->start ||
           now.size != code->size || now.name != code->name;
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
    dlerror(); /* or the program would see an error of this lookup */
    return is_found;
}
