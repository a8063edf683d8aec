/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h.  The library that reads the layout adds the same bytes. */
#include <learn/embree/embree.h>

#include <string.h>

#define DEEPEST 12
#define MOST_BLOCKS 100000
#define BLOCK_HEADER 64
#define BLOCK_SHARED 2

/* Where an allocator can have its chains, relative to its first word, which is the device. */
struct shape {
    int32_t used;
    int32_t unused;
    int32_t threads; /* the first of THREAD_CHAINS */
};

static const struct shape shapes[] = {{88, 96, 104}, {248, 256, 184}};

#define THREAD_CHAINS 8

/* The fields of a block. */
enum block_field { block_cur, block_end, block_reserved, block_next, block_wasted, block_type };

static const struct {
    const char *name;
    int32_t offset;
    int32_t width;
} block_fields[] = {{"allocated", 0, 8}, {"allocated_end", 8, 8}, {"reserved_end", 16, 8},
                    {"next", 24, 8},     {"wasted", 32, 8},       {"type", 40, 4}};

static bool word_read(uintptr_t address, uint64_t *word)
{
    return own_memory_number(address, 8, word);
}

/* Add the bytes of the chain of blocks that the word at HEAD begins. */
static bool account_chain(uintptr_t head, int64_t *bytes)
{
    uint64_t block;

    if (!word_read(head, &block))
        return false;
    for (unsigned i = 0; block != 0; i++) {
        uint64_t values[block_type + 1];
        uint64_t end;

        for (unsigned field = 0; field <= block_type; field++)
            if (!own_memory_number((uintptr_t)block + (uintptr_t)block_fields[field].offset,
                                   (unsigned)block_fields[field].width, &values[field]))
                return false;
        end = values[block_cur] > values[block_end] ? values[block_cur] : values[block_end];
        end = end < values[block_reserved] ? end : values[block_reserved];
        if (values[block_type] > BLOCK_SHARED || i == MOST_BLOCKS)
            return false;
        if (values[block_type] != BLOCK_SHARED)
            *bytes += (int64_t)(values[block_wasted] + BLOCK_HEADER + end);
        block = values[block_next];
    }
    return true;
}

static bool account_object(uintptr_t object, int64_t *bytes, unsigned depth);

/* Add what the word at ADDRESS points to, if it is of the draft. */
static bool account_word(uintptr_t address, int64_t *bytes, unsigned depth)
{
    const struct class_name *class;
    uint64_t object;

    if (!word_read(address, &object))
        return false;
    class = object != 0 ? class_of((uintptr_t)object) : NULL;
    return class == NULL || draft_class_of(class) == NULL ||
           account_object((uintptr_t)object, bytes, depth + 1);
}

static bool account_each(uintptr_t object, const struct draft_line *line, int64_t *bytes,
                         unsigned depth)
{
    uint64_t begin;
    uint64_t end;

    if (!word_read(object + (uintptr_t)line->numbers[0], &begin) ||
        !word_read(object + (uintptr_t)line->numbers[1], &end))
        return false;
    for (; begin < end; begin += 8)
        if (!account_word((uintptr_t)begin, bytes, depth))
            return false;
    return true;
}

/* Add a monitored vector of elements of SIZE bytes. */
static bool account_vector(uintptr_t vector, int32_t size, int64_t *bytes)
{
    uint64_t allocated;

    if (!word_read(vector + 24, &allocated))
        return false;
    *bytes += (int64_t)allocated * size;
    return true;
}

static bool account_vectors(uintptr_t object, const struct draft_line *line, int64_t *bytes)
{
    uint64_t items;
    uint64_t count;

    if (!word_read(object + (uintptr_t)line->numbers[0], &items) ||
        !word_read(object + (uintptr_t)line->numbers[1], &count))
        return false;
    for (uint64_t i = 0; i < count; i++, items += (uint64_t)line->numbers[2])
        if (!account_vector((uintptr_t)items + (uintptr_t)line->numbers[3], line->numbers[4],
                            bytes))
            return false;
    return true;
}

