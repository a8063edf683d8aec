/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A core that claims what it has not: everything is asked of it, and costs processor time and
 * memory by what is really there (law 13).
 */
#include "ask.h"
#include "fuzz.h"
#include "small-core.h"

#include <host/bound.h>
#include <ompd-opencl-host.h>

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Seconds of a core of some kilobytes; a sanitizer takes several times as long. */
#define MOST_SECONDS 4
#define LEAST_NOTE 20 /* bytes of a note's header and name */
#define MOST_MODULES 64
#define MOST_REGIONS 4096
#define MOST_FRAMES 64

static double seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* What was used since BEFORE is what a core of PRESENT bytes may cost. */
static void check_cost(const struct rusage *before, size_t present)
{
    struct rusage after;
    uint64_t bytes;

    getrusage(RUSAGE_SELF, &after);
    bytes = (uint64_t)(after.ru_maxrss - before->ru_maxrss) << 10;
    fuzz_require(seconds(&after) - seconds(before) < MOST_SECONDS, "%.1f seconds for %zu bytes",
                 seconds(&after) - seconds(before), present);
    fuzz_require(bytes <= bound_bytes(present), "%llu bytes of memory for %zu",
                 (unsigned long long)bytes, present);
}

static void check(ompd_host_target_t *target, ompd_host_rc_t rc)
{
    const char *message = ompd_host_message_get(target);

    fuzz_require(rc >= ompd_host_rc_ok && rc <= ompd_host_rc_cancelled, "a call gave %d", rc);
    fuzz_require(message != NULL, "no message");
    if (target == NULL)
        fuzz_require(message[0] != '\0', "a core is refused without a sentence");
}

static void ask_regions(ompd_host_target_t *target)
{
    ompd_cl_region_t region;
    uint64_t at = 0;
    char bytes[64];

    for (unsigned i = 0; i < MOST_REGIONS; i++) {
        if (ompd_host_region_get(target, at, &region) != ompd_host_rc_ok)
            return;
        fuzz_require(region.start < region.end && region.end > at && region.start >= at,
                     "regions are not in order");
        if (i < 64)
            check(target, ompd_host_memory_read(target, region.start, sizeof(bytes), bytes));
        at = region.end;
    }
}

static void ask_modules(ompd_host_target_t *target)
{
    ompd_host_place_t place;
    uint64_t address;

    for (size_t i = 0; i < MOST_MODULES; i++) {
        ompd_host_module_t module;

        memset(&module, 0, sizeof(module));
        if (ompd_host_module_get(target, i, &module) != ompd_host_rc_ok)
            return;
        fuzz_require(module.path != NULL && module.start < module.end, "a module without a place");
        check(target, ompd_host_module_symbol_find(target, i, "ompd_opencl_registry", &address));
        check(target, ompd_host_place_get(target, module.start + 16, false, &place));
    }
}

static void ask_threads(ompd_host_target_t *target)
{
    ompd_host_thread_t thread;
    ompd_host_frame_t frames[MOST_FRAMES];
    size_t count;

    for (size_t i = 0; i < 8; i++) {
        if (ompd_host_thread_get(target, i, &thread) != ompd_host_rc_ok)
            return;
        check(target, ompd_host_stack_get(target, thread.lwp, MOST_FRAMES, frames, &count));
    }
}

/* Ask the core at PATH, of PRESENT bytes. */
static void ask(const char *path, size_t present)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    ompd_address_space_handle_t *space = NULL;
    ompd_host_target_t *target = NULL;
    ompd_host_rc_t rc = ompd_host_core_open(path, NULL, &target);

    check(rc == ompd_host_rc_ok ? target : NULL, rc);
    if (rc != ompd_host_rc_ok)
        return;
    check(target, ompd_host_target_get(target, &info));
    /* However often its note is named, a thread is one. */
    fuzz_require(info.thread_count <= present / LEAST_NOTE, "%u threads in %zu bytes",
                 info.thread_count, present);
    ask_regions(target);
    ask_modules(target);
    ask_threads(target);
    if (ompd_host_address_space_create(target, 0, &space) == ompd_rc_ok) {
        ask_everything(space, ask_objects | ask_searches);
        ompd_rel_address_space_handle(space);
    }
    ompd_host_target_close(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    struct edits edits;
    struct rusage before;
    size_t present;
    char path[64];

    if (!edits_read(&edits, data, size))
        return 0;
    if (fd < 0) {
        fd = memfd_create("core", 0);
        setenv("OMPD_OPENCL_LAYOUT_PATH", "/nonexistent", 1);
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    present = small_core_write(fd, &edits);
    getrusage(RUSAGE_SELF, &before);
    ask(path, present);
    check_cost(&before, present);
    return 0;
}
