/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-process.h"

#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
#define MODULE_PAGES 3
#define MOST_PARTS 64
/* Of the build folder, where tests run. */
#define PROGRAM "testsuite/fuzz/subject"

/* ---- Files ----------------------------------------------------------------------------------- */

static char folder[64];

static void remove_folder(void)
{
    char command[96];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    if (system(command) != 0)
        perror(folder);
}

const char *small_process_folder(void)
{
    if (folder[0] != '\0')
        return folder;
    /* Beside the program, where code may be run: in many containers that is not so of /dev/shm. */
    strcpy(folder, PROGRAM "-XXXXXX");
    fuzz_require(mkdtemp(folder) != NULL, "no folder can be made");
    atexit(remove_folder);
    return folder;
}

/* Write all memory of SMALL to the file of its module, replacing its contents, and return its path.
 * The module is a part of it, so offsets in the file equal those in memory. */
static const char *write_module(const struct small_target *small)
{
    static char path[96];
    const struct fake_target *target = small->fake;
    int fd;

    snprintf(path, sizeof(path), "%s/libmadeup.so.1", small_process_folder());
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_require(fd >= 0 && write(fd, target->bytes, target->size) == (ssize_t)target->size,
                 "%s cannot be written", path);
    close(fd);
    return path;
}

/* ---- The process ----------------------------------------------------------------------------- */

/* What mmap(2) has for PERMISSIONS. */
static unsigned protection(uint32_t permissions)
{
    return ((permissions & ompd_cl_permission_read) != 0 ? PROT_READ : 0) |
           ((permissions & ompd_cl_permission_write) != 0 ? PROT_WRITE : 0) |
           ((permissions & ompd_cl_permission_execute) != 0 ? PROT_EXEC : 0);
}

/* Write to TEXTS, of SIZE bytes each, the parts that the program is to map; returns their
 * number. */
static size_t describe(const struct small_target *small, char (*texts)[64])
{
    const struct fake_target *target = small->fake;
    uint64_t module = small->objects.text - PAGE;
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    size_t count = 0;

    for (uint64_t at = FAKE_BASE; at < FAKE_BASE + target->size && count < MOST_PARTS;
         at = region.end) {
        bool is_mapped = at >= module && at < module + MODULE_PAGES * PAGE;
        bool is_hole = at >= target->hole_start && at < target->hole_end;
        uint64_t start;
        uint64_t end;

        region = fake_region_at(target, at);
        start = (region.start + PAGE - 1) / PAGE * PAGE;
        end = region.end / PAGE * PAGE;
        if (is_hole || start >= end)
            continue;
        snprintf(texts[count++], sizeof(texts[0]), "%llx:%llx:%x:%x",
                 (unsigned long long)(start - FAKE_BASE), (unsigned long long)(end - start),
                 protection(region.permissions), is_mapped);
    }
    return count;
}

pid_t small_process_start(const struct small_target *small, bool has_gap)
{
    static char parts[MOST_PARTS][64];
    char *words[MOST_PARTS + 5] = {(char *)PROGRAM, (char *)write_module(small)};
    size_t count = describe(small, parts);
    posix_spawn_file_actions_t actions;
    char start[32];
    char gap[64];
    char byte;
    int ends[2];
    pid_t pid;

    snprintf(start, sizeof(start), "%llx", (unsigned long long)FAKE_BASE);
    words[2] = start;
    for (size_t i = 0; i < count; i++)
        words[3 + i] = parts[i];
    snprintf(gap, sizeof(gap), "%llx:%llx:%x:2", (unsigned long long)small->fake->size,
             (unsigned long long)(3 * PAGE), (unsigned)(PROT_READ | PROT_WRITE));
    if (has_gap)
        words[3 + count] = gap;
    fuzz_require(pipe2(ends, O_CLOEXEC) == 0, "no pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    fuzz_require(posix_spawn(&pid, PROGRAM, &actions, NULL, words, environ) == 0,
                 "%s cannot be run", PROGRAM);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    fuzz_require(read(ends[0], &byte, 1) == 1, "%s has failed", PROGRAM);
    close(ends[0]);
    return pid;
}

uint64_t small_process_gap(const struct small_target *small)
{
    return FAKE_BASE + small->fake->size + PAGE;
}

void small_process_end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}
