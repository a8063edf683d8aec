/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a process that reads a core tells this one, rather than the user: a text of a fixed size. */
#ifndef OMPD_COMMAND_RECORD_FILE_H
#define OMPD_COMMAND_RECORD_FILE_H

#include <stdbool.h>

/* From now on what is written to the standard output, by this process or by ones that it makes, is
 * kept.  False, with errno: it is not. */
bool command_record_begin(void);

/* No longer: what was written is in RECORD, COMMAND_RECORD bytes of it at most and a NUL. */
void command_record_end(char *record);

#endif
