/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Builds that tests stop: at any moment, or inside the monitor.
 *
 * FOLDER/account shows the state of the moment: 64-bit numbers that the program changes while it
 * runs.
 */
#include "embree.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SIDE 250
#define LEAST_ROUNDS 10
#define SLOTS 4
#define QUIET_TIME 50000000 /* nanoseconds */
#define TURNS_BETWEEN 50000 /* of the other thread, between builds */
#define CALLS_BEFORE_STOP 3

/* An object that comes and goes. */
typedef struct slot_t {
    int64_t phase;  /* 0: none; 1: it comes or goes; 2: it is there */
    int64_t handle; /* valid in phase 2 */
    int64_t bytes;
} slot_t;

/* In FOLDER/account. */
typedef struct moment_t {
    account_t account;
    int64_t rounds;
    int64_t is_quiet;     /* no thread is in a function of Embree */
    int64_t is_in_commit; /* the lasting scene's: it is before, in, or after rtcCommitScene */
    slot_t slots[SLOTS];  /* an owned buffer, a shared one, a geometry over both, a scene */
} moment_t;

static moment_t *moment;
static bool is_over;
static bool is_to_hold;
static size_t turns; /* of the thread that makes and releases objects */

static void set(int64_t *at, int64_t value)
{
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

static void slot_begin(slot_t *slot)
{
    set(&slot->phase, 1);
}

static void slot_fill(slot_t *slot, const void *handle, size_t bytes)
{
    set(&slot->handle, (int64_t)(intptr_t)handle);
    set(&slot->bytes, (int64_t)bytes);
    set(&slot->phase, 2);
}

static void slot_clear(slot_t *slot)
{
    set(&slot->phase, 0);
}

static void moment_begin(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/account", folder);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && ftruncate(file, sizeof(*moment)) == 0, "no file of the account");
    moment = mmap(NULL, sizeof(*moment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    require(moment != MAP_FAILED, "the account cannot be mapped");
    close(file);
}

/* The monitor of a build: the program may stop in a call, or, with a negative number, in a call
 * that reports freed memory. */
static bool count_moment(void *data, ssize_t bytes, bool post)
{
    static int64_t frees;
    account_t *account = data;
    (void)post;
    bool is_granted = account_add(account, bytes);
    int64_t at = __atomic_load_n(&account->stop_at, __ATOMIC_SEQ_CST);
    int64_t freed = at < 0 && bytes < 0 ? __atomic_add_fetch(&frees, 1, __ATOMIC_SEQ_CST) : 0;
    bool is_it = at > 0 ? __atomic_load_n(&account->calls, __ATOMIC_SEQ_CST) >= at
                        : bytes < 0 && freed >= -at;
    if (at != 0 && is_it &&
        __atomic_compare_exchange_n(&account->stop_at, &at, 0, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
        truth_stop("main");
    return is_granted;
}

/* Have it stop AT calls from now on. */
static void moment_set_stop(int64_t at)
{
    set(&moment->account.stop_at, at > 0 ? moment->account.calls + at : at);
}

static object_t *moment_device(world_t *world)
{
    moment_begin(world->folder);
    object_t *device = device_new(&world->libraries[0], "d0", THREADS);
    device_watch(device, count_moment, "count_moment", &moment->account);
    return device;
}

/* Another thread makes and releases objects of the device. */
static void *come_and_go(void *argument)
{
    object_t *device = argument;
    const embree_t *embree = device->embree;
    static float memory[3 * 64];
    slot_t *slots = moment->slots;
    while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
        while (__atomic_load_n(&is_to_hold, __ATOMIC_SEQ_CST)) {
            set(&moment->is_quiet, 1);
            sched_yield();
        }
        set(&moment->is_quiet, 0);
        size_t turn = __atomic_fetch_add(&turns, 1, __ATOMIC_SEQ_CST);
        size_t bytes = 3072 + 16 * (turn % 100);
        slot_begin(&slots[0]);
        RTCBuffer owned = embree->rtcNewBuffer(device->handle, bytes);
        slot_fill(&slots[0], owned, bytes);
        slot_begin(&slots[1]);
        RTCBuffer shared = embree->rtcNewSharedBuffer(device->handle, memory, sizeof(memory));
        slot_fill(&slots[1], shared, sizeof(memory));
        slot_begin(&slots[2]);
        RTCGeometry geometry = embree->rtcNewGeometry(device->handle, RTC_GEOMETRY_TYPE_TRIANGLE);
        embree->rtcSetGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, shared,
                                     0, VERTEX_BYTES, 60);
        embree->rtcSetGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, owned, 0,
                                     TRIANGLE_BYTES, 256);
        slot_fill(&slots[2], geometry, 0);
        slot_begin(&slots[2]);
        embree->rtcReleaseGeometry(geometry);
        slot_clear(&slots[2]);
        slot_begin(&slots[1]);
        embree->rtcReleaseBuffer(shared);
        slot_clear(&slots[1]);
        slot_begin(&slots[0]);
        embree->rtcReleaseBuffer(owned);
        slot_clear(&slots[0]);
    }
    return NULL;
}

/* A scene that is built and released. */
static void scene_come_and_go(object_t *device, object_t *geometry, int quality)
{
    const embree_t *embree = device->embree;
    slot_t *slot = &moment->slots[3];
    slot_begin(slot);
    RTCScene scene = embree->rtcNewScene(device->handle);
    slot_fill(slot, scene, 0);
    embree->rtcSetSceneBuildQuality(scene, quality);
    embree->rtcAttachGeometry(scene, geometry->handle);
    embree->rtcCommitScene(scene);
    slot_begin(slot);
    embree->rtcReleaseScene(scene);
    slot_clear(slot);
}

/* Let the other thread alone call Embree for a while, and then none. */
static void pause_builds(void)
{
    size_t last = __atomic_load_n(&turns, __ATOMIC_SEQ_CST) + TURNS_BETWEEN;
    while (__atomic_load_n(&turns, __ATOMIC_SEQ_CST) < last)
        sched_yield();
    __atomic_store_n(&is_to_hold, true, __ATOMIC_SEQ_CST);
    nanosleep(&(struct timespec){.tv_nsec = QUIET_TIME}, NULL);
    __atomic_store_n(&is_to_hold, false, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&moment->is_quiet, __ATOMIC_SEQ_CST))
        sched_yield();
}

/* Whether the input, or its end, says that it is enough. */
static bool is_enough(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return moment->rounds >= LEAST_ROUNDS && poll(&input, 1, 0) != 0;
}

/* Builds until there is input, while another thread makes and releases objects. */
static void building_run(world_t *world)
{
    static const int qualities[] = {RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_LOW,
                                    RTC_BUILD_QUALITY_HIGH};
    pthread_t thread;
    object_t *device = moment_device(world);
    object_t *scene = scene_new(device);
    object_t *triangles = mesh_triangles(device, SIDE);
    object_t *quads = mesh_quads(device, SIDE / 2);
    scene_attach(scene, triangles);
    scene_attach(scene, quads);
    scene->build = "building";
    truth_write("building");
    truth_tell("building");
    moment_set_stop(world->at);
    pthread_create(&thread, NULL, come_and_go, device);
    while (!is_enough()) {
        int quality = qualities[moment->rounds % 3];
        device->embree->rtcSetSceneBuildQuality(scene->handle, quality);
        device->embree->rtcCommitGeometry(triangles->handle);
        set(&moment->is_in_commit, 1);
        device->embree->rtcCommitScene(scene->handle);
        set(&moment->is_in_commit, 0);
        scene_come_and_go(device, quads, quality);
        pause_builds();
        set(&moment->rounds, moment->rounds + 1);
    }
    __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    scene->build = "committed";
}

/* Stops inside the monitor in one of two builds, or when the scene is released; it goes on then. */
static void in_monitor_run(world_t *world)
{
    object_t *device = moment_device(world);
    object_t *scene = scene_new(device);
    object_t *triangles = mesh_triangles(device, SIDE);
    scene_attach(scene, triangles);
    moment_set_stop(world->at != 0 ? world->at : CALLS_BEFORE_STOP);
    set(&moment->is_in_commit, 1);
    scene_commit(scene);
    set(&moment->is_in_commit, 0);
    scene_set(scene, 0, RTC_BUILD_QUALITY_HIGH);
    geometry_commit(triangles);
    set(&moment->is_in_commit, 1);
    scene_commit(scene);
    set(&moment->is_in_commit, 0);
    object_release(scene);
    require(moment->account.stop_at == 0, "the monitor was not called so often");
}

const scenario_t builds[] = {
    {"building", building_run},
    {"in-monitor", in_monitor_run},
    {NULL, NULL},
};
