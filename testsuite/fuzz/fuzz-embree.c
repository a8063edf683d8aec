/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Damaged objects of Embree, and its types and tables. The second half of the edits comes before a
 * refresh. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-targets.h"

#include <string.h>

enum {
    edit_field,
    edit_object, /* a pointer to an object, or into one */
    edit_pointer,
    edit_word,
    edit_table,
    edit_hole,
    edit_kinds
};

#define OBJECT_COUNT (sizeof(struct embree_objects) / sizeof(uint64_t))

static uint64_t object(const struct small_target *small, uint64_t number)
{
    return (&small->of_embree.device)[number % OBJECT_COUNT];
}

/* The word NUMBER of the memory that is used, from the module on. */
static uint64_t word(const struct small_target *small, uint64_t number)
{
    uint64_t start = small->embree.start;

    return start + number % ((FAKE_BASE + small->fake->used - start) / 8) * 8;
}

static void put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value)
{
    if (address >= FAKE_BASE && address - FAKE_BASE <= target->size - size)
        fake_put(target, address, size, value);
}

static void edit_apply(struct small_target *small, const struct edit *edit)
{
    struct fake_target *target = small->fake;
    unsigned width = (edit->index & 0x8000) != 0 ? 1 : 8;
    uint64_t field = object(small, edit->which) + edit->index % embree_object_size;
    uint64_t place = word(small, edit->number);

    switch (edit->what % edit_kinds) {
    case edit_field:
        put(target, field, width, edit->value);
        break;
    case edit_object:
        put(target, field, 8, object(small, edit->number) + edit->value % embree_object_size);
        break;
    case edit_pointer:
        put(target, field, 8, place);
        break;
    case edit_word:
        put(target, place, width, edit->value);
        break;
    case edit_table:
        put(target, field, 8, small->embree.tables[edit->number % embree_class_count]);
        break;
    default:
        small_target_hide(target, edit);
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
    small = small_target_get(small_make_embree, 0);
    half = (edits.head[0] & 4) != 0 ? edits.count / 2 : edits.count;
    for (size_t i = 0; i < half; i++)
        edit_apply(small, &edits.items[i]);
    small_target_arm(small, &edits);
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake, &space) ==
        ompd_rc_ok) {
        ask_check(space, ompd_cl_layout_add(space, small->layout, strlen(small->layout)));
        ask_everything(space, edits.head[3] >> 4);
        for (size_t i = half; i < edits.count; i++)
            edit_apply(small, &edits.items[i]);
        if (half != edits.count) {
            ask_check(space, ompd_cl_address_space_refresh(space));
            ask_everything(space, edits.head[3] >> 4);
        }
        ompd_rel_address_space_handle(space);
    }
    cost_check_end();
    return 0;
}
