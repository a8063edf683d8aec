/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loaded in front of libembree: gives each device of a program a memory monitor, whose sums are in
 * the file $EMBREE_COUNTS, pairs of 64-bit numbers: the RTCDevice and the bytes. The program stops
 * itself after each rtcCommitScene. A library with "embree" in its name would be taken for a copy
 * of libembree.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_DEVICES 16

typedef struct count_t {
    int64_t device;
    int64_t bytes;
} count_t;

typedef bool monitor_t(void *, ssize_t, bool);

void *rtcNewDevice(const char *config);
void rtcCommitScene(void *scene);

static count_t *counts;
static size_t device_count;

static void *function_of_embree(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "count-commits: there is no %s\n", name);
        abort();
    }
    return function;
}

static bool count_bytes(void *count, ssize_t bytes, bool post)
{
    (void)post;
    __atomic_add_fetch(&((count_t *)count)->bytes, bytes, __ATOMIC_SEQ_CST);
    return true;
}

static void counts_begin(void)
{
    const char *path = getenv("EMBREE_COUNTS");
    int file = path != NULL ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    size_t size = MOST_DEVICES * sizeof(*counts);
    if (file < 0 || ftruncate(file, (off_t)size) != 0)
        abort();
    counts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (counts == MAP_FAILED)
        abort();
    close(file);
}

void *rtcNewDevice(const char *config)
{
    void *(*make)(const char *) = (void *(*)(const char *))function_of_embree("rtcNewDevice");
    void (*watch)(void *, monitor_t *, void *) = (void (*)(
        void *, monitor_t *, void *))function_of_embree("rtcSetDeviceMemoryMonitorFunction");
    void *device = make(config);
    if (counts == NULL)
        counts_begin();
    if (device == NULL || device_count == MOST_DEVICES)
        return device;
    counts[device_count].device = (int64_t)(intptr_t)device;
    watch(device, count_bytes, &counts[device_count++]);
    return device;
}

void rtcCommitScene(void *scene)
{
    ((void (*)(void *))function_of_embree("rtcCommitScene"))(scene);
    raise(SIGSTOP);
}
