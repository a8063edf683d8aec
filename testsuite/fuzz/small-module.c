/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-module.h"

#include "checksum.h"
#include "fuzz.h"
#include "small-debug.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (256 << 10)
#define MOST_SECTIONS 2048
#define MOST_SYMBOLS 4096
#define PAGE SMALL_CORE_PAGE

enum {
    edit_section,     /* VALUE in field INDEX of section WHICH */
    edit_share,       /* section WHICH has the bytes of section INDEX */
    edit_repeat,      /* section WHICH, NUMBER times */
    edit_symbols,     /* NUMBER of them from VALUE on, whose names are at INDEX */
    edit_bytes,       /* VALUE at NUMBER */
    edit_header,      /* the same in the ELF header */
    edit_segment,     /* the same in the program headers */
    edit_hole,        /* of NUMBER pages, at the end */
    edit_compressed,  /* section WHICH claims to be that, with VALUE bytes */
    edit_link,        /* to the file of debug information: WHICH selects the fault */
    edit_debug_bytes, /* VALUE at NUMBER of the file of debug information */
    edit_kinds
};

enum { section_symbols = 1, section_texts, section_link };

/* The file that is being made. */
static struct {
    uint8_t bytes[MOST_BYTES];
    size_t size;
    Elf64_Shdr sections[MOST_SECTIONS];
    size_t section_count;
    uint64_t hole; /* bytes at its end */
} file;

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Append COUNT BYTES, or zeros, if they fit; returns their offset. */
static size_t append(const void *bytes, size_t count)
{
    size_t at = (file.size + 7) / 8 * 8;

    if (at + count > MOST_BYTES)
        return 0;
    if (bytes != NULL)
        memcpy(file.bytes + at, bytes, count);
    else
        memset(file.bytes + at, 0, count);
    file.size = at + count;
    return at;
}

static const char section_names[] =
    "\0.symtab\0.strtab\0.gnu_debuglink\0.gnu_debugaltlink\0.dynsym\0.dynstr\0.dynamic\0"
    ".note.gnu.build-id\0.text\0.eh_frame\0.debug_abbrev\0"
    ".debug_info\0.debug_line\0.shstrtab";

static uint32_t name_of(const char *name)
{
    uint32_t at = 1;

    while (strcmp(section_names + at, name) != 0)
        at += (uint32_t)strlen(section_names + at) + 1;
    return at;
}

static void add_section(const char *name, Elf64_Shdr section)
{
    if (file.section_count == MOST_SECTIONS)
        return;
    section.sh_name = name_of(name);
    section.sh_addralign = 1;
    file.sections[file.section_count++] = section;
}

/* A section of TYPE whose SIZE bytes, at ADDRESS of the file too, are loaded. */
static void add_loaded(const char *name, uint32_t type, uint64_t address, uint64_t size,
                       uint64_t entry, uint32_t link)
{
    add_section(name, (Elf64_Shdr){.sh_type = type,
                                   .sh_flags = SHF_ALLOC,
                                   .sh_addr = address,
                                   .sh_offset = address,
                                   .sh_size = size,
                                   .sh_entsize = entry,
                                   .sh_link = link});
}

static void add_contents(const char *name, uint32_t type, const void *bytes, size_t size)
{
    add_section(name,
                (Elf64_Shdr){.sh_type = type, .sh_offset = append(bytes, size), .sh_size = size});
}

static void add_symbols(void)
{
    static const char texts[] = "\0" SMALL_MODULE_LOCAL "\0" SMALL_MODULE_SYMBOL;
    const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1,
         .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
         .st_shndx = 8,
         .st_value = 0x100,
         .st_size = 0x20},
        {.st_name = sizeof(SMALL_MODULE_LOCAL) + 1,
         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
         .st_shndx = 8,
         .st_value = SMALL_MODULE_CODE,
         .st_size = 0x80},
    };

    add_contents(".symtab", SHT_SYMTAB, symbols, sizeof(symbols));
    file.sections[section_symbols].sh_link = section_texts;
    file.sections[section_symbols].sh_info = 2;
    file.sections[section_symbols].sh_entsize = sizeof(Elf64_Sym);
    add_contents(".strtab", SHT_STRTAB, texts, sizeof(texts));
}

