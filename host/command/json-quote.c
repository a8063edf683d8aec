/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the target as JSON: whatever their bytes are, what comes out is UTF-8. */
#include <host/command/json.h>

#include <stdint.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The value of a character of SIZE bytes (RFC 3629 section 3); UINT32_MAX: these are none. */
static uint32_t character_of(const unsigned char *bytes, size_t size)
{
    uint32_t character = size == 1 ? bytes[0] : bytes[0] & (0xffu >> (size + 1));

    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return UINT32_MAX;
        character = character << 6 | (bytes[i] & 0x3f);
    }
    return character;
}

/* How many bytes the character at BYTES has; 0: they are no UTF-8. */
static size_t character_size(const unsigned char *bytes)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size;
    uint32_t character;

    if (bytes[0] < 0x80)
        return 1;
    if (bytes[0] >= 0xf0)
        size = bytes[0] < 0xf8 ? 4 : 0;
    else if (bytes[0] >= 0xe0)
        size = 3;
    else
        size = bytes[0] >= 0xc0 ? 2 : 0;
    if (size == 0)
        return 0;
    character = character_of(bytes, size);
    if (character < smallest[size] || character > 0x10ffff ||
        (character >= 0xd800 && character <= 0xdfff))
        return 0;
    return size;
}

/* How many of BYTES need no change: characters of ASCII other than quotes and controls. */
static size_t plain_size(const unsigned char *bytes)
{
    size_t size = 0;

    while (bytes[size] >= 0x20 && bytes[size] < 0x80 && bytes[size] != '"' && bytes[size] != '\\')
        size++;
    return size;
}

/* Add a quote or control as an escape. */
static void escape(struct command_text *text, unsigned char byte)
{
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (byte >= 0x20)
        command_text_add(text, "\\%c", byte);
    else if (letters[byte] != 0)
        command_text_add(text, "\\%c", letters[byte]);
    else
        command_text_add(text, "\\u%04x", byte);
}

void command_json_quote(struct command_text *text, const char *bytes)
{
    const unsigned char *next = (const unsigned char *)bytes;

    command_text_append(text, "\"", 1);
    while (*next != '\0') {
        size_t plain = plain_size(next);
        size_t size;

        command_text_append(text, (const char *)next, plain);
        next += plain;
        if (*next == '\0')
            break;
        size = character_size(next);
        if (size == 1)
            escape(text, *next);
        else if (size == 0)
            command_text_append(text, REPLACEMENT, sizeof(REPLACEMENT) - 1);
        else
            command_text_append(text, (const char *)next, size);
        next += size != 0 ? size : 1;
    }
    command_text_append(text, "\"", 1);
}
