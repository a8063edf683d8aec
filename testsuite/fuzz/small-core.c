/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-core.h"

#include "fuzz.h"

#include <elf.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
#define MODULE UINT64_C(0x7f0000000000)
#define STACK UINT64_C(0x7ffc00000000)
#define MOST_HEADERS 4096
#define MOST_NOTES (64 << 10) /* bytes */
#define PAGES 4               /* that segments choose from */

enum {
    edit_load, /* VALUE: address, NUMBER: pages in memory, INDEX: in the file, WHICH: the first */
    edit_repeat,
    edit_note,
    edit_notes_header,
    edit_file,
    edit_page,
    edit_hole,
    edit_header,
    edit_kinds
};

static struct {
    Elf64_Ehdr header;
    Elf64_Phdr headers[MOST_HEADERS];
    size_t header_count;
    uint8_t notes[MOST_NOTES];
    size_t note_size;
    uint8_t pages[PAGES * PAGE];
    uint64_t hole; /* bytes behind the pages that are not in the file */
    struct {
        uint64_t count;
        uint64_t page_size;
        struct {
            uint64_t start;
            uint64_t end;
            uint64_t offset;
        } files[64];
        char names[64 * 16];
    } mapped;
} core;

/* ---- Parts ----------------------------------------------------------------------------------- */

static void add_note(uint32_t type, const void *contents, size_t size, size_t claimed)
{
    Elf64_Nhdr note = {5, (Elf64_Word)claimed, type};
    size_t whole = sizeof(note) + 8 + (size + 3) / 4 * 4;

    if (core.note_size + whole > MOST_NOTES)
        return;
    memcpy(core.notes + core.note_size, &note, sizeof(note));
    memcpy(core.notes + core.note_size + sizeof(note), "CORE", 5);
    memcpy(core.notes + core.note_size + sizeof(note) + 8, contents, size);
    core.note_size += whole;
}

/* A segment at ADDRESS whose bytes begin with page FIRST. */
static void add_load(uint64_t address, unsigned first, uint64_t file_size, uint64_t size,
                     uint32_t flags)
{
    if (core.header_count == MOST_HEADERS)
        return;
    core.headers[core.header_count++] = (Elf64_Phdr){.p_type = PT_LOAD,
                                                     .p_flags = flags,
                                                     .p_offset = first % (PAGES + 1) * PAGE,
                                                     .p_vaddr = address,
                                                     .p_filesz = file_size,
                                                     .p_memsz = size,
                                                     .p_align = PAGE};
}

static void add_notes_header(void)
{
    if (core.header_count != MOST_HEADERS)
        core.headers[core.header_count++] = (Elf64_Phdr){.p_type = PT_NOTE, .p_align = 4};
}

static void add_thread(uint32_t lwp)
{
    struct elf_prstatus status = {.pr_pid = (pid_t)lwp, .pr_cursig = 11};

#ifdef __x86_64__
    status.pr_reg[16] = MODULE + 0x10; /* rip */
    status.pr_reg[19] = STACK;         /* rsp */
#endif
    add_note(NT_PRSTATUS, &status, sizeof(status), sizeof(status));
}

static void add_file(uint64_t start, uint64_t pages, const char *name)
{
    size_t count = core.mapped.count;

    if (count == 64)
        return;
    core.mapped.files[count].start = start;
    core.mapped.files[count].end = start + pages * PAGE;
    strncpy(core.mapped.names + count * 16, name, 15);
    core.mapped.count++;
}

/* The first page: the headers of a module, which say that a gigabyte follows. */
static void put_module(void)
{
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = EM_X86_64,
                         .e_version = 1,
                         .e_phoff = sizeof(header),
                         .e_ehsize = sizeof(header),
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 3};
    Elf64_Phdr headers[] = {
        {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = PAGE, .p_memsz = PAGE},
        {.p_type = PT_NOTE, .p_offset = 512, .p_vaddr = 512, .p_filesz = 36, .p_memsz = 36},
        {.p_type = PT_DYNAMIC, .p_offset = 1024, .p_vaddr = 1024, .p_filesz = 128, .p_memsz = 128},
    };
    Elf64_Dyn dynamic[] = {{DT_SYMTAB, {2048}}, {DT_STRTAB, {3072}}, {DT_HASH, {1536}},
                           {DT_STRSZ, {64}},    {DT_SYMENT, {24}},   {DT_SONAME, {1}},
                           {DT_NULL, {0}}};
    Elf64_Sym symbol = {.st_name = 1, .st_info = 0x12, .st_shndx = 1, .st_value = 0x10};
    uint32_t hash[] = {1, 2, 1, 0, 0};
    uint32_t note[] = {4, 20, NT_GNU_BUILD_ID, 0x554e47};

    memcpy(core.pages, &header, sizeof(header));
    memcpy(core.pages + sizeof(header), headers, sizeof(headers));
    memcpy(core.pages + 512, note, sizeof(note));
    memcpy(core.pages + 1024, dynamic, sizeof(dynamic));
    memcpy(core.pages + 1536, hash, sizeof(hash));
    memcpy(core.pages + 2048 + sizeof(symbol), &symbol, sizeof(symbol));
    memcpy(core.pages + 3073, "ompd_opencl_registry", 21);
}

