/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/enqueue-arguments.h"

#include "findings/handle-judge.h"
#include "registry/call-names.h"

/* The parameters of the functions, from 0, that are objects; 0: none is.  CL_COMMAND_... is TYPE.
 */
static const struct signature {
    uint32_t call;
    uint16_t type;
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t wait_list;
} signatures[] = {
    {ompd_cl_call_clEnqueueReadBuffer, 0x11f3, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueWriteBuffer, 0x11f4, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueCopyBuffer, 0x11f5, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueReadBufferRect, 0x1201, 0, 1, 0, 12},
    {ompd_cl_call_clEnqueueWriteBufferRect, 0x1202, 0, 1, 0, 12},
    {ompd_cl_call_clEnqueueCopyBufferRect, 0x1203, 0, 1, 2, 11},
    {ompd_cl_call_clEnqueueFillBuffer, 0x1207, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueReadImage, 0x11f6, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueWriteImage, 0x11f7, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueCopyImage, 0x11f8, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueCopyImageToBuffer, 0x11f9, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueCopyBufferToImage, 0x11fa, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueFillImage, 0x1208, 0, 1, 0, 6},
    {ompd_cl_call_clEnqueueMapBuffer, 0x11fb, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueMapImage, 0x11fc, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueUnmapMemObject, 0x11fd, 0, 1, 0, 4},
    {ompd_cl_call_clEnqueueNDRangeKernel, 0x11f0, 1, 0, 0, 7},
    {ompd_cl_call_clEnqueueTask, 0x11f1, 1, 0, 0, 3},
    {ompd_cl_call_clEnqueueNativeKernel, 0x11f2, 0, 0, 0, 8},
    {ompd_cl_call_clEnqueueMarkerWithWaitList, 0x11fe, 0, 0, 0, 2},
    {ompd_cl_call_clEnqueueBarrierWithWaitList, 0x1205, 0, 0, 0, 2},
    {ompd_cl_call_clEnqueueMigrateMemObjects, 0x1206, 0, 0, 0, 5},
    {ompd_cl_call_clEnqueueSVMMemcpy, 0x120a, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMemFill, 0x120b, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMap, 0x120c, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMUnmap, 0x120d, 0, 0, 0, 3},
    {ompd_cl_call_clEnqueueSVMMigrateMem, 0x120e, 0, 0, 0, 6},
};

/* What is looked for among the commands. */
struct sought {
    const ompd_cl_thread_info_t *thread;
    const struct signature *signature;
    ompd_cl_command_info_t command; /* struct_size 0: none yet */
    bool is_found;                  /* something wrong in its wait list */
};

static const struct signature *find_signature(uint64_t call)
{
    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        if (signatures[i].call == call)
            return &signatures[i];
    }
    return NULL;
}

static bool is_same(const ompd_cl_value_t *one, const ompd_cl_value_t *other)
{
    return one->status == ompd_cl_status_value && other->status == ompd_cl_status_value &&
           one->value == other->value;
}

/* The last command that the thread has begun to enqueue is that of the call it is in: others of it
 * belong to calls that were left. */
static ompd_rc_t take_command(struct taking *taking, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct sought *sought = taking->rule;

    if (command->state.value == ompd_cl_state_being_enqueued &&
        is_same(&command->lwp, &sought->thread->lwp) &&
        is_same(&command->queue, &sought->thread->handle) &&
        command->type.value == sought->signature->type &&
        (sought->command.struct_size == 0 || command->order.value > sought->command.order.value))
        sought->command = *command;
    return ompd_rc_ok;
}

/* Judge VALUE, an object of KIND that is parameter ARGUMENT; 0: there is none. */
static ompd_rc_t judge(struct taking *taking, const struct sought *sought,
                       const ompd_cl_value_t *value, uint32_t kind, uint32_t argument)
{
    struct judged_handle judged = {.thread = sought->thread,
                                   .kind = kind,
                                   .argument = argument,
                                   .order = sought->command.order.value};

    if (argument == 0 || value->status != ompd_cl_status_value)
        return ompd_rc_ok;
    judged.handle = value->value;
    return handle_judge(taking, &judged);
}

/* One finding says enough of a wait list. */
static ompd_rc_t judge_event(struct taking *taking, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct sought *sought = taking->rule;
    uint64_t before = taking->kept->count + taking->kept->lost;
    ompd_rc_t rc;

    if (sought->is_found)
        return ompd_rc_ok;
    rc = judge(taking, sought, &wait->event, ompd_cl_kind_event, sought->signature->wait_list);
    sought->is_found = taking->kept->count + taking->kept->lost != before;
    return rc;
}

ompd_rc_t enqueue_arguments_check(struct taking *taking, const ompd_cl_thread_info_t *thread)
{
    struct sought sought = {.thread = thread, .signature = find_signature(thread->call.value)};
    const ompd_cl_command_info_t *command = &sought.command;
    void *rule = taking->rule;
    ompd_rc_t rc;

    if (sought.signature == NULL || thread->source.value != ompd_cl_source_recorder)
        return ompd_rc_ok;
    taking->rule = &sought;
    rc = taking_walk(taking, ompd_cl_kind_command, 0, take_command);
    if (rc == ompd_rc_ok && command->struct_size != 0) {
        rc =
            judge(taking, &sought, &command->kernel, ompd_cl_kind_kernel, sought.signature->kernel);
        if (rc == ompd_rc_ok)
            rc = judge(taking, &sought, &command->memobj, ompd_cl_kind_memobj,
                       sought.signature->memobj);
        if (rc == ompd_rc_ok)
            rc = judge(taking, &sought, &command->destination, ompd_cl_kind_memobj,
                       sought.signature->destination);
        if (rc == ompd_rc_ok)
            rc = taking_walk(taking, ompd_cl_kind_wait, command->id.id, judge_event);
    }
    taking->rule = rule;
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
