/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The notes of a core: threads, mapped files, the process. */
#include <host/core/core.h>

#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_SIGNAL 12        /* pr_cursig */
#define X86_64_FS_BASE (21 * 8) /* in the registers, as user_regs_struct */

/* A note, and what to do with it. */
struct note {
    uint32_t type;
    struct bytes contents;
};

static ompd_host_rc_t notes_no_memory(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_nomem, "out of memory");
}

static size_t word_of(const ompd_host_target_t *target)
{
    return target->pointer_size;
}

/* Get the thread pointer, which is the pthread_t, from the registers of an x86-64. */
static uint64_t status_pthread(const ompd_host_target_t *target, struct bytes status)
{
    size_t registers = word_of(target) == 8 ? STATUS_REGISTERS_64 : STATUS_REGISTERS_32;

    return target->machine == EM_X86_64 ? bytes_number(status, registers + X86_64_FS_BASE, 8) : 0;
}

static ompd_host_rc_t note_thread_add(ompd_host_target_t *target, struct bytes status)
{
    size_t lwp = word_of(target) == 8 ? STATUS_LWP_64 : STATUS_LWP_32;
    struct thread *threads;

    if (status.size < lwp + 4)
        return ompd_host_rc_ok;
    threads = array_grow(target->threads, target->thread_count, sizeof(*threads));
    if (threads == NULL)
        return notes_no_memory(target);
    target->threads = threads;
    threads[target->thread_count++] = (struct thread){
        .lwp = (uint32_t)bytes_number(status, lwp, 4),
        .signal = (int32_t)bytes_number(status, STATUS_SIGNAL, 2),
        .pthread = status_pthread(target, status),
        .segment = word_of(target) == 4
                       ? (uint32_t)bytes_number(status, STATUS_REGISTERS_32 + I386_GS, 4) >> 3
                       : 0,
    };
    return ompd_host_rc_ok;
}

/* On i386, a separate note after each thread's has the thread pointers: entries of type
 * user_desc, of which the selector in gs names one. */
static void add_thread_pointer(ompd_host_target_t *target, struct bytes descriptors)
{
    struct thread *thread = &target->threads[target->thread_count - 1];

    for (size_t at = 0; at + 16 <= descriptors.size; at += 16) {
        if (bytes_number(descriptors, at, 4) == thread->segment)
            thread->pthread = bytes_number(descriptors, at + 4, 4);
    }
}

/* Copy at most SIZE bytes of a text, without trailing blanks, or return NULL. */
static char *copy_text(struct bytes whole, size_t offset, size_t size)
{
    struct bytes part = bytes_cut(whole, offset, size);
    size_t length = strnlen((const char *)part.start, part.size);

    while (length > 0 && part.start[length - 1] == ' ')
        length--;
    return length == 0 ? NULL : strndup((const char *)part.start, length);
}

/* On 32-bit machines, the user IDs before pr_pid have 2 or 4 bytes, depending on the total size. */
static void read_process(ompd_host_target_t *target, struct bytes process)
{
    size_t pid = word_of(target) == 8 ? 24 : process.size <= 124 ? 12 : 16;
    size_t name = pid + 16;

    target->core.is_of_debugger = target->thread_count == 0;
    target->pid = (pid_t)bytes_number(process, pid, 4);
    free(target->program);
    free(target->command_line);
    target->program = copy_text(process, name, PROGRAM_NAME_SIZE);
    target->command_line = copy_text(process, name + PROGRAM_NAME_SIZE, COMMAND_LINE_SIZE);
}

void core_vector_read(ompd_host_target_t *target, struct bytes vector)
{
    size_t word = word_of(target);

    for (size_t at = 0; at + 2 * word <= vector.size; at += 2 * word) {
        uint64_t value = bytes_number(vector, at + word, word);

        switch (bytes_number(vector, at, word)) {
        case AT_PHDR:
            target->core.program_headers = value;
            break;
        case AT_ENTRY:
            target->core.entry_point = value;
            break;
        case AT_EXECFN:
            target->core.program_name = value;
            break;
        case AT_SYSINFO_EHDR:
            target->core.vdso = value;
            break;
        default:
            break;
        }
    }
}

/* Files of a damaged core may overlap. */
void core_files_sort(struct core *core)
{
    uint64_t end = 0;
    size_t kept = 0;

    array_sort(core->files, core->file_count, sizeof(*core->files));
    for (size_t i = 0; i < core->file_count; i++) {
        struct file_mapping file = core->files[i];

        if (file.end <= end || file.end <= file.start)
            continue;
        if (file.start < end) {
            file.offset += end - file.start;
            file.start = end;
        }
        end = file.end;
        core->files[kept++] = file;
    }
    core->file_count = kept;
}

