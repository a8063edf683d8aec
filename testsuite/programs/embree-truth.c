/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REFERENCES_AT 8 /* of every counted object, in Embree 3 and 4 */

subject_t truth_subject;

static const char *truth_folder;
static bool is_to_abort;

void truth_begin(const char *folder, bool aborts)
{
    truth_folder = folder;
    is_to_abort = aborts;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_pointer(FILE *file, const char *key, uintptr_t pointer)
{
    if (pointer == 0)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": \"0x%" PRIxPTR "\"", key, pointer);
}

static void write_text(FILE *file, const char *key, const char *text)
{
    if (text == NULL)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": \"%s\"", key, text);
}

static void write_number(FILE *file, const char *key, int64_t number)
{
    fprintf(file, ", \"%s\": %" PRId64, key, number);
}

static void write_truth(FILE *file, const char *key, bool truth)
{
    fprintf(file, ", \"%s\": %s", key, truth ? "true" : "false");
}

/* ---- Names ----------------------------------------------------------------------------------- */

typedef struct name_t {
    int value;
    const char *name;
} name_t;

static const char *name_among(const name_t *names, int value)
{
    while (names->name != NULL && names->value != value)
        names++;
    require(names->name != NULL, "a value has no name");
    return names->name;
}

static const char *type_name(int type)
{
    static const name_t names[] = {
        {RTC_GEOMETRY_TYPE_TRIANGLE, "triangle"},
        {RTC_GEOMETRY_TYPE_QUAD, "quad"},
        {RTC_GEOMETRY_TYPE_GRID, "grid"},
        {RTC_GEOMETRY_TYPE_SUBDIVISION, "subdivision"},
        {RTC_GEOMETRY_TYPE_FLAT_LINEAR_CURVE, "flat-linear-curve"},
        {RTC_GEOMETRY_TYPE_ROUND_BEZIER_CURVE, "round-bezier-curve"},
        {RTC_GEOMETRY_TYPE_SPHERE_POINT, "sphere-point"},
        {RTC_GEOMETRY_TYPE_USER, "user"},
        {RTC_GEOMETRY_TYPE_INSTANCE, "instance"},
        {RTC_GEOMETRY_TYPE_INSTANCE_ARRAY, "instance-array"},
        {0, NULL},
    };
    return name_among(names, type);
}

static const char *quality_name(int quality)
{
    static const name_t names[] = {
        {RTC_BUILD_QUALITY_LOW, "low"},
        {RTC_BUILD_QUALITY_MEDIUM, "medium"},
        {RTC_BUILD_QUALITY_HIGH, "high"},
        {0, NULL},
    };
    return name_among(names, quality);
}

static const char *error_name(int error)
{
    static const name_t names[] = {
        {0, "none"},
        {RTC_ERROR_INVALID_ARGUMENT, "invalid-argument"},
        {RTC_ERROR_OUT_OF_MEMORY, "out-of-memory"},
        {0, NULL},
    };
    return name_among(names, error);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uintptr_t handle_of(const object_t *object)
{
    return object != NULL && object->turned != 0 ? ~object->turned : 0;
}

/* The rest of a key and a list; each element begins with list_next. */
static void list_begin(FILE *file, const char *key, bool *is_first)
{
    fprintf(file, ", \"%s\": [", key);
    *is_first = true;
}

static void list_next(FILE *file, bool *is_first)
{
    fputs(*is_first ? "" : ", ", file);
    *is_first = false;
}

/* The objects of a kind that are alive in a device. */
static int64_t count_of(const object_t *device, object_kind_t kind)
{
    int64_t count = 0;
    for (size_t i = 0; i < object_count; i++)
        count +=
            objects[i].device == device && objects[i].kind == kind && object_is_alive(&objects[i]);
    return count;
}

static int64_t shared_bytes_of(const object_t *device)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < object_count; i++)
        if (objects[i].device == device && objects[i].is_shared && object_is_alive(&objects[i]))
            bytes += (int64_t)objects[i].bytes;
    return bytes;
}

/* Committed if all scenes of the device are; NULL if it has none. */
static const char *build_of(const object_t *device)
{
    const char *build = NULL;
    for (size_t i = 0; i < object_count; i++)
        if (objects[i].device == device && objects[i].kind == object_scene &&
            object_is_alive(&objects[i]))
            if (build == NULL || strcmp(build, "committed") == 0 ||
                strcmp(objects[i].build, "building") == 0)
                build = objects[i].build;
    return build;
}

