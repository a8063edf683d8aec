/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Answers without a search of memory: about an object whose handle is known, and where the recorder
 * has seen all objects. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

#include <stddef.h>

#define TABLE(name) ompd_cl_registry_##name
#define FIELD(name) ompd_cl_registry_field_##name
#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

/* Reads of 4 KiB that a question about one handle may cost: law 9. */
#define POINT_READS 12

/* Enough for the recorder's objects, and too little for a search. */
#define LITTLE_MEMORY (UINT64_C(900) << 10)

/* Open the target with the sources that a tool has at first. */
static void glance_open(int variant, bool has_recorder)
{
    found_open(variant, has_recorder);
    ck_assert_int_eq(ompd_cl_sources_set(space, OMPD_CL_SOURCES_DEFAULT), ompd_rc_ok);
    fake_reset(target);
}

/* Whether memory was searched since the last fake_reset: only a search reports its progress. */
static bool was_searched(void)
{
    return target->calls[fake_progress] != 0;
}

/* Whether there is an object of KIND at HANDLE, as far as can be read. */
static bool is_found(ompd_cl_kind_t kind, uint64_t handle)
{
    uint64_t id = 0;
    ompd_rc_t rc = ompd_cl_object_find(space, kind, handle, &id);

    ck_assert(rc == ompd_rc_ok || rc == ompd_rc_unavailable || rc == ompd_rc_incomplete);
    ck_assert_int_eq(rc == ompd_rc_ok, id != 0);
    return rc == ompd_rc_ok;
}

/* The row of the memory object at HANDLE, which a layout shows. */
static ompd_cl_memobj_info_t get_memobj(uint64_t handle)
{
    ompd_cl_memobj_info_t info = found_memobj_get(handle);

    ck_assert_uint_eq(info.head.source.value, ompd_cl_source_layout);
    return info;
}

START_TEST(found_at_handle)
{
    ompd_cl_memobj_info_t info;

    glance_open(_i, false);
    info = get_memobj(objects.sub_buffer);
    ck_assert(!was_searched());
    ck_assert_uint_le(target->calls[fake_read], POINT_READS);
    ck_assert_uint_eq(info.head.confidence.value, ompd_cl_confidence_presumed);
    ck_found(info.parent, objects.buffer);
    ck_found(info.head.runtime_references, 1);
    ck_unknown(info.references);
    ck_unknown(info.state);

    ck_assert_int_eq(ompd_cl_objects_search(space), ompd_rc_ok);
    ck_assert(was_searched());
    info = get_memobj(objects.sub_buffer);
    ck_assert_uint_eq(info.head.confidence.value, ompd_cl_confidence_certain);
    ck_presumed(info.references, 1);
    ck_presumed(info.state, ompd_cl_object_state_live);
    found_close();
}
END_TEST

/* Each kind names others, directly or not. */
START_TEST(every_kind)
{
    glance_open(_i, false);
    ck_assert(is_found(ompd_cl_kind_context, objects.context));
    ck_assert(is_found(ompd_cl_kind_queue, objects.queue));
    ck_assert(is_found(ompd_cl_kind_memobj, objects.image));
    ck_assert(is_found(ompd_cl_kind_memobj, objects.pipe));
    ck_assert(is_found(ompd_cl_kind_event, objects.event));
    ck_assert(is_found(ompd_cl_kind_program, objects.program));
    ck_assert(is_found(ompd_cl_kind_kernel, objects.kernel));
    ck_assert(is_found(ompd_cl_kind_sampler, objects.sampler));
    ck_assert(!was_searched());
    /* SVM is in a list of its OpenCL context. */
    ck_assert(!is_found(ompd_cl_kind_svm, 0x1230));
    ck_assert(was_searched());
    found_close();
}
END_TEST

START_TEST(nothing_at_handle)
{
    uint64_t id = 77;

    glance_open(_i, false);
    ck_assert_int_eq(ompd_cl_object_find(space, ompd_cl_kind_memobj, objects.buffer + at_size, &id),
                     ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_object_find(space, ompd_cl_kind_queue, objects.buffer, &id),
                     ompd_rc_unavailable);
    ck_assert(!was_searched());
    ck_assert_uint_eq(id, 77);
    found_close();
}
END_TEST

