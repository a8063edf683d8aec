/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each function of the loader's table, and each extension function with a number, has a wrapper,
 * and the record of a thread shows the call.  The wrappers are called with zeros, which are refused
 * or passed on.  The runtime below only reads the record of the thread.
 */
#include <CL/cl_layer.h>
#include <check.h>
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "../../recorder/core/core.h"
#include "../../recorder/core/process.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/prepare.h"
#include "../../recorder/wrap/dispatch.h"
#include "suite.h"

#define ENTRY_COUNT ((size_t)RECORDER_TABLE_LENGTH)
#define ENTRY(function) (offsetof(cl_icd_dispatch, function) / sizeof(void *))

#define CALL(number, function, ...) {number, #function},
static const struct {
    uint32_t number;
    const char *name;
} calls[] = {
#include <schema/calls.def>
};
#define CALL_COUNT (sizeof(calls) / sizeof(calls[0]))

/* More arguments than any function has. */
typedef uintptr_t any_function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static struct ompd_cl_registry_activity last_seen; /* when the runtime was reached */
static uint32_t times_below;                       /* how often it was */
static uint32_t times_astray; /* how often the thread was not in the one call EXPECTED then */
static uint32_t expected;

static uintptr_t runtime_look(void)
{
    const struct ompd_cl_registry_thread_record *thread = recorder_heap_self->thread;
    times_below++;
    last_seen = thread->activities[0];
    if (thread->activity_count != 1 || thread->activities[0].reference != 0 ||
        OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[0].what) != expected) {
        times_astray++;
    }
    return 0;
}

static void *CL_API_CALL extension_give(const char *name)
{
    runtime_look();
    return name ? (void *)runtime_look : NULL;
}

static void call(const char *name, uint32_t number, void *wrapper)
{
    any_function *function = (any_function *)wrapper;
    times_below = 0;
    times_astray = 0;
    expected = number;
    function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    ck_assert_msg(times_below >= 1, "%s is not passed on", name);
    ck_assert_msg(times_astray == 0, "%s is taken for another call, or none", name);
    ck_assert_msg(recorder_heap_self->thread->activity_count == 0, "%s does not end", name);
}

static void *entry_of(const cl_icd_dispatch *table, size_t entry)
{
    void *function;
    memcpy(&function, (const char *)table + entry * sizeof(void *), sizeof(function));
    return function;
}

static void set_up(void)
{
    static void *functions[ENTRY_COUNT];
    for (size_t entry = 0; entry < ENTRY_COUNT; entry++) {
        functions[entry] = (void *)runtime_look;
    }
    ck_assert(recorder_prepare());
    for (int loader = 0; loader < RECORDER_LOADER_LIMIT; loader++) {
        memcpy(&recorder_targets[loader], functions, sizeof(functions));
        recorder_targets[loader].of.clGetExtensionFunctionAddress = extension_give;
    }
    recorder_wrap_all_0(&recorder_wrappers[0]);
    recorder_wrap_all_1(&recorder_wrappers[1]);
}

static bool is_direct3d(size_t entry)
{
    return (entry >= ENTRY(clGetDeviceIDsFromD3D10KHR) &&
            entry <= ENTRY(clEnqueueReleaseD3D10ObjectsKHR)) ||
           (entry >= ENTRY(clGetDeviceIDsFromD3D11KHR) &&
            entry <= ENTRY(clEnqueueReleaseDX9MediaSurfacesKHR));
}

START_TEST(table_is_wrapped)
{
    const cl_icd_dispatch *table = &recorder_wrappers[_i].of;
    for (size_t entry = 0; entry < ENTRY_COUNT; entry++) {
        ck_assert_msg((entry_of(table, entry) == NULL) == is_direct3d(entry),
                      "function %zu of the table", entry);
    }
}
END_TEST

START_TEST(calls_are_told_apart)
{
    const cl_icd_dispatch *table = &recorder_wrappers[_i].of;
    size_t count = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (calls[i].number <= ENTRY_COUNT) {
            call(calls[i].name, calls[i].number, entry_of(table, calls[i].number - 1));
            count++;
        }
    }
    for (size_t entry = 0; entry < ENTRY_COUNT; entry++) {
        count += is_direct3d(entry);
    }
    ck_assert_uint_eq(count, ENTRY_COUNT);
}
END_TEST

