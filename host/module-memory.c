/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of a core that does not list the files that were mapped: GDB writes that list last, so it
 * is the first thing that a core loses.
 *
 * What is left are the files' headers in memory.  One is of a module, rather than of a file that
 * was only read, when the dynamic linker has been there: it adds the module's address to the
 * addresses in its dynamic section.
 */
#include <host/module.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <host/bytes.h>

#define DYNAMIC_AT_MOST 65536 /* bytes */
#define NAME_AT_MOST 256      /* bytes */

/* What is of use here in a dynamic section; 0: not there. */
struct dynamic {
    uint64_t texts;   /* DT_STRTAB */
    uint64_t symbols; /* DT_SYMTAB */
    uint64_t name;    /* DT_SONAME: bytes into the texts */
    uint64_t debug;   /* DT_DEBUG: only a program has it */
};

static struct dynamic decode(struct bytes section, size_t word)
{
    struct dynamic dynamic = {0};

    for (size_t at = 0; at + 2 * word <= section.size; at += 2 * word) {
        uint64_t value = bytes_number(section, at + word, word);

        switch (bytes_number(section, at, word)) {
        case DT_NULL:
            return dynamic;
        case DT_STRTAB:
            dynamic.texts = value;
            break;
        case DT_SYMTAB:
            dynamic.symbols = value;
            break;
        case DT_SONAME:
            dynamic.name = value;
            break;
        case DT_DEBUG:
            dynamic.debug = value;
            break;
        default:
            break;
        }
    }
    return dynamic;
}

/* Read the dynamic section of IMAGE; all zeros when there is none. */
static ompd_host_rc_t read_dynamic(ompd_host_target_t *target, const struct image *image,
                                   struct dynamic *dynamic)
{
    size_t size = image->dynamic_size < DYNAMIC_AT_MOST ? image->dynamic_size : DYNAMIC_AT_MOST;
    uint8_t *bytes = malloc(size + 1);

    *dynamic = (struct dynamic){0};
    if (bytes == NULL)
        return image_no_memory(target);
    if (image->dynamic != 0 &&
        ompd_host_memory_read(target, image->bias + image->dynamic, size, bytes) == ompd_host_rc_ok)
        *dynamic = decode((struct bytes){bytes, size, image->is_swapped}, image->is_64 ? 8 : 4);
    free(bytes);
    return ompd_host_rc_ok;
}

static bool is_within(const struct module *module, uint64_t address)
{
    return module->start <= address && address < module->end;
}

/* Read the text at ADDRESS, "" when it cannot be read.  NULL: there is no memory.  Owned by the
 * caller. */
static char *read_text(ompd_host_target_t *target, uint64_t address)
{
    char text[NAME_AT_MOST];
    size_t length = 0;

    while (length + 1 < sizeof(text) &&
           ompd_host_memory_read(target, address + length, 1, text + length) == ompd_host_rc_ok &&
           text[length] != '\0')
        length++;
    text[length] = '\0';
    return strdup(text);
}

/* Add the module, if it is one, whose file's header is at ADDRESS. */
static ompd_host_rc_t add_image(ompd_host_target_t *target, struct module_list *list,
                                uint64_t address)
{
    struct module module = {.target = target};
    struct dynamic dynamic;
    ompd_host_rc_t rc = image_read(target, address, &module.image);

    if (rc != ompd_host_rc_ok || module.image.loads == NULL)
        return rc;
    module.start = image_start(&module.image);
    module.end = image_end(&module.image);
    rc = read_dynamic(target, &module.image, &dynamic);
    if (rc != ompd_host_rc_ok || !is_within(&module, dynamic.texts) ||
        !is_within(&module, dynamic.symbols)) {
        image_free(&module.image);
        return rc;
    }
    module.is_program = dynamic.debug != 0;
    if (module.is_program && target->executable != NULL)
        module.name = strdup(target->executable);
    else
        module.name =
            dynamic.name != 0 ? read_text(target, dynamic.texts + dynamic.name) : strdup("");
    module.path = module.name;
    if (module.name == NULL || !module_add(list, &module)) {
        image_free(&module.image);
        free(module.name);
        return image_no_memory(target);
    }
    return ompd_host_rc_ok;
}

ompd_host_rc_t modules_find_in_memory(ompd_host_target_t *target, struct module_list *list)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (size_t i = 0; rc == ompd_host_rc_ok && i < target->region_count; i++) {
        const struct region *region = &target->regions[i];

        if (region->bytes != NULL && region->end - region->start >= SELFMAG &&
            memcmp(region->bytes, ELFMAG, SELFMAG) == 0)
            rc = add_image(target, list, region->start);
    }
    return rc;
}
