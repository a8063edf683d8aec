/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counts of live objects are right on a real runtime, whichever thread releases them. */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../recorder/core/tables.h"
#include "recorder-invariants.h"
#include "recorder-runtime.h"
#include "suite.h"

#define THREADS 4
#define ROUNDS 400
#define SLOTS 37
#define SIZE 4096

static struct recorder_runtime runtime;
static const cl_icd_dispatch *cl;

static void set_up(void)
{
    recorder_runtime_open(&runtime);
    cl = runtime.cl;
}

/* PoCL's version: 6 does not release some of its own references on contexts; since 7 objects are
 * destroyed after their release, on a thread of the runtime. */
static int major_version(void)
{
    cl_platform_id platform;
    char version[128];
    ck_assert_int_eq(
        cl->clGetDeviceInfo(runtime.device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(version), version, NULL),
        CL_SUCCESS);
    const char *name = strstr(version, "PoCL ");
    ck_assert_ptr_nonnull(name);
    return atoi(name + strlen("PoCL "));
}

static void expect_invariants(void)
{
    const char *wrong = recorder_invariants_check();
    while (wrong && major_version() >= 7) {
        sched_yield();
        wrong = recorder_invariants_check();
    }
    ck_assert_str_eq(wrong ? wrong : "", "");
}

static void CL_CALLBACK nothing_do(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
}

static cl_mem buffer_create(size_t size)
{
    cl_mem buffer = cl->clCreateBuffer(runtime.context, CL_MEM_READ_WRITE, size, NULL, NULL);
    ck_assert_ptr_nonnull(buffer);
    return buffer;
}

static cl_mem part_create(cl_mem buffer)
{
    cl_buffer_region region = {0, SIZE / 2};
    cl_mem part = cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    ck_assert_ptr_nonnull(part);
    return part;
}

static void expect_live(uint32_t kind, int64_t live)
{
    while (recorder_usage_sum(kind) != live && major_version() >= 7) {
        sched_yield();
    }
    ck_assert_int_eq(recorder_usage_sum(kind), live);
}

static void expect_usage(uint32_t kind, int64_t live, int64_t peak)
{
    expect_live(kind, live);
    ck_assert_int_eq(recorder_heap_self->thread->usage[kind].peak, peak);
}

static cl_uint context_references(void)
{
    cl_uint references;
    ck_assert_int_eq(cl->clGetContextInfo(runtime.context, CL_CONTEXT_REFERENCE_COUNT,
                                          sizeof(references), &references, NULL),
                     CL_SUCCESS);
    return references;
}

/* Close the runtime when no more than these references on the context are left: before that the
 * recorder cannot see that its release is the last.  Returns how many contexts stay. */
static int64_t close_last(cl_uint references)
{
    const bool is_kept = major_version() == 6 && context_references() > references;
    while (context_references() > references && major_version() >= 7) {
        sched_yield();
    }
    recorder_runtime_close(&runtime);
    return is_kept;
}

START_TEST(peaks_stay)
{
    const uint32_t memobjs = ompd_cl_registry_memobj - 1;
    const cl_uint references = context_references();
    cl_mem buffers[3];
    for (int i = 0; i < 3; i++) {
        buffers[i] = buffer_create(SIZE);
    }
    cl_mem part = part_create(buffers[0]);
    expect_usage(memobjs, 4, 4);
    expect_usage(OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, 3 * SIZE, 3 * SIZE);
    ck_assert_int_eq(cl->clSetMemObjectDestructorCallback(part, nothing_do, NULL), CL_SUCCESS);
    expect_usage(ompd_cl_registry_callback - 1, 1, 1);
    void *pointer = cl->clSVMAlloc(runtime.context, CL_MEM_READ_WRITE, SIZE, 0);
    expect_usage(ompd_cl_registry_svm - 1, 1, 1);
    expect_usage(OMPD_CL_REGISTRY_USAGE_SVM_BYTES, SIZE, SIZE);
    expect_invariants();
    cl->clSVMFree(runtime.context, pointer);
    cl->clReleaseMemObject(part);
    for (int i = 0; i < 3; i++) {
        cl->clReleaseMemObject(buffers[i]);
    }
    expect_usage(memobjs, 0, 4);
    expect_usage(OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, 0, 3 * SIZE);
    expect_usage(ompd_cl_registry_callback - 1, 0, 1);
    expect_usage(OMPD_CL_REGISTRY_USAGE_SVM_BYTES, 0, SIZE);
    expect_usage(ompd_cl_registry_context - 1, 1, 1);
    expect_invariants();
    expect_usage(ompd_cl_registry_context - 1, close_last(references), 1);
    expect_usage(ompd_cl_registry_queue - 1, 0, 1);
}
END_TEST

