/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory that the library does not read, but that debuggers need to find modules and to unwind
 * stacks. */
#include <host/snapshot/snapshot.h>

#include <elf.h>
#include <fcntl.h>
#include <host/files/files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096
#define STACK_AT_MOST (UINT64_C(1) << 20) /* bytes of a thread's stack, from its innermost end */
#define RED_ZONE 128                      /* bytes in use below the stack pointer */
#define THREAD_DATA (UINT64_C(4) * PAGE)  /* around a pthread_t: thread-local data, its struct */
#define VDSO_AT_MOST (UINT64_C(16) * PAGE)
#define LINKS_AT_MOST 65536
#define LINK_WORDS 5 /* struct link_map: l_addr, l_name, l_ld, l_next, l_prev */
#define PATH_SIZE 4096
#define DEBUG_WORDS 6 /* struct r_debug, with r_next of newer versions */

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* Stack pointers are read on the tracer thread. */
struct stacks {
    struct snapshot *snapshot;
    struct symbols *symbols;
};

static void add_stack(struct snapshot *snapshot, uint64_t pointer)
{
    const struct region *region = region_find(snapshot->target, pointer);
    uint64_t start = pointer > RED_ZONE ? pointer - RED_ZONE : 0;
    uint64_t size;

    if (region == NULL || region->start > pointer || !region->is_writable)
        return;
    if (start < region->start)
        start = region->start;
    size = region->end - start;
    ranges_add(&snapshot->saved, start, size < STACK_AT_MOST ? size : STACK_AT_MOST);
}

static void add_stacks(void *argument)
{
    struct stacks *stacks = argument;
    ompd_host_target_t *target = stacks->snapshot->target;
    unsigned number = registers_stack_pointer(target);
    struct registers registers;

    for (size_t i = 0; i < target->thread_count; i++) {
        const struct thread *thread = &target->threads[i];

        if (thread->pthread > THREAD_DATA)
            ranges_add(&stacks->snapshot->saved, thread->pthread - THREAD_DATA / 2, THREAD_DATA);
        if (number != REGISTER_COUNT &&
            registers_read(target, stacks->symbols, thread->lwp, &registers) &&
            registers.are_known[number])
            add_stack(stacks->snapshot, registers.values[number]);
    }
}

/* ---- Modules --------------------------------------------------------------------------------- */

/* Add the pages of [START, END), mapped from OFFSET on of FILE, that differ from the file. */
static void add_changed(struct snapshot *snapshot, uint64_t start, uint64_t end, int file,
                        uint64_t offset)
{
    uint8_t here[PAGE];
    uint8_t there[PAGE];

    for (; start < end; start += PAGE, offset += PAGE) {
        ssize_t size = pread(file, there, sizeof(there), (off_t)offset);

        if (ompd_host_memory_read(snapshot->target, start, sizeof(here), here) != ompd_host_rc_ok)
            continue;
        if (size < (ssize_t)sizeof(there))
            memset(there + (size > 0 ? size : 0), 0, sizeof(there) - (size_t)(size > 0 ? size : 0));
        if (memcmp(here, there, sizeof(here)) != 0)
            ranges_add(&snapshot->saved, start, sizeof(here));
    }
}

/* The same for MAPPING of a module, unless it is code; all pages if FILE is missing. */
static void add_mapping(struct snapshot *snapshot, const struct file_mapping *mapping, int file)
{
    const ompd_host_target_t *target = snapshot->target;
    uint64_t at = mapping->start;

    if (mapping->offset == 0)
        ranges_add(&snapshot->saved, mapping->start, PAGE);
    while (at < mapping->end) {
        const struct region *region = region_find(target, at);
        uint64_t start = region != NULL && region->start > at ? region->start : at;
        uint64_t end;

        if (region == NULL || start >= mapping->end)
            return;
        end = region->end < mapping->end ? region->end : mapping->end;
        at = end;
        if (!region->is_readable || region->is_executable ||
            (target_is_core(target) && region->bytes == NULL))
            continue;
        /* Saving a hole of the core costs nothing, but comparing it with the file may cost much. */
        if (file >= 0 && !region->is_zero)
            add_changed(snapshot, start, end, file, mapping->offset + (start - mapping->start));
        else
            ranges_add(&snapshot->saved, start, end - start);
    }
}

