/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Learning the layout of an Embree library: of devices, scenes, geometries, buffers, and of the
 * memory that they report to a device's memory monitor. */
#ifndef OMPD_LEARN_EMBREE_H
#define OMPD_LEARN_EMBREE_H

#include <learn/base/base.h>
#include <sys/types.h>

/* ---- embree-api ------------------------------------------------------------------------------ */

/* The functions of Embree 3 and 4 that the probe uses.  There need be no header of Embree. */
#define EMBREE_FUNCTIONS(FUNCTION)                                                                 \
    FUNCTION(rtcNewDevice, void *, (const char *config))                                           \
    FUNCTION(rtcReleaseDevice, void, (void *device))                                               \
    FUNCTION(rtcRetainDevice, void, (void *device))                                                \
    FUNCTION(rtcGetDeviceError, int, (void *device))                                               \
    FUNCTION(rtcGetDeviceProperty, ssize_t, (void *device, int property))                          \
    FUNCTION(rtcSetDeviceErrorFunction, void, (void *device, void *function, void *data))          \
    FUNCTION(rtcSetDeviceMemoryMonitorFunction, void, (void *device, void *function, void *data))  \
    FUNCTION(rtcNewBuffer, void *, (void *device, size_t size))                                    \
    FUNCTION(rtcNewSharedBuffer, void *, (void *device, void *bytes, size_t size))                 \
    FUNCTION(rtcGetBufferData, void *, (void *buffer))                                             \
    FUNCTION(rtcRetainBuffer, void, (void *buffer))                                                \
    FUNCTION(rtcReleaseBuffer, void, (void *buffer))                                               \
    FUNCTION(rtcNewScene, void *, (void *device))                                                  \
    FUNCTION(rtcRetainScene, void, (void *scene))                                                  \
    FUNCTION(rtcReleaseScene, void, (void *scene))                                                 \
    FUNCTION(rtcCommitScene, void, (void *scene))                                                  \
    FUNCTION(rtcSetSceneFlags, void, (void *scene, int flags))                                     \
    FUNCTION(rtcSetSceneBuildQuality, void, (void *scene, int quality))                            \
    FUNCTION(rtcSetSceneProgressMonitorFunction, void, (void *scene, void *function, void *data))  \
    FUNCTION(rtcAttachGeometry, unsigned, (void *scene, void *geometry))                           \
    FUNCTION(rtcDetachGeometry, void, (void *scene, unsigned number))                              \
    FUNCTION(rtcNewGeometry, void *, (void *device, int type))                                     \
    FUNCTION(rtcRetainGeometry, void, (void *geometry))                                            \
    FUNCTION(rtcReleaseGeometry, void, (void *geometry))                                           \
    FUNCTION(rtcCommitGeometry, void, (void *geometry))                                            \
    FUNCTION(rtcEnableGeometry, void, (void *geometry))                                            \
    FUNCTION(rtcDisableGeometry, void, (void *geometry))                                           \
    FUNCTION(rtcSetGeometryUserData, void, (void *geometry, void *data))                           \
    FUNCTION(rtcSetGeometryTimeStepCount, void, (void *geometry, unsigned count))                  \
    FUNCTION(rtcSetGeometryVertexAttributeCount, void, (void *geometry, unsigned count))           \
    FUNCTION(rtcSetGeometryTopologyCount, void, (void *geometry, unsigned count))                  \
    FUNCTION(rtcSetGeometryBuildQuality, void, (void *geometry, int quality))                      \
    FUNCTION(rtcSetGeometryUserPrimitiveCount, void, (void *geometry, unsigned count))             \
    FUNCTION(rtcSetGeometryInstancedScene, void, (void *geometry, void *scene))                    \
    FUNCTION(rtcSetGeometryBuffer, void,                                                           \
             (void *geometry, int type, unsigned slot, int format, void *buffer, size_t offset,    \
              size_t stride, size_t count))                                                        \
    FUNCTION(rtcUpdateGeometryBuffer, void, (void *geometry, int type, unsigned slot))             \
    FUNCTION(rtcNewBVH, void *, (void *device))                                                    \
    FUNCTION(rtcRetainBVH, void, (void *bvh))                                                      \
    FUNCTION(rtcReleaseBVH, void, (void *bvh))                                                     \
    FUNCTION(rtcBuildBVH, void *, (const void *arguments))                                         \
    FUNCTION(rtcThreadLocalAlloc, void *, (void *allocator, size_t size, size_t alignment))

