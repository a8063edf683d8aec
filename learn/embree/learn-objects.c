/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h.  Each value is set several times, to others, until only its offset is left. */
#include <learn/embree/embree.h>

#include <string.h>

#define ROUNDS 5
#define REFERENCE_WIDTH 8

/* The draft of KIND for the class of OBJECT. */
static struct draft_class *class_for(const char *kind, const void *object)
{
    const struct class_name *class = class_of((uintptr_t)object);

    return class != NULL ? draft_class_get(kind, class->name) : NULL;
}

/* Sample the references of OBJECT, whose count is now COUNT. */
static void sample_references(struct offset_search *search, void *object, unsigned count,
                              void (*retain)(void *object), void (*release)(void *object))
{
    for (unsigned i = 0; i < ROUNDS; i++, retain(object))
        offset_search_sample(search, object, count + i);
    for (unsigned i = 0; i < ROUNDS; i++)
        release(object);
    offset_search_sample(search, object, count);
}

/* An address that nothing else has. */
static void *unusual(unsigned number)
{
    return (void *)(uintptr_t)(0x5a17c0de0000 + 0x1238 * (uintptr_t)number);
}

static bool count_nothing(void *data, ssize_t bytes, bool is_after)
{
    (void)data, (void)bytes, (void)is_after;
    return true;
}

static void ignore_error(void *data, int code, const char *text)
{
    (void)data, (void)code, (void)text;
}

static void functions_learn(struct draft_class *class, const struct embree_device *device)
{
    static struct offset_search searches[4];
    static const char *const names[] = {"error_function", "error_data", "monitor_function",
                                        "monitor_data"};

    memset(searches, 0, sizeof(searches));
    for (unsigned i = 0; i < 4; i++)
        searches[i].width = sizeof(uintptr_t);
    for (unsigned i = 0; i < ROUNDS; i++) {
        void *handler = i % 2 == 0 ? (void *)ignore_error : NULL;
        void *monitor = i % 2 == 0 ? NULL : (void *)count_nothing;

        embree.rtcSetDeviceErrorFunction(device->handle, handler, unusual(i));
        embree.rtcSetDeviceMemoryMonitorFunction(device->handle, monitor, unusual(i + ROUNDS));
        offset_search_sample(&searches[0], device->handle, (uintptr_t)handler);
        offset_search_sample(&searches[1], device->handle, (uintptr_t)unusual(i));
        offset_search_sample(&searches[2], device->handle, (uintptr_t)monitor);
        offset_search_sample(&searches[3], device->handle, (uintptr_t)unusual(i + ROUNDS));
    }
    for (unsigned i = 0; i < 4; i++)
        offset_search_add(&searches[i], class, names[i]);
}

/* The offset of a vector of pointers to errors, of which the first is CODE; -1: none after
 * AFTER. */
static int32_t errors_offset(const struct embree_device *device, int code, int32_t after)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read((uintptr_t)device->handle, bytes);

    for (size_t at = (size_t)(after + 8); at + 16 <= size; at += 8) {
        uintptr_t begin = (uintptr_t)own_memory_decode(bytes + at, 8);
        uintptr_t end = (uintptr_t)own_memory_decode(bytes + at + 8, 8);
        uint64_t error;
        uint64_t found;

        if (end - begin == sizeof(uintptr_t) && own_memory_number(begin, 8, &error) &&
            own_memory_number((uintptr_t)error, 4, &found) && found == (uint64_t)code)
            return (int32_t)at;
    }
    return -1;
}

static void errors_learn(struct draft_class *class, const struct embree_device *device)
{
    int32_t offset = -8;
    int code;

    do {
        embree.rtcNewGeometry(device->handle, 99); /* an unknown type */
        offset = errors_offset(device, 1, offset);
        code = embree.rtcGetDeviceError(device->handle);
    } while (offset >= 0 && (code != 1 || errors_offset(device, 0, offset - 8) != offset));
    if (offset < 0) {
        protocol_note("device.errors_begin: not found");
        return;
    }
    DRAFT_MEMBER(class, "errors_begin", offset, 8);
    DRAFT_MEMBER(class, "errors_end", offset + 8, 8);
}

void devices_learn(void)
{
    static struct offset_search references;
    struct embree_device device;
    struct draft_class *class;
    unsigned char bytes[OFFSETS];
    size_t size;

    references = (struct offset_search){.width = REFERENCE_WIDTH};
    if (!embree_device_open(&device, NULL))
        return;
    class = class_for("device", device.handle);
    sample_references(&references, device.handle, 1, embree.rtcRetainDevice,
                      embree.rtcReleaseDevice);
    offset_search_add(&references, class, "references");
    functions_learn(class, &device);
    errors_learn(class, &device);
    size = object_read((uintptr_t)device.handle, bytes);
    for (size_t at = 8; at + 8 <= size; at += 8)
        if (class_is_base_vtable(class_of((uintptr_t)device.handle),
                                 (uintptr_t)own_memory_decode(bytes + at, 8), (int32_t)at))
            draft_add(class, (struct draft_line){draft_base, NULL, {(int32_t)at}});
    embree_device_close(&device);
}

