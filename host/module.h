/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The modules of a target (its program and the shared libraries), the files here that hold them,
 * and what elfutils is told of both.
 */
#ifndef OMPD_HOST_MODULE_H
#define OMPD_HOST_MODULE_H

#include <host/base.h>
#include <host/image.h>
#include <host/names-table.h>
#include <host/symbol-table.h>

/* The symbols of a module by their names: as its file has a table of them, or as names.c chains
 * them. */
struct names {
    struct names_table table;
    uint32_t *first; /* of each chain; NULL: there are none yet */
    uint32_t *next;  /* of each symbol */
    uint32_t mask;   /* number of chains, less 1; a power of two */
};

struct module {
    const char *path; /* of the target; only a name where the core lists no files */
    char *name;       /* owned, when that is of no one else */
    char *file;       /* here, that holds it; NULL: not found, or only another build of it */
    uint64_t start;   /* addresses [start, end) */
    uint64_t end;
    struct image image;
    bool is_program;
    uint8_t *copy; /* of its memory, where it has no file; NULL: none was made */
    size_t copy_size;
    ompd_host_target_t *target;
    Dwfl_Module *dwfl;
    struct names names;
    struct symbol_table table;
    /* debug-alternate.c: what dwz has moved from its debug information; NULL: nothing. */
    Dwarf *alternate;
    Elf *alternate_elf;      /* that stands in for it; NULL: it was found, */
    int alternate_file;      /* open there */
    bool is_alternate_known; /* it was looked for */
    bool is_debug_left_out;  /* a file with it was not used, as it is too large uncompressed */
};

/* Bytes of a file that stand in for memory that the core lacks. */
struct page_mapping {
    void *bytes;
    size_t size;
    struct page_mapping *next;
};

struct module_list {
    struct module *items;
    size_t count;
    size_t capacity;
};

struct symbols {
    struct module *modules; /* sorted by address */
    size_t count;
    struct file_mapping *files; /* process: what is mapped, paths owned; core: NULL */
    size_t file_count;
    bool has_all; /* modules of the target */
    Dwfl *dwfl;
    bool is_attached; /* the threads' stacks can be had */
    Dwfl *registers;  /* for the threads' registers, without modules; NULL: not yet */
    Elf *core;        /* for them; NULL: not yet, or it is a process */
    void *stack;      /* of stack.c: what is being followed */
    void *places;     /* of place.c, which knows each address once */
    struct page_mapping *pages;
    struct image_copies copies; /* of modules */
};

/* The modules and symbols of TARGET in *SYMBOLS, made when first asked for.  Returns
 * ompd_host_rc_ok; nomem; error, when elfutils refuses. */
ompd_host_rc_t symbols_get(ompd_host_target_t *target, struct symbols **symbols);

/* Find all modules of TARGET, for SYMBOLS. */
ompd_host_rc_t modules_find(ompd_host_target_t *target, struct symbols *symbols);

/* Add MODULE to LIST, which owns its image and name then.  False: there is no memory. */
bool module_add(struct module_list *list, const struct module *module);

/* module-memory.c: add the modules of a core that lists no files to LIST; ARE_ALL: as it turns out,
 * there are no others. */
ompd_host_rc_t modules_find_in_memory(ompd_host_target_t *target, struct module_list *list,
                                      bool *are_all);

/* The module of SYMBOLS that ADDRESS lies in, NULL: none.  What lies beyond all of a module's
 * segments, or between them, is none of it. */
struct module *module_at(const struct symbols *symbols, uint64_t address);

/* Whether the symbols of MODULE are not known: no file here holds it, and TARGET, a core, has lost
 * what they are found by: the headers, the dynamic section, or the first segment, which has the
 * table. */
bool module_is_lost(const ompd_host_target_t *target, const struct module *module);

/* Give back the modules. */
void modules_free(struct symbols *symbols);

/* module-file.c: find the file that holds MODULE: module->file, or NULL. */
ompd_host_rc_t module_file_find(ompd_host_target_t *target, struct module *module);

/* module-file.c: read IMAGE, which TARGET, a core, has BIAS further than the file says and has lost
 * the headers of, from the file PATH of the target; all zeros when none here has the same dynamic
 * section.  The program: whatever its path, and where its entry point is; *FILE, unless NULL, gets
 * the path of its file here, owned by the caller, or NULL. */
ompd_host_rc_t module_file_read(ompd_host_target_t *target, const char *path, uint64_t bias,
                                struct image *image);
ompd_host_rc_t module_program_read(ompd_host_target_t *target, struct image *image, char **file);

/* module-file.c: whether the ELF file DESCRIPTOR has a build-id, and that of SIZE BYTES. */
bool module_file_has_build_id(int descriptor, const void *bytes, size_t size);

/* names.c: find NAME among the global symbols of a module, or the local ones; the first that is in
 * memory.  False: there is no memory. */
bool names_find(struct module *module, const char *name, bool is_local, uint64_t *address,
                bool *is_found);

/* names.c: give back NAMES. */
void names_free(struct names *names);

/* debug-file.c: DESCRIPTOR, a file that is to be given to libdw as MODULE's; -1, and it is closed,
 * where its debug information is too large, or it is -1. */
int module_debug_bound(struct module *module, int descriptor);

/* debug-file.c: what libdwfl calls to find a module's separate debug information. */
int debug_file_find(Dwfl_Module *dwfl_module, void **user_data, const char *module_name,
                    Dwarf_Addr base, const char *file_name, const char *link, GElf_Word checksum,
                    char **found);

/* debug-file.c: open the file of debug information that has the build-id of SIZE bytes and that the
 * target calls PATH, or, NULL, where distributions keep it by its build-id; -1: there is none. */
int debug_file_open(const ompd_host_target_t *target, const void *build_id, size_t size,
                    const char *path);

/* debug-alternate.c: open what dwz has moved from MODULE's debug information to a file of several,
 * once, before that is used. */
void debug_alternate_find(struct module *module);

/* debug-alternate.c: give it back, when MODULE's own is closed. */
void debug_alternate_close(struct module *module);

/* module-regions.c: learn of a core's regions what its modules' headers say of them, and count its
 * memory. */
ompd_host_rc_t module_regions_find(ompd_host_target_t *target);

/* file-pages.c: set `bytes` of regions whose contents the core lacks to those of the file that was
 * mapped, mapped likewise, when its build-id is the one in the core.  Called once, when all else is
 * known. */
ompd_host_rc_t file_pages_find(ompd_host_target_t *target);

/* file-pages.c: unmap them, before the symbols are closed. */
void file_pages_free(ompd_host_target_t *target);

/* place.c: give back the places that were looked up, before the symbols are closed. */
void places_free(ompd_host_target_t *target);

/* symbols.c: give back what `symbols` holds otherwise; nothing when it is NULL. */
void symbols_close(ompd_host_target_t *target);

#endif
