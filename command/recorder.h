/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the recorder lies, and what makes programs load it. */
#ifndef OMPD_COMMAND_RECORDER_H
#define OMPD_COMMAND_RECORDER_H

#include <stdbool.h>
#include <text/text.h>

/* The file name of the recorder. */
#define COMMAND_RECORDER "libompd-opencl-recorder.so"

/* Put the path of the recorder that belongs to the command in PATH, of SIZE bytes.  False: there is
 * none, and WHY gets the sentence. */
bool command_recorder_find(char *path, size_t size, struct text *why);

/* Give the recorders, by their names, among the layers that *LAYERS separates by colons: the next
 * one in PATH, of SIZE bytes, and what follows it in *LAYERS.  False: there are no more, and PATH
 * is untouched. */
bool command_recorder_next(const char **layers, char *path, size_t size);

/* Put the recorder, and what it is to record, into the environment of PROGRAM to be.  False: there
 * is no recorder for it, and WHY gets the sentence. */
bool command_recorder_prepare(const char *program, struct text *why);

#endif