struct embree_api {
#define FUNCTION(name, result, parameters) result(*name) parameters;
    EMBREE_FUNCTIONS(FUNCTION)
#undef FUNCTION
    /* Since 4.2; may be NULL. */
    void (*rtcSetGeometryInstancedScenes)(void *geometry, void *const *scenes, size_t count);
};

enum embree_property { embree_version_major = 1, embree_version_minor, embree_version_patch };

enum embree_quality { embree_low, embree_medium, embree_high, embree_refit };

enum embree_scene_flag { embree_dynamic = 1, embree_compact = 2 };

extern struct embree_api embree;

/* Whether LIBRARY is Embree, from its functions. */
bool embree_is_library(const char *library);

/* Load it.  Returns NULL, or a sentence with the reason. */
const char *embree_load(const char *library, struct icd *module);

/* A device whose memory monitor counts. */
struct embree_device {
    void *handle;
    int64_t bytes;   /* the monitor's sum */
    int64_t buffers; /* bytes of the buffers of all its geometries */
    uint64_t calls;
    void (*observe)(void *argument); /* called in the monitor, unless NULL */
    void *argument;
};

/* Create a device that builds with one thread.  Returns false on failure. */
bool embree_device_open(struct embree_device *device, const char *config);
void embree_device_close(struct embree_device *device);

/* ---- class-names ----------------------------------------------------------------------------- */

/* The classes of the library, by the names in its run-time type information. */

struct class_name {
    const char *name; /* as in std::type_info */
    uintptr_t typeinfo;
};

/* Find the classes of MODULE.  Returns false if there are none. */
bool class_names_find(const struct icd *module);

size_t class_names_count(void);
const struct class_name *class_names_get(size_t index); /* by name */

/* The class of OBJECT, whose first word is the address of a vtable; NULL: it has none. */
const struct class_name *class_of(uintptr_t object);

/* Its first base class, or NULL. */
const struct class_name *class_base(const struct class_name *class);

/* Whether the word at ADDRESS points to the vtable of CLASS for a base class at OFFSET. */
bool class_is_base_vtable(const struct class_name *class, uintptr_t word, int32_t offset);

/* Put in PATTERN what CLASS has in common with those that have the same members: the name of its
 * template, without the namespace, which is that of an instruction set, or its name. */
#define CLASS_PATTERN 120
void class_pattern(const struct class_name *class, char *pattern);

/* ---- embree-draft ---------------------------------------------------------------------------- */

/* What is learned of each class: the lines of a layout. */

enum draft_word {
    draft_member, /* name, offset, width */
    draft_bit,    /* the same, the number of the bit, and 1 */
    draft_base,
    draft_bytes,
    draft_bytes_each,
    draft_vector,  /* offset, size; a size of 0 is not known yet */
    draft_vectors, /* items, count, stride, displacement, size */
    draft_slot,
    draft_slots,
    draft_scene_slot,
    draft_scene_slots,
    draft_view, /* before the reference to the buffer: pointer, stride, count */
    draft_own,
    draft_own_each,
    DRAFT_WORDS
};

struct draft_line {
    enum draft_word word;
    const char *name; /* NULL: none */
    int32_t numbers[5];
};

#define DRAFT_LINES 48
#define DRAFT_CLASSES 64

struct draft_class {
    const char *kind;
    char pattern[CLASS_PATTERN];
    int32_t allocator; /* offset of a BVH's allocator */
    unsigned count;
    struct draft_line lines[DRAFT_LINES];
};

/* The class of KIND whose pattern is PATTERN; it is added if it is new.  NULL: there are too many.
 */
struct draft_class *draft_class_get(const char *kind, const char *pattern);
size_t draft_classes_count(void);
struct draft_class *draft_class_at(size_t index);
void draft_class_remove(size_t index);

/* The class that CLASS matches, or NULL. */
struct draft_class *draft_class_of(const struct class_name *class);

bool draft_line_is_same(const struct draft_line *one, const struct draft_line *other);

/* Add a line unless it is there. */
void draft_add(struct draft_class *class, struct draft_line line);

#define DRAFT_MEMBER(class, name, offset, width)                                                   \
    draft_add(class, (struct draft_line){draft_member, name, {offset, width}})

