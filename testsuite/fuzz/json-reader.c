/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "json-reader.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MOST_DEPTH 32

struct reader {
    const char *at;
    const char *end;
};

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static bool in(const char *text, size_t size, size_t i, unsigned least, unsigned most)
{
    return i < size && (unsigned char)text[i] >= least && (unsigned char)text[i] <= most;
}

/* By the table of section 4. */
size_t json_reader_character(const char *text, size_t size)
{
    unsigned first = size == 0 ? 0x80 : (unsigned char)text[0];
    bool has_third = in(text, size, 2, 0x80, 0xbf);

    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return in(text, size, 1, 0x80, 0xbf) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef)
        return has_third &&
                       in(text, size, 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf)
                   ? 3
                   : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return has_third && in(text, size, 3, 0x80, 0xbf) &&
                       in(text, size, 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf)
                   ? 4
                   : 0;
    return 0;
}

static size_t encode(uint32_t character, char *bytes)
{
    if (character < 0x80) {
        bytes[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        bytes[0] = (char)(0xc0 | character >> 6);
        bytes[1] = (char)(0x80 | (character & 0x3f));
        return 2;
    }
    if (character < 0x10000) {
        bytes[0] = (char)(0xe0 | character >> 12);
        bytes[1] = (char)(0x80 | (character >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (character & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | character >> 18);
    bytes[1] = (char)(0x80 | (character >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (character >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (character & 0x3f));
    return 4;
}

/* ---- Strings --------------------------------------------------------------------------------- */

/* The four digits of \uXXXX, or UINT32_MAX if they are not digits. */
static uint32_t unit(struct reader *reader)
{
    uint32_t number = 0;

    if (reader->end - reader->at < 6 || reader->at[0] != '\\' || reader->at[1] != 'u')
        return UINT32_MAX;
    for (int i = 2; i < 6; i++) {
        int c = (unsigned char)reader->at[i];

        if (!isxdigit(c))
            return UINT32_MAX;
        number = number << 4 | (uint32_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    reader->at += 6;
    return number;
}

/* An escape; 0 bytes if it is not one, or half of a pair. */
static size_t escape(struct reader *reader, char *bytes)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char *found;
    uint32_t first;
    uint32_t second;

    if (reader->end - reader->at < 2)
        return 0;
    found = reader->at[1] == '\0' ? NULL : strchr(names, reader->at[1]);
    if (found != NULL) {
        reader->at += 2;
        bytes[0] = meanings[found - names];
        return 1;
    }
    first = unit(reader);
    if (first == UINT32_MAX || (first >= 0xdc00 && first <= 0xdfff))
        return 0;
    if (first < 0xd800 || first > 0xdfff)
        return encode(first, bytes);
    second = unit(reader);
    if (second < 0xdc00 || second > 0xdfff)
        return 0;
    return encode(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), bytes);
}

const char *json_reader_string(const char *text, const char *end, char *bytes, size_t *size)
{
    struct reader reader = {text, end};
    char unused[4];

    *size = 0;
    if (reader.at == end || *reader.at++ != '"')
        return NULL;
    while (reader.at < end && *reader.at != '"') {
        char *to = bytes == NULL ? unused : bytes + *size;
        size_t length;

        if (*reader.at == '\\') {
            length = escape(&reader, to);
        } else {
            length = (unsigned char)*reader.at < 0x20
                         ? 0
                         : json_reader_character(reader.at, (size_t)(end - reader.at));
            memcpy(to, reader.at, length);
            reader.at += length;
        }
        if (length == 0)
            return NULL;
        *size += length;
    }
    return reader.at < end ? reader.at + 1 : NULL;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool value(struct reader *reader, int depth);

static void skip_white(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\0' &&
           strchr(" \t\n\r", *reader->at) != NULL)
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    skip_white(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool string(struct reader *reader)
{
    size_t size;
    const char *next;

    skip_white(reader);
    next = json_reader_string(reader->at, reader->end, NULL, &size);
    if (next != NULL)
        reader->at = next;
    return next != NULL;
}

static size_t digits(struct reader *reader)
{
    const char *first = reader->at;

    while (reader->at < reader->end && isdigit((unsigned char)*reader->at))
        reader->at++;
    return (size_t)(reader->at - first);
}

static bool number(struct reader *reader)
{
    const char *first;

    take(reader, '-');
    first = reader->at;
    if (digits(reader) == 0 || (*first == '0' && reader->at - first > 1))
        return false;
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        if (digits(reader) == 0)
            return false;
    }
    if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
        reader->at++;
        if (reader->at < reader->end && (*reader->at == '+' || *reader->at == '-'))
            reader->at++;
        return digits(reader) != 0;
    }
    return true;
}

/* The contents between brackets, which END closes. */
static bool members(struct reader *reader, char end, int depth)
{
    if (take(reader, end))
        return true;
    do {
        if (end == '}' && (!string(reader) || !take(reader, ':')))
            return false;
        if (!value(reader, depth))
            return false;
    } while (take(reader, ','));
    return take(reader, end);
}

static bool word(struct reader *reader, const char *name)
{
    size_t size = strlen(name);

    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, name, size) != 0)
        return false;
    reader->at += size;
    return true;
}

static bool value(struct reader *reader, int depth)
{
    skip_white(reader);
    if (reader->at == reader->end || depth == MOST_DEPTH)
        return false;
    switch (*reader->at) {
    case '{':
        reader->at++;
        return members(reader, '}', depth + 1);
    case '[':
        reader->at++;
        return members(reader, ']', depth + 1);
    case '"':
        return string(reader);
    default:
        return word(reader, "true") || word(reader, "false") || word(reader, "null") ||
               number(reader);
    }
}

const char *json_reader_value(const char *text, const char *end)
{
    struct reader reader = {text, end};

    if (!value(&reader, 0))
        return NULL;
    skip_white(&reader);
    return reader.at;
}
