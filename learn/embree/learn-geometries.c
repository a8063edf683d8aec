/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h: where geometries refer to their buffers.  A type of geometry is learned with an
 * object, and only what also holds for another, with other counts, is kept. */
#include <learn/embree/embree.h>

#include <string.h>

/* A monitored vector: the device as a MemoryMonitorInterface, whether there are huge pages, the
 * number of items, the number that fit, and the items. */
#define VECTOR_WORDS 5

static uintptr_t base_of(const struct embree_device *device)
{
    const struct class_name *class = class_of((uintptr_t)device->handle);
    const struct draft_class *draft = class != NULL ? draft_class_of(class) : NULL;

    for (unsigned i = 0; draft != NULL && i < draft->count; i++)
        if (draft->lines[i].word == draft_base)
            return (uintptr_t)device->handle + (uintptr_t)draft->lines[i].numbers[0];
    return 0;
}

/* Whether the words at AT, copied from an object, are a monitored vector of DEVICE's.  SIZE is set
 * to the size of its elements, or to 0 if it is empty. */
static bool monitored_vector(const struct embree_device *device, const unsigned char *at,
                             int32_t *size)
{
    uint64_t words[VECTOR_WORDS];
    struct malloc_block block;

    memcpy(words, at, sizeof(words));
    if (words[0] == 0 || words[0] != base_of(device) || words[2] > words[3] ||
        (words[3] == 0) != (words[4] == 0))
        return false;
    *size = 0;
    if (words[3] != 0 && guard_heap_find((uintptr_t)words[4], &block) && block.start == words[4] &&
        block.size % words[3] == 0)
        *size = (int32_t)(block.size / words[3]);
    return true;
}

void monitored_vectors_learn(struct draft_class *class, const struct embree_device *device,
                             uintptr_t object)
{
    unsigned char bytes[OFFSETS];
    size_t length = object_read(object, bytes);

    for (size_t at = 0; at + VECTOR_WORDS * 8 <= length; at += 8) {
        int32_t size;

        if (monitored_vector(device, bytes + at, &size))
            draft_vector_add(class, (int32_t)at, size);
    }
}

/* The buffer for SLOT of the type of USE; NULL: there is none. */
static const struct embree_buffer_use *use_of_slot(const struct embree_geometry *geometry,
                                                   const struct embree_buffer_use *use,
                                                   unsigned slot)
{
    for (unsigned i = 0; i < geometry->use_count; i++)
        if (geometry->uses[i].type == use->type && geometry->uses[i].slot == slot)
            return &geometry->uses[i];
    return NULL;
}

static unsigned slot_count(const struct embree_geometry *geometry,
                           const struct embree_buffer_use *use)
{
    unsigned count = 0;

    while (use_of_slot(geometry, use, count) != NULL)
        count++;
    return count;
}

/* Find where the items at BLOCK refer to the buffers of the type of USE: STRIDE and the offset
 * of the first. */
static bool find_items(const struct malloc_block *block, const struct embree_geometry *geometry,
                       const struct embree_buffer_use *use, int32_t *stride, int32_t *first)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read(block->start, bytes);
    unsigned found = 0;
    int32_t offsets[2] = {0};

    for (size_t at = 0; at + 8 <= size && found < 2; at += 8)
        if (own_memory_decode(bytes + at, 8) ==
            (uintptr_t)use_of_slot(geometry, use, found)->buffer)
            offsets[found++] = (int32_t)at;
    *stride = offsets[1] - offsets[0];
    *first = offsets[0];
    for (unsigned slot = 0; found == 2 && slot < slot_count(geometry, use); slot++) {
        size_t at = (size_t)(*first + (int32_t)slot * *stride);

        if (at + 8 > size ||
            own_memory_decode(bytes + at, 8) != (uintptr_t)use_of_slot(geometry, use, slot)->buffer)
            found = 0;
    }
    return found == 2 && *first < *stride;
}

