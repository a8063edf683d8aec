/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of kernels: sizes of arguments, arguments never set, and kernels that threads share. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "recorder-scene.h"
#include "suite.h"

#define KERNEL ((cl_kernel)HANDLE(3))

static void kernels_set_up(void)
{
    scene_set_up();
    recorder_program_created(HANDLE(2), CONTEXT, NULL);
    recorder_kernel_created(KERNEL, HANDLE(2), "kernel", NULL);
}

/* How often the recorder has seen RULE broken. */
static uint32_t mistakes_of(enum ompd_cl_registry_rule rule)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_mistake);
    uint32_t count = 0;
    for (uint32_t i = 0; i < limit; i++) {
        const struct ompd_cl_registry_mistake_record *record =
            recorder_record(ompd_cl_registry_mistake, i);
        if (record->state == ompd_cl_registry_live && record->rule == rule) {
            count += record->repetitions;
        }
    }
    return count;
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static const struct {
    cl_kernel_arg_address_qualifier address;
    const char *name;
    uint32_t size; /* 0: unknown */
} types[] = {
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "char", 1},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "half", 2},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "uint", 4},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "unsigned int", 4},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "ulong", 8},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "float3", 16},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "double16", 128},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "sampler_t", sizeof(cl_sampler)},
    {CL_KERNEL_ARG_ADDRESS_GLOBAL, "float*", sizeof(cl_mem)},
    {CL_KERNEL_ARG_ADDRESS_CONSTANT, "struct pair*", sizeof(cl_mem)},
    {CL_KERNEL_ARG_ADDRESS_GLOBAL, "image2d_array_t", sizeof(cl_mem)},
    {CL_KERNEL_ARG_ADDRESS_GLOBAL, "float", 0},
    {CL_KERNEL_ARG_ADDRESS_GLOBAL, "", 0},
    {CL_KERNEL_ARG_ADDRESS_LOCAL, "int*", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "struct pair", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "int5", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "integer", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "unsigned int4", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "int*", 0},
    {CL_KERNEL_ARG_ADDRESS_PRIVATE, "", 0},
    {0, "int", 0},
};

START_TEST(type_has_size)
{
    ck_assert_uint_eq(recorder_argument_type_size(types[_i].address, types[_i].name),
                      types[_i].size);
}
END_TEST

/* Set argument INDEX to SIZE bytes, of which the runtime says that they are TOLD. Returns whether
 * it had to be asked. */
static bool set_sized(cl_uint index, size_t size, uint32_t told)
{
    static const uint64_t value[16];
    RECORDER_CALL(clSetKernelArg, KERNEL);
    if (recorder_kernel_argument_set(KERNEL, index, size, value, NULL) ||
        recorder_kernel_size_check(KERNEL, index, size, NULL)) {
        return false;
    }
    recorder_kernel_size_told(KERNEL, index, told);
    ck_assert(recorder_kernel_size_check(KERNEL, index, size, NULL));
    return true;
}

START_TEST(sizes_are_compared)
{
    ck_assert(set_sized(0, 4, 4));
    ck_assert(!set_sized(0, 4, 0));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_size), 0);
    ck_assert(!set_sized(0, 8, 0));
    ck_assert(!set_sized(0, 8, 0));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_size), 2);
    ck_assert(set_sized(1, 12, 0)); /* a struct */
    ck_assert(!set_sized(1, 13, 0));
    ck_assert(!set_sized(OMPD_CL_REGISTRY_ARGUMENTS, 8, 4));
    recorder_kernel_sizes_unknown(KERNEL);
    ck_assert(!set_sized(2, 8, 4));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_size), 2);
}
END_TEST

/* The runtime is asked once for all kernels of a program that was built without what it needs. */
START_TEST(programs_without_sizes)
{
    const cl_kernel second = HANDLE(5);
    const cl_kernel third = HANDLE(6);
    struct recorder_build build;
    recorder_kernel_sizes_unknown(KERNEL);
    recorder_kernel_created(second, HANDLE(2), "kernel", NULL);
    ck_assert(recorder_kernel_argument_set(second, 0, 4, &build, NULL));
    recorder_build_begin(&build, HANDLE(2), "-cl-kernel-arg-info");
    recorder_build_end(&build, CL_SUCCESS, false);
    recorder_kernel_created(third, HANDLE(2), "kernel", NULL);
    ck_assert(!recorder_kernel_argument_set(third, 0, 4, &build, NULL));
}
END_TEST

/* The version of the platform decides whether the function exists. */
START_TEST(old_platforms_are_not_asked)
{
    static const char *const versions[] = {"OpenCL 1.1 Mesa", "OpenCL 1.2 pocl", "OpenCL 3.0", ""};
    struct recorder_entry context;
    for (uint32_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        const struct recorder_platform platform = {.handle = (uintptr_t)HANDLE(20 + i),
                                                   .name = "platform",
                                                   .version = versions[i],
                                                   .vendor = "vendor"};
        ck_assert(recorder_object_find(&context, ompd_cl_registry_context, CONTEXT));
        recorder_context_record(&context)->platform = recorder_platform_add(&platform);
        ck_assert(recorder_kernel_has_argument_info(KERNEL) == (i == 1 || i == 2));
    }
    ck_assert(!recorder_kernel_has_argument_info((cl_kernel)HANDLE(9)));
}
END_TEST

/* ---- Arguments that were never set ----------------------------------------------------------- */

