/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The public functions for modules and for symbols by name. */
#include <host/elf/elf.h>

#include <string.h>

static bool ends_in(const char *path, const char *name)
{
    size_t length = strlen(path);
    size_t name_length = strlen(name);

    return length >= name_length && strcmp(path + length - name_length, name) == 0;
}

/* Search in the order of the dynamic linker: the program's symbols precede those of its
 * libraries.  Returns false if out of memory. */
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

/* Whether the symbol may be in a module whose symbol tables the core lacks. */
static bool may_be_lost(const ompd_host_target_t *target, const char *module_name)
{
    const struct symbols *symbols = target->symbols;

    for (size_t i = 0; i < symbols->count; i++) {
        const struct module *module = &symbols->modules[i];

        if ((module_name == NULL || ends_in(module->path, module_name)) &&
            module_is_lost(target, module))
            return true;
    }
    return false;
}

static ompd_host_rc_t symbols_no_memory(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_nomem, "out of memory");
}

static ompd_host_rc_t not_found(ompd_host_target_t *target, const char *module_name,
                                const char *name)
{
    if (!target->symbols->has_all)
        return target_message_set(
            target, ompd_host_rc_not_saved,
            "the core does not list its modules, and not all were found; name the program "
            "(executable) and the folder of its libraries (sysroot)");
    if (target_is_core(target) && may_be_lost(target, module_name))
        return target_message_set(target, ompd_host_rc_not_saved,
                                  "the core does not contain the symbol tables of all modules");
    return target_message_set(target, ompd_host_rc_not_found, "'%s' has no symbol %s",
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
        return target_message_set(target, ompd_host_rc_bad_input, "the symbol name is NULL");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    for (int is_local = 0; is_local <= 1 && !is_found; is_local++) {
        if (!find_in_modules(symbols, module_name, name, is_local != 0, &found, &is_found))
            return symbols_no_memory(target);
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
        return target_message_set(target, ompd_host_rc_bad_input, "the symbol name is NULL");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    if (index >= symbols->count)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "module index out of range: the target has %zu modules",
                                  symbols->count);
    module = &symbols->modules[index];
    for (int is_local = 0; is_local <= 1 && !is_found; is_local++) {
        if (!names_find(module, name, is_local != 0, &found, &is_found))
            return symbols_no_memory(target);
    }
    if (!is_found)
        return target_is_core(target) && module_is_lost(target, module)
                   ? target_message_set(target, ompd_host_rc_not_saved,
                                        "the core does not contain the symbol table of '%s'",
                                        module->path)
                   : target_message_set(target, ompd_host_rc_not_found, "'%s' has no symbol %s",
                                        module->path, name);
    *address = found;
    return target_message_clear(target);
}

PUBLIC ompd_host_rc_t ompd_host_module_get(ompd_host_target_t *target, size_t index,
                                           ompd_host_module_t *module)
{
    struct symbols *symbols;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (module == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "the module pointer is NULL");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    if (index >= symbols->count && !symbols->has_all)
        return target_message_set(target, ompd_host_rc_not_saved,
                                  "the core lists only its first %zu modules", symbols->count);
    if (index >= symbols->count)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "module index out of range: the target has %zu modules",
                                  symbols->count);
    *module = (ompd_host_module_t){
        .path = symbols->modules[index].path,
        .file = symbols->modules[index].file,
        .start = symbols->modules[index].start,
        .end = symbols->modules[index].end,
        .build_id = symbols->modules[index].image.build_id,
        .build_id_size = symbols->modules[index].image.build_id_size,
    };
    return target_message_clear(target);
}