/* A search decides where the object itself does not. */
START_TEST(undecided)
{
    glance_open(_i, false);
    ck_assert(!is_found(ompd_cl_kind_memobj, objects.freed));
    ck_assert(was_searched());
    found_close();

    glance_open(_i, false);
    ck_assert(!is_found(ompd_cl_kind_queue, objects.hidden));
    ck_assert(was_searched());
    found_close();

    /* An OpenCL context that is none. */
    glance_open(_i, false);
    fake_object_point(&objects, objects.buffer, at_context, objects.queue);
    ck_assert(!is_found(ompd_cl_kind_memobj, objects.buffer));
    ck_assert(was_searched());
    found_close();
}
END_TEST

/* Objects that name each other, an unreadable OpenCL context and an unreadable handle. */
START_TEST(hostile)
{
    uint64_t id;

    glance_open(_i, false);
    fake_object_point(&objects, objects.buffer, at_parent, objects.sub_buffer);
    fake_object_point(&objects, objects.sub_buffer, at_context, objects.sub_buffer);
    ck_assert(!is_found(ompd_cl_kind_memobj, objects.buffer));
    found_close();

    glance_open(_i, false);
    target->hole_start = objects.context;
    target->hole_end = objects.context + 8;
    is_found(ompd_cl_kind_memobj, objects.buffer);
    ck_assert(was_searched());
    found_close();

    glance_open(_i, false);
    target->hole_start = objects.buffer;
    target->hole_end = objects.buffer + 8;
    ck_assert_int_eq(ompd_cl_object_find(space, ompd_cl_kind_memobj, objects.buffer, &id),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(id, 0);
    found_close();
}
END_TEST

START_TEST(callbacks_of_one)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_list_t list;

    glance_open(_i, false);
    ck_assert_int_eq(
        ompd_cl_memobj_destructor_list_open(space, found_memobj(objects.buffer), &list),
        ompd_rc_ok);
    ck_assert_uint_eq(found_destructors(list, 2, rows), 3);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, found_memobj(objects.image), &list),
                     ompd_rc_ok);
    ck_assert_uint_eq(found_destructors(list, 1, rows), 2);
    ck_assert(!was_searched());
    ck_assert_uint_le(target->calls[fake_read], 2 * POINT_READS);
    found_close();
}
END_TEST

/* The buffer is destroyed between two calls. */
START_TEST(destroyed_later)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t memobj;

    glance_open(_i, false);
    memobj = found_memobj(objects.buffer);
    fake_put(target, objects.buffer, target->pointer_size, 0x1234);
    found_refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, memobj, &info), ompd_rc_stale_handle);
    ck_assert(!was_searched());
    found_close();
}
END_TEST

/* ---- Beside the recorder --------------------------------------------------------------------- */

/* The number of memory objects of the list and the overview, of which the recorder has one. */
static uint64_t count_memobjs(void)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_info_t rows[MOST];
    ompd_size_t count = found_memobjs(rows);

    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.memory_objects.value, count);
    ck_assert_uint_eq(rows[0].head.source.value, ompd_cl_source_recorder);
    ck_assert_uint_eq(rows[0].head.runtime_references.source, ompd_cl_source_layout);
    return count;
}

START_TEST(all_recorded)
{
    glance_open(_i, true);
    found_record();
    ck_assert_uint_eq(count_memobjs(), 1);
    ck_assert(!was_searched());
    /* The answer does not depend on other questions of this stop. */
    ck_assert_int_eq(ompd_cl_objects_search(space), ompd_rc_ok);
    ck_assert(was_searched());
    ck_assert_uint_eq(count_memobjs(), 1);
    ck_assert_int_eq(
        ompd_cl_sources_set(space, 1u << ompd_cl_source_recorder | 1u << ompd_cl_source_layout),
        ompd_rc_ok);
    ck_assert_uint_eq(count_memobjs(), 4);
    found_close();
}
END_TEST

/* The recorder knows that it has missed objects. */
START_TEST(some_missed)
{
    glance_open(_i, true);
    found_record();
    fake_put(target, ROOT(counts.unknown_handles), 8, 1);
    ck_assert_uint_eq(count_memobjs(), 4);
    found_close();

    glance_open(_i, true);
    found_record();
    fake_put(target, ROOT(counts.loaders_refused), 8, 1);
    ck_assert_uint_eq(count_memobjs(), 4);
    found_close();
}
END_TEST

