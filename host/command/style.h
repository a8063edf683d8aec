/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Colour on a terminal; the text is the same without. */
#ifndef OMPD_HOST_COMMAND_STYLE_H
#define OMPD_HOST_COMMAND_STYLE_H

#include <host/command/session.h>

/* Colours of terminals, as GDB has them. */
#define COMMAND_STYLE_NONE ""
#define COMMAND_STYLE_TITLE "1"
#define COMMAND_STYLE_ADDRESS "34"
#define COMMAND_STYLE_FUNCTION "33"
#define COMMAND_STYLE_NOTE "2"

/* Write TEXT in a style; TEXT itself when colour is off or there is nothing to paint. */
void command_style_write(struct command_session *session, const char *style, const char *text);

/* Whether FILE is a terminal that shows colour, and the user wants it (NO_COLOR). */
bool command_style_is_wanted(FILE *file);

#endif
