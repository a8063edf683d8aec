/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every field of every kind of row, in registries of both byte orders and word sizes. */
#include "population.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <string.h>

static struct population population;
static struct answers answers;

static void set_up(int variant)
{
    population = population_create_variant(variant);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    ck_assert_uint_eq(answers.unreadable, 0);
}

START_TEST(overview)
{
    set_up(_i);
    ck_value(answers.overview.pid, 4711);
    ck_value(answers.overview.recorder_major, 1);
    ck_value(answers.overview.recorder_minor, OMPD_CL_REGISTRY_MINOR);
    ck_value(answers.overview.contexts, 1);
    ck_value(answers.overview.queues, 1);
    /* One of them is only presumed to exist. */
    ck_value_presumed(answers.overview.memory_objects, 3);
    ck_value_presumed(answers.overview.memory_object_bytes, 4096 + (UINT64_C(5) << 32));
    ck_value_presumed(answers.overview.app_released, 1);
    ck_value(answers.overview.svm_allocations, 1);
    ck_value(answers.overview.svm_bytes, 65536);
    ck_value(answers.overview.svm_frees, 1);
    ck_value(answers.overview.destructors_registered, DESTRUCTOR_COUNT);
    ck_value(answers.overview.destructors_running, 0);
    ck_value(answers.overview.over_releases, 0);
    ck_none(answers.overview.over_released, ompd_cl_status_not_applicable);
    ck_value(answers.overview.stack_depth, 4);
    ck_value(answers.overview.threads, THREAD_COUNT - 1);
    population_free(&population);
}
END_TEST

/* Common objects of two snapshots of one process, and new ones. */
START_TEST(overview_of_process)
{
    uint64_t root;

    population = population_create_variant(_i);
    root = population.target->root;
    fake_put(population.target, root + offsetof(struct ompd_cl_registry_root, serial), 8, 4242);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_value(answers.overview.identity, FAKE_IDENTITY);
    ck_value(answers.overview.last_order, 4242);
    fake_put(population.target, root + offsetof(struct ompd_cl_registry_root, root_size), 4,
             OMPD_CL_REGISTRY_ROOT_SIZE_1_4);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_none(answers.overview.identity, ompd_cl_status_not_applicable);
    ck_value(answers.overview.last_order, 4242);
    population_free(&population);
}
END_TEST

START_TEST(contexts_and_queues)
{
    set_up(_i);
    ck_assert_uint_eq(answers.platform_count, 1);
    ck_value(answers.platforms[0].head.handle, PLATFORM_HANDLE);
    ck_assert_str_eq(answers.platforms[0].name.text, "Testing CL");
    ck_assert_str_eq(answers.platforms[0].version.text, "OpenCL 3.0");
    ck_assert_str_eq(answers.platforms[0].vendor.text, "nobody");

    ck_assert_uint_eq(answers.context_count, 1);
    ck_value(answers.contexts[0].head.handle, CONTEXT_HANDLE);
    ck_value(answers.contexts[0].platform, PLATFORM_HANDLE);
    ck_value(answers.contexts[0].devices, 2);
    ck_value(answers.contexts[0].references, 1);
    ck_value(answers.contexts[0].children, 5);
    ck_value(answers.contexts[0].state, ompd_cl_object_state_live);
    ck_value(answers.contexts[0].head.lwp, 100);
    ck_value(answers.contexts[0].head.caller, 0x400000);
    ck_value(answers.contexts[0].head.confidence, ompd_cl_confidence_certain);
    ck_none(answers.contexts[0].head.stack, ompd_cl_status_unknown);

    ck_assert_uint_eq(answers.queue_count, 1);
    ck_value(answers.queues[0].head.handle, QUEUE_HANDLE);
    ck_value(answers.queues[0].context, CONTEXT_HANDLE);
    ck_value(answers.queues[0].device, 0xd000);
    ck_value(answers.queues[0].properties, 3);
    ck_value(answers.queues[0].svm_frees, 1);
    population_free(&population);
}
END_TEST

