/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A file that a command writes through the front end.  It is not there yet: none is written over.
 */
#ifndef OMPD_VIEW_NEW_FILE_H
#define OMPD_VIEW_NEW_FILE_H

#include <view/view.h>

/* Begin a file that is to be called PATH, write SIZE bytes to it, and end it: it gets its name
 * where IS_WHOLE.  False: the command has failed. */
bool view_new_file_begin(ompd_view_t *view, const char *path);
bool view_new_file_write(ompd_view_t *view, const void *bytes, size_t size);
bool view_new_file_end(ompd_view_t *view, bool is_whole);

/* End the file of a command that ended where its memory did, if it has one. */
void view_new_file_drop(ompd_view_t *view);

#endif
