/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How doubtful objects affect counts and lists. */
#include "found-session.h"

#include "suite.h"

static ompd_cl_overview_info_t overview;

static ompd_rc_t ask_overview(void)
{
    overview = (ompd_cl_overview_info_t){.struct_size = sizeof(overview)};
    return ompd_cl_overview_get(space, &overview);
}

static uint64_t copy_object(uint64_t handle)
{
    uint64_t copy = fake_object_make(&objects, fake_buffer_tag, objects.context);
    unsigned word = target->pointer_size;

    for (uint64_t at = 0; at < fake_object_size; at += word)
        fake_put(target, copy + at, word, fake_get(target, handle + at, word));
    return copy;
}

/* Copies do not count, even if it is unknown which is one.  That they are copies is not proved. */
START_TEST(copied)
{
    found_open(_i, false);
    copy_object(objects.buffer);
    copy_object(objects.sub_buffer);
    copy_object(objects.sub_buffer);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    ck_shown(overview.memory_objects, 4, ompd_cl_status_presumed);
    found_close();
}
END_TEST

/* An answer does not lack what a doubtful object leads to, unless it is about that one. */
START_TEST(doubtful_fields)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t copy;

    found_open(_i, false);
    copy = copy_object(objects.buffer);
    fake_object_point(&objects, copy, at_callbacks, target->pointer_size == 8 ? 1u << 20 : 65536);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(found_memobjs_next(list, 3, rows, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 5);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    id = found_memobj(copy);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &rows[0]), ompd_rc_incomplete);
    ck_assert_uint_eq(rows[0].head.confidence.value, ompd_cl_confidence_doubtful);
    ck_assert_uint_eq(rows[0].destructor_count.status, ompd_cl_status_unreadable);
    found_close();
}
END_TEST

/* Of objects that are all in doubt any may be there. */
START_TEST(over_counted)
{
    found_open(_i, false);
    fake_put(target, objects.context + at_references, 4, 1);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    ck_shown(overview.contexts, 1, ompd_cl_status_presumed);
    ck_shown(overview.memory_objects, 0, ompd_cl_status_at_least);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("doubtful");
    TCase *tests = tcase_create("doubtful");

    tcase_add_loop_test(tests, copied, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, doubtful_fields, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, over_counted, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
