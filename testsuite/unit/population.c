/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "population.h"

#include <check.h>
#include <ompd-opencl-calls.h>
#include <string.h>

#define F(name) ompd_cl_registry_field_##name
#define CONTEXT ompd_cl_registry_context
#define QUEUE ompd_cl_registry_queue
#define MEMOBJ ompd_cl_registry_memobj
#define SVM ompd_cl_registry_svm
#define SVM_FREE ompd_cl_registry_svm_free
#define EVENT ompd_cl_registry_event
#define COMMAND ompd_cl_registry_command
#define GONE ompd_cl_registry_gone
#define LEDGER ompd_cl_registry_ledger
#define KERNEL ompd_cl_registry_kernel
#define PROGRAM ompd_cl_registry_program
#define SAMPLER ompd_cl_registry_sampler

static void put_text(struct fake_target *target, uint32_t table, uint32_t index, uint32_t field,
                     const char *text)
{
    uint64_t address = fake_field_address(target, table, index, field);

    memcpy(target->bytes + (address - FAKE_BASE), text, strlen(text) + 1);
}

static void add_platform(struct fake_target *target)
{
    uint32_t index = fake_add(target, ompd_cl_registry_platform);

    fake_set(target, ompd_cl_registry_platform, index, F(handle), PLATFORM_HANDLE);
    put_text(target, ompd_cl_registry_platform, index, F(name), "Testing CL");
    put_text(target, ompd_cl_registry_platform, index, F(version), "OpenCL 3.0");
    put_text(target, ompd_cl_registry_platform, index, F(vendor), "nobody");
}

static void add_context(struct population *population)
{
    struct fake_target *target = population->target;

    population->context = fake_add_object(target, CONTEXT, CONTEXT_HANDLE);
    fake_set(target, CONTEXT, population->context, F(platform), 1);
    fake_set(target, CONTEXT, population->context, F(device_count), 2);
    fake_set(target, CONTEXT, population->context, F(children), 5);
    population->queue = fake_add_object(target, QUEUE, QUEUE_HANDLE);
    fake_set(target, QUEUE, population->queue, F(context),
             OMPD_CL_REGISTRY_REFERENCE(CONTEXT, population->context));
    fake_set(target, QUEUE, population->queue, F(device), 0xd000);
    fake_set(target, QUEUE, population->queue, F(flags), 3);
    fake_set(target, QUEUE, population->queue, F(svm_frees), 1);
}

static void add_memobjs(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t context = population->context;

    population->buffer = fake_add_buffer(target, BUFFER_HANDLE, context, 4096);
    fake_set(target, MEMOBJ, population->buffer, F(flags), 1 | 1 << 3);
    fake_set(target, MEMOBJ, population->buffer, F(host_pointer), 0x55550000);
    fake_set(target, MEMOBJ, population->buffer, F(references), (uint32_t)-1);
    fake_set(target, MEMOBJ, population->buffer, F(children), 1);
    for (uint32_t i = 0; i < DESTRUCTOR_COUNT; i++)
        population->destructors[i] =
            fake_add_destructor(target, population->buffer, 0x401000 + i, 0x2000 + i);

    population->sub_buffer = fake_add_buffer(target, SUB_BUFFER_HANDLE, context, 1024);
    fake_set(target, MEMOBJ, population->sub_buffer, F(parent_handle), BUFFER_HANDLE);
    fake_set(target, MEMOBJ, population->sub_buffer, F(origin), 512);
    fake_set(target, MEMOBJ, population->sub_buffer, F(state), ompd_cl_registry_app_released);
    fake_set(target, MEMOBJ, population->sub_buffer, F(evidence), OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    fake_set(target, MEMOBJ, population->sub_buffer, F(references), 0);

    population->image = fake_add_buffer(target, IMAGE_HANDLE, context, UINT64_C(5) << 32);
    fake_set(target, MEMOBJ, population->image, F(type), 0x10f1);
}

static uint32_t add_address(struct fake_target *target, uint64_t address, bool from_svm_alloc)
{
    uint32_t index = fake_add(target, ompd_cl_registry_address);

    fake_set(target, ompd_cl_registry_address, index, F(handle), address);
    fake_set(target, ompd_cl_registry_address, index, F(from_svm_alloc), from_svm_alloc);
    return index;
}

static void add_svm(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t first;
    uint32_t second;

    population->svm = fake_add_object(target, SVM, SVM_POINTER);
    fake_set(target, SVM, population->svm, F(type), ompd_cl_registry_svm_alloc);
    fake_set(target, SVM, population->svm, F(state), ompd_cl_registry_enqueued);
    fake_set(target, SVM, population->svm, F(size), 65536);
    fake_set(target, SVM, population->svm, F(flags), 1);
    fake_set(target, SVM, population->svm, F(context),
             OMPD_CL_REGISTRY_REFERENCE(CONTEXT, population->context));

    population->svm_free = fake_add(target, SVM_FREE);
    fake_set(target, SVM_FREE, population->svm_free, F(queue_handle), QUEUE_HANDLE);
    fake_set(target, SVM_FREE, population->svm_free, F(context),
             OMPD_CL_REGISTRY_REFERENCE(CONTEXT, population->context));
    fake_set(target, SVM_FREE, population->svm_free, F(function), 0x402000);
    fake_set(target, SVM_FREE, population->svm_free, F(user_data), 0x3000);
    fake_set(target, SVM_FREE, population->svm_free, F(run),
             OMPD_CL_REGISTRY_RUN(FIRST_LWP + 2, ompd_cl_registry_running));
    first = add_address(target, SVM_POINTER, true);
    second = add_address(target, 0x1234, false);
    fake_set(target, ompd_cl_registry_address, first, F(next), second + 1);
    fake_set(target, SVM_FREE, population->svm_free, F(pointers), first + 1);
    fake_set(target, SVM_FREE, population->svm_free, F(pointer_count), 2);
    fake_set(target, SVM_FREE, population->svm_free, F(wait_list),
             add_address(target, EVENT_HANDLE, false) + 1);
    fake_set(target, SVM_FREE, population->svm_free, F(wait_count), 1);
}

static void add_stack(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, ompd_cl_registry_stack);
    uint64_t frames = fake_field_address(target, ompd_cl_registry_stack, index, F(frames));

    fake_set(target, ompd_cl_registry_stack, index, F(depth), 3);
    for (unsigned i = 0; i < 3; i++)
        fake_put(target, frames + i * 8, 8, 0x400500 + i);
    fake_set(target, MEMOBJ, population->buffer, F(stack), index + 1);
}

