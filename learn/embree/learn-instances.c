/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h: instances of scenes.  Embree 4 reports their own memory to the monitor. */
#include <learn/embree/embree.h>

#include <string.h>

#define SCENES 5

/* The class of GEOMETRY whose name is shortest: that of no instruction set. */
static struct draft_class *class_of_instance(const void *geometry)
{
    const struct class_name *class = class_of((uintptr_t)geometry);

    class = class != NULL ? class_base(class) : NULL;
    return class != NULL ? draft_class_get("geometry", class->name) : NULL;
}

/* Find the word that is the scene which GEOMETRY instances. */
static void find_scene(struct draft_class *class, const struct embree_device *device,
                       void *geometry)
{
    static struct offset_search search;
    int32_t offset;

    search = (struct offset_search){.width = sizeof(uintptr_t)};
    for (unsigned i = 0; i < 4; i++) {
        void *scene = embree.rtcNewScene(device->handle);

        embree.rtcSetGeometryInstancedScene(geometry, scene);
        offset_search_sample(&search, geometry, (uintptr_t)scene);
        embree.rtcReleaseScene(scene);
    }
    offset = offset_search_get(&search, -1);
    if (offset >= 0)
        draft_add(class, (struct draft_line){draft_scene_slot, NULL, {offset}});
}

static void instance_learn(const struct embree_device *device)
{
    int64_t before = device->bytes;
    void *geometry = embree.rtcNewGeometry(device->handle, embree_instance);
    struct draft_class *class = geometry != NULL ? class_of_instance(geometry) : NULL;
    int64_t one = device->bytes - before;
    int64_t each;

    if (class == NULL)
        return;
    embree.rtcSetGeometryTimeStepCount(geometry, 4);
    each = (device->bytes - before - one) / 3;
    find_scene(class, device, geometry);
    if (one > each)
        draft_add(class, (struct draft_line){draft_bytes, NULL, {(int32_t)(one - each)}});
    if (each > 0)
        draft_add(class, (struct draft_line){draft_bytes_each, "time_steps", {(int32_t)each}});
    embree.rtcReleaseGeometry(geometry);
}

/* Find the words of GEOMETRY that point to the COUNT scenes, and the number of scenes. */
static void find_scenes(struct draft_class *class, const void *geometry, void *const *scenes,
                        unsigned count)
{
    unsigned char bytes[OFFSETS];
    void *items[SCENES];
    size_t size = object_read((uintptr_t)geometry, bytes);

    for (size_t at = 8; at + 12 <= size; at += 8) {
        uintptr_t address = (uintptr_t)own_memory_decode(bytes + at, 8);

        if (!own_memory_read(address, items, count * sizeof(items[0])) ||
            memcmp(items, scenes, count * sizeof(items[0])) != 0 ||
            own_memory_decode(bytes + at + 8, 4) != count)
            continue;
        DRAFT_MEMBER(class, "objects", (int32_t)at + 8, 4);
        draft_add(class,
                  (struct draft_line){draft_scene_slots, NULL, {(int32_t)at, (int32_t)at + 8}});
    }
}

static void instance_array_learn(const struct embree_device *device)
{
    int64_t before = device->bytes;
    void *geometry = embree.rtcNewGeometry(device->handle, embree_instance_array);
    struct draft_class *class = geometry != NULL ? class_of_instance(geometry) : NULL;
    int64_t one = device->bytes - before;
    void *scenes[SCENES];

    if (class == NULL)
        return;
    for (unsigned i = 0; i < SCENES; i++)
        scenes[i] = embree.rtcNewScene(device->handle);
    find_scene(class, device, geometry);
    before = device->bytes;
    embree.rtcSetGeometryInstancedScenes(geometry, scenes, SCENES);
    before = (device->bytes - before) / SCENES;
    find_scenes(class, geometry, scenes, SCENES);
    if (one > 0)
        draft_add(class, (struct draft_line){draft_bytes, NULL, {(int32_t)one}});
    if (before > 0)
        draft_add(class, (struct draft_line){draft_bytes_each, "objects", {(int32_t)before}});
    embree.rtcReleaseGeometry(geometry);
    for (unsigned i = 0; i < SCENES; i++)
        embree.rtcReleaseScene(scenes[i]);
}

void instances_learn(void)
{
    struct embree_device device;

    if (!embree_device_open(&device, NULL))
        return;
    instance_learn(&device);
    if (embree.rtcSetGeometryInstancedScenes != NULL)
        instance_array_learn(&device);
    embree_device_close(&device);
}
