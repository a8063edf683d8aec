/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data of the runtimes' own modules. */
#include "sources/layout/discovery.h"

/* Allocations are aligned to at least two words. */
static bool is_of_allocator(const struct target *target, uint64_t address)
{
    return address % (2 * (uint64_t)target->pointer_size) == 0 && address % TARGET_BLOCK_SIZE != 0;
}

/* Examine the words of the window. */
static void check_window(struct target *target, const struct window *window, struct scan *scan)
{
    uint32_t unit = target->pointer_size;

    for (uint64_t at = 0; at + unit <= window->size; at += unit) {
        uint64_t address = target_integer(target, window->bytes + at, unit);

        if (is_of_allocator(target, address))
            scan_has_lost(scan, target, address);
    }
}

/* Examine the data of MODULE, window by window. */
static ompd_rc_t check_module(struct target *target, const struct module *module,
                              struct window *window, struct scan *scan)
{
    struct region_walk walk;
    struct region_run run;
    ompd_rc_t rc;

    rc = region_walk_begin(&walk, target, region_writable, module->start,
                           module_memory_end(target, module));
    if (rc != ompd_rc_ok)
        return ompd_rc_ok;
    while (region_walk_next(&walk, &run)) {
        for (uint64_t at = run.start; run.is_saved && at < run.end;) {
            uint64_t data_end;
            uint64_t zeros_end = region_zeros_end(target, &run, at, &data_end);
            uint64_t size = data_end - at < TARGET_WINDOW_SIZE ? data_end - at : TARGET_WINDOW_SIZE;

            /* Zeros lead nowhere, and a gigabyte may be a hole in a core of kilobytes (law 13). */
            if (zeros_end > at) {
                at = zeros_end;
                continue;
            }
            rc = target_fill(target, window, at, size, 0);
            if (rc_is_final(rc))
                return rc;
            if (rc == ompd_rc_ok)
                check_window(target, window, scan);
            at += size;
        }
    }
    return ompd_rc_ok;
}

ompd_rc_t runtime_data_check(const struct runtimes *runtimes, struct target *target,
                             struct scan *scan)
{
    struct window window = {0};
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < runtimes->count && rc == ompd_rc_ok; i++) {
        const struct runtime *runtime = &runtimes->all[i];
        struct module module = {.start = runtime->start, .end = runtime->end};

        if (runtime->layout != NULL && scan->untouched.bytes != 0)
            rc = check_module(target, &module, &window, scan);
    }
    target_window_close(target, &window);
    return rc;
}
