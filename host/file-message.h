/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a confined process asks of the one that serves it, and what it is told: one message each
 * way, over a connected pair of sockets (SOCK_SEQPACKET).  Both ends are the same program, so that
 * a message is a struct, of which the text is sent as far as it goes.
 */
#ifndef OMPD_HOST_FILE_MESSAGE_H
#define OMPD_HOST_FILE_MESSAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* What is asked of the file that the text names. */
enum file_question {
    file_question_core = 1,   /* open it, a core that the user names, and unpack it */
    file_question_file,       /* open it, by the rules of file.h */
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

#endif
