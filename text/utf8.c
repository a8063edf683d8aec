/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <text/text.h>

/* RFC 3629 section 3. */
uint32_t utf8_character(const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t character = size == 1 ? bytes[0] : bytes[0] & (0xffu >> (size + 1));

    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return UINT32_MAX;
        character = character << 6 | (bytes[i] & 0x3f);
    }
    return character;
}

size_t utf8_size(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
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
    character = utf8_character(text, size);
    if (character < smallest[size] || character > 0x10ffff ||
        (character >= 0xd800 && character <= 0xdfff))
        return 0;
    return size;
}

/* The Unicode Standard 14.0, 23.2 (Layout Controls) and 23.8 (Specials): these characters make
 * different texts look the same, or a line appear to contain other bytes. */
static bool is_layout_control(uint32_t character)
{
    return character == 0xad || character == 0x61c ||
           (character >= 0x200b && character <= 0x200f) ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0xfeff ||
           (character >= 0xfff9 && character <= 0xfffb) ||
           (character >= 0xe0000 && character <= 0xe007f);
}

bool utf8_is_unseen(const char *text, size_t size)
{
    uint32_t character = size != 0 ? utf8_character(text, size) : ' ';

    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           is_layout_control(character);
}