START_TEST(memory_objects)
{
    const ompd_cl_memobj_info_t *buffer = &answers.memobjs[0];
    const ompd_cl_memobj_info_t *sub_buffer = &answers.memobjs[1];
    const ompd_cl_memobj_info_t *image = &answers.memobjs[2];

    set_up(_i);
    ck_assert_uint_eq(answers.memobj_count, 3);
    ck_value(buffer->head.handle, BUFFER_HANDLE);
    ck_value(buffer->kind, ompd_cl_memobj_buffer);
    ck_value(buffer->size, 4096);
    ck_value(buffer->flags, 9);
    ck_value(buffer->references, UINT64_MAX); /* -1, extended by its sign */
    ck_value(buffer->context, CONTEXT_HANDLE);
    ck_none(buffer->parent, ompd_cl_status_not_applicable);
    ck_none(buffer->origin, ompd_cl_status_not_applicable);
    ck_value(buffer->host_pointer, 0x55550000);
    ck_none(buffer->svm, ompd_cl_status_not_applicable);
    ck_value(buffer->children, 1);
    ck_value(buffer->destructor_count, DESTRUCTOR_COUNT);
    ck_value(buffer->head.stack, 1);
    ck_value(buffer->head.source, ompd_cl_source_recorder);

    ck_value(sub_buffer->kind, ompd_cl_memobj_sub_buffer);
    ck_value(sub_buffer->parent, BUFFER_HANDLE);
    ck_value(sub_buffer->origin, 512);
    ck_assert_uint_eq(sub_buffer->state.status, ompd_cl_status_presumed);
    ck_assert_uint_eq(sub_buffer->state.value, ompd_cl_object_state_app_released);
    ck_value(sub_buffer->head.confidence, ompd_cl_confidence_presumed);
    ck_value(buffer->head.confidence, ompd_cl_confidence_certain);
    ck_none(sub_buffer->host_pointer, ompd_cl_status_not_applicable);

    ck_value(image->kind, ompd_cl_memobj_image2d);
    ck_value(image->size, UINT64_C(5) << 32);
    ck_assert_uint_lt(buffer->head.order.value, sub_buffer->head.order.value);
    ck_assert_mem_eq(&answers.found, buffer, sizeof(*buffer));
    population_free(&population);
}
END_TEST

/* Facts that only a layout has: not applicable to buffers, otherwise not observed. */
START_TEST(not_for_the_recorder)
{
    const ompd_cl_memobj_info_t *buffer = &answers.memobjs[0];
    const ompd_cl_memobj_info_t *image = &answers.memobjs[2];

    set_up(_i);
    ck_none(answers.contexts[0].head.runtime_references, ompd_cl_status_unknown);
    ck_none(answers.contexts[0].head.doubt, ompd_cl_status_not_applicable);
    ck_none(answers.queues[0].head.runtime_references, ompd_cl_status_unknown);
    ck_none(answers.svms[0].head.doubt, ompd_cl_status_not_applicable);
    ck_none(answers.svm_frees[0].head.doubt, ompd_cl_status_not_applicable);
    ck_none(buffer->head.runtime_references, ompd_cl_status_unknown);
    ck_none(buffer->map_count, ompd_cl_status_unknown);
    ck_none(buffer->width, ompd_cl_status_not_applicable);
    ck_none(buffer->channel_type, ompd_cl_status_not_applicable);
    ck_none(image->width, ompd_cl_status_unknown);
    ck_none(image->height, ompd_cl_status_unknown);
    ck_none(image->depth, ompd_cl_status_unknown);
    ck_none(image->array_size, ompd_cl_status_unknown);
    ck_none(image->row_pitch, ompd_cl_status_unknown);
    ck_none(image->channel_order, ompd_cl_status_unknown);
    ck_none(image->channel_type, ompd_cl_status_unknown);
    ck_none(image->head.doubt, ompd_cl_status_not_applicable);
    population_free(&population);
}
END_TEST

