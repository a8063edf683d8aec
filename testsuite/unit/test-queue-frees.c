/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The number of SVM frees of a recorded queue: it comes from the list of commands, with their
 * confidence, regardless of the queue's record. */
#include "found-session.h"
#include "population.h"
#include "suite.h"

#include <string.h>

#define F(name) ompd_cl_registry_field_##name
#define QUEUE ompd_cl_registry_queue
#define SVM ompd_cl_registry_svm
#define SVM_FREE ompd_cl_registry_svm_free
#define ADDRESS ompd_cl_registry_address
#define PENDING_POINTER 0x7000000 /* of the command that the layout finds */
#define PAGE 4096

/* A queue whose own record counts one, with a command that is running. */
static struct population population;

static void set_up(void)
{
    population = population_create_variant(0);
    population_open(&population);
}

static void tear_down(void)
{
    population_free(&population);
}

static void put_command(uint32_t field, uint64_t number)
{
    fake_set(population.target, SVM_FREE, population.svm_free, field, number);
    fake_touch(population.target, SVM_FREE, population.svm_free);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

/* The one queue of OF_SPACE, which has HANDLE, has NUMBER by STATUS, as the functions for one and
 * for all queues say. */
static void check_frees_of(ompd_address_space_handle_t *of_space, uint64_t handle, uint16_t status,
                           uint64_t number)
{
    bool is_told = status == ompd_cl_status_value || status == ompd_cl_status_presumed;
    ompd_rc_t rc = is_told ? ompd_rc_ok : ompd_rc_incomplete;
    ompd_cl_queue_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_queue_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_cl_queue_id_t id;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_queue_find(of_space, handle, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_queue_get(of_space, id, &row), rc);
    ck_assert_int_eq(ompd_cl_queue_list_open(of_space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_queue_list_next(of_space, list, MOST, rows, &count, NULL), rc);
    ck_assert_int_eq(ompd_cl_list_close(of_space, list), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(row.svm_frees.status, status);
    ck_assert_uint_eq(row.svm_frees.value, number);
    ck_assert_uint_eq(row.svm_frees.source, ompd_cl_source_recorder);
    ck_assert_int_eq(memcmp(&row.svm_frees, &rows[0].svm_frees, sizeof(row.svm_frees)), 0);
}

static void check_frees(uint16_t status, uint64_t number)
{
    check_frees_of(population.space, QUEUE_HANDLE, status, number);
}

START_TEST(counted)
{
    fake_set(population.target, QUEUE, population.queue, F(svm_frees), 7);
    check_frees(ompd_cl_status_value, 1);
    put_command(F(run), OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_done));
    check_frees(ompd_cl_status_value, 0);
}
END_TEST

START_TEST(presumed)
{
    put_command(F(evidence), OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    check_frees(ompd_cl_status_presumed, 1);
}
END_TEST

/* The queue's own count is all there is where the recorder has no list of the commands. */
START_TEST(no_list)
{
    fake_forget_table(population.target, SVM_FREE);
    fake_set(population.target, QUEUE, population.queue, F(svm_frees), 7);
    check_frees(ompd_cl_status_value, 7);
}
END_TEST

/* The queue's own count is not a fact if the commands cannot be read. They are counted when they
 * can, at the same stop too. */
START_TEST(unreadable)
{
    bool is_core = _i >= FAKE_VARIANTS;
    struct fake_target *fake;

    population = population_create_variant(_i % FAKE_VARIANTS);
    population_open(&population);
    fake = population.target;
    fake->hole_start = fake_field_address(fake, SVM_FREE, population.svm_free, F(run));
    fake->hole_end = fake->hole_start + 1;
    fake->is_hole_known = is_core;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    check_frees(is_core ? ompd_cl_status_not_saved : ompd_cl_status_unreadable, 0);
    fake->hole_start = fake->hole_end = 0;
    check_frees(ompd_cl_status_value, 1);
    population_free(&population);
}
END_TEST

/* A target with a layout, whose recorder has seen the queue with a command of NUMBER that is to
 * free POINTER, an SVM allocation, and that is only presumed to be there. */
static void found_begin(int variant, uint64_t pointer, uint32_t number)
{
    uint32_t command;
    uint32_t link;
    uint32_t svm;

    found_open(variant, true);
    found_record();
    fake_set(target, QUEUE, 0, F(svm_frees), 1);
    command = fake_add(target, SVM_FREE);
    link = fake_add(target, ADDRESS);
    svm = fake_add(target, SVM);
    fake_set(target, SVM, svm, F(handle), pointer);
    fake_set(target, SVM, svm, F(state), ompd_cl_registry_enqueued);
    fake_set(target, SVM, svm, F(evidence), OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    fake_set(target, SVM, svm, F(command), OMPD_CL_REGISTRY_REFERENCE(SVM_FREE, command));
    fake_set(target, ADDRESS, link, F(handle), pointer);
    fake_set(target, SVM_FREE, command, F(queue_handle), objects.queue);
    fake_set(target, SVM_FREE, command, F(pointers), link + 1);
    fake_set(target, SVM_FREE, command, F(pointer_count), 1);
    fake_set(target, SVM_FREE, command, F(run), OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_enqueued));
    fake_set(target, SVM_FREE, command, F(evidence), OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    fake_set(target, SVM_FREE, command, F(number), number);
    found_refresh();
}

/* The SVM allocation at POINTER is listed with CONFIDENCE, or not where that is 0. */
static void check_svm(uint64_t pointer, uint64_t confidence)
{
    ompd_cl_svm_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    uint64_t found = 0;
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_svm_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_list_next(space, list, MOST, rows, &count, NULL), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    for (ompd_size_t i = 0; i < count; i++) {
        if (rows[i].head.handle.value == pointer)
            found = rows[i].head.confidence.value;
    }
    ck_assert_uint_eq(found, confidence);
}

START_TEST(settled_by_layout)
{
    found_begin(_i, PENDING_POINTER, 1);
    check_frees_of(space, objects.queue, ompd_cl_status_value, 1);
    check_svm(PENDING_POINTER, ompd_cl_confidence_certain);
    found_close();

    found_begin(_i, PENDING_POINTER + 64, 1);
    check_frees_of(space, objects.queue, ompd_cl_status_value, 0);
    check_svm(PENDING_POINTER + 64, 0);
    found_close();
}
END_TEST

/* A runtime may lack a command whose enqueueing call has not passed it on yet. */
START_TEST(being_enqueued)
{
    found_begin(_i, PENDING_POINTER + 64, 0);
    check_frees_of(space, objects.queue, ompd_cl_status_presumed, 1);
    check_svm(PENDING_POINTER + 64, ompd_cl_confidence_presumed);
    found_close();

    found_begin(_i, PENDING_POINTER, 0);
    check_frees_of(space, objects.queue, ompd_cl_status_value, 1);
    check_svm(PENDING_POINTER, ompd_cl_confidence_certain);
    found_close();
}
END_TEST

/* Where the command cannot be read, it may be just that. */
START_TEST(unreadable_command)
{
    found_begin(_i, PENDING_POINTER + 64, 1);
    target->hole_start = fake_field_address(target, SVM_FREE, 0, F(number));
    target->hole_end = target->hole_start + 1;
    check_svm(PENDING_POINTER + 64, ompd_cl_confidence_presumed);
    found_close();
}
END_TEST

/* The command may be in unreadable memory. */
START_TEST(gap)
{
    found_begin(_i, PENDING_POINTER + 64, 1);
    target->hole_start = fake_reserve(target, 2 * PAGE, PAGE);
    target->hole_end = target->hole_start + PAGE;
    check_frees_of(space, objects.queue, ompd_cl_status_unreadable, 0);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue-frees");
    TCase *recorder = tcase_create("recorder");
    TCase *layout = tcase_create("layout");

    tcase_add_checked_fixture(recorder, set_up, tear_down);
    tcase_add_test(recorder, counted);
    tcase_add_test(recorder, presumed);
    tcase_add_test(recorder, no_list);
    suite_add_tcase(suite, recorder);
    tcase_add_loop_test(layout, unreadable, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(layout, settled_by_layout, 0, FAKE_VARIANTS);
    tcase_add_loop_test(layout, being_enqueued, 0, FAKE_VARIANTS);
    tcase_add_loop_test(layout, unreadable_command, 0, FAKE_VARIANTS);
    tcase_add_loop_test(layout, gap, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, layout);
    return suite_run(suite);
}
