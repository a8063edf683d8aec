/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about forked processes and about programs whose build failed. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"
#include <ompd-opencl-calls.h>

#include <check.h>

#define PARENT 4711
#define FINDINGS 16
#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

static ompd_cl_finding_info_t findings[FINDINGS];
static ompd_size_t found;

/* Keep those of RULE. */
static void find(ompd_cl_finding_kind_t rule)
{
    ompd_size_t unreadable = 42;
    ompd_size_t count = 0;
    ompd_size_t kept = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_finding_list_open(population.space, &list), ompd_rc_ok);
    findings[0].head.struct_size = sizeof(findings[0]);
    ck_assert_int_eq(
        ompd_cl_finding_list_next(population.space, list, FINDINGS, findings, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_lt(count, FINDINGS);
    ck_assert_uint_eq(unreadable, 0);
    for (ompd_size_t i = 0; i < count; i++) {
        if (findings[i].rule.value == rule)
            findings[kept++] = findings[i];
    }
    found = kept;
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

/* Each thread that is in a call of OpenCL has one, in a process that was forked. */
START_TEST(forked)
{
    static const uint64_t calls[] = {ompd_cl_call_clFinish, ompd_cl_call_clGetEventInfo,
                                     ompd_cl_call_clCreateBuffer};
    static const uint64_t handles[] = {QUEUE_HANDLE, EVENT_HANDLE, CONTEXT_HANDLE};
    static const uint64_t threads[] = {FIRST_LWP + 1, FIRST_LWP + 2, FIRST_LWP + 4};

    rows_begin(_i);
    find(ompd_cl_finding_forked);
    ck_assert_uint_eq(found, 0);
    fake_put(target, ROOT(forked_from), 4, PARENT);
    find(ompd_cl_finding_forked);
    ck_assert_uint_eq(found, 3);
    for (ompd_size_t i = 0; i < found; i++) {
        ck_value(findings[i].call, calls[i]);
        ck_value(findings[i].object, handles[i]);
        ck_value(findings[i].thread, threads[i]);
        ck_value(findings[i].other_lwp, PARENT);
        ck_value(findings[i].head.confidence, ompd_cl_confidence_certain);
        ck_value(findings[i].head.source, ompd_cl_source_recorder);
        ck_assert_uint_eq(findings[i].clause.status, ompd_cl_status_not_applicable);
    }
    rows_tear_down();
}
END_TEST

/* A root without the word: it is part of what follows. */
START_TEST(older_recorder)
{
    fake_put(target, ROOT(forked_from), 4, PARENT);
    fake_put(target, ROOT(root_size), 4, OMPD_CL_REGISTRY_ROOT_SIZE_1_4);
    /* It has no table of full texts either. */
    fake_put_text(target, ompd_cl_registry_program, population.program, F(options), F(options_text),
                  "-g");
    find(ompd_cl_finding_forked);
    ck_assert_uint_eq(found, 0);
}
END_TEST

static void set(uint32_t table, uint32_t index, uint32_t field, uint64_t value)
{
    fake_set(target, table, index, field, value);
    fake_touch(target, table, index);
}

#define PROGRAM_SET(field, value) set(ompd_cl_registry_program, population.program, F(field), value)
#define ERROR_SET(number, field, value)                                                            \
    set(ompd_cl_registry_error, population.errors[number], F(field), value)

START_TEST(build_failed)
{
    rows_begin(_i);
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].object, PROGRAM_HANDLE);
    ck_value(findings[0].object_kind, ompd_cl_kind_program);
    ck_value(findings[0].error, (uint64_t)-11);
    ck_none(findings[0].other_caller, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

/* The last call that failed to build the program is named, and none on a previous one in its
 * place. */
START_TEST(build_call)
{
    for (uint32_t i = 0; i < 2; i++) {
        ERROR_SET(i, what, ompd_cl_call_clBuildProgram);
        ERROR_SET(i, handle, PROGRAM_HANDLE);
        ERROR_SET(i, serial, 80 + i);
    }
    find(ompd_cl_finding_build_failed);
    ck_value(findings[0].call, ompd_cl_call_clBuildProgram);
    ck_value(findings[0].other_caller, 0x400301);
    ck_value(findings[0].other_lwp, FIRST_LWP);
    PROGRAM_SET(serial, 82);
    find(ompd_cl_finding_build_failed);
    ck_none(findings[0].other_caller, ompd_cl_status_not_applicable);
    PROGRAM_SET(serial, 79);
    ERROR_SET(0, what, ompd_cl_call_clCreateKernel);
    ERROR_SET(1, handle, CONTEXT_HANDLE);
    find(ompd_cl_finding_build_failed);
    ck_none(findings[0].other_caller, ompd_cl_status_not_applicable);
}
END_TEST

#define NOT_EXECUTABLE ((uint32_t)-45) /* CL_INVALID_PROGRAM_EXECUTABLE */
#define NO_SUCH_KERNEL ((uint32_t)-46) /* CL_INVALID_KERNEL_NAME */

/* A kernel of it was requested after that: a failed build alone is not a mistake. */
START_TEST(build_used)
{
    for (uint32_t i = 0; i < 2; i++) {
        ERROR_SET(i, what, i == 0 ? ompd_cl_call_clBuildProgram : ompd_cl_call_clCreateKernel);
        ERROR_SET(i, handle, PROGRAM_HANDLE);
        ERROR_SET(i, serial, 80 + i);
    }
    PROGRAM_SET(serial, 78);
    ERROR_SET(1, error, NOT_EXECUTABLE);
    find(ompd_cl_finding_build_failed);
    ck_value(findings[0].call, ompd_cl_call_clCreateKernel);
    ck_value(findings[0].thread, FIRST_LWP);
    ck_value(findings[0].other_lwp, FIRST_LWP);
    ERROR_SET(1, error, NO_SUCH_KERNEL);
    find(ompd_cl_finding_build_failed);
    ck_value(findings[0].call, ompd_cl_call_clBuildProgram);
    ck_none(findings[0].thread, ompd_cl_status_not_applicable);
    ERROR_SET(1, error, NOT_EXECUTABLE);
    ERROR_SET(1, serial, 79);
    find(ompd_cl_finding_build_failed);
    ck_none(findings[0].thread, ompd_cl_status_not_applicable);
}
END_TEST

/* CL_BUILD_ERROR is a status, and no error that a call returns. */
START_TEST(build_status)
{
    PROGRAM_SET(error, (uint32_t)-2);
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 1);
    ck_none(findings[0].error, ompd_cl_status_not_applicable);
}
END_TEST

START_TEST(no_failure)
{
    PROGRAM_SET(run, OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_done));
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 0);
    PROGRAM_SET(run, OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_running));
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 0);
    PROGRAM_SET(run, 0);
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 0);
}
END_TEST

