/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <string.h>

#define LONG 48 /* columns; longer names lose their template arguments */

#define LEFT_OUT "<...>"

static bool ends_with(const char *name, size_t length, const char *end)
{
    size_t size = strlen(end);

    return length >= size && strncmp(name + length - size, end, size) == 0;
}

/* The length of NAME without what may follow the parameters. */
static size_t without_qualifiers(const char *name)
{
    static const char *const qualifiers[] = {" const", " volatile", " &", " &&"};
    size_t length = strlen(name);
    bool is_found = true;

    while (is_found) {
        is_found = false;
        for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++)
            if (ends_with(name, length, qualifiers[i])) {
                length -= strlen(qualifiers[i]);
                is_found = true;
            }
    }
    return length;
}

size_t view_function_length(const char *name)
{
    size_t whole = strlen(name);
    size_t at = without_qualifiers(name);
    size_t depth = 0;

    if (at == 0 || name[at - 1] != ')')
        return whole;
    do {
        at--;
        depth += name[at] == ')';
        depth -= name[at] == '(';
    } while (at > 0 && depth != 0);
    return at == 0 || ends_with(name, at, "operator") ? whole : at;
}

/* The end of the template arguments that begin at AT among the LENGTH bytes of NAME. AT if none
 * begin there, as in "operator<" and in Rust's "<T as Trait>::f", or if they do not end. */
static size_t arguments_end(const char *name, size_t length, size_t at)
{
    size_t depth = 0;

    if (name[at] != '<' || at == 0 || name[at - 1] == ' ' || name[at - 1] == '<' ||
        ends_with(name, at, "operator"))
        return at;
    for (size_t i = at; i < length; i++) {
        depth += name[i] == '<';
        depth -= name[i] == '>' && name[i - 1] != '-';
        if (depth == 0)
            return i + 1;
    }
    return at;
}

void view_function_name(const char *name, bool has_line, struct text *text)
{
    size_t length = has_line ? view_function_length(name) : strlen(name);
    bool is_long = text_part_width(name, length) > LONG;
    struct text shown = {0};

    for (size_t at = 0, end; at < length; at = end) {
        end = is_long ? arguments_end(name, length, at) : at;
        if (end - at > strlen(LEFT_OUT)) {
            text_put(&shown, LEFT_OUT);
        } else {
            end = end > at ? end : at + 1;
            text_append(&shown, name + at, end - at);
        }
    }
    text_escape(text, text_get(&shown));
    text_free(&shown);
}

const char *view_function_last(const char *place)
{
    const char *last = place;
    int depth = 0;

    for (const char *at = place; *at != '\0'; at++) {
        if (depth == 0 && strncmp(at, " at ", strlen(" at ")) == 0)
            return last;
        depth += *at == '<' || *at == '(' || *at == '{';
        depth -=
            ((*at == '>' && at != place && at[-1] != '-') || *at == ')' || *at == '}') && depth > 0;
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            last = at + strlen("::");
    }
    return place;
}