/* The offset of the first of three words before AT that is COUNT; -1: none is.  The number of items
 * that fit follows it. */
static int32_t count_before(const unsigned char *bytes, size_t at, unsigned count)
{
    for (unsigned back = 24; back >= 8; back -= 8)
        if (back <= at && own_memory_decode(bytes + at - back, 8) == count)
            return (int32_t)(at - back);
    return -1;
}

/* Find the monitored vectors in the items of LINE, which is of slots. */
static void find_inner_vectors(struct draft_class *class, const struct embree_device *device,
                               const unsigned char *bytes, const struct draft_line *line)
{
    unsigned char items[OFFSETS];
    size_t length = object_read((uintptr_t)own_memory_decode(bytes + line->numbers[0], 8), items);
    int32_t size;

    for (int32_t at = 0; at + VECTOR_WORDS * 8 <= line->numbers[2]; at += 8)
        if ((size_t)at + VECTOR_WORDS * 8 <= length &&
            monitored_vector(device, items + at, &size) && size != 0)
            draft_add(class, (struct draft_line){
                                 draft_vectors,
                                 NULL,
                                 {line->numbers[0], line->numbers[1], line->numbers[2], at, size}});
}

/* Find the vectors of GEOMETRY that refer to the buffers of the type of USE. */
static void find_slots(struct draft_class *class, const struct embree_device *device,
                       const struct embree_geometry *geometry, const struct embree_buffer_use *use)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read((uintptr_t)geometry->handle, bytes);

    for (size_t at = 8; at + 8 <= size; at += 8) {
        uintptr_t items = (uintptr_t)own_memory_decode(bytes + at, 8);
        struct draft_line line = {draft_slots, use->name, {(int32_t)at}};
        struct malloc_block block;

        if (guard_heap_find(items, &block) && block.start == items &&
            find_items(&block, geometry, use, &line.numbers[2], &line.numbers[3])) {
            line.numbers[1] = count_before(bytes, at, slot_count(geometry, use));
            if (line.numbers[1] < 0)
                continue;
            draft_add(class, line);
            find_inner_vectors(class, device, bytes, &line);
        }
    }
}

/* What precedes the reference to a buffer in a view of it, and at which distances, in words, it
 * still can be. */
enum view_value { view_pointer, view_stride, view_count, VIEW_VALUES };

#define VIEW_WORDS 9

static bool view_excludes[VIEW_VALUES][VIEW_WORDS];
static unsigned view_samples;

/* The view whose reference is at OFFSET of the geometry is of the buffer of USE. */
static void view_sample(const unsigned char *bytes, size_t offset,
                        const struct embree_buffer_use *use)
{
    const uint64_t values[VIEW_VALUES] = {(uintptr_t)embree.rtcGetBufferData(use->buffer),
                                          use->size, use->count};

    view_samples++;
    for (unsigned value = 0; value < VIEW_VALUES; value++)
        for (unsigned back = 0; back < VIEW_WORDS; back++)
            view_excludes[value][back] |=
                8 * back > offset ||
                own_memory_decode(bytes + offset - 8 * (size_t)back, 8) != values[value];
}

/* Add the distances that fit all views.  If there are two pointers, the first is the host's. */
static void view_add(struct draft_class *class)
{
    struct draft_line line = {draft_view, NULL, {0}};

    for (unsigned value = 0; value < VIEW_VALUES; value++)
        for (int32_t back = 1; back < VIEW_WORDS; back++)
            if (!view_excludes[value][back])
                line.numbers[value] = 8 * back;
    if (view_samples != 0 && line.numbers[view_pointer] != 0 && line.numbers[view_stride] != 0 &&
        line.numbers[view_count] != 0)
        draft_add(class, line);
}

