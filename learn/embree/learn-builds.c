/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h: BVHs and their builders, which are inspected while they build, as most vectors
 * are empty afterwards.  Devices build with one thread, which then is in the memory monitor. */
#include <learn/embree/embree.h>

#include <string.h>

/* A build that is being observed. */
struct build {
    const struct embree_device *device;
    uintptr_t scene;
};

static bool has_word(const struct class_name *class, const char *word)
{
    return class != NULL && strstr(class->name, word) != NULL;
}

static bool is_bvh(const struct class_name *class)
{
    return class != NULL && strncmp(class->name, "N6embree4BVHNI", 14) == 0;
}

/* A builder that refits owns another, which builds. */
static bool is_refitter(const struct class_name *class)
{
    return has_word(class, "BVHNRefitTI");
}

static bool is_builder(const struct class_name *class)
{
    return is_refitter(class) || (has_word(class, "BVHN") && has_word(class, "Builder") &&
                                  !has_word(class, "RefBuilder"));
}

static struct draft_class *draft_of(const char *kind, const struct class_name *class)
{
    char pattern[CLASS_PATTERN];

    class_pattern(class, pattern);
    return draft_class_get(kind, pattern);
}

static void add_own_each(struct draft_class *class, uintptr_t object, const char *word)
{
    int32_t offset = vector_of_objects(object, word);

    if (offset >= 0)
        draft_add(class, (struct draft_line){draft_own_each, NULL, {offset, offset + 8}});
}

/* Call INSPECT for the objects in the vector of OBJECT that contains those with WORD. */
static void inspect_each(const struct build *build, uintptr_t object, const char *word,
                         void (*inspect)(const struct build *build, uintptr_t object))
{
    int32_t offset = vector_of_objects(object, word);
    uint64_t begin;
    uint64_t end;

    if (offset < 0 || !own_memory_number(object + (uintptr_t)offset, 8, &begin) ||
        !own_memory_number(object + (uintptr_t)offset + 8, 8, &end))
        return;
    for (; begin < end; begin += 8) {
        uint64_t element;

        if (own_memory_number((uintptr_t)begin, 8, &element) && element != 0)
            inspect(build, (uintptr_t)element);
    }
}

/* Find the words of OBJECT that are DEVICE: its own, and that of its allocator. */
static void allocator_find(struct draft_class *class, const struct embree_device *device,
                           uintptr_t object)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read(object, bytes);
    unsigned found = 0;

    for (size_t at = 8; at + 8 <= size && found < 2; at += 8)
        if (own_memory_decode(bytes + at, 8) == (uintptr_t)device->handle && found++ == 0)
            DRAFT_MEMBER(class, "device", (int32_t)at, 8);
        else if (found == 2)
            class->allocator = (int32_t)at;
}

static void inspect_bvh(const struct build *build, uintptr_t object)
{
    struct draft_class *class = draft_of("bvh", class_of(object));

    allocator_find(class, build->device, object);
    monitored_vectors_learn(class, build->device, object);
    add_own_each(class, object, "4BVHNI");
}

static void inspect_builder(const struct build *build, uintptr_t object);

/* Inspect the builders and BVHs that the words of OBJECT, of KIND, point to.  It owns those of
 * its last words; others are those of its intersectors.  A builder owns no BVH. */
static void inspect_words(const struct build *build, uintptr_t object, const char *kind)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read(object, bytes);
    int32_t bvh = 0;
    int32_t builder = 0;

    for (size_t at = 8; at + 8 <= size; at += 8) {
        uintptr_t word = (uintptr_t)own_memory_decode(bytes + at, 8);
        const struct class_name *class = word % 8 == 0 ? class_of(word) : NULL;

        bvh = is_bvh(class) && strcmp(kind, "builder") != 0 ? (int32_t)at : bvh;
        builder = is_builder(class) ? (int32_t)at : builder;
    }
    if (bvh != 0) {
        draft_add(draft_of(kind, class_of(object)), (struct draft_line){draft_own, NULL, {bvh}});
        inspect_bvh(build, (uintptr_t)own_memory_decode(bytes + bvh, 8));
    }
    if (builder != 0) {
        draft_add(draft_of(kind, class_of(object)),
                  (struct draft_line){draft_own, NULL, {builder}});
        inspect_builder(build, (uintptr_t)own_memory_decode(bytes + builder, 8));
    }
}

