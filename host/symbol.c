/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbols of a target, by name, in the symbol tables of its modules. */
#include <host/module.h>

#include <stdlib.h>
#include <string.h>

#include <host/debuginfod.h>
#include <host/dynamic.h>
#include <host/file.h>

/* ---- What elfutils is told ------------------------------------------------------------------- */

/* Whether the core has not saved all of its memory at [START, START + SIZE). */
static bool is_unsaved(const ompd_host_target_t *target, uint64_t start, uint64_t size)
{
    for (size_t i = 0; i < target->region_count; i++) {
        const struct region *region = &target->regions[i];

        if (region->end > start && region->start < start + size && region->bytes == NULL)
            return true;
    }
    return false;
}

/* Whether the symbols of MODULE are not known: no file here holds it, and the core has lost what
 * they are found by: the headers, the dynamic section, or the first segment, which has the table.
 */
static bool is_lost(const ompd_host_target_t *target, const struct module *module)
{
    const struct image *image = &module->image;

    if (module->file != NULL)
        return false;
    return image->loads == NULL ||
           is_unsaved(target, image->bias + image->loads[0].address, image->loads[0].file_size) ||
           is_unsaved(target, image->bias + image->dynamic, image->dynamic_size);
}

/* The module is what the target has in its memory, when that tells its symbols. */
static Elf *open_copy(ompd_host_target_t *target, struct module *module)
{
    struct bytes file = {.is_swapped = module->image.is_swapped};

    if (module->image.loads == NULL || module->copy != NULL ||
        (target_is_core(target) && is_lost(target, module)))
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

static ompd_host_rc_t report(ompd_host_target_t *target, struct symbols *symbols)
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
            return target_message_set(target, ompd_host_rc_nomem, "no memory for the modules");
        rc = modules_find(target, target->symbols);
        if (rc == ompd_host_rc_ok)
            rc = report(target, target->symbols);
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
    places_free(symbols);
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
    file_pages_free(symbols);
    free(symbols);
    target->symbols = NULL;
}

/* ---- By name --------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *name)
{
    size_t length = strlen(path);
    size_t name_length = strlen(name);

    return length >= name_length && strcmp(path + length - name_length, name) == 0;
}

/* The program's symbols come before those of its libraries, as for the dynamic linker.  False:
 * there is no memory. */
static bool find_in_modules(struct symbols *symbols, const char *module_name, const char *name,
                            bool is_local, uint64_t *address, bool *is_found)
{
    *is_found = false;
    for (int is_program = 1; is_program >= 0; is_program--) {
        for (size_t i = 0; i < symbols->count && !*is_found; i++) {
            struct module *module = &symbols->modules[i];

            if (module->is_program == (is_program != 0) &&
                (module_name == NULL || ends_in(module->path, module_name)) &&
                !names_find(module, name, is_local, address, is_found))
                return false;
        }
    }
    return true;
}

/* Whether a core may have the symbol in a module of which it has lost what symbols are found by. */
static bool may_be_lost(const ompd_host_target_t *target, const char *module_name)
{
    const struct symbols *symbols = target->symbols;

    for (size_t i = 0; i < symbols->count; i++) {
        const struct module *module = &symbols->modules[i];

        if ((module_name == NULL || ends_in(module->path, module_name)) && is_lost(target, module))
            return true;
    }
    return false;
}

static ompd_host_rc_t no_memory(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_nomem, "no memory for the symbols");
}

static ompd_host_rc_t not_found(ompd_host_target_t *target, const char *module_name,
                                const char *name)
{
    if (!target->symbols->has_all)
        return target_message_set(
            target, ompd_host_rc_not_saved,
            "the core does not list its modules, and not all were found: name the program "
            "(executable) and the folder that has its libraries (sysroot)");
    if (target_is_core(target) && may_be_lost(target, module_name))
        return target_message_set(
            target, ompd_host_rc_not_saved,
            "the core has not saved what tells the symbols of all its modules");
    return target_message_set(target, ompd_host_rc_not_found, "%s has no symbol %s",
                              module_name != NULL ? module_name : "the target", name);
}

PUBLIC ompd_host_rc_t ompd_host_symbol_find(ompd_host_target_t *target, const char *module_name,
                                            const char *name, uint64_t *address)
{
    struct symbols *symbols;
    uint64_t found;
    bool is_found = false;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (name == NULL || address == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "no symbol is named");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    for (int is_local = 0; is_local <= 1 && !is_found; is_local++) {
        if (!find_in_modules(symbols, module_name, name, is_local != 0, &found, &is_found))
            return no_memory(target);
    }
    if (!is_found)
        return not_found(target, module_name, name);
    *address = found;
    return target_message_clear(target);
}

PUBLIC ompd_host_rc_t ompd_host_module_symbol_find(ompd_host_target_t *target, size_t index,
                                                   const char *name, uint64_t *address)
{
    struct module *module;
    struct symbols *symbols;
    uint64_t found;
    bool is_found = false;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (name == NULL || address == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "no symbol is named");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    if (index >= symbols->count)
        return target_message_set(target, ompd_host_rc_not_found, "there are %zu modules",
                                  symbols->count);
    module = &symbols->modules[index];
    for (int is_local = 0; is_local <= 1 && !is_found; is_local++) {
        if (!names_find(module, name, is_local != 0, &found, &is_found))
            return no_memory(target);
    }
    if (!is_found)
        return target_is_core(target) && is_lost(target, module)
                   ? target_message_set(target, ompd_host_rc_not_saved,
                                        "the core has not saved what tells the symbols of %s",
                                        module->path)
                   : target_message_set(target, ompd_host_rc_not_found, "%s has no symbol %s",
                                        module->path, name);
    *address = found;
    return target_message_clear(target);
}
