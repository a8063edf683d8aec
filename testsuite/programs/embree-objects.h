/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Embree objects of the program `embree`, each with what the program did to it, and a monitor that
 * accounts for the memory of each device.
 */
#ifndef EMBREE_OBJECTS_H
#define EMBREE_OBJECTS_H

#include "embree-api.h"

#include <stdint.h>

#define MOST_OBJECTS 1024
#define MOST_INSTANCED 4

/* What the monitor of a device was told: bytes and calls. */
typedef struct account_t {
    int64_t current;
    int64_t peak;
    int64_t calls;
    int64_t cancels;
    int64_t cancel_at; /* the call that is refused; 0: none */
    int64_t stop_at;   /* the call in which the program stops; 0: none */
} account_t;

typedef enum object_kind_t {
    object_device,
    object_scene,
    object_geometry,
    object_buffer,
    object_bvh, /* of rtcNewBVH */
} object_kind_t;

typedef struct object_t {
    object_kind_t kind;
    const embree_t *embree;
    void *handle;     /* NULL: the program has none */
    uintptr_t turned; /* the handle with inverted bits, so that it is not stored here; 0: unknown */
    const char *name;
    struct object_t *device;
    long references; /* that the program has */

    /* Of a device. */
    account_t *account;         /* NULL: no monitor */
    const char *monitor_symbol; /* NULL: no symbol */
    void *monitor;
    void *monitor_data;
    const char *error_symbol;
    void *error_function;
    void *error_data;
    int pending_error;
    long leaked_references;   /* that nobody has: Embree does not release them */
    int64_t unreported_bytes; /* that Embree frees without a call of the monitor */

    /* Of a scene. */
    const char *build;
    int flags;
    int quality;
    int64_t built; /* bytes that its builds have added, and detaching has freed, by the monitor */
    const char *progress_symbol;
    void *progress_function;
    void *progress_data;

    /* Of a geometry. */
    int type;
    unsigned int primitives;
    unsigned int time_steps;
    void *user_data;
    bool is_disabled;
    bool is_committed;
    struct object_t *instanced[MOST_INSTANCED]; /* the scenes of an instance, then NULL */

    /* Of a buffer. */
    void *pointer;
    size_t bytes;
    bool is_shared;
} object_t;

typedef struct attachment_t {
    object_t *scene; /* NULL: detached */
    object_t *geometry;
    unsigned int id;
} attachment_t;

typedef struct binding_t {
    object_t *geometry;
    object_t *buffer;
    int type;
    unsigned int slot;
    size_t stride;
    size_t count;
} binding_t;

extern object_t objects[MOST_OBJECTS];
extern size_t object_count;
extern attachment_t attachments[MOST_OBJECTS];
extern size_t attachment_count;
extern binding_t bindings[MOST_OBJECTS];
extern size_t binding_count;

/* Account for a call of a monitor; returns whether it is granted. */
bool account_add(account_t *account, ssize_t bytes);

object_t *device_new(const embree_t *embree, const char *name, const char *config);

/* Have MONITOR, whose name is SYMBOL, account for the device in ACCOUNT. */
void device_watch(object_t *device, RTCMemoryMonitorFunction monitor, const char *symbol,
                  account_t *account);
void device_set_error_function(object_t *device, RTCErrorFunction function, const char *symbol,
                               void *data);

/* The error of this thread, which is then no longer pending. */
int device_read_error(object_t *device);

object_t *buffer_new(object_t *device, size_t bytes);
object_t *buffer_share(object_t *device, void *memory, size_t bytes);

object_t *bvh_new(object_t *device);

object_t *scene_new(object_t *device);
void scene_set(object_t *scene, int flags, int quality);
void scene_commit(object_t *scene);
unsigned int scene_attach(object_t *scene, object_t *geometry);
void scene_detach(object_t *scene, unsigned int id);

object_t *geometry_new(object_t *device, int type);
void geometry_commit(object_t *geometry);
void geometry_set_time_steps(object_t *geometry, unsigned int count);
void geometry_set_user_data(object_t *geometry, void *data);

/* Note that a geometry has so many primitives. */
void geometry_count(object_t *geometry, size_t primitives);

/* Bind a buffer of the program, a new one of Embree's, or memory.  The last two make a buffer whose
 * handle the program does not have; both return it. */
void geometry_bind(object_t *geometry, int type, unsigned int slot, int format, object_t *buffer,
                   size_t stride, size_t count);
object_t *geometry_bind_new(object_t *geometry, int type, unsigned int slot, int format,
                            size_t stride, size_t count);
object_t *geometry_bind_shared(object_t *geometry, int type, unsigned int slot, int format,
                               void *memory, size_t stride, size_t count);

/* Note a buffer of so many bytes that Embree made and bound by itself. */
void geometry_note(object_t *geometry, int type, unsigned int slot, size_t bytes);

void object_retain(object_t *object);
void object_release(object_t *object);

/* Forget the handle of an object, which is not released. */
void object_lose(object_t *object);

/* Release a reference of an object whose handle the program has lost. */
void object_release_lost(object_t *object);

/* Whether a geometry is an instance of a scene. */
bool object_instantiates(const object_t *geometry, const object_t *scene);

/* Whether an object exists. */
bool object_is_alive(const object_t *object);

#endif
