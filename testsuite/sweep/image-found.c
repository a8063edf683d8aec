/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image-found.h"

#include "../unit/fake-objects.h"

#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C(4096)

#define CONTEXT ompd_cl_registry_context
#define QUEUE ompd_cl_registry_queue
#define SVM ompd_cl_registry_svm
#define SVM_FREE ompd_cl_registry_svm_free
#define ADDRESS ompd_cl_registry_address
#define F(field) ompd_cl_registry_field_##field

static struct fake_objects found;

/* The target's memory as it was made. */
static uint8_t *bytes;

/* ---- What the recorder has ------------------------------------------------------------------- */

/* Indices of the records with the most facts, by table. */
static uint32_t recorded[OMPD_CL_REGISTRY_TABLE_COUNT + 1];

/* Record that the OpenCL context CONTEXT has COUNT destructor callbacks, from number FIRST on. */
static void record_destructors(const struct fake_objects *objects, uint32_t context, uint32_t first,
                               uint32_t count)
{
    struct fake_target *target = objects->target;
    const uint32_t table = ompd_cl_registry_callback;
    uint32_t last = 0;

    for (uint32_t i = first; i < first + count; i++) {
        uint32_t index = fake_add(target, table);

        fake_set(target, table, index, F(function), fake_function(objects, i));
        fake_set(target, table, index, F(user_data), 0x1000 + i);
        fake_set(target, table, index, F(object), OMPD_CL_REGISTRY_REFERENCE(CONTEXT, context));
        fake_set(target, table, index, F(next), last);
        last = index + 1;
    }
    fake_set(target, CONTEXT, context, F(callbacks), last);
    fake_set(target, CONTEXT, context, F(callback_count), count);
}

/* Record the OpenCL context and its queue. */
static uint32_t record_context(const struct fake_objects *objects)
{
    struct fake_target *target = objects->target;
    uint32_t context = fake_add_object(target, CONTEXT, objects->context);
    uint32_t queue = fake_add_object(target, QUEUE, objects->queue);

    fake_set(target, CONTEXT, context, F(device_count), 1);
    fake_set(target, QUEUE, queue, F(context), OMPD_CL_REGISTRY_REFERENCE(CONTEXT, context));
    fake_set(target, QUEUE, queue, F(device), objects->device);
    fake_set(target, QUEUE, queue, F(flags), 2);
    fake_set(target, QUEUE, queue, F(svm_frees), 1);
    recorded[CONTEXT] = context;
    recorded[QUEUE] = queue;
    return context;
}

/* Record the memory object HANDLE of cl_mem_object_type TYPE, with FLAGS and its COUNT callbacks,
 * from number FIRST on. */
static void record_memobj(const struct fake_objects *objects, uint32_t context, uint64_t handle,
                          uint64_t size, uint32_t type, uint64_t flags, uint32_t first,
                          uint32_t count)
{
    struct fake_target *target = objects->target;
    uint32_t memobj = fake_add_buffer(target, handle, context, size);

    fake_set(target, ompd_cl_registry_memobj, memobj, F(type), type);
    fake_set(target, ompd_cl_registry_memobj, memobj, F(flags), flags);
    for (uint32_t i = first; i < first + count; i++)
        fake_add_destructor(target, memobj, fake_function(objects, i), 0x1000 + i);
    if (handle == objects->buffer)
        recorded[ompd_cl_registry_memobj] = memobj;
}

/* Record the SVM allocation at POINTER, and that it is freed before that of the address NEXT;
 * returns the address's index plus 1. */
static uint32_t record_svm(struct fake_target *target, uint32_t context, uint64_t pointer,
                           uint64_t size, uint32_t next)
{
    uint32_t svm = fake_add_object(target, SVM, pointer);
    uint32_t address = fake_add(target, ADDRESS);

    fake_set(target, SVM, svm, F(context), OMPD_CL_REGISTRY_REFERENCE(CONTEXT, context));
    fake_set(target, SVM, svm, F(size), size);
    fake_set(target, SVM, svm, F(state), ompd_cl_registry_enqueued);
    fake_set(target, ADDRESS, address, F(handle), pointer);
    fake_set(target, ADDRESS, address, F(from_svm_alloc), true);
    fake_set(target, ADDRESS, address, F(next), next);
    recorded[SVM] = svm;
    return address + 1;
}

/* Record the command that is to free the context's SVM allocations. */
static void record_svm_free(const struct fake_objects *objects, uint32_t context)
{
    struct fake_target *target = objects->target;
    uint32_t command = fake_add(target, SVM_FREE);
    uint32_t pointers = record_svm(target, context, 0x7100000, 128, 0);

    pointers = record_svm(target, context, 0x7000000, 4096, pointers);
    fake_set(target, SVM_FREE, command, F(queue_handle), objects->queue);
    fake_set(target, SVM_FREE, command, F(context), OMPD_CL_REGISTRY_REFERENCE(CONTEXT, context));
    fake_set(target, SVM_FREE, command, F(function), fake_function(objects, 30));
    fake_set(target, SVM_FREE, command, F(user_data), 0x1030);
    fake_set(target, SVM_FREE, command, F(pointers), pointers);
    fake_set(target, SVM_FREE, command, F(pointer_count), 2);
    recorded[SVM_FREE] = command;
}

