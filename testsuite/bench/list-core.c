/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The cost of listing all memory objects of a core with their destructor callbacks through the C
 * API: callbacks made, memory held, and time as a ratio to reading the same bytes once with pread.
 *
 * list-core CORE ROOT, where ROOT is the address of the recorder's registry in hexadecimal.
 */
#include "measure.h"

#include <elf.h>
#include <fcntl.h>
#include <ompd-opencl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB (1024.0 * 1024.0)
#define ROUNDS 5
#define BATCH 256

struct piece {
    off_t offset;
    size_t size;
};

static int core;
static uint64_t root;
static Elf64_Phdr *segments;
static unsigned segment_count;

static struct piece *pieces; /* what has been read */
static size_t piece_count;
static uint64_t lookups;
static uint64_t allocations;
static uint64_t bytes_read;
static uint64_t live_bytes;
static uint64_t peak_bytes;

static void core_open(const char *path)
{
    Elf64_Ehdr header;

    core = open(path, O_RDONLY);
    measure_require(core >= 0, "the core cannot be opened");
    measure_require(pread(core, &header, sizeof(header), 0) == sizeof(header),
                    "the core has no header");
    segment_count = header.e_phnum;
    segments = malloc(segment_count * sizeof(*segments));
    measure_require(pread(core, segments, segment_count * sizeof(*segments),
                          (off_t)header.e_phoff) == (ssize_t)(segment_count * sizeof(*segments)),
                    "the core has no segments");
}

static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    uint64_t *bytes = malloc(size + 16);

    allocations++;
    live_bytes += size;
    if (live_bytes > peak_bytes)
        peak_bytes = live_bytes;
    bytes[0] = size;
    *block = bytes + 2;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *block)
{
    uint64_t *bytes = (uint64_t *)block - 2;

    live_bytes -= bytes[0];
    free(bytes);
    return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    (void)context;
    (void)thread;
    (void)name;
    (void)file;
    lookups++;
    address->segment = ompd_segment_none;
    address->address = root;
    return ompd_rc_ok;
}

/* The part of one segment; what spans two is read in two. */
static size_t read_part(uint64_t address, size_t size, char *buffer)
{
    for (unsigned i = 0; i < segment_count; i++) {
        const Elf64_Phdr *segment = &segments[i];
        uint64_t room = address - segment->p_vaddr;

        if (segment->p_type != PT_LOAD || address < segment->p_vaddr || room >= segment->p_filesz)
            continue;
        room = segment->p_filesz - room;
        if (size > room)
            size = (size_t)room;
        pieces[piece_count].offset = (off_t)(segment->p_offset + (address - segment->p_vaddr));
        pieces[piece_count].size = size;
        if (pread(core, buffer, size, pieces[piece_count].offset) != (ssize_t)size)
            return 0;
        piece_count++;
        return size;
    }
    return 0;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    ompd_size_t done = 0;

    (void)context;
    (void)thread;
    while (done < size) {
        size_t part = read_part(from->address + done, size - done, (char *)buffer + done);
        if (part == 0)
            return ompd_rc_error;
        done += part;
    }
    bytes_read += size;
    return ompd_rc_ok;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    (void)context;
    memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

static const ompd_callbacks_t callbacks = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol_addr_lookup,
    .read_memory = read_memory,
    .device_to_host = device_to_host,
};

static uint64_t list_destructors(ompd_address_space_handle_t *space, ompd_cl_memobj_id_t memobj)
{
    ompd_cl_destructor_info_t rows[8];
    ompd_size_t count;
    uint64_t total = 0;
    ompd_cl_list_t list;

    rows[0].struct_size = sizeof(rows[0]);
    measure_require(ompd_cl_memobj_destructor_list_open(space, memobj, &list) == ompd_rc_ok,
                    "no list");
    do {
        measure_require(ompd_cl_destructor_list_next(space, list, 8, rows, &count, NULL) ==
                            ompd_rc_ok,
                        "a callback cannot be read");
        total += count;
    } while (count == 8);
    ompd_cl_list_close(space, list);
    return total;
}

static void list_all(uint64_t *memobjs, uint64_t *destructors)
{
    static ompd_cl_memobj_info_t rows[BATCH];
    ompd_address_space_handle_t *space;
    ompd_cl_list_t list;
    ompd_size_t count;

    *memobjs = 0;
    *destructors = 0;
    measure_require(ompd_cl_address_space_create(&callbacks, NULL, NULL, &space) == ompd_rc_ok,
                    "no address space");
    rows[0].struct_size = sizeof(rows[0]);
    measure_require(ompd_cl_memobj_list_open(space, NULL, &list) == ompd_rc_ok, "no list");
    do {
        measure_require(ompd_cl_memobj_list_next(space, list, BATCH, rows, &count, NULL) ==
                            ompd_rc_ok,
                        "a memory object cannot be read");
        for (ompd_size_t i = 0; i < count; i++)
            *destructors += list_destructors(space, rows[i].id);
        *memobjs += count;
    } while (count != 0);
    ompd_cl_list_close(space, list);
    ompd_rel_address_space_handle(space);
}

/* The same bytes, once each, into one buffer. */
static double read_pieces(void)
{
    char *buffer = malloc(1 << 20);
    double start;

    memset(buffer, 1, 1 << 20);
    start = measure_now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < piece_count; i++)
        measure_require(pread(core, buffer, pieces[i].size, pieces[i].offset) ==
                            (ssize_t)pieces[i].size,
                        "the core cannot be read");
    start = measure_now(CLOCK_PROCESS_CPUTIME_ID) - start;
    free(buffer);
    return start;
}

int main(int argc, char **argv)
{
    double listing[ROUNDS];
    double reading[ROUNDS];
    double list_time;
    double read_time;
    uint64_t memobjs = 0;
    uint64_t destructors = 0;

    measure_require(argc == 3, "usage: list-core CORE ROOT");
    core_open(argv[1]);
    root = strtoull(argv[2], NULL, 16);
    pieces = malloc(sizeof(*pieces) << 20);
    for (unsigned i = 0; i < ROUNDS; i++) {
        double start = measure_now(CLOCK_PROCESS_CPUTIME_ID);

        lookups = allocations = bytes_read = piece_count = 0;
        list_all(&memobjs, &destructors);
        listing[i] = measure_now(CLOCK_PROCESS_CPUTIME_ID) - start;
        reading[i] = read_pieces();
    }
    printf("listing %llu memory objects with %llu destructor callbacks from a core:\n",
           (unsigned long long)memobjs, (unsigned long long)destructors);
    printf("  callbacks: %llu symbol lookups, %llu allocations, %zu reads of %.1f MiB in all\n",
           (unsigned long long)lookups, (unsigned long long)allocations, piece_count,
           (double)bytes_read / MIB);
    printf("  peak memory of the library: %.2f MiB\n", (double)peak_bytes / MIB);
    list_time = measure_median(listing, ROUNDS);
    read_time = measure_median(reading, ROUNDS);
    printf("  time: %.2f x reading the same bytes once with pread (%.1f ms / %.1f ms)\n",
           list_time / read_time, list_time * 1e3, read_time * 1e3);
    return 0;
}