void buffers_learn(void)
{
    static struct offset_search searches[5];
    static const char *const names[] = {"references", "device", "pointer", "bytes", "shared"};
    static char shared[64 * ROUNDS];
    struct draft_class *class = NULL;

    memset(searches, 0, sizeof(searches));
    for (unsigned i = 0; i < 5; i++)
        searches[i].width = i < 4 ? sizeof(uintptr_t) : 1;
    for (unsigned i = 0; i < 2 * ROUNDS; i++) {
        struct embree_device device;
        size_t bytes = 1000 + 77 * (size_t)i;
        bool is_shared = i % 2 != 0;
        void *buffer;

        if (!embree_device_open(&device, NULL))
            return;
        bytes = is_shared ? 64 * (i / 2 + 1) - 3 : bytes;
        buffer = is_shared ? embree.rtcNewSharedBuffer(device.handle, shared, bytes)
                           : embree.rtcNewBuffer(device.handle, bytes);
        class = class_for("buffer", buffer);
        sample_references(&searches[0], buffer, 1, embree.rtcRetainBuffer, embree.rtcReleaseBuffer);
        offset_search_sample(&searches[1], buffer, (uintptr_t)device.handle);
        offset_search_sample(&searches[2], buffer, (uintptr_t)embree.rtcGetBufferData(buffer));
        offset_search_sample(&searches[3], buffer, bytes);
        offset_search_sample(&searches[4], buffer, is_shared);
        embree.rtcReleaseBuffer(buffer);
        embree_device_close(&device);
    }
    for (unsigned i = 0; i < 5; i++)
        offset_search_add(&searches[i], class, names[i]);
}

enum geometry_value {
    geometry_references,
    geometry_device,
    geometry_user_data,
    geometry_primitives,
    geometry_time_steps,
    geometry_type,
    geometry_state,
    geometry_enabled,
    GEOMETRY_VALUES
};

static struct offset_search geometry_searches[GEOMETRY_VALUES];

/* Sample what GEOMETRY has: BITS are its committed and its enabled bit. */
static void sample_bits(void *geometry, unsigned bits)
{
    offset_search_sample(&geometry_searches[geometry_state], geometry, bits & 1U);
    offset_search_sample(&geometry_searches[geometry_enabled], geometry, bits >> 1);
}

static void geometry_sample(struct embree_device *device, unsigned number)
{
    /* Embree's own numbers of the types. */
    static const struct {
        int type;
        uint8_t own;
    } types[] = {{embree_triangles, 20},       {embree_quads, 21},
                 {embree_grids, 22},           {embree_flat_lines, 0},
                 {embree_flat_bspline, 8},     {embree_oriented_hermite, 14},
                 {embree_oriented_points, 27}, {embree_subdivision, 23}};
    unsigned kind = number % (sizeof(types) / sizeof(types[0]));
    struct embree_wish wish = {.type = types[kind].type,
                               .time_steps = number % 3 + 1,
                               .topologies = 1,
                               .edge = 4 + number,
                               .quality = embree_medium};
    struct embree_geometry geometry;
    size_t squares = (size_t)wish.edge * wish.edge;
    bool has_edge = kind == 3 || kind == 4 || kind == 5;
    size_t primitives = kind == 0   ? 2 * squares
                        : kind == 2 ? 1
                        : kind == 6 ? (size_t)(wish.edge + 1) * (wish.edge + 1)
                                    : squares;
    void *handle;

    if (!embree_geometry_create(&geometry, device, &wish))
        return;
    handle = geometry.handle;
    sample_bits(handle, 3);
    embree.rtcSetGeometryUserData(handle, unusual(number));
    offset_search_sample(&geometry_searches[geometry_user_data], handle,
                         (uintptr_t)unusual(number));
    embree.rtcUpdateGeometryBuffer(handle, geometry.uses[0].type, 0);
    sample_bits(handle, 2);
    embree.rtcDisableGeometry(handle);
    sample_bits(handle, 0);
    embree.rtcCommitGeometry(handle);
    sample_bits(handle, 1);
    embree.rtcEnableGeometry(handle);
    sample_references(&geometry_searches[geometry_references], handle, 1, embree.rtcRetainGeometry,
                      embree.rtcReleaseGeometry);
    offset_search_sample(&geometry_searches[geometry_device], handle, (uintptr_t)device->handle);
    offset_search_sample(&geometry_searches[geometry_primitives], handle,
                         has_edge ? wish.edge : primitives);
    offset_search_sample(&geometry_searches[geometry_time_steps], handle, wish.time_steps);
    offset_search_sample(&geometry_searches[geometry_type], handle, types[kind].own);
    embree.rtcReleaseGeometry(handle);
}

/* The base class that all geometries have: the last but one. */
static const struct class_name *geometry_base(const struct embree_device *device)
{
    void *geometry = embree.rtcNewGeometry(device->handle, embree_triangles);
    const struct class_name *class = class_of((uintptr_t)geometry);

    while (class != NULL && class_base(class) != NULL && class_base(class_base(class)) != NULL)
        class = class_base(class);
    embree.rtcReleaseGeometry(geometry);
    return class;
}

struct draft_class *geometry_base_learn(void)
{
    static const char *const names[GEOMETRY_VALUES] = {"references", "device",     "user_data",
                                                       "primitives", "time_steps", "type",
                                                       "state",      "enabled"};
    static const uint8_t widths[GEOMETRY_VALUES] = {8, 8, 8, 4, 4, 1, 0, 0};
    struct draft_class *draft = NULL;

    for (unsigned i = 0; i < GEOMETRY_VALUES; i++)
        geometry_searches[i] = (struct offset_search){.width = widths[i]};
    for (unsigned i = 0; i < 24; i++) {
        struct embree_device device;

        if (!embree_device_open(&device, NULL))
            return NULL;
        geometry_sample(&device, i);
        if (draft == NULL && geometry_base(&device) != NULL)
            draft = draft_class_get("geometry", geometry_base(&device)->name);
        embree_device_close(&device);
    }
    for (unsigned i = 0; i < GEOMETRY_VALUES && draft != NULL; i++)
        offset_search_add(&geometry_searches[i], draft, names[i]);
    return draft;
}