START_TEST(extensions_are_told_apart)
{
    const cl_icd_dispatch *table = &recorder_wrappers[_i].of;
    size_t count = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (calls[i].number <= ENTRY_COUNT) {
            continue;
        }
        expected = ompd_cl_call_clGetExtensionFunctionAddress;
        void *wrapper = table->clGetExtensionFunctionAddress(calls[i].name);
        ck_assert_msg(wrapper && wrapper != (void *)runtime_look, "%s has no wrapper",
                      calls[i].name);
        call(calls[i].name, calls[i].number, wrapper);
        count++;
    }
    ck_assert_uint_ge(count, 29);
}
END_TEST

#define HANDLE(number) ((void *)(uintptr_t)(number))

typedef cl_int (*set_kernel_arg_t)(cl_kernel kernel, cl_uint index, const void *pointer);

/* Pointers that a program passes to a kernel with the functions of extensions. */
START_TEST(kernel_arguments_of_extensions)
{
    static const char *const names[] = {"clSetKernelArgMemPointerINTEL",
                                        "clSetKernelArgSVMPointerARM"};
    cl_kernel kernel = HANDLE(0x300);
    recorder_kernel_created(kernel, HANDLE(0x301), "blur", NULL);
    for (cl_uint i = 0; i < 2; i++) {
        struct ompd_cl_registry_arguments arguments;
        set_kernel_arg_t set =
            (set_kernel_arg_t)recorder_wrappers[_i].of.clGetExtensionFunctionAddress(names[i]);
        ck_assert_int_eq(set(kernel, i, HANDLE(0x400 + i)), CL_SUCCESS);
        recorder_kernel_arguments_get(kernel, &arguments, NULL);
        ck_assert_uint_eq(arguments.count, i + 1);
        ck_assert_uint_eq(OMPD_CL_REGISTRY_ARGUMENT_FORM(arguments.forms[i]),
                          ompd_cl_registry_argument_svm);
        ck_assert_uint_eq(arguments.values[i], 0x400 + i);
    }
}
END_TEST

/* A platform may be unloaded, and loaded again elsewhere. */
START_TEST(newest_function_is_called)
{
    struct recorder_extension extension = {.count = 0};
    ck_assert(recorder_extension_add(&extension, 1, HANDLE(0x700)));
    ck_assert(recorder_extension_add(&extension, 2, HANDLE(0x701)));
    for (uintptr_t round = 0; round < 2 * RECORDER_EXTENSION_PLATFORMS; round++) {
        ck_assert(recorder_extension_add(&extension, 1, HANDLE(0x702 + round)));
        ck_assert_ptr_eq(recorder_extension_choose(&extension, 1), HANDLE(0x702 + round));
        ck_assert_ptr_eq(recorder_extension_choose(&extension, 2), HANDLE(0x701));
        ck_assert_ptr_eq(recorder_extension_choose(&extension, 3), HANDLE(0x702 + round));
    }
}
END_TEST

/* A function whose objects do not tell their platform is wrapped for one platform alone. */
START_TEST(one_platform_is_served)
{
    struct recorder_extension extension = {.count = 0};
    ck_assert(recorder_extension_add_one(&extension, 1, HANDLE(0x700)));
    ck_assert(recorder_extension_add_one(&extension, 1, HANDLE(0x700)));
    ck_assert(recorder_extension_add_one(&extension, 0, HANDLE(0x700)));
    ck_assert(!recorder_extension_add_one(&extension, 2, HANDLE(0x701)));
    ck_assert(!recorder_extension_add_one(&extension, 0, HANDLE(0x701)));
    ck_assert_ptr_eq(recorder_extension_choose(&extension, 2), HANDLE(0x700));
    ck_assert(recorder_extension_add_one(&extension, 1, HANDLE(0x702)));
    ck_assert_ptr_eq(recorder_extension_choose(&extension, 0), HANDLE(0x702));
}
END_TEST

