/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lists all memory objects of a core by a layout, with their destructor callbacks, through a tool
 * that maps no memory, and counts its reads.
 *
 *     count-reads CORE
 *
 * Prints a line for a first list, one for another at the same stop, and one for a list with an
 * unreadable page in the middle of the largest heap: memory objects, callbacks, reads, and MiB to
 * search.
 */
#include <inttypes.h>
#include <ompd-opencl-host.h>
#include <ompd-opencl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 256
#define PAGE 4096
#define MIB (UINT64_C(1) << 20)

static ompd_callback_memory_read_fn_t read_target;
static uint64_t reads;
static uint64_t hole; /* a page that cannot be read, 0 for none */

static void require(bool is_so, const char *text)
{
    if (is_so)
        return;
    fprintf(stderr, "count-reads: %s\n", text);
    exit(EXIT_FAILURE);
}

static ompd_rc_t count_read(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    reads++;
    if (hole != 0 && from->address < hole + PAGE && hole < from->address + size)
        return ompd_rc_error;
    return read_target(context, thread, from, size, buffer);
}

static bool is_searched(const ompd_cl_region_t *region)
{
    const uint32_t wanted = ompd_cl_permission_read | ompd_cl_permission_write;

    return region->is_saved != 0 && (region->permissions & wanted) == wanted;
}

/* A page that cannot be read makes each batch of rows incomplete, and nothing else does. */
static void require_batch(ompd_rc_t rc, uint64_t rows, const char *kind)
{
    if (rc == (hole == 0 ? ompd_rc_ok : ompd_rc_incomplete))
        return;
    fprintf(stderr,
            "count-reads: %s: return code %d after %" PRIu64 " rows, hole at 0x%" PRIx64 "\n", kind,
            (int)rc, rows, hole);
    exit(EXIT_FAILURE);
}

/* The size of the memory that is to be searched; *MIDDLE gets the page in the middle of its largest
 * piece. */
static uint64_t measure(const ompd_cl_extra_t *extra, ompd_address_space_context_t *context,
                        uint64_t *middle)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint64_t largest = 0;
    uint64_t sum = 0;

    while (extra->memory_region(context, region.end, &region) == ompd_rc_ok) {
        uint64_t size = region.end - region.start;

        if (!is_searched(&region))
            continue;
        sum += size;
        if (size <= largest)
            continue;
        largest = size;
        *middle = region.start + size / 2 / PAGE * PAGE;
    }
    return sum;
}

static uint64_t count_memobjs(ompd_address_space_handle_t *space)
{
    static ompd_cl_memobj_info_t rows[BATCH];
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t sum = 0;

    rows[0].head.struct_size = sizeof(rows[0]);
    require(ompd_cl_memobj_list_open(space, NULL, &list) == ompd_rc_ok, "no memory objects");
    do {
        ompd_rc_t rc = ompd_cl_memobj_list_next(space, list, BATCH, rows, &count, NULL);

        require_batch(rc, sum, "memory objects");
        sum += count;
    } while (count != 0);
    ompd_cl_list_close(space, list);
    return sum;
}

static uint64_t count_destructors(ompd_address_space_handle_t *space)
{
    static ompd_cl_destructor_info_t rows[BATCH];
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t sum = 0;

    rows[0].head.struct_size = sizeof(rows[0]);
    require(ompd_cl_destructor_list_open(space, NULL, &list) == ompd_rc_ok, "no callbacks");
    do {
        ompd_rc_t rc = ompd_cl_destructor_list_next(space, list, BATCH, rows, &count, NULL);

        require_batch(rc, sum, "callbacks");
        sum += count;
    } while (count != 0);
    ompd_cl_list_close(space, list);
    return sum;
}

static void list_all(ompd_address_space_handle_t *space, uint64_t size)
{
    uint64_t memobjs;
    uint64_t destructors;

    reads = 0;
    memobjs = count_memobjs(space);
    destructors = count_destructors(space);
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", memobjs, destructors, reads,
           size / MIB);
}

int main(int argc, char **argv)
{
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra)};
    ompd_address_space_context_t *context;
    ompd_address_space_handle_t *space;
    ompd_callbacks_t callbacks;
    ompd_host_target_t *target;
    uint64_t middle = 0;
    uint64_t size;

    require(argc == 2, "usage: count-reads CORE");
    require(ompd_host_core_open(argv[1], NULL, &target) == ompd_host_rc_ok, "no core");
    require(ompd_host_callbacks_get(target, &callbacks, &extra, &context) == ompd_host_rc_ok,
            "no callbacks");
    read_target = callbacks.read_memory;
    callbacks.read_memory = count_read;
    extra.map_memory = NULL;
    size = measure(&extra, context, &middle);
    require(ompd_cl_address_space_create(&callbacks, &extra, context, &space) == ompd_rc_ok,
            "no address space");
    require(ompd_host_layouts_add(space) == ompd_rc_ok, "no layouts");
    list_all(space, size);
    list_all(space, size);
    hole = middle;
    ompd_cl_address_space_refresh(space);
    list_all(space, size);
    ompd_rel_address_space_handle(space);
    ompd_host_target_close(target);
    return EXIT_SUCCESS;
}
