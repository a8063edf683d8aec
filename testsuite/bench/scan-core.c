/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What it costs to find the objects of a core with a layout: time as a ratio to copying the same
 * memory by memcpy, with memory that is mapped and with memory that is read; and the reads.
 *
 *     scan-core CORE OBJECTS
 *
 * OBJECTS is how many there must be at least: a search that finds nothing is no measure.  The last
 * line is for the script that runs this.
 */
#include "measure.h"

#include <ompd-opencl-host.h>
#include <ompd-opencl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 11
#define WINDOW (UINT64_C(1) << 20)

static ompd_callbacks_t callbacks;
static ompd_cl_extra_t extra;
static ompd_address_space_context_t *tool_context;
static ompd_callback_memory_read_fn_t read_target;
static uint64_t reads;

static ompd_rc_t count_read(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *address, ompd_size_t size, void *buffer)
{
    reads++;
    return read_target(context, thread, address, size, buffer);
}

/* Copy what lies in [START, END), a window at a time. */
static void copy_region(uint64_t start, uint64_t end)
{
    static char buffer[WINDOW];

    for (; start < end; start += WINDOW) {
        uint64_t size = end - start < WINDOW ? end - start : WINDOW;
        const void *bytes;

        measure_require(extra.map_memory(tool_context, start, size, &bytes) == ompd_rc_ok,
                        "memory is not mapped");
        memcpy(buffer, bytes, size);
        __asm__ volatile("" : : "r"(buffer) : "memory");
    }
}

/* Copy all memory that is to be searched; gives its size. */
static uint64_t copy_all(void)
{
    const uint32_t wanted = ompd_cl_permission_read | ompd_cl_permission_write;
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint64_t size = 0;

    while (extra.memory_region(tool_context, region.end, &region) == ompd_rc_ok) {
        if (!region.is_saved || (region.permissions & wanted) != wanted)
            continue;
        copy_region(region.start, region.end);
        size += region.end - region.start;
    }
    return size;
}

static ompd_address_space_handle_t *make_space(const ompd_cl_extra_t *offered)
{
    ompd_address_space_handle_t *space;

    measure_require(ompd_cl_address_space_create(&callbacks, offered, tool_context, &space) ==
                        ompd_rc_ok,
                    "no address space");
    measure_require(ompd_host_layouts_add(space) == ompd_rc_ok, "no layouts");
    return space;
}

/* Find all objects, which was not done since the last refresh; gives how many there are. */
static uint64_t find_all(ompd_address_space_handle_t *space)
{
    ompd_cl_runtime_info_t row = {.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_size_t unreadable;
    ompd_size_t count;

    measure_require(ompd_cl_runtime_list_open(space, &list) == ompd_rc_ok, "no list of runtimes");
    measure_require(ompd_cl_runtime_list_next(space, list, 1, &row, &count, &unreadable) ==
                            ompd_rc_ok &&
                        count == 1,
                    "no runtime was found");
    ompd_cl_list_close(space, list);
    return row.objects.value;
}

/* Measure in turns, so that what else the machine does falls on both. */
static double measure(const char *name, const ompd_cl_extra_t *offered, uint64_t objects)
{
    ompd_address_space_handle_t *space = make_space(offered);
    double ratios[ROUNDS];
    double seconds[ROUNDS];
    uint64_t size = 0;

    measure_require(find_all(space) >= objects, "not all objects were found");
    for (unsigned i = 0; i < ROUNDS; i++) {
        double start = measure_now(CLOCK_MONOTONIC);
        double copied;

        size = copy_all();
        copied = measure_now(CLOCK_MONOTONIC) - start;
        ompd_cl_address_space_refresh(space);
        reads = 0;
        start = measure_now(CLOCK_MONOTONIC);
        find_all(space);
        seconds[i] = measure_now(CLOCK_MONOTONIC) - start;
        ratios[i] = copied / seconds[i];
    }
    printf("search, memory %s: %.2f x the speed of memcpy (%.1f GB/s), %llu reads for %.0f MiB\n",
           name, measure_median(ratios, ROUNDS),
           (double)size / measure_median(seconds, ROUNDS) / 1e9, (unsigned long long)reads,
           (double)size / (1 << 20));
    ompd_rel_address_space_handle(space);
    return (double)size / measure_median(seconds, ROUNDS) / 1e9;
}

int main(int argc, char **argv)
{
    ompd_host_target_t *target;
    ompd_cl_extra_t reading;
    uint64_t objects;
    double speed;

    measure_require(argc == 3, "usage: scan-core CORE OBJECTS");
    objects = strtoull(argv[2], NULL, 10);
    measure_require(ompd_host_core_open(argv[1], NULL, &target) == ompd_host_rc_ok, "no core");
    extra.struct_size = sizeof(extra);
    measure_require(ompd_host_callbacks_get(target, &callbacks, &extra, &tool_context) ==
                        ompd_host_rc_ok,
                    "no callbacks");
    read_target = callbacks.read_memory;
    callbacks.read_memory = count_read;
    reading = extra;
    reading.map_memory = NULL;
    speed = measure("mapped", &extra, objects);
    measure("copied", &reading, objects);
    ompd_host_target_close(target);
    printf("%.3f\n", speed);
    return 0;
}
