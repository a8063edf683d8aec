/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finds the file of a module on this machine: at its path, below the system root, or by its
 * build-id.
 *
 * A file is used if it has the build-id that is in the target's memory.  Any other file may be
 * another build with its symbols elsewhere.
 */
#include <host/elf/elf.h>

#include <elfutils/libdwelf.h>
#include <host/files/files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the segments of ELF are those of IMAGE. */
static bool has_segments(Elf *elf, const struct image *image)
{
    size_t found = 0;
    size_t count;

    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;

        if (gelf_getphdr(elf, (int)i, &segment) == NULL)
            return false;
        if (segment.p_type != PT_LOAD)
            continue;
        if (found == image->load_count || segment.p_offset != image->loads[found].offset ||
            segment.p_vaddr != image->loads[found].address ||
            segment.p_filesz != image->loads[found].file_size)
            return false;
        found++;
    }
    return found == image->load_count;
}

bool module_file_has_build_id(int descriptor, const void *bytes, size_t size)
{
    Elf *elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    const void *found = NULL;
    ssize_t found_size = dwelf_elf_gnu_build_id(elf, &found);
    bool is_same = found_size > 0 && (size_t)found_size == size && memcmp(found, bytes, size) == 0;

    elf_end(elf);
    return is_same;
}

/* Whether the file is the one that the target has loaded.  If neither has a build-id, their
 * segments are compared. */
static bool is_same(int descriptor, const struct image *image)
{
    const void *found;
    bool is_same;
    Elf *elf;

    if (image->build_id != NULL)
        return module_file_has_build_id(descriptor, image->build_id, image->build_id_size);
    if (image->loads == NULL)
        return false;
    elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
    is_same = dwelf_elf_gnu_build_id(elf, &found) <= 0 && has_segments(elf, image);
    elf_end(elf);
    return is_same;
}

/* Open the file that TARGET calls PATH, only below the system root if there is one.  *FILE
 * receives its path here, owned by the caller, or NULL.  Returns -1 if there is none, or no
 * files may be opened. */
static int target_file_open(const ompd_host_target_t *target, const char *path, char **file)
{
    const char *root = target->sysroot;
    int descriptor;

    *file = NULL;
    if (target->opens_no_files)
        return -1;
    descriptor = root != NULL ? file_open_below(root, path, file) : file_open(path);
    if (descriptor >= 0 && root == NULL)
        *file = strdup(path);
    return descriptor;
}

/* A search for a file of TARGET on this machine. */
struct search {
    ompd_host_target_t *target;
    const uint64_t *bias; /* NULL: derived from the entry point */
    struct image *image;
    char **file; /* receives its path; may be NULL */
};

/* Read the image from the file at PATH (freed here) and DESCRIPTOR (closed here, or -1), if it
 * is the one in memory. */
static ompd_host_rc_t read_image(const struct search *search, int descriptor, char *path)
{
    ompd_host_target_t *target = search->target;
    Elf *elf = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ_MMAP, NULL) : NULL;
    ompd_host_rc_t rc = descriptor < 0 || path != NULL ? ompd_host_rc_ok : image_no_memory(target);
    GElf_Ehdr header;

    if (elf != NULL && gelf_getehdr(elf, &header) != NULL && header.e_machine == target->machine &&
        gelf_getclass(elf) == (target->pointer_size == 8 ? ELFCLASS64 : ELFCLASS32)) {
        uint64_t bias =
            search->bias != NULL ? *search->bias : target->core.entry_point - header.e_entry;

        rc = image_read_file(target, elf, bias, search->image);
        if (search->image->loads != NULL && !dynamic_is_of_file(target, search->image, elf))
            image_free(search->image);
    }
    elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
    if (search->file != NULL && search->image->loads != NULL)
        *search->file = path;
    else
        free(path);
    return rc;
}

static ompd_host_rc_t read_any(const struct search *search, const char *path)
{
    int descriptor;
    char *file;

    if (path == NULL || path[0] != '/')
        return ompd_host_rc_ok;
    descriptor = target_file_open(search->target, path, &file);
    return read_image(search, descriptor, file);
}

