/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Separate debug files: found by build-id, by the name that the file links to, and by debuginfod if
 * the target asks for it.  They are opened here, by the rules of file.c, and not by elfutils.
 */
#include <host/elf/elf.h>

#include <host/files/files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_FOLDER "/usr/lib/debug"
#define BUFFER_SIZE 65536

/* What to search for. */
struct search {
    const ompd_host_target_t *target;
    const uint8_t *build_id;
    size_t build_id_size; /* bytes; 0: none */
    uint32_t checksum;    /* of the linked file */
};

/* The checksum of .gnu_debuglink: CRC-32, least significant bit first. */
static uint32_t checksum_add(uint32_t sum, const uint8_t *bytes, size_t size)
{
    static const uint32_t quarter[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };

    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        sum = sum >> 4 ^ quarter[sum & 15];
        sum = sum >> 4 ^ quarter[sum & 15];
    }
    return sum;
}

static bool has_checksum(int descriptor, uint32_t wanted)
{
    uint8_t *buffer = malloc(BUFFER_SIZE);
    uint32_t sum = UINT32_MAX;
    ssize_t count = -1;
    off_t at = 0;

    if (buffer == NULL)
        return false;
    while ((count = pread(descriptor, buffer, BUFFER_SIZE, at)) > 0) {
        sum = checksum_add(sum, buffer, (size_t)count);
        at += count;
    }
    free(buffer);
    return count == 0 && ~sum == wanted;
}

/* Open PATH (freed here) below ROOT, unless that is NULL, if it matches SEARCH.  *FOUND receives
 * its path here.  Otherwise returns -1. */
static int debug_path_try(const struct search *search, const char *root, char *path, char **found)
{
    char *file = NULL;
    int descriptor = -1;
    bool is_wanted;

    if (path != NULL)
        descriptor = root != NULL ? file_open_below(root, path, &file) : file_open(path);
    if (descriptor < 0) {
        free(path);
        return -1;
    }
    is_wanted = search->build_id_size != 0
                    ? module_file_has_build_id(descriptor, search->build_id, search->build_id_size)
                    : has_checksum(descriptor, search->checksum);
    if (root == NULL) {
        file = path;
        path = NULL;
    }
    free(path);
    if (!is_wanted) {
        close(descriptor);
        free(file);
        return -1;
    }
    *found = file;
    return descriptor;
}

static int try_build_id(const struct search *search, const char *root, char **found)
{
    char digits[2 * 64 + 1];
    char *path;

    if (search->build_id_size < 2 || search->build_id_size > 64)
        return -1;
    for (size_t i = 0; i < search->build_id_size; i++)
        snprintf(digits + 2 * i, 3, "%02x", search->build_id[i]);
    if (asprintf(&path, DEBUG_FOLDER "/.build-id/%.2s/%s.debug", digits, digits + 2) < 0)
        return -1;
    return debug_path_try(search, root, path, found);
}

/* Search where GDB does: beside the file, in .debug there, and in the system's folder. */
static int debug_link_try(const struct search *search, const char *root, const char *module,
                          const char *link, char **found)
{
    static const char *const before[] = {"", "", DEBUG_FOLDER};
    static const char *const behind[] = {"/", "/.debug/", "/"};
    const char *slash = strrchr(module, '/');
    int descriptor = -1;

    /* A link must be a name without a folder. */
    if (slash == NULL || strchr(link, '/') != NULL)
        return -1;
    for (size_t i = 0; descriptor < 0 && i < sizeof(before) / sizeof(*before); i++) {
        char *path;

        if (asprintf(&path, "%s%.*s%s%s", before[i], (int)(slash - module), module, behind[i],
                     link) >= 0)
            descriptor = debug_path_try(search, root, path, found);
    }
    return descriptor;
}

/* Search at the target's own paths; ROOT is its system root, or NULL. */
static int debug_root_try(const struct search *search, const char *root,
                          const struct module *module, const char *link, char **found)
{
    int descriptor = try_build_id(search, root, found);

    if (descriptor < 0 && link != NULL)
        descriptor = debug_link_try(search, root, module->path, link, found);
    return descriptor;
}

/* Whether the module's own file has debug information, according to libdw.  If so, libdwfl uses
 * that and would never close a file that it had opened for the symbols. */
static bool has_debug_information(Dwfl_Module *dwfl_module)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(dwfl_module, &bias);
    Dwarf *dwarf = elf != NULL ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;

    dwarf_end(dwarf);
    return dwarf != NULL;
}

int module_debug_bound(struct module *module, int descriptor)
{
    if (descriptor < 0 || !debug_bound_is_exceeded(descriptor))
        return descriptor;
    module->is_debug_left_out = true;
    close(descriptor);
    return -1;
}

int debug_file_find(Dwfl_Module *dwfl_module, void **user_data, const char *module_name,
                    Dwarf_Addr base, const char *file_name, const char *link, GElf_Word checksum,
                    char **found)
{
    struct module *module = *user_data;
    struct search search = {.target = module->target, .checksum = checksum};
    const unsigned char *build_id;
    GElf_Addr address;
    int size;
    int descriptor = -1;

    (void)module_name, (void)base, (void)file_name;
    size = dwfl_module_build_id(dwfl_module, &build_id, &address);
    if (has_debug_information(dwfl_module))
        return -1;
    if (size > 0) {
        search.build_id = build_id;
        search.build_id_size = (size_t)size;
    }
    if (!search.target->opens_no_files)
        descriptor = debug_root_try(&search, search.target->sysroot, module, link, found);
    /* The executable that the caller named may be elsewhere. */
    if (descriptor < 0 && link != NULL && module->file != NULL)
        descriptor = debug_link_try(&search, NULL, module->file, link, found);
    if (descriptor < 0 && search.target->asks_debuginfod)
        descriptor = debuginfod_open(search.build_id, search.build_id_size, true, found);
    return module_debug_bound(module, descriptor);
}

int debug_file_open(const ompd_host_target_t *target, const void *build_id, size_t size,
                    const char *path)
{
    struct search search = {.target = target, .build_id = build_id, .build_id_size = size};
    char *found = NULL;
    int descriptor = -1;

    if (!target->opens_no_files)
        descriptor = path != NULL ? debug_path_try(&search, target->sysroot, strdup(path), &found)
                                  : try_build_id(&search, target->sysroot, &found);
    free(found);
    return descriptor;
}
