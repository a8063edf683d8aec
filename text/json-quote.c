/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the target as JSON: whatever their bytes are, what comes out is UTF-8, and fit for a
 * terminal. */
#include <text/json.h>
#include <text/utf8.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* How many of BYTES need no change: characters of ASCII other than quotes and controls. */
static size_t plain_size(const unsigned char *bytes)
{
    size_t size = 0;

    while ((unsigned char)(bytes[size] - 0x20) < 0x7f - 0x20 && bytes[size] != '"' &&
           bytes[size] != '\\')
        size++;
    return size;
}

/* Add a quote or a control, of U+0000 to U+00FF, as an escape. */
static void escape(struct text *text, unsigned char character)
{
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (character == '"' || character == '\\')
        text_add(text, "\\%c", character);
    else if (character < sizeof(letters) && letters[character] != 0)
        text_add(text, "\\%c", letters[character]);
    else
        text_add(text, "\\u%04x", character);
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
        if (size == 1 || utf8_is_control((const char *)next, size))
            escape(text, next[size - 1]); /* U+0080 to U+009F are 0xc2 and their own number */
        else if (size == 0)
            text_append(text, REPLACEMENT, sizeof(REPLACEMENT) - 1);
        else
            text_append(text, (const char *)next, size);
        next += size != 0 ? size : 1;
    }
    text_append(text, "\"", 1);
}
