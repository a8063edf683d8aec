/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The file of a snapshot: an ELF core.  The segments' contents come first, as they are read; the
 * headers and notes follow.  Segments contain only what is saved.
 */
#include <host/snapshot/snapshot.h>

#include <elf.h>
#include <errno.h>
#include <host/files/files.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK (1024 * 1024) /* bytes to read at once */
#define PAGE 4096
#define HEADER_SIZE 64 /* bytes: the larger of the two headers */

struct writing {
    struct snapshot *snapshot;
    int descriptor;
    uint64_t size;          /* of the file so far */
    struct ranges segments; /* in file order; contents follow the header */
    struct range *last;     /* segment that may continue; NULL: none */
    uint8_t *buffer;
    ompd_host_rc_t rc;
};

static void snapshot_bytes_write(struct writing *writing, const void *bytes, size_t size)
{
    int error =
        writing->rc == ompd_host_rc_ok ? new_file_write(writing->descriptor, bytes, size) : 0;

    if (error != 0)
        writing->rc = target_message_set(writing->snapshot->target, ompd_host_rc_error,
                                         "cannot write the file: %s", strerror(error));
    writing->size += size;
}

/* Add the SIZE bytes written for ADDRESS to the last segment if they continue it, or begin a new
 * one.  Bytes of two mappings are in two segments. */
static void add_to_segments(struct writing *writing, uint64_t address, uint64_t size, bool is_begin)
{
    struct ranges *segments = &writing->segments;
    struct range *last = segments->count != 0 ? &segments->items[segments->count - 1] : NULL;
    struct range *items;

    if (!is_begin && last != NULL && last->end == address) {
        last->end += size;
        return;
    }
    items = array_grow(segments->items, segments->count, sizeof(*items));
    if (items == NULL) {
        writing->snapshot->is_short = true;
        return;
    }
    segments->items = items;
    items[segments->count++] = (struct range){address, address + size};
}

/* Write the readable part of [START, END), which is in one region. */
static void range_write(struct writing *writing, uint64_t start, uint64_t end)
{
    ompd_host_target_t *target = writing->snapshot->target;
    uint64_t step = CHUNK;
    bool is_begin = true;

    while (start < end && writing->rc == ompd_host_rc_ok) {
        uint64_t size = end - start < step ? end - start : step;

        if (ompd_host_memory_read(target, start, size, writing->buffer) == ompd_host_rc_ok) {
            snapshot_bytes_write(writing, writing->buffer, size);
            add_to_segments(writing, start, size, is_begin);
            is_begin = false;
        } else if (size > PAGE - start % PAGE) {
            step = PAGE - start % PAGE;
            continue;
        }
        start += size;
        step = step < CHUNK ? PAGE : CHUNK;
    }
}

/* Leave a hole for [START, END), which is a hole of the core's file.  So the output is bounded
 * by what is there (law 13). */
static void hole_write(struct writing *writing, uint64_t start, uint64_t end)
{
    if (lseek(writing->descriptor, (off_t)(end - start), SEEK_CUR) < 0) {
        writing->rc = target_message_set(writing->snapshot->target, ompd_host_rc_error,
                                         "cannot write the file: %s", strerror(errno));
        return;
    }
    writing->size += end - start;
    add_to_segments(writing, start, end - start, true);
}

/* Write the readable part of SAVED, region by region. */
static void saved_write(struct writing *writing, const struct range *saved)
{
    const ompd_host_target_t *target = writing->snapshot->target;
    uint64_t start = saved->start;

    while (start < saved->end && writing->rc == ompd_host_rc_ok) {
        const struct region *region = region_find(target, start);
        uint64_t end;

        if (region == NULL || region->start >= saved->end)
            return;
        if (region->start > start)
            start = region->start;
        end = region->end < saved->end ? region->end : saved->end;
        if (region->is_zero)
            hole_write(writing, start, end);
        else if (!target_is_core(target) || region->bytes != NULL)
            range_write(writing, start, end);
        start = end;
    }
}

static void contents_write(struct writing *writing)
{
    const struct ranges *saved = &writing->snapshot->saved;

    for (size_t i = 0; i < saved->count; i++)
        saved_write(writing, &saved->items[i]);
}

/* ---- Headers --------------------------------------------------------------------------------- */

static uint32_t flags_of(const ompd_host_target_t *target, uint64_t address)
{
    const struct region *region = region_find(target, address);

    if (region == NULL || !region->has_permissions)
        return PF_R;
    return (region->is_readable ? PF_R : 0u) | (region->is_writable ? PF_W : 0u) |
           (region->is_executable ? PF_X : 0u);
}

/* A program header. */
struct segment {
    uint32_t type;
    uint32_t flags;
    uint64_t offset;
    uint64_t address;
    uint64_t size;
    uint64_t align;
};

