/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core file: open, decompress and parse it. */
#ifndef OMPD_HOST_CORE_H
#define OMPD_HOST_CORE_H

#include <host/base/base.h>

/* Open the core PATH as TARGET, which is new: read its memory, threads and facts. */
ompd_host_rc_t core_open(ompd_host_target_t *target, const char *path);

/* Close the file, if it was opened. */
void core_close(struct core *core);

/* core-file.c: open the core TARGET->path as core.descriptor, decompressed if necessary.  In a
 * confined process, another process does so.  Only the first bytes are read, to see whether it
 * is compressed. */
ompd_host_rc_t core_file_open(ompd_host_target_t *target);

/* core-file.c: map it. */
ompd_host_rc_t core_file_map(ompd_host_target_t *target);

/* core-notes.c: read threads, mapped files and the process from a note segment.  Invalid or
 * truncated notes are skipped. */
ompd_host_rc_t core_notes_read(ompd_host_target_t *target, struct bytes notes);

/* core-extents.c: decide which of the sorted REGIONS have which bytes of the file.  If several
 * claim the same bytes, one gets them.  Large holes become regions of their own.  Returns false
 * if out of memory. */
bool core_extents_settle(const struct core *core, struct region_list *regions);

/* Field offsets in the notes NT_PRSTATUS and NT_PRPSINFO.  <sys/procfs.h> has them only for this
 * machine. */
#define STATUS_LWP_32 24
#define STATUS_LWP_64 32
#define STATUS_REGISTERS_32 72
#define STATUS_REGISTERS_64 112
#define I386_GS (10 * 4) /* in the registers */
#define PROGRAM_NAME_SIZE 16
#define COMMAND_LINE_SIZE 80

/* core-notes.c: read the auxiliary vector. */
void core_vector_read(ompd_host_target_t *target, struct bytes vector);

/* The name of a snapshot's note. */
#define SNAPSHOT_NOTE "OMPD-OPENCL"
#define SNAPSHOT_NOTE_REGIONS 1

/* core-snapshot.c: read such a note.  Returns false if out of memory. */
bool core_snapshot_read(ompd_host_target_t *target, struct bytes contents);

/* core-snapshot.c: apply it to the sorted REGIONS: which parts of the process's memory are not
 * saved, and which regions the saved parts belong to.  Returns false if out of memory. */
bool core_snapshot_put(const struct core *core, struct region_list *regions);

/* core-snapshot.c: a hash of what determines the result of a search: the library and its
 * layouts. */
uint64_t core_snapshot_hash(void);

/* core-facts.c: find the program's path and the host's name, after the core's memory is known. */
ompd_host_rc_t core_facts_find(ompd_host_target_t *target);

/* core-report.c: if core.descriptor is a crash report of apport, replace it by an unnamed file with
 * the core in it, which is compressed. */
ompd_host_rc_t core_report_unpack(ompd_host_target_t *target);

/* core-unpack.c: create an unnamed file, which vanishes when it is closed.  Returns -1 with errno
 * on failure. */
int core_unnamed_file_make(void);

/* core-unpack.c: if core.descriptor is compressed, replace it by an unnamed file with the
 * decompressed data. */
ompd_host_rc_t core_unpack(ompd_host_target_t *target);

/* core-facts.c: up to SIZE bytes at ADDRESS or after it that are saved in one region. */
struct bytes core_saved(const ompd_host_target_t *target, uint64_t address, size_t size);

/* core-notes.c: sort the mapped files, and shorten later ones that overlap. */
void core_files_sort(struct core *core);

#endif
