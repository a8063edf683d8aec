/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Real memory for sweeps: of a program in a core, or of the stopped process itself. */
#ifndef SWEEP_IMAGE_H
#define SWEEP_IMAGE_H

#include "target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct image_region {
    uint64_t start;
    uint64_t end;
    char *file;           /* the file mapped there, NULL for none, */
    uint64_t offset;      /* from this byte on */
    const uint8_t *bytes; /* of a core; NULL when not saved, and of a process */
    uint32_t permissions; /* ompd_cl_permission_t */
};

/* Symbols of a module that the library asks for. */
#define IMAGE_SYMBOL_COUNT 5

struct image_module {
    char *file;
    uint64_t symbols[IMAGE_SYMBOL_COUNT]; /* addresses; 0: it has none */
    uint64_t start;
    uint64_t end;
    uint8_t build_id[32];
    size_t build_id_size; /* bytes, 0: none */
};

struct sweep_image {
    const char *name;             /* "core" or "live" */
    uint64_t registry;            /* address of the recorder's registry */
    struct image_region *regions; /* sorted */
    size_t region_count;
    struct image_module *modules;
    size_t module_count;
    const uint8_t *core; /* mapped, of core_size bytes; NULL of a process */
    size_t core_size;
    int memory; /* /proc/PID/mem; of a core -1 */
    pid_t pid;
};

/* Map the core at PATH. */
struct sweep_image *sweep_image_open_core(const char *path);

/* Run COMMAND until it calls its function STOP, and leave it stopped there.  It ends with the
 * calling process. */
struct sweep_image *sweep_image_open_live(char *const command[], const char *stop);

void sweep_image_close(struct sweep_image *image);

/* The plain callbacks that show IMAGE. */
struct sweep_target sweep_image_target(const struct sweep_image *image);

/* The same for functions that search all regions, without the heaps. */
struct sweep_target sweep_image_small_target(const struct sweep_image *image);

/* Read all of [ADDRESS, ADDRESS + SIZE) or fail. */
bool sweep_image_read(const struct sweep_image *image, uint64_t address, uint64_t size,
                      void *bytes);

/* The region that ends above ADDRESS first; NULL for none. */
const struct image_region *sweep_image_region(const struct sweep_image *image, uint64_t address);

/* What follows is for those that make images. */

void sweep_image_add_region(struct sweep_image *image, const struct image_region *region);
void sweep_image_sort_regions(struct sweep_image *image);
void sweep_image_forget_regions(struct sweep_image *image);

/* Find the modules, once the regions are known and the memory can be read. */
void sweep_image_find_modules(struct sweep_image *image);
void sweep_image_forget_modules(struct sweep_image *image);

/* The address of SYMBOL in module number INDEX, 0 when it has none. */
uint64_t sweep_image_module_symbol(const struct sweep_image *image, size_t index,
                                   const char *symbol);

/* The value of SYMBOL in the ELF file PATH, 0 when it has none. */
uint64_t sweep_image_symbol_value(const char *path, const char *symbol);

/* The address of SYMBOL in the mapped file whose path ends in FILE. Ends the program when the file
 * is not mapped or has no such symbol. */
uint64_t sweep_image_find_symbol(const struct sweep_image *image, const char *file,
                                 const char *symbol);

#endif
