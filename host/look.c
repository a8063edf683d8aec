/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See look.h: a look is taken, and becomes a file when it is whole. */
#include <host/look.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <host/new-file.h>

/* Keep that there is no file PATH, which errno would tell as ERROR. */
static ompd_host_rc_t fail_to_make(ompd_host_target_t *target, const char *path, int error)
{
    char sentence[HOST_MESSAGE_SIZE];
    ompd_host_rc_t rc = new_file_refuse(path, error, sentence);

    return target_message_set(target, rc, "%s", sentence);
}

/* Write LOOK, of which all is known, with its notes. */
static ompd_host_rc_t write_file(struct look *look, const char *path, const struct note_text *notes,
                                 uint64_t *size)
{
    struct new_file file;
    int error = new_file_make(path, &file);
    ompd_host_rc_t rc;

    if (error != 0)
        return fail_to_make(look->target, path, error);
    rc = look_write(look, file.descriptor, notes, size);
    error = rc == ompd_host_rc_ok ? new_file_name(path, &file) : 0;
    if (error != 0)
        rc = fail_to_make(look->target, path, error);
    new_file_close(&file);
    return rc;
}

/* Take what is in buffers out of what is saved, but for words that are handles. */
static void leave_out_buffers(struct look *look)
{
    ranges_settle(&look->buffers);
    ranges_settle(&look->saved);
    ranges_subtract(&look->saved, &look->buffers);
    for (size_t i = 0; i < look->words.count; i++)
        ranges_add(&look->saved, look->words.items[i].start,
                   look->words.items[i].end - look->words.items[i].start);
    ranges_settle(&look->saved);
}

/* Find all that is to be saved, and save it. */
static ompd_host_rc_t save(struct look *look, const char *path, uint64_t *size)
{
    struct note_text notes = {0};
    ompd_host_rc_t rc = look_ask(look);

    if (rc == ompd_host_rc_ok)
        rc = look_find_words(look);
    if (rc == ompd_host_rc_ok)
        rc = look_notes_make(look->target, &notes);
    if (rc == ompd_host_rc_ok)
        rc = look_add_parts(look);
    if (rc == ompd_host_rc_ok) {
        leave_out_buffers(look);
        look->is_short |= look->saved.is_short || look->buffers.is_short || look->words.is_short;
        rc = look->is_short ? target_message_set(look->target, ompd_host_rc_nomem,
                                                 "no memory for all that is to be saved")
                            : write_file(look, path, &notes, size);
    }
    free(notes.bytes);
    return rc;
}

PUBLIC ompd_host_rc_t ompd_host_look_save(ompd_host_target_t *target, const char *path,
                                          uint64_t *size)
{
    struct look look = {.target = target};
    uint64_t written = 0;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (path == NULL || path[0] == '\0')
        return target_message_set(target, ompd_host_rc_bad_input, "no file is named");
    if (target_is_running(target))
        return target_message_set(target, ompd_host_rc_not_permitted,
                                  "process %d is running, and a look is of one moment: let it be "
                                  "stopped",
                                  (int)target->pid);
    if (new_file_exists(path))
        return fail_to_make(target, path, EEXIST);
    rc = save(&look, path, &written);
    ranges_free(&look.saved);
    ranges_free(&look.buffers);
    ranges_free(&look.words);
    free(look.handles);
    if (rc != ompd_host_rc_ok)
        return rc;
    if (size != NULL)
        *size = written;
    return target_message_clear(target);
}
