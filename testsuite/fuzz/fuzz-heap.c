/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A heap that lies under a layout that is right: edits of a runtime's objects, their lists and its
 * module, with and without a recorder that knows some; the second half of them before a refresh.
 */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-targets.h"

#include <stddef.h>
#include <string.h>

enum {
    edit_field,
    edit_object, /* a pointer to an object, or into one */
    edit_pointer,
    edit_word,
    edit_add,
    edit_copy,
    edit_hole,
    edit_module,
    edit_permission,
    edit_reference, /* of the recorder */
    edit_kinds
};

/* Objects of the runtime: those of struct fake_objects from `platform` on. */
#define OBJECT_COUNT                                                                               \
    ((sizeof(struct fake_objects) - offsetof(struct fake_objects, platform)) / sizeof(uint64_t))

static uint64_t object(const struct small_target *small, uint64_t number)
{
    return (&small->objects.platform)[number % OBJECT_COUNT];
}

/* The word NUMBER of the runtime's memory, from its module on. */
static uint64_t word(const struct small_target *small, uint64_t number)
{
    uint64_t start = small->objects.text;
    uint64_t count = (FAKE_BASE + small->fake->used - start) / 8;

    return start + number % count * 8;
}

static void put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value)
{
    if (address >= FAKE_BASE && address - FAKE_BASE <= target->size - size)
        fake_put(target, address, size, value);
}

static void copy(struct fake_target *target, uint64_t to, uint64_t from)
{
    if (to + fake_object_size <= FAKE_BASE + target->size &&
        from + fake_object_size <= FAKE_BASE + target->size)
        memmove(target->bytes + (to - FAKE_BASE), target->bytes + (from - FAKE_BASE),
                fake_object_size);
}

static void apply(struct small_target *small, const struct edit *edit)
{
    struct fake_target *target = small->fake;
    unsigned width = (edit->index & 0x8000) != 0 ? 4 : target->pointer_size;
    uint64_t field = object(small, edit->which) + edit->index % (fake_object_size / 4) * 4;
    uint64_t place = word(small, edit->number);

    switch (edit->what % edit_kinds) {
    case edit_field:
        put(target, field, width, edit->value);
        break;
    case edit_object:
        put(target, field, target->pointer_size,
            object(small, edit->number) + edit->value % fake_object_size);
        break;
    case edit_pointer:
        put(target, field, target->pointer_size, place);
        break;
    case edit_word:
        put(target, place, width, edit->value);
        break;
    case edit_add:
        put(target, place, width, fake_get(target, place, width) + edit->value);
        break;
    case edit_copy:
        copy(target, place, object(small, edit->which));
        break;
    case edit_hole:
        small_target_hide(target, edit);
        break;
    case edit_module:
        put(target, small->objects.text - 4096 + edit->number % 256, 1U << (edit->which & 3),
            edit->value);
        break;
    case edit_permission:
        target->permits[edit->which % target->permit_count].permissions = edit->number & 0x3f;
        break;
    default:
        put(target, FAKE_BASE + edit->number % target->used, width, object(small, edit->which));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits edits;
    struct small_target *small;
    ompd_address_space_handle_t *space = NULL;
    size_t half;

    if (!edits_read(&edits, data, size))
        return 0;
    small = small_target_get((edits.head[0] & 8) != 0 ? small_make_recorded : small_make_objects,
                             edits.head[0] & 3);
    half = (edits.head[0] & 4) != 0 ? edits.count / 2 : edits.count;
    for (size_t i = 0; i < half; i++)
        apply(small, &edits.items[i]);
    small_target_arm(small, &edits);
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake, &space) ==
        ompd_rc_ok) {
        ask_check(space, ompd_cl_layout_add(space, small->layout, strlen(small->layout)));
        ask_check(space, ompd_cl_sources_set(space, edits.head[3]));
        ask_everything(space, edits.head[3] >> 4);
        for (size_t i = half; i < edits.count; i++)
            apply(small, &edits.items[i]);
        if (half != edits.count) {
            ask_check(space, ompd_cl_refresh(space));
            ask_everything(space, edits.head[3] >> 4);
        }
        ompd_rel_address_space_handle(space);
    }
    cost_check_end();
    return 0;
}
