/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A snapshot: a small core of the bytes that the library's answers depend on.
 *
 * What is in it is found in this order: the questions that the library is asked, which tells what
 * it looks at (snapshot-questions.c); the words that are handles, wherever the program keeps them
 * (snapshot-words.c); what debuggers need to find modules and to follow stacks (snapshot-parts.c).
 * Then the contents of buffers are taken out, and what is left is written (snapshot-file.c).
 */
#ifndef OMPD_HOST_SNAPSHOT_H
#define OMPD_HOST_SNAPSHOT_H

#include <host/core/core.h>
#include <host/elf/elf.h>

struct snapshot {
    ompd_host_target_t *target;
    struct ranges saved;   /* of bytes */
    struct ranges buffers; /* whose contents are not to be in it */
    struct ranges words;   /* in writable memory, that are handles: in buffers too */
    uint64_t *handles;     /* of objects, sorted once all are known */
    size_t handle_count;
    bool is_short; /* there was no memory for some of that */
};

/* snapshot-questions.c: ask all that the library answers of the target. */
ompd_host_rc_t snapshot_ask(struct snapshot *snapshot);

/* snapshot-words.c: search the writable memory for the handles. */
ompd_host_rc_t snapshot_find_words(struct snapshot *snapshot);

/* snapshot-parts.c: add the stacks, the parts of modules that are not as in their files, the
 * dynamic linker's data. */
ompd_host_rc_t snapshot_add_parts(struct snapshot *snapshot);

/* Notes of a core, which grow. */
struct note_text {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    const ompd_host_target_t *target; /* whose word size and byte order they have */
    bool is_short;
};

/* snapshot-notes.c: make the notes of a core of TARGET: those that a core has, or of a process what
 * a core of the kernel's would have. */
ompd_host_rc_t snapshot_notes_make(ompd_host_target_t *target, struct note_text *notes);

/* snapshot-text.c: add a note; the number VALUE of SIZE bytes, SIZE bytes, to a text of notes. */
void note_text_add(struct note_text *notes, const char *name, uint32_t type, const void *contents,
                   size_t size);
void note_text_number(struct note_text *notes, uint64_t value, size_t size);
void note_text_bytes(struct note_text *notes, const void *bytes, size_t size);

/* snapshot-regions.c: make the contents of the note that tells the regions of TARGET's memory. */
void snapshot_regions_tell(ompd_host_target_t *target, struct note_text *contents);

/* snapshot-file.c: write SNAPSHOT, whose ranges are settled, to DESCRIPTOR.  *SIZE gets its bytes.
 */
ompd_host_rc_t snapshot_write(struct snapshot *snapshot, int descriptor,
                              const struct note_text *notes, uint64_t *size);

#endif
