/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mappings, operands of commands, and the mistakes that unmap nothing or release what is mapped. */
#include "recorder-scene.h"

#include <check.h>

#include "../../recorder/core/core.h"
#include "../../recorder/core/process.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "suite.h"

#define BUFFER HANDLE(2)
#define QUEUE HANDLE(3)
#define POINTER HANDLE(40)
#define ENDED_KEPT 256

static const uint64_t operands[] = {CL_MAP_READ, 16, 64};
static const struct recorder_command_facts facts = {
    .type = CL_COMMAND_MAP_BUFFER,
    .memobj = BUFFER,
    .is_blocking = true,
    .operand_kinds = ompd_cl_registry_operand_flags | ompd_cl_registry_operand_offset << 8 |
                     ompd_cl_registry_operand_size << 16,
    .operands = operands,
};

static void set_up(void)
{
    scene_set_up();
    recorder_mistakes_prepare(true, false);
    scene_create(ompd_cl_registry_queue, QUEUE, CONTEXT);
    recorder_memobj_created(&(struct recorder_memobj){
        .handle = BUFFER, .context = CONTEXT, .type = CL_MEM_OBJECT_BUFFER, .size = 4096});
}

static const struct ompd_cl_registry_mapping_record *mapping_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_mapping, index);
}

/* The records whose `run` has STATE. */
static uint32_t count_mappings(enum ompd_cl_registry_state state)
{
    uint32_t limit =
        recorder_tables[ompd_cl_registry_mapping].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    uint32_t count = 0;
    for (uint32_t i = 0; i < limit; i++) {
        count += mapping_at(i)->object.state != ompd_cl_registry_free &&
                 OMPD_CL_REGISTRY_RUN_STATE(mapping_at(i)->run) == state;
    }
    return count;
}

/* How often the mistake of RULE was made. */
static uint32_t count_mistakes(uint32_t rule)
{
    uint32_t limit =
        recorder_tables[ompd_cl_registry_mistake].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    uint32_t count = 0;
    for (uint32_t i = 0; i < limit; i++) {
        const struct ompd_cl_registry_mistake_record *record =
            recorder_record(ompd_cl_registry_mistake, i);
        count += record->state == ompd_cl_registry_live && record->rule == rule
                     ? record->repetitions
                     : 0;
    }
    return count;
}

static void map(void *pointer)
{
    const size_t *const pitches[] = {NULL, NULL};
    struct recorder_command command = {.queue_handle = QUEUE, .number = 7};
    RECORDER_CALL(clEnqueueMapBuffer, QUEUE);
    (void)activity;
    recorder_mapping_made(&(struct recorder_mapping){.table = ompd_cl_registry_memobj,
                                                     .handle = BUFFER,
                                                     .pointer = pointer,
                                                     .facts = &facts,
                                                     .pitches = pitches,
                                                     .return_address = HANDLE(20)},
                          &command);
}

static void unmap(void *pointer, bool succeeds)
{
    struct recorder_unmapping unmapping = {.return_address = HANDLE(21)};
    RECORDER_CALL(clEnqueueUnmapMemObject, QUEUE);
    (void)activity;
    recorder_unmapping_begin(&unmapping, ompd_cl_registry_memobj, BUFFER, pointer);
    recorder_unmapping_end(&unmapping, succeeds);
}

static void release_buffer(void)
{
    RECORDER_CALL(clReleaseMemObject, BUFFER);
    (void)activity;
    scene_release(ompd_cl_registry_memobj, BUFFER, true);
}

START_TEST(a_mapping_is_recorded)
{
    map(POINTER);
    const struct ompd_cl_registry_mapping_record *record = mapping_at(0);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_live), 1);
    ck_assert_uint_eq(record->object.handle, (uintptr_t)POINTER);
    ck_assert_uint_eq(record->parent_handle, (uintptr_t)BUFFER);
    ck_assert_uint_eq(record->number, 7);
    ck_assert_uint_eq(record->operands.words[0], CL_MAP_READ);
    ck_assert_uint_eq(record->operands.words[1], 16);
    ck_assert_uint_eq(record->operands.words[2], 64);
    ck_assert_uint_eq(record->operands.words[3], (uintptr_t)POINTER);
    ck_assert_uint_eq(record->operands.kinds >> 24, ompd_cl_registry_operand_pointer);
    unmap(POINTER, true);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_live), 0);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_done), 1);
    ck_assert_uint_eq(record->object.released_caller, (uintptr_t)HANDLE(21));
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_unmap_unmapped), 0);
    release_buffer();
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_never_unmapped), 0);
}
END_TEST

/* A refused call undoes nothing. */
START_TEST(an_unmap_is_refused)
{
    map(POINTER);
    unmap(POINTER, false);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_live), 1);
    unmap(POINTER, true);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_live), 0);
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_unmap_unmapped), 0);
}
END_TEST

/* Mappings at one pointer are undone one by one. */
START_TEST(unmapped_too_often)
{
    map(POINTER);
    map(POINTER);
    unmap(POINTER, true);
    unmap(POINTER, true);
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_unmap_unmapped), 0);
    unmap(POINTER, true);
    unmap(HANDLE(41), true);
    unmap(NULL, false);
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_unmap_unmapped), 2);
    release_buffer();
}
END_TEST

START_TEST(released_while_mapped)
{
    map(POINTER);
    map(HANDLE(41));
    unmap(POINTER, true);
    release_buffer();
    ck_assert_uint_eq(count_mistakes(ompd_cl_registry_rule_never_unmapped), 1);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_failed), 1);
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_live), 0);
}
END_TEST

/* Only the last mappings that were undone remain. */
START_TEST(ended_mappings_are_limited)
{
    for (int i = 0; i < 2 * ENDED_KEPT; i++) {
        map(POINTER);
        unmap(POINTER, true);
    }
    ck_assert_uint_eq(count_mappings(ompd_cl_registry_done), ENDED_KEPT);
    release_buffer();
}
END_TEST

/* Arrays that the program left out are not recorded, and of work sizes only as many as there are
 * dimensions. */
START_TEST(operands_of_a_kernel)
{
    const size_t size = 12;
    const uint64_t given[] = {1, 0, (uintptr_t)&size, 0};
    const struct recorder_command_facts kernel = {
        .operand_kinds =
            ompd_cl_registry_operand_dimensions | ompd_cl_registry_operand_global_offset << 8 |
            ompd_cl_registry_operand_global_size << 16 | ompd_cl_registry_operand_local_size << 24,
        .operands = given,
    };
    struct ompd_cl_registry_operands set;
    recorder_operands_set(&set, &kernel);
    ck_assert_uint_eq(set.kinds, ompd_cl_registry_operand_dimensions |
                                     ompd_cl_registry_operand_global_size << 8);
    ck_assert_uint_eq(set.words[0], 1);
    ck_assert_uint_eq(set.words[1], 12);
    ck_assert_uint_eq(set.words[2], 0);
    ck_assert_uint_eq(set.words[3], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-mappings");
    TCase *tcase = tcase_create("mappings");
    tcase_add_checked_fixture(tcase, set_up, scene_tear_down);
    tcase_add_test(tcase, a_mapping_is_recorded);
    tcase_add_test(tcase, an_unmap_is_refused);
    tcase_add_test(tcase, unmapped_too_often);
    tcase_add_test(tcase, released_while_mapped);
    tcase_add_test(tcase, ended_mappings_are_limited);
    tcase_add_test(tcase, operands_of_a_kernel);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
