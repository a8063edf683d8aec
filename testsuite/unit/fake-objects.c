/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake-objects.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PAGE 4096
#define SLOTS 70
#define READ ompd_cl_permission_read
#define WRITE ompd_cl_permission_write
#define EXECUTE ompd_cl_permission_execute

#define SVM_FREE 0x1209   /* CL_COMMAND_SVM_FREE */
#define USER 0x1204       /* CL_COMMAND_USER */
#define QUEUED 3          /* CL_QUEUED */
#define BUFFER 0x10f0     /* CL_MEM_OBJECT_BUFFER */
#define IMAGE2D 0x10f1    /* CL_MEM_OBJECT_IMAGE2D */
#define USE_HOST_PTR 8    /* CL_MEM_USE_HOST_PTR */
#define HIDDEN (1u << 10) /* PoCL has such a bit in a queue's properties */

static const uint8_t build_id[] = {0xab, 0xcd};

/* ---- Memory ---------------------------------------------------------------------------------- */

static void put(const struct fake_objects *objects, uint64_t address, uint64_t value)
{
    fake_put(objects->target, address, objects->target->pointer_size, value);
}

static uint64_t get(const struct fake_objects *objects, uint64_t address)
{
    return fake_get(objects->target, address, objects->target->pointer_size);
}

void fake_object_point(const struct fake_objects *objects, uint64_t handle, enum fake_place place,
                       uint64_t value)
{
    put(objects, handle + place, value);
}

/* Add this many references to the object. */
static void hold(const struct fake_objects *objects, uint64_t handle, int references)
{
    fake_put(objects->target, handle + at_references, 4,
             fake_get(objects->target, handle + at_references, 4) + (uint64_t)references);
}

uint64_t fake_object_make(struct fake_objects *objects, enum fake_tag tag, uint64_t context)
{
    uint64_t handle = fake_reserve(objects->target, fake_object_size, 16);

    put(objects, handle, objects->table);
    fake_put(objects->target, handle + at_references, 4, 1);
    fake_put(objects->target, handle + at_tag, 4, tag);
    put(objects, handle + at_context, context);
    put(objects, handle + at_unique, ++objects->unique);
    if (context != 0)
        hold(objects, context, 1);
    return handle;
}

uint64_t fake_function(const struct fake_objects *objects, uint32_t number)
{
    return objects->text + 0x800 + (uint64_t)number * 16;
}

/* A callback: {function, user data, next}. */
static uint64_t make_callback(const struct fake_objects *objects, uint32_t number, uint64_t next)
{
    uint64_t node = fake_reserve(objects->target, 24, 8);

    put(objects, node, fake_function(objects, number));
    put(objects, node + 8, 0x1000 + number);
    put(objects, node + 16, next);
    return node;
}

uint64_t fake_callback_push(const struct fake_objects *objects, uint64_t handle,
                            enum fake_place place, uint32_t number)
{
    uint64_t node = make_callback(objects, number, get(objects, handle + place));

    put(objects, handle + place, node);
    return node;
}

/* ---- The runtime ----------------------------------------------------------------------------- */

/* A module of a page of code and one of data, which begins with the dispatch table; and a stack, a
 * page between two reserved ones. */
static void make_module(struct fake_objects *objects)
{
    struct fake_target *target = objects->target;
    uint64_t start = fake_reserve(target, UINT64_C(6) * PAGE, PAGE);

    objects->text = start + PAGE;
    objects->table = start + UINT64_C(2) * PAGE;
    objects->stack = start + UINT64_C(4) * PAGE;
    for (uint32_t i = 0; i < SLOTS; i++)
        put(objects, objects->table + (uint64_t)i * target->pointer_size,
            objects->text + (uint64_t)i * 16);
    fake_put_module_header(target, start, PAGE);
    fake_permit(target, start, objects->text, READ);
    fake_permit(target, objects->text, objects->table, READ | EXECUTE);
    fake_permit(target, objects->table, objects->table + PAGE, READ | WRITE);
    fake_permit(target, objects->table + PAGE, objects->stack, 0);
    fake_permit(target, objects->stack, objects->stack + PAGE, READ | WRITE);
    fake_permit(target, objects->stack + PAGE, start + UINT64_C(6) * PAGE, 0);
    fake_add_module(target, "/usr/lib/libmadeup.so.1", build_id, sizeof(build_id), start,
                    objects->table + PAGE);
}