START_TEST(destructors_newest_first)
{
    set_up(_i);
    ck_assert_uint_eq(answers.destructor_count, DESTRUCTOR_COUNT);
    for (unsigned i = 0; i < DESTRUCTOR_COUNT; i++) {
        const ompd_cl_destructor_info_t *row = &answers.destructors[i];
        ck_value(row->object, BUFFER_HANDLE);
        ck_value(row->function, 0x401000 + DESTRUCTOR_COUNT - 1 - i);
        ck_value(row->user_data, 0x2000 + DESTRUCTOR_COUNT - 1 - i);
        ck_value(row->state, ompd_cl_callback_state_registered);
        ck_value(row->head.lwp, 100);
        ck_none(row->running_lwp, ompd_cl_status_not_applicable);
        ck_value(row->head.caller, 0x400100);
    }
    ck_assert_uint_eq(answers.all_destructor_count, DESTRUCTOR_COUNT);
    population_free(&population);
}
END_TEST

START_TEST(svm)
{
    set_up(_i);
    ck_assert_uint_eq(answers.svm_count, 1);
    ck_value(answers.svms[0].head.handle, SVM_POINTER);
    ck_value(answers.svms[0].kind, ompd_cl_svm_core);
    ck_value(answers.svms[0].size, 65536);
    ck_value(answers.svms[0].context, CONTEXT_HANDLE);
    ck_value(answers.svms[0].state, ompd_cl_svm_state_free_enqueued);

    ck_assert_uint_eq(answers.svm_free_count, 1);
    ck_value(answers.svm_frees[0].queue, QUEUE_HANDLE);
    ck_value(answers.svm_frees[0].pointer_count, 2);
    ck_value(answers.svm_frees[0].function, 0x402000);
    ck_value(answers.svm_frees[0].user_data, 0x3000);
    ck_value(answers.svm_frees[0].wait_count, 1);
    ck_none(answers.svm_frees[0].event, ompd_cl_status_not_applicable);
    ck_value(answers.svm_frees[0].state, ompd_cl_svm_free_state_running);
    ck_value(answers.svm_frees[0].running_lwp, FIRST_LWP + 2);

    ck_assert_uint_eq(answers.pointer_count, 2);
    ck_value(answers.pointers[0].pointer, SVM_POINTER);
    ck_value(answers.pointers[0].from_svm_alloc, 1);
    ck_value(answers.pointers[1].pointer, 0x1234);
    ck_value(answers.pointers[1].from_svm_alloc, 0);
    ck_assert_uint_eq(answers.wait_count, 1);
    ck_value(answers.waits[0].event, EVENT_HANDLE);
    population_free(&population);
}
END_TEST

START_TEST(call_stack)
{
    ompd_addr_t frame = 0;
    ompd_size_t count = 0;

    set_up(_i);
    ck_assert_uint_eq(answers.frame_count, 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(answers.frames[i], 0x400500 + i);
    ck_assert_int_eq(ompd_cl_stack_get(population.space, 1, 1, &frame, &count), ompd_rc_ok);
    ck_assert_uint_eq(frame, 0x400500);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(ompd_cl_stack_get(population.space, 99, 1, &frame, &count), ompd_rc_bad_input);
    population_free(&population);
}
END_TEST

static ompd_size_t count_memobjs(const ompd_cl_filter_t *filter, uint64_t *first_handle)
{
    ompd_cl_memobj_info_t rows[4];
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, filter, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(population.space, list, 4, rows, &count, NULL),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    *first_handle = rows[0].head.handle.value;
    return count;
}

START_TEST(filters)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter)};
    uint64_t handle;

    set_up(_i);
    filter.context = CONTEXT_HANDLE;
    ck_assert_uint_eq(count_memobjs(&filter, &handle), 3);
    filter.context = 1;
    ck_assert_uint_eq(count_memobjs(&filter, &handle), 0);
    filter.context = 0;
    filter.kinds = UINT64_C(1) << ompd_cl_memobj_image2d;
    ck_assert_uint_eq(count_memobjs(&filter, &handle), 1);
    ck_assert_uint_eq(handle, IMAGE_HANDLE);
    filter.kinds = 0;
    filter.states = UINT64_C(1) << ompd_cl_object_state_app_released;
    ck_assert_uint_eq(count_memobjs(&filter, &handle), 1);
    ck_assert_uint_eq(handle, SUB_BUFFER_HANDLE);
    filter.states = 0;
    filter.min_size = 4096;
    ck_assert_uint_eq(count_memobjs(&filter, &handle), 2);
    ck_assert_uint_eq(handle, BUFFER_HANDLE);
    population_free(&population);
}
END_TEST

