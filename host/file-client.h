/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The files of a confined process, which opens none itself: it asks the process that serves it
 * (file-service.h).  It has one thread, and there is one of it: what is kept is the process's.
 */
#ifndef OMPD_HOST_FILE_CLIENT_H
#define OMPD_HOST_FILE_CLIENT_H

#include <host/base.h>
#include <host/file-message.h>

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

#endif