static void begin(void)
{
    struct elf_prpsinfo info = {.pr_pid = 100, .pr_fname = "subject", .pr_psargs = "subject"};
    uint64_t vector[] = {AT_PHDR, MODULE + 64, AT_ENTRY, MODULE + 16, AT_PAGESZ, PAGE, 0, 0};

    memset(&core, 0, sizeof(core));
    core.header =
        (Elf64_Ehdr){.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                     .e_type = ET_CORE,
                     .e_machine = EM_X86_64,
                     .e_version = 1,
                     .e_phoff = sizeof(core.header),
                     .e_ehsize = sizeof(core.header),
                     .e_phentsize = sizeof(Elf64_Phdr)};
    core.mapped.page_size = 1;
    put_module();
    add_notes_header();
    add_thread(100);
    add_note(NT_PRPSINFO, &info, sizeof(info), sizeof(info));
    add_note(NT_AUXV, vector, sizeof(vector), sizeof(vector));
    add_file(MODULE, 1, "/no/libmade.so");
    add_load(MODULE, 0, PAGE, PAGE, PF_R | PF_X);
    add_load(STACK, 1, PAGE, PAGE, PF_R | PF_W);
    add_thread(101);
}

/* ---- Edits ----------------------------------------------------------------------------------- */

/* More segments like the last one, each behind the one before it, of the same bytes. */
static void repeat(uint32_t count, uint64_t distance)
{
    Elf64_Phdr last = core.headers[core.header_count - 1];

    for (uint32_t i = 0; i < count % MOST_HEADERS && core.header_count < MOST_HEADERS; i++) {
        last.p_vaddr += last.p_memsz + distance;
        core.headers[core.header_count++] = last;
    }
}

static void put(void *bytes, size_t size, size_t at, uint64_t value)
{
    at %= size - sizeof(value);
    memcpy((uint8_t *)bytes + at, &value, sizeof(value));
}

static void apply(const struct edit *edit)
{
    static const uint32_t types[] = {NT_PRSTATUS, NT_PRPSINFO, NT_AUXV,      NT_FILE,
                                     NT_SIGINFO,  NT_FPREGSET, NT_X86_XSTATE};

    switch (edit->what % edit_kinds) {
    case edit_load:
        add_load(edit->value, edit->which & 7, edit->index * PAGE, edit->number * PAGE,
                 edit->which >> 3 & 7);
        break;
    case edit_repeat:
        repeat(edit->number, edit->value);
        break;
    case edit_note:
        add_note(types[edit->which % 7], core.pages + edit->index % (3 * PAGE), edit->number % PAGE,
                 edit->which >= 128 ? edit->value : edit->number % PAGE);
        break;
    case edit_notes_header:
        for (uint32_t i = 0; i < edit->number % MOST_HEADERS; i++)
            add_notes_header();
        break;
    case edit_file:
        add_file(edit->value, edit->number,
                 (const char *[]){"/no/libmade.so", "/dev/zero", "", "x"}[edit->which % 4]);
        break;
    case edit_page:
        put(core.pages, sizeof(core.pages), edit->number, edit->value);
        break;
    case edit_hole:
        core.hole = ((uint64_t)edit->number << 12) % (UINT64_C(1) << 36);
        break;
    default:
        if (edit->which % 4 == 0)
            put(&core.header, sizeof(core.header), edit->number, edit->value);
        else
            put(core.headers, core.header_count * sizeof(core.headers[0]), edit->number,
                edit->value);
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
    fuzz_require(pwrite(fd, bytes, size, (off_t)offset) == (ssize_t)size,
                 "the core is not written");
}

static void add_mapped(void)
{
    uint8_t contents[16 + 64 * (24 + 16)];
    size_t count = core.mapped.count;
    size_t size = 16 + count * 24;

    memcpy(contents, &core.mapped, size);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(core.mapped.names + i * 16) + 1;

        memcpy(contents + size, core.mapped.names + i * 16, length);
        size += length;
    }
    add_note(NT_FILE, contents, size, size);
}

size_t small_core_write(int fd, const struct edits *edits)
{
    uint64_t notes;
    uint64_t pages;

    begin();
    for (size_t i = 0; i < edits->count; i++)
        apply(&edits->items[i]);
    add_mapped();
    if (core.header.e_phnum == 0)
        core.header.e_phnum = (Elf64_Half)core.header_count;
    notes = sizeof(core.header) + core.header_count * sizeof(core.headers[0]);
    pages = (notes + core.note_size + PAGE - 1) / PAGE * PAGE;
    for (size_t i = 0; i < core.header_count; i++) {
        Elf64_Phdr *header = &core.headers[i];

        if (header->p_type == PT_NOTE && header->p_filesz == 0) {
            header->p_offset = notes;
            header->p_filesz = core.note_size;
        } else if (header->p_type == PT_LOAD) {
            header->p_offset += pages;
        }
    }
    fuzz_require(ftruncate(fd, 0) == 0, "the core is not emptied");
    fuzz_require(ftruncate(fd, (off_t)(pages + sizeof(core.pages) + core.hole)) == 0,
                 "the core is not made large");
    write_at(fd, &core.header, sizeof(core.header), 0);
    write_at(fd, core.headers, core.header_count * sizeof(core.headers[0]), sizeof(core.header));
    write_at(fd, core.notes, core.note_size, notes);
    write_at(fd, core.pages, sizeof(core.pages), pages);
    return pages + sizeof(core.pages);
}