/* The recorder has some of the objects that the layout finds: a context with its queue and SVM, a
 * buffer of the program's memory, an image. */
static void record(const struct fake_objects *objects)
{
    uint32_t context = record_context(objects);

    record_destructors(objects, context, 20, 2);
    record_svm_free(objects, context);
    record_memobj(objects, context, objects->buffer, 4096, 0x10f0, 9, 0, 3);
    record_memobj(objects, context, objects->image, 8192, 0x10f1, 4, 10, 2);
    fake_add_thread(objects->target, 4711, true);
}

/* ---- What ends ------------------------------------------------------------------------------- */

/* End the recorder's record; the next object that has it is of a later generation. */
static void end_record(uint32_t table, bool is_replaced)
{
    fake_remove_object(found.target, table, recorded[table]);
    if (is_replaced)
        fake_set(found.target, table, recorded[table], F(state), ompd_cl_registry_live);
}

/* Free the object in the runtime; the next object there is of another kind. */
static void end_found(uint64_t handle, bool is_replaced)
{
    fake_put(found.target, handle + at_references, 4, is_replaced);
    if (is_replaced)
        fake_put(found.target, handle + at_tag, 4, fake_sampler_tag);
}

/* Free the first SVM allocation; the next one has another address. */
static void end_svm(bool is_replaced)
{
    uint32_t word = found.target->pointer_size;
    uint64_t first = fake_get(found.target, found.context + at_svm, word);

    if (is_replaced)
        fake_put(found.target, first, word, 0x7200000);
    else
        fake_object_point(&found, found.context, at_svm, fake_get(found.target, first + 16, word));
}

/* Complete the command; the next one is another. */
static void end_command(bool is_replaced)
{
    const uint32_t user = 0x1204; /* CL_COMMAND_USER */

    if (is_replaced)
        fake_put(found.target, found.event + at_command_type, 4, user);
    else
        fake_put(found.target, found.event + at_status, 4, 0);
}

/* A tool uses the recorder's id of an object if it has one. */
static bool end_object(uint32_t kind, bool is_replaced)
{
    static const uint32_t tables[] = {
        [ompd_cl_kind_context] = CONTEXT,
        [ompd_cl_kind_queue] = QUEUE,
        [ompd_cl_kind_memobj] = ompd_cl_registry_memobj,
        [ompd_cl_kind_svm] = SVM,
        [ompd_cl_kind_svm_free] = SVM_FREE,
    };

    if (found.target->has_recorder) {
        end_record(tables[kind], is_replaced);
        return false;
    }
    switch (kind) {
    case ompd_cl_kind_context:
        end_found(found.context, is_replaced);
        break;
    case ompd_cl_kind_queue:
        end_found(found.queue, is_replaced);
        break;
    case ompd_cl_kind_memobj:
        end_found(found.buffer, is_replaced);
        break;
    case ompd_cl_kind_svm:
        end_svm(is_replaced);
        break;
    case ompd_cl_kind_svm_free:
        end_command(is_replaced);
        break;
    default:
        abort();
    }
    /* Objects of a destroyed OpenCL context cannot exist; nor can those with another's tag. */
    return kind == ompd_cl_kind_context || (kind == ompd_cl_kind_memobj && is_replaced);
}

static void restore(void)
{
    memcpy(found.target->bytes, bytes, found.target->used);
}

/* ---- The target ------------------------------------------------------------------------------ */

/* Make all used memory writable by the program, and reserve the rest. */
static void permit_rest(const struct fake_objects *objects)
{
    const uint32_t writable = ompd_cl_permission_read | ompd_cl_permission_write;
    uint64_t module = objects->text - PAGE;
    uint64_t end = fake_reserve(objects->target, PAGE, PAGE);

    fake_permit(objects->target, FAKE_BASE, module, writable);
    fake_permit(objects->target, module + 6 * PAGE, end, writable);
    fake_permit(objects->target, end, FAKE_BASE + FAKE_SIZE, 0);
}

struct sweep_target sweep_found_create(bool is_big_endian, unsigned pointer_size, bool has_recorder)
{
    struct sweep_target image = {
        .name = "found",
        .callbacks = fake_callbacks,
        .extra = fake_extra,
        .end_object = end_object,
        .restore = restore,
    };

    fake_target_create(is_big_endian, pointer_size, 8);
    fake_current->has_recorder = has_recorder;
    fake_objects_create(&found, fake_current);
    if (has_recorder)
        record(&found);
    permit_rest(&found);
    bytes = malloc(fake_current->used);
    if (bytes == NULL)
        abort();
    memcpy(bytes, fake_current->bytes, fake_current->used);
    image.context = (ompd_address_space_context_t *)(void *)fake_current;
    image.layout = fake_objects_layout(&found);
    return image;
}

void sweep_found_free(void)
{
    free(bytes);
    fake_target_free(fake_current);
}
