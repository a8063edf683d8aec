/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The execution information of kernels, and what commands take of it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "recorder-scene.h"
#include "suite.h"

#define QUEUE HANDLE(3)
#define KERNEL ((cl_kernel)HANDLE(4))
#define CLONE ((cl_kernel)HANDLE(5))
#define MANY 100000
#define LIMIT 256

static void exec_info_set_up(void)
{
    scene_set_up();
    recorder_history_prepare(16);
    scene_create(ompd_cl_registry_queue, QUEUE, CONTEXT);
    recorder_program_created(HANDLE(2), CONTEXT, NULL);
    recorder_kernel_created(KERNEL, HANDLE(2), "kernel", NULL);
}

static const struct ompd_cl_registry_kernel_record *record_of(cl_kernel kernel)
{
    return (const void *)scene_object(ompd_cl_registry_kernel, kernel);
}

static void set(uint32_t name, size_t size, const void *value)
{
    RECORDER_CALL(clSetKernelExecInfo, KERNEL);
    recorder_kernel_exec_info_set(KERNEL, name, size, value);
}

/* The COUNT links from PLACE on are VALUES. */
static void check_list(uint32_t place, uint32_t count, const char *values)
{
    const char *value = values;
    for (; count > 0; count--, value++) {
        ck_assert_uint_ne(place, 0);
        ck_assert_uint_eq(recorder_address_list_get(place, &place), (uint64_t)*value);
    }
    ck_assert_int_eq(*value, '\0');
    ck_assert_uint_eq(place, 0);
}

static void check_kernel(cl_kernel kernel, const char *values, uint32_t lost)
{
    const struct ompd_cl_registry_kernel_record *record = record_of(kernel);
    check_list(record->touched, record->touched_count, values);
    ck_assert_uint_eq(record->touched_lost, lost);
}

/* The links of lists that are in use. */
static uint32_t count_links(void)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < recorder_tables[ompd_cl_registry_address].chunk_count; i++) {
        live += recorder_tables[ompd_cl_registry_address].directory[i].local_live;
    }
    return live;
}

static struct recorder_command enqueue(cl_kernel kernel)
{
    const struct recorder_command_facts facts = {.type = CL_COMMAND_NDRANGE_KERNEL,
                                                 .kernel = kernel};
    struct recorder_command command;
    RECORDER_CALL(clEnqueueNDRangeKernel, QUEUE);
    recorder_command_begin(&command, QUEUE, &facts, NULL);
    recorder_command_end(&command, true, NULL, CL_COMMAND_NDRANGE_KERNEL, NULL);
    return command;
}

static void check_command(const struct recorder_command *command, const char *values, uint32_t lost)
{
    const struct ompd_cl_registry_command_record *record = (const void *)command->record.object;
    check_list(record->touched, record->touched_count, values);
    ck_assert_uint_eq(record->touched_lost, lost);
}

/* The last call counts. SVM and USM pointers are separate lists. */
START_TEST(last_list_counts)
{
    const uintptr_t values[] = {'a', 'b', 'c'};
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values), values);
    check_kernel(KERNEL, "abc", 0);
    set(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 2 * sizeof(values[0]), values + 1);
    check_kernel(KERNEL, "abcbc", 0);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM, sizeof(values[0]), values + 2);
    check_kernel(KERNEL, "cbc", 0);
    set(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof(values[0]), values);
    check_kernel(KERNEL, "ca", 0);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL);
    check_kernel(KERNEL, "a", 0);
    set(0x7777, sizeof(values), values);
    check_kernel(KERNEL, "a", 0);
    set(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, values);
    check_kernel(KERNEL, "", 0);
    ck_assert_uint_eq(count_links(), 0);
}
END_TEST

/* Some runtime may accept these. */
START_TEST(odd_arguments)
{
    const uintptr_t values[] = {'a', 'b', 'c'};
    char unaligned[sizeof(values) + 1];
    memcpy(unaligned + 1, values, sizeof(values));
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, 2 * sizeof(values[0]) + 7, unaligned + 1);
    check_kernel(KERNEL, "ab", 0);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values[0]) - 1, values);
    check_kernel(KERNEL, "", 0);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, 2 * sizeof(values[0]), NULL);
    check_kernel(KERNEL, "", 2);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, SIZE_MAX, NULL);
    check_kernel(KERNEL, "", INT32_MAX);
    set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(cl_bool), NULL);
    set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, values);
    ck_assert_uint_eq(record_of(KERNEL)->uses_any, 0);
    recorder_kernel_exec_info_set(HANDLE(9), CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values), values);
    recorder_kernel_exec_info_set(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values), values);
    ck_assert_uint_eq(count_links(), 0);
}
END_TEST

START_TEST(any_memory)
{
    const cl_bool yes = CL_TRUE;
    const cl_bool no = CL_FALSE;
    set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes);
    set(CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof(yes), &yes);
    set(CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof(yes), &yes);
    set(CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes), &yes);
    ck_assert_uint_eq(record_of(KERNEL)->uses_any, 15);
    set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM, sizeof(no), &no);
    ck_assert_uint_eq(record_of(KERNEL)->uses_any, 14);
    recorder_kernel_cloned(CLONE, KERNEL, NULL);
    ck_assert_uint_eq(record_of(CLONE)->uses_any, 14);
}
END_TEST