static void add_unwinding(void)
{
    uint8_t bytes[128];
    uint64_t at = (file.size + 7) / 8 * 8;
    size_t size = small_debug_put_unwinding(bytes, at);

    append(bytes, size);
    add_loaded(".eh_frame", SHT_PROGBITS, at, size, 0, 0);
}

static void add_debug(bool is_shared)
{
    /* A name, and a build-id. */
    static const char link[] = "shared.debug\0twenty bytes of it  ";
    uint8_t bytes[512];

    if (is_shared)
        add_contents(".gnu_debugaltlink", SHT_PROGBITS, link, sizeof(link) - 1);
    add_contents(".debug_abbrev", SHT_PROGBITS, bytes, small_debug_put_abbreviations(bytes));
    add_contents(".debug_info", SHT_PROGBITS, bytes, small_debug_put_entries(bytes));
    add_contents(".debug_line", SHT_PROGBITS, bytes, small_debug_put_lines(bytes));
}

/* The file without its section headers. */
static void begin(const struct small_core_subject *subject, bool has_debug, bool is_shared)
{
    static const uint8_t no_link[16];

    memset(&file, 0, sizeof(file));
    small_core_put_module(subject, file.bytes);
    file.size = PAGE;
    file.section_count = 1;
    add_symbols();
    add_contents(".gnu_debuglink", SHT_PROGBITS, no_link, sizeof(no_link));
    add_loaded(".dynsym", SHT_DYNSYM, 2048, 48, sizeof(Elf64_Sym), 5);
    add_loaded(".dynstr", SHT_STRTAB, 3072, 64, 0, 0);
    add_loaded(".dynamic", SHT_DYNAMIC, 1024, 128, sizeof(Elf64_Dyn), 5);
    add_loaded(".note.gnu.build-id", SHT_NOTE, 512, 36, 0, 0);
    add_loaded(".text", SHT_PROGBITS, SMALL_MODULE_CODE, 0x1f0, 0, 0);
    add_unwinding();
    if (has_debug)
        add_debug(is_shared);
    add_contents(".shstrtab", SHT_STRTAB, section_names, sizeof(section_names));
}

/* ---- Edits ----------------------------------------------------------------------------------- */

static Elf64_Shdr *section(unsigned number)
{
    return &file.sections[number % file.section_count];
}

static void put(size_t start, size_t size, const struct edit *edit)
{
    memcpy(file.bytes + start + edit->number % (size - sizeof(edit->value)), &edit->value,
           sizeof(edit->value));
}

static void repeat(unsigned number, uint32_t times)
{
    for (uint32_t i = 0; i < times % MOST_SECTIONS && file.section_count < MOST_SECTIONS; i++)
        file.sections[file.section_count++] = *section(number);
}

/* Add to the table of symbols, which is moved to the end. */
static void add_more_symbols(const struct edit *edit)
{
    Elf64_Shdr *symbols = &file.sections[section_symbols];
    uint64_t old = symbols->sh_size;
    uint64_t more = edit->number % MOST_SYMBOLS * sizeof(Elf64_Sym);
    size_t at;

    if (symbols->sh_offset > file.size || old > file.size - symbols->sh_offset)
        return;
    at = append(NULL, old + more);
    if (at == 0)
        return;
    memcpy(file.bytes + at, file.bytes + symbols->sh_offset, old);
    for (uint64_t i = 0; i < more / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol = {.st_name = edit->index,
                            .st_info = edit->which,
                            .st_shndx = 8,
                            .st_value = edit->value + i * 16,
                            .st_size = edit->value >> 32};

        memcpy(file.bytes + at + old + i * sizeof(symbol), &symbol, sizeof(symbol));
    }
    symbols->sh_offset = at;
    symbols->sh_size = old + more;
}

static void compress(const struct edit *edit)
{
    const Elf64_Chdr header = {.ch_type = edit->index, .ch_size = edit->value, .ch_addralign = 1};
    Elf64_Shdr *its = section(edit->which);

    its->sh_flags |= SHF_COMPRESSED;
    if (its->sh_offset <= file.size && file.size - its->sh_offset >= sizeof(header))
        memcpy(file.bytes + its->sh_offset, &header, sizeof(header));
}

