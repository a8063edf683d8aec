/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compressed cores: unpacked by the tool that is installed for that. */
#include <host/core.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A way of packing: how its files begin, and the tool to unpack them. */
struct packing {
    uint8_t magic[6];
    size_t magic_size;
    const char *tool;
};

static const struct packing packings[] = {
    {{0x1f, 0x8b}, 2, "gzip"},
    {{0xfd, '7', 'z', 'X', 'Z', 0x00}, 6, "xz"},
    {{0x28, 0xb5, 0x2f, 0xfd}, 4, "zstd"},
    {{0x04, 0x22, 0x4d, 0x18}, 4, "lz4"},
};

/* How the file is packed; NULL: it is not. */
static const struct packing *packing_of(int descriptor)
{
    uint8_t magic[sizeof(packings[0].magic)];
    ssize_t size = pread(descriptor, magic, sizeof(magic), 0);

    for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
        if (size >= (ssize_t)packings[i].magic_size &&
            memcmp(magic, packings[i].magic, packings[i].magic_size) == 0)
            return &packings[i];
    }
    return NULL;
}

/* Make a file that has no name: it is gone when it is closed. */
static int make_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int descriptor;

    snprintf(path, sizeof(path), "%s/ompd-opencl-XXXXXX",
             folder != NULL && folder[0] == '/' ? folder : "/var/tmp");
    descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(path);
    return descriptor;
}

/* Let TOOL write to descriptor TO what it unpacks from descriptor FROM.  Returns what errno tells
 * when it cannot be started, else 0; *STATUS is how it ended. */
static int run_tool(const char *tool, int from, int to, int *status)
{
    char *words[] = {(char *)(uintptr_t)tool, (char[]){"-dc"}, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return error;
    posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&pid, tool, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    *status = 0;
    while (error == 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return error;
}

static bool is_full(int descriptor)
{
    struct statvfs room;

    return fstatvfs(descriptor, &room) == 0 && room.f_bavail == 0;
}

ompd_host_rc_t core_unpack(ompd_host_target_t *target)
{
    const struct packing *packing = packing_of(target->core.descriptor);
    int unpacked;
    int status;
    int error;

    if (packing == NULL)
        return ompd_host_rc_ok;
    unpacked = make_file();
    if (unpacked < 0)
        return target_message_set(target, ompd_host_rc_error,
                                  "no temporary file to unpack %s to: %s", target->path,
                                  strerror(errno));
    error = run_tool(packing->tool, target->core.descriptor, unpacked, &status);
    close(target->core.descriptor);
    target->core.descriptor = unpacked;
    if (error != 0)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "%s is compressed, and %s cannot be run: %s", target->path,
                                  packing->tool, strerror(error));
    /* A packed file that is cut off, or damaged, gives what comes before that: a truncated core. */
    if (status != 0 && is_full(unpacked))
        return target_message_set(target, ompd_host_rc_error, "no room to unpack %s; set TMPDIR",
                                  target->path);
    return ompd_host_rc_ok;
}
