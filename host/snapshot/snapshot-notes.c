/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The notes of a snapshot: threads, the process, mapped files. */
#include <host/snapshot/snapshot.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_REGISTERS 4096 /* bytes */
#define VECTOR_SIZE 4096    /* maximum size of an auxiliary vector, in bytes */
#define VDSO "[vdso]"

/* ---- Notes of a process ---------------------------------------------------------------------- */

/* The registers of a thread, read on the tracer thread. */
struct registers_read {
    const struct thread *thread;
    struct iovec area;
    uint8_t bytes[MOST_REGISTERS];
};

static void read_registers(void *argument)
{
    struct registers_read *read = argument;

    read->area = (struct iovec){read->bytes, sizeof(read->bytes)};
    if (ptrace(PTRACE_GETREGSET, (pid_t)read->thread->lwp, (void *)NT_PRSTATUS, &read->area) != 0)
        read->area.iov_len = 0;
}

/* On i386, the thread pointer is in a note of its own. */
static void add_thread_pointer(struct note_text *notes, const struct registers_read *read)
{
    struct note_text contents = {.target = notes->target};
    struct bytes bytes = {read->bytes, read->area.iov_len, notes->target->is_swapped};

    if (notes->target->machine != EM_386 || read->thread->pthread == 0)
        return;
    note_text_number(&contents, bytes_number(bytes, I386_GS, 4) >> 3, 4);
    note_text_number(&contents, read->thread->pthread, 4);
    note_text_number(&contents, 0, 4);
    note_text_number(&contents, 0, 4);
    note_text_add(notes, "LINUX", NT_386_TLS, contents.bytes, contents.size);
    free(contents.bytes);
}

static ompd_host_rc_t thread_notes_add(ompd_host_target_t *target, struct note_text *notes,
                                       const struct thread *thread)
{
    size_t word = target->pointer_size;
    struct note_text contents = {.target = target};
    struct registers_read read = {.thread = thread};
    size_t lwp = word == 8 ? STATUS_LWP_64 : STATUS_LWP_32;
    size_t registers = word == 8 ? STATUS_REGISTERS_64 : STATUS_REGISTERS_32;

    if (thread->registers != NULL) {
        read.area.iov_len = thread->registers_size;
        memcpy(read.bytes, thread->registers, thread->registers_size);
    } else {
        process_run(target, read_registers, &read);
    }
    if (read.area.iov_len == 0)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "cannot read the registers of thread %u", thread->lwp);
    note_text_bytes(&contents, NULL, lwp);
    note_text_number(&contents, thread->lwp, 4);
    note_text_bytes(&contents, NULL, registers - lwp - 4);
    note_text_bytes(&contents, read.bytes, read.area.iov_len);
    note_text_bytes(&contents, NULL, word);
    note_text_add(notes, "CORE", NT_PRSTATUS, contents.bytes, contents.size);
    add_thread_pointer(notes, &read);
    notes->is_short |= contents.is_short;
    free(contents.bytes);
    return ompd_host_rc_ok;
}

static void add_padded(struct note_text *contents, const char *text, size_t size)
{
    size_t length = text != NULL ? strnlen(text, size - 1) : 0;

    note_text_bytes(contents, text != NULL ? text : "", length);
    note_text_bytes(contents, NULL, size - length);
}

/* NT_PRPSINFO. */
static void add_process(const ompd_host_target_t *target, struct note_text *notes)
{
    bool is_64 = target->pointer_size == 8;
    const char *slash = target->program != NULL ? strrchr(target->program, '/') : NULL;
    struct note_text contents = {.target = target};

    /* pr_state to pr_gid, left zero */
    note_text_bytes(&contents, NULL, is_64 ? 24 : 12);
    note_text_number(&contents, (uint64_t)target->pid, 4);
    note_text_bytes(&contents, NULL, 12);
    add_padded(&contents, slash != NULL ? slash + 1 : target->program, PROGRAM_NAME_SIZE);
    add_padded(&contents, target->command_line, COMMAND_LINE_SIZE);
    note_text_add(notes, "CORE", NT_PRPSINFO, contents.bytes, contents.size);
    notes->is_short |= contents.is_short;
    free(contents.bytes);
}

