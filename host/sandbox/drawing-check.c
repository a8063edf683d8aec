/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which DOT is drawn.  A confined process requests drawings, and a core may control what it does.
 * DOT can name images and fonts for dot to open, and text in a language of its own.
 */
#include <host/sandbox/sandbox.h>

#include <string.h>

#define WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

/* Whether an attribute affects only the appearance. */
static bool is_harmless(const char *name, size_t length)
{
    static const char *const names[] = {
        "arrowsize", "class",   "dir",     "fontname", "fontsize", "height", "label",
        "margin",    "nodesep", "rankdir", "ranksep",  "shape",    "style",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

/* The length of the quoted text at AT.  0: it does not end, or it contains control characters or
 * escapes other than for a quote, a backslash or a newline. */
static size_t quoted_length(const char *at)
{
    size_t length = 1;

    while (at[length] != '"') {
        if ((unsigned char)at[length] < ' ')
            return 0;
        if (at[length] == '\\' && strchr("\"\\n", at[++length]) == NULL)
            return 0;
        if (at[length] == '\0')
            return 0;
        length++;
    }
    return length + 1;
}

/* The length of the word at AT; 0: it names an unknown attribute. */
static size_t word_length(const char *at)
{
    size_t length = strspn(at, WORD);
    size_t blanks = strspn(at + length, " \n");

    return at[length + blanks] != '=' || is_harmless(at, length) ? length : 0;
}

bool drawing_is_plain(const char *graph)
{
    const char *at = graph;

    if (strlen(graph) > DRAWING_GRAPH_SIZE)
        return false;
    while (*at != '\0') {
        size_t length = 1;

        if (*at == '"')
            length = quoted_length(at);
        else if (strncmp(at, "->", 2) == 0)
            length = 2;
        else if (strchr(WORD, *at) != NULL)
            length = word_length(at);
        else if (strchr(" \n{}[]=,;", *at) == NULL)
            return false;
        /* A quoted text may be the name of an attribute, too. */
        if (length == 0 || (*at == '"' && at[length + strspn(at + length, " \n")] == '='))
            return false;
        at += length;
    }
    return true;
}
