/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "inventory-scene.h"

#include <check.h>
#include <string.h>

struct fake_session session;
struct fake_runtime runtime;
struct inventory inventory;
uint64_t stack;
uint64_t context;
uint64_t device;

void scene_open(int variant, uint64_t heap)
{
    memset(&inventory, 0, sizeof(inventory));
    fake_session_open(&session, variant);
    fake_runtime_add(&session, &runtime, "libmadeup.so", 1, heap);
    stack = fake_area(&session, FAKE_PAGE, ompd_cl_permission_read | ompd_cl_permission_write);
    context = fake_object_add(&runtime, layout_context, 0, 0);
    device = fake_object_add(&runtime, layout_device, 0, 0);
}

ompd_rc_t scene_take(void)
{
    return inventory_take(&inventory, &session.target, &session.code, &session.runtimes);
}

void scene_begin(const char *extra_lines)
{
    fake_runtime_describe(&runtime, extra_lines);
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 1);
    ck_assert_int_eq(session.runtimes.all[0].finding, runtime_by_layout);
}

void scene_close(void)
{
    inventory_free(&inventory, &session.memory);
    fake_session_close(&session);
}

uint64_t scene_count(void)
{
    struct inventory_cursor cursor;
    uint64_t found = 0;
    uint64_t last = 0;
    const struct inventory_item *item;

    inventory_begin(&inventory, &cursor);
    while ((item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        ck_assert_uint_gt(item->handle, last);
        last = item->handle;
        found++;
    }
    return found;
}

void scene_check(uint64_t handle, enum layout_kind kind, ompd_cl_confidence_t confidence,
                 ompd_cl_doubt_t doubt)
{
    const struct inventory_item *item = inventory_find(&inventory, handle);

    ck_assert_ptr_nonnull(item);
    ck_assert_int_eq(item->kind, kind);
    ck_assert_int_eq(item->confidence, confidence);
    ck_assert_int_eq(item->doubt, doubt);
}

void scene_check_certain(uint64_t handle, enum layout_kind kind)
{
    scene_check(handle, kind, ompd_cl_confidence_certain, ompd_cl_doubt_none);
}

uint64_t scene_add_buffer(void)
{
    return fake_object_add(&runtime, layout_buffer, context, 0);
}

void scene_put_call(uint64_t address, uint64_t handle)
{
    uint32_t size = session.fake->pointer_size;

    fake_put(session.fake, address, size, handle);
    fake_put(session.fake, address + size, size, runtime.text + 256);
}

uint64_t scene_take_chunk(unsigned units, bool is_used)
{
    uint64_t word = session.fake->pointer_size;
    uint64_t size = (fake_object_size(&runtime) + 3 * word) / (2 * word) * (2 * word);
    uint64_t start;

    size += units * 2 * word;
    start = fake_heap_take(&runtime, size + 4 * word) + 2 * word;
    fake_put(session.fake, start - word, (unsigned)word, size | 1);
    if (!is_used)
        fake_put(session.fake, start + size - 2 * word, (unsigned)word, 0x53e0);
    fake_put(session.fake, start + size - word, (unsigned)word, 0x50 | (is_used ? 1 : 0));
    return start;
}

uint64_t scene_add_chunk(bool is_used)
{
    uint64_t start = scene_take_chunk(0, is_used);
    uint64_t after = runtime.heap_used;
    uint64_t handle;

    runtime.heap_used = start;
    handle = scene_add_buffer();
    runtime.heap_used = after;
    return handle;
}
