/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake-embree.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define DATA_SIZE PAGE

static const struct {
    const char *kind; /* NULL: not in the layout */
    const char *name;
    enum embree_class base; /* the class itself: none */
    const char *lines;
} classes[embree_class_count] = {
    [embree_device] = {"device", "N6embree6DeviceE", embree_device,
                       "  member references 8 8\n"
                       "  member error_function 16 8\n  member error_data 24 8\n"
                       "  member monitor_function 32 8\n  member monitor_data 40 8\n"
                       "  member errors_begin 56 8\n  member errors_end 64 8\n"
                       "  base 48\n"},
    [embree_scene] = {"scene", "N6embree5SceneE", embree_scene,
                      "  member references 8 8\n  member device 16 8\n"
                      "  member modified 24 1\n  member build_mutex 32 8\n"
                      "  member geometry_items 40 8\n  member geometry_count 48 8\n"
                      "  member flags 56 4\n  member quality 60 4\n"
                      "  member progress_function 64 8\n  member progress_data 72 8\n"
                      "  own-each 80 88\n"},
    [embree_buffer] = {"buffer", "N6embree6BufferE", embree_buffer,
                       "  member references 8 8\n  member device 16 8\n"
                       "  member pointer 24 8\n  member bytes 32 8\n  member shared 40 1\n"},
    [embree_geometry] = {"geometry", "N6embree8GeometryE", embree_geometry,
                         "  member references 8 8\n  member device 16 8\n"
                         "  member user_data 24 8\n  member primitives 32 4\n"
                         "  member time_steps 36 4\n  member type 40 1\n"
                         "  member state 41 1 3 2\n  member enabled 41 1 5 1\n"
                         "  view 24 16 8\n"},
    [embree_mesh] = {"geometry", "N6embree12TriangleMeshE", embree_geometry,
                     "  slot index 64\n  slot vertex 96\n  slots vertex 112 120 32 24\n"
                     "  vector 128 4\n"},
    [embree_instance] = {"geometry", "N6embree8InstanceE", embree_geometry,
                         "  scene-slot 64\n  bytes 100\n  bytes-each time_steps 10\n"},
    [embree_array] = {"geometry", "N6embree13InstanceArrayE", embree_geometry,
                      "  member objects 72 4\n  scene-slot 64\n  scene-slots 80 88\n"
                      "  bytes-each objects 8\n"},
    [embree_bvh] = {"bvh", "N6embree4BVHNILi4EEE", embree_bvh,
                    "  member used_blocks 24 8\n  member free_blocks 32 8\n"
                    "  member thread_blocks 40 8\n  vector 104 32\n  own-each 144 152\n"},
    [embree_part] = {"part", "N6embree13AccelInstanceE", embree_part, "  own 16\n  own 24\n"},
    [embree_builder] = {"builder", "N6embree7BuilderE", embree_builder,
                        "  vectors 16 24 48 8 4\n  own 32\n"},
    [embree_user_bvh] = {"user-bvh", "N6embree3BVHE", embree_user_bvh,
                         "  member references 8 8\n  member device 16 8\n"
                         "  member used_blocks 24 8\n  member free_blocks 32 8\n"
                         "  member thread_blocks 40 8\n"},
    [embree_triangles] = {NULL, "N6embree3avx15TriangleMeshISAE", embree_mesh, NULL},
    [embree_users] = {NULL, "N6embree3avx12UserGeometryE", embree_accel_set, NULL},
    [embree_accel_set] = {NULL, "N6embree8AccelSetE", embree_geometry, NULL},
};

/* ---- The module ------------------------------------------------------------------------------ */

/* The next bytes of the module's data. */
static uint64_t data_reserve(struct fake_embree *embree, uint64_t size)
{
    uint64_t address = embree->room;

    embree->room += (size + 7) & ~UINT64_C(7);
    ck_assert_uint_le(embree->room, embree->end);
    return address;
}

void fake_embree_put(struct fake_embree *embree, uint64_t object, unsigned place, uint64_t value)
{
    fake_put(embree->target, object + place, 8, value);
}

/* Write a type with NAME, whose bases take SIZE bytes. */
static uint64_t type_make(struct fake_embree *embree, const char *name, uint64_t size)
{
    uint64_t type = data_reserve(embree, 16 + size);
    uint64_t text = data_reserve(embree, strlen(name) + 1);

    /* The table of a type is libstdc++'s. */
    fake_embree_put(embree, type, 0, embree->end + PAGE);
    fake_embree_put(embree, type, 8, text);
    for (size_t i = 0; i <= strlen(name); i++)
        fake_put(embree->target, text + i, 1, (uint8_t)name[i]);
    return type;
}

uint64_t fake_embree_type(struct fake_embree *embree, const char *name, uint64_t base)
{
    uint64_t type = type_make(embree, name, 8);

    fake_embree_put(embree, type, 16, base);
    return type;
}

/* The same of a class with two bases: flags, their number, and each with its flags. */
static uint64_t type_make_of_two(struct fake_embree *embree, const char *name, uint64_t base)
{
    uint64_t type = type_make(embree, name, 40);

    fake_embree_put(embree, type, 16, UINT64_C(2) << 32);
    fake_embree_put(embree, type, 24, base);
    fake_embree_put(embree, type, 40, embree->end + PAGE);
    return type;
}