ompd_host_rc_t module_file_read(ompd_host_target_t *target, const char *path, uint64_t bias,
                                struct image *image)
{
    struct search search = {target, &bias, image, NULL};

    *image = (struct image){0};
    return read_any(&search, path);
}

ompd_host_rc_t module_program_read(ompd_host_target_t *target, struct image *image, char **file)
{
    struct search search = {target, NULL, image, file};

    *image = (struct image){0};
    if (target->executable == NULL)
        return read_any(&search, target->program);
    return read_image(&search, file_open(target->executable), strdup(target->executable));
}

/* Use the file at PATH (freed here) and DESCRIPTOR (closed here, or -1) if it is the module's.
 * Returns false if out of memory. */
static bool module_file_try(struct module *module, int descriptor, char *path)
{
    bool is_done = descriptor < 0 || path != NULL;

    if (descriptor >= 0 && path != NULL && is_same(descriptor, &module->image))
        module->file = path;
    else
        free(path);
    if (descriptor >= 0)
        close(descriptor);
    return is_done;
}

/* The same for the target's PATH, unless the module's file is known. */
static bool module_path_try(const ompd_host_target_t *target, struct module *module,
                            const char *path)
{
    char *file;
    int descriptor;

    if (module->file != NULL)
        return true;
    descriptor = target_file_open(target, path, &file);
    return module_file_try(module, descriptor, file);
}

/* Search where distributions put links named after build-ids. */
static bool module_build_id_try(const ompd_host_target_t *target, struct module *module)
{
    static const char folder[] = "/usr/lib/debug/.build-id/";
    const struct image *image = &module->image;
    char path[sizeof(folder) + 2 * IMAGE_BUILD_ID_AT_MOST + 1];
    size_t at = sizeof(folder) - 1;

    if (image->build_id == NULL)
        return true;
    memcpy(path, folder, sizeof(folder));
    for (size_t i = 0; i < image->build_id_size; i++)
        at += (size_t)snprintf(path + at, sizeof(path) - at, i == 0 ? "%02x/" : "%02x",
                               image->build_id[i]);
    return module_path_try(target, module, path);
}

/* A process may see other files at its paths than the tool does, and its files may be deleted. */
static bool module_process_try(const ompd_host_target_t *target, struct module *module)
{
    char path[64];
    char *joined;

    /* Use a live thread: the entries of the process vanish with its first thread. */
    snprintf(path, sizeof(path), "/proc/%d/task/%u/exe", (int)target->pid, target->threads[0].lwp);
    if (module->is_program && !module_file_try(module, file_open(path), strdup(path)))
        return false;
    if (module->file != NULL)
        return true;
    snprintf(path, sizeof(path), "/proc/%d/task/%u/root", (int)target->pid, target->threads[0].lwp);
    return asprintf(&joined, "%s%s", path, module->path) >= 0 &&
           module_file_try(module, file_open(joined), joined);
}

static bool try_all(const ompd_host_target_t *target, struct module *module)
{
    if (!target_is_core(target) && !module_process_try(target, module))
        return false;
    return module_path_try(target, module, module->path) && module_build_id_try(target, module);
}

/* Use the program that the caller named, unless it is known to be another build. */
static ompd_host_rc_t executable_use(ompd_host_target_t *target, struct module *module)
{
    int descriptor = file_open(target->executable);
    bool is_taken =
        descriptor >= 0 && (module->image.loads == NULL || is_same(descriptor, &module->image));

    if (descriptor < 0)
        return target_message_set(target, ompd_host_rc_not_found, "cannot read '%s'",
                                  target->executable);
    close(descriptor);
    if (!is_taken)
        return target_message_set(target, ompd_host_rc_bad_input,
                                  "'%s' does not match the core: it is another program or build",
                                  target->executable);
    module->file = strdup(target->executable);
    return module->file != NULL ? ompd_host_rc_ok : image_no_memory(target);
}

ompd_host_rc_t module_file_find(ompd_host_target_t *target, struct module *module)
{
    if (module->is_program && target->executable != NULL)
        return executable_use(target, module);
    if (module->path[0] != '/')
        return ompd_host_rc_ok;
    return try_all(target, module) ? ompd_host_rc_ok : image_no_memory(target);
}
