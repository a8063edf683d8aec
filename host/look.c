/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See look.h: a look is taken, and becomes a file when it is whole. */
#include <host/look.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that nobody sees until it is whole. */
struct new_file {
    int descriptor;
    char *path; /* where it lies meanwhile; NULL: nowhere */
};

static ompd_host_rc_t refuse_existing(ompd_host_target_t *target, const char *path)
{
    return target_message_set(target, ompd_host_rc_not_permitted,
                              "%s is there already, and nothing is written over: name another file",
                              path);
}

static ompd_host_rc_t fail_to_make(ompd_host_target_t *target, const char *path, int error)
{
    return target_message_set(
        target, error == EACCES || error == EPERM ? ompd_host_rc_not_permitted : ompd_host_rc_error,
        "%s cannot be written: %s", path, strerror(error));
}

/* Make a file in the folder that PATH is in. */
static ompd_host_rc_t make_file(ompd_host_target_t *target, const char *path, struct new_file *file)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *folder = length != 0 ? strndup(path, length) : strdup(".");

    file->path = NULL;
    file->descriptor = folder != NULL ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
    free(folder);
    if (file->descriptor >= 0)
        return ompd_host_rc_ok;
    /* Not all file systems have files without a name. */
    if (asprintf(&file->path, "%s.XXXXXX", path) < 0) {
        file->path = NULL;
        return target_message_set(target, ompd_host_rc_nomem, "no memory to write %s", path);
    }
    file->descriptor = mkostemp(file->path, O_CLOEXEC);
    if (file->descriptor >= 0)
        return ompd_host_rc_ok;
    free(file->path);
    file->path = NULL;
    return fail_to_make(target, path, errno);
}

/* Give FILE, which is whole, the name PATH, unless there is such a file. */
static ompd_host_rc_t name_file(ompd_host_target_t *target, const char *path,
                                const struct new_file *file)
{
    char link[64];
    int result;

    if (file->path != NULL) {
        result = renameat2(AT_FDCWD, file->path, AT_FDCWD, path, RENAME_NOREPLACE);
    } else {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", file->descriptor);
        result = linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
    }
    if (result == 0)
        return ompd_host_rc_ok;
    return errno == EEXIST ? refuse_existing(target, path) : fail_to_make(target, path, errno);
}

/* Write LOOK, of which all is known, with its notes. */
static ompd_host_rc_t write_file(struct look *look, const char *path, const struct note_text *notes,
                                 uint64_t *size)
{
    struct new_file file;
    ompd_host_rc_t rc = make_file(look->target, path, &file);

    if (rc != ompd_host_rc_ok)
        return rc;
    rc = look_write(look, file.descriptor, notes, size);
    if (rc == ompd_host_rc_ok)
        rc = name_file(look->target, path, &file);
    if (file.path != NULL && rc != ompd_host_rc_ok)
        unlink(file.path);
    close(file.descriptor);
    free(file.path);
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
    struct stat status;
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
    if (lstat(path, &status) == 0)
        return refuse_existing(target, path);
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
