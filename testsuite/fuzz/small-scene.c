/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-scene.h"

#include <ompd-opencl-calls.h>
#include <stddef.h>

#define F(name) ompd_cl_registry_field_##name
#define T(name) ompd_cl_registry_##name

#define NDRANGE 0x11f0
#define SVM_FREE 0x1209
#define USER 0x1204
#define QUEUED 3                        /* CL_QUEUED */
#define SUBMITTED 2                     /* CL_SUBMITTED */
#define SVM_POINTER UINT64_C(0x7000000) /* of the runtime's */
#define GONE_POINTER UINT64_C(0x7200000)
#define WAITER 4712 /* LWPs, as stacks have them */
#define CALLED 4713
#define FIRST_LWP 4711

/* Records that others name: they are the first of their tables. */
#define CONTEXT OMPD_CL_REGISTRY_REFERENCE(T(context), 0)
#define QUEUE OMPD_CL_REGISTRY_REFERENCE(T(queue), 0)
#define BUFFER 0
#define IMAGE 1

static uint32_t add(struct fake_target *target, uint32_t table, uint64_t handle)
{
    uint32_t index = fake_add_object(target, table, handle);

    fake_set(target, table, index, F(context), CONTEXT);
    return index;
}

/* An address of a list, and the one after it. */
static uint32_t add_address(struct fake_target *target, uint64_t address, uint32_t next)
{
    uint32_t index = fake_add(target, T(address));

    fake_set(target, T(address), index, F(handle), address);
    fake_set(target, T(address), index, F(next), next);
    return index + 1;
}

static uint32_t add_event(struct fake_target *target, uint64_t handle, uint32_t type,
                          uint32_t number)
{
    uint32_t index = add(target, T(event), handle);

    fake_set(target, T(event), index, F(type), type);
    fake_set(target, T(event), index, F(number), number);
    fake_set(target, T(event), index, F(run),
             OMPD_CL_REGISTRY_RUN(0, number != 0 ? T(enqueued) : T(unset)));
    return index;
}

/* The command NUMBER of the queue, of the event EVENT, that waits for WAITED_FOR. */
static uint32_t add_command(const struct small_target *small, uint32_t type, uint32_t number,
                            uint64_t event, uint64_t waited_for)
{
    struct fake_target *target = small->fake;
    uint32_t index = fake_add(target, T(command));
    uint32_t of = add_event(target, event, type, number);

    fake_set(target, T(event), of, F(queue_handle), small->objects.queue);
    fake_set(target, T(event), of, F(parent), QUEUE);
    fake_set(target, T(command), index, F(context), CONTEXT);
    fake_set(target, T(command), index, F(queue), QUEUE);
    fake_set(target, T(command), index, F(queue_handle), small->objects.queue);
    fake_set(target, T(command), index, F(type), type);
    fake_set(target, T(command), index, F(number), number);
    fake_set(target, T(command), index, F(event), event);
    fake_set(target, T(command), index, F(run), OMPD_CL_REGISTRY_RUN(7, T(enqueued)));
    fake_set(target, T(command), index, F(wait_list), add_address(target, waited_for, 0));
    fake_set(target, T(command), index, F(wait_count), 1);
    return index;
}

/* An event of the runtime, for a pending command. */
static uint64_t make_event(struct fake_objects *objects)
{
    uint64_t event = fake_object_make(objects, fake_event_tag, objects->context);

    fake_object_point(objects, event, at_queue, objects->queue);
    fake_put(objects->target, event + at_command_type, 4, NDRANGE);
    fake_put(objects->target, event + at_status, 4, QUEUED);
    return event;
}