/* What the threads counted, so that the sums are what there is: usage number, live and peak of
 * each thread. */
static void add_usage(struct population *population)
{
    static const struct {
        uint32_t number;
        int64_t live[THREAD_COUNT];
        int64_t peak[THREAD_COUNT];
    } usages[] = {
        {0, {1}, {1}},
        {1, {1}, {1}},
        {2, {2, 0, 0, 2, -1}, {2, 0, 0, 3, 0}},
        {3, {1}, {1}},
        {4, {1}, {1}},
        {5, {1}, {1}},
        {6, {4}, {4}},
        {7, {1}, {1}},
        {8, {0, 1}, {0, 1}},
        {9, {3, 0, -1, 1}, {3, 0, 0, 1}},
        {OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES,
         {INT64_C(5) << 32, 0, 0, 8192, -4096},
         {INT64_C(5) << 32, 0, 0, 8192}},
        {OMPD_CL_REGISTRY_USAGE_SVM_BYTES, {65536}, {INT64_C(3) << 32}},
    };

    for (size_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        for (uint32_t thread = 0; thread < THREAD_COUNT; thread++)
            fake_put_usage(population->target, population->threads[thread], usages[i].number,
                           usages[i].live[thread], usages[i].peak[thread]);
    }
}

static void add_threads(struct population *population)
{
    struct fake_target *target = population->target;
    const uint32_t *threads = population->threads;

    for (uint32_t i = 0; i < THREAD_COUNT; i++)
        population->threads[i] = fake_add_thread(target, FIRST_LWP + i, i != 2);
    fake_enter(target, threads[1], ompd_cl_call_clFinish | OMPD_CL_REGISTRY_ACTIVITY_WAITS, 0,
               QUEUE_HANDLE);
    fake_enter(target, threads[2], ompd_cl_registry_runs_svm_free,
               OMPD_CL_REGISTRY_REFERENCE(SVM_FREE, population->svm_free), QUEUE_HANDLE);
    fake_enter(target, threads[2], ompd_cl_call_clGetEventInfo, 0, EVENT_HANDLE);
    fake_end_thread(target, threads[3]);
    fake_enter(target, threads[4], ompd_cl_call_clCreateBuffer, 0, CONTEXT_HANDLE);
    add_usage(population);
}

/* An object of TABLE in the OpenCL context. */
static uint32_t add_in_context(struct population *population, uint32_t table, uint64_t handle)
{
    uint32_t index = fake_add_object(population->target, table, handle);

    fake_set(population->target, table, index, F(context),
             OMPD_CL_REGISTRY_REFERENCE(CONTEXT, population->context));
    return index;
}

