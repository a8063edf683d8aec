/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that are read and made: here, or by another process where this one is confined. */
#ifndef OMPD_HOST_FILES_H
#define OMPD_HOST_FILES_H

#include <host/base/base.h>

#include <limits.h>

/* ---- debuginfod ------------------------------------------------------------------------------ */

/* Files that debuginfod's servers have (DEBUGINFOD_URLS), by their build-ids. */

/* Fetch the ELF file that has the build-id of SIZE BYTES, or with IS_DEBUGINFO its debug
 * information, and open it for reading.  *FOUND, unless FOUND is NULL, gets its path here, owned by
 * the caller (free).  -1: no server has it, or debuginfod's client library is not installed. */
int debuginfod_open(const unsigned char *bytes, size_t size, bool is_debuginfo, char **found);

/* The same of the build-id DIGITS, in hexadecimal. */
int debuginfod_open_digits(const char *digits, bool is_debuginfo, char **found);

/* ---- file-message ---------------------------------------------------------------------------- */

/*
 * What a confined process asks of the one that serves it, and what it is told: one message each
 * way, over a connected pair of sockets (SOCK_SEQPACKET).  Both ends are the same program, so that
 * a message is a struct, of which the text is sent as far as it goes.
 */

/* What is asked of the file that the text names. */
enum file_question {
    file_question_core = 1,   /* open it, a core that the user names, and unpack it */
    file_question_file,       /* open it, by the rules of file.c */
    file_question_below,      /* the same below the system root */
    file_question_executable, /* fetch it from debuginfod; the text is a build-id, in hexadecimal */
    file_question_debuginfo,  /* the same of its debug information */
    file_question_exists,     /* say whether there is such a file, which the user names */
    file_question_make,       /* make a file that is to have this name */
    file_question_name,       /* give it that name */
    file_question_sheet,      /* make a file without a name, to write a graph to */
    file_question_draw,       /* draw the graph that was written there */
    file_question_unconfined, /* none: the text says why the process is not confined */
};

struct file_message {
    /* A question; or its answer: an ompd_host_rc_t for a core, else what errno would be. */
    int32_t what;
    int64_t time;        /* answer, of a core: when it was written; seconds since 1970 */
    char text[PATH_MAX]; /* answer: the path here, or why there is no core or picture */
};

/* Put TEXT into MESSAGE.  False: it is too long. */
bool file_message_set(struct file_message *message, const char *text);

/* Send MESSAGE, with DESCRIPTOR unless that is -1.  False: nobody receives it. */
bool file_message_send(int connection, const struct file_message *message, int descriptor);

/* Wait for a message.  *DESCRIPTOR, unless DESCRIPTOR is NULL, gets what came with it, owned by the
 * caller, or -1.  False: there is none to come, or it makes no sense. */
bool file_message_receive(int connection, struct file_message *message, int *descriptor);

/* ---- file-client ----------------------------------------------------------------------------- */

/*
 * The files of a confined process, which opens none itself: it asks the process that serves it
 * (file-service.c).  It has one thread, and there is one of it: what is kept is the process's.
 */

/* From now on files are asked for over CONNECTION. */
void file_client_begin(int connection);

/* Whether they are. */
bool file_client_is_on(void);

/* Ask QUESTION of TEXT.  Returns the descriptor of a file for reading, owned by the caller; -1:
 * there is none.  *FOUND, unless FOUND is NULL, gets its path, owned by the caller (free), or NULL
 * where there is no memory for it. */
int file_client_open(enum file_question question, const char *text, char **found);

/* The core that is TARGET's path: unpacked in its core.descriptor, with its time. */
ompd_host_rc_t file_client_core_open(ompd_host_target_t *target);

/* Ask QUESTION of a file PATH that is to be written.  Returns 0, or what errno would be.
 * *DESCRIPTOR, unless DESCRIPTOR is NULL, gets the file that was made, owned by the caller. */
int file_client_write(enum file_question question, const char *path, int *descriptor);

/* Have the graph drawn that was written to the file of file_question_sheet.  Returns NULL, and in
 * *DESCRIPTOR a file with the picture, owned by the caller; or why there is none, good until the
 * next call. */
const char *file_client_draw(int *descriptor);

/* ---- file ------------------------------------------------------------------------------------ */

/*
 * Files that a target names.  A core may name anything, a device or a pipe among them, and to open
 * these does something: a file is looked at before it is opened.
 */

/* Open the regular file PATH for reading; -1: it is none, or one that the kernel makes up, such as
 * those of /proc, /sys and /dev, or little but a hole. */
int file_open(const char *path);

/* The same of PATH below the folder ROOT, which no link leads out of.  What is in /lib of one
 * system may be in /usr/lib of another, or of its package: both are looked for.  *FOUND gets its
 * path here, owned by the caller (free), or NULL, which is not to be had. */
int file_open_below(const char *root, const char *path, char **found);

/* The same of PATH as it is here, provided that it leads to below ROOT; NULL: to anywhere. */
int file_open_within(const char *root, const char *path);

/* Whether what DESCRIPTOR is open to lies below the folder ROOT, whatever links led there. */
bool file_is_below(int descriptor, const char *root);

/* ---- layout-check ---------------------------------------------------------------------------- */

/* Whether a text is a layout, and if not, why: the library says so of an address space only. */

/* Make an address space of no target; NULL: there is no memory. */
ompd_address_space_handle_t *layout_check_begin(void);

/* Put in *FAULT one sentence that says why TEXT is no layout, owned by the caller; NULL: it is one.
 * Returns ompd_host_rc_ok or ompd_host_rc_nomem. */
ompd_host_rc_t layout_check(ompd_address_space_handle_t *space, const char *text, size_t size,
                            char **fault);

/* ---- layouts --------------------------------------------------------------------------------- */

/* What a process does before it is confined, as it cannot later. */

/* Read the layouts of this machine, for all later calls.  False: there is no memory. */
bool layouts_keep(void);

/* ---- new-file -------------------------------------------------------------------------------- */

/* A file that nobody sees until it is whole, and that takes no other's place.  A confined process
 * has it made by the one that serves it. */

struct new_file {
    int descriptor; /* for writing */
    char *path;     /* where it lies meanwhile; NULL: it has no name, or another process's */
};

/* Whether there is something called PATH. */
bool new_file_exists(const char *path);

/* Make FILE in the folder that PATH is in.  Returns 0, or what errno tells; then FILE holds
 * nothing. */
int new_file_make(const char *path, struct new_file *file);

/* Give FILE the name PATH, unless that is another's (EEXIST).  Returns 0, or what errno tells. */
int new_file_name(const char *path, struct new_file *file);

/* Write all of SIZE BYTES to DESCRIPTOR.  Returns 0, or what errno tells. */
int new_file_write(int descriptor, const void *bytes, size_t size);

/* Put in SENTENCE, of HOST_MESSAGE_SIZE bytes, why there is no file PATH, which errno would tell as
 * ERROR; returns the code that goes with it. */
ompd_host_rc_t new_file_refuse(const char *path, int error, char *sentence);

/* Give FILE back; what has no name by now is gone. */
void new_file_close(struct new_file *file);

#endif
