/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compressed cores: unpacked by the tool that is installed for that. */
#include <host/core.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define TELL_TIME 100 /* milliseconds, between what the caller is told */

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

/* Tell the caller that DONE of the core's SIZE bytes are unpacked.  False: it is to end. */
static bool tell(const ompd_host_target_t *target, off_t done, off_t size)
{
    return target->progress == NULL || done < 0 || done > size ||
           target->progress(target->progress_user_ptr, ompd_host_work_unpack, (uint64_t)done,
                            (uint64_t)size);
}

/* Tell of what PID has read until it ends.  False: the caller has ended it. */
static bool watch(const ompd_host_target_t *target, pid_t pid, off_t size)
{
    struct pollfd end = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    bool goes_on = tell(target, 0, size);

    /* Its input is our descriptor, with one position in the file for both. */
    while (goes_on && end.fd >= 0 && poll(&end, 1, TELL_TIME) == 0)
        goes_on = tell(target, lseek(target->core.descriptor, 0, SEEK_CUR), size);
    if (!goes_on)
        kill(pid, SIGKILL);
    if (end.fd >= 0)
        close(end.fd);
    return goes_on;
}

/* Let TOOL write to descriptor TO what it unpacks.  Returns what errno tells when it cannot be
 * started, ECANCELED when the caller has ended it, else 0; *STATUS is how it ended. */
static int run_tool(const ompd_host_target_t *target, const char *tool, int to, int *status)
{
    char *words[] = {(char *)(uintptr_t)tool, (char[]){"-dc"}, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int error = posix_spawn_file_actions_init(&actions);
    bool goes_on = true;
    struct stat file;

    if (error != 0)
        return error;
    posix_spawn_file_actions_adddup2(&actions, target->core.descriptor, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&pid, tool, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    *status = 0;
    if (error != 0)
        return error;
    if (target->progress != NULL && fstat(target->core.descriptor, &file) == 0)
        goes_on = watch(target, pid, file.st_size);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return goes_on ? 0 : ECANCELED;
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
    error = run_tool(target, packing->tool, unpacked, &status);
    close(target->core.descriptor);
    target->core.descriptor = unpacked;
    if (error == ECANCELED)
        return target_message_set(target, ompd_host_rc_cancelled, "unpacking %s was cancelled",
                                  target->path);
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
