/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core: ELF header and segments. */
#include <host/core/core.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <host/base/bound.h>
#include <host/process/process.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBELF_SECTION_SIZE 256 /* bytes that libelf allocates per section, or slightly fewer */

/* Field offsets in 32-bit and 64-bit files. */
struct elf_header {
    size_t size;
    size_t segments; /* offset of e_phoff, ... */
    size_t sections;
    size_t segment_size; /* followed by the number of segments, ... */
    size_t section_size; /* and of sections */
    size_t segment_least;
    size_t section_info; /* offset of sh_info in a section header */
    size_t section_length;
    size_t word;
};

static const struct elf_header header_32 = {
    .size = sizeof(Elf32_Ehdr),
    .segments = offsetof(Elf32_Ehdr, e_phoff),
    .sections = offsetof(Elf32_Ehdr, e_shoff),
    .segment_size = offsetof(Elf32_Ehdr, e_phentsize),
    .section_size = offsetof(Elf32_Ehdr, e_shentsize),
    .segment_least = sizeof(Elf32_Phdr),
    .section_info = offsetof(Elf32_Shdr, sh_info),
    .section_length = offsetof(Elf32_Shdr, sh_size),
    .word = sizeof(Elf32_Off),
};

static const struct elf_header header_64 = {
    .size = sizeof(Elf64_Ehdr),
    .segments = offsetof(Elf64_Ehdr, e_phoff),
    .sections = offsetof(Elf64_Ehdr, e_shoff),
    .segment_size = offsetof(Elf64_Ehdr, e_phentsize),
    .section_size = offsetof(Elf64_Ehdr, e_shentsize),
    .segment_least = sizeof(Elf64_Phdr),
    .section_info = offsetof(Elf64_Shdr, sh_info),
    .section_length = offsetof(Elf64_Shdr, sh_size),
    .word = sizeof(Elf64_Off),
};

/* The program headers of a core. */
struct segments {
    uint64_t start; /* offset in the file */
    uint64_t count;
    size_t size; /* of each */
    bool is_64;
};

struct segment {
    uint64_t offset;
    uint32_t type;
    uint32_t flags;
    uint64_t address;
    uint64_t file_size;
    uint64_t memory_size;
};

