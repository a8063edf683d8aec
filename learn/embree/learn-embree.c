/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h. */
#include <learn/embree/embree.h>

#include <string.h>
#include <unistd.h>

static void objects_learn(void)
{
    devices_learn();
    scenes_learn();
    buffers_learn();
    geometries_learn(geometry_base_learn());
    instances_learn();
}

/* Learn what the sum of a device's bytes needs. */
static void bytes_learn(void)
{
    if (!protocol_step_begin("builds"))
        return;
    builds_learn();
    if (!account_learn())
        protocol_note("builds: left out, because the bytes found differ from the memory monitor's");
}

/* Whether the objects of a program can be found with what was learned. */
static bool has_needed(void)
{
    static const char *const kinds[] = {"device", "scene", "geometry", "buffer"};
    unsigned found = 0;

    for (size_t i = 0; i < draft_classes_count(); i++)
        for (unsigned kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
            if (strcmp(draft_class_at(i)->kind, kinds[kind]) == 0 && draft_class_at(i)->count != 0)
                found |= 1U << kind;
    return found == 15;
}

const char *embree_learn(const char *library, const char *folder, bool identifies)
{
    static struct icd module;
    const char *why = embree_load(library, &module);

    if (why != NULL)
        return why;
    if (folder != NULL && chdir(folder) != 0)
        return "cannot enter the work folder";
    if (!class_names_find(&module))
        return "it has no run-time type information";
    if (!identifies) {
        if (!guard_heap_has_bounds())
            return "the probe was built with AddressSanitizer, whose heap it cannot search";
        protocol_step_begin("objects");
        objects_learn();
        bytes_learn();
        if (!has_needed())
            return "it creates other objects than Embree 3 and 4";
    }
    draft_write(&module);
    return NULL;
}