static void write_device(FILE *file, const object_t *device)
{
    static const account_t none;
    const account_t *account = device->account != NULL ? device->account : &none;
    write_text(file, "name", device->name);
    write_text(file, "module", device->embree->path);
    write_number(file, "leaked_references", device->leaked_references);
    write_pointer(file, "monitor", (uintptr_t)device->monitor);
    write_text(file, "monitor_symbol", device->monitor_symbol);
    write_pointer(file, "monitor_data", (uintptr_t)device->monitor_data);
    write_pointer(file, "error_function", (uintptr_t)device->error_function);
    write_text(file, "error_symbol", device->error_symbol);
    write_pointer(file, "error_data", (uintptr_t)device->error_data);
    write_text(file, "pending_error", error_name(device->pending_error));
    write_text(file, "build", build_of(device));
    write_number(file, "bytes", account->current);
    write_number(file, "peak", account->peak);
    write_number(file, "calls", account->calls);
    write_number(file, "cancels", account->cancels);
    write_number(file, "shared_bytes", shared_bytes_of(device));
    write_number(file, "scenes", count_of(device, object_scene));
    write_number(file, "geometries", count_of(device, object_geometry));
    write_number(file, "buffers", count_of(device, object_buffer));
    write_number(file, "bvhs", count_of(device, object_bvh));
}

static void write_flags(FILE *file, int flags)
{
    static const name_t names[] = {
        {RTC_SCENE_FLAG_DYNAMIC, "dynamic"},
        {RTC_SCENE_FLAG_COMPACT, "compact"},
        {RTC_SCENE_FLAG_ROBUST, "robust"},
        {0, NULL},
    };
    bool is_first;
    list_begin(file, "flags", &is_first);
    for (const name_t *name = names; name->name != NULL; name++)
        if (flags & name->value) {
            list_next(file, &is_first);
            fprintf(file, "\"%s\"", name->name);
        }
    fputc(']', file);
}

static void write_scene(FILE *file, const object_t *scene)
{
    bool is_first;
    write_text(file, "build", scene->build);
    write_number(file, "bytes", scene->built);
    write_flags(file, scene->flags);
    write_text(file, "quality", quality_name(scene->quality));
    write_pointer(file, "progress_function", (uintptr_t)scene->progress_function);
    write_text(file, "progress_symbol", scene->progress_symbol);
    write_pointer(file, "progress_data", (uintptr_t)scene->progress_data);
    list_begin(file, "attached", &is_first);
    for (size_t i = 0; i < attachment_count; i++)
        if (attachments[i].scene == scene) {
            list_next(file, &is_first);
            fprintf(file, "{\"id\": %u", attachments[i].id);
            write_pointer(file, "geometry", handle_of(attachments[i].geometry));
            fputc('}', file);
        }
    list_begin((fputc(']', file), file), "instances", &is_first);
    for (size_t i = 0; i < object_count; i++)
        if (object_instantiates(&objects[i], scene) && object_is_alive(&objects[i])) {
            list_next(file, &is_first);
            fprintf(file, "\"0x%" PRIxPTR "\"", handle_of(&objects[i]));
        }
    fputc(']', file);
}

static void write_geometry(FILE *file, const object_t *geometry)
{
    bool is_first;
    write_text(file, "type", type_name(geometry->type));
    write_number(file, "primitives", geometry->primitives);
    write_number(file, "time_steps", geometry->time_steps);
    write_pointer(file, "user_data", (uintptr_t)geometry->user_data);
    write_truth(file, "is_enabled", !geometry->is_disabled);
    write_truth(file, "is_committed", geometry->is_committed);
    write_pointer(file, "instance_of", handle_of(geometry->instanced[0]));
    list_begin(file, "bindings", &is_first);
    for (size_t i = 0; i < binding_count; i++)
        if (bindings[i].geometry == geometry) {
            list_next(file, &is_first);
            fprintf(file, "{\"type\": %d, \"slot\": %u", bindings[i].type, bindings[i].slot);
            write_pointer(file, "buffer", handle_of(bindings[i].buffer));
            write_pointer(file, "pointer", (uintptr_t)bindings[i].buffer->pointer);
            write_number(file, "stride", (int64_t)bindings[i].stride);
            write_number(file, "count", (int64_t)bindings[i].count);
            fputc('}', file);
        }
    list_begin((fputc(']', file), file), "attached", &is_first);
    for (size_t i = 0; i < attachment_count; i++)
        if (attachments[i].geometry == geometry && attachments[i].scene != NULL &&
            object_is_alive(attachments[i].scene)) {
            list_next(file, &is_first);
            fprintf(file, "{\"id\": %u", attachments[i].id);
            write_pointer(file, "scene", handle_of(attachments[i].scene));
            fputc('}', file);
        }
    fputc(']', file);
}

