/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Preloaded into a program: gives it memory that its core lacks or that cannot be read, as
 * TEST_HOLES says, at its start or when it aborts.
 *
 *   untouched  memory that can be written to and never is, in a range kept free
 *   guard      a page within memory of the program that it cannot touch
 *   reserved   64 GiB of memory of the program, of which it has touched three pages
 *   shared     a file's memory that is shared with who else has it mapped
 *   cut-heap   a core is not to have the heap that brk(2) made
 *   cut-data   a core is not to have memory of no file but the stacks of threads
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEBIBYTE ((size_t)1 << 20)

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13 */
#endif

static bool is_wanted(const char *word)
{
    const char *words = getenv("TEST_HOLES");

    return words != NULL && strstr(words, word) != NULL;
}

static void require(bool is_done, const char *what)
{
    if (is_done)
        return;
    perror(what);
    _exit(77);
}

static char *map(size_t size, int protection)
{
    void *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    require(memory != MAP_FAILED, "mmap");
    return memory;
}

__attribute__((constructor)) static void make_holes(void)
{
    if (is_wanted("untouched")) {
        char *memory = map(4 * MEBIBYTE, PROT_NONE);

        require(mprotect(memory + MEBIBYTE, MEBIBYTE, PROT_READ | PROT_WRITE) == 0, "mprotect");
    }
    if (is_wanted("guard")) {
        char *memory = map(4 * MEBIBYTE, PROT_READ | PROT_WRITE);

        memset(memory, 1, MEBIBYTE);
        require(madvise(memory + MEBIBYTE / 2, 3 * (size_t)getpagesize(), MADV_GUARD_INSTALL) == 0,
                "madvise");
    }
    if (is_wanted("reserved")) {
        size_t size = (size_t)64 << 30;
        char *memory = map(size, PROT_READ | PROT_WRITE);

        memory[0] = memory[size / 2] = memory[size - 1] = 1;
    }
    if (is_wanted("shared")) {
        int file = open("shared", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

        require(file >= 0 && ftruncate(file, (off_t)MEBIBYTE) == 0, "shared");
        require(mmap(NULL, MEBIBYTE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED,
                "mmap");
        close(file);
    }
}

/* Have a core not have [START, END). */
static void cut(uint64_t start, uint64_t end)
{
    madvise((void *)(uintptr_t)start, (size_t)(end - start), MADV_DONTDUMP);
}

/* Cut the mapping of LINE of /proc/self/maps, if it is one to cut. */
static void cut_line(const char *line)
{
    uint64_t start, end, inode;
    char mode[5];
    char name[64] = "";

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64 " %63s", &start, &end, mode,
               &inode, name) < 4 ||
        strcmp(mode, "rw-p") != 0 || inode != 0)
        return;
    if (is_wanted("cut-heap") ? strcmp(name, "[heap]") == 0 : name[0] == '\0' || name[1] == 'h')
        cut(start, end);
}

/* The program's last call. */
void abort(void)
{
    char line[512];
    FILE *maps;

    if (is_wanted("cut")) {
        maps = fopen("/proc/self/maps", "re");
        require(maps != NULL, "/proc/self/maps");
        while (fgets(line, sizeof(line), maps) != NULL)
            cut_line(line);
        fclose(maps);
    }
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    _exit(77);
}
