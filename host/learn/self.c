/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See self.h. */
#include <host/learn/self.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SELF_BLOCK 65536

bool self_read(uintptr_t address, void *bytes, size_t size)
{
    static int file = -1;

    if (file < 0)
        file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return file >= 0 && pread(file, bytes, size, (off_t)address) == (ssize_t)size;
}

uint64_t self_decode(const unsigned char *bytes, unsigned width)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < width; i++)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        number = number << 8 | bytes[i];
#else
        number |= (uint64_t)bytes[i] << (8 * i);
#endif
    return number;
}

bool self_number(uintptr_t address, unsigned width, uint64_t *number)
{
    unsigned char bytes[8];

    if (!self_read(address, bytes, width))
        return false;
    *number = self_decode(bytes, width);
    return true;
}

static void scan_range(uintptr_t start, uintptr_t end, uintptr_t word,
                       void (*found)(uintptr_t address, void *argument), void *argument)
{
    static uintptr_t words[SELF_BLOCK / sizeof(uintptr_t)];

    for (; start < end; start += SELF_BLOCK) {
        size_t size = end - start < SELF_BLOCK ? end - start : SELF_BLOCK;

        if (!self_read(start, words, size))
            continue;
        for (size_t i = 0; i < size / sizeof(words[0]); i++) {
            uintptr_t address = start + i * sizeof(words[0]);

            if (words[i] == word && address - (uintptr_t)words >= sizeof(words))
                found(address, argument);
        }
    }
}

void self_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument), void *argument)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    unsigned long start;
    unsigned long end;
    char permissions[5];

    if (maps == NULL)
        return;
    while (fgets(line, sizeof(line), maps) != NULL)
        if (sscanf(line, "%lx-%lx %4s", &start, &end, permissions) == 3 &&
            strncmp(permissions, "rw", 2) == 0 && strstr(line, "[stack]") == NULL)
            scan_range(start, end, word, found, argument);
    fclose(maps);
}
