/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OWN_MEMORY_BLOCK 65536

/* The last read of own_memory_view; excluded from searches. */
static _Thread_local unsigned char viewed[OWN_MEMORY_VIEW];

const void *own_memory_view(uintptr_t address, size_t size)
{
    return size <= sizeof(viewed) && own_memory_read(address, viewed, size) ? viewed : NULL;
}

bool own_memory_read(uintptr_t address, void *bytes, size_t size)
{
    static int file = -1;

    if (file < 0)
        file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return file >= 0 && pread(file, bytes, size, (off_t)address) == (ssize_t)size;
}

uint64_t own_memory_decode(const unsigned char *bytes, unsigned width)
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

bool own_memory_number(uintptr_t address, unsigned width, uint64_t *number)
{
    unsigned char bytes[8];

    if (!own_memory_read(address, bytes, width))
        return false;
    *number = own_memory_decode(bytes, width);
    return true;
}

static void scan_range(uintptr_t start, uintptr_t end, uintptr_t word,
                       void (*found)(uintptr_t address, void *argument), void *argument)
{
    static uintptr_t words[OWN_MEMORY_BLOCK / sizeof(uintptr_t)];

    for (; start < end; start += OWN_MEMORY_BLOCK) {
        size_t size = end - start < OWN_MEMORY_BLOCK ? end - start : OWN_MEMORY_BLOCK;

        if (!own_memory_read(start, words, size))
            continue;
        for (size_t i = 0; i < size / sizeof(words[0]); i++) {
            uintptr_t address = start + i * sizeof(words[0]);

            if (words[i] == word && address - (uintptr_t)words >= sizeof(words) &&
                address - (uintptr_t)viewed >= sizeof(viewed))
                found(address, argument);
        }
    }
}

void own_memory_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument),
                     void *argument)
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
