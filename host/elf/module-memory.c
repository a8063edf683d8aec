/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of a core that does not list the mapped files.  GDB writes that list last, so it is the
 * first part that a truncated core loses.  The kernel omits it if it is too long, and QEMU always
 * does.
 *
 * What remains is the dynamic linker's list of loaded modules, and the files' headers in memory.
 * If that list is lost too, headers may belong to modules or to files that were only read.  For a
 * module, the dynamic linker has added its address to the addresses in its dynamic section.
 */
#include <host/elf/elf.h>

#include <elf.h>
#include <host/core/core.h>
#include <stdlib.h>
#include <string.h>

#define NAME_AT_MOST 256 /* bytes */

/* The state of the search. */
struct search {
    ompd_host_target_t *target;
    struct module_list *list;
    struct link_map links;
    bool *are_found; /* of each link */
};

static bool is_within(const struct module *module, uint64_t address)
{
    return module->start <= address && address < module->end;
}

/* The name of the module according to LINK or, if that is NULL, to its own dynamic section. */
static const char *choose_name(const struct search *search, const struct module *module,
                               const struct dynamic *dynamic, const struct link *link)
{
    const ompd_host_target_t *target = search->target;
    const char *name = NULL;

    if (link != NULL && link->path != NULL && link->path[0] != '\0')
        return link->path;
    if (link != NULL && module->is_program && target->program != NULL)
        return target->program;
    if (module->is_program && target->executable != NULL)
        return target->executable;
    if (dynamic->name != 0)
        name = bytes_text(core_saved(target, dynamic->texts + dynamic->name, NAME_AT_MOST), 0);
    return name != NULL ? name : "";
}

/* Add MODULE, whose image is known, if it is a module. */
static ompd_host_rc_t add_module(struct search *search, struct module *module)
{
    const struct image *image = &module->image;
    const struct link *link = link_map_find(&search->links, image->bias + image->dynamic);
    struct dynamic dynamic = {0};

    module->target = search->target;
    module->start = image_start(image);
    module->end = image_end(image);
    if (image->dynamic != 0)
        dynamic_read(search->target, image->bias + image->dynamic, image->dynamic_size, &dynamic);
    if (link == NULL &&
        (!is_within(module, dynamic.texts) || !is_within(module, dynamic.symbols))) {
        image_free(&module->image);
        return ompd_host_rc_ok;
    }
    module->is_program = dynamic.debug != 0;
    module->name = strdup(choose_name(search, module, &dynamic, link));
    module->path = module->name;
    if (module->name == NULL || !module_add(search->list, module)) {
        image_free(&module->image);
        free(module->name);
        return image_no_memory(search->target);
    }
    if (link != NULL)
        search->are_found[link - search->links.items] = true;
    return ompd_host_rc_ok;
}

/* Add modules whose headers are in memory. */
static ompd_host_rc_t add_headers(struct search *search)
{
    const ompd_host_target_t *target = search->target;
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (size_t i = 0; rc == ompd_host_rc_ok && i < target->region_count; i++) {
        const struct region *region = &target->regions[i];
        struct module module = {0};

        if (region->bytes == NULL || region->end - region->start < SELFMAG ||
            memcmp(region->bytes, ELFMAG, SELFMAG) != 0 || region->start == target->core.vdso)
            continue;
        rc = image_read(search->target, region->start, &module.image);
        if (rc == ompd_host_rc_ok && module.image.loads != NULL)
            rc = add_module(search, &module);
    }
    return rc;
}

/* Add the other links, whose headers are in files on this machine. */
static ompd_host_rc_t add_links(struct search *search)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (size_t i = 0; rc == ompd_host_rc_ok && i < search->links.count; i++) {
        const struct link *link = &search->links.items[i];
        struct module module = {0};

        if (search->are_found[i] || link->path == NULL)
            continue;
        if (link->path[0] == '\0')
            rc = module_program_read(search->target, &module.image, NULL);
        else
            rc = module_file_read(search->target, link->path, link->bias, &module.image);
        if (rc == ompd_host_rc_ok && module.image.loads != NULL)
            rc = add_module(search, &module);
    }
    return rc;
}

/* Whether LINK is the kernel's own module, which has no file. */
static bool link_is_of_kernel(const ompd_host_target_t *target, const struct link *link)
{
    const struct region *region = region_find(target, target->core.vdso);

    return region != NULL && region->start == target->core.vdso && link->dynamic >= region->start &&
           link->dynamic < region->end;
}

/* Whether all modules were found. */
static bool has_all(const struct search *search)
{
    for (size_t i = 0; i < search->links.count; i++) {
        if (!search->are_found[i] && !link_is_of_kernel(search->target, &search->links.items[i]))
            return false;
    }
    return search->links.is_whole;
}

ompd_host_rc_t modules_find_in_memory(ompd_host_target_t *target, struct module_list *list,
                                      bool *are_all)
{
    struct search search = {.target = target, .list = list};
    ompd_host_rc_t rc = link_map_read(target, &search.links);

    if (rc != ompd_host_rc_ok)
        return rc;
    search.are_found = calloc(search.links.count + 1, sizeof(*search.are_found));
    rc = search.are_found != NULL ? add_headers(&search) : image_no_memory(target);
    if (rc == ompd_host_rc_ok)
        rc = add_links(&search);
    *are_all = rc == ompd_host_rc_ok && has_all(&search);
    free(search.are_found);
    link_map_free(&search.links);
    return rc;
}
