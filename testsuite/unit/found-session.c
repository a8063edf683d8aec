/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "found-session.h"

#include <string.h>

struct fake_target *target;
struct fake_objects objects;
ompd_address_space_handle_t *space;

void found_space_create(const ompd_cl_extra_t *extra)
{
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, extra, (void *)target, &space),
                     ompd_rc_ok);
    /* By default, a search is avoided: see test-glance.c. */
    ck_assert_int_eq(ompd_cl_sources_set(space, OMPD_CL_SOURCES_ALL), ompd_rc_ok);
}

void found_layout_add(void)
{
    const char *text = fake_objects_layout(&objects);

    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
}

void found_open(int variant, bool has_recorder)
{
    target = fake_target_create_variant(variant, 8);
    target->has_recorder = has_recorder;
    fake_objects_create(&objects, target);
    found_space_create(&fake_extra);
    found_layout_add();
}

void found_close(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

void found_refresh(void)
{
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
}

ompd_cl_memobj_id_t found_memobj(uint64_t handle)
{
    ompd_cl_memobj_id_t id = {0};

    ck_assert_int_eq(ompd_cl_memobj_find(space, handle, &id), ompd_rc_ok);
    ck_assert_uint_ne(id.id, 0);
    return id;
}

ompd_cl_memobj_info_t found_memobj_get(uint64_t handle)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};

    ck_assert_int_eq(ompd_cl_memobj_get(space, found_memobj(handle), &info), ompd_rc_ok);
    ck_assert_uint_eq(info.head.handle.value, handle);
    ck_assert_uint_eq(info.head.id, found_memobj(handle).id);
    return info;
}

ompd_rc_t found_memobjs_next(ompd_cl_list_t list, ompd_size_t capacity, ompd_cl_memobj_info_t *rows,
                             ompd_size_t *count)
{
    ompd_rc_t rc;
    ompd_size_t got;

    *count = 0;
    do {
        rows[*count].head.struct_size = sizeof(rows[0]);
        rc = ompd_cl_memobj_list_next(space, list, capacity, &rows[*count], &got, NULL);
        if (rc != ompd_rc_ok)
            return rc;
        *count += got;
        ck_assert_uint_le(*count + capacity, MOST);
    } while (got != 0);
    return ompd_rc_ok;
}

ompd_size_t found_memobjs(ompd_cl_memobj_info_t *rows)
{
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(found_memobjs_next(list, 3, rows, &count), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

void found_memobjs_check(const ompd_cl_memobj_info_t *rows, ompd_size_t count)
{
    const uint64_t handles[] = {objects.buffer, objects.sub_buffer, objects.image, objects.pipe};

    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < 4; i++) {
        unsigned seen = 0;

        for (ompd_size_t j = 0; j < count; j++)
            seen += rows[j].head.handle.value == handles[i];
        ck_assert_uint_eq(seen, 1);
    }
}

ompd_size_t found_destructors(ompd_cl_list_t list, ompd_size_t capacity,
                              ompd_cl_destructor_info_t *rows)
{
    ompd_size_t count = 0;
    ompd_size_t got;

    do {
        rows[count].head.struct_size = sizeof(rows[0]);
        ck_assert_int_eq(
            ompd_cl_destructor_list_next(space, list, capacity, &rows[count], &got, NULL),
            ompd_rc_ok);
        count += got;
        ck_assert_uint_le(count + capacity, MOST);
    } while (got != 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

#define TABLE(name) ompd_cl_registry_##name

struct recorded found_record(void)
{
    struct recorded recorded;
    uint32_t queue;

    recorded.context = fake_add_object(target, TABLE(context), objects.context);
    queue = fake_add_object(target, TABLE(queue), objects.queue);
    fake_set(target, TABLE(queue), queue, ompd_cl_registry_field_context,
             OMPD_CL_REGISTRY_REFERENCE(TABLE(context), recorded.context));
    recorded.buffer = fake_add_buffer(target, objects.buffer, recorded.context, 4096);
    recorded.callback =
        fake_add_destructor(target, recorded.buffer, fake_function(&objects, 40), 0x1040);
    return recorded;
}
