/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "icd.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HELD 64

static icd_object_t one_place;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static icd_object_t *held[MAX_HELD]; /* released, their callbacks wait */
static size_t held_count;
static bool holding;

icd_object_t *icd_object_create(icd_kind_t kind, void *context, void *parent)
{
    icd_object_t *object = calloc(1, sizeof(*object));
    if (object == NULL)
        abort();
    object->dispatch = &icd_dispatch;
    object->kind = kind;
    object->references = 1;
    object->context = context;
    object->parent = parent;
    if (context != NULL)
        icd_object_retain(context);
    if (parent != NULL)
        icd_object_retain(parent);
    return object;
}

cl_int icd_object_retain(void *handle)
{
    icd_object_t *object = handle;
    atomic_fetch_add(&object->references, 1);
    return CL_SUCCESS;
}

static void end(void *handle)
{
    icd_object_t *object = handle;
    for (size_t i = object->destructor_count; i > 0; i--)
        object->destructors[i - 1].function(object, object->destructors[i - 1].user_data);
    icd_object_t *parent = object->parent;
    icd_object_t *context = object->context;
    if (object != &one_place)
        free(object);
    if (parent != NULL)
        icd_object_release(parent);
    if (context != NULL)
        icd_object_release(context);
}

static bool hold(icd_object_t *object)
{
    pthread_mutex_lock(&held_lock);
    bool is_held = holding && object->destructor_count > 0 && held_count < MAX_HELD;
    if (is_held)
        held[held_count++] = object;
    pthread_mutex_unlock(&held_lock);
    return is_held;
}

void icd_hold(int on)
{
    icd_object_t *ending[MAX_HELD];
    pthread_mutex_lock(&held_lock);
    holding = on != 0;
    size_t count = held_count;
    memcpy(ending, held, sizeof(ending));
    held_count = 0;
    pthread_mutex_unlock(&held_lock);
    for (size_t i = 0; i < count; i++)
        icd_worker_run(end, ending[i]);
}

cl_int icd_object_release(void *handle)
{
    icd_object_t *object = handle;
    if (object->release_failures > 0) {
        object->release_failures--;
        return CL_OUT_OF_RESOURCES;
    }
    if (atomic_fetch_sub(&object->references, 1) == 1 && !hold(object))
        end(object);
    return CL_SUCCESS;
}

cl_int icd_destructor_set(void *handle, void (*function)(void *, void *), void *user_data)
{
    icd_object_t *object = handle;
    if (function == NULL)
        return CL_INVALID_VALUE;
    bool is_odd = object->registrations++ % 2 == 0;
    if (object->size == ICD_SIZE_REGISTER_FAILS && is_odd)
        return CL_OUT_OF_HOST_MEMORY;
    if (object->destructor_count == ICD_MAX_DESTRUCTORS)
        return CL_OUT_OF_HOST_MEMORY;
    object->destructors[object->destructor_count++] = (icd_destructor_t){function, user_data};
    return CL_SUCCESS;
}

cl_int icd_answer(const void *value, size_t size, size_t room, void *out, size_t *size_out)
{
    if (out != NULL && room < size)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, value, size);
    if (size_out != NULL)
        *size_out = size;
    return CL_SUCCESS;
}

cl_mem icd_memobj_create(cl_context context, cl_uint type, cl_mem_flags flags, size_t size,
                         void *host_pointer, cl_int *status)
{
    icd_object_t *object = &one_place;
    if (status != NULL)
        *status = size == ICD_SIZE_FAILS ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS;
    if (size == ICD_SIZE_FAILS)
        return NULL;
    if (size == ICD_SIZE_ONE_PLACE) {
        memset(object, 0, sizeof(*object));
        object->dispatch = &icd_dispatch;
        object->kind = icd_memobj;
        object->references = 5;
    } else {
        object = icd_object_create(icd_memobj, context, NULL);
        object->release_failures = size == ICD_SIZE_RELEASE_FAILS;
    }
    object->type = type;
    object->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
    object->size = size;
    object->host_pointer = host_pointer;
    return (cl_mem)object;
}
