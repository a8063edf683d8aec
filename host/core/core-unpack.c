/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decompress cores with installed tools. */
#include <host/core/core.h>

#include <errno.h>
#include <fcntl.h>
#include <host/base/bound.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TELL_TIME 100 /* milliseconds between progress reports */

extern char **environ;

/* A compression format: the first bytes of its files, and the tool. */
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

/* The compression format of the file; NULL: uncompressed. */
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

int core_unnamed_file_make(void)
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

/* Report that DONE of the core's SIZE bytes are decompressed.  Returns false to cancel. */
static bool unpack_progress_report(const ompd_host_target_t *target, off_t done, off_t size)
{
    return target->progress == NULL || done < 0 || done > size ||
           target->progress(target->progress_user_ptr, ompd_host_work_unpack, (uint64_t)done,
                            (uint64_t)size);
}

/* The result of decompression. */
enum outcome { unpacked_all, cancelled, too_large, no_room };

/* Debuggers save much memory that was never written to: so many zeros count as one byte. */
#define ZEROS_PER_BYTE 16

/* A file being written. */
struct output {
    int descriptor;
    uint64_t size; /* bytes so far */
    uint64_t room; /* bytes that may follow */
};

static bool is_zero(const uint8_t *bytes, size_t count)
{
    return count != 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Write COUNT BYTES; zeros become a hole in the file. */
static enum outcome write_block(struct output *output, const uint8_t *bytes, size_t count)
{
    bool is_hole = is_zero(bytes, count);
    uint64_t cost = is_hole ? count / ZEROS_PER_BYTE : count;

    if (cost > output->room)
        return too_large;
    output->room -= cost;
    for (size_t done = is_hole ? count : 0; done < count;) {
        ssize_t written =
            pwrite(output->descriptor, bytes + done, count - done, (off_t)(output->size + done));

        if (written < 0 && errno != EINTR)
            return no_room;
        done += written > 0 ? (size_t)written : 0;
    }
    output->size += count;
    return unpacked_all;
}

/* Copy data FROM a pipe to OUTPUT, with occasional progress reports. */
static enum outcome write_all(const ompd_host_target_t *target, int from, struct output *output)
{
    static const size_t block_size = 65536; /* capacity of a pipe; a multiple of a page */
    uint8_t *block = malloc(block_size);
    enum outcome outcome = block != NULL ? unpacked_all : no_room;
    struct stat packed = {0};
    size_t filled = 0;
    off_t done = 0;

    fstat(target->core.descriptor, &packed);
    while (outcome == unpacked_all) {
        struct pollfd input = {.fd = from, .events = POLLIN};
        ssize_t count;
        off_t at;

        if (!unpack_progress_report(target, done, packed.st_size))
            outcome = cancelled;
        /* The tool reads our descriptor, so its file position is shared. */
        at = lseek(target->core.descriptor, 0, SEEK_CUR);
        if (at > done)
            done = at;
        if (outcome == unpacked_all && poll(&input, 1, TELL_TIME) > 0) {
            count = read(from, block + filled, block_size - filled);
            if (count == 0 || (count < 0 && errno != EINTR))
                break;
            filled += count > 0 ? (size_t)count : 0;
            if (filled == block_size) {
                outcome = write_block(output, block, filled);
                filled = 0;
            }
        }
    }
    if (outcome == unpacked_all)
        outcome = write_block(output, block, filled);
    free(block);
    /* Trailing zeros become a hole, too. */
    if (outcome == unpacked_all && ftruncate(output->descriptor, (off_t)output->size) != 0)
        outcome = no_room;
    return outcome;
}

/* Start TOOL, which reads the core and writes decompressed data to *FROM.  If this program ends,
 * the pipe breaks and TOOL ends, too.  Returns 0, or an errno if it cannot be started. */
static int start_tool(const ompd_host_target_t *target, const char *tool, pid_t *pid, int *from)
{
    char *words[] = {(char *)(uintptr_t)tool, (char[]){"-dc"}, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    int error;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        posix_spawn_file_actions_adddup2(&actions, target->core.descriptor, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        error = posix_spawnp(pid, tool, &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (error != 0)
        close(ends[0]);
    *from = ends[0];
    return error;
}

/* Decompress to OUTPUT with TOOL.  Returns 0, or an errno if it cannot be started. */
static int run_tool(const ompd_host_target_t *target, const char *tool, struct output *output,
                    enum outcome *outcome)
{
    pid_t pid;
    int from = -1;
    int error = start_tool(target, tool, &pid, &from);

    if (error != 0)
        return error;
    *outcome = write_all(target, from, output);
    close(from);
    if (*outcome != unpacked_all)
        kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return 0;
}

ompd_host_rc_t core_unpack(ompd_host_target_t *target)
{
    const struct packing *packing = packing_of(target->core.descriptor);
    enum outcome outcome = unpacked_all;
    struct output output = {0};
    struct stat packed;
    int error;

    if (packing == NULL || fstat(target->core.descriptor, &packed) != 0)
        return ompd_host_rc_ok;
    output.room = bound_bytes((uint64_t)packed.st_size);
    output.descriptor = core_unnamed_file_make();
    if (output.descriptor < 0)
        return target_message_set(target, ompd_host_rc_error,
                                  "cannot create a temporary file to unpack '%s': %s", target->path,
                                  strerror(errno));
    error = run_tool(target, packing->tool, &output, &outcome);
    /* There is no further progress after this. */
    if (outcome != cancelled && !unpack_progress_report(target, packed.st_size, packed.st_size))
        outcome = cancelled;
    close(target->core.descriptor);
    target->core.descriptor = output.descriptor;
    if (error != 0)
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "cannot unpack '%s': cannot run %s: %s", target->path,
                                  packing->tool, strerror(error));
    switch (outcome) {
    case cancelled:
        return target_message_set(target, ompd_host_rc_cancelled, "unpacking '%s' was cancelled",
                                  target->path);
    case too_large:
        return target_message_set(target, ompd_host_rc_not_readable,
                                  "'%s' unpacks to more than %llu times its size; if that is "
                                  "expected, unpack it first: %s -d",
                                  target->path, (unsigned long long)BOUND_FACTOR, packing->tool);
    case no_room:
        return target_message_set(target, ompd_host_rc_error,
                                  "not enough disk space to unpack '%s'; set TMPDIR", target->path);
    /* A truncated or damaged file yields what precedes the damage: a truncated core. */
    case unpacked_all:
        break;
    }
    return ompd_host_rc_ok;
}
