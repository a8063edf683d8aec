/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What elfutils finds: the modules of a target (its program and the shared libraries), the files
 * here that hold them, their symbols, places and stacks.
 */
#ifndef OMPD_HOST_ELF_H
#define OMPD_HOST_ELF_H

#include <host/process/process.h>

#include <gelf.h>
#include <libelf.h>

/* ---- debug-bound ----------------------------------------------------------------------------- */

/* What the debug information of a file may cost: no more than a factor of the file's bytes. */

/* Whether the compressed sections of the file at DESCRIPTOR come to so much that it is not to be
 * given to libdw, which uncompresses all of them.  False of what is no ELF file. */
bool debug_bound_is_exceeded(int descriptor);

/* Whether the line programs of ELF, which may be compressed, are larger than those of any compiler.
 */
bool debug_bound_lines_are_exceeded(Elf *elf);

/* ---- demangle -------------------------------------------------------------------------------- */

/* Names as source has them. */

/* A copy of NAME, which linkers use, as its language writes it, or as it is.  NULL: no memory.
 * Owned by the caller (free). */
char *demangle(const char *name);

/* ---- image ----------------------------------------------------------------------------------- */

/* An ELF file as it lies in a target's memory: its segments and its build-id. */

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

/* ---- dynamic --------------------------------------------------------------------------------- */

/* Dynamic sections, as the dynamic linker leaves them in a target's memory. */

#define DYNAMIC_AT_MOST 65536 /* bytes of a dynamic section that are read */

/* What is of use here in a dynamic section; 0: not there. */
struct dynamic {
    uint64_t texts;   /* DT_STRTAB */
    uint64_t symbols; /* DT_SYMTAB */
    uint64_t name;    /* DT_SONAME: bytes into the texts */
    uint64_t debug;   /* DT_DEBUG: only a program has it, of a struct r_debug */
    uint64_t hash;    /* DT_GNU_HASH */
};

/* Read the dynamic section of SIZE bytes at ADDRESS of TARGET; all zeros when it cannot be, or
 * there is no memory for it. */
void dynamic_read(ompd_host_target_t *target, uint64_t address, uint64_t size,
                  struct dynamic *dynamic);

/* Tell whether the dynamic section that IMAGE has in TARGET's memory is the one that the file ELF,
 * which IMAGE was read from, has: its entries, with addresses that are the file's or the target's.
 * False too when there is no memory for it. */
bool dynamic_is_of_file(ompd_host_target_t *target, const struct image *image, Elf *elf);

/* Tell whether the symbols of IMAGE, of which FILE is a copy, can be counted in bounds.  elfutils
 * counts them by the last chain of DT_GNU_HASH, and takes a time that grows with the square of its
 * length: in memory that a core has not saved, or that is damaged, the chain does not end. */
bool dynamic_symbols_end(const struct image *image, struct bytes file);

/* ---- elf-text -------------------------------------------------------------------------------- */

/*
 * Texts of ELF files, as libdwfl and libdw give them: these look whether one begins in a table, not
 * whether it ends there.  A file that is damaged, or made for it, has one that goes on beyond.
 */

/* Whether TEXT, of ELF, ends in it.  False, too: it is in memory of its own, such as a table that
 * was compressed, as no linker leaves one of symbols. */
bool elf_text_ends(Elf *elf, const char *text);

/* The same of TEXT in debug information, which may have been compressed. */
bool elf_debug_text_ends(Elf *elf, const char *text);

/* ---- link-map -------------------------------------------------------------------------------- */

/* The dynamic linker's own list of what it has loaded (struct link_map of <link.h>), in a core. */

struct link {
    uint64_t dynamic; /* address of its dynamic section */
    uint64_t bias;    /* how much further the target has the file than that says */
    char *path;       /* of the target; "" for the program; NULL: not known */
};

struct link_map {
    struct link *items; /* sorted by `dynamic` */
    size_t count;
    bool is_whole; /* no part of it was lost */
};

/* Read the list of TARGET, a core: empty where it cannot be found.  What makes no sense ends it. */
ompd_host_rc_t link_map_read(ompd_host_target_t *target, struct link_map *map);

/* The link of what has its dynamic section at ADDRESS; NULL: there is none. */
const struct link *link_map_find(const struct link_map *map, uint64_t address);

/* Give it back. */
void link_map_free(struct link_map *map);

/* ---- names-table ----------------------------------------------------------------------------- */

/*
 * The table that a library has for the dynamic linker (DT_GNU_HASH), which tells by a name's hash
 * where among the dynamic symbols it is.
 */

