/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-core.h"

#include "fuzz.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
#define MODULE UINT64_C(0x7f0000000000)
#define STACK UINT64_C(0x7ffc00000000)
#define MOST_HEADERS 4096
#define MOST_NOTES (64 << 10) /* bytes */
#define PAGES 4               /* that segments choose from */
#define MOST_FILES 64
#define NAME_SIZE 32

/* In the first page: code that calls the runtime, by the word at CALL_SLOT; and a symbol. */
#define CALL UINT64_C(0xc80)
#define CALL_END (CALL + 6)
#define CALL_SLOT UINT64_C(0xca0)
#define SYMBOL UINT64_C(2072)

/* There, too, the dynamic linker's list of loaded files and their addresses: the module, and
 * another that the core lacks. */
#define DYNAMIC UINT64_C(1024)
#define DEBUG UINT64_C(0xd00)
#define LINKS UINT64_C(0xd40)
#define PATH UINT64_C(0xe00)
#define OTHER (MODULE + UINT64_C(0x100000))

/* Of the runtime, in its module: the function that is called, and where in the stack a frame is. */
#define FUNCTION_SLOT 5
#define FRAME 0x800

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
        } files[MOST_FILES];
        char names[MOST_FILES * NAME_SIZE];
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

/* A segment at ADDRESS whose bytes are OFFSET behind where the pages begin. */
static void add_segment(uint64_t address, uint64_t offset, uint64_t file_size, uint64_t size,
                        uint32_t flags)
{
    if (core.header_count == MOST_HEADERS)
        return;
    core.headers[core.header_count++] = (Elf64_Phdr){.p_type = PT_LOAD,
                                                     .p_flags = flags,
                                                     .p_offset = offset,
                                                     .p_vaddr = address,
                                                     .p_filesz = file_size,
                                                     .p_memsz = size,
                                                     .p_align = PAGE};
}

/* One whose bytes begin with page FIRST. */
static void add_load(uint64_t address, unsigned first, uint64_t file_size, uint64_t size,
                     uint32_t flags)
{
    add_segment(address, first % (PAGES + 1) * PAGE, file_size, size, flags);
}

static void add_notes_header(void)
{
    if (core.header_count != MOST_HEADERS)
        core.headers[core.header_count++] = (Elf64_Phdr){.p_type = PT_NOTE, .p_align = 4};
}

/* A thread at PC, whose stack begins at STACK, in the frame at FRAME. */
static void add_thread(uint32_t lwp, uint64_t pc, uint64_t stack, uint64_t frame)
{
    struct elf_prstatus status = {.pr_pid = (pid_t)lwp, .pr_cursig = 11};

#ifdef __x86_64__
    status.pr_reg[4] = frame;  /* rbp */
    status.pr_reg[16] = pc;    /* rip */
    status.pr_reg[19] = stack; /* rsp */
#else
    (void)pc;
    (void)stack;
    (void)frame;
#endif
    add_note(NT_PRSTATUS, &status, sizeof(status), sizeof(status));
}

static void add_file(uint64_t start, uint64_t pages, const char *name)
{
    size_t count = core.mapped.count;

    if (count == MOST_FILES)
        return;
    core.mapped.files[count].start = start;
    core.mapped.files[count].end = start + pages * PAGE;
    strncpy(core.mapped.names + count * NAME_SIZE, name, NAME_SIZE - 1);
    core.mapped.count++;
}

static const char *path_of(const struct small_core_subject *subject)
{
    return subject->module != NULL ? subject->module : "/no/libmade.so";
}

/* The dynamic linker's data in PAGE: struct r_debug, and its list of modules. */
static void put_links(const struct small_core_subject *subject, uint8_t *page)
{
    const uint64_t debug[] = {1, MODULE + LINKS};
    /* l_addr, l_name, l_ld, l_next, l_prev */
    const uint64_t links[][5] = {
        {MODULE, MODULE + PATH + NAME_SIZE, MODULE + DYNAMIC, MODULE + LINKS + sizeof(links[0]), 0},
        {OTHER, MODULE + PATH, OTHER + DYNAMIC, 0, MODULE + LINKS},
    };

    memcpy(page + DEBUG, debug, sizeof(debug));
    memcpy(page + LINKS, links, sizeof(links));
    strncpy((char *)page + PATH, path_of(subject), NAME_SIZE - 1);
}