static uint32_t add_event(struct population *population, uint64_t handle, uint64_t run,
                          uint32_t number)
{
    struct fake_target *target = population->target;
    uint32_t index = add_in_context(population, EVENT, handle);

    fake_set(target, EVENT, index, F(type), number != 0 ? 0x11f0 : 0x1204);
    fake_set(target, EVENT, index, F(run), run);
    fake_set(target, EVENT, index, F(number), number);
    if (number == 0)
        return index;
    fake_set(target, EVENT, index, F(queue_handle), QUEUE_HANDLE);
    fake_set(target, EVENT, index, F(parent), OMPD_CL_REGISTRY_REFERENCE(QUEUE, population->queue));
    return index;
}

static void add_events(struct population *population)
{
    uint64_t enqueued = OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_enqueued);
    uint64_t unset = OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_unset);
    uint64_t failed = OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_failed);

    fake_set(population->target, QUEUE, population->queue, F(finished), 1);
    population->events[0] = add_event(population, EVENT_HANDLE, unset, 0);
    population->events[1] = add_event(population, EVENT_HANDLE + 0x100, enqueued, 1);
    population->events[2] = add_event(population, EVENT_HANDLE + 0x200, enqueued, 2);
    population->events[3] = add_event(population, EVENT_HANDLE + 0x300, failed, 0);
    fake_set(population->target, EVENT, population->events[3], F(error), (uint32_t)-5);
}

static uint32_t add_command(struct population *population, uint32_t number, uint32_t state)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, COMMAND);

    fake_set(target, COMMAND, index, F(context),
             OMPD_CL_REGISTRY_REFERENCE(CONTEXT, population->context));
    fake_set(target, COMMAND, index, F(queue),
             OMPD_CL_REGISTRY_REFERENCE(QUEUE, population->queue));
    fake_set(target, COMMAND, index, F(queue_handle), QUEUE_HANDLE);
    fake_set(target, COMMAND, index, F(type), 0x11f0);
    fake_set(target, COMMAND, index, F(number), number);
    fake_set(target, COMMAND, index, F(run), OMPD_CL_REGISTRY_RUN(7, state));
    fake_set(target, COMMAND, index, F(kernel), KERNEL_HANDLE);
    return index;
}

static void add_commands(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t device = fake_add(target, ompd_cl_registry_device);

    population->commands[0] = add_command(population, 1, ompd_cl_registry_enqueued);
    population->commands[1] = add_command(population, 2, ompd_cl_registry_enqueued);
    fake_set(target, COMMAND, population->commands[1], F(event), EVENT_HANDLE + 0x200);
    fake_set(target, COMMAND, population->commands[1], F(wait_list),
             add_address(target, EVENT_HANDLE, false) + 1);
    fake_set(target, COMMAND, population->commands[1], F(wait_count), 1);
    population->commands[2] = add_command(population, 0, ompd_cl_registry_being_enqueued);
    fake_set(target, COMMAND, population->commands[2], F(is_blocking), 1);
    for (uint32_t i = 0; i < 3; i++)
        fake_set(target, COMMAND, population->commands[i], F(at), (1700000000000 + i) * 1000000);
    fake_set(target, ompd_cl_registry_device, device, F(handle), 0xd000);
    fake_set(target, ompd_cl_registry_device, device, F(flags), 2);
    fake_set(target, ompd_cl_registry_device, device, F(platform), 1);
    put_text(target, ompd_cl_registry_device, device, F(name), "abacus");
}

static uint32_t add_gone(struct population *population, uint32_t number, uint32_t table,
                         uint32_t ending)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, GONE);

    fake_set(target, GONE, index, F(handle), GONE_HANDLE + 0x1000 * number);
    fake_set(target, GONE, index, F(object), OMPD_CL_REGISTRY_REFERENCE(table, 3));
    fake_set(target, GONE, index, F(ending), ending);
    fake_set(target, GONE, index, F(caller), 0x400000 + number);
    fake_set(target, GONE, index, F(context_handle), CONTEXT_HANDLE);
    fake_set(target, GONE, index, F(ended), 70 + number);
    fake_set(target, GONE, index, F(ended_at), (1700000000000 + number) * 1000000);
    fake_set(target, GONE, index, F(ended_lwp), FIRST_LWP);
    fake_set(target, GONE, index, F(change), (uint64_t)(number + 1) << 32);
    return index;
}