static void add_segment(struct note_text *headers, const struct segment *segment)
{
    size_t word = headers->target->pointer_size;
    uint64_t memory_size = segment->type == PT_LOAD ? segment->size : 0;

    note_text_number(headers, segment->type, 4);
    if (word == 8)
        note_text_number(headers, segment->flags, 4);
    note_text_number(headers, segment->offset, word);
    note_text_number(headers, segment->address, word);
    note_text_number(headers, 0, word); /* p_paddr */
    note_text_number(headers, segment->size, word);
    note_text_number(headers, memory_size, word);
    if (word == 4)
        note_text_number(headers, segment->flags, 4);
    note_text_number(headers, segment->align, word);
}

/* Section header 0 has the number of segments if the ELF header has no room for it. */
static void add_section(struct note_text *headers, uint64_t count)
{
    bool is_64 = headers->target->pointer_size == 8;
    size_t before = is_64 ? offsetof(Elf64_Shdr, sh_info) : offsetof(Elf32_Shdr, sh_info);
    size_t size = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

    note_text_bytes(headers, NULL, before);
    note_text_number(headers, count, 4);
    note_text_bytes(headers, NULL, size - before - 4);
}

static void add_header(struct note_text *header, uint64_t segments, uint64_t count,
                       uint64_t section)
{
    const ompd_host_target_t *target = header->target;
    bool is_64 = target->pointer_size == 8;
    bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != target->is_swapped;
    uint8_t identity[EI_NIDENT] = {ELFMAG0,
                                   ELFMAG1,
                                   ELFMAG2,
                                   ELFMAG3,
                                   is_64 ? ELFCLASS64 : ELFCLASS32,
                                   is_little ? ELFDATA2LSB : ELFDATA2MSB,
                                   EV_CURRENT};

    note_text_bytes(header, identity, sizeof(identity));
    note_text_number(header, ET_CORE, 2);
    note_text_number(header, target->machine, 2);
    note_text_number(header, EV_CURRENT, 4);
    note_text_number(header, 0, target->pointer_size); /* e_entry */
    note_text_number(header, segments, target->pointer_size);
    note_text_number(header, section, target->pointer_size);
    note_text_number(header, 0, 4); /* e_flags */
    note_text_number(header, is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
    note_text_number(header, is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
    note_text_number(header, count < PN_XNUM ? count : PN_XNUM, 2);
    note_text_number(header, is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
    note_text_number(header, section != 0 ? 1 : 0, 2);
    note_text_number(header, 0, 2); /* e_shstrndx */
}

/* Write the program headers, and the ELF header at the file's start. */
static void headers_write(struct writing *writing, uint64_t notes, size_t notes_size)
{
    const ompd_host_target_t *target = writing->snapshot->target;
    const struct ranges *segments = &writing->segments;
    struct note_text headers = {.target = target};
    struct note_text header = {.target = target};
    uint64_t start = writing->size;
    uint64_t count = segments->count + 1;
    uint64_t offset = HEADER_SIZE;
    uint64_t section = 0;

    add_segment(&headers, &(struct segment){PT_NOTE, 0, notes, 0, notes_size, 4});
    for (size_t i = 0; i < segments->count; i++) {
        const struct range *range = &segments->items[i];

        add_segment(&headers, &(struct segment){PT_LOAD, flags_of(target, range->start), offset,
                                                range->start, range->end - range->start, 1});
        offset += range->end - range->start;
    }
    if (count >= PN_XNUM) {
        section = start + headers.size;
        add_section(&headers, count);
    }
    add_header(&header, start, count, section);
    snapshot_bytes_write(writing, headers.bytes, headers.size);
    if (writing->rc == ompd_host_rc_ok && lseek(writing->descriptor, 0, SEEK_SET) == 0) {
        snapshot_bytes_write(writing, header.bytes, header.size);
        writing->size -= header.size;
    }
    writing->snapshot->is_short |= headers.is_short || header.is_short;
    free(headers.bytes);
    free(header.bytes);
}

ompd_host_rc_t snapshot_write(struct snapshot *snapshot, int descriptor,
                              const struct note_text *notes, uint64_t *size)
{
    static const uint8_t none[HEADER_SIZE] = {0};
    struct writing writing = {
        .snapshot = snapshot, .descriptor = descriptor, .buffer = malloc(CHUNK)};
    uint64_t start;

    if (writing.buffer == NULL)
        return target_message_set(snapshot->target, ompd_host_rc_nomem, "out of memory");
    snapshot_bytes_write(&writing, none, sizeof(none));
    contents_write(&writing);
    snapshot_bytes_write(&writing, none, -writing.size % 8);
    start = writing.size;
    snapshot_bytes_write(&writing, notes->bytes, notes->size);
    snapshot_bytes_write(&writing, none, -writing.size % 8);
    headers_write(&writing, start, notes->size);
    ranges_free(&writing.segments);
    free(writing.buffer);
    if (writing.rc == ompd_host_rc_ok && snapshot->is_short)
        return target_message_set(snapshot->target, ompd_host_rc_nomem, "out of memory");
    *size = writing.size;
    return writing.rc;
}
