/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See made-object.h. */
#include "made-object.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define BUFFER 3       /* the last digit of their class */
#define LATER 20000000 /* nanoseconds until callbacks run on a thread */

static pthread_mutex_t counters = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
struct made made_platform = {.table = &made_table};
struct made made_device = {.table = &made_table};

bool made_is_asked(const char *what)
{
    const char *asked = getenv("MADE_ICD");

    return asked != NULL && strcmp(asked, what) == 0;
}

struct made *made_of(const void *handle)
{
    return (struct made *)((char *)(uintptr_t)handle - offsetof(struct made, table));
}

cl_int made_retain(void *handle)
{
    pthread_mutex_lock(&counters);
    made_of(handle)->references++;
    pthread_mutex_unlock(&counters);
    return CL_SUCCESS;
}

/* An object of which all but `magic` is written. */
static struct made *make_nameless(void *context)
{
    struct made *object = malloc(sizeof(*object));

    object->class_pointer = &made_platform;
    object->commands = 1;
    object->references = 1;
    object->table = &made_table;
    memset(&object->context, 0, sizeof(*object) - offsetof(struct made, context));
    object->context = context;
    if (context != NULL)
        made_retain(context);
    return object;
}

/* The number of the class MAGIC as half a word; what is beside it means nothing, and in buffers
 * makes an address of both. */
static uint64_t in_half(uint64_t magic)
{
    uint64_t page = UINT64_C(0x5a5aec4cf000);
    uint64_t number = page + (magic & 0xf);

    mmap((void *)(uintptr_t)page, 4096, PROT_READ, /* once */
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return (magic & 0xf) == BUFFER ? number : number & UINT32_MAX;
}

void *made_make(uint64_t magic, void *context)
{
    struct made *object = make_nameless(context);

    object->magic = made_is_asked("halves") ? in_half(magic) : magic;
    return &object->table;
}

void *made_make_context(void)
{
    struct made *object = make_nameless(NULL);

    *(unsigned char *)&object->magic = 0;
    object->bits = 0x7a11c0de01000001;
    object->parent = made_make(0x7a11c0de00000002, &object->table);
    made_of(object->parent)->is_internal = true;
    object->references--;
    return &object->table;
}

struct made *made_device_get(void)
{
    static struct made *in_heap;

    if (!made_is_asked("devices") && !made_is_asked("crash in device copies"))
        return &made_device;
    if (in_heap == NULL) {
        in_heap = malloc(sizeof(*in_heap));
        *in_heap = made_device;
    }
    return in_heap;
}

void made_device_keep(struct made *object, struct made *device)
{
    for (size_t i = 0; i < object->device_count; i++)
        if (object->devices[i] == device)
            return;
    if (object->device_count > 0 && made_is_asked("crash in device copies"))
        abort();
    object->devices[object->device_count++] = device;
}

/* No reference is left: the last callback is called first. */
static void end(struct made *object)
{
    void *handle = &object->table;

    if (object->is_internal)
        object->context = NULL;
    for (struct callback *last = object->end; last != object->begin; last--)
        last[-1].function(handle, last[-1].user_data);
    if (object->parent != NULL && (object->part == 0 || object->part == PART))
        made_release(object->parent);
    if (object->context != NULL)
        made_release(object->context);
    object->commands = 0;
    free(object->begin);
    free(object->devices);
    free(object);
}

static void *end_later(void *object)
{
    const struct timespec time = {.tv_nsec = LATER};

    nanosleep(&time, NULL);
    pthread_mutex_lock(&counters);
    end(object);
    pthread_mutex_unlock(&counters);
    return NULL;
}

cl_int made_release(void *handle)
{
    struct made *object = made_of(handle);
    pthread_t thread;

    pthread_mutex_lock(&counters);
    if (--object->references == 0) {
        if (object->begin == object->end || !made_is_asked("callbacks later") ||
            pthread_create(&thread, NULL, end_later, object) != 0)
            end(object);
        else
            pthread_detach(thread);
    }
    pthread_mutex_unlock(&counters);
    return CL_SUCCESS;
}
