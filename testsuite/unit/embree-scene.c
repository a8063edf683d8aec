/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-scene.h"

#include <string.h>

struct fake_embree embree;
struct embree_objects story;
uint64_t thread_pcs[EMBREE_THREADS];
unsigned thread_count;
ompd_cl_extra_t embree_extra;

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *thread)
{
    (void)context;
    if (index >= thread_count)
        return ompd_rc_unavailable;
    thread->lwp = 100 + index;
    return ompd_rc_ok;
}

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count)
{
    (void)context;
    (void)capacity;
    if (thread_pcs[lwp - 100] == 0)
        return ompd_rc_unavailable;
    frames[0].pc = thread_pcs[lwp - 100];
    *count = 1;
    return ompd_rc_ok;
}

void embree_scene_make(void)
{
    embree_scene_make_in(fake_target_create_small(0, 8));
}

void embree_scene_make_in(struct fake_target *made)
{
    target = made;
    target->has_recorder = false;
    fake_embree_create(&embree, target, "abcd");
    embree_objects_make(&embree, &story);
    embree_extra = fake_extra;
    embree_extra.thread = tell_thread;
    embree_extra.frames = tell_frames;
    thread_count = 1;
    thread_pcs[0] = embree.end + 16;
}

ompd_rc_t embree_layout_add(unsigned parts)
{
    const char *text = fake_embree_layout(&embree, parts);

    return ompd_cl_layout_add(space, text, strlen(text));
}

void embree_open(unsigned parts)
{
    embree_scene_make();
    found_space_create(&embree_extra);
    ck_assert_int_eq(embree_layout_add(parts), ompd_rc_ok);
}

void embree_change(uint64_t object, unsigned place, unsigned size, uint64_t value)
{
    fake_put(target, object + place, size, value);
    found_refresh();
}

#define ROW(kind)                                                                                  \
    ompd_cl_embree_##kind##_info_t embree_##kind##_row(uint64_t handle, ompd_rc_t rc)              \
    {                                                                                              \
        ompd_cl_embree_##kind##_info_t info = {.head.struct_size = sizeof(info)};                  \
        ompd_cl_embree_##kind##_id_t id = {0};                                                     \
                                                                                                   \
        ck_assert_int_eq(ompd_cl_embree_##kind##_find(space, handle, &id), ompd_rc_ok);            \
        ck_assert_int_eq(ompd_cl_embree_##kind##_get(space, id, &info), rc);                       \
        ck_assert_uint_eq(info.head.id, id.id);                                                    \
        ck_found(info.head.handle, handle);                                                        \
        return info;                                                                               \
    }
ROW(device)
ROW(scene)
ROW(geometry)
ROW(buffer)
