/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What it costs to find all memory objects of a core by a layout and to list them with their
 * destructor callbacks.
 *
 *     list-found CORE OBJECTS
 *
 * OBJECTS is how many there must be, with a callback each.
 */
#include "measure.h"

#include <ompd-opencl-host.h>
#include <ompd-opencl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 5
#define BATCH 256
#define MIB (1024.0 * 1024.0)

static uint64_t count_memobjs(ompd_address_space_handle_t *space)
{
    static ompd_cl_memobj_info_t rows[BATCH];
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t total = 0;

    rows[0].struct_size = sizeof(rows[0]);
    measure_require(ompd_cl_memobj_list_open(space, NULL, &list) == ompd_rc_ok,
                    "no memory objects");
    do {
        measure_require(ompd_cl_memobj_list_next(space, list, BATCH, rows, &count, NULL) ==
                            ompd_rc_ok,
                        "a memory object cannot be read");
        total += count;
    } while (count != 0);
    ompd_cl_list_close(space, list);
    return total;
}

static uint64_t count_destructors(ompd_address_space_handle_t *space)
{
    static ompd_cl_destructor_info_t rows[BATCH];
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t total = 0;

    rows[0].struct_size = sizeof(rows[0]);
    measure_require(ompd_cl_destructor_list_open(space, NULL, &list) == ompd_rc_ok, "no callbacks");
    do {
        measure_require(ompd_cl_destructor_list_next(space, list, BATCH, rows, &count, NULL) ==
                            ompd_rc_ok,
                        "a callback cannot be read");
        total += count;
    } while (count != 0);
    ompd_cl_list_close(space, list);
    return total;
}

int main(int argc, char **argv)
{
    ompd_cl_library_memory_info_t memory = {.struct_size = sizeof(memory)};
    ompd_address_space_handle_t *space;
    ompd_host_target_t *target;
    double seconds[ROUNDS];
    double first;
    uint64_t objects;

    measure_require(argc == 3, "usage: list-found CORE OBJECTS");
    objects = strtoull(argv[2], NULL, 10);
    measure_require(ompd_host_core_open(argv[1], NULL, &target) == ompd_host_rc_ok, "no core");
    for (unsigned i = 0; i < ROUNDS; i++) {
        double start = measure_now(CLOCK_PROCESS_CPUTIME_ID);

        measure_require(ompd_host_address_space_create(target, 0, &space) == ompd_rc_ok,
                        "no address space");
        measure_require(count_memobjs(space) == objects, "not all objects were found");
        measure_require(count_destructors(space) == objects, "not all callbacks were found");
        seconds[i] = measure_now(CLOCK_PROCESS_CPUTIME_ID) - start;
        measure_require(ompd_cl_library_memory_get(space, &memory) == ompd_rc_ok, "no memory");
        ompd_rel_address_space_handle(space);
    }
    ompd_host_target_close(target);
    first = seconds[0];
    printf("%.6f %.6f %.2f\n", measure_median(seconds, ROUNDS), first,
           (double)memory.peak.value / MIB);
    return 0;
}
