/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The modules of a target, found by its mapped files. */
#include <host/elf/elf.h>

#include <elf.h>
#include <host/core/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DELETED " (deleted)"
#define VDSO "[vdso]"

/* ---- Mapped files ---------------------------------------------------------------------------- */

/* Add the file mapping in LINE of /proc/PID/maps to the symbols' list. */
static bool add_mapping(void *context, char *line)
{
    struct symbols *symbols = context;
    struct file_mapping *files;
    struct maps_line read;
    size_t length;

    if (!maps_line_read(line, &read) ||
        (read.path[0] != '/' && strncmp(read.path, VDSO, strlen(VDSO)) != 0))
        return true;
    length = strlen(read.path);
    if (length > strlen(DELETED) && strcmp(read.path + length - strlen(DELETED), DELETED) == 0)
        read.path[length - strlen(DELETED)] = '\0';
    files = array_grow(symbols->files, symbols->file_count, sizeof(*files));
    if (files == NULL)
        return false;
    symbols->files = files;
    files += symbols->file_count;
    *files = (struct file_mapping){read.start, read.end, read.offset, strdup(read.path)};
    symbols->file_count += files->path != NULL;
    return files->path != NULL;
}

/* ---- Modules among them ---------------------------------------------------------------------- */

/* The index of the mapping, of COUNT, that contains ADDRESS; COUNT: none. */
static size_t mapping_at(const struct file_mapping *files, size_t count, uint64_t address)
{
    for (size_t i = 0; i < count; i++) {
        if (address >= files[i].start && address < files[i].end)
            return i;
    }
    return count;
}

/*
 * Whether the dynamic linker or the kernel loaded IMAGE with the COUNT mappings from FILES on: each
 * segment from its offset, with separate mappings for different permissions.  A file that is mapped
 * in one piece for reading is not a module.
 */
static bool is_loaded(const struct image *image, const struct file_mapping *files, size_t count)
{
    size_t last = count;
    uint32_t flags = 0;

    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];
        uint64_t address = image->bias + load->address;
        size_t at = mapping_at(files, count, address);

        if (load->file_size == 0)
            continue;
        if (at == count || files[at].offset + (address - files[at].start) != load->offset)
            return false;
        if (at == last && load->flags != flags)
            return false;
        last = at;
        flags = load->flags;
    }
    return true;
}

bool module_add(struct module_list *list, const struct module *module)
{
    struct module *items = array_grow(list->items, list->count, sizeof(*items));

    if (items == NULL)
        return false;
    list->items = items;
    items[list->count++] = *module;
    return true;
}

/*
 * Whether the mappings from FILES on belong to a file with code whose header is unknown.  Some of
 * them are code.  GDB does not save code, so writable data among several mappings count, too.
 */
static bool has_code(const ompd_host_target_t *target, const struct file_mapping *files,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct region *region = region_find(target, files[i].start);

        if (region != NULL && region->start <= files[i].start &&
            (region->is_executable || (count > 1 && region->is_writable)))
            return true;
    }
    return false;
}

/* The kernel marks the program's path if the file was deleted. */
static bool is_program(const ompd_host_target_t *target, const char *path)
{
    size_t length = strlen(path);

    return target->program != NULL && strncmp(target->program, path, length) == 0 &&
           (target->program[length] == '\0' || strcmp(target->program + length, DELETED) == 0);
}

/* Add the module, if any, that consists of COUNT mappings of one file. */
static ompd_host_rc_t file_module_add(ompd_host_target_t *target, struct module_list *list,
                                      const struct file_mapping *files, size_t count)
{
    struct module module = {.path = files[0].path, .target = target};
    ompd_host_rc_t rc = image_read(target, files[0].start, &module.image);

    if (rc != ompd_host_rc_ok)
        return rc;
    if (module.image.loads != NULL) {
        if (strcmp(module.path, VDSO) != 0 && !is_loaded(&module.image, files, count)) {
            image_free(&module.image);
            return ompd_host_rc_ok;
        }
        module.start = image_start(&module.image);
        module.end = image_end(&module.image);
    } else {
        /* Without its header, the end of the kernel's own module is unknown. */
        if (strcmp(module.path, VDSO) == 0 || !has_code(target, files, count))
            return ompd_host_rc_ok;
        module.start = files[0].start;
        module.end = files[count - 1].end;
    }
    module.is_program = is_program(target, module.path);
    if (!module_add(list, &module)) {
        image_free(&module.image);
        return image_no_memory(target);
    }
    return ompd_host_rc_ok;
}

