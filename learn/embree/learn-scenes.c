/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h: the fields of scenes. */
#include <learn/embree/embree.h>

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum scene_value {
    scene_references,
    scene_device,
    scene_modified,
    scene_mutex,
    scene_items,
    scene_count,
    scene_flags,
    scene_quality,
    scene_function,
    scene_data,
    SCENE_VALUES
};

static struct offset_search searches[SCENE_VALUES];

/* Keep the words that point to a mutex that THREAD, or nobody if it is 0, has locked. */
static void mutex_sample(const void *scene, uint64_t thread)
{
    struct offset_search *search = &searches[scene_mutex];
    unsigned char bytes[OFFSETS];
    size_t size = object_read((uintptr_t)scene, bytes);

    for (size_t at = 0; at < sizeof(search->is_possible); at++) {
        uint64_t locked = 0;
        uint64_t owner = 0;
        bool fits = false;

        if (at % 8 == 0 && at + 8 <= size) {
            uintptr_t mutex = (uintptr_t)own_memory_decode(bytes + at, 8);

            fits = own_memory_number(mutex, 4, &locked) &&
                   own_memory_number(mutex + 8, 4, &owner) && (locked != 0) == (thread != 0) &&
                   owner == thread;
        }
        search->is_possible[at] = fits && (!search->is_begun || search->is_possible[at] != 0);
    }
    search->is_begun = true;
}

/* In a build of the scene that DATA points to. */
static bool progress(void *data, double done)
{
    (void)done;
    mutex_sample(*(void **)data, (uint64_t)syscall(SYS_gettid));
    return true;
}

/* Keep the words that point to the COUNT geometries. */
static void items_sample(const void *scene, void *const *geometries, size_t count)
{
    struct offset_search *search = &searches[scene_items];
    unsigned char bytes[OFFSETS];
    void *items[64];
    size_t size = object_read((uintptr_t)scene, bytes);

    for (size_t at = 0; at < sizeof(search->is_possible); at++) {
        bool fits = at % 8 == 0 && at + 8 <= size &&
                    own_memory_read((uintptr_t)own_memory_decode(bytes + at, 8), items,
                                    count * sizeof(items[0])) &&
                    memcmp(items, geometries, count * sizeof(items[0])) == 0;

        search->is_possible[at] = fits && (!search->is_begun || search->is_possible[at] != 0);
    }
    search->is_begun = true;
}

/* Attach COUNT geometries to SCENE, and sample what it then has. */
static void attachments_sample(struct embree_device *device, void *scene, unsigned count)
{
    const struct embree_wish wish = {
        .type = embree_triangles, .time_steps = 1, .topologies = 1, .edge = 12, .quality = 1};
    void *geometries[16];

    for (unsigned i = 0; i < count; i++) {
        struct embree_geometry geometry;

        if (!embree_geometry_create(&geometry, device, &wish))
            return;
        embree.rtcAttachGeometry(scene, geometry.handle);
        embree.rtcReleaseGeometry(geometry.handle);
        geometries[i] = geometry.handle;
        offset_search_sample(&searches[scene_modified], scene, 1);
    }
    items_sample(scene, geometries, count);
    offset_search_sample(&searches[scene_count], scene, count);
    mutex_sample(scene, 0);
    embree.rtcCommitScene(scene);
    mutex_sample(scene, 0);
    offset_search_sample(&searches[scene_modified], scene, 0);
    embree.rtcDetachGeometry(scene, 1);
    offset_search_sample(&searches[scene_modified], scene, 1);
    geometries[1] = NULL;
    items_sample(scene, geometries, count);
}