static void inspect_part(const struct build *build, uintptr_t object)
{
    if (!has_word(class_of(object), "RefBuilderSmall"))
        inspect_words(build, object, "part");
}

static void inspect_builder(const struct build *build, uintptr_t object)
{
    struct draft_class *class = draft_of("builder", class_of(object));

    monitored_vectors_learn(class, build->device, object);
    add_own_each(class, object, "RefBuilder");
    inspect_each(build, object, "RefBuilder", inspect_part);
    if (is_refitter(class_of(object)))
        inspect_words(build, object, "builder");
}

static void inspect_build(void *argument)
{
    const struct build *build = argument;

    inspect_each(build, build->scene, "AccelInstance", inspect_part);
}

/* A scene whose build is observed. */
struct build_wish {
    const char *config;
    struct embree_wish wish;
    unsigned count;
    int flags;
    int quality;
};

static void build_observe(const struct build_wish *wish)
{
    struct embree_device device;
    struct build build = {.device = &device};
    void *scene;

    if (!embree_device_open(&device, wish->config))
        return;
    scene = embree_scene_create(&device, &wish->wish, wish->count, wish->flags, wish->quality);
    build.scene = (uintptr_t)scene;
    device.argument = &build;
    device.observe = inspect_build;
    embree.rtcCommitScene(scene);
    inspect_build(&build);
    device.observe = NULL;
    embree.rtcReleaseScene(scene);
    embree_device_close(&device);
}

#define MESH(type, steps, edge, quality)                                                           \
    {                                                                                              \
        type, steps, 0, 1, edge, quality                                                           \
    }

static const struct build_wish wishes[] = {
    {NULL, MESH(embree_triangles, 1, 20, embree_medium), 1, 0, embree_medium},
    {NULL, MESH(embree_triangles, 1, 20, embree_medium), 3, embree_dynamic, embree_low},
    {NULL, MESH(embree_triangles, 1, 20, embree_low), 3, embree_dynamic, embree_low},
    {NULL, MESH(embree_triangles, 1, 20, embree_refit), 3, embree_dynamic, embree_low},
    {NULL, MESH(embree_triangles, 1, 20, embree_medium), 1, 0, embree_high},
    {"tri_accel=qbvh4.triangle4i", MESH(embree_triangles, 1, 20, embree_medium), 1, 0,
     embree_medium},
    {NULL, MESH(embree_grids, 1, 20, embree_medium), 1, 0, embree_medium},
    {NULL, MESH(embree_grids, 2, 20, embree_medium), 1, 0, embree_medium},
    {NULL, MESH(embree_round_bspline, 1, 40, embree_medium), 1, 0, embree_medium},
    {NULL, MESH(embree_subdivision, 1, 5, embree_medium), 1, 0, embree_medium},
    {NULL, MESH(embree_subdivision, 2, 5, embree_medium), 1, 0, embree_medium},
};

static void user_bvh_learn(void)
{
    static struct offset_search references;
    struct embree_device device;
    struct draft_class *class;
    void *bvh;

    references = (struct offset_search){.width = 8};
    if (!embree_device_open(&device, NULL))
        return;
    bvh = embree.rtcNewBVH(device.handle);
    class =
        class_of((uintptr_t)bvh) != NULL ? draft_of("user-bvh", class_of((uintptr_t)bvh)) : NULL;
    for (unsigned i = 0; i < 4; i++, embree.rtcRetainBVH(bvh))
        offset_search_sample(&references, bvh, i + 1);
    for (unsigned i = 0; i < 4; i++)
        embree.rtcReleaseBVH(bvh);
    if (class != NULL) {
        offset_search_add(&references, class, "references");
        allocator_find(class, &device, (uintptr_t)bvh);
        monitored_vectors_learn(class, &device, (uintptr_t)bvh);
        embree_bvh_build(bvh, 500, embree_low);
        monitored_vectors_learn(class, &device, (uintptr_t)bvh);
    }
    embree.rtcReleaseBVH(bvh);
    embree_device_close(&device);
}

void builds_learn(void)
{
    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++)
        build_observe(&wishes[i]);
    user_bvh_learn();
}