/* NT_AUXV, which also has the address of the program's headers. */
static void add_vector(ompd_host_target_t *target, struct note_text *notes)
{
    uint8_t vector[VECTOR_SIZE];
    char path[64];
    ssize_t size;
    int file;

    snprintf(path, sizeof(path), "/proc/%d/auxv", (int)target->pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    size = file < 0 ? 0 : read(file, vector, sizeof(vector));
    if (file >= 0)
        close(file);
    if (size <= 0)
        return;
    core_vector_read(target, (struct bytes){vector, (size_t)size, target->is_swapped});
    note_text_add(notes, "CORE", NT_AUXV, vector, (size_t)size);
}

static bool is_file(const struct file_mapping *mapping)
{
    return strncmp(mapping->path, VDSO, strlen(VDSO)) != 0;
}

/* NT_FILE: see core-notes.c. */
static ompd_host_rc_t add_files(ompd_host_target_t *target, struct note_text *notes)
{
    struct note_text contents = {.target = target};
    size_t word = target->pointer_size;
    struct symbols *symbols;
    ompd_host_rc_t rc = symbols_get(target, &symbols);
    size_t count = 0;

    if (rc != ompd_host_rc_ok)
        return rc;
    for (size_t i = 0; i < symbols->file_count; i++)
        count += is_file(&symbols->files[i]);
    note_text_number(&contents, count, word);
    note_text_number(&contents, 1, word); /* the unit of offsets */
    for (size_t i = 0; i < symbols->file_count; i++) {
        const struct file_mapping *file = &symbols->files[i];

        if (!is_file(file))
            continue;
        note_text_number(&contents, file->start, word);
        note_text_number(&contents, file->end, word);
        note_text_number(&contents, file->offset, word);
    }
    for (size_t i = 0; i < symbols->file_count; i++)
        if (is_file(&symbols->files[i]))
            note_text_bytes(&contents, symbols->files[i].path, strlen(symbols->files[i].path) + 1);
    if (count != 0)
        note_text_add(notes, "CORE", NT_FILE, contents.bytes, contents.size);
    notes->is_short |= contents.is_short;
    free(contents.bytes);
    return rc;
}

static ompd_host_rc_t make_of_process(ompd_host_target_t *target, struct note_text *notes)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;

    /* In the kernel's order: a core that begins with the process would be a debugger's. */
    for (size_t i = 0; rc == ompd_host_rc_ok && i < target->thread_count; i++) {
        rc = thread_notes_add(target, notes, &target->threads[i]);
        if (i == 0)
            add_process(target, notes);
    }
    add_vector(target, notes);
    return rc == ompd_host_rc_ok ? add_files(target, notes) : rc;
}

/* ---- Notes of a core ------------------------------------------------------------------------- */

/* Whether to save the note type.  Vector registers and the like, which may contain data of
 * buffers, are in notes of other types. */
static bool is_kept(uint32_t type)
{
    return type == NT_PRSTATUS || type == NT_PRPSINFO || type == NT_AUXV || type == NT_FILE ||
           type == NT_SIGINFO || type == NT_386_TLS;
}

static void core_notes_copy(const struct core *core, struct note_text *notes)
{
    for (size_t i = 0; i < core->note_count; i++) {
        const struct core_note *note = &core->notes[i];

        if (is_kept(note->type))
            note_text_add(notes, note->name, note->type, note->contents, note->size);
    }
}

ompd_host_rc_t snapshot_notes_make(ompd_host_target_t *target, struct note_text *notes)
{
    struct note_text regions = {.target = target};
    ompd_host_rc_t rc = ompd_host_rc_ok;

    notes->target = target;
    if (target_is_core(target))
        core_notes_copy(&target->core, notes);
    else
        rc = make_of_process(target, notes);
    if (rc != ompd_host_rc_ok)
        return rc;
    snapshot_regions_write(target, &regions);
    note_text_add(notes, SNAPSHOT_NOTE, SNAPSHOT_NOTE_REGIONS, regions.bytes, regions.size);
    notes->is_short |= regions.is_short;
    free(regions.bytes);
    if (notes->is_short)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    return ompd_host_rc_ok;
}
