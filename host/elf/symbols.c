/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The modules and symbols of a target, created on demand and reported to elfutils. */
#include <host/elf/elf.h>

#include <host/files/files.h>
#include <stdlib.h>
#include <string.h>

/* Use the module's image in the target's memory, if that contains its symbols. */
static Elf *open_copy(ompd_host_target_t *target, struct module *module)
{
    struct bytes file = {.is_swapped = module->image.is_swapped};

    if (module->image.loads == NULL || module->copy != NULL ||
        (target_is_core(target) && module_is_lost(target, module)))
        return NULL;
    module->copy = image_copy(target, &module->image, &target->symbols->copies, &module->copy_size);
    file.start = module->copy;
    file.size = module->copy_size;
    if (module->copy == NULL || !dynamic_symbols_end(&module->image, file))
        return NULL;
    return elf_memory((char *)module->copy, file.size);
}

/* libdwfl calls it when it first needs a module's file. */
static int find_file(Dwfl_Module *dwfl_module, void **user_data, const char *module_name,
                     Dwarf_Addr base, char **file_name, Elf **elf)
{
    struct module *module = *user_data;
    const struct image *image = &module->image;
    int descriptor = -1;

    (void)dwfl_module, (void)module_name, (void)base;
    if (module->file != NULL) {
        *file_name = strdup(module->file);
        if (*file_name == NULL)
            return -1;
        descriptor = module_debug_bound(module, file_open(module->file));
        if (descriptor >= 0 || !module->is_debug_left_out)
            return descriptor;
    } else if (module->target->asks_debuginfod && image->build_id != NULL) {
        descriptor = module_debug_bound(
            module, debuginfod_open(image->build_id, image->build_id_size, false, file_name));
    }
    if (descriptor < 0)
        *elf = open_copy(module->target, module);
    return descriptor;
}

static const Dwfl_Callbacks dwfl_callbacks = {
    .find_elf = find_file,
    .find_debuginfo = debug_file_find,
};

static ompd_host_rc_t refused(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_error, "elfutils: %s", dwfl_errmsg(-1));
}

static ompd_host_rc_t report_module(ompd_host_target_t *target, struct symbols *symbols,
                                    struct module *module)
{
    const struct image *image = &module->image;
    void **user_data;

    module->dwfl = dwfl_report_module(symbols->dwfl, module->path, module->start, module->end);
    if (module->dwfl == NULL)
        return refused(target);
    dwfl_module_info(module->dwfl, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
    *user_data = module;
    if (image->build_id != NULL &&
        dwfl_module_report_build_id(module->dwfl, image->build_id, image->build_id_size, 0) != 0)
        return refused(target);
    return ompd_host_rc_ok;
}

static ompd_host_rc_t module_report(ompd_host_target_t *target, struct symbols *symbols)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;

    symbols->dwfl = dwfl_begin(&dwfl_callbacks);
    if (symbols->dwfl == NULL)
        return refused(target);
    dwfl_report_begin(symbols->dwfl);
    for (size_t i = 0; rc == ompd_host_rc_ok && i < symbols->count; i++)
        rc = report_module(target, symbols, &symbols->modules[i]);
    if (dwfl_report_end(symbols->dwfl, NULL, NULL) != 0 && rc == ompd_host_rc_ok)
        rc = refused(target);
    return rc;
}

ompd_host_rc_t symbols_get(ompd_host_target_t *target, struct symbols **symbols)
{
    ompd_host_rc_t rc;

    if (target->symbols == NULL) {
        elf_version(EV_CURRENT);
        target->symbols = calloc(1, sizeof(*target->symbols));
        if (target->symbols == NULL)
            return target_message_set(target, ompd_host_rc_nomem, "out of memory");
        rc = modules_find(target, target->symbols);
        if (rc == ompd_host_rc_ok)
            rc = module_report(target, target->symbols);
        if (rc != ompd_host_rc_ok) {
            symbols_close(target);
            return rc;
        }
    }
    *symbols = target->symbols;
    return ompd_host_rc_ok;
}

void symbols_close(ompd_host_target_t *target)
{
    struct symbols *symbols = target->symbols;

    if (symbols == NULL)
        return;
    for (size_t i = 0; i < symbols->count; i++) {
        names_free(&symbols->modules[i].names);
        free(symbols->modules[i].table.entries);
    }
    if (symbols->dwfl != NULL)
        dwfl_end(symbols->dwfl);
    if (symbols->registers != NULL)
        dwfl_end(symbols->registers);
    elf_end(symbols->core);
    modules_free(symbols);
    free(symbols);
    target->symbols = NULL;
}
