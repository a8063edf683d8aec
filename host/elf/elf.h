/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Data from elfutils: the modules of a target (its program and shared libraries), their files on
 * this machine, symbols, places and stacks.
 */
#ifndef OMPD_HOST_ELF_H
#define OMPD_HOST_ELF_H

#include <host/process/process.h>

#include <gelf.h>
#include <libelf.h>

/* ---- debug-bound ----------------------------------------------------------------------------- */

/* Cost bound of a file's debug information: a multiple of the file's size. */

/* Whether the compressed sections of the file at DESCRIPTOR are too large for libdw, which
 * decompresses all of them.  False for other files than ELF. */
bool debug_bound_is_exceeded(int descriptor);

/* Whether the line programs of ELF, possibly compressed, are larger than any compiler's. */
bool debug_bound_lines_are_exceeded(Elf *elf);

/* ---- demangle -------------------------------------------------------------------------------- */

/* Source-level names. */

/* A copy of NAME, demangled if it is mangled.  NULL: out of memory.  Owned by the caller (free). */
char *demangle(const char *name);

/* ---- image ----------------------------------------------------------------------------------- */

/* An ELF file in a target's memory: its segments and its build-id. */

#define IMAGE_SEGMENTS_AT_MOST 256
#define IMAGE_BUILD_ID_AT_MOST 64 /* bytes */

/* A loaded segment of a file (PT_LOAD). */
struct load {
    uint64_t offset; /* bytes into the file */
    uint64_t address;
    uint64_t file_size; /* bytes */
    uint64_t memory_size;
    uint32_t flags; /* PF_ of <elf.h> */
};

struct image {
    struct load *loads; /* NULL: its header cannot be read */
    size_t load_count;
    uint64_t dynamic; /* address of PT_DYNAMIC in the file; 0: none */
    uint64_t dynamic_size;
    bool is_64;
    bool is_swapped;
    uint64_t bias; /* difference between addresses in the target and in the file */
    uint8_t *build_id;
    size_t build_id_size; /* bytes, 0: none */
};

static inline bool image_load_makes_sense(const struct load *load)
{
    return load->memory_size >= load->file_size &&
           load->address <= UINT64_MAX - load->memory_size &&
           load->offset <= UINT64_MAX - load->file_size;
}

/* Read the headers of the ELF file whose first page is at ADDRESS.  If there is none, or it is
 * invalid, IMAGE is all zeros. */
ompd_host_rc_t image_read(ompd_host_target_t *target, uint64_t address, struct image *image);

/* image-file.c: read the headers of the file ELF, which the target has loaded with BIAS. */
ompd_host_rc_t image_read_file(ompd_host_target_t *target, Elf *elf, uint64_t bias,
                               struct image *image);

/* image-file.c: the text, shorter than SIZE bytes, that the file PATH has at ADDRESS, an address
 * in the file; or NULL.  Owned by the caller. */
char *image_file_text(const char *path, uint64_t address, size_t size);

/* Free IMAGE. */
void image_free(struct image *image);

/* Whether ADDRESS is in a page of one of IMAGE's segments. */
bool image_contains(const struct image *image, uint64_t address);

/* The first address of IMAGE, and the end of its last page. */
uint64_t image_start(const struct image *image);
uint64_t image_end(const struct image *image);

/* The page of ADDRESS: its start, and the end of the page before or at ADDRESS. */
uint64_t image_page_start(uint64_t address);
uint64_t image_page_end(uint64_t address);

/* Report that memory ran out while modules were read.  Returns ompd_host_rc_nomem. */
ompd_host_rc_t image_no_memory(ompd_host_target_t *target);

/* The cost of the copies of a target's images. */
struct image_copies {
    uint64_t taken; /* bytes of address space */
    uint64_t held;  /* bytes of it that the core contains; others are zeros and free */
};

/* Assemble the loaded parts of IMAGE into a file of *SIZE bytes, with zeros for unreadable
 * memory, and add its cost to COPIES.  NULL: it is impossible or too expensive.  Owned by the
 * caller (munmap). */
uint8_t *image_copy(ompd_host_target_t *target, const struct image *image,
                    struct image_copies *copies, size_t *size);

/* ---- dynamic --------------------------------------------------------------------------------- */

/* Dynamic sections in a target's memory, as relocated by the dynamic linker. */