static void add_modules(struct snapshot *snapshot, const struct symbols *symbols)
{
    const ompd_host_target_t *target = snapshot->target;
    bool is_core = target_is_core(target);
    const struct file_mapping *files = is_core ? target->core.files : symbols->files;
    size_t count = is_core ? target->core.file_count : symbols->file_count;
    const struct module *last = NULL;
    int file = -1;

    for (size_t i = 0; i < count; i++) {
        const struct module *module = NULL;

        for (size_t j = 0; j < symbols->count && module == NULL; j++)
            if (files[i].start >= symbols->modules[j].start &&
                files[i].end <= symbols->modules[j].end)
                module = &symbols->modules[j];
        if (module == NULL)
            continue;
        if (module != last) {
            if (file >= 0)
                close(file);
            file = module->file != NULL ? file_open(module->file) : -1;
            last = module;
        }
        add_mapping(snapshot, &files[i], file);
    }
    if (file >= 0)
        close(file);
}

/* ---- The dynamic linker's list --------------------------------------------------------------- */

static bool link_words_read(const struct snapshot *snapshot, uint64_t address, size_t count,
                            uint64_t *words)
{
    ompd_host_target_t *target = snapshot->target;
    uint8_t buffer[DEBUG_WORDS * sizeof(uint64_t)];
    struct bytes bytes = {buffer, count * target->pointer_size, target->is_swapped};

    if (ompd_host_memory_read(target, address, bytes.size, buffer) != ompd_host_rc_ok)
        return false;
    for (size_t i = 0; i < count; i++)
        words[i] = bytes_number(bytes, i * target->pointer_size, target->pointer_size);
    return true;
}

/* Add the text at ADDRESS, and the word after it that debuggers may read with it. */
static void add_text(struct snapshot *snapshot, uint64_t address)
{
    char byte = '\1';
    uint64_t size = 0;

    while (size < PATH_SIZE && byte != '\0' &&
           ompd_host_memory_read(snapshot->target, address + size, 1, &byte) == ompd_host_rc_ok)
        size++;
    ranges_add(&snapshot->saved, address, size + snapshot->target->pointer_size);
}

static void add_links(struct snapshot *snapshot, uint64_t debug)
{
    size_t word = snapshot->target->pointer_size;
    uint64_t words[DEBUG_WORDS];
    uint64_t address;

    ranges_add(&snapshot->saved, debug, DEBUG_WORDS * word);
    if (!link_words_read(snapshot, debug, 2, words))
        return;
    /* r_version and, in the next word, r_map. */
    address = words[1];
    for (unsigned i = 0; i < LINKS_AT_MOST && address != 0; i++) {
        if (!link_words_read(snapshot, address, LINK_WORDS, words))
            return;
        ranges_add(&snapshot->saved, address, LINK_WORDS * word);
        add_text(snapshot, words[1]);
        address = words[3];
    }
}

/* Add the data found through AT_PHDR: the program's headers, its dynamic section, the list. */
static void add_dynamic(struct snapshot *snapshot)
{
    ompd_host_target_t *target = snapshot->target;
    struct dynamic dynamic = {0};
    struct image image;
    uint64_t start;

    if (target->core.program_headers == 0 ||
        image_read(target, image_page_start(target->core.program_headers), &image) !=
            ompd_host_rc_ok)
        return;
    start = image.bias + image.dynamic;
    if (image.dynamic != 0) {
        ranges_add(&snapshot->saved, start,
                   image.dynamic_size < DYNAMIC_AT_MOST ? image.dynamic_size : DYNAMIC_AT_MOST);
        dynamic_read(target, start, image.dynamic_size, &dynamic);
    }
    if (dynamic.debug != 0)
        add_links(snapshot, dynamic.debug);
    image_free(&image);
}

static void add_vdso(struct snapshot *snapshot)
{
    const struct region *region = region_find(snapshot->target, snapshot->target->core.vdso);

    if (snapshot->target->core.vdso != 0 && region != NULL &&
        region->end - region->start <= VDSO_AT_MOST)
        ranges_add(&snapshot->saved, region->start, region->end - region->start);
}

ompd_host_rc_t snapshot_add_parts(struct snapshot *snapshot)
{
    struct stacks stacks = {.snapshot = snapshot};
    ompd_host_rc_t rc = symbols_get(snapshot->target, &stacks.symbols);

    if (rc != ompd_host_rc_ok)
        return rc;
    process_run(snapshot->target, add_stacks, &stacks);
    add_modules(snapshot, stacks.symbols);
    add_dynamic(snapshot);
    add_vdso(snapshot);
    return ompd_host_rc_ok;
}
