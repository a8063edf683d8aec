/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the target as JSON: whatever bytes they have, the output is UTF-8 and safe for a
 * terminal. */
#include <text/json.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* How many of BYTES need no change: ASCII characters other than quotes and controls. */
static size_t plain_size(const unsigned char *bytes)
{
    size_t size = 0;

    while ((unsigned char)(bytes[size] - 0x20) < 0x7f - 0x20 && bytes[size] != '"' &&
           bytes[size] != '\\')
        size++;
    return size;
}

/* Add CHARACTER as an escape: RFC 8259 section 7. */
static void escape(struct text *text, uint32_t character)
{
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (character == '"' || character == '\\')
        text_add(text, "\\%c", (int)character);
    else if (character < sizeof(letters) && letters[character] != 0)
        text_add(text, "\\%c", letters[character]);
    else if (character < 0x10000)
        text_add(text, "\\u%04x", (unsigned)character);
    else
        text_add(text, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (character >> 10)),
                 (unsigned)(0xdc00 | (character & 0x3ff)));
}

void json_quote(struct text *text, const char *bytes)
{
    const unsigned char *next = (const unsigned char *)bytes;

    text_append(text, "\"", 1);
    while (*next != '\0') {
        size_t plain = plain_size(next);
        size_t size;

        text_append(text, (const char *)next, plain);
        next += plain;
        if (*next == '\0')
            break;
        size = utf8_size((const char *)next);
        if (size == 1 || utf8_is_unseen((const char *)next, size))
            escape(text, utf8_character((const char *)next, size));
        else if (size == 0)
            text_append(text, REPLACEMENT, sizeof(REPLACEMENT) - 1);
        else
            text_append(text, (const char *)next, size);
        next += size != 0 ? size : 1;
    }
    text_append(text, "\"", 1);
}
