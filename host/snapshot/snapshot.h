/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A snapshot: a small core with the bytes that the library's answers depend on.
 *
 * It is collected in this order.  The library is asked all questions, and what it reads is recorded
 * (snapshot-questions.c).  Words that are handles are found anywhere in memory (snapshot-words.c).
 * What debuggers need to find modules and to unwind stacks is added (snapshot-parts.c).  Then the
 * contents of buffers are removed, and the rest is written (snapshot-file.c).
 */
#ifndef OMPD_HOST_SNAPSHOT_H
#define OMPD_HOST_SNAPSHOT_H

#include <host/core/core.h>
#include <host/elf/elf.h>

struct snapshot {
    ompd_host_target_t *target;
    struct ranges saved;   /* bytes to save */
    struct ranges buffers; /* contents to leave out */
    struct ranges words;   /* words of writable memory that are handles, also in buffers */
    uint64_t *handles;     /* of objects, sorted after all are known */
    size_t handle_count;
    bool is_short; /* memory ran out for part of this */
};

/* snapshot-questions.c: ask the library all questions about the target. */
ompd_host_rc_t snapshot_ask(struct snapshot *snapshot);

/* snapshot-words.c: search writable memory for the handles. */
ompd_host_rc_t snapshot_find_words(struct snapshot *snapshot);

/* snapshot-parts.c: add stacks, the parts of modules that differ from their files, and the
 * dynamic linker's data. */
ompd_host_rc_t snapshot_add_parts(struct snapshot *snapshot);

/* The notes of a core, being built. */
struct note_text {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    const ompd_host_target_t *target; /* determines word size and byte order */
    bool is_short;
};

/* snapshot-notes.c: build the notes for TARGET: those of its core or, for a process, those that
 * a kernel's core would have. */
ompd_host_rc_t snapshot_notes_make(ompd_host_target_t *target, struct note_text *notes);

/* snapshot-text.c: add a note, a number VALUE of SIZE bytes, or SIZE bytes to the notes. */
void note_text_add(struct note_text *notes, const char *name, uint32_t type, const void *contents,
                   size_t size);
void note_text_number(struct note_text *notes, uint64_t value, size_t size);
void note_text_bytes(struct note_text *notes, const void *bytes, size_t size);

/* snapshot-regions.c: build the contents of the note that lists the regions of TARGET's memory. */
void snapshot_regions_write(ompd_host_target_t *target, struct note_text *contents);

/* snapshot-file.c: write SNAPSHOT, whose ranges are settled, to DESCRIPTOR.  *SIZE receives its
 * size in bytes. */
ompd_host_rc_t snapshot_write(struct snapshot *snapshot, int descriptor,
                              const struct note_text *notes, uint64_t *size);

#endif