static void make_contexts(struct fake_objects *objects)
{
    uint64_t second = fake_reserve(objects->target, 24, 8);
    uint64_t first = fake_reserve(objects->target, 24, 8);

    objects->platform = fake_object_make(objects, fake_platform_tag, 0);
    objects->device = fake_object_make(objects, fake_device_tag, 0);
    objects->context = fake_object_make(objects, fake_context_tag, 0);
    fake_put(objects->target, objects->context + at_device_count, 4, 1);
    fake_callback_push(objects, objects->context, at_destructors, 20);
    fake_callback_push(objects, objects->context, at_destructors, 21);
    /* {pointer, size, next} */
    put(objects, first, 0x7000000);
    put(objects, first + 8, 4096);
    put(objects, first + 16, second);
    put(objects, second, 0x7100000);
    put(objects, second + 8, 128);
    put(objects, objects->context + at_svm, first);
    objects->queue = fake_object_make(objects, fake_queue_tag, objects->context);
    put(objects, objects->queue + at_device, objects->device);
    put(objects, objects->queue + at_properties, 2);
    objects->hidden = fake_object_make(objects, fake_queue_tag, objects->context);
    put(objects, objects->hidden + at_device, objects->device);
    put(objects, objects->hidden + at_properties, HIDDEN);
    /* It is destroyed with its OpenCL context. */
    hold(objects, objects->context, -1);
}

static uint64_t make_buffer(struct fake_objects *objects, uint64_t size, uint64_t flags)
{
    uint64_t handle = fake_object_make(objects, fake_buffer_tag, objects->context);

    fake_put(objects->target, handle + at_type, 4, BUFFER);
    put(objects, handle + at_size, size);
    put(objects, handle + at_flags, flags);
    put(objects, handle + at_host_pointer, 0x5000000);
    return handle;
}

static void make_buffers(struct fake_objects *objects)
{
    objects->buffer = make_buffer(objects, 4096, 1 | USE_HOST_PTR);
    for (uint32_t i = 0; i < 3; i++)
        fake_callback_push(objects, objects->buffer, at_callbacks, i);
    fake_put(objects->target, objects->buffer + at_map_count, 4, 2);
    objects->sub_buffer = make_buffer(objects, 256, 1);
    put(objects, objects->sub_buffer + at_parent, objects->buffer);
    put(objects, objects->sub_buffer + at_origin, 512);
    hold(objects, objects->buffer, 1);
    objects->freed = make_buffer(objects, 64, 1);
    fake_put(objects->target, objects->freed + at_references, 4, 0);
    objects->pipe = fake_object_make(objects, fake_pipe_tag, objects->context);
    put(objects, objects->pipe + at_flags, 1);
}

static void make_image(struct fake_objects *objects)
{
    uint64_t boxes = fake_reserve(objects->target, 16, 8);
    uint64_t handle = fake_object_make(objects, fake_image_tag, objects->context);

    objects->image = handle;
    fake_put(objects->target, handle + at_type, 4, IMAGE2D);
    put(objects, handle + at_size, 8192);
    put(objects, handle + at_flags, 4);
    put(objects, handle + at_width, 64);
    put(objects, handle + at_height, 32);
    put(objects, handle + at_depth, 1);
    put(objects, handle + at_row_pitch, 256);
    fake_put(objects->target, handle + at_channel_order, 4, 0x10b5); /* CL_RGBA */
    fake_put(objects->target, handle + at_channel_type, 4, 0x10da);  /* CL_UNSIGNED_INT8 */
    put(objects, boxes, make_callback(objects, 10, 0));
    put(objects, boxes + objects->target->pointer_size, make_callback(objects, 11, 0));
    put(objects, handle + at_callbacks, boxes);
    put(objects, handle + at_callbacks_end, boxes + UINT64_C(2) * objects->target->pointer_size);
}

/* An SVM-free command of the queue, of two pointers, with the CL status STATUS. */
static uint64_t make_svm_free(struct fake_objects *objects, uint32_t status)
{
    uint64_t handle = fake_object_make(objects, fake_event_tag, objects->context);
    uint64_t command = fake_reserve(objects->target, 40, 8);
    uint64_t pointers = fake_reserve(objects->target, 16, 8);

    put(objects, handle + at_queue, objects->queue);
    fake_put(objects->target, handle + at_command_type, 4, SVM_FREE);
    fake_put(objects->target, handle + at_status, 4, status);
    put(objects, handle + at_command, command);
    put(objects, command, objects->queue);
    put(objects, command + 8, 2);
    put(objects, command + 16, pointers);
    put(objects, command + 24, fake_function(objects, 30));
    put(objects, command + 32, 0x1030);
    put(objects, pointers, 0x7000000);
    put(objects, pointers + objects->target->pointer_size, 0x7100000);
    return handle;
}

static void make_others(struct fake_objects *objects)
{
    objects->event = make_svm_free(objects, QUEUED);
    objects->complete = make_svm_free(objects, 0);
    objects->user_event = fake_object_make(objects, fake_event_tag, objects->context);
    fake_put(objects->target, objects->user_event + at_command_type, 4, USER);
    objects->program = fake_object_make(objects, fake_program_tag, objects->context);
    objects->kernel = fake_object_make(objects, fake_kernel_tag, objects->context);
    put(objects, objects->kernel + at_program, objects->program);
    hold(objects, objects->program, 1);
    objects->sampler = fake_object_make(objects, fake_sampler_tag, objects->context);
}

void fake_objects_create(struct fake_objects *objects, struct fake_target *target)
{
    memset(objects, 0, sizeof(*objects));
    objects->target = target;
    make_module(objects);
    make_contexts(objects);
    make_buffers(objects);
    make_image(objects);
    make_others(objects);
    /* A freed object holds no references. */
    hold(objects, objects->context, -1);
}

