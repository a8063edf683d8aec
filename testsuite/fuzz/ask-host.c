/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ask-host.h"

#include "fuzz.h"

#include <string.h>

#define LEAST_NOTE 20 /* bytes of a note's header and name */
#define MOST_MODULES 64
#define MOST_REGIONS 4096
#define MOST_FRAMES 64

void ask_host_check(ompd_host_target_t *target, ompd_host_rc_t rc)
{
    const char *message = ompd_host_message_get(target);

    fuzz_require(rc >= ompd_host_rc_ok && rc <= ompd_host_rc_cancelled, "a call gave %d", rc);
    fuzz_require(message != NULL, "no message");
    if (target == NULL)
        fuzz_require(message[0] != '\0', "a core is refused without a sentence");
}

static void ask_regions(ompd_host_target_t *target)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint64_t at = 0;
    char bytes[64];

    for (unsigned i = 0; i < MOST_REGIONS; i++) {
        if (ompd_host_region_get(target, at, &region) != ompd_host_rc_ok)
            return;
        fuzz_require(region.start < region.end && region.end > at && region.start >= at,
                     "regions are not in order");
        if (i < 64)
            ask_host_check(target,
                           ompd_host_memory_read(target, region.start, sizeof(bytes), bytes));
        at = region.end;
    }
}

/* Whether PATH is of the C library and was requested before.  Its debug information is the same for
 * each input, and unpacking it takes longer than everything else. */
static bool is_known(const char *path)
{
    static bool is_asked;
    bool is_known;

    if (strstr(path, "/libc.so") == NULL)
        return false;
    is_known = is_asked;
    is_asked = true;
    return is_known;
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
        ask_host_check(target,
                       ompd_host_module_symbol_find(target, i, "ompd_opencl_registry", &address));
        if (!is_known(module.path))
            ask_host_check(target, ompd_host_place_get(target, module.start + 16, false, &place));
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
        ask_host_check(target,
                       ompd_host_stack_get(target, thread.lwp, MOST_FRAMES, frames, &count));
    }
}

ompd_host_target_t *ask_host_open(const char *path, const ompd_host_options_t *options,
                                  size_t present)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    ompd_host_target_t *target = NULL;
    ompd_host_rc_t rc = ompd_host_core_open(path, options, &target);

    ask_host_check(rc == ompd_host_rc_ok ? target : NULL, rc);
    if (rc != ompd_host_rc_ok)
        return NULL;
    ask_host_check(target, ompd_host_target_get(target, &info));
    /* However often its note is named, a thread is one. */
    fuzz_require(info.thread_count <= present / LEAST_NOTE, "%u threads in %zu bytes",
                 info.thread_count, present);
    return target;
}

void ask_host(ompd_host_target_t *target)
{
    ask_regions(target);
    ask_modules(target);
    ask_threads(target);
}