void draft_line_remove(struct draft_class *class, unsigned index);

/* Add the monitored vector at OFFSET of elements of SIZE bytes; 0: it was empty. */
void draft_vector_add(struct draft_class *class, int32_t offset, int32_t size);

/* The offset of member NAME of CLASS or its bases; -1: it has none. */
int32_t draft_member_offset(const struct class_name *class, const char *name);

void draft_write(const struct icd *module);

/* ---- offset-search --------------------------------------------------------------------------- */

/* The offsets in an object at which a value was found each time. */

#define OFFSETS 2048 /* bytes of an object that are searched */

struct offset_search {
    unsigned width; /* bytes; 0: a bit */
    bool is_begun;
    uint8_t is_possible[OFFSETS * 8];
};

/* Read OBJECT, at most OFFSETS bytes of its block.  Returns their number. */
size_t object_read(uintptr_t object, unsigned char *bytes);

/* OBJECT now has VALUE. */
void offset_search_sample(struct offset_search *search, const void *object, uint64_t value);

/* The lowest offset that is still possible, or that nearest to NEAR unless it is negative; -1:
 * there is none. */
int32_t offset_search_get(const struct offset_search *search, int32_t near);

/* Add the member NAME if it was found. */
void offset_search_add(const struct offset_search *search, struct draft_class *class,
                       const char *name);

/* ---- embree-scenes --------------------------------------------------------------------------- */

/* Geometries and scenes with enough primitives for what is learned. */

enum embree_geometry_type {
    embree_triangles = 0,
    embree_quads = 1,
    embree_grids = 2,
    embree_subdivision = 8,
    embree_flat_lines = 17,
    embree_round_bspline = 32,
    embree_flat_bspline = 33,
    embree_oriented_hermite = 42,
    embree_oriented_points = 52,
    embree_user = 120,
    embree_instance = 121,
    embree_instance_array = 122
};

/* A buffer of a geometry. */
struct embree_buffer_use {
    int type; /* RTCBufferType */
    unsigned slot;
    const char *name; /* in layouts */
    void *buffer;
    size_t size; /* of an item */
    size_t count;
};

#define BUFFER_USES 40

struct embree_geometry {
    void *handle;
    unsigned use_count;
    struct embree_buffer_use uses[BUFFER_USES];
};

/* How a geometry is created. */
struct embree_wish {
    int type;
    unsigned time_steps; /* at least 1 */
    unsigned attributes;
    unsigned topologies; /* at least 1 */
    unsigned edge;       /* squares of a side of its mesh, or curves */
    int quality;
};

/* Create a geometry with buffers, committed.  The buffers are owned by the geometry. */
bool embree_geometry_create(struct embree_geometry *geometry, struct embree_device *device,
                            const struct embree_wish *wish);

/* Create a scene, not committed, of COUNT geometries of WISH. */
void *embree_scene_create(struct embree_device *device, const struct embree_wish *wish,
                          unsigned count, int flags, int quality);

/* Build the BVH of an rtcNewBVH with COUNT primitives. */
bool embree_bvh_build(void *bvh, unsigned count, int quality);

/* ---- learn-objects, learn-geometries, learn-builds ------------------------------------------- */

void devices_learn(void);
void buffers_learn(void);
void scenes_learn(void);

/* The offset in OBJECT of the bounds of a vector of pointers to objects whose class has WORD in its
 * name; -1: there is none. */
int32_t vector_of_objects(uintptr_t object, const char *word);

/* Returns the draft of the base class of geometries, or NULL. */
struct draft_class *geometry_base_learn(void);
void geometries_learn(struct draft_class *geometry_class);
void instances_learn(void);

/* Add the monitored vectors of OBJECT. */
void monitored_vectors_learn(struct draft_class *class, const struct embree_device *device,
                             uintptr_t object);

/* What builds allocate: BVHs and builders. */
void builds_learn(void);

/* ---- embree-account -------------------------------------------------------------------------- */

/* Learn where allocators have their chains of blocks, which is one of a few places, from the sums
 * of the memory monitor.  Returns false, and removes what builds allocate from the draft, if no
 * sum is right. */
bool account_learn(void);

/* ---- learn-embree ---------------------------------------------------------------------------- */

/* Learn the layout of LIBRARY and write it.  Returns NULL, or a sentence with the reason. */
const char *embree_learn(const char *library, const char *folder, bool identifies);

#endif