/* A kernel's command with a destroyed buffer and a destroyed SVM allocation. */
static void add_kernel(struct small_target *small)
{
    struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;
    unsigned word = target->pointer_size;
    uint32_t value = OMPD_CL_REGISTRY_ARGUMENT(T(argument_value), word);
    uint32_t svm = OMPD_CL_REGISTRY_ARGUMENT(T(argument_svm), word);
    uint32_t kernel = add(target, T(kernel), objects->kernel);
    uint32_t command = add_command(small, NDRANGE, 1, make_event(objects), objects->user_event);

    add(target, T(program), objects->program);
    add(target, T(sampler), objects->sampler);
    fake_set(target, T(command), command, F(kernel), objects->kernel);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t table = i == 0 ? T(kernel) : T(command);
        uint32_t record = i == 0 ? kernel : command;

        fake_put_argument(target, table, record, 0, value, objects->buffer);
        fake_put_argument(target, table, record, 1, value, objects->freed);
        fake_put_argument(target, table, record, 2, svm, GONE_POINTER);
        fake_put_argument(target, table, record, 3, svm, SVM_POINTER);
    }
}

/* An SVM free of memory that the kernel uses. */
static void add_svm(const struct small_target *small)
{
    const struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;
    uint32_t svm = add(target, T(svm), SVM_POINTER);
    uint32_t svm_free = fake_add(target, T(svm_free));

    fake_set(target, T(svm), svm, F(type), T(svm_alloc));
    fake_set(target, T(svm), svm, F(state), T(enqueued));
    fake_set(target, T(svm), svm, F(size), 4096);
    add_command(small, SVM_FREE, 2, objects->event, objects->complete);
    fake_set(target, T(svm_free), svm_free, F(queue_handle), objects->queue);
    fake_set(target, T(svm_free), svm_free, F(context), CONTEXT);
    fake_set(target, T(svm_free), svm_free, F(event), objects->event);
    fake_set(target, T(svm_free), svm_free, F(function), fake_function(objects, 30));
    fake_set(target, T(svm_free), svm_free, F(run), OMPD_CL_REGISTRY_RUN(0, T(enqueued)));
    fake_set(target, T(svm_free), svm_free, F(pointers),
             add_address(target, SVM_POINTER, add_address(target, GONE_POINTER, 0)));
    fake_set(target, T(svm_free), svm_free, F(pointer_count), 2);
}

/* An object that was made, and ended, at these numbers of the program's order. */
static void add_gone(struct fake_target *target, uint32_t table, uint64_t handle, uint64_t serial,
                     uint64_t ended)
{
    uint32_t index = fake_add(target, T(gone));

    fake_set(target, T(gone), index, F(handle), handle);
    fake_set(target, T(gone), index, F(object), OMPD_CL_REGISTRY_REFERENCE(table, 3));
    fake_set(target, T(gone), index, F(type), table == T(memobj) ? 0x10f0 : 0);
    fake_set(target, T(gone), index, F(ending), T(ending_released));
    fake_set(target, T(gone), index, F(size), 4096);
    fake_set(target, T(gone), index, F(serial), serial);
    fake_set(target, T(gone), index, F(ended), ended);
    fake_set(target, T(gone), index, F(ended_lwp), CALLED);
    fake_set(target, T(gone), index, F(change), UINT64_C(1) << 32);
}

/* An error of a call on HANDLE: -38, or the recorder's report of misuse. */
static void add_error(struct fake_target *target, uint32_t call, uint32_t error, uint64_t handle)
{
    uint32_t index = fake_add(target, T(error));

    fake_set(target, T(error), index, F(what), call);
    fake_set(target, T(error), index, F(error), error);
    fake_set(target, T(error), index, F(handle), handle);
    fake_set(target, T(error), index, F(lwp), WAITER);
    fake_set(target, T(error), index, F(serial), target->serial);
    fake_set(target, T(error), index, F(change), UINT64_C(1) << 32);
}

/* Two objects over the same memory of the host, on a stack; calls on destroyed objects; a failed
 * build. */