static void apply(const struct edit *edit)
{
    static const struct {
        uint8_t offset;
        uint8_t size;
    } fields[] = {{0, 4},  {4, 4},  {8, 8},  {16, 8}, {24, 8},
                  {32, 8}, {40, 4}, {44, 4}, {48, 8}, {56, 8}};
    unsigned field = edit->index % 10;

    switch (edit->what % edit_kinds) {
    case edit_section:
        memcpy((uint8_t *)section(edit->which) + fields[field].offset, &edit->value,
               fields[field].size);
        break;
    case edit_share:
        section(edit->which)->sh_offset = section(edit->index)->sh_offset;
        section(edit->which)->sh_size = section(edit->index)->sh_size;
        break;
    case edit_repeat:
        repeat(edit->which, edit->number);
        break;
    case edit_symbols:
        add_more_symbols(edit);
        break;
    case edit_bytes:
        put(PAGE, file.size - PAGE, edit);
        break;
    case edit_hole:
        file.hole = (uint64_t)edit->number << 12;
        break;
    case edit_compressed:
        compress(edit);
        break;
    default:
        break;
    }
}

/* Those of the headers, if they are complete. */
static void apply_late(const struct edit *edit)
{
    if (edit->what % edit_kinds == edit_header)
        put(0, sizeof(Elf64_Ehdr), edit);
    else if (edit->what % edit_kinds == edit_segment)
        put(sizeof(Elf64_Ehdr), 3 * sizeof(Elf64_Phdr), edit);
}

/* ---- The files ------------------------------------------------------------------------------- */

/* Put the section headers behind the rest. */
static void end_file(void)
{
    Elf64_Ehdr header;
    size_t count = file.section_count;
    size_t names = 1;

    while (names < count - 1 && file.sections[names].sh_name != name_of(".shstrtab"))
        names++;
    memcpy(&header, file.bytes, sizeof(header));
    header.e_shoff = append(file.sections, count * sizeof(file.sections[0]));
    header.e_shnum = (Elf64_Half)count;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = (Elf64_Half)names;
    memcpy(file.bytes, &header, sizeof(header));
}

static size_t write_file(int fd)
{
    fuzz_require(ftruncate(fd, 0) == 0 && ftruncate(fd, (off_t)(file.size + file.hole)) == 0 &&
                     pwrite(fd, file.bytes, file.size, 0) == (ssize_t)file.size,
                 "the module is not written");
    return file.size;
}

/* Write the file of debug information; *CHECKSUM gets its own. */
static size_t write_debug(const struct small_module_files *files,
                          const struct small_core_subject *subject, const struct edits *edits,
                          uint32_t *checksum)
{
    begin(subject, true, files->is_shared);
    for (size_t i = 0; i < edits->count; i++)
        if (edits->items[i].what % edit_kinds == edit_debug_bytes)
            put(PAGE, file.size - PAGE, &edits->items[i]);
    end_file();
    *checksum = checksum_add(0, file.bytes, file.size);
    return write_file(files->debug);
}

/* Write the contents of .gnu_debuglink: a name, and the CHECKSUM of the file. */
static void put_link(int debug, uint32_t checksum, const struct edits *edits)
{
    uint8_t *link = file.bytes + file.sections[section_link].sh_offset;

    snprintf((char *)link, 12, "%d", debug);
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->items[i];

        if (edit->what % edit_kinds != edit_link)
            continue;
        checksum += edit->which & 1;
        if ((edit->which & 2) != 0)
            memcpy(link + edit->index % 8, &edit->value, 4);
    }
    memcpy(link + 12, &checksum, sizeof(checksum));
}

size_t small_module_write(const struct small_module_files *files,
                          const struct small_core_subject *subject, const struct edits *edits)
{
    uint32_t checksum;
    size_t size = write_debug(files, subject, edits, &checksum);

    begin(subject, !files->is_apart, files->is_shared);
    put_link(files->debug, checksum, edits);
    for (size_t i = 0; i < edits->count; i++)
        apply(&edits->items[i]);
    end_file();
    for (size_t i = 0; i < edits->count; i++)
        apply_late(&edits->items[i]);
    return size + write_file(files->module);
}