static void set_release(struct fake_target *target, uint32_t index, uint32_t lwp, uint64_t caller)
{
    fake_set(target, GONE, index, F(released_lwp), lwp);
    fake_set(target, GONE, index, F(released_caller), caller);
}

static void add_what_is_gone(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t *gone = population->gone;

    gone[0] = add_gone(population, 0, MEMOBJ, ompd_cl_registry_ending_released);
    fake_set(target, GONE, gone[0], F(type), 0x10f0);
    fake_set(target, GONE, gone[0], F(size), 4096);
    fake_set(target, GONE, gone[0], F(flags), 1 << 3);
    fake_set(target, GONE, gone[0], F(host_pointer), 0x30000);
    set_release(target, gone[0], FIRST_LWP + 1, 0x400200);
    gone[1] = add_gone(population, 1, MEMOBJ, ompd_cl_registry_ending_callbacks);
    fake_set(target, GONE, gone[1], F(type), 0x10f0);
    fake_set(target, GONE, gone[1], F(size), 64);
    fake_set(target, GONE, gone[1], F(parent_handle), BUFFER_HANDLE);
    set_release(target, gone[1], FIRST_LWP, 0x400201);
    gone[2] = add_gone(population, 2, SVM, ompd_cl_registry_ending_later);
    fake_set(target, GONE, gone[2], F(size), 256);
    set_release(target, gone[2], FIRST_LWP, 0x400202);
    gone[3] = add_gone(population, 3, EVENT, ompd_cl_registry_ending_reused);
    fake_set(target, GONE, gone[3], F(parent_handle), QUEUE_HANDLE);
}

static uint32_t add_error(struct population *population, uint32_t number, uint32_t call,
                          int32_t error)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, ompd_cl_registry_error);

    fake_set(target, ompd_cl_registry_error, index, F(what), call);
    fake_set(target, ompd_cl_registry_error, index, F(error), (uint32_t)error);
    fake_set(target, ompd_cl_registry_error, index, F(handle), CONTEXT_HANDLE);
    fake_set(target, ompd_cl_registry_error, index, F(lwp), FIRST_LWP);
    fake_set(target, ompd_cl_registry_error, index, F(serial), 80);
    fake_set(target, ompd_cl_registry_error, index, F(caller), 0x400300 + number);
    fake_set(target, ompd_cl_registry_error, index, F(at), (1700000001000 + number) * 1000000);
    fake_set(target, ompd_cl_registry_error, index, F(change), (uint64_t)(number + 1) << 32);
    return index;
}

/* A message of the runtime that would clear a terminal. */
static void add_message(struct population *population)
{
    const uint32_t table = ompd_cl_registry_message;
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, table);

    fake_set(target, table, index, F(what), ompd_cl_call_clCreateBuffer);
    fake_set(target, table, index, F(handle), CONTEXT_HANDLE);
    fake_set(target, table, index, F(lwp), FIRST_LWP);
    fake_set(target, table, index, F(serial), 80);
    fake_set(target, table, index, F(function), 0x400380);
    fake_set(target, table, index, F(at), UINT64_C(1700000001002) * 1000000);
    fake_put_text(target, table, index, F(message), F(message_text), "no memory: \x1b[2J");
    fake_set(target, table, index, F(change), UINT64_C(1) << 32);
}

static void add_errors(struct population *population)
{
    population->errors[0] = add_error(population, 0, ompd_cl_call_clCreateBuffer, -30);
    population->errors[1] = add_error(population, 1, ompd_cl_call_clCreateKernel, 0);
    add_message(population);
}

static uint32_t add_entry(struct population *population, uint32_t object, uint32_t number,
                          uint32_t action, uint32_t references)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, LEDGER);

    fake_set(target, LEDGER, index, F(object), object);
    fake_set(target, LEDGER, index, F(action), action);
    fake_set(target, LEDGER, index, F(references), references);
    fake_set(target, LEDGER, index, F(caller), 0x400400 + 0x10 * action);
    fake_set(target, LEDGER, index, F(lwp), FIRST_LWP);
    fake_set(target, LEDGER, index, F(at), (1700000002000 + number) * 1000000);
    fake_set(target, LEDGER, index, F(change), (uint64_t)number << 32);
    return index;
}

static void add_entries(struct population *population, uint32_t first, uint32_t count,
                        uint64_t handle, uint64_t order)
{
    for (uint32_t i = first; i < first + count; i++) {
        fake_set(population->target, LEDGER, population->ledger[i], F(handle), handle);
        fake_set(population->target, LEDGER, population->ledger[i], F(serial), order);
    }
}

#define EVENT_ORDER 50
#define GONE_ORDER 40

