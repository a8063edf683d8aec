/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * See elf.h.
 *
 * The kernel passes the address of its headers to a program (AT_PHDR).  They contain the address of
 * its dynamic section, where the dynamic linker has put the address of its struct r_debug
 * (DT_DEBUG).  QEMU saves no code pages, and thus no headers.  The program's file has the same
 * ones.
 */
#include <host/elf/elf.h>

#include <host/core/core.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_AT_MOST 65536
#define LINK_WORDS 5
#define PATH_SIZE 4096 /* bytes */

/* What is known about the program. */
struct program {
    struct image image;
    char *file; /* on this machine; NULL: its header is in the core, or missing */
};

static ompd_host_rc_t read_program(ompd_host_target_t *target, struct program *program)
{
    uint64_t start = image_page_start(target->core.program_headers);
    ompd_host_rc_t rc = image_read(target, start, &program->image);

    program->file = NULL;
    if (rc == ompd_host_rc_ok && program->image.loads == NULL)
        rc = module_program_read(target, &program->image, &program->file);
    return rc;
}

/* The address of struct r_debug; 0: unknown. */
static uint64_t find_debug(ompd_host_target_t *target, const struct image *program)
{
    struct dynamic dynamic = {0};

    if (program->dynamic != 0)
        dynamic_read(target, program->bias + program->dynamic, program->dynamic_size, &dynamic);
    return dynamic.debug;
}

/* The text at ADDRESS, owned by the caller, or NULL.  The dynamic linker's own path is in the
 * program's code. */
static char *read_text(ompd_host_target_t *target, const struct program *program, uint64_t address)
{
    const char *text = bytes_text(core_saved(target, address, PATH_SIZE), 0);

    if (text == NULL && program->file != NULL)
        return image_file_text(program->file, address - program->image.bias, PATH_SIZE);
    return text != NULL ? strdup(text) : NULL;
}

/* Read COUNT words at ADDRESS into WORDS.  Returns false on failure. */
static bool words_read(ompd_host_target_t *target, uint64_t address, size_t count, uint64_t *words)
{
    uint8_t buffer[LINK_WORDS * sizeof(uint64_t)];
    size_t word = target->pointer_size;

    if (ompd_host_memory_read(target, address, count * word, buffer) != ompd_host_rc_ok)
        return false;
    for (size_t i = 0; i < count; i++)
        words[i] = bytes_number((struct bytes){buffer, sizeof(buffer), target->is_swapped},
                                i * word, word);
    return true;
}

static ompd_host_rc_t link_add(ompd_host_target_t *target, struct link_map *map,
                               const struct link *link)
{
    struct link *items = array_grow(map->items, map->count, sizeof(*items));

    if (items == NULL) {
        free(link->path);
        return image_no_memory(target);
    }
    map->items = items;
    map->items[map->count++] = *link;
    return ompd_host_rc_ok;
}

/*
 * Follow the list: l_addr, l_name, l_ld, l_next, l_prev.  Each entry must refer to the one before,
 * so that a cycle cannot be followed twice.
 */
static ompd_host_rc_t links_follow(ompd_host_target_t *target, const struct program *program,
                                   uint64_t address, struct link_map *map)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;
    uint64_t previous = 0;

    while (rc == ompd_host_rc_ok && address != 0 && map->count < LINKS_AT_MOST) {
        uint64_t words[LINK_WORDS];
        struct link link;

        if (!words_read(target, address, LINK_WORDS, words) || words[4] != previous)
            return rc;
        link = (struct link){
            .bias = words[0],
            .path = read_text(target, program, words[1]),
            .dynamic = words[2],
        };
        rc = link_add(target, map, &link);
        previous = address;
        address = words[3];
    }
    map->is_whole = address == 0 && map->count != 0;
    return rc;
}

ompd_host_rc_t link_map_read(ompd_host_target_t *target, struct link_map *map)
{
    struct program program;
    uint64_t debug;
    uint64_t words[2];
    ompd_host_rc_t rc = read_program(target, &program);

    *map = (struct link_map){0};
    debug = rc == ompd_host_rc_ok ? find_debug(target, &program.image) : 0;
    /* r_version and, in the next word, r_map. */
    if (debug != 0 && words_read(target, debug, 2, words))
        rc = links_follow(target, &program, words[1], map);
    image_free(&program.image);
    free(program.file);
    if (rc != ompd_host_rc_ok)
        link_map_free(map);
    array_sort(map->items, map->count, sizeof(*map->items));
    return rc;
}

const struct link *link_map_find(const struct link_map *map, uint64_t address)
{
    struct link wanted = {.dynamic = address};

    return map->count == 0
               ? NULL
               : bsearch(&wanted, map->items, map->count, sizeof(*map->items), array_compare);
}

void link_map_free(struct link_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        free(map->items[i].path);
    free(map->items);
    *map = (struct link_map){0};
}
