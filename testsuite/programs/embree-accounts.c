/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counts the bytes of Embree's devices in memory monitors of its own: embree-accounts LIBRARY
 * [builds|alone|shared].
 */
#include "embree-api.h"

#include <stdio.h>
#include <string.h>

typedef struct account_t {
    ssize_t bytes;
    int calls;
    int refused;
    bool is_refusing; /* the next allocation */
} account_t;

static embree_t embree;
static RTCDevice devices[2];
static RTCBuffer kept, large;
static RTCScene scene;
static RTCGeometry geometry;
static account_t first, second;

__attribute__((noinline)) static bool account_add(account_t *account, ssize_t bytes, bool post)
{
    __atomic_add_fetch(&account->calls, 1, __ATOMIC_RELAXED);
    if (account->is_refusing && bytes > 0 && !post) {
        account->is_refusing = false;
        account->refused++;
        return false;
    }
    __atomic_add_fetch(&account->bytes, bytes, __ATOMIC_RELAXED);
    return true;
}

static bool count(void *user, ssize_t bytes, bool post)
{
    return account_add(user, bytes, post);
}

/* Not the same code as above, which a compiler would merge. */
static bool count_otherwise(void *user, ssize_t bytes, bool post)
{
    static volatile unsigned calls;

    calls++;
    return account_add(user, bytes, post);
}

/* For breakpoints. */
__attribute__((noinline)) static void step(const char *name)
{
    printf("%s: %zd %d %zd %d\n", name, first.bytes, first.refused, second.bytes, second.refused);
    fflush(stdout);
}

static RTCBuffer new_buffer(RTCDevice device, size_t size)
{
    RTCBuffer buffer = embree.rtcNewBuffer(device, size);
    printf("buffer of %zu: %d, error %d\n", size, buffer != NULL, embree.rtcGetDeviceError(device));
    return buffer;
}

static void release(RTCBuffer buffer)
{
    if (buffer != NULL)
        embree.rtcReleaseBuffer(buffer);
}

static void buffers_run(RTCDevice device, RTCDevice other)
{
    kept = new_buffer(device, 1000);
    large = new_buffer(device, 50000);
    RTCBuffer others = new_buffer(other, 20000);
    step("three");
    release(kept);
    first.is_refusing = true;
    release(new_buffer(device, 300));
    step("refused");
    /* Not a call of Embree's. */
    count(&first, 700, false);
    count(&first, -700, true);
    kept = new_buffer(device, 40000);
    step("again");
    embree.rtcSetDeviceMemoryMonitorFunction(device, count_otherwise, &first);
    RTCBuffer last = new_buffer(device, 7000);
    embree.rtcSetDeviceMemoryMonitorFunction(other, NULL, NULL);
    release(new_buffer(other, 90000));
    embree.rtcSetDeviceMemoryMonitorFunction(other, count, &second);
    step("replaced");
    release(kept);
    release(last);
    release(others);
    release(large);
}

/* Builds are on several threads, unless there is one. */
static void builds_run(RTCDevice device)
{
    enum { TRIANGLES = 30000 };
    scene = embree.rtcNewScene(device);
    geometry = embree.rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = embree.rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), TRIANGLES + 2);
    unsigned int *indices = embree.rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned int), TRIANGLES);
    for (unsigned int i = 0; i < TRIANGLES + 2; i++) {
        vertices[3 * i] = (float)(i / 2);
        vertices[3 * i + 1] = (float)(i % 2);
        vertices[3 * i + 2] = (float)(i % 7);
    }
    for (unsigned int i = 0; i < TRIANGLES; i++)
        for (unsigned int k = 0; k < 3; k++)
            indices[3 * i + k] = i + k;
    embree.rtcCommitGeometry(geometry);
    embree.rtcAttachGeometry(scene, geometry);
    embree.rtcReleaseGeometry(geometry);
    embree.rtcCommitScene(scene);
    printf("built, error %d\n", embree.rtcGetDeviceError(device));
    step("built");
    embree.rtcCommitScene(scene);
    printf("built again, error %d\n", embree.rtcGetDeviceError(device));
    step("rebuilt");
    embree.rtcReleaseScene(scene);
    release(new_buffer(device, 4000000)); /* the last call frees it */
}

/* Both devices have one monitor and one account, until the first is destroyed. */
static void shared_run(void)
{
    embree.rtcSetDeviceMemoryMonitorFunction(devices[1], count, &first);
    release(new_buffer(devices[1], 30000));
    embree.rtcReleaseDevice(devices[0]);
    devices[0] = NULL;
    release(new_buffer(devices[1], 60000));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *scenario = argc > 2 ? argv[2] : "";
    bool is_alone = strcmp(scenario, "alone") == 0; /* no other thread is in Embree at a stop */
    embree_open(&embree, argv[1]);
    for (int i = 0; i < 2; i++)
        devices[i] = embree.rtcNewDevice(is_alone ? "threads=1" : "threads=2");
    step("made");
    embree.rtcSetDeviceMemoryMonitorFunction(devices[0], count, &first);
    embree.rtcSetDeviceMemoryMonitorFunction(devices[1], count, &second);
    step("begin");
    if (is_alone || strcmp(scenario, "builds") == 0)
        builds_run(devices[0]);
    else if (strcmp(scenario, "shared") == 0)
        shared_run();
    else
        buffers_run(devices[0], devices[1]);
    step("end");
    for (int i = 0; i < 2; i++)
        if (devices[i] != NULL)
            embree.rtcReleaseDevice(devices[i]);
    return 0;
}