struct names_table {
    struct bytes bytes; /* its `start` is NULL when there is no table */
    uint32_t symbols;   /* how many the library has */
    uint32_t first;     /* the first one that the table finds */
    uint32_t buckets;
    uint64_t buckets_at; /* offset in the bytes */
    uint64_t chains_at;
};

/* Returns the table of ELF, or one without bytes when ELF has none, has other symbols than its
 * COUNT dynamic ones, or has a table that does not fit them.  The bytes belong to ELF. */
struct names_table names_table_of(Elf *elf, uint32_t count);

/* Returns the next symbol after LAST that may be called NAME, or 0 when there is none.  Symbols are
 * counted from 1; a LAST of 0 begins the search. */
uint32_t names_table_next(const struct names_table *table, const char *name, uint32_t last);

/* ---- symbol-table ---------------------------------------------------------------------------- */

/* The symbols of a module by their addresses. */

struct symbol_entry {
    uint64_t start; /* addresses [start, end); END is START of a label, which has no size */
    uint64_t end;
    uint64_t highest; /* the largest `end` up to this one */
    int index;        /* of libdwfl */
    int rank;         /* of those that begin alike, the last is taken: global before weak, local */
};

/* Made when a module has been asked for several: for few, libdwfl, which goes through all symbols
 * each time, is faster. */
struct symbol_table {
    struct symbol_entry *entries; /* sorted by start and rank; owned (free) */
    size_t count;
    unsigned lookups; /* so far */
};

/* The name of the symbol of MODULE that ADDRESS is in, in *ELF and *OFFSET into it; NULL: in none.
 * TABLE is that of the module, 0 at first.  It may be that the name does not end. */
const char *symbol_table_find(struct symbol_table *table, Dwfl_Module *module, uint64_t address,
                              uint64_t *offset, Elf **elf);

/* ---- module ---------------------------------------------------------------------------------- */

/*
 * The modules of a target (its program and the shared libraries), the files here that hold them,
 * and what elfutils is told of both.
 */

/* The symbols of a module by their names: as its file has a table of them, or as names.c chains
 * them. */
struct names {
    struct names_table table;
    uint32_t *first; /* of each chain; NULL: there are none yet */
    uint32_t *next;  /* of each symbol */
    uint32_t mask;   /* number of chains, less 1; a power of two */
};

struct module {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    const char *path; /* of the target; only a name where the core lists no files */
    char *name;       /* owned, when that is of no one else */
    char *file;       /* here, that holds it; NULL: not found, or only another build of it */
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

/* ---- registers ------------------------------------------------------------------------------- */

/* The registers of a thread that does not run, by their numbers in DWARF. */

/* Read the registers of the thread LWP; to be called where the target may be traced.  False:
 * dwfl_errmsg has the reason. */
bool registers_read(ompd_host_target_t *target, struct symbols *symbols, uint32_t lwp,
                    struct registers *registers);

/* The number of the stack pointer; REGISTER_COUNT: it is not known for this machine. */
unsigned registers_stack_pointer(const ompd_host_target_t *target);

/* No known machine has more registers that functions preserve. */
#define PRESERVED_LIMIT 11

/* The numbers of those, but for the stack pointer, in *NUMBERS; gives how many, 0 for a machine
 * that is not known here. */
unsigned registers_preserved(const ompd_host_target_t *target, const uint8_t **numbers);

/* Whether there may be code at ADDRESS: all that is not known to be none. */
bool registers_may_be_code(const ompd_host_target_t *target, uint64_t address);

/*
 * Undo a call to where no code is, which ended at once: REGISTERS get those of the caller, `pc` the
 * address that the call returns to.  False, and nothing done: it is not sure that it was a call.
 */
bool registers_undo_call(ompd_host_target_t *target, struct registers *registers);

/* ---- stack ----------------------------------------------------------------------------------- */

/* The call stacks of a target's threads. */

/* Registers of a frame that functions preserve, in the order of registers_preserved. */
struct preserved {
    bool are_known[PRESERVED_LIMIT];
    uint64_t values[PRESERVED_LIMIT];
};

/*
 * Like ompd_host_stack_get; *REGISTERS, which may be NULL, gets those that the stack was followed
 * from: of the first frame, or where that has no code of the second.  Of the others PRESERVED,
 * which has room for CAPACITY or is NULL, gets what their callers left.
 */
ompd_host_rc_t stack_follow(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                            ompd_host_frame_t *frames, size_t *count, struct registers *registers,
                            struct preserved *preserved);

#endif
