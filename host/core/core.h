/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core file: opened, unpacked, taken apart. */
#ifndef OMPD_HOST_CORE_H
#define OMPD_HOST_CORE_H

#include <host/base/base.h>

/* Open the core PATH as TARGET, which is new: its memory, its threads and what it says of itself.
 */
ompd_host_rc_t core_open(ompd_host_target_t *target, const char *path);

/* Give back the file; nothing when it was never opened. */
void core_close(struct core *core);

/* core-file.c: open the core that is TARGET's path, unpacked where it is compressed, as its
 * core.descriptor; a confined process has another do it.  Nothing in it is looked at but what tells
 * how it is packed. */
ompd_host_rc_t core_file_open(ompd_host_target_t *target);

/* core-file.c: map it. */
ompd_host_rc_t core_file_map(ompd_host_target_t *target);

/* core-notes.c: learn what a segment of notes says of threads, mapped files and the process.  Notes
 * that make no sense, or are cut off, are passed over. */
ompd_host_rc_t core_notes_read(ompd_host_target_t *target, struct bytes notes);

/* core-extents.c: settle what REGIONS, sorted, have of the file: of those that claim the same bytes
 * one alone has them, and large holes are regions of their own.  False: there is no memory.
 */
bool core_extents_settle(const struct core *core, struct region_list *regions);

/* Where the fields lie in the notes NT_PRSTATUS and NT_PRPSINFO.  <sys/procfs.h> has them for the
 * machine that this is built for alone. */
#define STATUS_LWP_32 24
#define STATUS_LWP_64 32
#define STATUS_REGISTERS_32 72
#define STATUS_REGISTERS_64 112
#define I386_GS (10 * 4) /* in the registers */
#define PROGRAM_NAME_SIZE 16
#define COMMAND_LINE_SIZE 80

/* core-notes.c: learn what the auxiliary vector says. */
void core_vector_read(ompd_host_target_t *target, struct bytes vector);

/* The note that a snapshot has. */
#define SNAPSHOT_NOTE "OMPD-OPENCL"
#define SNAPSHOT_NOTE_REGIONS 1

/* core-snapshot.c: keep what such a note says.  False: there is no memory. */
bool core_snapshot_read(ompd_host_target_t *target, struct bytes contents);

/* core-snapshot.c: tell REGIONS, sorted, what that was: which parts of the process's memory are not
 * saved, and what those that are belong to.  False: there is no memory. */
bool core_snapshot_put(const struct core *core, struct region_list *regions);

/* core-snapshot.c: a number for what a search finds, which depends on the library and on the
 * layouts that it has. */
uint64_t core_snapshot_hash(void);

/* core-facts.c: find the program's path and the host's name, when the core's memory is known. */
ompd_host_rc_t core_facts_find(ompd_host_target_t *target);

/* core-unpack.c: put the contents of core.descriptor, when it is compressed, in a file without a
 * name that takes its place. */
ompd_host_rc_t core_unpack(ompd_host_target_t *target);

/* core-facts.c: how many of SIZE bytes that end at or after ADDRESS are saved in one region. */
struct bytes core_saved(const ompd_host_target_t *target, uint64_t address, size_t size);

/* core-notes.c: sort the mapped files, and cut what overlaps from the later one. */
void core_files_sort(struct core *core);

#endif