static void add_ledger(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t event = OMPD_CL_REGISTRY_REFERENCE(EVENT, population->events[0]);
    uint32_t gone = OMPD_CL_REGISTRY_REFERENCE(MEMOBJ, 3);
    uint32_t *ledger = population->ledger;

    ledger[0] = add_entry(population, event, 1, ompd_cl_registry_action_created, 1);
    ledger[1] = add_entry(population, event, 2, ompd_cl_registry_action_retained, 2);
    ledger[2] = add_entry(population, event, 3, ompd_cl_registry_action_retained, 3);
    fake_set(target, LEDGER, ledger[2], F(lwp), FIRST_LWP + 1);
    ledger[3] = add_entry(population, event, 4, ompd_cl_registry_action_released, 2);
    add_entries(population, 0, 4, EVENT_HANDLE, EVENT_ORDER);
    fake_set(target, EVENT, population->events[0], F(serial), EVENT_ORDER);
    ledger[4] = add_entry(population, gone, 8, ompd_cl_registry_action_released, 0);
    ledger[5] = add_entry(population, gone, 9, ompd_cl_registry_action_ended, 0);
    fake_set(target, LEDGER, ledger[5], F(ending), ompd_cl_registry_ending_released);
    ledger[6] = add_entry(population, gone, 10, ompd_cl_registry_action_over_released, 0);
    add_entries(population, 4, 3, GONE_HANDLE, GONE_ORDER);
    fake_set(target, GONE, population->gone[0], F(serial), GONE_ORDER);
}

static uint32_t add_call(struct population *population, uint32_t number, uint32_t call,
                         uint64_t handle, int32_t error)
{
    struct fake_target *target = population->target;
    uint32_t index = fake_add(target, ompd_cl_registry_call);

    fake_set(target, ompd_cl_registry_call, index, F(what), call);
    fake_set(target, ompd_cl_registry_call, index, F(error), (uint32_t)error);
    fake_set(target, ompd_cl_registry_call, index, F(handle), handle);
    fake_set(target, ompd_cl_registry_call, index, F(lwp), FIRST_LWP + number / 2);
    fake_set(target, ompd_cl_registry_call, index, F(moment), 500000000000 - number);
    fake_set(target, ompd_cl_registry_call, index, F(caller), 0x400600 + number);
    fake_set(target, ompd_cl_registry_call, index, F(at), (1700000003000 + number) * 1000000);
    fake_set(target, ompd_cl_registry_call, index, F(change), (uint64_t)(number + 1) << 32);
    return index;
}

static void add_calls(struct population *population)
{
    uint32_t *calls = population->calls;

    calls[0] = add_call(population, 0, ompd_cl_call_clCreateBuffer, CONTEXT_HANDLE, 0);
    calls[1] = add_call(population, 1, ompd_cl_call_clReleaseMemObject, BUFFER_HANDLE, -38);
    calls[2] = add_call(population, 2, ompd_cl_call_clSVMFree, CONTEXT_HANDLE,
                        OMPD_CL_REGISTRY_STATUS_NONE);
    calls[3] = add_call(population, 3, ompd_cl_call_clCreateKernel, PROGRAM_HANDLE,
                        OMPD_CL_REGISTRY_STATUS_UNKNOWN);
}

static uint32_t add_callback(struct population *population, uint32_t table, uint64_t handle,
                             uint32_t number)
{
    struct fake_target *target = population->target;
    uint32_t index = add_in_context(population, ompd_cl_registry_notification, 0);

    fake_set(target, ompd_cl_registry_notification, index, F(object_table), table);
    fake_set(target, ompd_cl_registry_notification, index, F(object_handle), handle);
    fake_set(target, ompd_cl_registry_notification, index, F(function), 0x400700 + number);
    fake_set(target, ompd_cl_registry_notification, index, F(user_data), 0x600100 + number);
    fake_set(target, ompd_cl_registry_notification, index, F(caller), 0x400800 + number);
    fake_set(target, ompd_cl_registry_notification, index, F(run),
             OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered));
    return index;
}

static uint32_t add_event_callback(struct population *population, uint32_t event, uint64_t handle,
                                   uint32_t number)
{
    uint32_t index = add_callback(population, EVENT, handle, number);

    fake_set(population->target, ompd_cl_registry_notification, index, F(parent),
             OMPD_CL_REGISTRY_REFERENCE(EVENT, population->events[event]));
    return index;
}

