/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A process with the memory of a small target, for fuzz-processes.c, and little else: it maps what
 * it is told, says so with a byte, and waits for its end.
 * usage: subject FILE START PART...
 *
 * A PART is OFFSET:SIZE:PERMISSIONS:MAPPED in hexadecimal: so many bytes of FILE, at START plus
 * OFFSET, with permissions as of mmap(2), and whether they are mapped or copied.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

struct part {
    unsigned long offset;
    unsigned long size;
    unsigned permissions;
    unsigned is_mapped;
};

static void map(int fd, unsigned long start, const struct part *part)
{
    int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (part->is_mapped ? 0 : MAP_ANONYMOUS);
    int permissions = part->is_mapped ? (int)part->permissions : PROT_READ | PROT_WRITE;
    void *place = (void *)(start + part->offset); // NOLINT(performance-no-int-to-ptr)
    void *memory = mmap(place, part->size, permissions, flags, part->is_mapped ? fd : -1,
                        part->is_mapped ? (off_t)part->offset : 0);

    if (memory != place)
        exit(EXIT_FAILURE);
    if (part->is_mapped)
        return;
    if (pread(fd, memory, part->size, (off_t)part->offset) != (ssize_t)part->size ||
        mprotect(memory, part->size, (int)part->permissions) != 0)
        exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    struct part part;
    int fd = argc < 3 ? -1 : open(argv[1], O_RDONLY | O_CLOEXEC);

    if (fd < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return EXIT_FAILURE;
    for (int i = 3; i < argc; i++) {
        if (sscanf(argv[i], "%lx:%lx:%x:%x", &part.offset, &part.size, &part.permissions,
                   &part.is_mapped) != 4)
            return EXIT_FAILURE;
        map(fd, strtoul(argv[2], NULL, 16), &part);
    }
    if (write(STDOUT_FILENO, "", 1) != 1)
        return EXIT_FAILURE;
    while (1)
        pause();
}