#define DYNAMIC_AT_MOST 65536 /* bytes of a dynamic section to read */

/* The relevant entries of a dynamic section; 0: missing. */
struct dynamic {
    uint64_t texts;   /* DT_STRTAB */
    uint64_t symbols; /* DT_SYMTAB */
    uint64_t name;    /* DT_SONAME: offset in the texts */
    uint64_t debug;   /* DT_DEBUG: address of struct r_debug, in programs only */
    uint64_t hash;    /* DT_GNU_HASH */
};

/* Read the dynamic section of SIZE bytes at ADDRESS of TARGET; all zeros on failure. */
void dynamic_read(ompd_host_target_t *target, uint64_t address, uint64_t size,
                  struct dynamic *dynamic);

/* Whether the dynamic section of IMAGE in TARGET's memory is that of the file ELF, from which
 * IMAGE was read.  Addresses may be the file's or relocated.  Also false if out of memory. */
bool dynamic_is_of_file(ompd_host_target_t *target, const struct image *image, Elf *elf);

/* Whether the symbols of IMAGE, of which FILE is a copy, can be counted in bounded time.
 * elfutils counts them by the last chain of DT_GNU_HASH, in quadratic time.  In memory that is
 * missing from a core or damaged, the chain may have no end. */
bool dynamic_symbols_end(const struct image *image, struct bytes file);

/* ---- elf-text -------------------------------------------------------------------------------- */

/*
 * Texts of ELF files from libdwfl and libdw.  These check whether a text begins in a table, not
 * whether it ends there.  In a damaged or crafted file, it may continue beyond.
 */

/* Whether TEXT, of ELF, ends within it.  Also false if it is in separate memory, such as a
 * compressed table.  No linker compresses symbol tables. */
bool elf_text_ends(Elf *elf, const char *text);

/* The same for TEXT in debug information, which may be compressed. */
bool elf_debug_text_ends(Elf *elf, const char *text);

/* ---- link-map -------------------------------------------------------------------------------- */

/* The dynamic linker's own list of loaded modules (struct link_map of <link.h>), in a core. */

struct link {
    uint64_t dynamic; /* address of its dynamic section */
    uint64_t bias;    /* difference between addresses in the target and in the file */
    char *path;       /* in the target; "" for the program; NULL: unknown */
};

struct link_map {
    struct link *items; /* sorted by `dynamic` */
    size_t count;
    bool is_whole; /* complete */
};

/* Read the list of TARGET, a core; empty if it cannot be found.  Ends at the first invalid
 * entry. */
ompd_host_rc_t link_map_read(ompd_host_target_t *target, struct link_map *map);

/* The link whose dynamic section is at ADDRESS, or NULL. */
const struct link *link_map_find(const struct link_map *map, uint64_t address);

/* Free MAP. */
void link_map_free(struct link_map *map);

/* ---- names-table ----------------------------------------------------------------------------- */

/* The symbol hash table of a library (DT_GNU_HASH), as used by the dynamic linker. */

struct names_table {
    struct bytes bytes; /* `start` is NULL if there is no table */
    uint32_t symbols;   /* number of symbols of the library */
    uint32_t first;     /* the first symbol in the table */
    uint32_t buckets;
    uint64_t buckets_at; /* offset in the bytes */
    uint64_t chains_at;
};

/* Return the table of ELF.  It is empty if ELF has none, if ELF does not have COUNT dynamic
 * symbols, or if the table does not match them.  The bytes belong to ELF. */
struct names_table names_table_of(Elf *elf, uint32_t count);

/* Return the next symbol after LAST that may be called NAME, or 0.  Symbols are numbered from 1.
 * LAST is 0 at the beginning. */
uint32_t names_table_next(const struct names_table *table, const char *name, uint32_t last);

/* ---- symbol-table ---------------------------------------------------------------------------- */

/* The symbols of a module, by address. */

struct symbol_entry {
    uint64_t start; /* addresses [start, end); equal for a label, which has no size */
    uint64_t end;
    uint64_t highest; /* the largest `end` so far */
    int index;        /* in libdwfl */
    int rank;         /* among symbols with the same start, the last is used: global before weak
                       * and local */
};

/* Created after several lookups in a module.  For a few lookups, libdwfl's linear search is
 * faster. */
struct symbol_table {
    struct symbol_entry *entries; /* sorted by start and rank; owned (free) */
    size_t count;
    unsigned lookups; /* so far */
};

