/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See snapshot.h: collect a snapshot and write it to a file when it is complete. */
#include <host/snapshot/snapshot.h>

#include <errno.h>
#include <host/files/files.h>
#include <stdlib.h>
#include <string.h>

/* Report that PATH could not be created (ERROR, an errno). */
static ompd_host_rc_t fail_to_make(ompd_host_target_t *target, const char *path, int error)
{
    char sentence[HOST_MESSAGE_SIZE];
    ompd_host_rc_t rc = new_file_refuse(path, error, sentence);

    return target_message_set(target, rc, "%s", sentence);
}

/* Write SNAPSHOT, which is complete, with its notes. */
static ompd_host_rc_t snapshot_file_write(struct snapshot *snapshot, const char *path,
                                          const struct note_text *notes, uint64_t *size)
{
    struct new_file file;
    int error = new_file_make(path, &file);
    ompd_host_rc_t rc;

    if (error != 0)
        return fail_to_make(snapshot->target, path, error);
    rc = snapshot_write(snapshot, file.descriptor, notes, size);
    error = rc == ompd_host_rc_ok ? new_file_name(path, &file) : 0;
    if (error != 0)
        rc = fail_to_make(snapshot->target, path, error);
    new_file_close(&file);
    return rc;
}

/* Remove the contents of buffers from what is saved, except words that are handles. */
static void leave_out_buffers(struct snapshot *snapshot)
{
    ranges_settle(&snapshot->buffers);
    ranges_settle(&snapshot->saved);
    ranges_subtract(&snapshot->saved, &snapshot->buffers);
    for (size_t i = 0; i < snapshot->words.count; i++)
        ranges_add(&snapshot->saved, snapshot->words.items[i].start,
                   snapshot->words.items[i].end - snapshot->words.items[i].start);
    ranges_settle(&snapshot->saved);
}

/* Collect everything to save, and save it. */
static ompd_host_rc_t snapshot_save(struct snapshot *snapshot, const char *path, uint64_t *size)
{
    struct note_text notes = {0};
    ompd_host_rc_t rc = snapshot_ask(snapshot);

    if (rc == ompd_host_rc_ok)
        rc = snapshot_find_words(snapshot);
    if (rc == ompd_host_rc_ok)
        rc = snapshot_notes_make(snapshot->target, &notes);
    if (rc == ompd_host_rc_ok)
        rc = snapshot_add_parts(snapshot);
    if (rc == ompd_host_rc_ok) {
        leave_out_buffers(snapshot);
        snapshot->is_short |=
            snapshot->saved.is_short || snapshot->buffers.is_short || snapshot->words.is_short;
        rc = snapshot->is_short
                 ? target_message_set(snapshot->target, ompd_host_rc_nomem, "out of memory")
                 : snapshot_file_write(snapshot, path, &notes, size);
    }
    free(notes.bytes);
    return rc;
}

PUBLIC ompd_host_rc_t ompd_host_snapshot_save(ompd_host_target_t *target, const char *path,
                                              uint64_t *size)
{
    struct snapshot snapshot = {.target = target};
    uint64_t written = 0;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (path == NULL || path[0] == '\0')
        return target_message_set(target, ompd_host_rc_bad_input, "no file name was given");
    if (target_is_running(target))
        return target_message_set(target, ompd_host_rc_not_permitted,
                                  "process %d is running; stop it to save a snapshot",
                                  (int)target->pid);
    if (new_file_exists(path))
        return fail_to_make(target, path, EEXIST);
    target->reads = &snapshot.saved;
    rc = snapshot_save(&snapshot, path, &written);
    target->reads = NULL;
    ranges_free(&snapshot.saved);
    ranges_free(&snapshot.buffers);
    ranges_free(&snapshot.words);
    free(snapshot.handles);
    if (rc != ompd_host_rc_ok)
        return rc;
    if (size != NULL)
        *size = written;
    return target_message_clear(target);
}
