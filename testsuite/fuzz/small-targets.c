/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-targets.h"

#include "../unit/population.h"

#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define READ_WRITE (ompd_cl_permission_read | ompd_cl_permission_write)
#define MAKERS 4

struct small_target *small_target_get(small_make_t make, int variant)
{
    static struct {
        small_make_t make;
        struct small_target targets[FAKE_VARIANTS];
    } makers[MAKERS];
    struct small_target *small;
    int i = 0;

    while (makers[i].make != NULL && makers[i].make != make)
        i++;
    makers[i].make = make;
    small = &makers[i].targets[variant % FAKE_VARIANTS];
    if (small->fake == NULL) {
        fake_current = NULL;
        make(small, variant % FAKE_VARIANTS);
        small->made = *small->fake;
        small->made.bytes = malloc(small->fake->size);
        memcpy(small->made.bytes, small->fake->bytes, small->fake->size);
    }
    small_target_restore(small);
    return small;
}

void small_target_restore(struct small_target *small)
{
    uint8_t *bytes = small->fake->bytes;

    memcpy(bytes, small->made.bytes, small->made.size);
    *small->fake = small->made;
    small->fake->bytes = bytes;
    fake_current = small->fake;
}

void small_make_population(struct small_target *small, int variant)
{
    small->fake = population_create_small(variant).target;
}

/* Use the memory of TARGET after that of the runtime, from START on, as the heap. */
static void permit(struct fake_target *target, uint64_t start)
{
    uint64_t heap = start + 6 * PAGE;

    fake_permit(target, FAKE_BASE, start, READ_WRITE);
    fake_permit(target, heap, FAKE_BASE + target->size, READ_WRITE);
}

static void make_objects(struct small_target *small, int variant, bool has_recorder)
{
    small->fake = fake_target_create_small(variant, 4);
    small->fake->has_recorder = has_recorder;
    fake_objects_create(&small->objects, small->fake);
    permit(small->fake, small->objects.text - PAGE);
    small->layout = strdup(fake_objects_layout(&small->objects));
}

void small_make_objects(struct small_target *small, int variant)
{
    make_objects(small, variant, false);
}

void small_make_recorded(struct small_target *small, int variant)
{
    const struct fake_objects *objects = &small->objects;
    uint32_t context;
    uint32_t buffer;

    make_objects(small, variant, true);
    context = fake_add_object(small->fake, ompd_cl_registry_context, objects->context);
    fake_add_object(small->fake, ompd_cl_registry_queue, objects->queue);
    buffer = fake_add_buffer(small->fake, objects->buffer, context, 4096);
    fake_add_destructor(small->fake, buffer, fake_function(objects, 40), 0x1040);
    fake_add_buffer(small->fake, objects->image, context, 8192);
    fake_add_thread(small->fake, 4711, true);
}

void small_make_embree(struct small_target *small, int variant)
{
    (void)variant;
    small->fake = fake_target_create_small(0, 4);
    small->fake->has_recorder = false;
    fake_embree_create(&small->embree, small->fake, "abcd");
    embree_objects_make(&small->embree, &small->of_embree);
    fake_permit(small->fake, FAKE_BASE, FAKE_BASE + small->fake->size, READ_WRITE);
    small->layout = strdup(fake_embree_layout(&small->embree, EMBREE_LAYOUT));
}

void small_target_arm(struct small_target *small, const struct edits *edits)
{
    small->fake->failing = edits->head[1] % fake_callback_count;
    small->fake->fail_at = edits->head[2];
    small->fake->fails_for_ever = (edits->head[1] & 0x80) != 0;
}

void small_target_hide(struct fake_target *target, const struct edit *edit)
{
    uint64_t start = edit->value % target->size;

    target->hole_start = FAKE_BASE + start;
    target->hole_end = target->hole_start + edit->number % (target->size - start);
    target->is_hole_known = (edit->index & 1) != 0;
}
