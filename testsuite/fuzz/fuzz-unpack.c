/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compressed cores, unpacked by the installed tools.  The result is the packed core, or the file is
 * refused.  It takes no more disk space than allowed, and the tool ends with the call. */
#include "fuzz.h"
#include "process-cost.h"
#include "small-packed.h"

#include <host/base/bound.h>
#include <host/core/core.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The faults, as bits of a number of the input. */
enum { no_folder = 1, no_tool = 2, no_room = 4 };

#define LITTLE_ROOM 8192  /* bytes that a file may have then */
#define BLOCK 65536       /* bytes */
#define ZEROS_PER_BYTE 16 /* as host/core/core-unpack.c counts them */
#define MARGIN (1 << 20)  /* bytes between what surely is taken and what surely is not */

struct progress {
    unsigned left; /* calls until it ends the work; 0: never */
    bool has_ended;
};

static bool tell(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole)
{
    struct progress *progress = user_ptr;

    fuzz_require(work == ompd_host_work_unpack && done <= whole, "%llu of %llu bytes",
                 (unsigned long long)done, (unsigned long long)whole);
    if (progress->left == 1)
        progress->has_ended = true;
    if (progress->left != 0)
        progress->left--;
    return !progress->has_ended;
}

/* ---- Unpacked contents ----------------------------------------------------------------------- */

/* What the pieces of PACKED take of the disk: zeros take little. */
static uint64_t cost_of(const struct packed *packed)
{
    uint64_t cost = 0;

    for (size_t i = 0; i < packed->piece_count; i++) {
        const struct packed_piece *piece = &packed->pieces[i];

        cost +=
            piece->bytes == NULL && piece->byte == 0 ? piece->count / ZEROS_PER_BYTE : piece->count;
    }
    return cost;
}

/* The next COUNT bytes of the file are those of PIECE. */
static void check_piece(FILE *file, const struct packed_piece *piece)
{
    static uint8_t found[BLOCK];
    static uint8_t wanted[BLOCK];

    for (uint32_t done = 0; done < piece->count;) {
        size_t count = piece->count - done < BLOCK ? piece->count - done : BLOCK;

        if (piece->bytes != NULL)
            memcpy(wanted, piece->bytes + done, count);
        else
            memset(wanted, piece->byte, count);
        fuzz_require(fread(found, 1, count, file) == count && memcmp(found, wanted, count) == 0,
                     "a core is unpacked to other bytes than were packed");
        done += (uint32_t)count;
    }
}

static void check_contents(int descriptor, const struct packed *packed)
{
    int copy = dup(descriptor);
    FILE *file;

    lseek(copy, 0, SEEK_SET);
    file = fdopen(copy, "r");
    for (size_t i = 0; i < packed->piece_count; i++)
        check_piece(file, &packed->pieces[i]);
    fuzz_require(fgetc(file) == EOF, "a core is unpacked to more than was packed");
    fclose(file);
}

/* ---- What the call leaves -------------------------------------------------------------------- */

/* The file that TARGET has now takes no more of the disk than PACKED may. */
static void check_disk(const ompd_host_target_t *target, const struct packed *packed)
{
    uint64_t bound = bound_bytes(packed->size);
    struct stat status;

    fuzz_require(fstat(target->core.descriptor, &status) == 0, "there is no file");
    fuzz_require((uint64_t)status.st_blocks * 512 <= bound + BLOCK &&
                     (uint64_t)status.st_size <= bound * ZEROS_PER_BYTE,
                 "%zu bytes are unpacked to %lld, which take %lld", packed->size,
                 (long long)status.st_size, (long long)status.st_blocks * 512);
}

static void check_answer(const ompd_host_target_t *target, ompd_host_rc_t rc,
                         const struct packed *packed, unsigned amiss,
                         const struct progress *progress)
{
    bool is_refused = strstr(target->message, "cannot be run") != NULL;

    fuzz_require((rc == ompd_host_rc_ok) == (target->message[0] == '\0'), "%d has the message %s",
                 (int)rc, target->message);
    if (packed->is_damaged || is_refused)
        return;
    if ((amiss & no_folder) != 0)
        fuzz_require(rc == ompd_host_rc_error, "unpacked to nowhere: %d", (int)rc);
    else if (progress->has_ended)
        fuzz_require(rc == ompd_host_rc_cancelled, "it was not cancelled: %d", (int)rc);
    else if ((amiss & no_tool) != 0)
        fuzz_require(rc == ompd_host_rc_not_readable, "unpacked by nothing: %d", (int)rc);
    else if (cost_of(packed) > bound_bytes(packed->size) + MARGIN && (amiss & no_room) == 0)
        fuzz_require(rc == ompd_host_rc_not_readable, "too large a core is unpacked: %d", (int)rc);
    else if (cost_of(packed) + MARGIN < bound_bytes(packed->size) && amiss == 0)
        fuzz_require(rc == ompd_host_rc_ok, "a sane core is not unpacked: %s", target->message);
    if (rc == ompd_host_rc_ok)
        check_contents(target->core.descriptor, packed);
}

/* ---- The input ------------------------------------------------------------------------------- */

/* Apply the faults in AMISS, or undo them. */
static void set_amiss(unsigned amiss)
{
    static char path[4096];
    struct rlimit limit;

    if (path[0] == '\0') {
        snprintf(path, sizeof(path), "%s", getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin");
        signal(SIGXFSZ, SIG_IGN);
    }
    setenv("PATH", (amiss & no_tool) != 0 ? "/nonexistent" : path, 1);
    setenv("TMPDIR",
           (amiss & no_folder) != 0        ? "/nonexistent"
           : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                           : "/tmp",
           1);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = (amiss & no_room) != 0 ? LITTLE_ROOM : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static int open_packed(const struct packed *packed)
{
    int descriptor = memfd_create("packed", MFD_CLOEXEC);

    fuzz_require(write(descriptor, packed->bytes, packed->size) == (ssize_t)packed->size &&
                     lseek(descriptor, 0, SEEK_SET) == 0,
                 "the packed core is not written");
    return descriptor;
}

static void unpack(const struct packed *packed, const uint8_t *head)
{
    struct progress progress = {.left = head[1]};
    ompd_host_target_t target = {
        .path = (char[]){"core"}, .progress = tell, .progress_user_ptr = &progress};
    unsigned amiss = head[2] & 7;
    ompd_host_rc_t rc;

    target.core.descriptor = open_packed(packed);
    set_amiss(amiss);
    rc = core_unpack(&target);
    set_amiss(0);
    check_answer(&target, rc, packed, amiss, &progress);
    check_disk(&target, packed);
    close(target.core.descriptor);
    fuzz_require(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a tool is left");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct packed packed;
    struct process_cost before;
    struct edits edits;

    if (!edits_read(&edits, data, size))
        return 0;
    packed_make(&packed, edits.head[0] % packed_formats, &edits);
    process_cost_begin(&before);
    unpack(&packed, edits.head);
    process_cost_check(&before, packed.size);
    return 0;
}