static void write_buffer(FILE *file, const object_t *buffer)
{
    int64_t geometries = 0;
    for (size_t i = 0; i < object_count; i++) {
        bool is_bound = false;
        for (size_t k = 0; k < binding_count; k++)
            is_bound |= bindings[k].geometry == &objects[i] && bindings[k].buffer == buffer;
        geometries += is_bound && object_is_alive(&objects[i]);
    }
    write_pointer(file, "pointer", (uintptr_t)buffer->pointer);
    write_number(file, "bytes", (int64_t)buffer->bytes);
    write_text(file, "ownership", buffer->is_shared ? "shared" : "owned");
    write_number(file, "geometries", geometries);
}

/* A row has all that the program knows; null is what it does not, or what there is none of. */
static void write_object(FILE *file, const object_t *object)
{
    uintptr_t handle = handle_of(object);
    fprintf(file, "\n  {\"is_lost\": %s", handle != 0 && object->handle == NULL ? "true" : "false");
    write_pointer(file, "handle", handle);
    if (object->device != NULL)
        write_pointer(file, "device", handle_of(object->device));
    if (handle != 0)
        write_number(file, "runtime_references",
                     *(const volatile int64_t *)(handle + REFERENCES_AT));
    write_number(file, "references", object->references);
    write_text(file, "state", object->references > 0 ? "live" : "app-released");
    switch (object->kind) {
    case object_device:
        write_device(file, object);
        break;
    case object_scene:
        write_scene(file, object);
        break;
    case object_geometry:
        write_geometry(file, object);
        break;
    case object_buffer:
        write_buffer(file, object);
        break;
    case object_bvh:
        break;
    }
    fputc('}', file);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void write_table(FILE *file, object_kind_t kind, const char *key)
{
    bool is_first;
    list_begin(file, key, &is_first);
    for (size_t i = 0; i < object_count; i++)
        if (objects[i].kind == kind && object_is_alive(&objects[i])) {
            list_next(file, &is_first);
            write_object(file, &objects[i]);
        }
    fputc(']', file);
}

/* The handles of objects that are no more, which others may have. */
static void write_released(FILE *file)
{
    bool is_first;
    list_begin(file, "released", &is_first);
    for (size_t i = 0; i < object_count; i++)
        if (!object_is_alive(&objects[i]) && objects[i].turned != 0) {
            list_next(file, &is_first);
            fprintf(file, "\"0x%" PRIxPTR "\"", handle_of(&objects[i]));
        }
    fputc(']', file);
}

void truth_write(const char *stop)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.json", truth_folder, stop);
    FILE *file = fopen(path, "w");
    require(file != NULL, "no file of the truth");
    fprintf(file, "{\"pid\": %ld, \"lwp\": %ld", (long)getpid(), (long)gettid());
    if (truth_subject.object != NULL) {
        write_pointer(file, "subject", handle_of(truth_subject.object));
        write_pointer(file, "address", truth_subject.address);
        write_number(file, "size", (int64_t)truth_subject.size);
    }
    write_table(file, object_device, "devices");
    write_table(file, object_scene, "scenes");
    write_table(file, object_geometry, "geometries");
    write_table(file, object_buffer, "buffers");
    write_released(file);
    fputs("}\n", file);
    require(fclose(file) == 0, "the truth cannot be written");
}

void embree_stop(const char *stop)
{
    __asm__ volatile("" : : "r"(stop) : "memory");
}

/* This output uses no memory of the heap. */
void truth_tell(const char *stop)
{
    char text[64];
    int length = snprintf(text, sizeof(text), "%s\n", stop);
    require(write(STDOUT_FILENO, text, (size_t)length) == length, "no output");
}

void truth_stop(const char *stop)
{
    char input;
    truth_write(stop);
    truth_tell(stop);
    if (is_to_abort)
        abort();
    embree_stop(stop);
    while (read(STDIN_FILENO, &input, 1) == 1 && input != '\n')
        continue;
}

void truth_require_balance(void)
{
    for (size_t i = 0; i < object_count; i++) {
        const account_t *account = objects[i].account;
        if (account != NULL && account->current != objects[i].unreported_bytes)
            fprintf(stderr, "embree: %s has %" PRId64 " bytes left\n", objects[i].name,
                    account->current);
        require(account == NULL || account->current == objects[i].unreported_bytes,
                "the sum is not 0 in the end");
    }
}