/* Objects that any thread puts there, and any thread takes out and releases. */
static cl_mem shared[SLOTS];

/* Store MEMOBJ, or NULL, in a slot and release the previous one. */
static void slot_exchange(uint32_t slot, cl_mem memobj)
{
    cl_mem before = __atomic_exchange_n(&shared[slot], memobj, __ATOMIC_ACQ_REL);
    if (before) {
        ck_assert_int_eq(cl->clReleaseMemObject(before), CL_SUCCESS);
    }
}

static void memobjs_churn(uint32_t number)
{
    cl_mem buffer = buffer_create(SIZE + number % 3 * 64);
    cl_mem part = part_create(buffer);
    for (uint32_t i = 0; i < number % 3; i++) {
        ck_assert_int_eq(cl->clSetMemObjectDestructorCallback(buffer, nothing_do, NULL),
                         CL_SUCCESS);
    }
    slot_exchange(number % SLOTS, buffer);
    slot_exchange(number * 7 % SLOTS, part);
}

static void others_churn(cl_command_queue queue)
{
    static const char *text = "";
    cl_event event = cl->clCreateUserEvent(runtime.context, NULL);
    cl_program program = cl->clCreateProgramWithSource(runtime.context, 1, &text, NULL, NULL);
    void *pointer = cl->clSVMAlloc(runtime.context, CL_MEM_READ_WRITE, SIZE, 0);
    ck_assert(event && program && pointer);
    ck_assert_int_eq(cl->clEnqueueSVMFree(queue, 1, &pointer, NULL, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(cl->clFinish(queue), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseProgram(program), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseEvent(event), CL_SUCCESS);
}

static void *churn(void *argument)
{
    uint32_t first = *(const uint32_t *)argument;
    cl_command_queue queue =
        cl->clCreateCommandQueueWithProperties(runtime.context, runtime.device, NULL, NULL);
    ck_assert_ptr_nonnull(queue);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        memobjs_churn(first + round);
        others_churn(queue);
    }
    ck_assert_int_eq(cl->clReleaseCommandQueue(queue), CL_SUCCESS);
    return NULL;
}

static void threads_churn(void)
{
    pthread_t threads[THREADS];
    uint32_t firsts[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        firsts[i] = i * 1000;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, churn, &firsts[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
}

static void expect_same_in_child(void)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const char *wrong = recorder_invariants_check();
        _exit(wrong || recorder_records_count(ompd_cl_registry_thread) != 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

START_TEST(sums_are_what_is_there)
{
    const cl_uint references = context_references();
    threads_churn();
    expect_invariants();
    ck_assert_uint_ge(recorder_records_count(ompd_cl_registry_memobj), SLOTS);
    ck_assert_uint_gt(recorder_records_count(ompd_cl_registry_callback), 0);
    ck_assert_int_eq(recorder_usage_sum(ompd_cl_registry_svm - 1), 0);
    expect_same_in_child();
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        slot_exchange(slot, NULL);
    }
    const int64_t contexts = close_last(references);
    for (uint32_t kind = 0; kind < OMPD_CL_REGISTRY_USAGE_COUNT; kind++) {
        expect_live(kind, kind == ompd_cl_registry_context - 1 ? contexts : 0);
    }
    expect_invariants();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-pocl-usage");
    TCase *all = tcase_create("all");
    const char *reason = recorder_runtime_why_none();
    if (reason) {
        return suite_skip(reason);
    }
    tcase_set_timeout(all, 120);
    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_test(all, peaks_stay);
    tcase_add_test(all, sums_are_what_is_there);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