/* Find the words of GEOMETRY that are buffers. */
static void find_slot_words(struct draft_class *class, const struct embree_geometry *geometry)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read((uintptr_t)geometry->handle, bytes);

    for (unsigned i = 0; i < geometry->use_count; i++) {
        const struct embree_buffer_use *use = &geometry->uses[i];

        for (size_t at = 8; at + 8 <= size; at += 8)
            if (own_memory_decode(bytes + at, 8) == (uintptr_t)use->buffer) {
                draft_add(class, (struct draft_line){draft_slot, use->name, {(int32_t)at}});
                view_sample(bytes, at, use);
            }
    }
}

/* The class of the geometry below that of all geometries. */
static struct draft_class *class_of_type(const struct embree_geometry *geometry)
{
    const struct class_name *class = class_of((uintptr_t)geometry->handle);

    while (class != NULL && class_base(class) != NULL && class_base(class_base(class)) != NULL &&
           class_base(class_base(class_base(class))) != NULL)
        class = class_base(class);
    return class != NULL ? draft_class_get("geometry", class->name) : NULL;
}

/* Put what a geometry of WISH has in FOUND.  Returns the draft of its class, or NULL. */
static struct draft_class *geometry_inspect(struct embree_device *device,
                                            const struct embree_wish *wish,
                                            struct draft_class *found)
{
    struct embree_geometry geometry;
    struct draft_class *class = NULL;
    void *scene = embree.rtcNewScene(device->handle);

    found->count = 0;
    /* An array without instances has buffers but cannot be committed. */
    if (embree_geometry_create(&geometry, device, wish) || wish->type == embree_instance_array) {
        embree.rtcAttachGeometry(scene, geometry.handle);
        embree.rtcCommitScene(scene);
        class = geometry.handle != NULL ? class_of_type(&geometry) : NULL;
    }
    if (class != NULL) {
        find_slot_words(found, &geometry);
        for (unsigned i = 0; i < geometry.use_count; i++)
            if (geometry.uses[i].slot == 0 && slot_count(&geometry, &geometry.uses[i]) > 1)
                find_slots(found, device, &geometry, &geometry.uses[i]);
        monitored_vectors_learn(found, device, (uintptr_t)geometry.handle);
    }
    if (geometry.handle != NULL)
        embree.rtcReleaseGeometry(geometry.handle);
    embree.rtcReleaseScene(scene);
    return class;
}

/* Add the lines that ONE and OTHER have in common to CLASS. */
static void add_common(struct draft_class *class, const struct draft_class *one,
                       const struct draft_class *other)
{
    for (unsigned i = 0; i < one->count; i++)
        for (unsigned j = 0; j < other->count; j++)
            if (draft_line_is_same(&one->lines[i], &other->lines[j]))
                draft_add(class, one->lines[i]);
}

static void type_learn(int type)
{
    static struct draft_class found[2];
    const struct embree_wish wish = {.type = type,
                                     .time_steps = 3,
                                     .attributes = type == embree_instance_array ? 0 : 3,
                                     .topologies = type == embree_subdivision ? 3 : 1,
                                     .edge = 4,
                                     .quality = embree_medium};
    struct embree_wish other = wish;
    struct embree_device device;
    struct draft_class *class;

    if (!embree_device_open(&device, NULL))
        return;
    other.time_steps = 5;
    other.attributes *= 2;
    other.topologies *= type == embree_subdivision ? 2 : 1;
    other.edge = 5;
    class = geometry_inspect(&device, &wish, &found[0]);
    if (class != NULL && geometry_inspect(&device, &other, &found[1]) == class)
        add_common(class, &found[0], &found[1]);
    embree_device_close(&device);
}

void geometries_learn(struct draft_class *geometry_class)
{
    static const int types[] = {
        embree_triangles,        embree_quads,      embree_grids,           embree_flat_bspline,
        embree_oriented_hermite, embree_flat_lines, embree_oriented_points, embree_subdivision,
        embree_instance_array};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        type_learn(types[i]);
    view_add(geometry_class);
}