/* No kernel will be created from it any more. */
START_TEST(released)
{
    PROGRAM_SET(state, ompd_cl_registry_app_released);
    PROGRAM_SET(references, 0);
    find(ompd_cl_finding_build_failed);
    ck_assert_uint_eq(found, 0);
}
END_TEST

#define GONE_SET(field, value) set(ompd_cl_registry_gone, population.gone[3], F(field), value)

/* Its handle is another object's, though the program has references: the last of the history. */
START_TEST(reused)
{
    rows_begin(_i);
    find(ompd_cl_finding_runtime_released);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].object_kind, ompd_cl_kind_event);
    ck_none(findings[0].count, ompd_cl_status_not_applicable);
    ck_value(findings[0].head.confidence, ompd_cl_confidence_certain);
    GONE_SET(released_lwp, FIRST_LWP);
    find(ompd_cl_finding_runtime_released);
    ck_assert_uint_eq(found, 0);
    GONE_SET(released_lwp, 0);
    GONE_SET(ending, ompd_cl_registry_ending_later);
    find(ompd_cl_finding_runtime_released);
    ck_assert_uint_eq(found, 0);
    rows_tear_down();
}
END_TEST

/* One mistake at one place is one finding, with how often it was seen at least. */
START_TEST(alike)
{
    rows_begin(_i);
    for (uint32_t i = 0; i < 2; i++) {
        ERROR_SET(i, what, ompd_cl_call_clWaitForEvents);
        ERROR_SET(i, error, OMPD_CL_REGISTRY_USED);
        ERROR_SET(i, handle, EVENT_HANDLE + i);
        ERROR_SET(i, caller, 0x400777);
        ERROR_SET(i, change, (uint64_t)(i + 1) << 32);
    }
    find(ompd_cl_finding_used_after_release);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].count, 2);
    ck_value(findings[0].head.caller, 0x400777);
    /* An earlier one is no longer recorded. */
    ERROR_SET(0, change, UINT64_C(3) << 32);
    find(ompd_cl_finding_used_after_release);
    ck_assert_uint_eq(found, 1);
    ck_assert_uint_eq(findings[0].count.value, 2);
    ck_assert_uint_eq(findings[0].count.status, ompd_cl_status_at_least);
    /* It was used elsewhere. */
    ERROR_SET(1, caller, 0x400999);
    find(ompd_cl_finding_used_after_release);
    ck_assert_uint_eq(found, 2);
    ck_none(findings[0].count, ompd_cl_status_not_applicable);
    rows_tear_down();
}
END_TEST

