/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See style.h. */
#include <host/command/style.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void command_style_write(struct command_session *session, const char *style, const char *text)
{
    bool is_blank = text[strspn(text, " ")] == '\0';

    if (!session->has_colour || style[0] == '\0' || is_blank)
        fputs(text, session->output);
    else
        fprintf(session->output, "\033[%sm%s\033[m", style, text);
}

bool command_style_is_wanted(FILE *file)
{
    const char *terminal = getenv("TERM");

    return isatty(fileno(file)) == 1 && getenv("NO_COLOR") == NULL && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}