static uint64_t sum(uint64_t one, uint64_t other)
{
    return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

static void want_size(struct core *core, uint64_t offset, uint64_t size)
{
    uint64_t end = sum(offset, size);

    if (end > core->whole_size)
        core->whole_size = end;
}

/* The number of sections of FILE, whose headers begin at START; the first header has a large
 * number. */
static uint64_t count_sections(struct bytes file, const struct elf_header *header, uint64_t start)
{
    uint64_t count = bytes_number(file, header->section_size + 2, 2);

    return start != 0 && count == 0
               ? bytes_number(file, sum(start, header->section_length), header->word)
               : count;
}

/* Check that COUNT parts of SIZE bytes each fit in the file. */
static ompd_host_rc_t check_count(ompd_host_target_t *target, const char *parts, uint64_t count,
                                  size_t size)
{
    if (count <= bound_bytes(target->core.present) / size)
        return ompd_host_rc_ok;
    return target_message_set(target, ompd_host_rc_not_readable,
                              "'%s' is corrupt: it lists more %s than fit in it", target->path,
                              parts);
}

/* The first bytes of a minidump of Breakpad or Crashpad. */
#define MINIDUMP "MDMP"
#define MINIDUMP_SIZE 4

/* Read the ELF header: the type of the target, and where its segments are described. */
static ompd_host_rc_t read_header(ompd_host_target_t *target, struct bytes *file,
                                  struct segments *segments)
{
    const struct elf_header *header;
    uint64_t sections;
    ompd_host_rc_t rc;

    if (file->size >= MINIDUMP_SIZE && memcmp(file->start, MINIDUMP, MINIDUMP_SIZE) == 0)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' is a minidump; convert it first: minidump-2-core",
                                  target->path);
    if (file->size < EI_NIDENT || memcmp(file->start, ELFMAG, SELFMAG) != 0)
        return target_message_set(target, ompd_host_rc_not_readable, "'%s' is not a core file",
                                  target->path);
    segments->is_64 = file->start[EI_CLASS] == ELFCLASS64;
    header = segments->is_64 ? &header_64 : &header_32;
    if (file->size < header->size)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' is truncated within its header", target->path);
    if (file->start[EI_CLASS] > ELFCLASS64 || file->start[EI_CLASS] < ELFCLASS32 ||
        file->start[EI_DATA] > ELFDATA2MSB || file->start[EI_DATA] < ELFDATA2LSB)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' is a core of an unsupported machine", target->path);
    file->is_swapped =
        (file->start[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    if (bytes_number(*file, offsetof(Elf64_Ehdr, e_type), 2) != ET_CORE)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' is an ELF file, but not a core", target->path);
    target->is_swapped = file->is_swapped;
    target->pointer_size = segments->is_64 ? 8 : 4;
    target->machine = (uint16_t)bytes_number(*file, offsetof(Elf64_Ehdr, e_machine), 2);
    segments->start = bytes_number(*file, header->segments, header->word);
    segments->size = bytes_number(*file, header->segment_size, 2);
    segments->count = bytes_number(*file, header->segment_size + 2, 2);
    sections = bytes_number(*file, header->sections, header->word);
    if (segments->count == PN_XNUM)
        segments->count = bytes_number(*file, sum(sections, header->section_info), 4);
    if (segments->count == 0 || segments->size < header->segment_least)
        return target_message_set(target, ompd_host_rc_not_readable, "'%s' has no segments",
                                  target->path);
    rc = check_count(target, "segments", segments->count, segments->size);
    if (rc == ompd_host_rc_ok)
        rc = check_count(target, "sections", count_sections(*file, header, sections),
                         LIBELF_SECTION_SIZE);
    if (rc != ompd_host_rc_ok)
        return rc;
    want_size(&target->core, segments->start, segments->count * segments->size);
    if (sections != 0)
        want_size(&target->core, sections,
                  bytes_number(*file, header->section_size, 2) *
                      bytes_number(*file, header->section_size + 2, 2));
    return ompd_host_rc_ok;
}

/* Read program header number INDEX.  Returns false if the file ends before. */
static bool read_segment(struct bytes file, const struct segments *segments, uint64_t index,
                         struct segment *segment)
{
    struct bytes header =
        bytes_cut(file, sum(segments->start, index * segments->size), segments->size);

    if (header.size < segments->size)
        return false;
    segment->type = (uint32_t)bytes_number(header, 0, 4);
    if (segments->is_64) {
        segment->flags = (uint32_t)bytes_number(header, offsetof(Elf64_Phdr, p_flags), 4);
        segment->offset = bytes_number(header, offsetof(Elf64_Phdr, p_offset), 8);
        segment->address = bytes_number(header, offsetof(Elf64_Phdr, p_vaddr), 8);
        segment->file_size = bytes_number(header, offsetof(Elf64_Phdr, p_filesz), 8);
        segment->memory_size = bytes_number(header, offsetof(Elf64_Phdr, p_memsz), 8);
    } else {
        segment->flags = (uint32_t)bytes_number(header, offsetof(Elf32_Phdr, p_flags), 4);
        segment->offset = bytes_number(header, offsetof(Elf32_Phdr, p_offset), 4);
        segment->address = bytes_number(header, offsetof(Elf32_Phdr, p_vaddr), 4);
        segment->file_size = bytes_number(header, offsetof(Elf32_Phdr, p_filesz), 4);
        segment->memory_size = bytes_number(header, offsetof(Elf32_Phdr, p_memsz), 4);
    }
    return true;
}

/* Add the memory of a segment: the part that is in the file, and the part that is not. */
static bool add_memory(struct region_list *regions, struct bytes file,
                       const struct segment *segment)
{
    uint64_t end = sum(segment->address, segment->memory_size);
    uint64_t file_size =
        segment->file_size < segment->memory_size ? segment->file_size : segment->memory_size;
    struct bytes saved = bytes_cut(file, segment->offset, file_size);
    struct region region = {
        .start = segment->address,
        .has_permissions = true,
        .is_readable = (segment->flags & PF_R) != 0,
        .is_writable = (segment->flags & PF_W) != 0,
        .is_executable = (segment->flags & PF_X) != 0,
        .is_left_out = segment->file_size == 0,
    };
    uint64_t border = sum(segment->address, saved.size);

    region.end = border < end ? border : end;
    region.bytes = saved.start;
    if (!region_add(regions, &region))
        return false;
    region.start = region.end;
    region.end = end;
    region.bytes = NULL;
    return region_add(regions, &region);
}

/* Collect the note segments among the COUNT segments in *NOTES, owned by the caller.  Returns
 * their number; -1: out of memory. */
static ssize_t find_notes(struct bytes file, const struct segments *segments,
                          struct segment **notes)
{
    struct segment segment;
    size_t count = 0;

    *notes = NULL;
    for (uint64_t i = 0; i < segments->count && read_segment(file, segments, i, &segment); i++) {
        struct segment *grown;

        if (segment.type != PT_NOTE)
            continue;
        grown = array_grow(*notes, count, sizeof(segment));
        if (grown == NULL) {
            free(*notes);
            return -1;
        }
        *notes = grown;
        grown[count++] = segment;
    }
    return (ssize_t)count;
}

/* Read notes once, even if several headers refer to them. */
static ompd_host_rc_t read_notes(ompd_host_target_t *target, struct bytes file,
                                 const struct segments *segments)
{
    struct segment *notes;
    ssize_t count = find_notes(file, segments, &notes);
    ompd_host_rc_t rc = ompd_host_rc_ok;
    struct bytes part;
    uint64_t end = 0;

    if (count < 0)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    array_sort(notes, (size_t)count, sizeof(*notes));
    for (ssize_t i = 0; rc == ompd_host_rc_ok && i < count; i++) {
        if (notes[i].offset < end)
            continue;
        part = bytes_cut(file, notes[i].offset, notes[i].file_size);
        target->core.lacks_notes |= part.size != notes[i].file_size;
        rc = core_notes_read(target, part);
        end = sum(notes[i].offset, notes[i].file_size);
    }
    free(notes);
    return rc;
}

/* Notes are read first, because they list the mapped files. */
static ompd_host_rc_t read_segments(ompd_host_target_t *target, struct bytes file,
                                    const struct segments *segments)
{
    struct region_list regions = {0};
    struct segment segment;
    ompd_host_rc_t rc = read_notes(target, file, segments);
    bool is_done = rc == ompd_host_rc_ok;

    for (uint64_t i = 0;
         is_done && i < segments->count && read_segment(file, segments, i, &segment); i++) {
        want_size(&target->core, segment.offset, segment.file_size);
        if (segment.type == PT_LOAD)
            is_done = add_memory(&regions, file, &segment);
    }
    if (is_done) {
        region_sort(&regions);
        is_done = core_extents_settle(&target->core, &regions) &&
                  core_snapshot_put(&target->core, &regions) &&
                  region_put_files(&regions, target->core.files, target->core.file_count);
    }
    if (!is_done) {
        free(regions.items);
        return rc != ompd_host_rc_ok
                   ? rc
                   : target_message_set(target, ompd_host_rc_nomem, "out of memory");
    }
    if (!target->core.is_snapshot)
        untouched_find(&regions);
    target->regions = regions.items;
    target->region_count = regions.count;
    return ompd_host_rc_ok;
}

ompd_host_rc_t core_open(ompd_host_target_t *target, const char *path)
{
    struct segments segments;
    struct bytes file;
    ompd_host_rc_t rc;

    target->path = strdup(path);
    if (target->path == NULL)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    rc = core_file_open(target);
    if (rc == ompd_host_rc_ok)
        rc = core_file_map(target);
    if (rc != ompd_host_rc_ok)
        return rc;
    file = (struct bytes){target->core.bytes, target->core.size, false};
    rc = read_header(target, &file, &segments);
    if (rc == ompd_host_rc_ok)
        rc = read_segments(target, file, &segments);
    if (rc == ompd_host_rc_ok)
        rc = core_facts_find(target);
    return rc;
}

void core_close(struct core *core)
{
    if (core->bytes != NULL)
        munmap((void *)(uintptr_t)core->bytes, core->size);
    if (core->descriptor >= 0)
        close(core->descriptor);
    free(core->files);
    free(core->notes);
    free(core->snapshot_regions);
}
