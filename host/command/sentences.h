/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sentences around the tables. */
#ifndef OMPD_HOST_COMMAND_SENTENCES_H
#define OMPD_HOST_COMMAND_SENTENCES_H

#include <host/command/rows.h>

/* Add "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>". */
void command_object_header(struct command_session *session, const struct command_row *row,
                           struct command_text *text);

/* Add "2 destructor callbacks, in call order".  TOLD is how many the row of their object says: it
 * may not know of any. */
void command_destructor_count(uint64_t count, struct command_value told, struct command_text *text);

/* Add what happens to the object ROW once its CALLBACKS have run; nothing when there is nothing to
 * say. */
void command_after_destructors(struct command_session *session, const struct command_row *row,
                               const struct command_rows *callbacks, struct command_text *text);

/* Add "Portable Computing Language 3.1+debian (OpenCL 3.0)". */
void command_platform_describe(const char *name, const char *version, struct command_text *text);

/* Add "1 SVM free is enqueued".  PLURAL NULL: SINGULAR and an "s". */
void command_are_add(struct command_text *text, uint64_t count, const char *singular,
                     const char *plural, const char *what);

/* Add a state or kind in words: "waits for events", "SVM frees"; "?" when it is not known. */
void command_words_add(const struct command_row *row, const char *field, struct command_text *text);

#endif
