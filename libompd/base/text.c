/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/base.h"

#include <string.h>

void text_set(ompd_cl_text_t *text, ompd_cl_source_t source, const char *name)
{
    memset(text, 0, sizeof(*text));
    text->status = *name != '\0' ? ompd_cl_status_value : ompd_cl_status_unknown;
    text->source = (uint16_t)source;
    memcpy(text->text, name, strlen(name));
}

void text_set_hexadecimal(ompd_cl_text_t *text, ompd_cl_source_t source, const uint8_t *bytes,
                          size_t size)
{
    static const char digits[] = "0123456789abcdef";
    static const char more[] = "...";
    bool is_cut = 2 * size >= OMPD_CL_TEXT_SIZE;
    size_t shown = is_cut ? (OMPD_CL_TEXT_SIZE - sizeof(more)) / 2 : size;
    char name[OMPD_CL_TEXT_SIZE] = "";

    for (size_t i = 0; i < shown; i++) {
        name[2 * i] = digits[bytes[i] >> 4];
        name[2 * i + 1] = digits[bytes[i] & 15];
    }
    if (is_cut)
        memcpy(name + 2 * shown, more, sizeof(more));
    text_set(text, source, name);
}

const char *text_file_name(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++) {
        if (*path == '/')
            name = path + 1;
    }
    return name;
}