static bool account_member(uintptr_t object, const struct draft_line *line, int64_t *bytes)
{
    uintptr_t at = object + (uintptr_t)line->numbers[0];
    unsigned chains = 0;

    if (strcmp(line->name, "used_blocks") == 0 || strcmp(line->name, "free_blocks") == 0)
        chains = 1;
    else if (strcmp(line->name, "thread_blocks") == 0)
        chains = THREAD_CHAINS;
    for (unsigned i = 0; i < chains; i++)
        if (!account_chain(at + 8 * i, bytes))
            return false;
    return true;
}

static bool account_line(uintptr_t object, const struct draft_line *line, int64_t *bytes,
                         unsigned depth)
{
    switch (line->word) {
    case draft_member:
        return account_member(object, line, bytes);
    case draft_vector:
        return account_vector(object + (uintptr_t)line->numbers[0], line->numbers[1], bytes);
    case draft_vectors:
        return account_vectors(object, line, bytes);
    case draft_own:
        return account_word(object + (uintptr_t)line->numbers[0], bytes, depth);
    case draft_own_each:
        return account_each(object, line, bytes, depth);
    default:
        return true;
    }
}

static bool account_object(uintptr_t object, int64_t *bytes, unsigned depth)
{
    const struct draft_class *draft = draft_class_of(class_of(object));

    for (unsigned i = 0; draft != NULL && i < draft->count; i++)
        if (depth > DEEPEST || !account_line(object, &draft->lines[i], bytes, depth))
            return false;
    return true;
}

/* Add the vectors of the geometries of SCENE. */
static bool account_geometries(uintptr_t scene, int64_t *bytes)
{
    const struct class_name *class = class_of(scene);
    int32_t items = draft_member_offset(class, "geometry_items");
    int32_t count = draft_member_offset(class, "geometry_count");
    uint64_t geometry;
    uint64_t left;

    if (items < 0 || count < 0 || !word_read(scene + (uintptr_t)items, &geometry) ||
        !word_read(scene + (uintptr_t)count, &left))
        return false;
    for (; left > 0; left--, geometry += 8)
        if (!account_word((uintptr_t)geometry, bytes, 0))
            return false;
    return true;
}

struct account_wish {
    struct embree_wish wish;
    unsigned count;
    int flags;
    int quality;
};

#define MESH(type, steps, edge, quality)                                                           \
    {                                                                                              \
        type, steps, 0, 1, edge, quality                                                           \
    }

static const struct account_wish wishes[] = {
    {MESH(embree_triangles, 1, 40, embree_medium), 2, 0, embree_medium},
    {MESH(embree_triangles, 1, 60, embree_medium), 3, embree_dynamic, embree_low},
    {MESH(embree_triangles, 1, 40, embree_low), 3, embree_dynamic, embree_medium},
    {MESH(embree_triangles, 2, 30, embree_medium), 1, embree_dynamic, embree_medium},
    {MESH(embree_quads, 1, 40, embree_medium), 2, embree_dynamic | embree_compact, embree_low},
    {MESH(embree_quads, 1, 40, embree_medium), 2, 0, embree_high},
    {MESH(embree_grids, 1, 30, embree_medium), 1, embree_dynamic, embree_medium},
    {MESH(embree_grids, 2, 30, embree_medium), 1, embree_dynamic, embree_medium},
    {MESH(embree_round_bspline, 1, 90, embree_medium), 1, embree_dynamic, embree_medium},
    {MESH(embree_subdivision, 1, 8, embree_medium), 1, embree_dynamic, embree_medium},
    {MESH(embree_subdivision, 2, 8, embree_medium), 1, 0, embree_medium},
};

/* Whether the sum for a scene of WISH is the memory monitor's, before and after a change. */
static bool is_scene_right(const struct account_wish *wish)
{
    struct embree_device device;
    bool is_right = true;
    void *scene;

    if (!embree_device_open(&device, NULL))
        return false;
    scene = embree_scene_create(&device, &wish->wish, wish->count, wish->flags, wish->quality);
    for (unsigned i = 0; i < 2; i++) {
        int64_t bytes = device.buffers;

        embree.rtcCommitScene(scene);
        is_right &= account_object((uintptr_t)scene, &bytes, 0) &&
                    account_geometries((uintptr_t)scene, &bytes) && bytes == device.bytes;
        embree.rtcSetSceneFlags(scene, wish->flags ^ 4);
    }
    embree.rtcReleaseScene(scene);
    embree_device_close(&device);
    return is_right;
}

