/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that are read and written here, or by another process if this one is confined. */
#ifndef OMPD_HOST_FILES_H
#define OMPD_HOST_FILES_H

#include <host/base/base.h>

#include <limits.h>

/* ---- debuginfod ------------------------------------------------------------------------------ */

/* Files from debuginfod servers (DEBUGINFOD_URLS), by build-id. */

/* Download and open the ELF file with the build-id of SIZE BYTES, or its debug information if
 * IS_DEBUGINFO.  *FOUND, unless FOUND is NULL, receives its path, owned by the caller (free).
 * -1: no server has it, or debuginfod's client library is not installed. */
int debuginfod_open(const unsigned char *bytes, size_t size, bool is_debuginfo, char **found);

/* The same for the hexadecimal build-id DIGITS. */
int debuginfod_open_digits(const char *digits, bool is_debuginfo, char **found);

/* ---- file-message ---------------------------------------------------------------------------- */

/*
 * Messages between a confined process and the one that serves it: one question and one answer over
 * a connected pair of sockets (SOCK_SEQPACKET).  Both ends are the same program, so a message is a
 * struct, truncated after its text.
 */

/* Questions about the file that the text names. */
enum file_question {
    file_question_core = 1,   /* open it and decompress it: a core that the user names */
    file_question_file,       /* open it, according to the rules of file.c */
    file_question_below,      /* the same below the system root */
    file_question_executable, /* download it from debuginfod; the text is a hexadecimal build-id */
    file_question_debuginfo,  /* the same for its debug information */
    file_question_exists,     /* does the file exist? the user names it */
    file_question_make,       /* create a file that will have this name */
    file_question_name,       /* give it that name */
    file_question_sheet,      /* create an unnamed file for a graph */
    file_question_draw,       /* draw the graph in that file */
    file_question_unconfined, /* not a question: why the process is not confined */
};

struct file_message {
    /* A question; or its answer: an ompd_host_rc_t for a core, otherwise an errno. */
    int32_t what;
    int64_t time;        /* answer, for a core: when it was written; seconds since 1970 */
    char text[PATH_MAX]; /* answer: the path here, or why there is no core or picture */
};

/* Put TEXT into MESSAGE.  Returns false if it is too long. */
bool file_message_set(struct file_message *message, const char *text);

/* Send MESSAGE, with DESCRIPTOR unless that is -1.  Returns false if nobody receives it. */
bool file_message_send(int connection, const struct file_message *message, int descriptor);

/* Wait for a message.  *DESCRIPTOR, unless DESCRIPTOR is NULL, receives the descriptor that came
 * with it, owned by the caller, or -1.  Returns false at the end or if the message is invalid. */
bool file_message_receive(int connection, struct file_message *message, int *descriptor);

/* ---- file-client ----------------------------------------------------------------------------- */

/*
 * The files of a confined process, which requests them from the serving process (file-service.c).
 * A confined process has one thread, so static variables hold the state.
 */

/* Request files over CONNECTION from now on. */
void file_client_begin(int connection);

/* Whether files are requested from another process. */
bool file_client_is_on(void);

/* Send QUESTION with TEXT.  Returns the descriptor of a file for reading, owned by the caller,
 * or -1.  *FOUND, unless FOUND is NULL, receives its path, owned by the caller (free), or NULL
 * if out of memory. */
int file_client_open(enum file_question question, const char *text, char **found);

/* Request TARGET's core, decompressed, as its core.descriptor, with its time. */
ompd_host_rc_t file_client_core_open(ompd_host_target_t *target);

/* Send QUESTION about a file PATH to be written.  Returns 0 or an errno.  *DESCRIPTOR, unless
 * DESCRIPTOR is NULL, receives the created file, owned by the caller. */
int file_client_write(enum file_question question, const char *path, int *descriptor);

/* Request a drawing of the graph that was written to the file of file_question_sheet.  Returns
 * NULL, with a file that contains the picture in *DESCRIPTOR, owned by the caller; otherwise the
 * reason, valid until the next call. */
const char *file_client_draw(int *descriptor);

/* ---- file ------------------------------------------------------------------------------------ */

/*
 * Files that a target names.  A core may name anything, including devices and pipes, whose opening
 * has side effects.  So files are checked before they are opened.
 */

/* Open the regular file PATH for reading.  Returns -1 if it is not a regular file, if the kernel
 * generates it (as in /proc, /sys and /dev), or if it is mostly a hole. */
int file_open(const char *path);

/* The same for PATH below the folder ROOT, which links cannot leave.  A file in /lib of one
 * system may be in /usr/lib of another: both are tried.  *FOUND receives its path here, owned by
 * the caller (free), or NULL if unknown. */
int file_open_below(const char *root, const char *path, char **found);

/* The same for PATH on this machine, if it leads below ROOT; NULL: anywhere. */
int file_open_within(const char *root, const char *path);

/* Whether the file at DESCRIPTOR is below the folder ROOT, after links were resolved. */
bool file_is_below(int descriptor, const char *root);

/* ---- layout-check ---------------------------------------------------------------------------- */

/* Checks whether a text is a layout.  The library reports faults only for an address space. */

/* Create an address space without a target; NULL: out of memory. */
ompd_address_space_handle_t *layout_check_begin(void);

/* Put a sentence that explains why TEXT is not a layout in *FAULT, owned by the caller; NULL: it
 * is one.  Returns ompd_host_rc_ok or ompd_host_rc_nomem. */
ompd_host_rc_t layout_check(ompd_address_space_handle_t *space, const char *text, size_t size,
                            char **fault);

/* ---- layouts --------------------------------------------------------------------------------- */

/* Work that must be done before a process is confined. */

/* Read the layouts of this machine for all later calls.  Returns false if out of memory. */
bool layouts_preload(void);

/* ---- new-file -------------------------------------------------------------------------------- */

/* A file that is invisible until it is complete, and never replaces another.  For a confined
 * process, the serving process creates it. */

struct new_file {
    int descriptor; /* for writing */
    char *path;     /* its temporary path; NULL: unnamed, or another process's */
};

/* Whether PATH exists. */
bool new_file_exists(const char *path);

/* Create FILE in the folder of PATH.  Returns 0 or an errno; on failure FILE needs no cleanup. */
int new_file_make(const char *path, struct new_file *file);

/* Give FILE the name PATH, unless that exists (EEXIST).  Returns 0 or an errno. */
int new_file_name(const char *path, struct new_file *file);

/* Write all SIZE BYTES to DESCRIPTOR.  Returns 0 or an errno. */
int new_file_write(int descriptor, const void *bytes, size_t size);

/* Put a sentence that explains why PATH could not be created (ERROR, an errno) in SENTENCE, of
 * HOST_MESSAGE_SIZE bytes.  Returns the corresponding code. */
ompd_host_rc_t new_file_refuse(const char *path, int error, char *sentence);

/* Free FILE; if it has no name by now, it vanishes. */
void new_file_close(struct new_file *file);

#endif
