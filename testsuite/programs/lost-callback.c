/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Registers a destructor callback whose code is unmapped when it is called, like that of an
 * unloaded library: lost-callback beyond | unmapped
 *
 *     beyond    the callback is 12 KiB past the end of a library, where nothing is mapped
 *     unmapped  it is in memory that was unmapped
 *
 * Writes a line of JSON to its standard output, with the buffer, the callback, and the library's
 * path, and crashes where the callback is called.
 */
#include "runtime.h"

#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
#define BEYOND (3 * PAGE)

/* A library, and an address beyond its end. */
typedef struct place_t {
    const char *path;
    uintptr_t address;
} place_t;

/* Whether nothing is mapped in the page of ADDRESS. */
static bool is_free(uintptr_t address)
{
    void *page = (void *)(uintptr_t)(address / PAGE * PAGE);
    void *mapped =
        mmap(page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == page)
        munmap(mapped, PAGE);
    return mapped == page;
}

/* Take the first library with enough free memory behind it. */
static int consider(struct dl_phdr_info *info, size_t size, void *data)
{
    place_t *place = data;
    uintptr_t end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD)
            end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    }
    end = (end + PAGE - 1) / PAGE * PAGE;
    if (info->dlpi_name[0] != '/' || !is_free(end) || !is_free(end + BEYOND))
        return 0;
    place->path = info->dlpi_name;
    place->address = end + BEYOND;
    return 1;
}

static place_t find_place(bool is_beyond)
{
    place_t place = {"", 0};
    if (is_beyond) {
        truth_require(dl_iterate_phdr(consider, &place) == 1, "no library has free memory behind");
        return place;
    }
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    truth_require(page != MAP_FAILED && munmap(page, PAGE) == 0, "no memory");
    place.address = (uintptr_t)page;
    return place;
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc == 2, "usage: lost-callback beyond | unmapped");
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_mem kept = clCreateBuffer(context, CL_MEM_READ_WRITE, 100, NULL, NULL);
    cl_mem lost = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    truth_require(kept != NULL && lost != NULL, "no buffer");
    place_t place = find_place(strcmp(argv[1], "beyond") == 0);
    void (*function)(cl_mem, void *);
    memcpy(&function, &place.address, sizeof(function));
    /* Callbacks are called in the reverse order. */
    clSetMemObjectDestructorCallback(lost, function, (void *)0x1002);
    clSetMemObjectDestructorCallback(lost, function, (void *)0x1001);
    printf("{\"kept\": \"%p\", \"lost\": \"%p\", \"function\": \"0x%" PRIxPTR
           "\", \"module\": \"%s\"}\n",
           (void *)kept, (void *)lost, place.address, place.path);
    fflush(stdout);
    clReleaseMemObject(lost);
    /* A runtime may call it later, on its own thread. */
    for (;;)
        pause();
}
