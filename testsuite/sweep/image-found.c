/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image-found.h"

#include "../unit/fake-objects.h"

#define PAGE UINT64_C(4096)

/* Record the memory object HANDLE of cl_mem_object_type TYPE, with FLAGS and its COUNT callbacks,
 * from number FIRST on. */
static void record_memobj(const struct fake_objects *objects, uint32_t context, uint64_t handle,
                          uint64_t size, uint32_t type, uint64_t flags, uint32_t first,
                          uint32_t count)
{
    struct fake_target *target = objects->target;
    uint32_t memobj = fake_add_buffer(target, handle, context, size);

    fake_set(target, ompd_cl_registry_memobj, memobj, ompd_cl_registry_field_type, type);
    fake_set(target, ompd_cl_registry_memobj, memobj, ompd_cl_registry_field_flags, flags);
    for (uint32_t i = first; i < first + count; i++)
        fake_add_destructor(target, memobj, fake_function(objects, i), 0x1000 + i);
}

/* The recorder has some of what the layout finds: a context, a queue, a buffer of the program's
 * memory, an image. */
static void record(const struct fake_objects *objects)
{
    struct fake_target *target = objects->target;
    uint32_t context = fake_add_object(target, ompd_cl_registry_context, objects->context);

    fake_add_object(target, ompd_cl_registry_queue, objects->queue);
    record_memobj(objects, context, objects->buffer, 4096, 0x10f0, 9, 0, 3);
    record_memobj(objects, context, objects->image, 8192, 0x10f1, 4, 10, 2);
    fake_add_thread(target, 4711, true);
}

/* Let all memory that is used be the program's to write to, and the rest be kept free. */
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
    };
    struct fake_objects objects;

    fake_target_create(is_big_endian, pointer_size, 8);
    fake_current->has_recorder = has_recorder;
    fake_objects_create(&objects, fake_current);
    if (has_recorder)
        record(&objects);
    permit_rest(&objects);
    image.context = (ompd_address_space_context_t *)(void *)fake_current;
    image.layout = fake_objects_layout(&objects);
    return image;
}

void sweep_found_free(void)
{
    fake_target_free(fake_current);
}
