/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ELF headers in a target's memory. */
#include <host/elf/elf.h>

#include <elf.h>
#include <host/base/bound.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096                 /* bytes: the smallest page size of any machine */
#define NOTES_AT_MOST 65536       /* bytes of notes to search */
#define COPY_AT_MOST (1ULL << 30) /* maximum size of an assembled file */

struct header {
    uint64_t segments; /* offset of the program headers */
    uint64_t count;
    uint64_t size; /* of each header */
    bool is_64;
    bool is_swapped;
};

/* Read SIZE bytes at ADDRESS into a block owned by the caller; NULL on failure. */
static uint8_t *read_block(ompd_host_target_t *target, uint64_t address, size_t size)
{
    uint8_t *bytes = malloc(size != 0 ? size : 1);

    if (bytes != NULL && ompd_host_memory_read(target, address, size, bytes) != ompd_host_rc_ok) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static bool read_header(ompd_host_target_t *target, uint64_t address, struct header *header)
{
    uint8_t buffer[sizeof(Elf64_Ehdr)];
    struct bytes bytes = {buffer, sizeof(buffer), false};

    if (ompd_host_memory_read(target, address, sizeof(buffer), buffer) != ompd_host_rc_ok ||
        memcmp(buffer, ELFMAG, SELFMAG) != 0 || buffer[EI_CLASS] < ELFCLASS32 ||
        buffer[EI_CLASS] > ELFCLASS64)
        return false;
    header->is_64 = buffer[EI_CLASS] == ELFCLASS64;
    header->is_swapped =
        (buffer[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    bytes.is_swapped = header->is_swapped;
    if (header->is_64) {
        header->segments = bytes_number(bytes, offsetof(Elf64_Ehdr, e_phoff), 8);
        header->size = bytes_number(bytes, offsetof(Elf64_Ehdr, e_phentsize), 2);
        header->count = bytes_number(bytes, offsetof(Elf64_Ehdr, e_phnum), 2);
        return header->size == sizeof(Elf64_Phdr) && header->count <= IMAGE_SEGMENTS_AT_MOST;
    }
    header->segments = bytes_number(bytes, offsetof(Elf32_Ehdr, e_phoff), 4);
    header->size = bytes_number(bytes, offsetof(Elf32_Ehdr, e_phentsize), 2);
    header->count = bytes_number(bytes, offsetof(Elf32_Ehdr, e_phnum), 2);
    return header->size == sizeof(Elf32_Phdr) && header->count <= IMAGE_SEGMENTS_AT_MOST;
}

static struct load decode(struct bytes segment, bool is_64)
{
    if (is_64)
        return (struct load){
            .offset = bytes_number(segment, offsetof(Elf64_Phdr, p_offset), 8),
            .address = bytes_number(segment, offsetof(Elf64_Phdr, p_vaddr), 8),
            .file_size = bytes_number(segment, offsetof(Elf64_Phdr, p_filesz), 8),
            .memory_size = bytes_number(segment, offsetof(Elf64_Phdr, p_memsz), 8),
            .flags = (uint32_t)bytes_number(segment, offsetof(Elf64_Phdr, p_flags), 4),
        };
    return (struct load){
        .offset = bytes_number(segment, offsetof(Elf32_Phdr, p_offset), 4),
        .address = bytes_number(segment, offsetof(Elf32_Phdr, p_vaddr), 4),
        .file_size = bytes_number(segment, offsetof(Elf32_Phdr, p_filesz), 4),
        .memory_size = bytes_number(segment, offsetof(Elf32_Phdr, p_memsz), 4),
        .flags = (uint32_t)bytes_number(segment, offsetof(Elf32_Phdr, p_flags), 4),
    };
}

/* Find the build-id among notes.  Returns false if out of memory. */
static bool build_id_find(struct image *image, struct bytes notes)
{
    uint64_t at = 0;

    while (image->build_id == NULL && at + 12 <= notes.size) {
        uint64_t name_size = bytes_number(notes, at, 4);
        uint64_t size = bytes_number(notes, at + 4, 4);
        uint64_t type = bytes_number(notes, at + 8, 4);
        uint64_t contents = at + 12 + ((name_size + 3) & ~3ULL);

        if (contents > notes.size || size > notes.size - contents)
            break;
        if (type == NT_GNU_BUILD_ID && name_size == 4 && size != 0 &&
            size <= IMAGE_BUILD_ID_AT_MOST && memcmp(notes.start + at + 12, "GNU", 4) == 0) {
            image->build_id = malloc(size);
            if (image->build_id == NULL)
                return false;
            memcpy(image->build_id, notes.start + contents, size);
            image->build_id_size = size;
        }
        at = contents + ((size + 3) & ~3ULL);
    }
    return true;
}

static bool read_notes(ompd_host_target_t *target, struct image *image, const struct load *segment,
                       bool is_swapped)
{
    size_t size = segment->file_size < NOTES_AT_MOST ? segment->file_size : NOTES_AT_MOST;
    uint8_t *bytes = read_block(target, image->bias + segment->address, size);
    bool is_done = bytes == NULL || build_id_find(image, (struct bytes){bytes, size, is_swapped});

    free(bytes);
    return is_done;
}

/* Collect the loaded segments, of which the first determines the file's address. */
static bool loads_collect(struct image *image, struct bytes segments, const struct header *header,
                          uint64_t address)
{
    for (uint64_t i = 0; i < header->count; i++) {
        struct bytes segment = bytes_cut(segments, i * header->size, header->size);
        struct load load = decode(segment, header->is_64);

        if (bytes_number(segment, 0, 4) != PT_LOAD)
            continue;
        if (!image_load_makes_sense(&load))
            return false;
        image->loads[image->load_count++] = load;
    }
    if (image->load_count == 0 || image->loads[0].offset >= PAGE)
        return false;
    image->bias = address + image->loads[0].offset - image->loads[0].address;
    return image_start(image) == address && image_end(image) > address;
}

ompd_host_rc_t image_no_memory(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_nomem, "out of memory");
}

ompd_host_rc_t image_read(ompd_host_target_t *target, uint64_t address, struct image *image)
{
    struct header header;
    struct bytes segments;
    uint8_t *block;
    bool is_done = true;

    *image = (struct image){0};
    if (!read_header(target, address, &header))
        return ompd_host_rc_ok;
    block = read_block(target, address + header.segments, header.count * header.size);
    if (block == NULL)
        return ompd_host_rc_ok;
    segments = (struct bytes){block, header.count * header.size, header.is_swapped};
    image->is_64 = header.is_64;
    image->is_swapped = header.is_swapped;
    image->loads = calloc(header.count + 1, sizeof(*image->loads));
    if (image->loads == NULL) {
        free(block);
        return image_no_memory(target);
    }
    if (!loads_collect(image, segments, &header, address)) {
        image_free(image);
        free(block);
        return ompd_host_rc_ok;
    }
    for (uint64_t i = 0; is_done && i < header.count; i++) {
        struct bytes segment = bytes_cut(segments, i * header.size, header.size);
        struct load part = decode(segment, header.is_64);

        if (bytes_number(segment, 0, 4) == PT_NOTE && image->build_id == NULL)
            is_done = read_notes(target, image, &part, header.is_swapped);
        if (bytes_number(segment, 0, 4) == PT_DYNAMIC) {
            image->dynamic = part.address;
            image->dynamic_size = part.file_size;
        }
    }
    free(block);
    if (!is_done) {
        image_free(image);
        return image_no_memory(target);
    }
    return ompd_host_rc_ok;
}

void image_free(struct image *image)
{
    free(image->loads);
    free(image->build_id);
    *image = (struct image){0};
}

uint64_t image_page_start(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

uint64_t image_page_end(uint64_t address)
{
    return image_page_start(address + PAGE - 1);
}

uint64_t image_start(const struct image *image)
{
    return image->bias + image_page_start(image->loads[0].address);
}

uint64_t image_end(const struct image *image)
{
    uint64_t end = 0;

    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];

        if (load->address + load->memory_size > end)
            end = load->address + load->memory_size;
    }
    return image->bias + image_page_end(end);
}

bool image_contains(const struct image *image, uint64_t address)
{
    for (size_t i = 0; i < image->load_count; i++) {
        uint64_t start = image->bias + image->loads[i].address;

        if (address >= image_page_start(start) &&
            address < image_page_end(start + image->loads[i].memory_size))
            return true;
    }
    return false;
}

/* Read the part of SIZE bytes at ADDRESS that a core contains, within *ROOM bytes. */
static void read_saved(const ompd_host_target_t *target, uint64_t address, size_t size,
                       uint8_t *bytes, uint64_t *room)
{
    const struct region *end = target->regions + target->region_count;
    const struct region *region = region_find(target, address);

    for (; region != NULL && region != end && region->start < address + size; region++) {
        uint64_t from = region->start > address ? region->start : address;
        uint64_t to = region->end < address + size ? region->end : address + size;

        if (region->bytes == NULL)
            continue;
        if (to - from > *room)
            to = from + *room;
        memcpy(bytes + (from - address), region->bytes + (from - region->start), to - from);
        *room -= to - from;
    }
}

/* Read the readable part of SIZE bytes at ADDRESS of a process, page by page. */
static void read_pages(ompd_host_target_t *target, uint64_t address, size_t size, uint8_t *bytes)
{
    for (size_t done = 0; done < size;) {
        size_t here = PAGE - (address + done) % PAGE;

        if (here > size - done)
            here = size - done;
        ompd_host_memory_read(target, address + done, here, bytes + done);
        done += here;
    }
}

/* Remove the section table, which is not loaded, from the file's header. */
static void drop_sections(uint8_t *file, size_t size)
{
    if (size < sizeof(Elf64_Ehdr))
        return;
    if (file[EI_CLASS] == ELFCLASS64) {
        memset(file + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
        memset(file + offsetof(Elf64_Ehdr, e_shnum), 0, 4);
    } else {
        memset(file + offsetof(Elf32_Ehdr, e_shoff), 0, 4);
        memset(file + offsetof(Elf32_Ehdr, e_shnum), 0, 4);
    }
}

/* The size of the loaded part of IMAGE's file; 0: it cannot be assembled. */
static uint64_t file_size(const struct image *image)
{
    uint64_t end = 0;
    uint64_t sum = 0;

    for (size_t i = 0; i < image->load_count; i++) {
        if (image->loads[i].file_size > COPY_AT_MOST)
            return 0;
        sum += image->loads[i].file_size;
        if (image->loads[i].offset + image->loads[i].file_size > end)
            end = image->loads[i].offset + image->loads[i].file_size;
    }
    return end < sizeof(Elf64_Ehdr) || end > COPY_AT_MOST || sum > COPY_AT_MOST ? 0 : end;
}

uint8_t *image_copy(ompd_host_target_t *target, const struct image *image,
                    struct image_copies *copies, size_t *size)
{
    uint64_t end = file_size(image);
    uint64_t most = bound_bytes(target->core.present);
    uint64_t room = copies->held < most ? most - copies->held : 0;
    uint64_t before = room;
    uint8_t *file;

    if (end == 0 ||
        (copies->taken + end > BOUND_COPIES && copies->taken + end - BOUND_COPIES > most))
        return NULL;
    /* Unread parts of a mapping take up only addresses. */
    file =
        mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (file == MAP_FAILED)
        return NULL;
    for (size_t i = 0; i < image->load_count; i++) {
        const struct load *load = &image->loads[i];

        if (target_is_core(target))
            read_saved(target, image->bias + load->address, load->file_size, file + load->offset,
                       &room);
        else
            read_pages(target, image->bias + load->address, load->file_size, file + load->offset);
    }
    copies->taken += end;
    copies->held += before - room;
    drop_sections(file, end);
    *size = end;
    return file;
}