/* The object that an enqueueing call has used; an older recorder does not have it. */
START_TEST(used_kinds)
{
    static const struct {
        uint32_t call;
        uint32_t number;
        uint32_t kind;
        uint32_t argument;
    } cases[] = {
        {ompd_cl_call_clEnqueueReadBuffer, 0, ompd_cl_kind_queue, 0},
        {ompd_cl_call_clEnqueueReadBuffer, 1, ompd_cl_kind_memobj, 1},
        {ompd_cl_call_clEnqueueCopyImage, 2, ompd_cl_kind_memobj, 2},
        {ompd_cl_call_clEnqueueNDRangeKernel, 1, ompd_cl_kind_kernel, 1},
        {ompd_cl_call_clEnqueueReadBufferRect, 3, ompd_cl_kind_event, 12},
        {ompd_cl_call_clEnqueueMarker, 0, ompd_cl_kind_queue, 0},
    };

    rows_begin(_i);
    fake_rename_field(target, ompd_cl_registry_error, F(stack), F(argument));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ERROR_SET(0, what, cases[i].call);
        ERROR_SET(0, error, OMPD_CL_REGISTRY_USED);
        ERROR_SET(0, stack, cases[i].number);
        find(ompd_cl_finding_used_after_release);
        ck_assert_uint_eq(found, 1);
        ck_value(findings[0].object_kind, cases[i].kind);
        if (cases[i].argument == 0)
            ck_none(findings[0].argument, ompd_cl_status_not_applicable);
        else
            ck_value(findings[0].argument, cases[i].argument);
    }
    rows_tear_down();
}
END_TEST

/* ---- Memory of the program's ----------------------------------------------------------------- */

/* The buffer uses host memory that is not mapped. */
START_TEST(host_unmapped)
{
    rows_begin(_i);
    find(ompd_cl_finding_host_unmapped);
    ck_assert_uint_eq(found, 1);
    ck_assert_uint_eq(findings[0].object.value, BUFFER_HANDLE);
    ck_assert_uint_eq(findings[0].object_kind.value, ompd_cl_kind_memobj);
    rows_tear_down();
}
END_TEST

/* One command is to free the same SVM allocation twice. */
START_TEST(svm_freed_twice)
{
    uint64_t first;

    rows_begin(_i);
    find(ompd_cl_finding_svm_freed_twice);
    ck_assert_uint_eq(found, 0);
    first = fake_get(
        target,
        fake_field_address(target, ompd_cl_registry_svm_free, population.svm_free, F(pointers)), 4);
    first = fake_get(
        target, fake_field_address(target, ompd_cl_registry_address, (uint32_t)first - 1, F(next)),
        4);
    set(ompd_cl_registry_address, (uint32_t)first - 1, F(handle), SVM_POINTER);
    set(ompd_cl_registry_address, (uint32_t)first - 1, F(from_svm_alloc), 1);
    set(ompd_cl_registry_svm_free, population.svm_free, F(run),
        OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_enqueued));
    /* What it calls need not free it. */
    find(ompd_cl_finding_svm_freed_twice);
    ck_assert_uint_eq(found, 0);
    set(ompd_cl_registry_svm_free, population.svm_free, F(function), 0);
    find(ompd_cl_finding_svm_freed_twice);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].address, SVM_POINTER);
    rows_tear_down();
}
END_TEST

