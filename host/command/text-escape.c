/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that others chose, made fit for a terminal: neither do they move its cursor, nor do two of
 * them look the same. */
#include <host/command/character.h>
#include <host/command/text.h>

/* Add one byte as C writes it. */
static void escape(struct command_text *text, unsigned char byte)
{
    static const char letters[0x20] = {
        ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
        ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r',
    };

    if (byte == '\\')
        command_text_add(text, "\\\\");
    else if (byte < sizeof(letters) && letters[byte] != 0)
        command_text_add(text, "\\%c", letters[byte]);
    else
        command_text_add(text, "\\x%02x", byte);
}

void command_text_escape(struct command_text *text, const char *bytes)
{
    while (*bytes != '\0') {
        size_t size = command_character_size(bytes);
        bool is_escaped = size == 0 || *bytes == '\\' || command_character_is_control(bytes, size);

        size = size != 0 ? size : 1;
        if (!is_escaped)
            command_text_append(text, bytes, size);
        for (size_t i = 0; is_escaped && i < size; i++)
            escape(text, (unsigned char)bytes[i]);
        bytes += size;
    }
}
