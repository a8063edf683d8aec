/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An ELF file as it lies in a target's memory: its segments and its build-id. */
#ifndef OMPD_HOST_IMAGE_H
#define OMPD_HOST_IMAGE_H

#include <host/base.h>

#define IMAGE_SEGMENTS_AT_MOST 256
#define IMAGE_BUILD_ID_AT_MOST 64 /* bytes */

/* What is loaded of a file (PT_LOAD). */
struct load {
    uint64_t offset; /* bytes into the file */
    uint64_t address;
    uint64_t file_size; /* bytes */
    uint64_t memory_size;
    uint32_t flags; /* PF_ of <elf.h> */
};

struct image {
    struct load *loads; /* NULL: its header could not be read */
    size_t load_count;
    uint64_t dynamic; /* address of PT_DYNAMIC in the file's terms, 0: none */
    uint64_t dynamic_size;
    bool is_64;
    bool is_swapped;
    uint64_t bias; /* how much further the target has it than the file says */
    uint8_t *build_id;
    size_t build_id_size; /* bytes, 0: none */
};

static inline bool image_load_makes_sense(const struct load *load)
{
    return load->memory_size >= load->file_size &&
           load->address <= UINT64_MAX - load->memory_size &&
           load->offset <= UINT64_MAX - load->file_size;
}

/* Read the headers of the ELF file whose first page lies at ADDRESS.  Where there is none, or it
 * makes no sense, IMAGE is all zeros. */
ompd_host_rc_t image_read(ompd_host_target_t *target, uint64_t address, struct image *image);

/* image-file.c: the same of the file ELF, which the target has BIAS further than it says. */
ompd_host_rc_t image_read_file(ompd_host_target_t *target, Elf *elf, uint64_t bias,
                               struct image *image);

/* image-file.c: the text that the file PATH has loaded at ADDRESS, in its own terms, of less than
 * SIZE bytes, owned by the caller; NULL: there is none. */
char *image_file_text(const char *path, uint64_t address, size_t size);

/* Give back what IMAGE holds. */
void image_free(struct image *image);

/* Whether ADDRESS lies in a page that a segment of IMAGE takes up. */
bool image_contains(const struct image *image, uint64_t address);

/* The first address of IMAGE, and the end of the last page. */
uint64_t image_start(const struct image *image);
uint64_t image_end(const struct image *image);

/* The page that ADDRESS is in: where it begins, and where it, or the one before, ends. */
uint64_t image_page_start(uint64_t address);
uint64_t image_page_end(uint64_t address);

/* Keep that there is no memory for what is to be known of modules, and return ompd_host_rc_nomem.
 */
ompd_host_rc_t image_no_memory(ompd_host_target_t *target);

/* What the copies of a target's images cost. */
struct image_copies {
    uint64_t taken; /* bytes of address space */
    uint64_t held;  /* bytes of it that a core has; the others are zeros and cost nothing */
};

/* Put the loaded parts of IMAGE together as a file of *SIZE bytes, zeros where memory cannot be
 * read, and count it in COPIES; NULL: it cannot be done, or they cost too much.  Owned by the
 * caller (munmap). */
uint8_t *image_copy(ompd_host_target_t *target, const struct image *image,
                    struct image_copies *copies, size_t *size);

#endif