/* NT_FILE: the count, the page size, then start, end and page offset of each file, then their
 * paths. */
static ompd_host_rc_t read_files(ompd_host_target_t *target, struct bytes note)
{
    size_t word = word_of(target);
    uint64_t count = bytes_number(note, 0, word);
    uint64_t page_size = bytes_number(note, word, word);
    uint64_t text = (2 + 3 * count) * word;
    struct core *core = &target->core;

    if (core->files != NULL || count == 0 || count > note.size / (3 * word) || text > note.size)
        return ompd_host_rc_ok;
    core->files = calloc(count, sizeof(*core->files));
    if (core->files == NULL)
        return notes_no_memory(target);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = (2 + 3 * i) * word;
        const char *path = bytes_text(note, text);

        if (path == NULL)
            break;
        text += strlen(path) + 1;
        core->files[core->file_count++] = (struct file_mapping){
            .start = bytes_number(note, at, word),
            .end = bytes_number(note, at + word, word),
            .offset = bytes_number(note, at + 2 * word, word) * page_size,
            .path = path,
        };
    }
    core_files_sort(core);
    if (core->file_count == 0) {
        free(core->files);
        core->files = NULL;
    }
    return ompd_host_rc_ok;
}

static ompd_host_rc_t read_note(ompd_host_target_t *target, const struct note *note)
{
    switch (note->type) {
    case NT_PRSTATUS:
        return note_thread_add(target, note->contents);
    case NT_386_TLS:
        if (target->thread_count != 0 && word_of(target) == 4)
            add_thread_pointer(target, note->contents);
        return ompd_host_rc_ok;
    case NT_PRPSINFO:
        read_process(target, note->contents);
        return ompd_host_rc_ok;
    case NT_AUXV:
        core_vector_read(target, note->contents);
        return ompd_host_rc_ok;
    case NT_FILE:
        return read_files(target, note->contents);
    default:
        return ompd_host_rc_ok;
    }
}

/* Whether the note has one of the kernel's names; the numbers of other notes mean something
 * else. */
static bool note_is_of_kernel(struct bytes name)
{
    return (name.size == 5 && memcmp(name.start, "CORE", 5) == 0) ||
           (name.size == 6 && memcmp(name.start, "LINUX", 6) == 0);
}

static bool is_snapshot(struct bytes name, uint32_t type)
{
    return type == SNAPSHOT_NOTE_REGIONS && name.size == sizeof(SNAPSHOT_NOTE) &&
           memcmp(name.start, SNAPSHOT_NOTE, sizeof(SNAPSHOT_NOTE)) == 0;
}

/* Store NOTE, for saving the core as a snapshot. */
static bool note_store(struct core *core, const struct note *note, struct bytes name)
{
    struct core_note *notes = array_grow(core->notes, core->note_count, sizeof(*notes));

    if (notes == NULL)
        return false;
    core->notes = notes;
    notes[core->note_count++] = (struct core_note){.type = note->type,
                                                   .name = name.size == 5 ? "CORE" : "LINUX",
                                                   .contents = note->contents.start,
                                                   .size = note->contents.size};
    return true;
}

/* Process a complete note. */
static ompd_host_rc_t note_read(ompd_host_target_t *target, const struct note *note,
                                struct bytes name)
{
    if (is_snapshot(name, note->type) && !target->core.is_snapshot)
        return core_snapshot_read(target, note->contents) ? ompd_host_rc_ok
                                                          : notes_no_memory(target);
    if (!note_is_of_kernel(name))
        return ompd_host_rc_ok;
    return note_store(&target->core, note, name) ? read_note(target, note)
                                                 : notes_no_memory(target);
}

ompd_host_rc_t core_notes_read(ompd_host_target_t *target, struct bytes notes)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;
    uint64_t at = 0;

    while (rc == ompd_host_rc_ok && at + sizeof(Elf64_Nhdr) <= notes.size) {
        uint64_t name_size = bytes_number(notes, at, 4);
        uint64_t size = bytes_number(notes, at + 4, 4);
        struct note note = {.type = (uint32_t)bytes_number(notes, at + 8, 4)};
        struct bytes name;

        /* Such notes do not exist, but a hole of the file is full of them. */
        if (name_size == 0 && size == 0 && note.type == 0)
            break;
        at += sizeof(Elf64_Nhdr);
        name = bytes_cut(notes, at, name_size);
        at += (name_size + 3) & ~UINT64_C(3);
        note.contents = bytes_cut(notes, at, size);
        at += (size + 3) & ~UINT64_C(3);
        if (note.contents.size == size)
            rc = note_read(target, &note, name);
    }
    return rc;
}