/* The number of memory objects of a list that the memory limit cuts short, and what is said. */
static ompd_size_t count_limited(void)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t rest;

    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, NULL), ompd_rc_ok);
    for (unsigned again = 0; again < 2; again++) {
        ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &rest, NULL),
                         ompd_rc_incomplete);
        sentence_expect(space, "the memory limit does not allow a search");
        ck_assert_uint_eq(rest, 0);
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

/* The recorder's objects are shown even where a search takes too much memory. */
START_TEST(limited)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    glance_open(_i, true);
    found_record();
    ck_assert_int_eq(
        ompd_cl_sources_set(space, 1u << ompd_cl_source_recorder | 1u << ompd_cl_source_layout),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, LITTLE_MEMORY), ompd_rc_ok);
    ck_assert_uint_eq(count_limited(), 1);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    sentence_expect(space, "the memory limit does not allow a search");
    ck_assert_uint_eq(info.memory_objects.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(info.memory_objects.value, 1);
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, 0), ompd_rc_ok);
    ck_assert_uint_eq(count_memobjs(), 4);
    found_close();
}
END_TEST

/* A second loader need not have loaded the recorder. */
START_TEST(second_loader)
{
    const char *const symbols[] = {"clGetExtensionFunctionAddress", "clGetPlatformIDs"};

    glance_open(_i, true);
    found_record();
    for (unsigned loader = 0; loader < 2; loader++) {
        uint64_t start = fake_reserve(target, 4096, 4096);
        uint32_t module =
            fake_add_module(target, "/usr/lib/libOpenCL.so.1", NULL, 0, start, start + 4096);

        for (size_t i = 0; i < 2; i++)
            fake_add_symbol(target, module, symbols[i], start + 8 * i);
        found_refresh();
        ck_assert_uint_eq(count_memobjs(), loader == 0 ? 1 : 4);
    }
    found_close();
}
END_TEST

/* Make the recorder know a buffer that the program has released, and the runtime may hold. */
static void record_released(void)
{
    struct recorded recorded = found_record();

    fake_set(target, TABLE(memobj), recorded.buffer, FIELD(state), ompd_cl_registry_app_released);
    fake_set(target, TABLE(memobj), recorded.buffer, FIELD(evidence),
             OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
}

/* Its own memory shows whether it is still there. */
START_TEST(released)
{
    glance_open(_i, true);
    record_released();
    ck_assert_uint_eq(COUNT(memobj), 1);
    fake_put(target, objects.buffer, target->pointer_size, 0x1234);
    found_refresh();
    ck_assert_uint_eq(COUNT(memobj), 0);
    ck_assert(!was_searched());
    found_close();
}
END_TEST

/* Leave the remains of the buffer, freed, in its place. */
static void free_buffer(void)
{
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_object_point(&objects, objects.buffer, at_callbacks, 0);
}

/* Only a search shows that the remains are no object. */
START_TEST(freed)
{
    glance_open(_i, true);
    record_released();
    free_buffer();
    ck_assert_uint_eq(COUNT(memobj), 0);
    ck_assert(was_searched());
    found_close();
}
END_TEST

/* Allocations that the memory limit has refused. */
static uint64_t refused_allocations(void)
{
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};

    ck_assert_int_eq(ompd_cl_library_memory_get(space, &info), ompd_rc_ok);
    return info.cancelled.value;
}

/* Without memory for the search, the row stays presumed; the search is tried once a stop. */
START_TEST(freed_and_limited)
{
    ompd_cl_memobj_info_t rows[MOST];
    uint64_t cancelled;

    glance_open(_i, true);
    record_released();
    free_buffer();
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, LITTLE_MEMORY), ompd_rc_ok);
    ck_assert_uint_eq(found_memobjs(rows), 1);
    ck_assert_uint_eq(rows[0].head.confidence.value, ompd_cl_confidence_presumed);
    cancelled = refused_allocations();
    ck_assert_uint_ne(cancelled, 0);
    ck_assert_uint_eq(found_memobjs(rows), 1);
    /* Blocks that lists can do without are asked for again. */
    ck_assert_uint_lt(refused_allocations() - cancelled, cancelled);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("glance");
    TCase *tcase = tcase_create("glance");

    tcase_add_loop_test(tcase, found_at_handle, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, every_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, nothing_at_handle, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, undecided, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, hostile, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, callbacks_of_one, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, destroyed_later, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, all_recorded, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, some_missed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, limited, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, second_loader, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, released, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, freed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, freed_and_limited, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