static void add_callbacks(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t *callbacks = population->callbacks;

    callbacks[0] = add_event_callback(population, 0, EVENT_HANDLE, 0);
    callbacks[1] = add_event_callback(population, 2, EVENT_HANDLE + 0x200, 1);
    fake_set(target, ompd_cl_registry_notification, callbacks[1], F(type), 1);
    callbacks[2] = add_callback(population, PROGRAM, PROGRAM_HANDLE, 2);
    callbacks[3] = add_event_callback(population, 1, EVENT_HANDLE + 0x1000, 3);
    fake_set(target, ompd_cl_registry_notification, callbacks[3], F(parent_generation), 77);
}

static void put_argument(struct population *population, uint32_t number, uint32_t form,
                         uint32_t size, uint64_t value)
{
    fake_put_argument(population->target, KERNEL, population->kernel, number,
                      OMPD_CL_REGISTRY_ARGUMENT(form, size), value);
}

/* A buffer, a sampler, an SVM pointer, an int, local memory, one that is not set, and a number of
 * the size of a handle. */
static void add_arguments(struct population *population)
{
    uint32_t word = population->target->pointer_size;

    put_argument(population, 0, ompd_cl_registry_argument_value, word, BUFFER_HANDLE);
    put_argument(population, 1, ompd_cl_registry_argument_value, word, SAMPLER_HANDLE);
    put_argument(population, 2, ompd_cl_registry_argument_svm, word, SVM_POINTER);
    put_argument(population, 3, ompd_cl_registry_argument_value, 2, 7);
    put_argument(population, 4, ompd_cl_registry_argument_none, 64, 0);
    put_argument(population, 6, ompd_cl_registry_argument_value, word, 0x1234);
}

static void add_programs(struct population *population)
{
    struct fake_target *target = population->target;
    uint32_t kernel;

    population->program = add_in_context(population, PROGRAM, PROGRAM_HANDLE);
    fake_set(target, PROGRAM, population->program, F(run),
             OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_failed));
    fake_set(target, PROGRAM, population->program, F(error), (uint32_t)-11);
    fake_set(target, PROGRAM, population->program, F(children), 1);
    fake_put_text(target, PROGRAM, population->program, F(options), F(options_text),
                  PROGRAM_OPTIONS);
    fake_put_text(target, PROGRAM, population->program, F(log), F(log_text), "error: \x1b[2J");
    kernel = add_in_context(population, KERNEL, KERNEL_HANDLE);
    fake_set(target, KERNEL, kernel, F(parent),
             OMPD_CL_REGISTRY_REFERENCE(PROGRAM, population->program));
    fake_put_text(target, KERNEL, kernel, F(name), F(name_text), "blur");
    population->kernel = kernel;
    add_arguments(population);
    population->sampler = add_in_context(population, SAMPLER, SAMPLER_HANDLE);
    fake_set(target, SAMPLER, population->sampler, F(normalized), 1);
    fake_set(target, SAMPLER, population->sampler, F(addressing), 0x1133);
    fake_set(target, SAMPLER, population->sampler, F(filter), 0x1141);
}

static struct population populate(struct fake_target *target)
{
    struct population population = {.target = target};

    add_platform(population.target);
    add_context(&population);
    add_memobjs(&population);
    add_svm(&population);
    add_stack(&population);
    add_events(&population);
    add_commands(&population);
    add_what_is_gone(&population);
    add_errors(&population);
    add_ledger(&population);
    add_calls(&population);
    add_programs(&population);
    add_callbacks(&population);
    add_threads(&population);
    return population;
}

#define CHUNK 4

struct population population_create(bool is_big_endian, uint32_t pointer_size)
{
    return populate(fake_target_create(is_big_endian, pointer_size, CHUNK));
}

struct population population_create_variant(int variant)
{
    return populate(fake_target_create_variant(variant, CHUNK));
}

struct population population_create_small(int variant)
{
    return populate(fake_target_create_small(variant, CHUNK));
}

void population_open(struct population *population)
{
    ompd_address_space_context_t *context = (void *)population->target;

    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &fake_extra, context, &population->space),
        ompd_rc_ok);
}

void population_free(struct population *population)
{
    if (population->space != NULL)
        ck_assert_int_eq(ompd_rel_address_space_handle(population->space), ompd_rc_ok);
    fake_target_free(population->target);
}

/* Count the fields of a row that could not be read. */
static uint32_t count_unknown(ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;
    uint32_t unknown = 0;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const char *member = (const char *)row + field->offset;
        uint16_t status = field->type == ompd_cl_type_text
                              ? ((const ompd_cl_text_t *)(const void *)member)->status
                              : ((const ompd_cl_value_t *)(const void *)member)->status;
        unknown += status >= ompd_cl_status_not_saved;
    }
    return unknown;
}