void small_core_put_module(const struct small_core_subject *subject, uint8_t *page)
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
    Elf64_Dyn dynamic[] = {{DT_SYMTAB, {2048}},
                           {DT_STRTAB, {3072}},
                           {DT_HASH, {1536}},
                           {DT_STRSZ, {64}},
                           {DT_SYMENT, {24}},
                           {DT_SONAME, {1}},
                           {DT_DEBUG, {MODULE + DEBUG}},
                           {DT_NULL, {0}}};
    Elf64_Sym symbol = {.st_name = 1, .st_info = 0x12, .st_shndx = 1, .st_value = 0x10};
    uint32_t hash[] = {1, 2, 1, 0, 0};
    uint32_t note[] = {4, 20, subject->has_no_build_id ? 0 : NT_GNU_BUILD_ID, 0x554e47};

    memcpy(page, &header, sizeof(header));
    memcpy(page + sizeof(header), headers, sizeof(headers));
    memcpy(page + 512, note, sizeof(note));
    memcpy(page + DYNAMIC, dynamic, sizeof(dynamic));
    memcpy(page + 1536, hash, sizeof(hash));
    memcpy(page + SYMBOL, &symbol, sizeof(symbol));
    memcpy(page + 3073, "ompd_opencl_registry", 21);
    put_links(subject, page);
}

static void begin(const struct small_core_subject *subject)
{
    struct elf_prpsinfo info = {.pr_pid = 100, .pr_fname = "subject", .pr_psargs = "subject"};
    uint64_t vector[] = {AT_PHDR, MODULE + 64, AT_ENTRY,      MODULE + 16, AT_PAGESZ,
                         PAGE,    AT_EXECFN,   MODULE + PATH, 0,           0};

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
    small_core_put_module(subject, core.pages);
    add_notes_header();
    add_thread(100, MODULE + 16, STACK, 0);
    add_note(NT_PRPSINFO, &info, sizeof(info), sizeof(info));
    add_note(NT_AUXV, vector, sizeof(vector), sizeof(vector));
    add_file(MODULE, 1, path_of(subject));
    add_load(MODULE, 0, subject->is_lost ? 0 : PAGE, PAGE, PF_R | PF_X);
    add_load(STACK, 1, PAGE, PAGE, PF_R | PF_W);
    add_thread(101, MODULE + 16, STACK, 0);
}

/* ---- Memory of a small target ---------------------------------------------------------------- */

/* The frame, in the stack that SMALL has for its runtime, that a thread in the runtime is in. */
static uint64_t frame_of(const struct small_target *small)
{
    return small->objects.stack + FRAME;
}

static uint64_t function_of(const struct small_target *small)
{
    return small->objects.text + FUNCTION_SLOT * UINT64_C(16);
}

void small_core_prepare(struct small_target *small)
{
    static const uint8_t note[] = {4,   0,   0,   0, 2,    0,    0, 0, NT_GNU_BUILD_ID, 0, 0, 0,
                                   'G', 'N', 'U', 0, 0xab, 0xcd, 0, 0};
    const Elf64_Phdr segment = {
        .p_type = PT_NOTE, .p_vaddr = 512, .p_filesz = sizeof(note), .p_memsz = sizeof(note)};
    uint64_t start = small->objects.text - PAGE;
    uint8_t *header;

    if (small->layout == NULL)
        return;
    header = small->fake->bytes + (start - FAKE_BASE);
    memcpy(header + sizeof(Elf64_Ehdr) + 3 * sizeof(segment), &segment, sizeof(segment));
    memcpy(header + 512, note, sizeof(note));
    fake_put(small->fake, start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(small->fake, frame_of(small), 8, frame_of(small) + 64);
    fake_put(small->fake, frame_of(small) + 8, 8, MODULE + CALL_END);
    fake_put(small->fake, frame_of(small) + 64, 8, 0);
    /* Of a callback: the runtime has called the program, which calls it. */
    fake_put(small->fake, frame_of(small) + 128, 8, frame_of(small));
    fake_put(small->fake, frame_of(small) + 136, 8, function_of(small) + 4);
}

/* The flags of a core's segment for PERMISSIONS; a target without permissions is writable. */
static uint32_t flags_of(const struct fake_target *target, uint32_t permissions)
{
    if (target->permit_count == 0)
        return PF_R | PF_W;
    return ((permissions & ompd_cl_permission_read) != 0 ? PF_R : 0) |
           ((permissions & ompd_cl_permission_write) != 0 ? PF_W : 0) |
           ((permissions & ompd_cl_permission_execute) != 0 ? PF_X : 0);
}

/* Segments of the memory of TARGET, whose bytes are behind the pages. */
static void add_regions(const struct fake_target *target)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};

    for (uint64_t at = FAKE_BASE; at < FAKE_BASE + target->size; at = region.end) {
        bool is_hole = at >= target->hole_start && at < target->hole_end;
        uint32_t flags;
        uint64_t size;

        region = fake_region_at(target, at);
        flags = flags_of(target, region.permissions);
        size = region.end - region.start;
        if (region.is_saved && is_hole)
            continue;
        add_segment(region.start, PAGES * PAGE + (region.start - FAKE_BASE),
                    region.is_saved && flags != 0 ? size : 0, size, flags);
    }
}

