/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <stdbool.h>

#define LONGEST 4096 /* bytes to parse */
#define RUST_HASH 19 /* length of "::h" and 16 digits */

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The length of the word "operator" and what belongs to it, if it is at AT within NAME;
 * otherwise 0. */
static size_t operator_size(const char *name, const char *at)
{
    static const char word[] = "operator";
    static const char *const signs[] = {"()", "<<=", "<=>", "<<", "<=", "->*", "->", "<"};
    size_t size = strlen(word);

    if (!begins_with(at, word) || (at != name && at[-1] != ':' && at[-1] != ' '))
        return 0;
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (begins_with(at + size, signs[i]))
            return size + strlen(signs[i]);
    /* "operator new[]", "operator bool" */
    if (at[size] == ' ')
        return size + 1 + strcspn(at + size + 1, "(<");
    return 0;
}

/* The number of bytes from the bracket at AT to the closing one. */
static size_t bracket_size(const char *at)
{
    size_t depth = 0;
    size_t size = 0;

    do {
        char byte = at[size++];
        bool is_arrow = byte == '>' && size > 1 && at[size - 2] == '-';

        depth += byte == '<' || byte == '(' || byte == '{' || byte == '[';
        depth -= (byte == '>' && !is_arrow) || byte == ')' || byte == '}' || byte == ']';
    } while (depth != 0 && at[size] != '\0');
    return size;
}

/* Whether the suffix of a compiler's clone begins at AT. */
static bool is_clone(const char *at)
{
    static const char *const words[] = {".constprop.", ".isra.",      ".part.", ".cold",
                                        ".lto_priv.",  ".localalias", ".llvm.", " [clone"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (begins_with(at, words[i]))
            return true;
    return false;
}

/* Whether the function's name ends before AT in NAME. */
static bool is_end(const char *name, const char *at)
{
    return (at[0] == '(' && !begins_with(at, "(anonymous namespace)")) || at - name >= LONGEST ||
           is_clone(at);
}

/* Remove Rust's hash from the end of TEXT, after FIRST. */
static void cut_hash(struct text *text, size_t first)
{
    char *hash;

    if (text->length - first <= RUST_HASH)
        return;
    hash = text->bytes + text->length - RUST_HASH;
    if (!begins_with(hash, "::h") || strspn(hash + 3, "0123456789abcdef") != RUST_HASH - 3)
        return;
    *hash = '\0';
    text->length -= RUST_HASH;
}

/* Remove what TEXT has from FIRST on: it was the return type. */
static void return_type_remove(struct text *text, size_t first)
{
    text->length = first;
    text->bytes[first] = '\0';
}

/* Add the piece at AT within NAME.  Returns its length. */
static size_t add_piece(const char *name, const char *at, size_t first, struct text *text)
{
    size_t size = operator_size(name, at);

    if (size == 0 && (at[0] == '(' || at[0] == '{'))
        size = bracket_size(at);
    if (size == 0 && at[0] == '<' && at != name) {
        text_put(text, "<T>");
        return bracket_size(at);
    }
    if (size == 0 && at[0] == ' ') {
        /* "operator< <int>" */
        if (at[1] != '<')
            return_type_remove(text, first);
        return 1;
    }
    size = size != 0 ? size : 1;
    text_append(text, at, size);
    return size;
}

void command_function_name_add(const char *name, struct text *text)
{
    size_t first = text->length;

    text_put(text, "");
    for (const char *at = name; *at != '\0' && !is_end(name, at);)
        at += add_piece(name, at, first, text);
    cut_hash(text, first);
}