/* Record RC; returns whether to continue. */
static bool goes_on(struct answers *answers, ompd_rc_t rc)
{
    if (rc == ompd_rc_ok)
        return true;
    if (answers->worst == ompd_rc_ok || answers->worst == ompd_rc_incomplete)
        answers->worst = rc;
    return rc == ompd_rc_incomplete;
}

/* Walk a list of KIND that OPEN has opened into ROWS, CAPACITY of them, two at a time. */
#define WALK(answers, space, list, kind, rows, total)                                              \
    do {                                                                                           \
        ompd_size_t unreadable_ = 0;                                                               \
        ompd_size_t count_ = 0;                                                                    \
        ompd_rc_t rc_;                                                                             \
        do {                                                                                       \
            ompd_size_t room_ = sizeof(rows) / sizeof((rows)[0]) - (total);                        \
            if (room_ == 0)                                                                        \
                break;                                                                             \
            (rows)[total].head.struct_size = sizeof((rows)[0]);                                    \
            rc_ = ompd_cl_##kind##_list_next(space, list, room_ < 2 ? room_ : 2, &(rows)[total],   \
                                             &count_, &unreadable_);                               \
            if (!goes_on(answers, rc_))                                                            \
                break;                                                                             \
            for (ompd_size_t i_ = 0; i_ < count_; i_++)                                            \
                (answers)->unknown_fields +=                                                       \
                    count_unknown(ompd_cl_kind_##kind, &(rows)[(total) + i_]);                     \
            (total) += count_;                                                                     \
        } while (count_ > 0);                                                                      \
        (answers)->unreadable += unreadable_;                                                      \
        goes_on(answers, ompd_cl_list_close(space, list));                                         \
    } while (0)

static void get_lists(ompd_address_space_handle_t *space, struct answers *answers)
{
    ompd_cl_list_t list;

    if (goes_on(answers, ompd_cl_platform_list_open(space, &list)))
        WALK(answers, space, list, platform, answers->platforms, answers->platform_count);
    if (goes_on(answers, ompd_cl_context_list_open(space, NULL, &list)))
        WALK(answers, space, list, context, answers->contexts, answers->context_count);
    if (goes_on(answers, ompd_cl_queue_list_open(space, NULL, &list)))
        WALK(answers, space, list, queue, answers->queues, answers->queue_count);
    if (goes_on(answers, ompd_cl_memobj_list_open(space, NULL, &list)))
        WALK(answers, space, list, memobj, answers->memobjs, answers->memobj_count);
    if (goes_on(answers, ompd_cl_destructor_list_open(space, NULL, &list)))
        WALK(answers, space, list, destructor, answers->all_destructors,
             answers->all_destructor_count);
    if (goes_on(answers, ompd_cl_svm_list_open(space, NULL, &list)))
        WALK(answers, space, list, svm, answers->svms, answers->svm_count);
    if (goes_on(answers, ompd_cl_svm_free_list_open(space, NULL, &list)))
        WALK(answers, space, list, svm_free, answers->svm_frees, answers->svm_free_count);
    if (goes_on(answers, ompd_cl_device_list_open(space, &list)))
        WALK(answers, space, list, device, answers->devices, answers->device_count);
    if (goes_on(answers, ompd_cl_command_list_open(space, NULL, &list)))
        WALK(answers, space, list, command, answers->commands, answers->command_count);
    if (goes_on(answers, ompd_cl_destroyed_list_open(space, NULL, &list)))
        WALK(answers, space, list, destroyed, answers->gone, answers->gone_count);
    if (goes_on(answers, ompd_cl_error_list_open(space, &list)))
        WALK(answers, space, list, error, answers->errors, answers->error_count);
    if (goes_on(answers, ompd_cl_ledger_list_open(space, NULL, &list)))
        WALK(answers, space, list, ledger, answers->ledger, answers->ledger_count);
    if (goes_on(answers, ompd_cl_call_list_open(space, &list)))
        WALK(answers, space, list, call, answers->calls, answers->call_count);
    if (goes_on(answers, ompd_cl_callback_list_open(space, NULL, &list)))
        WALK(answers, space, list, callback, answers->callbacks, answers->callback_count);
    if (goes_on(answers, ompd_cl_event_list_open(space, NULL, &list)))
        WALK(answers, space, list, event, answers->events, answers->event_count);
    if (goes_on(answers, ompd_cl_kernel_list_open(space, NULL, &list)))
        WALK(answers, space, list, kernel, answers->kernels, answers->kernel_count);
    if (goes_on(answers, ompd_cl_program_list_open(space, NULL, &list)))
        WALK(answers, space, list, program, answers->programs, answers->program_count);
    if (goes_on(answers, ompd_cl_sampler_list_open(space, NULL, &list)))
        WALK(answers, space, list, sampler, answers->samplers, answers->sampler_count);
    if (goes_on(answers, ompd_cl_thread_list_open(space, NULL, &list)))
        WALK(answers, space, list, thread, answers->threads, answers->thread_count);
    if (goes_on(answers, ompd_cl_usage_list_open(space, &list)))
        WALK(answers, space, list, usage, answers->usages, answers->usage_count);
}

