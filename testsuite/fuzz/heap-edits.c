/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap-edits.h"

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

void heap_edit_apply(struct small_target *small, const struct edit *edit)
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
