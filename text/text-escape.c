/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Escapes texts from others for a terminal: they cannot move its cursor, and different texts
 * look different. */
#include <text/text.h>

/* Add one byte as C writes it. */
static void escape(struct text *text, unsigned char byte)
{
    static const char letters[0x20] = {
        ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
        ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (byte == '\\')
        text_put(text, "\\\\");
    else if (byte < sizeof(letters) && letters[byte] != 0)
        text_add(text, "\\%c", letters[byte]);
    else
        text_add(text, "\\x%02x", byte);
}

/* Add BYTES, escaped except for those in KEPT. */
static void escape_but(struct text *text, const char *bytes, const char *kept)
{
    while (*bytes != '\0') {
        size_t size = utf8_size(bytes);
        bool is_escaped = size == 0 || *bytes == '\\' || utf8_is_unseen(bytes, size);

        is_escaped = is_escaped && strchr(kept, *bytes) == NULL;
        size = size != 0 ? size : 1;
        if (!is_escaped)
            text_append(text, bytes, size);
        for (size_t i = 0; is_escaped && i < size; i++)
            escape(text, (unsigned char)bytes[i]);
        bytes += size;
    }
}

void text_escape(struct text *text, const char *bytes)
{
    escape_but(text, bytes, "");
}

void text_escape_lines(struct text *text, const char *bytes)
{
    escape_but(text, bytes, "\\\n");
}
