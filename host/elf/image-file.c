/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts of ELF files that a core lacks, read from the files on this machine. */
#include <host/elf/elf.h>

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <host/files/files.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Segment INDEX of the file ELF; PT_NULL: none. */
static GElf_Phdr segment_of_file(Elf *elf, size_t index)
{
    GElf_Phdr segment;

    if (gelf_getphdr(elf, (int)index, &segment) == NULL)
        segment.p_type = PT_NULL;
    return segment;
}

static bool take_file(struct image *image, Elf *elf, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment = segment_of_file(elf, i);
        struct load load = {segment.p_offset, segment.p_vaddr, segment.p_filesz, segment.p_memsz,
                            segment.p_flags};

        if (segment.p_type == PT_DYNAMIC) {
            image->dynamic = segment.p_vaddr;
            image->dynamic_size = segment.p_filesz;
        }
        if (segment.p_type != PT_LOAD)
            continue;
        if (!image_load_makes_sense(&load))
            return false;
        image->loads[image->load_count++] = load;
    }
    return image->load_count != 0 && image_end(image) > image_start(image);
}

/* Returns false if out of memory. */
static bool file_build_id_copy(struct image *image, Elf *elf)
{
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

    if (size <= 0 || size > IMAGE_BUILD_ID_AT_MOST)
        return true;
    image->build_id = malloc((size_t)size);
    if (image->build_id == NULL)
        return false;
    memcpy(image->build_id, bytes, (size_t)size);
    image->build_id_size = (size_t)size;
    return true;
}

ompd_host_rc_t image_read_file(ompd_host_target_t *target, Elf *elf, uint64_t bias,
                               struct image *image)
{
    size_t count;

    *image = (struct image){
        .bias = bias, .is_64 = gelf_getclass(elf) == ELFCLASS64, .is_swapped = target->is_swapped};
    if (elf_getphdrnum(elf, &count) != 0 || count > IMAGE_SEGMENTS_AT_MOST)
        return ompd_host_rc_ok;
    image->loads = calloc(count + 1, sizeof(*image->loads));
    if (image->loads == NULL || !file_build_id_copy(image, elf)) {
        image_free(image);
        return image_no_memory(target);
    }
    if (!take_file(image, elf, count))
        image_free(image);
    return ompd_host_rc_ok;
}

/* The text that ELF has at ADDRESS, or NULL. */
static const char *text_of_file(Elf *elf, uint64_t address, size_t size)
{
    Elf_Data *data = NULL;
    size_t count;

    if (elf_getphdrnum(elf, &count) != 0)
        return NULL;
    for (size_t i = 0; i < count && i < IMAGE_SEGMENTS_AT_MOST && data == NULL; i++) {
        GElf_Phdr segment = segment_of_file(elf, i);
        uint64_t at = address - segment.p_vaddr;

        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && at < segment.p_filesz)
            data = elf_getdata_rawchunk(elf, (int64_t)(segment.p_offset + at),
                                        segment.p_filesz - at < size ? segment.p_filesz - at : size,
                                        ELF_T_BYTE);
    }
    return data != NULL && memchr(data->d_buf, '\0', data->d_size) != NULL ? data->d_buf : NULL;
}

char *image_file_text(const char *path, uint64_t address, size_t size)
{
    int descriptor = file_open(path);
    Elf *elf = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ_MMAP, NULL) : NULL;
    const char *text = elf != NULL ? text_of_file(elf, address, size) : NULL;
    char *copy = text != NULL ? strdup(text) : NULL;

    elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
    return copy;
}
