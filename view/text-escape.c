/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that others chose, made fit for a terminal: neither do they move its cursor, nor do two of
 * them look the same. */
#include <view/text.h>
#include <view/utf8.h>

/* Add one byte as C writes it. */
static void escape(struct view_text *text, unsigned char byte)
{
    static const char letters[0x20] = {
        ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
        ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (byte == '\\')
        view_text_put(text, "\\\\");
    else if (byte < sizeof(letters) && letters[byte] != 0)
        view_text_add(text, "\\%c", letters[byte]);
    else
        view_text_add(text, "\\x%02x", byte);
}

void view_text_escape(struct view_text *text, const char *bytes)
{
    while (*bytes != '\0') {
        size_t size = view_utf8_size(bytes);
        bool is_escaped = size == 0 || *bytes == '\\' || view_utf8_is_control(bytes, size);

        size = size != 0 ? size : 1;
        if (!is_escaped)
            view_text_append(text, bytes, size);
        for (size_t i = 0; is_escaped && i < size; i++)
            escape(text, (unsigned char)bytes[i]);
        bytes += size;
    }
}