static void get_thread(ompd_address_space_handle_t *space, struct answers *answers)
{
    ompd_cl_thread_id_t thread = {0};
    ompd_cl_list_t list;
    ompd_rc_t rc;

    answers->found_thread.head.struct_size = sizeof(answers->found_thread);
    rc = ompd_cl_thread_find(space, FIRST_LWP + 2, &thread);
    if (!goes_on(answers, rc) || rc != ompd_rc_ok)
        return;
    if (!goes_on(answers, ompd_cl_thread_get(space, thread, &answers->found_thread)))
        return;
    answers->unknown_fields += count_unknown(ompd_cl_kind_thread, &answers->found_thread);
    rc = ompd_cl_activity_list_open(space, thread, &list);
    if (goes_on(answers, rc) && rc == ompd_rc_ok)
        WALK(answers, space, list, activity, answers->activities, answers->activity_count);
}

static void get_kernel(ompd_address_space_handle_t *space, struct answers *answers)
{
    ompd_cl_list_t list;

    if (goes_on(answers, ompd_cl_kernel_argument_list_open(
                             space, ompd_cl_kernel_info_id(&answers->kernels[0]), &list)))
        WALK(answers, space, list, argument, answers->arguments, answers->argument_count);
}

static void get_command(ompd_address_space_handle_t *space, struct answers *answers)
{
    ompd_cl_svm_free_id_t command = ompd_cl_svm_free_info_id(&answers->svm_frees[0]);
    ompd_cl_list_t list;

    if (goes_on(answers, ompd_cl_svm_pointer_list_open(space, command, &list)))
        WALK(answers, space, list, svm_pointer, answers->pointers, answers->pointer_count);
    if (goes_on(answers, ompd_cl_wait_list_open(space, command, &list)))
        WALK(answers, space, list, wait, answers->waits, answers->wait_count);
}

static void get_buffer(ompd_address_space_handle_t *space, struct answers *answers)
{
    ompd_cl_memobj_id_t buffer = {0};
    ompd_cl_list_t list;
    ompd_rc_t rc;

    answers->found.head.struct_size = sizeof(answers->found);
    rc = ompd_cl_memobj_find(space, BUFFER_HANDLE, &buffer);
    if (!goes_on(answers, rc) || rc != ompd_rc_ok)
        return;
    if (!goes_on(answers, ompd_cl_memobj_get(space, buffer, &answers->found)))
        return;
    answers->unknown_fields += count_unknown(ompd_cl_kind_memobj, &answers->found);
    rc = ompd_cl_memobj_destructor_list_open(space, buffer, &list);
    if (goes_on(answers, rc) && rc == ompd_rc_ok)
        WALK(answers, space, list, destructor, answers->destructors, answers->destructor_count);
    if (answers->found.head.stack.status == ompd_cl_status_value)
        goes_on(answers, ompd_cl_stack_get(space, answers->found.head.stack.value, 8,
                                           answers->frames, &answers->frame_count));
}

static void get_options(ompd_address_space_handle_t *space, struct answers *answers)
{
    uint64_t key = answers->programs[0].options.key;

    if (key != 0)
        goes_on(answers, ompd_cl_text_read(space, key, 0, sizeof(answers->options),
                                           answers->options, &answers->options_length));
}

void answers_get(ompd_address_space_handle_t *space, struct answers *answers)
{
    memset(answers, 0, sizeof(*answers));
    answers->overview.struct_size = sizeof(answers->overview);
    if (goes_on(answers, ompd_cl_overview_get(space, &answers->overview)))
        answers->unknown_fields += count_unknown(ompd_cl_kind_overview, &answers->overview);
    get_lists(space, answers);
    if (answers->svm_free_count != 0)
        get_command(space, answers);
    if (answers->kernel_count != 0)
        get_kernel(space, answers);
    if (answers->program_count != 0)
        get_options(space, answers);
    get_buffer(space, answers);
    get_thread(space, answers);
}
