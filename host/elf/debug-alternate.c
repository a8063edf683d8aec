/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debug information that dwz moved to a file shared by several programs and libraries, which they
 * link to (.gnu_debugaltlink).  elfutils would open any file of that name, with any build-id, so it
 * gets one before.
 */
#include <host/elf/elf.h>

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <host/files/files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Without the file ------------------------------------------------------------------------ */

/* An ELF file with empty debug information. */
static const struct empty {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    char names[32];
} empty = {
    .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64,
                           __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB,
                           EV_CURRENT},
               .e_type = ET_DYN,
               .e_version = EV_CURRENT,
               .e_shoff = offsetof(struct empty, sections),
               .e_ehsize = sizeof(Elf64_Ehdr),
               .e_shentsize = sizeof(Elf64_Shdr),
               .e_shnum = 3,
               .e_shstrndx = 2},
    .sections = {{.sh_type = SHT_NULL},
                 {.sh_name = 1,
                  .sh_type = SHT_PROGBITS,
                  .sh_size = 1,
                  .sh_offset = offsetof(struct empty, names)},
                 {.sh_name = 13,
                  .sh_type = SHT_STRTAB,
                  .sh_size = sizeof(empty.names),
                  .sh_offset = offsetof(struct empty, names)}},
    .names = "\0.debug_info\0.shstrtab",
};

/* Names in the missing file are unknown then. */
static void empty_alternate_use(struct module *module)
{
    module->alternate_elf = elf_memory((char *)(uintptr_t)&empty, sizeof(empty));
    if (module->alternate_elf != NULL)
        module->alternate = dwarf_begin_elf(module->alternate_elf, DWARF_C_READ, NULL);
}

/* ---- With the file --------------------------------------------------------------------------- */

/* Open the file NAME beside the one with the link; -1: it has another build-id. */
static int open_beside(const struct module *module, const char *name, const void *build_id,
                       size_t size)
{
    const char *file = NULL;
    const char *debug_file = NULL;
    const char *slash;
    char *path;
    int descriptor;

    dwfl_module_info(module->dwfl, NULL, NULL, NULL, NULL, NULL, &file, &debug_file);
    file = debug_file != NULL ? debug_file : file;
    slash = file != NULL ? strrchr(file, '/') : NULL;
    if (slash == NULL || asprintf(&path, "%.*s/%s", (int)(slash - file), file, name) < 0)
        return -1;
    descriptor = file_open_within(module->target->sysroot, path);
    free(path);
    if (descriptor >= 0 && !module_file_has_build_id(descriptor, build_id, size)) {
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

static int open_any(const struct module *module, const char *name, const void *build_id,
                    size_t size)
{
    const ompd_host_target_t *target = module->target;
    char *found = NULL;
    int descriptor = debug_file_open(target, build_id, size, NULL);

    if (descriptor < 0)
        descriptor = name[0] == '/' ? debug_file_open(target, build_id, size, name)
                                    : open_beside(module, name, build_id, size);
    if (descriptor < 0 && target->asks_debuginfod)
        descriptor = debuginfod_open(build_id, size, true, &found);
    free(found);
    return descriptor;
}

void debug_alternate_find(struct module *module)
{
    Dwarf_Addr bias;
    Dwarf *own = NULL;
    const char *name = NULL;
    const void *build_id = NULL;
    ssize_t size;
    int descriptor;

    if (!module->is_alternate_known)
        own = dwfl_module_getdwarf(module->dwfl, &bias);
    module->is_alternate_known = true;
    size = own != NULL ? dwelf_dwarf_gnu_debugaltlink(own, &name, &build_id) : 0;
    if (size <= 0)
        return;
    descriptor = module_debug_bound(module, open_any(module, name, build_id, (size_t)size));
    module->alternate = descriptor >= 0 ? dwarf_begin(descriptor, DWARF_C_READ) : NULL;
    module->alternate_file = descriptor;
    if (module->alternate == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        empty_alternate_use(module);
    }
    if (module->alternate != NULL)
        dwarf_setalt(own, module->alternate);
}

void debug_alternate_close(struct module *module)
{
    if (module->alternate != NULL)
        dwarf_end(module->alternate);
    if (module->alternate_elf != NULL)
        elf_end(module->alternate_elf);
    else if (module->alternate != NULL)
        close(module->alternate_file);
}
