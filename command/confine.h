/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core is read by a process of its own, which can do nothing else; this one opens its files. */
#ifndef OMPD_COMMAND_CONFINE_H
#define OMPD_COMMAND_CONFINE_H

#include <command/session.h>

/* Who reads a core. */
enum command_reader {
    command_reader_here,  /* this process, as it is */
    command_reader_child, /* this process, which was made for that */
    command_reader_ended  /* another, which has ended by now */
};

/*
 * Begin to read cores of SESSION: COUNT NAMES are paths of what its user has named, cores to be
 * read and files to be written.  Returns twice, to a new process, which is confined, and, once that
 * has ended, to the caller with *STATUS, as waitpid gives it.  Where that cannot be, or is not
 * wanted, it returns once; the user is told why, once.
 */
enum command_reader command_confine(struct command_session *session, const char *const *names,
                                    size_t count, int *status);

/* The same for the command as a whole, with all of its words as names, which ends as the new
 * process does. */
void command_confine_all(struct command_session *session);

/* Say why a process with STATUS has not told all: WHY gets a sentence.  False: it ended of itself.
 * Where what ended it is meant for this process, too, as Ctrl-C is, this one does not return. */
bool command_confine_was_lost(int status, struct text *why);

#endif