/* Add the modules among COUNT mappings, which are sorted by address. */
static ompd_host_rc_t files_modules_add(ompd_host_target_t *target, struct module_list *list,
                                        const struct file_mapping *files, size_t count)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (size_t first = 0; rc == ompd_host_rc_ok && first < count;) {
        size_t next = first + 1;

        /* A file that is loaded twice begins again. */
        while (next < count && files[next].offset != 0 &&
               strcmp(files[next].path, files[first].path) == 0)
            next++;
        rc = file_module_add(target, list, files + first, next - first);
        first = next;
    }
    return rc;
}

/* Sort, and drop modules that overlap, as they may in a damaged core. */
static void modules_sort(struct module_list *list)
{
    uint64_t end = 0;
    size_t kept = 0;

    array_sort(list->items, list->count, sizeof(*list->items));
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].start < end) {
            image_free(&list->items[i].image);
            free(list->items[i].name);
            continue;
        }
        end = list->items[i].end;
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* For a core without a list: list the read-only mappings of its modules' files. */
static ompd_host_rc_t list_files(ompd_host_target_t *target, const struct symbols *symbols)
{
    struct core *core = &target->core;
    size_t count = 0;

    for (size_t i = 0; i < symbols->count; i++)
        count += symbols->modules[i].image.load_count;
    core->files = calloc(count + 1, sizeof(*core->files));
    if (core->files == NULL)
        return image_no_memory(target);
    for (size_t i = 0; i < symbols->count; i++) {
        const struct image *image = &symbols->modules[i].image;

        for (size_t j = 0; j < image->load_count; j++) {
            const struct load *load = &image->loads[j];

            if ((load->flags & PF_W) == 0)
                core->files[core->file_count++] = (struct file_mapping){
                    .start = image_page_start(image->bias + load->address),
                    .end = image_page_end(image->bias + load->address + load->file_size),
                    .offset = image_page_start(load->offset),
                    .path = symbols->modules[i].path,
                };
        }
    }
    core_files_sort(core);
    return ompd_host_rc_ok;
}

ompd_host_rc_t modules_find(ompd_host_target_t *target, struct symbols *symbols)
{
    struct file_mapping vdso = {target->core.vdso, target->core.vdso + 1, 0, VDSO};
    struct module_list list = {0};
    ompd_host_rc_t rc = ompd_host_rc_ok;

    if (target_is_core(target)) {
        rc = files_modules_add(target, &list, target->core.files, target->core.file_count);
        if (rc == ompd_host_rc_ok && target->core.vdso != 0)
            rc = files_modules_add(target, &list, &vdso, 1);
        symbols->has_all = target->core.file_count != 0;
        if (rc == ompd_host_rc_ok && !symbols->has_all)
            rc = modules_find_in_memory(target, &list, &symbols->has_all);
    } else {
        symbols->has_all = true;
        rc = maps_visit(target, add_mapping, symbols);
        if (rc == ompd_host_rc_ok)
            rc = files_modules_add(target, &list, symbols->files, symbols->file_count);
    }
    modules_sort(&list);
    symbols->modules = list.items;
    symbols->count = list.count;
    if (rc == ompd_host_rc_ok && target_is_core(target) && target->core.file_count == 0)
        rc = list_files(target, symbols);
    for (size_t i = 0; rc == ompd_host_rc_ok && i < list.count; i++)
        rc = module_file_find(target, &list.items[i]);
    return rc;
}

struct module *module_at(const struct symbols *symbols, uint64_t address)
{
    size_t first = array_find(symbols->modules, symbols->count, sizeof(*symbols->modules), address);
    struct module *module = &symbols->modules[first];

    if (first == symbols->count || address < module->start ||
        (module->image.loads != NULL && !image_contains(&module->image, address)))
        return NULL;
    return module;
}

/* Whether the core lacks part of its memory at [START, START + SIZE). */
static bool is_unsaved(const ompd_host_target_t *target, uint64_t start, uint64_t size)
{
    for (size_t i = 0; i < target->region_count; i++) {
        const struct region *region = &target->regions[i];

        if (region->end > start && region->start < start + size && region->bytes == NULL)
            return true;
    }
    return false;
}

bool module_is_lost(const ompd_host_target_t *target, const struct module *module)
{
    const struct image *image = &module->image;

    if (module->file != NULL)
        return false;
    return image->loads == NULL ||
           is_unsaved(target, image->bias + image->loads[0].address, image->loads[0].file_size) ||
           is_unsaved(target, image->bias + image->dynamic, image->dynamic_size);
}

void modules_free(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++) {
        debug_alternate_close(&symbols->modules[i]);
        image_free(&symbols->modules[i].image);
        free(symbols->modules[i].name);
        free(symbols->modules[i].file);
        if (symbols->modules[i].copy != NULL)
            munmap(symbols->modules[i].copy, symbols->modules[i].copy_size);
    }
    free(symbols->modules);
    for (size_t i = 0; i < symbols->file_count; i++)
        free((char *)(uintptr_t)symbols->files[i].path);
    free(symbols->files);
}
