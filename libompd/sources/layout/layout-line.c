/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of a layout as lines of words, whatever it contains. */
#include "sources/layout/layout.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* The number of bytes from FIRST that form one UTF-8 character allowed in a line; 0: none. */
static size_t character_length(const char *first, const char *end)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)*first;
    size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : 4;
    uint32_t character = lead & (0x7f >> length);

    if (length == 1)
        return (lead >= 0x20 && lead != 0x7f) || is_blank(*first) ? 1 : 0;
    if ((length == 4 && lead >> 3 != 30) || (size_t)(end - first) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)first[i] & 0xc0) != 0x80)
            return 0;
        character = character << 6 | ((unsigned char)first[i] & 0x3f);
    }
    if (character < least[length] || character > 0x10ffff ||
        (character >= 0xd800 && character <= 0xdfff))
        return 0;
    /* The controls of ISO 6429's second set. */
    return character < 0xa0 ? 0 : length;
}

static bool is_readable(struct word line)
{
    const char *end = line.start + line.length;
    size_t length;

    for (const char *at = line.start; at < end; at += length) {
        length = character_length(at, end);
        if (length == 0)
            return false;
    }
    return true;
}

/* Split the next line off TEXT. */
static struct word split_off_line(struct layout_text *text)
{
    size_t left = (size_t)(text->end - text->rest);
    const char *newline = memchr(text->rest, '\n', left);
    struct word line = {text->rest, newline != NULL ? (size_t)(newline - text->rest) : left};

    text->rest = newline != NULL ? newline + 1 : text->end;
    text->line++;
    return line;
}

/* Leave out the comment of LINE and the blanks about the rest. */
static void trim_line(struct word *line)
{
    for (size_t i = 0; i < line->length; i++) {
        if (line->start[i] == '#' && (i == 0 || is_blank(line->start[i - 1])))
            line->length = i;
    }
    while (line->length != 0 && is_blank(line->start[line->length - 1]))
        line->length--;
    while (line->length != 0 && is_blank(*line->start)) {
        line->start++;
        line->length--;
    }
}

/* Split LINE, which was trimmed, into words.  Words past the room for them stay part of the tail.
 */
static void split_line(struct layout_text *text, struct word line)
{
    const char *end = line.start + line.length;
    const char *at = line.start;

    text->word_count = 0;
    text->tail = (struct word){end, 0};
    while (at < end && text->word_count < LAYOUT_LINE_WORDS) {
        struct word *word = &text->words[text->word_count++];

        word->start = at;
        while (at < end && !is_blank(*at))
            at++;
        word->length = (size_t)(at - word->start);
        while (at < end && is_blank(*at))
            at++;
        if (text->word_count == 1)
            text->tail = (struct word){at, (size_t)(end - at)};
    }
}

ompd_rc_t layout_text_next(struct layout_text *text)
{
    text->word_count = 0;
    while (text->rest < text->end && text->word_count == 0) {
        struct word line = split_off_line(text);

        if (line.length > LAYOUT_LINE_SIZE)
            return layout_text_fail(text, "the line is longer than 600 bytes.");
        if (!is_readable(line))
            return layout_text_fail(text, "the line is not UTF-8 text.");
        trim_line(&line);
        split_line(text, line);
    }
    return ompd_rc_ok;
}

static void begin_line_message(struct layout_text *text)
{
    message_clear(text->message);
    message_add(text->message, "line ");
    message_add_decimal(text->message, text->line != 0 ? text->line : 1);
    message_add(text->message, ": ");
}

/* A sentence has room for so much of a word. */
#define QUOTE_SIZE 40

ompd_rc_t layout_text_refuse(struct layout_text *text, const char *before, struct word word,
                             const char *after)
{
    char quote[QUOTE_SIZE + 1];
    size_t length = word.length < QUOTE_SIZE ? word.length : QUOTE_SIZE;

    /* Not in the midst of a character. */
    while (length < word.length && length != 0 &&
           ((unsigned char)word.start[length] & 0xc0) == 0x80)
        length--;
    memcpy(quote, word.start, length);
    quote[length] = '\0';
    begin_line_message(text);
    message_add(text->message, before);
    message_add(text->message, "\"");
    message_add(text->message, quote);
    message_add(text->message, length < word.length ? "...\"" : "\"");
    message_add(text->message, after);
    return ompd_rc_bad_input;
}

ompd_rc_t layout_text_fail(struct layout_text *text, const char *reason)
{
    begin_line_message(text);
    message_add(text->message, reason);
    return ompd_rc_bad_input;
}

bool word_is(struct word word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.start, name, word.length) == 0;
}

static unsigned digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (unsigned)(digit - '0');
    if (digit >= 'a' && digit <= 'f')
        return (unsigned)(digit - 'a') + 10;
    if (digit >= 'A' && digit <= 'F')
        return (unsigned)(digit - 'A') + 10;
    return 16;
}

bool word_unsigned(struct word word, uint64_t least, uint64_t most, uint64_t *number)
{
    bool is_hexadecimal = word.length > 2 && word.start[0] == '0' && word.start[1] == 'x';
    unsigned base = is_hexadecimal ? 16 : 10;
    uint64_t value = 0;

    if (word.length == 0)
        return false;
    for (size_t i = is_hexadecimal ? 2 : 0; i < word.length; i++) {
        unsigned digit = digit_value(word.start[i]);

        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    if (value < least || value > most)
        return false;
    *number = value;
    return true;
}

bool word_signed(struct word word, int32_t least, int32_t most, int32_t *number)
{
    bool is_negative = word.length != 0 && *word.start == '-';
    uint64_t size;
    int64_t value;

    if (is_negative) {
        word.start++;
        word.length--;
    }
    if (!word_unsigned(word, 0, INT32_MAX, &size))
        return false;
    value = is_negative ? -(int64_t)size : (int64_t)size;
    if (value < least || value > most)
        return false;
    *number = (int32_t)value;
    return true;
}

bool word_byte(struct word word, uint8_t *byte)
{
    unsigned high = word.length == 2 ? digit_value(word.start[0]) : 16;
    unsigned low = word.length == 2 ? digit_value(word.start[1]) : 16;

    if (high > 15 || low > 15)
        return false;
    *byte = (uint8_t)(high << 4 | low);
    return true;
}

bool word_split(struct word *word, char separator, struct word *head)
{
    const char *found = word->length != 0 ? memchr(word->start, separator, word->length) : NULL;

    *head = *word;
    if (found == NULL)
        return false;
    head->length = (size_t)(found - word->start);
    word->start = found + 1;
    word->length -= head->length + 1;
    return true;
}