/* Code that is left out of call stacks is so as long as it is loaded, however often that is. */
START_TEST(unloaded_code_is_not_left_out)
{
    const void *before = NULL;
    for (int round = 0; round < 20; round++) {
        struct recorder_site site;
        void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
        ck_assert_ptr_nonnull(library);
        const void *code = dlsym(library, "clGetPlatformIDs");
        ck_assert(code != before);
        recorder_stack_leave_out(code);
        recorder_site_find_slowly(&site, code);
        ck_assert(site.caller != (uintptr_t)code);
        if (before) {
            recorder_site_find_slowly(&site, before);
            ck_assert(site.caller == (uintptr_t)before);
        }
        before = code;
        void *place = (void *)((const struct link_map *)library)->l_addr;
        ck_assert_int_eq(dlclose(library), 0);
        /* Nothing else must be loaded there. */
        ck_assert(mmap(place, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
                       0) == place);
    }
}
END_TEST

#define QUEUE HANDLE(0x100)
#define WAITS OMPD_CL_REGISTRY_ACTIVITY_WAITS

static void expect_seen(uint32_t what, const void *handle)
{
    ck_assert_uint_eq(last_seen.what, what);
    ck_assert_uint_eq(last_seen.handle, (uintptr_t)handle);
    last_seen.what = 0;
}

/* A transfer waits when it is blocking, and only then. */
START_TEST(blocking_transfers_wait)
{
    const cl_icd_dispatch *table = &recorder_wrappers[0].of;
    void *b = HANDLE(0x200);
    cl_bool blocks = (cl_bool)_i;
    uint32_t waits = blocks ? WAITS : 0;
    table->clEnqueueReadBuffer(QUEUE, b, blocks, 0, 0, NULL, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueReadBuffer | waits, QUEUE);
    table->clEnqueueWriteBuffer(QUEUE, b, blocks, 0, 0, NULL, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueWriteBuffer | waits, QUEUE);
    table->clEnqueueReadBufferRect(QUEUE, b, blocks, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, NULL,
                                   NULL);
    expect_seen(ompd_cl_call_clEnqueueReadBufferRect | waits, QUEUE);
    table->clEnqueueWriteBufferRect(QUEUE, b, blocks, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, NULL,
                                    NULL);
    expect_seen(ompd_cl_call_clEnqueueWriteBufferRect | waits, QUEUE);
    table->clEnqueueReadImage(QUEUE, b, blocks, NULL, NULL, 0, 0, NULL, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueReadImage | waits, QUEUE);
    table->clEnqueueWriteImage(QUEUE, b, blocks, NULL, NULL, 0, 0, NULL, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueWriteImage | waits, QUEUE);
    table->clEnqueueMapBuffer(QUEUE, b, blocks, 0, 0, 0, 0, NULL, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueMapBuffer | waits, QUEUE);
    table->clEnqueueMapImage(QUEUE, b, blocks, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueMapImage | waits, QUEUE);
    table->clEnqueueSVMMemcpy(QUEUE, blocks, NULL, NULL, 0, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueSVMMemcpy | waits, QUEUE);
    table->clEnqueueSVMMap(QUEUE, blocks, 0, NULL, 0, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clEnqueueSVMMap | waits, QUEUE);
}
END_TEST