/* Put thread NUMBER into CALL with HANDLE. */
static void put_call(uint32_t number, uint32_t call, uint64_t handle)
{
    fake_put_activity(target, population.threads[number], 0, call, 0, handle);
    fake_touch(target, ompd_cl_registry_thread, population.threads[number]);
    find(ompd_cl_finding_wrong_handle);
}

/* An object of another kind than the call works on. */
START_TEST(other_kind)
{
    rows_begin(_i);
    find(ompd_cl_finding_wrong_handle);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clFinish, BUFFER_HANDLE);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].head.confidence, ompd_cl_confidence_certain);
    ck_value(findings[0].object_kind, ompd_cl_kind_queue);
    ck_value(findings[0].object, BUFFER_HANDLE);
    ck_value(findings[0].other_kind, ompd_cl_kind_memobj);
    ck_value(findings[0].other, BUFFER_HANDLE);
    ck_value(findings[0].call, ompd_cl_call_clFinish);
    ck_value(findings[0].thread, FIRST_LWP + 1);
    put_call(1, ompd_cl_call_clEnqueueBarrier, BUFFER_HANDLE);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].object_kind, ompd_cl_kind_queue);
    put_call(1, ompd_cl_call_clReleaseMemObject, BUFFER_HANDLE);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clFinish, QUEUE_HANDLE);
    ck_assert_uint_eq(found, 0);
    rows_tear_down();
}
END_TEST

/* An object that the same thread had released; in calls that cannot release it themselves. */
START_TEST(released_handle)
{
    rows_begin(_i);
    put_call(1, ompd_cl_call_clRetainMemObject, GONE_HANDLE);
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].head.confidence, ompd_cl_confidence_presumed);
    ck_value(findings[0].object_kind, ompd_cl_kind_memobj);
    ck_value(findings[0].object, GONE_HANDLE);
    ck_value(findings[0].other_kind, ompd_cl_kind_memobj);
    ck_value(findings[0].other_lwp, FIRST_LWP + 1);
    ck_value(findings[0].other_caller, 0x400200);
    put_call(1, ompd_cl_call_clReleaseMemObject, GONE_HANDLE);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clRetainKernel, GONE_HANDLE);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clRetainMemObject, GONE_HANDLE + 0x1000);
    ck_assert_uint_eq(found, 0);
    rows_tear_down();
}
END_TEST

/* Of the command that is being enqueued; all destroyed objects ended before it. */
#define ORDER 1000

static void set_command(enum ompd_cl_registry_field_id field, uint64_t value)
{
    fake_set(target, ompd_cl_registry_command, population.commands[2], field, value);
    fake_touch(target, ompd_cl_registry_command, population.commands[2]);
    find(ompd_cl_finding_wrong_handle);
}

/* Put thread 1 into a call that enqueues a copy, with valid arguments. */
static void put_copy(void)
{
    const struct {
        enum ompd_cl_registry_field_id field;
        uint64_t value;
    } fields[] = {{F(type), 0x11f5},          {F(lwp), FIRST_LWP + 1},         {F(kernel), 0},
                  {F(memobj), BUFFER_HANDLE}, {F(destination), BUFFER_HANDLE}, {F(serial), ORDER}};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        fake_set(target, ompd_cl_registry_command, population.commands[2], fields[i].field,
                 fields[i].value);
    fake_touch(target, ompd_cl_registry_command, population.commands[2]);
    put_call(1, ompd_cl_call_clEnqueueCopyBuffer, QUEUE_HANDLE);
}

/* The one finding is about ARGUMENT, which is HANDLE and was to be of KIND; OTHER is what it is, or
 * was; 0: nothing. */
