/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/elf/elf.h>

#include <gelf.h>
#include <stdint.h>
#include <string.h>

/* Whether TEXT begins and ends within the SIZE bytes at START. */
static bool ends_within(const char *text, const void *start, size_t size)
{
    uintptr_t at = (uintptr_t)text - (uintptr_t)start;

    return start != NULL && at < size && memchr(text, '\0', size - at) != NULL;
}

bool elf_text_ends(Elf *elf, const char *text)
{
    size_t size = 0;
    const char *file = elf != NULL ? elf_rawfile(elf, &size) : NULL;

    return ends_within(text, file, size);
}

bool elf_debug_text_ends(Elf *elf, const char *text)
{
    Elf_Scn *section = NULL;

    if (elf == NULL || elf_text_ends(elf, text))
        return elf != NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const Elf_Data *data = NULL;

        /* After libdw has decompressed a section, its header no longer says that it was
         * compressed. */
        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_PROGBITS &&
            (header.sh_flags & SHF_COMPRESSED) == 0)
            data = elf_getdata(section, NULL);
        if (data != NULL && ends_within(text, data->d_buf, data->d_size))
            return true;
    }
    return false;
}
