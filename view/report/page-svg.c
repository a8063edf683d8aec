/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pictures in pages. They come from a program that the front end has run. A page may contain
 * only what Graphviz draws with, and nothing that refers to anything or runs. */
#include <view/report/report.h>

#include <string.h>

#define NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:-_"
#define BLANKS " \t\r\n"

static bool svg_is_among(const char *const *names, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

static bool is_element(const char *name, size_t length)
{
    static const char *const names[] = {"svg",  "g",       "title", "polygon", "polyline",
                                        "path", "ellipse", "text",  "tspan"};

    return svg_is_among(names, sizeof(names) / sizeof(names[0]), name, length);
}

static bool is_attribute(const char *name, size_t length)
{
    static const char *const names[] = {"class",
                                        "cx",
                                        "cy",
                                        "d",
                                        "fill",
                                        "fill-opacity",
                                        "height",
                                        "id",
                                        "font-family",
                                        "font-size",
                                        "font-style",
                                        "points",
                                        "font-weight",
                                        "rx",
                                        "ry",
                                        "stroke",
                                        "viewBox",
                                        "text-anchor",
                                        "transform",
                                        "stroke-dasharray",
                                        "stroke-width",
                                        "width",
                                        "x",
                                        "xmlns",
                                        "xmlns:xlink",
                                        "y",
                                        "version",
                                        "xml:space",
                                        "stroke-opacity"};

    return svg_is_among(names, sizeof(names) / sizeof(names[0]), name, length);
}

/* The text after the attribute at AT and its value. NULL if it is not allowed. */
static const char *skip_attribute(const char *at)
{
    size_t length = strspn(at, NAME);
    const char *end;

    if (!is_attribute(at, length) || at[length] != '=' || at[length + 1] != '"')
        return NULL;
    at += length + 2;
    end = strchr(at, '"');
    /* Only url() makes a value refer to something. */
    for (const char *value = at; end != NULL && value < end; value++)
        if (*value == '<' || (*value == '(' && value - at >= 3 && memcmp(value - 3, "url", 3) == 0))
            return NULL;
    return end != NULL ? end + 1 : NULL;
}

/* The text after the tag at AT, which begins with "<". *DEPTH counts open elements. NULL if it
 * is not allowed. */
static const char *skip_tag(const char *at, size_t *depth)
{
    bool is_end = at[1] == '/';
    const char *name = at + 1 + is_end;
    size_t length = strspn(name, NAME);

    if (!is_element(name, length))
        return NULL;
    at = name + length;
    for (at += strspn(at, BLANKS); !is_end && *at != '>' && *at != '/'; at += strspn(at, BLANKS)) {
        at = skip_attribute(at);
        if (at == NULL)
            return NULL;
    }
    if (is_end && (*depth)-- == 0)
        return NULL;
    if (!is_end && *at != '/')
        (*depth)++;
    at += !is_end && *at == '/';
    return *at == '>' ? at + 1 : NULL;
}

/* The text after the comment at AT. NULL if it is not a comment or does not end. */
static const char *skip_comment(const char *at)
{
    const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at + 4, "-->") : NULL;

    return end != NULL ? end + 3 : NULL;
}

const char *view_svg_find(const char *picture, size_t *size)
{
    const char *start = strstr(picture, "<svg");
    const char *at = start;
    size_t depth = 0;

    while (at != NULL) {
        at = *at == '<' && at[1] == '!' ? skip_comment(at) : skip_tag(at, &depth);
        if (at == NULL)
            return NULL;
        if (depth == 0) {
            *size = (size_t)(at - start);
            return at[strspn(at, BLANKS)] == '\0' ? start : NULL;
        }
        at = strchr(at, '<');
    }
    return NULL;
}