/* Sample a new scene of DEVICE. */
static void scene_sample(struct embree_device *device, unsigned number)
{
    void *scene = embree.rtcNewScene(device->handle);

    for (unsigned i = 0; i < 5; i++, embree.rtcRetainScene(scene))
        offset_search_sample(&searches[scene_references], scene, i + 1);
    for (unsigned i = 0; i < 5; i++)
        embree.rtcReleaseScene(scene);
    offset_search_sample(&searches[scene_device], scene, (uintptr_t)device->handle);
    embree.rtcSetSceneFlags(scene, (int)number % 8);
    embree.rtcSetSceneBuildQuality(scene, (int)(number + 1) % 3);
    embree.rtcSetSceneProgressMonitorFunction(scene, (void *)progress, &scene);
    offset_search_sample(&searches[scene_flags], scene, number % 8);
    offset_search_sample(&searches[scene_quality], scene, (number + 1) % 3);
    offset_search_sample(&searches[scene_function], scene, (uintptr_t)progress);
    offset_search_sample(&searches[scene_data], scene, (uintptr_t)&scene);
    attachments_sample(device, scene, number + 3);
    embree.rtcReleaseScene(scene);
}

/* Whether the words at AT are the bounds of a vector of pointers to objects of a class of
 * Embree's whose name contains WORD; some may be NULL. */
static bool is_vector_of(const unsigned char *at, const char *word)
{
    uintptr_t begin = (uintptr_t)own_memory_decode(at, 8);
    uintptr_t end = (uintptr_t)own_memory_decode(at + 8, 8);
    bool is_found = false;

    if (begin == 0 || end <= begin || (end - begin) % 8 != 0 || end - begin > 512)
        return false;
    for (; begin < end; begin += 8) {
        uint64_t object;
        const struct class_name *class;

        if (!own_memory_number(begin, 8, &object))
            return false;
        class = object != 0 ? class_of((uintptr_t)object) : NULL;
        if (object != 0 && (class == NULL || strstr(class->name, word) == NULL))
            return false;
        is_found |= object != 0;
    }
    return is_found;
}

int32_t vector_of_objects(uintptr_t object, const char *word)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read(object, bytes);

    for (size_t at = 0; at + 16 <= size; at += 8)
        if (is_vector_of(bytes + at, word))
            return (int32_t)at;
    return -1;
}

/* Learn where a scene has what builds create. */
static void accelerations_learn(struct draft_class *class, struct embree_device *device)
{
    const struct embree_wish wish = {
        .type = embree_triangles, .time_steps = 1, .topologies = 1, .edge = 8, .quality = 1};
    void *scene = embree_scene_create(device, &wish, 2, 0, embree_medium);
    int32_t offset;

    embree.rtcCommitScene(scene);
    offset = vector_of_objects((uintptr_t)scene, "AccelInstance");
    if (offset >= 0)
        draft_add(class, (struct draft_line){draft_own_each, NULL, {offset, offset + 8}});
    embree.rtcReleaseScene(scene);
}

/* Add the count of geometries: of several vectors with as many items, it is before its items. */
static void count_add(struct draft_class *class)
{
    int32_t items = offset_search_get(&searches[scene_items], -1);

    while (items >= 0 && searches[scene_count].is_possible[items] == 0)
        items--;
    if (items >= 0)
        DRAFT_MEMBER(class, "geometry_count", items, 8);
}

void scenes_learn(void)
{
    static const char *const names[SCENE_VALUES] = {
        "references",     "device", "modified", "build_mutex",       "geometry_items",
        "geometry_count", "flags",  "quality",  "progress_function", "progress_data"};
    static const uint8_t widths[SCENE_VALUES] = {8, 8, 1, 8, 8, 8, 4, 4, 8, 8};
    struct draft_class *class = NULL;
    struct embree_device device;

    memset(searches, 0, sizeof(searches));
    for (unsigned i = 0; i < SCENE_VALUES; i++)
        searches[i].width = widths[i];
    for (unsigned i = 0; i < 10; i++) {
        if (!embree_device_open(&device, NULL))
            return;
        scene_sample(&device, i);
        embree_device_close(&device);
    }
    if (!embree_device_open(&device, NULL))
        return;
    {
        void *scene = embree.rtcNewScene(device.handle);
        const struct class_name *name = class_of((uintptr_t)scene);

        class = name != NULL ? draft_class_get("scene", name->name) : NULL;
        embree.rtcReleaseScene(scene);
    }
    for (unsigned i = 0; i < SCENE_VALUES && class != NULL; i++)
        if (i != scene_count)
            offset_search_add(&searches[i], class, names[i]);
    count_add(class);
    if (class != NULL)
        accelerations_learn(class, &device);
    embree_device_close(&device);
}