START_TEST(waits_have_what_is_awaited)
{
    const cl_icd_dispatch *table = &recorder_wrappers[0].of;
    cl_event events[] = {HANDLE(0x300), HANDLE(0x301)};
    cl_program program = HANDLE(0x400);
    table->clFinish(QUEUE);
    expect_seen(ompd_cl_call_clFinish | WAITS, QUEUE);
    table->clWaitForEvents(2, events);
    expect_seen(ompd_cl_call_clWaitForEvents | WAITS, events[0]);
    table->clWaitForEvents(0, events);
    expect_seen(ompd_cl_call_clWaitForEvents | WAITS, NULL);
    table->clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    expect_seen(ompd_cl_call_clBuildProgram | WAITS, program);
    table->clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    expect_seen(ompd_cl_call_clCompileProgram | WAITS, program);
    table->clLinkProgram(HANDLE(0x500), 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    expect_seen(ompd_cl_call_clLinkProgram | WAITS, HANDLE(0x500));
}
END_TEST

/* What other calls are on; these do not wait. */
START_TEST(calls_have_what_they_work_on)
{
    const cl_icd_dispatch *table = &recorder_wrappers[0].of;
    void *object = HANDLE(0x600);
    table->clFlush(QUEUE);
    expect_seen(ompd_cl_call_clFlush, QUEUE);
    table->clEnqueueWaitForEvents(QUEUE, 0, NULL);
    expect_seen(ompd_cl_call_clEnqueueWaitForEvents, QUEUE);
    table->clCreateBuffer(object, 0, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clCreateBuffer, object);
    table->clCreateSubBuffer(object, 0, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clCreateSubBuffer, object);
    table->clSetKernelArg(object, 1, 0, NULL);
    expect_seen(ompd_cl_call_clSetKernelArg, object);
    table->clGetDeviceInfo(object, 0, 0, NULL, NULL);
    expect_seen(ompd_cl_call_clGetDeviceInfo, object);
    table->clReleaseMemObject(object);
    expect_seen(ompd_cl_call_clReleaseMemObject, object);
    table->clSetDefaultDeviceCommandQueue(HANDLE(1), HANDLE(2), QUEUE);
    expect_seen(ompd_cl_call_clSetDefaultDeviceCommandQueue, QUEUE);
    table->clUnloadCompiler();
    expect_seen(ompd_cl_call_clUnloadCompiler, NULL);
}
END_TEST

static cl_command_queue CL_API_CALL queue_give(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties,
                                               cl_int *errcode_ret)
{
    (void)context;
    (void)device;
    (void)properties;
    (void)errcode_ret;
    return QUEUE;
}

/* Each enqueueing function counts as a command of its queue. Functions that map return a pointer,
 * which is NULL here. */
START_TEST(commands_are_counted)
{
    const cl_icd_dispatch *table = &recorder_wrappers[0].of;
    struct recorder_entry queue;
    uint32_t count = 0;
    recorder_targets[0].of.clCreateCommandQueue = queue_give;
    table->clCreateCommandQueue(HANDLE(0x300), HANDLE(0x400), 0, NULL);
    ck_assert(recorder_object_find(&queue, ompd_cl_registry_queue, QUEUE));
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (strncmp(calls[i].name, "clEnqueue", strlen("clEnqueue")) != 0 ||
            strncmp(calls[i].name, "clEnqueueMap", strlen("clEnqueueMap")) == 0 ||
            calls[i].number > ENTRY_COUNT) {
            continue;
        }
        any_function *function = (any_function *)entry_of(table, calls[i].number - 1);
        function((uintptr_t)QUEUE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        count++;
        ck_assert_msg(recorder_queue_last(&queue) == count, "%s is not counted", calls[i].name);
    }
    ck_assert_uint_ge(count, 30);
}
END_TEST

/* By its name a program gets the wrapper too, but where a platform answers for itself. */
START_TEST(names_lead_to_wrappers)
{
    const cl_icd_dispatch *table = &recorder_wrappers[_i].of;
    ck_assert_ptr_eq(table->clGetExtensionFunctionAddress("clFinish"), (void *)table->clFinish);
    ck_assert_ptr_eq(table->clGetExtensionFunctionAddress("clSetKernelArg"),
                     (void *)table->clSetKernelArg);
    ck_assert_ptr_eq(table->clGetExtensionFunctionAddress("clGetDeviceIDs"), (void *)runtime_look);
    ck_assert_ptr_eq(table->clGetExtensionFunctionAddress("clNoSuchFunction"),
                     (void *)runtime_look);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-wrappers");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_loop_test(all, table_is_wrapped, 0, RECORDER_LOADER_LIMIT);
    tcase_add_loop_test(all, calls_are_told_apart, 0, RECORDER_LOADER_LIMIT);
    tcase_add_loop_test(all, extensions_are_told_apart, 0, RECORDER_LOADER_LIMIT);
    tcase_add_loop_test(all, kernel_arguments_of_extensions, 0, RECORDER_LOADER_LIMIT);
    tcase_add_test(all, newest_function_is_called);
    tcase_add_test(all, one_platform_is_served);
    tcase_add_test(all, unloaded_code_is_not_left_out);
    tcase_add_loop_test(all, blocking_transfers_wait, CL_FALSE, CL_TRUE + 1);
    tcase_add_test(all, waits_have_what_is_awaited);
    tcase_add_test(all, calls_have_what_they_work_on);
    tcase_add_test(all, commands_are_counted);
    tcase_add_loop_test(all, names_lead_to_wrappers, 0, RECORDER_LOADER_LIMIT);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
