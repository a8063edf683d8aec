/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lines of /proc/PID/maps, intact or damaged.  Intact lines are read as they were written, and the
 * regions are those of the lines. */
#include "edits.h"
#include "fuzz.h"
#include "process-cost.h"

#include <host/base/bound.h>
#include <host/process/process.h>

#include <inttypes.h>
#include <string.h>

#define MOST_TEXT (256 << 10) /* bytes */
#define ROOM 512              /* bytes of a line without a long path */

/* The damage to a line: the upper half of its edit's WHAT; none from `damages` on. */
enum damage {
    damage_byte,    /* a number is replaced: INDEX selects it, NUMBER is its new value */
    damage_cut,     /* it ends at INDEX */
    damage_join,    /* the newline is missing */
    damage_long,    /* its path has INDEX bytes */
    damage_numbers, /* they have INDEX digits */
    damages
};

struct line {
    char mode[5];
    struct region region; /* its contents */
    uint64_t offset;
    uint64_t inode;
    const char *path;
};

static char text[MOST_TEXT];
static size_t text_size;
static struct line lines[EDIT_LIMIT]; /* of the input */
static size_t line_count;
static bool is_damaged; /* some line */

/* ---- The input ------------------------------------------------------------------------------- */

static struct line line_of(const struct edit *edit)
{
    static const char *const paths[] = {
        "",
        "/usr/lib/libmade.so",
        "/usr/lib/made up.so (deleted)",
        "[heap]",
        "[stack]",
        "[vdso]",
        "[anon:a name: with 1-2 r-xp]",
        "/memfd:name (deleted)",
        "/a\\012b",
    };
    unsigned mode = edit->what & 0xf;
    uint64_t start = edit->value;
    struct line line = {
        .region = {.start = start,
                   .end = start + edit->number * UINT64_C(4096),
                   .has_permissions = true,
                   .is_readable = (mode & 1) != 0,
                   .is_writable = (mode & 2) != 0,
                   .is_executable = (mode & 4) != 0},
        .offset = edit->index * UINT64_C(4096),
        .path = paths[edit->which % (sizeof(paths) / sizeof(paths[0]))],
    };

    line.inode = line.path[0] == '/' ? 1 + edit->index : 0;
    line.region.is_private = (mode & 8) == 0 && line.inode == 0;
    snprintf(line.mode, sizeof(line.mode), "%c%c%c%c", (mode & 1) != 0 ? 'r' : '-',
             (mode & 2) != 0 ? 'w' : '-', (mode & 4) != 0 ? 'x' : '-', (mode & 8) != 0 ? 's' : 'p');
    return line;
}

/* As the kernel writes it (show_vma_header_prefix of fs/proc/task_mmu.c). */
static size_t print(const struct line *line, char *to)
{
    int size = sprintf(to, "%08" PRIx64 "-%08" PRIx64 " %s %08" PRIx64 " 08:02 %" PRIu64 " ",
                       line->region.start, line->region.end, line->mode, line->offset, line->inode);

    if (line->path[0] != '\0')
        size += sprintf(to + size, "%*s%s", size < 73 ? 73 - size : 0, "", line->path);
    size += sprintf(to + size, "\n");
    return (size_t)size;
}

/* Put COUNT bytes like that at AT behind it. */
static size_t stretch(char *line, size_t size, size_t at, size_t count)
{
    memmove(line + at + count, line + at, size - at);
    memset(line + at, line[at + count], count);
    return size + count;
}

static size_t damage(char *line, size_t size, const struct edit *edit)
{
    switch (edit->what >> 4) {
    case damage_byte:
        line[edit->index % size] = (char)edit->number;
        return size;
    case damage_cut:
        line[edit->index % size] = '\n';
        return edit->index % size + 1;
    case damage_join:
        return size - 1;
    case damage_long:
        return stretch(line, size, size - 2, edit->index);
    default:
        return stretch(line, size, edit->number % size, edit->index % 64);
    }
}

static void add(const struct edit *edit)
{
    struct line line = line_of(edit);
    char *to = text + text_size;
    size_t size;

    if (MOST_TEXT - text_size < ROOM + UINT16_MAX)
        return;
    size = print(&line, to);
    lines[line_count++] = line;
    if (edit->what >> 4 < damages) {
        is_damaged = true;
        size = damage(to, size, edit);
    }
    text_size += size;
}

/* ---- Regions --------------------------------------------------------------------------------- */

static void check_line(const struct line *line)
{
    char copy[ROOM];
    struct maps_line read;

    copy[print(line, copy)] = '\0';
    fuzz_require(maps_line_read(copy, &read), "a line of the kernel's tells of no region");
    fuzz_require(read.start == line->region.start && read.end == line->region.end &&
                     strcmp(read.mode, line->mode) == 0 && read.offset == line->offset &&
                     read.inode == line->inode && strcmp(read.path, line->path) == 0,
                 "a line of the kernel's is read as another: %s", copy);
}

static const struct region *find(const struct region_list *list, uint64_t address)
{
    for (size_t i = 0; i < list->count; i++)
        if (address >= list->items[i].start && address < list->items[i].end)
            return &list->items[i];
    return NULL;
}

/* Each region is sane, behind the one before. */
static void check_order(const struct region_list *list)
{
    uint64_t end = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct region *region = &list->items[i];

        fuzz_require(region->start < region->end && region->start >= end,
                     "regions are not in order");
        fuzz_require(region->bytes == NULL && region->file == NULL, "a region has bytes");
        end = region->end;
    }
}

/* A line matches the region REGION at ADDRESS. */
static bool is_said(const struct region *region, uint64_t address)
{
    for (size_t i = 0; i < line_count; i++) {
        const struct region *said = &lines[i].region;

        if (address >= said->start && address < said->end &&
            region_permissions(said) == region_permissions(region) &&
            said->is_private == region->is_private)
            return true;
    }
    return false;
}

/* The regions match the lines, none of which is damaged. */
static void check_regions(const struct region_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        fuzz_require(is_said(&list->items[i], list->items[i].start) &&
                         is_said(&list->items[i], list->items[i].end - 1),
                     "a region that no line tells of");
    for (size_t i = 0; i < line_count; i++) {
        const struct region *said = &lines[i].region;

        fuzz_require(said->start >= said->end ||
                         (find(list, said->start) != NULL && find(list, said->end - 1) != NULL),
                     "a line's region is not there");
    }
}

static void check_all(void)
{
    struct region_list list = {0};
    FILE *maps = fmemopen(text, text_size, "r");

    fuzz_require(maps != NULL, "the text is not opened");
    fuzz_require(maps_regions_read(maps, &list), "no memory for the regions");
    fclose(maps);
    check_order(&list);
    if (!is_damaged)
        check_regions(&list);
    fuzz_require(list.count * sizeof(*list.items) <= bound_bytes(text_size),
                 "%zu regions are held for %zu bytes", list.count, text_size);
    free(list.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct process_cost before;
    struct edits edits;

    if (!edits_read(&edits, data, size))
        return 0;
    text_size = 0;
    line_count = 0;
    is_damaged = false;
    for (size_t i = 0; i < edits.count; i++)
        add(&edits.items[i]);
    for (size_t i = 0; i < line_count; i++)
        check_line(&lines[i]);
    process_cost_begin(&before);
    if (text_size != 0)
        check_all();
    process_cost_check(&before, text_size);
    return 0;
}