static bool is_bvh_right(int quality)
{
    struct embree_device device;
    bool is_right = true;
    void *bvh;

    if (!embree_device_open(&device, NULL))
        return false;
    bvh = embree.rtcNewBVH(device.handle);
    for (unsigned count = 100; count < 2000; count += 700) {
        int64_t bytes = 0;

        embree_bvh_build(bvh, count, quality);
        is_right &= account_object((uintptr_t)bvh, &bytes, 0) && bytes == device.bytes;
    }
    embree.rtcReleaseBVH(bvh);
    embree_device_close(&device);
    return is_right;
}

static bool are_sums_right(void)
{
    bool are_right = is_bvh_right(embree_low) && is_bvh_right(embree_medium);

    for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]) && are_right; i++)
        are_right = is_scene_right(&wishes[i]);
    return are_right;
}

static bool is_of_kind(const struct draft_class *class, const char *kind)
{
    return strcmp(class->kind, kind) == 0;
}

/* Add the chains of SHAPE to the BVHs, or remove them. */
static void chains_set(const struct shape *shape, bool is_added)
{
    for (size_t i = 0; i < draft_classes_count(); i++) {
        struct draft_class *class = draft_class_at(i);
        int32_t start = class->allocator;

        if (!is_of_kind(class, "bvh") && !is_of_kind(class, "user-bvh"))
            continue;
        if (!is_added) {
            class->count -= 3;
            continue;
        }
        DRAFT_MEMBER(class, "used_blocks", start + shape->used, 8);
        DRAFT_MEMBER(class, "free_blocks", start + shape->unused, 8);
        DRAFT_MEMBER(class, "thread_blocks", start + shape->threads, 8);
    }
}

/* Give vectors of BVHs that always were empty the size of those that they take over from
 * builders.  Builders have a vector that nothing uses. */
static void sizes_complete(void)
{
    const struct draft_class *builder = draft_class_get("builder", "14BVHNBuilderSAHI");
    int32_t size = 0;

    for (unsigned i = 0; builder != NULL && i < builder->count; i++)
        if (builder->lines[i].word == draft_vector)
            size = builder->lines[i].numbers[1];
    for (size_t i = 0; i < draft_classes_count(); i++) {
        struct draft_class *class = draft_class_at(i);

        for (unsigned j = class->count; j-- > 0;)
            if (class->lines[j].word != draft_vector || class->lines[j].numbers[1] != 0)
                continue;
            else if (is_of_kind(class, "builder"))
                draft_line_remove(class, j);
            else
                class->lines[j].numbers[1] = size;
    }
}

static void builds_remove(void)
{
    for (size_t i = draft_classes_count(); i-- > 0;) {
        const struct draft_class *class = draft_class_at(i);

        if (is_of_kind(class, "bvh") || is_of_kind(class, "user-bvh") ||
            is_of_kind(class, "builder") || is_of_kind(class, "part"))
            draft_class_remove(i);
    }
}

bool account_learn(void)
{
    bool is_right = false;

    sizes_complete();
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]) && !is_right; i++) {
        chains_set(&shapes[i], true);
        is_right = are_sums_right();
        if (!is_right)
            chains_set(&shapes[i], false);
    }
    if (!is_right)
        builds_remove();
    if (is_right)
        draft_add(draft_class_get("block", "-"),
                  (struct draft_line){draft_bytes, NULL, {BLOCK_HEADER}});
    for (size_t i = 0; is_right && i < sizeof(block_fields) / sizeof(block_fields[0]); i++)
        DRAFT_MEMBER(draft_class_get("block", "-"), block_fields[i].name, block_fields[i].offset,
                     block_fields[i].width);
    return is_right;
}