/* The name of the symbol of MODULE that contains ADDRESS, with its *ELF and *OFFSET; NULL: none.
 * TABLE is the module's, initially 0.  The name may lack its NUL. */
const char *symbol_table_find(struct symbol_table *table, Dwfl_Module *module, uint64_t address,
                              uint64_t *offset, Elf **elf);

/* ---- module ---------------------------------------------------------------------------------- */

/*
 * The modules of a target (its program and shared libraries), their files on this machine, and what
 * elfutils is unwound about both.
 */

/* The symbols of a module by name: in the file's own table, or chained by names.c. */
struct names {
    struct names_table table;
    uint32_t *first; /* of each chain; NULL: not yet created */
    uint32_t *next;  /* of each symbol */
    uint32_t mask;   /* number of chains minus 1; a power of two */
};

struct module {
    uint64_t start; /* addresses [start, end) */
    uint64_t end;
    const char *path; /* in the target; only a name if the core does not list files */
    char *name;       /* owned name for `path`, or NULL */
    char *file;       /* file on this machine; NULL: not found, or only another build */
    struct image image;
    bool is_program;
    uint8_t *copy; /* copy of its memory if there is no file, or NULL */
    size_t copy_size;
    ompd_host_target_t *target;
    Dwfl_Module *dwfl;
    struct names names;
    struct symbol_table table;
    /* debug-alternate.c: debug information that dwz moved to another file, or NULL. */
    Dwarf *alternate;
    Elf *alternate_elf;      /* empty replacement; NULL: the file was found */
    int alternate_file;      /* descriptor of that file */
    bool is_alternate_known; /* it was searched for */
    bool is_debug_left_out;  /* a debug file was not used because it is too large when
                              * decompressed */
};

/* Bytes of a file that replace memory that the core lacks. */
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
    struct file_mapping *files; /* process: mapped files, paths owned; core: NULL */
    size_t file_count;
    bool has_all; /* all modules of the target are known */
    Dwfl *dwfl;
    bool is_attached; /* stacks can be unwound */
    Dwfl *registers;  /* for registers, without modules; NULL: not yet created */
    Elf *core;        /* for registers; NULL: not yet opened, or a process */
    void *stack;      /* of stack.c: the current unwinding */
    void *places;     /* of place.c, a cache of addresses */
    struct page_mapping *pages;
    struct image_copies copies; /* of modules */
};

/* Get the modules and symbols of TARGET in *SYMBOLS, created on demand.  Returns
 * ompd_host_rc_ok, nomem, or error if elfutils fails. */
ompd_host_rc_t symbols_get(ompd_host_target_t *target, struct symbols **symbols);

/* Find all modules of TARGET, for SYMBOLS. */
ompd_host_rc_t modules_find(ompd_host_target_t *target, struct symbols *symbols);

/* Add MODULE to LIST, which then owns its image and name.  Returns false if out of memory. */
bool module_add(struct module_list *list, const struct module *module);

/* module-memory.c: add the modules of a core that does not list files to LIST.  ARE_ALL receives
 * whether the list is complete. */
ompd_host_rc_t modules_find_in_memory(ompd_host_target_t *target, struct module_list *list,
                                      bool *are_all);

/* The module of SYMBOLS that contains ADDRESS, or NULL.  Addresses between or after its segments
 * are outside. */
struct module *module_at(const struct symbols *symbols, uint64_t address);

/* Whether the symbols of MODULE are unknown: it has no file on this machine, and TARGET, a core,
 * lacks its headers, its dynamic section or its first segment with the tables. */
bool module_is_lost(const ompd_host_target_t *target, const struct module *module);

/* Free the modules. */
void modules_free(struct symbols *symbols);

/* module-file.c: find the file of MODULE, module->file, or NULL. */
ompd_host_rc_t module_file_find(ompd_host_target_t *target, struct module *module);

/* module-file.c: read IMAGE from the target's file PATH, because TARGET, a core with BIAS, lost
 * its headers.  IMAGE is all zeros if no file here has the same dynamic section.  For the
 * program, BIAS may be NULL: the entry point decides, whatever the path.  *FILE, unless NULL,
 * receives the path here, owned by the caller, or NULL. */
ompd_host_rc_t module_file_read(ompd_host_target_t *target, const char *path, uint64_t bias,
                                struct image *image);
