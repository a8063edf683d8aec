/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A process with the memory of a small target, for fuzz-processes.c. It maps the parts in its
 * arguments, writes a byte, and waits for its end.
 * usage: subject FILE START PART...
 *
 * A PART is OFFSET:SIZE:PERMISSIONS:KIND in hexadecimal. It maps SIZE bytes at START plus OFFSET,
 * with permissions as in mmap(2): of FILE, copied (0) or mapped (1), or anonymous, with the second
 * third unreadable (2).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Of Linux since 6.13, in glibc's headers later. */
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { copied, mapped, guarded };

struct part {
    unsigned long offset;
    unsigned long size;
    unsigned permissions;
    unsigned kind;
};

/* Make memory unreadable: unmap it if the kernel has no guards. */
static void guard(char *memory, size_t size)
{
    if (madvise(memory, size, MADV_GUARD_INSTALL) != 0 && munmap(memory, size) != 0)
        exit(EXIT_FAILURE);
}

static void map(int fd, unsigned long start, const struct part *part)
{
    bool is_mapped = part->kind == mapped;
    int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (is_mapped ? 0 : MAP_ANONYMOUS);
    int permissions = is_mapped ? (int)part->permissions : PROT_READ | PROT_WRITE;
    void *place = (void *)(start + part->offset); // NOLINT(performance-no-int-to-ptr)
    void *memory = mmap(place, part->size, permissions, flags, is_mapped ? fd : -1,
                        is_mapped ? (off_t)part->offset : 0);

    if (memory != place)
        exit(EXIT_FAILURE);
    if (part->kind == guarded)
        guard((char *)memory + part->size / 3, part->size / 3);
    if (part->kind != copied)
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
                   &part.kind) != 4)
            return EXIT_FAILURE;
        map(fd, strtoul(argv[2], NULL, 16), &part);
    }
    if (write(STDOUT_FILENO, "", 1) != 1)
        return EXIT_FAILURE;
    while (1)
        pause();
}
