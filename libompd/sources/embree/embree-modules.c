/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The copies of libembree in the process. */
#include "sources/embree/embree.h"

#include <string.h>

/* Whether LAYOUT may describe MODULE, as far as its text says. */
static bool module_may_be_of(const struct target *target, const struct module *module,
                             const struct layout *layout)
{
    if (layout->class_count == 0 || layout->pointer_size != target->pointer_size ||
        layout->is_big_endian != target_is_big_endian(target))
        return false;
    return layout->build_id_size == 0 ||
           (layout->build_id_size == module->build_id_size &&
            memcmp(layout->build_id, module->build_id, module->build_id_size) == 0);
}

/* Find out whether LAYOUT describes MODULE. Returns ompd_rc_ok, or what ends the call. */
static ompd_rc_t module_compare(struct target *target, const struct module *module,
                                const struct layout *layout, bool *is_of)
{
    const uint8_t *bytes;
    uint32_t machine;
    ompd_rc_t rc;

    *is_of = false;
    if (!module_may_be_of(target, module, layout))
        return ompd_rc_ok;
    /* Without memory for the cache, nothing of the module can be read: that is no difference. */
    rc = target_view(target, module->start, 1, 0, &bytes);
    if (rc_is_final(rc))
        return rc;
    machine = module_machine(target, module);
    *is_of = (machine == 0 || machine == layout->machine) &&
             (layout->build_id_size != 0 || embree_layout_fits(target, module, layout));
    return ompd_rc_ok;
}

/* Find the layout of MODULE, NULL if there is none. Returns ompd_rc_ok, or what ends the call. */
static ompd_rc_t module_layout(struct target *target, const struct module *module,
                               const struct known_layout *layouts, const struct layout **layout)
{
    *layout = NULL;
    for (; layouts != NULL; layouts = layouts->next) {
        bool is_of;
        ompd_rc_t rc = module_compare(target, module, &layouts->layout, &is_of);

        if (rc != ompd_rc_ok)
            return rc;
        if (is_of) {
            *layout = &layouts->layout;
            return ompd_rc_ok;
        }
    }
    return ompd_rc_ok;
}

/* Whether the file name of MODULE has the name of Embree. Only such modules are asked for a symbol,
 * because that is expensive. */
static bool module_has_name(const struct module *module)
{
    const char *name = text_file_name(module->name);

    for (; *name != '\0'; name++) {
        if (strncmp(name, "embree", 6) == 0)
            return true;
    }
    return false;
}

/* Add module number INDEX of the target if it is a copy of libembree. Returns as module_symbol
 * does. */
static ompd_rc_t module_inspect(struct address_space *space, uint32_t index,
                                const struct module *module)
{
    struct embree_source *source = space->layout->embree;
    struct target *target = &space->target;
    const struct layout *layout;
    struct embree_module *added = &source->modules[source->module_count];
    uint64_t address;
    ompd_rc_t rc = module_layout(target, module, space->layouts, &layout);

    if (rc != ompd_rc_ok || (layout == NULL && !module_has_name(module)))
        return rc;
    if (layout == NULL) {
        rc = module_symbol(target, index, "rtcNewDevice", &address);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    }
    if (layout == NULL || source->module_count == EMBREE_MODULE_LIMIT) {
        source->unknown = *module;
        source->has_unknown = true;
        return ompd_rc_ok;
    }
    *added = (struct embree_module){
        .layout = layout,
        .start = module->start,
        .end = module->end,
        .memory_end = module_memory_end(target, module),
        .name_length = module->name_length,
    };
    memcpy(added->name, module->name, sizeof(added->name));
    source->module_count++;
    return ompd_rc_ok;
}

/* Find the copies of libembree. Returns ompd_rc_ok; ompd_rc_incomplete when the tool failed for
 * some modules; ompd_rc_nomem. */
static ompd_rc_t modules_find(struct address_space *space)
{
    ompd_rc_t worst = ompd_rc_ok;

    for (uint32_t i = 0; i < MODULE_LIMIT; i++) {
        struct module module;
        ompd_rc_t rc = module_get(&space->target, i, &module);

        if (rc == ompd_rc_unavailable)
            break;
        if (rc == ompd_rc_ok)
            rc = module_inspect(space, i, &module);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            worst = rc;
    }
    return worst;
}

/* Fail because no copy of libembree has a layout. */
static ompd_rc_t modules_refuse(struct address_space *space)
{
    const struct module *module = &space->layout->embree->unknown;
    struct message *message = &space->message;

    if (!space->layout->embree->has_unknown)
        return address_space_fail(space, ompd_rc_unavailable,
                                  space->layout->embree->has_lost_modules
                                      ? "no Embree was found, but not all modules could be read."
                                      : "there is no Embree in this process.");
    message_clear(message);
    message_add(message, "no layout matches ");
    message_add(message, text_file_name(module->name));
    message_add(message, module->build_id_size != 0 ? " (build-id " : " (without a build-id");
    message_add_bytes(message, module->build_id,
                      module->build_id_size < 20 ? module->build_id_size : 20);
    message_add(message, "); run `ompd-opencl learn LIBRARY` where it is installed.");
    return ompd_rc_unavailable;
}

/* Make room for what is found. */
static ompd_rc_t source_allocate(struct address_space *space)
{
    void *allocated;
    ompd_rc_t rc;

    if (space->layout->embree != NULL)
        return ompd_rc_ok;
    rc = memory_allocate(space->target.memory, sizeof(*space->layout->embree), &allocated);
    if (rc != ompd_rc_ok)
        return rc;
    space->layout->embree = memset(allocated, 0, sizeof(*space->layout->embree));
    return ompd_rc_ok;
}

/* Find the copies of this stop. */
static ompd_rc_t modules_refresh(struct address_space *space)
{
    struct embree_source *source;
    ompd_rc_t rc = source_allocate(space);

    if (rc != ompd_rc_ok)
        return rc;
    source = space->layout->embree;
    if (source->modules_stop == space->target.stop && source->layouts == space->layouts)
        return ompd_rc_ok;
    source->stop = 0;
    source->module_count = 0;
    source->has_unknown = false;
    rc = modules_find(space);
    if (rc_is_final(rc))
        return rc;
    source->has_lost_modules = rc != ompd_rc_ok;
    /* What an interrupt cut off is no property of this stop. */
    if (space->target.memory->call.is_interrupted)
        return ompd_rc_interrupted;
    source->modules_stop = space->target.stop;
    source->layouts = space->layouts;
    return ompd_rc_ok;
}

ompd_rc_t embree_modules_take(struct address_space *space)
{
    ompd_rc_t rc;

    if (!address_space_wants(space, ompd_cl_source_layout))
        return address_space_fail(
            space, ompd_rc_unavailable,
            "only layouts show Embree's objects, and the tool excluded them.");
    if (space->target.extra.module == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the tool does not list the process's modules, which layouts "
                                  "need.");
    if (space->target.extra.memory_region == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the tool does not list memory regions, which layouts need.");
    rc = modules_refresh(space);
    if (rc == ompd_rc_ok && space->layout->embree->module_count == 0)
        rc = modules_refuse(space);
    return rc;
}

ompd_rc_t embree_source_is_there(struct address_space *space, bool *is_there)
{
    struct message before = space->message;
    ompd_rc_t rc = embree_modules_take(space);

    *is_there = rc == ompd_rc_ok;
    if (rc_is_final(rc))
        return rc;
    space->message = before;
    return ompd_rc_ok;
}