static void add_misuse(const struct small_target *small)
{
    const struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;

    for (uint32_t i = BUFFER; i <= IMAGE; i++) {
        fake_set(target, T(memobj), i, F(flags), 1 | 1 << 3);
        fake_set(target, T(memobj), i, F(host_pointer), objects->stack + 0x100 * i);
    }
    add_error(target, ompd_cl_call_clReleaseMemObject, OMPD_CL_REGISTRY_OVER_RELEASE,
              objects->freed);
    add_error(target, ompd_cl_call_clSetKernelArg, OMPD_CL_REGISTRY_USED, objects->freed);
    add_error(target, ompd_cl_call_clSVMFree, OMPD_CL_REGISTRY_FREED_MAPPED, SVM_POINTER);
    add_error(target, ompd_cl_call_clBuildProgram, (uint32_t)-11, objects->program);
    fake_put(target,
             target->root + offsetof(struct ompd_cl_registry_root, counts) +
                 offsetof(struct ompd_cl_registry_counts, over_releases),
             8, 2);
    fake_set(target, T(program), 0, F(run), OMPD_CL_REGISTRY_RUN(FIRST_LWP, T(failed)));
    fake_set(target, T(program), 0, F(error), (uint32_t)-11);
}

/* A callback of the event of index EVENT and HANDLE, whose user data was at PLACE. */
static uint32_t add_callback(const struct small_target *small, uint32_t event, uint64_t handle,
                             uint64_t user_data, uint32_t place)
{
    struct fake_target *target = small->fake;
    uint32_t index = add(target, T(notification), 0);

    fake_set(target, T(notification), index, F(object_table), T(event));
    fake_set(target, T(notification), index, F(object_handle), handle);
    fake_set(target, T(notification), index, F(function), fake_function(&small->objects, 50));
    fake_set(target, T(notification), index, F(user_data), user_data);
    fake_set(target, T(notification), index, F(user_data_place), place);
    fake_set(target, T(notification), index, F(lwp), WAITER);
    fake_set(target, T(notification), index, F(parent),
             OMPD_CL_REGISTRY_REFERENCE(T(event), event));
    fake_set(target, T(notification), index, F(run), OMPD_CL_REGISTRY_RUN(0, T(registered)));
    return index;
}

/* A thread waits for the user event, which a callback may set, and one for the queue, in another
 * callback of its commands. */
static void add_threads(const struct small_target *small)
{
    const struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;
    uint32_t waiter = fake_add_thread(target, WAITER, true);
    uint32_t called = fake_add_thread(target, CALLED, false);
    uint64_t pending = fake_get(target, fake_field_address(target, T(command), 0, F(event)), 8);
    uint32_t running = add_callback(small, 1, pending, objects->stack + 0x800, T(on_stack));

    add_callback(small, 2, objects->event, objects->user_event, T(in_data));
    add_callback(small, 2, objects->event, objects->stack + 0x40, T(on_stack));
    fake_set(target, T(notification), running, F(run), OMPD_CL_REGISTRY_RUN(CALLED, T(running)));
    fake_enter(target, waiter, ompd_cl_call_clWaitForEvents | OMPD_CL_REGISTRY_ACTIVITY_WAITS, 0,
               objects->user_event);
    fake_enter(target, called, T(runs_event_callback),
               OMPD_CL_REGISTRY_REFERENCE(T(notification), running), pending);
    fake_enter(target, called, ompd_cl_call_clFinish | OMPD_CL_REGISTRY_ACTIVITY_WAITS, 0,
               objects->queue);
    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, pid), 4, FIRST_LWP);
}

void small_scene_add(struct small_target *small)
{
    const struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;
    uint64_t before = target->serial;

    target->serial += 3;
    fake_put(target, objects->user_event + at_status, 4, SUBMITTED);
    add_event(target, objects->user_event, USER, 0);
    add_kernel(small);
    add_svm(small);
    add_gone(target, T(memobj), objects->freed, before + 1, before + 2);
    add_gone(target, T(svm), GONE_POINTER, before + 3, target->serial);
    add_misuse(small);
    add_threads(small);
}