/* Enqueue the kernel, which has COUNT arguments. Returns whether they had to be counted. */
static bool enqueue_counted(cl_uint count)
{
    RECORDER_CALL(clEnqueueNDRangeKernel, HANDLE(4));
    if (recorder_kernel_enqueued(KERNEL, NULL)) {
        return false;
    }
    recorder_kernel_arguments_count(KERNEL, count, NULL);
    return true;
}

START_TEST(arguments_are_complete)
{
    const cl_uint count = OMPD_CL_REGISTRY_ARGUMENTS + 2;
    for (cl_uint i = 0; i < count; i++) {
        if (i != 1) {
            recorder_kernel_argument_set(KERNEL, i, 4, &i, NULL);
        }
    }
    ck_assert(enqueue_counted(count));
    ck_assert(enqueue_counted(count + 1));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_unset), 2);
    recorder_kernel_argument_set_svm(KERNEL, 1, &count, NULL);
    ck_assert(enqueue_counted(count + 1));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_unset), 3);
    ck_assert(enqueue_counted(count));
    ck_assert(!enqueue_counted(count));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_unset), 3);
}
END_TEST

START_TEST(nothing_to_set)
{
    ck_assert(enqueue_counted(0));
    ck_assert(!enqueue_counted(0));
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_argument_unset), 0);
}
END_TEST

/* A clone has the arguments that the original had, also if those were not recorded. */
START_TEST(clones_have_arguments)
{
    recorder_kernel_cloned((cl_kernel)HANDLE(5), (cl_kernel)HANDLE(9), NULL);
    ck_assert(recorder_kernel_enqueued((cl_kernel)HANDLE(5), NULL));
    recorder_kernel_cloned((cl_kernel)HANDLE(6), KERNEL, NULL);
    ck_assert(!recorder_kernel_enqueued((cl_kernel)HANDLE(6), NULL));
}
END_TEST

/* ---- Threads --------------------------------------------------------------------------------- */

/* Steps of two threads: "m" the main one, "w" the worker. A digit is the value that it sets
 * argument 0 to, "e" enqueues the kernel, "." ends the worker. */
static const struct {
    const char *steps;
    uint32_t mistakes;
} histories[] = {
    /* Each sets its own value and enqueues. */
    {"m1mew2wem1mew2we", 0},
    /* The main thread sets what workers enqueue, or the reverse. */
    {"m1wem2wem3we", 0},
    {"m1mew2mew3me", 0},
    {"m0w1wew2weme", 0},
    /* Work that moves from thread to thread, after it has set a value. */
    {"m1wew2mem3wew4me", 0},
    /* The same value. */
    {"m1mew2wem3w3weme", 0},
    {"m1mew2wem3w4w3weme", 0},
    /* The worker was waited for. */
    {"m1mew2wem3w4we.me", 0},
    /* Replaced before the kernel was enqueued, and then the other enqueues it. */
    {"m1mew2wem3w4weme", 1},
    {"m1mew2wem3w4mewe", 1},
    {"w2wem3w4mewe", 1},
    {"m1mew2wem3w4m5mewe", 1},
    {"m1mew2wem3w4wemem3w4weme", 2},
};

static pthread_barrier_t barrier;
static char step;

static void step_take(void)
{
    static const char queue;
    uint32_t value = (uint32_t)step;
    RECORDER_CALL(clSetKernelArg, KERNEL);
    if (step == 'e') {
        recorder_kernel_enqueued(KERNEL, &queue);
    } else {
        recorder_kernel_argument_set(KERNEL, 0, sizeof(value), &value, &queue);
    }
}

static void *worker_run(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (step == '.') {
            return NULL;
        }
        step_take();
        pthread_barrier_wait(&barrier);
    }
}

START_TEST(threads_share_a_kernel)
{
    bool has_worker = true;
    pthread_t worker;
    ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 2), 0);
    ck_assert_int_eq(pthread_create(&worker, NULL, worker_run, NULL), 0);
    for (const char *steps = histories[_i].steps; *steps; steps++) {
        bool is_worker = *steps == 'w';
        bool is_end = *steps == '.';
        step = is_end ? '.' : *++steps;
        if (is_worker || is_end) {
            pthread_barrier_wait(&barrier);
        }
        if (is_worker) {
            pthread_barrier_wait(&barrier);
        } else if (is_end) {
            ck_assert_int_eq(pthread_join(worker, NULL), 0);
            has_worker = false;
        } else {
            step_take();
        }
    }
    ck_assert_uint_eq(mistakes_of(ompd_cl_registry_rule_kernel_shared), histories[_i].mistakes);
    if (has_worker) {
        step = '.';
        pthread_barrier_wait(&barrier);
        ck_assert_int_eq(pthread_join(worker, NULL), 0);
    }
    pthread_barrier_destroy(&barrier);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-kernels");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, kernels_set_up, scene_tear_down);
    tcase_add_loop_test(all, type_has_size, 0, sizeof(types) / sizeof(types[0]));
    tcase_add_test(all, sizes_are_compared);
    tcase_add_test(all, programs_without_sizes);
    tcase_add_test(all, old_platforms_are_not_asked);
    tcase_add_test(all, arguments_are_complete);
    tcase_add_test(all, nothing_to_set);
    tcase_add_test(all, clones_have_arguments);
    tcase_add_loop_test(all, threads_share_a_kernel, 0, sizeof(histories) / sizeof(histories[0]));
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