/* A command has the list of the moment when it was enqueued. */
START_TEST(commands_copy)
{
    const uintptr_t values[] = {'a', 'b', 'c'};
    struct recorder_command none = enqueue(KERNEL);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values), values);
    struct recorder_command first = enqueue(KERNEL);
    recorder_object_retain(ompd_cl_registry_kernel, KERNEL);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values[0]), values + 1);
    struct recorder_command second = enqueue(KERNEL);
    check_command(&none, "", 0);
    check_command(&first, "abc", 0);
    check_command(&second, "b", 0);
    ck_assert_uint_eq(recorder_exec_pointers_count(KERNEL), 1);
    scene_finish(QUEUE);
    scene_release(ompd_cl_registry_queue, QUEUE, true);
    check_kernel(KERNEL, "b", 0);
    ck_assert_uint_eq(count_links(), 1);
}
END_TEST

/* clCloneKernel copies the list (OpenCL 3.0 section 5.9.1); later calls are of one kernel alone. */
START_TEST(clones_copy)
{
    const uintptr_t values[] = {'a', 'b', 'c'};
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values), values);
    set(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof(values[0]), values);
    recorder_kernel_cloned(CLONE, KERNEL, NULL);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(values[0]), values + 1);
    check_kernel(KERNEL, "ba", 0);
    check_kernel(CLONE, "abca", 0);
    struct recorder_command command = enqueue(CLONE);
    check_command(&command, "abca", 0);
    recorder_kernel_exec_info_set(CLONE, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL);
    check_kernel(CLONE, "a", 0);
    scene_release(ompd_cl_registry_kernel, CLONE, true);
    check_kernel(KERNEL, "ba", 0);
    ck_assert_uint_eq(count_links(), 2 + 4);
}
END_TEST

/* What does not fit is counted, and costs no memory. */
START_TEST(many_pointers)
{
    uintptr_t *values = calloc(MANY, sizeof(*values));
    ck_assert_ptr_nonnull(values);
    for (int i = 0; i < 3; i++) {
        set(CL_KERNEL_EXEC_INFO_SVM_PTRS, MANY * sizeof(*values), values);
        set(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, (LIMIT + 2) * sizeof(*values), values);
    }
    ck_assert_uint_eq(record_of(KERNEL)->touched_count, 2 * LIMIT);
    ck_assert_uint_eq(record_of(KERNEL)->touched_lost, MANY - LIMIT + 2);
    ck_assert_uint_eq(count_links(), 2 * LIMIT);
    ck_assert_uint_eq(recorder_exec_pointers_count(KERNEL), MANY + LIMIT + 2);
    recorder_kernel_cloned(CLONE, KERNEL, NULL);
    struct recorder_command command = enqueue(CLONE);
    const struct ompd_cl_registry_command_record *record = (const void *)command.record.object;
    ck_assert_uint_eq(record->touched_count, 2 * LIMIT);
    ck_assert_uint_eq(record->touched_lost, MANY - LIMIT + 2);
    set(CL_KERNEL_EXEC_INFO_SVM_PTRS, LIMIT * sizeof(*values), values);
    ck_assert_uint_eq(record_of(KERNEL)->touched_lost, 2);
    free(values);
}
END_TEST

/* A command in a command buffer has the number of the moment when it was recorded. */
START_TEST(buffered_commands_count)
{
    const uintptr_t values[] = {'a', 'b', 'c'};
    const struct recorder_buffered_facts facts = {.type = CL_COMMAND_NDRANGE_KERNEL,
                                                  .kernel = KERNEL};
    struct recorder_entry buffer;
    scene_create(ompd_cl_registry_command_buffer, HANDLE(6), CONTEXT);
    ck_assert(recorder_object_find(&buffer, ompd_cl_registry_command_buffer, HANDLE(6)));
    for (uint32_t i = 0; i < 3; i++) {
        set(CL_KERNEL_EXEC_INFO_SVM_PTRS, i * sizeof(values[0]), values);
        recorder_buffered_command_add(&buffer, &facts, NULL);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const struct ompd_cl_registry_buffered_command_record *record =
            recorder_record(ompd_cl_registry_buffered_command, i);
        ck_assert_uint_eq(record->pointer_count, record->number - 1);
    }
    scene_release(ompd_cl_registry_command_buffer, HANDLE(6), true);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-exec-info");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, exec_info_set_up, scene_tear_down);
    tcase_add_test(all, last_list_counts);
    tcase_add_test(all, odd_arguments);
    tcase_add_test(all, any_memory);
    tcase_add_test(all, commands_copy);
    tcase_add_test(all, clones_copy);
    tcase_add_test(all, many_pointers);
    tcase_add_test(all, buffered_commands_count);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