/* ---- The layout ------------------------------------------------------------------------------ */

struct text {
    char bytes[8192];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text->bytes + text->length, sizeof(text->bytes) - text->length, format,
                       arguments);
    va_end(arguments);
    ck_assert_int_gt(length, 0);
    text->length += (size_t)length;
    ck_assert_uint_lt(text->length, sizeof(text->bytes));
}

/* What every object has; HOLDS whether it is in an OpenCL context. */
static void describe(struct text *text, const char *kind, enum fake_tag tag, unsigned word)
{
    add(text, "object %s\nrule %d 4 1 0xffffff\nrule %d 4 %d %d\n", kind, at_references, at_tag,
        tag, tag);
    add(text, "field references %d 4\nfield unique %d %u\n", at_references, at_unique, word);
    if (tag > fake_context_tag)
        add(text, "field context %d %u\nholds context 1\n", at_context, word);
}

static void describe_memobj(struct text *text, unsigned word)
{
    add(text, "field type %d 4\nfield map_count %d 4\n", at_type, at_map_count);
    add(text, "field size %d %u\nfield flags %d %u\n", at_size, word, at_flags, word);
    add(text, "field host_pointer %d %u\n", at_host_pointer, word);
    add(text, "field parent %d %u\nfield origin %d %u\n", at_parent, word, at_origin, word);
    add(text, "dying %d 4\n", at_references);
}

static void describe_callbacks(struct text *text, unsigned word)
{
    add(text, "element function 0 %u\nelement user_data 8 %u\n", word, word);
}

static void describe_contexts(struct text *text, unsigned word)
{
    describe(text, "platform", fake_platform_tag, word);
    describe(text, "device", fake_device_tag, word);
    describe(text, "context", fake_context_tag, word);
    add(text, "field device_count %d 4\n", at_device_count);
    add(text, "list destructors linked %d 16 newest-first\n", at_destructors);
    describe_callbacks(text, word);
    add(text, "list svm linked %d 16 oldest-first\n", at_svm);
    add(text, "element pointer 0 %u\nelement size 8 %u\n", word, word);
    describe(text, "queue", fake_queue_tag, word);
    add(text, "field device %d %u\nfield properties %d %u\n", at_device, word, at_properties, word);
    add(text, "internal %d %u %u\n", at_properties, word, HIDDEN);
}

static void describe_memobjs(struct text *text, unsigned word)
{
    describe(text, "buffer", fake_buffer_tag, word);
    describe_memobj(text, word);
    add(text, "holds buffer 1\nlist destructors linked %d 16 newest-first\n", at_callbacks);
    describe_callbacks(text, word);
    describe(text, "image", fake_image_tag, word);
    describe_memobj(text, word);
    add(text, "field width %d %u\nfield height %d %u\n", at_width, word, at_height, word);
    add(text, "field depth %d %u\nfield array_size %d %u\n", at_depth, word, at_array_size, word);
    add(text, "field row_pitch %d %u\n", at_row_pitch, word);
    add(text, "field channel_order %d 4\nfield channel_type %d 4\n", at_channel_order,
        at_channel_type);
    add(text, "list destructors range %d %d %u oldest-first boxed\n", at_callbacks,
        at_callbacks_end, word);
    describe_callbacks(text, word);
    describe(text, "pipe", fake_pipe_tag, word);
    add(text, "field flags %d %u\n", at_flags, word);
}

static void describe_events(struct text *text, unsigned word)
{
    describe(text, "event", fake_event_tag, word);
    add(text, "field queue %d %u\n", at_queue, word);
    add(text, "field command_type %d 4\nfield status %d 4\n", at_command_type, at_status);
    add(text, "field svm_queue %d>0 %u\n", at_command, word);
    add(text, "field svm_pointer_count %d>8 %u\n", at_command, word);
    add(text, "field svm_pointers %d>16 %u\n", at_command, word);
    add(text, "field svm_function %d>24 %u\n", at_command, word);
    add(text, "field svm_user_data %d>32 %u\n", at_command, word);
    add(text, "list wait_list linked %d 8 newest-first\nelement event 0 %u\n", at_wait_list, word);
    describe(text, "program", fake_program_tag, word);
    describe(text, "kernel", fake_kernel_tag, word);
    add(text, "field program %d %u\nholds program 1\n", at_program, word);
    describe(text, "sampler", fake_sampler_tag, word);
}

const char *fake_objects_layout(const struct fake_objects *objects)
{
    static struct text text;
    unsigned word = objects->target->pointer_size;

    text.length = 0;
    add(&text, "ompd-opencl-layout 1.0\nruntime Made-Up Computing 1.0\nmodule libmadeup.so.1\n");
    add(&text, "build-id abcd\nmachine 62 %u %s\n", 8 * word,
        objects->target->is_big_endian ? "big" : "little");
    add(&text, "table %u\n", 2 * PAGE);
    describe_contexts(&text, word);
    describe_memobjs(&text, word);
    describe_events(&text, word);
    return text.bytes;
}
