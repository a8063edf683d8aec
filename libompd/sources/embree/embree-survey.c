/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the bytes of devices are exact: no thread changes them, and the layout covers them. */
#include "sources/embree/embree.h"

/* ---- Threads in Embree ----------------------------------------------------------------------- */

/* Whether ADDRESS is in a copy of libembree. */
static bool address_is_in_embree(const struct embree_source *source, uint64_t address)
{
    for (uint32_t i = 0; i < source->module_count; i++) {
        if (address >= source->modules[i].start && address < source->modules[i].end)
            return true;
    }
    return false;
}

/* Whether the thread LWP is executing a function of Embree's, or its stack does not show it. */
static bool thread_is_in_embree(struct address_space *space, uint64_t lwp)
{
    struct thread_stack *stack = &space->stack;

    thread_stack_get(&space->target, lwp, THREAD_FRAMES, stack);
    if (stack->frame_count == 0 || stack->frame_count == THREAD_FRAMES)
        return true;
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        if (address_is_in_embree(space->layout->embree, stack->frames[i].pc))
            return true;
    }
    return false;
}

/* Find a thread in Embree. Returns ompd_rc_ok, or what ends the call. */
static ompd_rc_t busy_find(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;

    source->is_busy = true;
    for (uint32_t i = 0; i < THREAD_LIMIT; i++) {
        ompd_cl_target_thread_t thread;
        ompd_rc_t rc = thread_get(&space->target, i, &thread);

        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok) {
            source->is_busy = rc != ompd_rc_unavailable || i == 0;
            return ompd_rc_ok;
        }
        if (thread_is_in_embree(space, thread.lwp))
            return ompd_rc_ok;
    }
    return ompd_rc_ok;
}

/* ---- What a layout covers -------------------------------------------------------------------- */

/* Whether LAYOUT has all classes whose objects report memory, and leads to them from a scene. A
 * layout that was learned without them shows a part of a device's memory. */
static bool layout_covers_bytes(const struct layout *layout)
{
    const uint32_t needed = UINT32_C(1) << layout_class_bvh | UINT32_C(1) << layout_class_user_bvh |
                            UINT32_C(1) << layout_class_builder | UINT32_C(1) << layout_class_part |
                            UINT32_C(1) << layout_class_block;
    uint32_t kinds = 0;
    bool has_owned = true;

    for (uint32_t i = 0; i < layout->class_count; i++) {
        const struct layout_class *class = &layout->classes[i];

        kinds |= UINT32_C(1) << class->kind;
        if (class->kind == layout_class_scene)
            has_owned &= layout->bodies[class->body].owned_count != 0;
    }
    return (kinds & needed) == needed && has_owned;
}

static bool item_is_covered(const struct embree_source *source, const struct embree_item *item)
{
    return layout_covers_bytes(source->modules[embree_item_table(source, item)->module].layout);
}

ompd_rc_t embree_survey(struct address_space *space)
{
    struct embree_source *source = space->layout->embree;
    ompd_rc_t rc;

    if (source->surveyed == space->target.stop)
        return ompd_rc_ok;
    rc = busy_find(space);
    if (rc == ompd_rc_ok)
        source->surveyed = space->target.stop;
    return rc;
}

bool embree_bytes_are_exact(const struct embree_source *source, const struct embree_item *item)
{
    return !source->is_busy && item_is_covered(source, item) && item->building == 0 &&
           item->build_failure == 0 && (item->marks & (embree_partial | embree_unread)) == 0 &&
           !shortfall_is_any(&source->missing) && shortfall_bytes(&source->missing) == 0;
}

bool embree_scene_is_whole(const struct embree_source *source, const struct embree_item *item)
{
    return item_is_covered(source, item) && item->building == 0 && item->build_failure == 0 &&
           (item->marks & embree_partial) == 0;
}
