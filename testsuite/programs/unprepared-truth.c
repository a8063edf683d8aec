/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unprepared.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COPIES 16
#define MAX_COUNTS 4

static unprepared_object_t *objects;
static size_t object_limit;
static size_t object_count;
static const void *copies[MAX_COPIES];
static size_t copy_count;
static const void *copied;
static struct {
    const char *key;
    size_t count;
} counts[MAX_COUNTS + 1];

void unprepared_truth_begin(size_t limit)
{
    objects = calloc(limit, sizeof(*objects));
    truth_require(objects != NULL, "no memory");
    object_limit = limit;
}

unprepared_object_t *unprepared_object_add(unprepared_table_t table, const char *kind,
                                           const void *handle)
{
    truth_require(object_count < object_limit, "too many objects");
    truth_require(handle != NULL, kind);
    unprepared_object_t *object = &objects[object_count++];
    object->table = table;
    object->kind = kind;
    object->handle = handle;
    object->references = 1;
    return object;
}

void unprepared_copy_add(const void *original, const void *address)
{
    copied = original;
    truth_require(copy_count < MAX_COPIES, "too many copies");
    copies[copy_count++] = address;
}

void unprepared_count_add(const char *key, size_t more)
{
    size_t i = 0;
    while (counts[i].key != NULL && strcmp(counts[i].key, key) != 0)
        i++;
    truth_require(i < MAX_COUNTS, "too many kinds");
    counts[i].key = key;
    counts[i].count += more;
}

static void write_pointer(FILE *file, const char *key, const void *pointer)
{
    if (pointer != NULL)
        fprintf(file, ", \"%s\": \"0x%llx\"", key, (unsigned long long)(uintptr_t)pointer);
}

static void write_number(FILE *file, const char *key, size_t number)
{
    if (number != 0)
        fprintf(file, ", \"%s\": %zu", key, number);
}

static void write_destructors(FILE *file, const unprepared_object_t *object)
{
    fprintf(file, ", \"destructors\": [");
    for (size_t i = object->destructors; i > 0; i--) {
        size_t user_data = object->destructors_data + i - 1;
        fprintf(file, "%s{\"user_data\": \"0x%zx\"", i == object->destructors ? "" : ", ",
                user_data);
        write_pointer(file, "function", unprepared_destructor_function(user_data));
        fprintf(file, "}");
    }
    fprintf(file, "]");
}

static void write_memobj(FILE *file, const unprepared_object_t *object)
{
    const cl_image_desc *image = &object->image;
    fprintf(file, ", \"kind\": \"%s\", \"size\": %zu, \"flags_value\": %llu", object->kind,
            object->size, (unsigned long long)object->flags);
    write_pointer(file, "parent", object->parent);
    write_pointer(file, "host_pointer", object->host_pointer);
    if (object->image.image_type == 0 && object->parent != NULL)
        fprintf(file, ", \"origin\": %zu", object->origin);
    write_number(file, "width", image->image_width);
    write_number(file, "height", image->image_height);
    write_number(file, "depth", image->image_depth);
    write_number(file, "array_size", image->image_array_size);
    if (image->image_type != 0)
        fprintf(file,
                ", \"row_pitch\": %zu, \"channel_order\": \"CL_RGBA\","
                " \"channel_type\": \"CL_UNORM_INT8\"",
                image->image_row_pitch);
    write_destructors(file, object);
}

static void write_svm_free(FILE *file, const unprepared_object_t *object)
{
    write_pointer(file, "event", object->handle);
    write_pointer(file, "queue", object->queue);
    write_pointer(file, "function", object->function);
    write_pointer(file, "user_data", object->user_data);
    fprintf(file, ", \"pointers\": [");
    for (size_t i = 0; i < object->pointer_count; i++)
        fprintf(file, "%s\"0x%llx\"", i == 0 ? "" : ", ",
                (unsigned long long)(uintptr_t)object->pointers[i]);
    fprintf(file, "]");
}

static void write_object(FILE *file, const unprepared_object_t *object)
{
    fprintf(file, "{\"references\": %ld", object->references);
    write_pointer(file, "context", object->context);
    switch (object->table) {
    case unprepared_contexts:
    case unprepared_queues:
        write_pointer(file, "handle", object->handle);
        write_pointer(file, "device", object->device);
        write_number(file, "devices", object->device_count);
        fprintf(file, ", \"properties_value\": %llu", (unsigned long long)object->flags);
        break;
    case unprepared_memobjs:
        write_pointer(file, "handle", object->handle);
        write_memobj(file, object);
        break;
    case unprepared_svm:
        write_pointer(file, "pointer", object->handle);
        fprintf(file, ", \"size\": %zu", object->size);
        break;
    default:
        write_svm_free(file, object);
        break;
    }
    if (object->is_held)
        fprintf(file, ", \"is_held\": true");
    if (object->is_destroying)
        fprintf(file, ", \"is_destroying\": true");
    fprintf(file, "}");
}

static void write_table(FILE *file, const char *key, unprepared_table_t table)
{
    const char *separator = "\n";
    fprintf(file, "\"%s\": [", key);
    for (size_t i = 0; i < object_count; i++) {
        if (objects[i].table != table || objects[i].is_gone)
            continue;
        fputs(separator, file);
        write_object(file, &objects[i]);
        separator = ",\n";
    }
    fprintf(file, "],\n");
}

static void write_gone(FILE *file)
{
    const char *separator = "";
    fprintf(file, "\"freed\": [");
    for (size_t i = 0; i < object_count; i++) {
        if (!objects[i].is_gone)
            continue;
        fprintf(file, "%s\"0x%llx\"", separator, (unsigned long long)(uintptr_t)objects[i].handle);
        separator = ",\n";
    }
    fprintf(file, "],\n\"copies\": [");
    for (size_t i = 0; i < copy_count; i++)
        fprintf(file, "%s\"0x%llx\"", i == 0 ? "" : ", ", (unsigned long long)(uintptr_t)copies[i]);
    fprintf(file, "]");
    write_pointer(file, "copied", copied);
    for (size_t i = 0; counts[i].key != NULL; i++)
        fprintf(file, ", \"%s\": %zu", counts[i].key, counts[i].count);
    fprintf(file, "}\n");
}

void unprepared_truth_write(const char *directory, const char *stop)
{
    static const char *const keys[unprepared_tables] = {"contexts", "queues", "memobjs", "svm",
                                                        "svm-frees"};
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.json", directory, stop);
    FILE *file = fopen(path, "w");
    truth_require(file != NULL, "cannot write the truth file");
    fprintf(file, "{");
    for (int table = 0; table < unprepared_tables; table++)
        write_table(file, keys[table], (unprepared_table_t)table);
    write_gone(file);
    truth_require(fclose(file) == 0, "cannot write the truth file");
}
