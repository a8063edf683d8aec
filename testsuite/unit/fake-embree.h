/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A fake copy of Embree in a fake target of 64 bits: its types, virtual tables and objects, and a
 * layout of them. */
#ifndef FAKE_EMBREE_H
#define FAKE_EMBREE_H

#include "fake-target.h"

/* The classes, in the order of their types. */
enum embree_class {
    embree_device,
    embree_scene,
    embree_buffer,
    embree_geometry,
    embree_mesh,     /* a geometry */
    embree_instance, /* a geometry */
    embree_array,    /* a geometry: many instances */
    embree_bvh,
    embree_part,
    embree_builder,
    embree_user_bvh,
    embree_triangles, /* a mesh, and not in the layout, */
    embree_users,     /* like this geometry, whose direct base is not in it either */
    embree_accel_set, /* that base */
    embree_class_count
};

/* Offsets in the objects. */
enum embree_place {
    in_references = 8,
    in_device = 16,
    /* device */
    in_error_function = 16,
    in_error_data = 24,
    in_monitor = 32,
    in_monitor_data = 40,
    in_second = 48,
    in_errors = 56, /* begin, end */
    /* scene */
    in_modified = 24, /* one byte */
    in_mutex = 32,
    in_items = 40, /* of its geometries, and their number */
    in_flags = 56, /* four bytes, */
    in_quality = 60,
    in_progress = 64, /* function, data */
    in_accels = 80,   /* parts: begin, end */
    /* geometry */
    in_user_data = 24,
    in_primitives = 32, /* four bytes, */
    in_time_steps = 36,
    in_type = 40,      /* one byte, */
    in_bits = 41,      /* also: state at bit 3, enabled at bit 5 */
    in_index = 64,     /* mesh: index buffer */
    in_vertex = 96,    /* mesh: vertex buffer; before it pointer, stride and count */
    in_vertices = 112, /* mesh: items and count of 32 bytes, the buffer at 24 */
    in_vector = 128,   /* mesh: of four bytes */
    in_shown = 64,     /* instance, array: scene */
    in_objects = 72,   /* array: their number, four bytes */
    in_scenes = 80,    /* array: scenes, and their number of four bytes */
    /* buffer */
    in_pointer = 24,
    in_bytes = 32,
    in_shared = 40, /* one byte */
    /* part */
    in_bvh = 16,
    in_builder = 24,
    /* bvh, user bvh */
    in_used = 24,
    in_free = 32,
    in_threads = 40,      /* eight words */
    in_bvh_vector = 104,  /* of 32 bytes */
    in_bvh_objects = 144, /* begin, end */
    /* builder */
    in_vectors = 16, /* items and count of 48 bytes, a vector of 4 bytes at 8 */
    in_other_builder = 32,
    embree_object_size = 176
};

/* In a monitored vector. */
#define EMBREE_VECTOR_SIZE 40

/* In a block. */
enum embree_block_place {
    block_allocated = 0,
    block_allocated_end = 8,
    block_reserved_end = 16,
    block_next = 24,
    block_wasted = 32,
    block_type = 40, /* four bytes */
    embree_block_size = 48
};

#define EMBREE_HEADER 64    /* bytes that each block reports */
#define EMBREE_INSTANCE 100 /* bytes that an instance reports, */
#define EMBREE_STEP 10      /* and for each time step, */
#define EMBREE_OBJECT 8     /* and an array for each object */

struct fake_embree {
    struct fake_target *target;
    uint32_t module; /* its index */
    uint64_t start;
    uint64_t end;
    uint64_t data; /* the start of what may be written to, */
    uint64_t room; /* and its unused part */
    uint64_t types[embree_class_count];
    uint64_t tables[embree_class_count];
    uint64_t second; /* table of devices */
};

/* What a layout has. */
enum embree_layout_part {
    layout_has_build_id = 1,
    layout_has_types = 2, /* the addresses of the types */
    layout_has_memory = 4 /* all classes that report memory */
};
#define EMBREE_LAYOUT (layout_has_build_id | layout_has_types | layout_has_memory)

#define EMBREE_NAME "/opt/libembree3.so.3"

/* Make a copy of it in TARGET, with BUILD_ID of four bytes, or NULL. */
void fake_embree_create(struct fake_embree *embree, struct fake_target *target,
                        const char *build_id);

/* The text of a layout with PARTS, bits of enum embree_layout_part; valid until the next call. The
 * build-id is that of "abcd". */
const char *fake_embree_layout(const struct fake_embree *embree, unsigned parts);

/* Make an object of CLASS with one reference, of DEVICE if that is not 0. */
uint64_t fake_embree_make(struct fake_embree *embree, enum embree_class class, uint64_t device);

/* Write a type of CLASS's NAME, with BASE, whose std::type_info is of a class with one base. */
uint64_t fake_embree_type(struct fake_embree *embree, const char *name, uint64_t base);

/* Write a virtual table of TYPE, DISTANCE bytes into its objects. */
uint64_t fake_embree_table(struct fake_embree *embree, uint64_t type, uint64_t distance);

/* Write the word at PLACE of OBJECT. */
void fake_embree_put(struct fake_embree *embree, uint64_t object, unsigned place, uint64_t value);

/* Make a block of so many BYTES, header included, before NEXT. */
uint64_t fake_embree_block(struct fake_embree *embree, uint64_t bytes, uint64_t next);

/* Write a vector with memory for COUNT elements. */
void fake_embree_vector(struct fake_embree *embree, uint64_t address, uint64_t count);

/* Give OBJECT at PLACE a new array of COUNT WORDS, whose end, or number, is behind its start. */
uint64_t fake_embree_list(struct fake_embree *embree, uint64_t object, unsigned place,
                          const uint64_t *words, uint64_t count, bool has_end);

#endif