/* A stop in the middle of a change shows the thread that makes it, and everything else. */
START_TEST(record_being_changed)
{
    const uint32_t memobj = ompd_cl_registry_memobj;

    population = population_create_variant(_i);
    fake_set(population.target, memobj, population.buffer, ompd_cl_registry_field_change,
             UINT64_C(7) << 32 | 4713);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    ck_none(answers.found.destructor_count, ompd_cl_status_changing);
    ck_assert_uint_eq(answers.found.destructor_count.lwp, 4713);
    ck_value(answers.found.size, 4096);
    ck_assert_uint_eq(answers.destructor_count, DESTRUCTOR_COUNT);
    population_free(&population);
}
END_TEST

START_TEST(running_destructor)
{
    population = population_create_variant(_i);
    fake_set(population.target, ompd_cl_registry_callback, population.destructors[2],
             ompd_cl_registry_field_run, OMPD_CL_REGISTRY_RUN(4714, ompd_cl_registry_running));
    fake_set(population.target, ompd_cl_registry_memobj, population.buffer,
             ompd_cl_registry_field_state, ompd_cl_registry_destroying);
    fake_enter(population.target, fake_add_thread(population.target, 4714, false),
               ompd_cl_registry_runs_destructor,
               OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, population.destructors[2]),
               BUFFER_HANDLE);
    population_open(&population);
    answers_get(population.space, &answers);
    ck_value(answers.destructors[0].state, ompd_cl_callback_state_running);
    ck_value(answers.destructors[0].running_lwp, 4714);
    ck_value(answers.destructors[1].state, ompd_cl_callback_state_registered);
    ck_value(answers.found.state, ompd_cl_object_state_destroying);
    ck_value(answers.overview.destructors_running, 1);
    ck_value(answers.overview.destructors_registered, DESTRUCTOR_COUNT - 1);
    population_free(&population);
}
END_TEST

/* If the hash was being changed, the table is searched. */
START_TEST(find_without_hash)
{
    struct fake_target *target;
    ompd_cl_memobj_id_t with_hash = {0};
    ompd_cl_memobj_id_t without = {0};
    uint64_t buckets;

    set_up(_i);
    target = population.target;
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE, &with_hash), ompd_rc_ok);
    buckets = fake_get(target, target->root + offsetof(struct ompd_cl_registry_root, buckets), 8);
    for (unsigned i = 0; i < 64; i++)
        fake_put(target, buckets + i * 8, 8, OMPD_CL_REGISTRY_BUCKET_MOVED);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE, &without), ompd_rc_ok);
    ck_assert_uint_eq(with_hash.id, without.id);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, 0x5555, &without), ompd_rc_unavailable);
    ck_assert_uint_eq(with_hash.id, without.id);
    population_free(&population);
}
END_TEST

/* A child of fork(), say, whose recorder has counted as many changes since, though others. */
START_TEST(another_process)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    struct fake_target *target;

    set_up(_i);
    target = population.target;
    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, pid), 4, 4712);
    fake_set(target, ompd_cl_registry_memobj, population.buffer, ompd_cl_registry_field_size, 8192);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_memobj_get(population.space, ompd_cl_memobj_info_id(&answers.found), &info),
        ompd_rc_ok);
    ck_value(info.size, 8192);
    answers_get(population.space, &answers);
    ck_value(answers.found.size, 8192);
    ck_value(answers.memobjs[0].size, 8192);
    population_free(&population);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registry");
    TCase *tcase = tcase_create("rows");

    tcase_add_loop_test(tcase, overview, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, overview_of_process, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, contexts_and_queues, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, memory_objects, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, not_for_the_recorder, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, destructors_newest_first, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, svm, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, call_stack, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, filters, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, record_being_changed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, running_destructor, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, find_without_hash, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, another_process, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