ompd_host_rc_t module_program_read(ompd_host_target_t *target, struct image *image, char **file);

/* module-file.c: whether the ELF file at DESCRIPTOR has the build-id of SIZE BYTES. */
bool module_file_has_build_id(int descriptor, const void *bytes, size_t size);

/* names.c: find NAME among the global or the local symbols of a module; the first one in memory.
 * Returns false if out of memory. */
bool names_find(struct module *module, const char *name, bool is_local, uint64_t *address,
                bool *is_found);

/* names.c: free NAMES. */
void names_free(struct names *names);

/* debug-file.c: return DESCRIPTOR, a file for libdw as MODULE's; or close it and return -1 if
 * its debug information is too large. */
int module_debug_bound(struct module *module, int descriptor);

/* debug-file.c: libdwfl's callback to find the separate debug information of a module. */
int debug_file_find(Dwfl_Module *dwfl_module, void **user_data, const char *module_name,
                    Dwarf_Addr base, const char *file_name, const char *link, GElf_Word checksum,
                    char **found);

/* debug-file.c: open the debug file with the build-id of SIZE bytes that the target calls PATH;
 * if PATH is NULL, search where distributions put it.  -1: none. */
int debug_file_open(const ompd_host_target_t *target, const void *build_id, size_t size,
                    const char *path);

/* debug-alternate.c: open the file that dwz moved MODULE's debug information to, once, before it
 * is needed. */
void debug_alternate_find(struct module *module);

/* debug-alternate.c: close it, together with MODULE's own. */
void debug_alternate_close(struct module *module);

/* module-regions.c: set properties of a core's regions from the modules' headers, and count its
 * memory. */
ompd_host_rc_t module_regions_find(ompd_host_target_t *target);

/* file-pages.c: set `bytes` of regions that the core lacks to the mapped file, if its build-id
 * is that in the core.  Called once, after everything else is known. */
ompd_host_rc_t file_pages_find(ompd_host_target_t *target);

/* file-pages.c: unmap them before the symbols are closed. */
void file_pages_free(ompd_host_target_t *target);

/* place.c: free the cached places before the symbols are closed. */
void places_free(ompd_host_target_t *target);

/* symbols.c: free the rest of `symbols`, which may be NULL. */
void symbols_close(ompd_host_target_t *target);

/* ---- registers ------------------------------------------------------------------------------- */

/* The registers of a stopped thread, by DWARF number. */

/* Read the registers of the thread LWP, on a thread that may trace the target.  Returns false,
 * with dwfl_errmsg, on failure. */
bool registers_read(ompd_host_target_t *target, struct symbols *symbols, uint32_t lwp,
                    struct registers *registers);

/* The number of the stack pointer; REGISTER_COUNT: unknown for this machine. */
unsigned registers_stack_pointer(const ompd_host_target_t *target);

/* Maximum number of callee-saved registers of the known machines. */
#define PRESERVED_LIMIT 11

/* Get the callee-saved registers, except the stack pointer, in *NUMBERS.  Returns their number;
 * 0 for an unknown machine. */
unsigned registers_preserved(const ompd_host_target_t *target, const uint8_t **numbers);

/* Whether ADDRESS may be code: anything that is not known to be something else. */
bool registers_may_be_code(const ompd_host_target_t *target, uint64_t address);

/*
 * Undo a call of an address that is not code.  REGISTERS receive those of the caller, with `pc` at
 * the return address.  Returns false, without changes, if it may not have been a call.
 */
bool registers_undo_call(ompd_host_target_t *target, struct registers *registers);

/* ---- stack ----------------------------------------------------------------------------------- */

/* The call stacks of a target's threads. */

/* Callee-saved registers of a frame, in the order of registers_preserved. */
struct preserved {
    bool are_known[PRESERVED_LIMIT];
    uint64_t values[PRESERVED_LIMIT];
};

/*
 * Like ompd_host_stack_get.  *REGISTERS, unless NULL, receives the registers that unwinding began
 * with: those of the first frame, or of the second if the first is not code.  PRESERVED, an array
 * of CAPACITY or NULL, receives the callee-saved registers of the other frames.
 */
ompd_host_rc_t stack_follow(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                            ompd_host_frame_t *frames, size_t *count, struct registers *registers,
                            struct preserved *preserved);

#endif