static void check_argument(uint64_t argument, uint64_t handle, uint64_t kind, uint64_t other)
{
    ck_assert_uint_eq(found, 1);
    ck_value(findings[0].argument, argument);
    ck_value(findings[0].object, handle);
    ck_value(findings[0].object_kind, kind);
    ck_value(findings[0].call, ompd_cl_call_clEnqueueCopyBuffer);
    if (other != 0)
        ck_value(findings[0].other_kind, other);
    ck_value(findings[0].head.confidence,
             other == kind ? ompd_cl_confidence_presumed : ompd_cl_confidence_certain);
}

/* Objects that are a call's further arguments: another kind, released before, never one. */
START_TEST(other_arguments)
{
    rows_begin(_i);
    put_copy();
    ck_assert_uint_eq(found, 0);
    set_command(F(memobj), QUEUE_HANDLE);
    check_argument(1, QUEUE_HANDLE, ompd_cl_kind_memobj, ompd_cl_kind_queue);
    set_command(F(memobj), BUFFER_HANDLE);
    ck_assert_uint_eq(found, 0);
    set_command(F(destination), GONE_HANDLE);
    check_argument(2, GONE_HANDLE, ompd_cl_kind_memobj, ompd_cl_kind_memobj);
    ck_value(findings[0].other_lwp, FIRST_LWP + 1);
    ck_value(findings[0].other_caller, 0x400200);
    /* It may have been there when the call began. */
    set_command(F(serial), 70);
    ck_assert_uint_eq(found, 0);
    set_command(F(serial), ORDER);
    ck_assert_uint_eq(found, 1);
    set_command(F(destination), 0x5a);
    check_argument(2, 0x5a, ompd_cl_kind_memobj, 0);
    /* The command of another thread, or of another call. */
    set_command(F(lwp), FIRST_LWP + 2);
    ck_assert_uint_eq(found, 0);
    set_command(F(lwp), FIRST_LWP + 1);
    set_command(F(type), 0x11f3);
    ck_assert_uint_eq(found, 0);
    rows_tear_down();
}
END_TEST

START_TEST(wait_lists)
{
    uint64_t list;

    rows_begin(_i);
    put_copy();
    list = fake_get(
        target,
        fake_field_address(target, ompd_cl_registry_command, population.commands[1], F(wait_list)),
        4);
    fake_set(target, ompd_cl_registry_command, population.commands[2], F(wait_list), list);
    set_command(F(wait_count), 1);
    ck_assert_uint_eq(found, 0);
    set(ompd_cl_registry_address, (uint32_t)list - 1, F(handle), BUFFER_HANDLE);
    find(ompd_cl_finding_wrong_handle);
    check_argument(7, BUFFER_HANDLE, ompd_cl_kind_event, ompd_cl_kind_memobj);
    rows_tear_down();
}
END_TEST

/* What a loader has made that was refused has no record: it may be of any kind, and have the handle
 * of what is gone. */
START_TEST(not_recorded)
{
    rows_begin(_i);
    fake_put(target, ROOT(counts.loaders_refused), 8, 1);
    put_call(1, ompd_cl_call_clFinish, BUFFER_HANDLE);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clRetainMemObject, GONE_HANDLE);
    ck_assert_uint_eq(found, 0);
    put_call(1, ompd_cl_call_clFinish, 0x5a);
    ck_assert_uint_eq(found, 1);
    fake_put(target, ROOT(counts.loaders_refused), 8, 0);
    put_call(1, ompd_cl_call_clFinish, BUFFER_HANDLE);
    ck_assert_uint_eq(found, 1);
    rows_tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("process-findings");
    TCase *variants = tcase_create("variants");
    TCase *tcase = tcase_create("process-findings");

    tcase_add_loop_test(variants, forked, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, build_failed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, reused, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, alike, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, used_kinds, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, host_unmapped, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, svm_freed_twice, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, other_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, released_handle, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, other_arguments, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, wait_lists, 0, FAKE_VARIANTS);
    tcase_add_loop_test(variants, not_recorded, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, variants);
    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, older_recorder);
    tcase_add_test(tcase, build_call);
    tcase_add_test(tcase, build_used);
    tcase_add_test(tcase, build_status);
    tcase_add_test(tcase, no_failure);
    tcase_add_test(tcase, released);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