/* The memory of SMALL, its module, what calls that, and who. */
static void add_memory(const struct small_target *small)
{
    static const uint8_t call[] = {0xff, 0x15, CALL_SLOT - CALL_END, 0, 0, 0};
    uint64_t root = small->fake->root - MODULE;
    uint64_t function;

    add_regions(small->fake);
    if (small->fake->has_recorder)
        memcpy(core.pages + SYMBOL + offsetof(Elf64_Sym, st_value), &root, sizeof(root));
    else
        core.pages[SYMBOL + offsetof(Elf64_Sym, st_shndx)] = SHN_UNDEF;
    if (small->layout == NULL)
        return;
    function = function_of(small);
    memcpy(core.pages + CALL, call, sizeof(call));
    memcpy(core.pages + CALL_SLOT, &function, sizeof(function));
    add_file(small->objects.text - PAGE, 3, "/no/libmadeup.so.1");
    add_thread(4711, function + 4, frame_of(small) - 64, frame_of(small));
    add_thread(4712, MODULE + 16, frame_of(small) - 64, frame_of(small) + 128);
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
    uint8_t contents[sizeof(core.mapped)];
    size_t count = core.mapped.count;
    size_t size = 16 + count * 24;

    memcpy(contents, &core.mapped, size);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(core.mapped.names + i * NAME_SIZE) + 1;

        memcpy(contents + size, core.mapped.names + i * NAME_SIZE, length);
        size += length;
    }
    add_note(NT_FILE, contents, size, size);
}

/* Lay out the parts; returns the offset of the pages. */
static uint64_t lay_out(void)
{
    uint64_t notes = sizeof(core.header) + core.header_count * sizeof(core.headers[0]);
    uint64_t pages = (notes + core.note_size + PAGE - 1) / PAGE * PAGE;

    if (core.header.e_phnum == 0)
        core.header.e_phnum = (Elf64_Half)core.header_count;
    for (size_t i = 0; i < core.header_count; i++) {
        Elf64_Phdr *header = &core.headers[i];

        if (header->p_type == PT_NOTE && header->p_filesz == 0) {
            header->p_offset = notes;
            header->p_filesz = core.note_size;
        } else if (header->p_type == PT_LOAD) {
            header->p_offset += pages;
        }
    }
    return pages;
}

size_t small_core_write(int fd, const struct small_core_subject *subject, const struct edits *edits)
{
    const struct small_target *small = subject->small;
    size_t memory_size = small != NULL ? small->fake->size : 0;
    uint64_t pages;
    uint64_t size;

    begin(subject);
    if (small != NULL)
        add_memory(small);
    for (size_t i = 0; i < edits->count; i++)
        apply(&edits->items[i]);
    if (!subject->has_no_list)
        add_mapped();
    pages = lay_out();
    size = pages + sizeof(core.pages) + memory_size;
    fuzz_require(ftruncate(fd, 0) == 0, "the core is not emptied");
    fuzz_require(ftruncate(fd, (off_t)(size + core.hole)) == 0, "the core is not made large");
    write_at(fd, &core.header, sizeof(core.header), 0);
    write_at(fd, core.headers, core.header_count * sizeof(core.headers[0]), sizeof(core.header));
    write_at(fd, core.notes, core.note_size,
             sizeof(core.header) + core.header_count * sizeof(core.headers[0]));
    write_at(fd, core.pages, sizeof(core.pages), pages);
    if (small != NULL)
        write_at(fd, small->fake->bytes, memory_size, pages + sizeof(core.pages));
    return size;
}