uint64_t fake_embree_table(struct fake_embree *embree, uint64_t type, uint64_t distance)
{
    uint64_t front = data_reserve(embree, 32);

    fake_embree_put(embree, front, 0, -distance);
    fake_embree_put(embree, front, 8, type);
    fake_embree_put(embree, front, 16, embree->start + PAGE);
    fake_embree_put(embree, front, 24, embree->start + PAGE + 16);
    return front + 16;
}

void fake_embree_create(struct fake_embree *embree, struct fake_target *target,
                        const char *build_id)
{
    *embree = (struct fake_embree){.target = target};
    embree->start = fake_reserve(target, 2 * PAGE + DATA_SIZE, PAGE);
    embree->data = embree->start + 2 * PAGE;
    embree->end = embree->data + DATA_SIZE;
    embree->room = embree->data;
    fake_put_module_header(target, embree->start, DATA_SIZE);
    embree->module = fake_add_module(target, EMBREE_NAME, build_id, build_id == NULL ? 0 : 4,
                                     embree->start, embree->end);
    fake_add_symbol(target, embree->module, "rtcNewDevice", embree->start + PAGE);
    /* Bases first. */
    for (unsigned i = embree_class_count; i-- > 0;) {
        enum embree_class base = classes[i].base;

        if (base == (enum embree_class)i)
            embree->types[i] = fake_embree_type(embree, classes[i].name, 0);
    }
    for (unsigned i = 0; i < embree_class_count; i++) {
        enum embree_class base =
            classes[i].base == embree_accel_set ? embree_geometry : classes[i].base;

        if (embree->types[i] != 0)
            continue;
        if (i == embree_users)
            embree->types[embree_accel_set] =
                fake_embree_type(embree, classes[embree_accel_set].name, embree->types[base]);
        embree->types[i] =
            i == embree_users
                ? type_make_of_two(embree, classes[i].name, embree->types[embree_accel_set])
                : fake_embree_type(embree, classes[i].name, embree->types[base]);
    }
    for (unsigned i = 0; i < embree_class_count; i++)
        embree->tables[i] = fake_embree_table(embree, embree->types[i], 0);
    embree->second = fake_embree_table(embree, embree->types[embree_device], in_second);
}

const char *fake_embree_layout(const struct fake_embree *embree, unsigned parts)
{
    static char text[8192];
    int length = snprintf(text, sizeof(text),
                          "ompd-opencl-layout 1.0\nruntime Embree 3\nmodule libembree3.so.3\n%s"
                          "machine 62 64 little\nrequire classes\n",
                          (parts & layout_has_build_id) != 0 ? "build-id 61626364\n" : "");

    for (unsigned i = 0; i < embree_class_count; i++) {
        char type[32] = "";

        if (classes[i].kind == NULL || (i >= embree_bvh && (parts & layout_has_memory) == 0))
            continue;
        if ((parts & layout_has_types) != 0)
            snprintf(type, sizeof(type), " 0x%lx",
                     (unsigned long)(embree->types[i] - embree->start));
        length += snprintf(text + length, sizeof(text) - (size_t)length, "class %s %s%s\n%s",
                           classes[i].kind, classes[i].name, type, classes[i].lines);
    }
    if ((parts & layout_has_memory) != 0)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "class block -\n  bytes 64\n  member allocated 0 8\n"
                           "  member allocated_end 8 8\n  member reserved_end 16 8\n"
                           "  member next 24 8\n  member wasted 32 8\n  member type 40 4\n");
    ck_assert_int_lt(length, (int)sizeof(text) - 1);
    return text;
}

/* ---- Objects --------------------------------------------------------------------------------- */

uint64_t fake_embree_make(struct fake_embree *embree, enum embree_class class, uint64_t device)
{
    uint64_t object = fake_reserve(embree->target, embree_object_size, 16);

    fake_embree_put(embree, object, 0, embree->tables[class]);
    fake_embree_put(embree, object, in_references, 1);
    if (class == embree_device)
        fake_embree_put(embree, object, in_second, embree->second);
    if (device == 0)
        return object;
    fake_embree_put(embree, object, in_device, device);
    fake_embree_put(embree, device, in_references,
                    fake_get(embree->target, device + in_references, 8) + 1);
    return object;
}

uint64_t fake_embree_block(struct fake_embree *embree, uint64_t bytes, uint64_t next)
{
    uint64_t block = fake_reserve(embree->target, embree_block_size, 16);

    fake_embree_put(embree, block, block_wasted, 16);
    fake_embree_put(embree, block, block_allocated, (bytes - EMBREE_HEADER - 16) / 2);
    fake_embree_put(embree, block, block_allocated_end, bytes - EMBREE_HEADER - 16);
    fake_embree_put(embree, block, block_reserved_end, bytes);
    fake_embree_put(embree, block, block_next, next);
    return block;
}

void fake_embree_vector(struct fake_embree *embree, uint64_t address, uint64_t count)
{
    fake_embree_put(embree, address, 16, count == 0 ? 0 : count - 1);
    fake_embree_put(embree, address, 24, count);
    fake_embree_put(embree, address, 32, 0x1000);
}

uint64_t fake_embree_list(struct fake_embree *embree, uint64_t object, unsigned place,
                          const uint64_t *words, uint64_t count, bool has_end)
{
    uint64_t list = fake_reserve(embree->target, 8 * count, 16);

    for (uint64_t i = 0; i < count; i++)
        fake_embree_put(embree, list, (unsigned)(8 * i), words[i]);
    fake_embree_put(embree, object, place, list);
    fake_embree_put(embree, object, place + 8, has_end ? list + 8 * count : count);
    return list;
}
