/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-objects.h"

object_t objects[MOST_OBJECTS];
size_t object_count;
attachment_t attachments[MOST_OBJECTS];
size_t attachment_count;
binding_t bindings[MOST_OBJECTS];
size_t binding_count;

/* The sum of a device grows before memory is allocated, and shrinks after it was freed. */
bool account_add(account_t *account, ssize_t bytes)
{
    int64_t call = __atomic_add_fetch(&account->calls, 1, __ATOMIC_SEQ_CST);
    if (bytes > 0 && call == account->cancel_at) {
        __atomic_add_fetch(&account->cancels, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    int64_t sum = __atomic_add_fetch(&account->current, bytes, __ATOMIC_SEQ_CST);
    int64_t peak = __atomic_load_n(&account->peak, __ATOMIC_SEQ_CST);
    while (sum > peak && !__atomic_compare_exchange_n(&account->peak, &peak, sum, false,
                                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    return true;
}

static object_t *object_add(object_kind_t kind, object_t *device, void *handle)
{
    require(object_count < MOST_OBJECTS, "too many objects");
    object_t *object = &objects[object_count++];
    *object = (object_t){.kind = kind, .device = device, .handle = handle};
    if (device != NULL)
        object->embree = device->embree;
    if (handle != NULL) {
        object->turned = ~(uintptr_t)handle;
        object->references = 1;
    }
    return object;
}

/* ---- Devices --------------------------------------------------------------------------------- */

object_t *device_new(const embree_t *embree, const char *name, const char *config)
{
    RTCDevice device = embree->rtcNewDevice(config);
    require(device != NULL, "no device");
    object_t *object = object_add(object_device, NULL, device);
    object->embree = embree;
    object->name = name;
    return object;
}

void device_watch(object_t *device, RTCMemoryMonitorFunction monitor, const char *symbol,
                  account_t *account)
{
    device->embree->rtcSetDeviceMemoryMonitorFunction(device->handle, monitor, account);
    device->account = account;
    device->monitor_symbol = symbol;
    device->monitor = (void *)monitor;
    device->monitor_data = account;
}

void device_set_error_function(object_t *device, RTCErrorFunction function, const char *symbol,
                               void *data)
{
    device->embree->rtcSetDeviceErrorFunction(device->handle, function, data);
    device->error_symbol = symbol;
    device->error_function = (void *)function;
    device->error_data = data;
}

int device_read_error(object_t *device)
{
    device->pending_error = 0;
    return device->embree->rtcGetDeviceError(device->handle);
}

/* What the monitor of a device tells. */
static int64_t device_bytes(const object_t *device)
{
    return device->account != NULL ? device->account->current : 0;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

object_t *buffer_new(object_t *device, size_t bytes)
{
    RTCBuffer buffer = device->embree->rtcNewBuffer(device->handle, bytes);
    require(buffer != NULL, "no buffer");
    object_t *object = object_add(object_buffer, device, buffer);
    object->pointer = device->embree->rtcGetBufferData(buffer);
    object->bytes = bytes;
    return object;
}

object_t *buffer_share(object_t *device, void *memory, size_t bytes)
{
    RTCBuffer buffer = device->embree->rtcNewSharedBuffer(device->handle, memory, bytes);
    require(buffer != NULL, "no shared buffer");
    object_t *object = object_add(object_buffer, device, buffer);
    object->pointer = memory;
    object->bytes = bytes;
    object->is_shared = true;
    return object;
}

/* ---- Hierarchies and scenes ------------------------------------------------------------------ */

object_t *bvh_new(object_t *device)
{
    RTCBVH bvh = device->embree->rtcNewBVH(device->handle);
    require(bvh != NULL, "no BVH");
    return object_add(object_bvh, device, bvh);
}

object_t *scene_new(object_t *device)
{
    RTCScene scene = device->embree->rtcNewScene(device->handle);
    require(scene != NULL, "no scene");
    object_t *object = object_add(object_scene, device, scene);
    object->build = "modified";
    object->quality = RTC_BUILD_QUALITY_MEDIUM;
    return object;
}

void scene_set(object_t *scene, int flags, int quality)
{
    scene->embree->rtcSetSceneFlags(scene->handle, flags);
    scene->embree->rtcSetSceneBuildQuality(scene->handle, quality);
    scene->flags = flags;
    scene->quality = quality;
    scene->build = "modified";
}

void scene_commit(object_t *scene)
{
    int64_t before = device_bytes(scene->device);
    scene->build = "building";
    scene->embree->rtcCommitScene(scene->handle);
    scene->built += device_bytes(scene->device) - before;
    scene->build = "committed";
}

unsigned int scene_attach(object_t *scene, object_t *geometry)
{
    unsigned int id = scene->embree->rtcAttachGeometry(scene->handle, geometry->handle);
    require(id != UINT32_MAX && attachment_count < MOST_OBJECTS, "not attached");
    attachments[attachment_count++] = (attachment_t){scene, geometry, id};
    scene->build = "modified";
    return id;
}

/* The geometry outlives the detaching, so that only the scene's own memory is measured. */
void scene_detach(object_t *scene, unsigned int id)
{
    const embree_t *embree = scene->embree;
    for (size_t i = 0; i < attachment_count; i++) {
        attachment_t *attachment = &attachments[i];
        if (attachment->scene != scene || attachment->id != id)
            continue;
        RTCGeometry geometry = (RTCGeometry)~attachment->geometry->turned;
        embree->rtcRetainGeometry(geometry);
        int64_t before = device_bytes(scene->device);
        embree->rtcDetachGeometry(scene->handle, id);
        scene->built += device_bytes(scene->device) - before;
        embree->rtcReleaseGeometry(geometry);
        attachment->scene = NULL;
    }
    scene->build = "modified";
}

/* ---- Geometries ------------------------------------------------------------------------------ */

object_t *geometry_new(object_t *device, int type)
{
    RTCGeometry geometry = device->embree->rtcNewGeometry(device->handle, type);
    require(geometry != NULL, "no geometry");
    object_t *object = object_add(object_geometry, device, geometry);
    object->type = type;
    object->time_steps = 1;
    object->primitives = type == RTC_GEOMETRY_TYPE_INSTANCE;
    return object;
}

void geometry_commit(object_t *geometry)
{
    geometry->embree->rtcCommitGeometry(geometry->handle);
    geometry->is_committed = true;
}

void geometry_set_time_steps(object_t *geometry, unsigned int count)
{
    geometry->embree->rtcSetGeometryTimeStepCount(geometry->handle, count);
    geometry->time_steps = count;
    geometry->is_committed = false;
}

void geometry_set_user_data(object_t *geometry, void *data)
{
    geometry->embree->rtcSetGeometryUserData(geometry->handle, data);
    geometry->user_data = data;
}

void geometry_count(object_t *geometry, size_t primitives)
{
    geometry->primitives = (unsigned int)primitives;
}

static void binding_add(object_t *geometry, object_t *buffer, int type, unsigned int slot,
                        size_t stride, size_t count)
{
    require(binding_count < MOST_OBJECTS, "too many bindings");
    bindings[binding_count++] = (binding_t){geometry, buffer, type, slot, stride, count};
}

void geometry_bind(object_t *geometry, int type, unsigned int slot, int format, object_t *buffer,
                   size_t stride, size_t count)
{
    geometry->embree->rtcSetGeometryBuffer(geometry->handle, type, slot, format, buffer->handle, 0,
                                           stride, count);
    binding_add(geometry, buffer, type, slot, stride, count);
    geometry->is_committed = false;
}

object_t *geometry_bind_new(object_t *geometry, int type, unsigned int slot, int format,
                            size_t stride, size_t count)
{
    int64_t before = device_bytes(geometry->device);
    void *data = geometry->embree->rtcSetNewGeometryBuffer(geometry->handle, type, slot, format,
                                                           stride, count);
    require(data != NULL, "no geometry buffer");
    object_t *buffer = object_add(object_buffer, geometry->device, NULL);
    buffer->pointer = data;
    buffer->bytes = geometry->device->account != NULL
                        ? (size_t)(device_bytes(geometry->device) - before)
                        : stride * count;
    binding_add(geometry, buffer, type, slot, stride, count);
    geometry->is_committed = false;
    return buffer;
}

object_t *geometry_bind_shared(object_t *geometry, int type, unsigned int slot, int format,
                               void *memory, size_t stride, size_t count)
{
    geometry->embree->rtcSetSharedGeometryBuffer(geometry->handle, type, slot, format, memory, 0,
                                                 stride, count);
    object_t *buffer = object_add(object_buffer, geometry->device, NULL);
    buffer->pointer = memory;
    buffer->bytes = stride * count;
    buffer->is_shared = true;
    binding_add(geometry, buffer, type, slot, stride, count);
    geometry->is_committed = false;
    return buffer;
}

void geometry_note(object_t *geometry, int type, unsigned int slot, size_t bytes)
{
    object_t *buffer = object_add(object_buffer, geometry->device, NULL);
    buffer->pointer = geometry->embree->rtcGetGeometryBufferData(geometry->handle, type, slot);
    require(buffer->pointer != NULL, "Embree made no buffer");
    buffer->bytes = bytes;
    binding_add(geometry, buffer, type, slot, 1, bytes);
}

/* ---- References ------------------------------------------------------------------------------ */

void object_retain(object_t *object)
{
    const embree_t *embree = object->embree;
    object->references++;
    switch (object->kind) {
    case object_device:
        embree->rtcRetainDevice(object->handle);
        break;
    case object_scene:
        embree->rtcRetainScene(object->handle);
        break;
    case object_geometry:
        embree->rtcRetainGeometry(object->handle);
        break;
    case object_buffer:
        embree->rtcRetainBuffer(object->handle);
        break;
    case object_bvh:
        embree->rtcRetainBVH(object->handle);
        break;
    }
}

void object_release(object_t *object)
{
    const embree_t *embree = object->embree;
    require(object->references > 0, "released too often");
    object->references--;
    switch (object->kind) {
    case object_device:
        embree->rtcReleaseDevice(object->handle);
        break;
    case object_scene:
        embree->rtcReleaseScene(object->handle);
        break;
    case object_geometry:
        embree->rtcReleaseGeometry(object->handle);
        break;
    case object_buffer:
        embree->rtcReleaseBuffer(object->handle);
        break;
    case object_bvh:
        embree->rtcReleaseBVH(object->handle);
        break;
    }
}

void object_lose(object_t *object)
{
    object->handle = NULL;
}

void object_release_lost(object_t *object)
{
    object->handle = (void *)~object->turned;
    object_release(object);
}

bool object_instantiates(const object_t *geometry, const object_t *scene)
{
    for (size_t i = 0; i < MOST_INSTANCED; i++)
        if (geometry->instanced[i] == scene)
            return true;
    return false;
}

/* A device is alive as long as an object of it is, a scene as long as an instance of it is, a
 * geometry in a living scene, and a buffer bound to a living geometry. */
bool object_is_alive(const object_t *object)
{
    if (object->references > 0 || object->leaked_references > 0)
        return true;
    switch (object->kind) {
    case object_device:
        for (size_t i = 0; i < object_count; i++)
            if (objects[i].device == object && object_is_alive(&objects[i]))
                return true;
        return false;
    case object_scene:
        for (size_t i = 0; i < object_count; i++)
            if (object_instantiates(&objects[i], object) && object_is_alive(&objects[i]))
                return true;
        return false;
    case object_geometry:
        for (size_t i = 0; i < attachment_count; i++)
            if (attachments[i].geometry == object && attachments[i].scene != NULL &&
                object_is_alive(attachments[i].scene))
                return true;
        return false;
    case object_buffer:
        for (size_t i = 0; i < binding_count; i++)
            if (bindings[i].buffer == object && object_is_alive(bindings[i].geometry))
                return true;
        return false;
    case object_bvh:
        return false;
    }
    return false;
}
