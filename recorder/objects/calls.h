/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is recorded of calls: commands and their events, callbacks, errors. */
#ifndef RECORDER_CALLS_H
#define RECORDER_CALLS_H

#include "objects/objects.h"

#include <stdint.h>

#include <CL/cl.h>

/* ---- call ------------------------------------------------------------------------------------ */

/* What calls come to: failures are kept, and all of them where the last calls of each thread are.
 */

/* Keep the last LENGTH calls of each thread, as far as there is memory; 0: keep none.  Before there
 * are threads. */
void recorder_calls_prepare(uint32_t length);

/* Statuses below the one, and calls that made an object up to the other, are to be looked at. */
struct recorder_calls_looked_at {
    cl_int status;
    uintptr_t object;
};
extern struct recorder_calls_looked_at recorder_calls_looked_at
    __attribute__((visibility("hidden")));

/* What the functions below do with calls that are to be looked at. */
void recorder_call_returned(const struct recorder_activity *activity, cl_int status,
                            const void *return_address);
/* The first, of a call that fails because of who the `released_` members of OBJECT are. */
void recorder_call_returned_after(const struct recorder_activity *activity, cl_int status,
                                  const struct ompd_cl_registry_object *object,
                                  const void *return_address);
void recorder_call_made(const struct recorder_activity *activity, const void *object, cl_int error,
                        const void *return_address);

/* STATUS, which the call of ACTIVITY returns, to RETURN_ADDRESS. */
RECORDER_INLINE cl_int recorder_status(const struct recorder_activity *activity, cl_int status,
                                       const void *return_address)
{
    if (RECORDER_UNLIKELY(status < recorder_calls_looked_at.status)) {
        recorder_call_returned(activity, status, return_address);
    }
    return status;
}

/* The call has made OBJECT, or failed when that is NULL.  *ERROR says why, unless that is NULL. */
RECORDER_INLINE void recorder_made(const struct recorder_activity *activity, const void *object,
                                   const cl_int *error, const void *return_address)
{
    if (RECORDER_UNLIKELY((uintptr_t)object <= recorder_calls_looked_at.object)) {
        recorder_call_made(activity, object, error ? *error : 0, return_address);
    }
}

/* ---- history --------------------------------------------------------------------------------- */

/*
 * The history: records of the commands of each queue, those that are not known to be over, and the
 * last ones.
 *
 * The commands of a queue are in a list in its record, newest first.  Threads put theirs in at its
 * head; once it has doubled one of them goes through it and gives back what is over, but for the
 * first ones.
 */

/* What the enqueueing call is given.  What does not apply is 0. */
struct recorder_command_facts {
    cl_command_type type;
    cl_kernel kernel;
    cl_mem memobj;
    cl_mem destination;
    cl_uint wait_count;
    const cl_event *wait_list;
    bool is_blocking;
    const struct recorder_entry *svm_free; /* the record of one that frees SVM */
};

/* Keep LENGTH commands of each queue that are over; 0: record no commands. */
void recorder_history_prepare(uint32_t length);

/* Before the runtime is called: record a command of QUEUE.  False, and `object` of ENTRY is NULL,
 * when there is no room or none are to be recorded. */
bool recorder_history_begin(struct recorder_entry *entry, const struct recorder_entry *queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* The runtime has taken it as command NUMBER of QUEUE, and given the program EVENT, or NULL. */
void recorder_history_enqueued(const struct recorder_entry *entry,
                               const struct recorder_entry *queue, uint32_t number, cl_event event);

/* The runtime has refused it, or its queue is gone. */
void recorder_history_withdraw(const struct recorder_entry *entry);

/* The command that REFERENCE named when its generation was GENERATION has come to STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_history_ended(struct recorder_heap *heap, uint32_t reference, uint32_t generation,
                            cl_int status);

/* A new queue has no commands yet. */
void recorder_history_open(struct ompd_cl_registry_queue_record *queue);

/* The queue is gone, and its commands with it. */
void recorder_history_close(const struct recorder_entry *queue);

/* In the child of a fork(), before slots are counted anew: end what vanished threads were about to
 * enqueue, and let go of lists that they were going through. */
void recorder_history_repair(void);

/* ---- command --------------------------------------------------------------------------------- */

/*
 * Commands, and how far a queue has come.
 *
 * A queue's commands are numbered from 1, in the order in which the enqueueing calls returned.
 * What tells that commands are complete (a clFinish, the end of a blocking call, an event that is
 * known to be complete) tells it of all that were enqueued before a point: of those up to a number,
 * and of those that had been enqueued at a moment (lingering.c).
 */

/* A point in the work of a queue. */
struct recorder_point {
    uint32_t number;
    uint32_t moment;
};

/* An enqueueing call. */
struct recorder_command {
    struct recorder_entry queue; /* `object` NULL: nothing is recorded of it */
    cl_command_queue queue_handle;
    struct recorder_entry record; /* `object` NULL: there is none */
    struct recorder_point point;  /* all up to it is complete when this command, in order, is */
    uint32_t number;              /* once it is enqueued */
    bool is_blocking;
};

/* Before the runtime is called. */
void recorder_command_begin(struct recorder_command *command, cl_command_queue queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* After it.  EVENT, unless NULL, is where the program gets the command's event, of TYPE. */
void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address);

/* All commands of the queue are known, and known to be complete. */
bool recorder_queue_is_idle(const struct recorder_entry *queue);

/* All commands of the queue up to POINT are complete. */
void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point);

/* Around a clFinish of QUEUE, or a clFlush. */
void recorder_finish_begin(struct recorder_command *finish, cl_command_queue queue);
void recorder_finish_end(const struct recorder_command *finish);
void recorder_flush_begin(struct recorder_command *flush, cl_command_queue queue);
void recorder_flush_end(const struct recorder_command *flush);

/* The queue's last command: its number. */
RECORDER_INLINE uint32_t recorder_queue_last(const struct recorder_entry *queue)
{
    return __atomic_load_n(&recorder_queue_record(queue)->enqueued, __ATOMIC_SEQ_CST);
}

/* The queue is in order: a command is complete only when all before it are. */
RECORDER_INLINE bool recorder_queue_is_in_order(const struct recorder_entry *queue)
{
    return !(recorder_queue_record(queue)->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Raise the count at WORD to VALUE.  Both may have started anew from 0. */
RECORDER_INLINE void recorder_count_raise(uint32_t *word, uint32_t value)
{
    uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while ((int32_t)(value - before) > 0 &&
           !__atomic_compare_exchange_n(word, &before, value, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
}

/* The commands of the queue up to NUMBER are flushed. */
RECORDER_INLINE void recorder_queue_flushed(const struct recorder_entry *queue, uint32_t number)
{
    recorder_count_raise(&recorder_queue_record(queue)->flushed, number);
}

/* Have in COMMAND its QUEUE, and what that has been given so far. */
RECORDER_INLINE void recorder_point_take(struct recorder_command *command, cl_command_queue queue)
{
    command->queue_handle = queue;
    command->number = 0;
    command->record.object = NULL;
    if (recorder_object_find(&command->queue, ompd_cl_registry_queue, queue)) {
        command->point.number = recorder_queue_last(&command->queue);
        command->point.moment = recorder_lingering_moment();
    }
}

/* ---- event ----------------------------------------------------------------------------------- */

/* Events that the program was given. */

/* COMMAND, of TYPE, gave the program EVENT. */
void recorder_event_created(cl_event event, const struct recorder_command *command,
                            cl_command_type type, const void *return_address);

/* The program made EVENT in CONTEXT, without a queue. */
void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address);

/* EVENT is that of the SVM-free command of ENTRY. */
void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command);

/* EVENT belongs to an SVM-free command that is still recorded. */
bool recorder_event_is_of_svm_free(cl_event event);

/* The program waits for EVENT, by which the commands before it are flushed (OpenCL 3.0
 * clWaitForEvents). */
void recorder_event_flush(cl_event event);

/* EVENT's execution status has been seen to be STATUS. */
void recorder_event_status_seen(cl_event event, cl_int status);

/* EVENT, 0 for none, is of the command whose record is COMMAND, a reference, which never runs: with
 * what status it ends, the runtime has yet to tell. */
void recorder_event_terminated(uint64_t event, uint32_t command);

/* A call of clSetUserEventStatus. */
struct recorder_event_setting {
    struct recorder_entry event; /* `object` NULL: nothing is recorded of it */
    uint64_t run_before;
    bool is_again; /* the program had set it before: its status stays what it was */
    bool is_first; /* it is a user event that is set by this */
};

/* Before the runtime is called: what waits for EVENT may be over before that call returns, to
 * RETURN_ADDRESS. */
struct recorder_event_setting recorder_event_set_begin(cl_event event, cl_int status,
                                                       const void *return_address);

/* The runtime has refused: all is as before. */
void recorder_event_set_withdraw(const struct recorder_event_setting *setting);

/* Tell whether the event had been set before: the `released_` members of *SET get by whom, as far
 * as that is known. */
bool recorder_event_set_again(const struct recorder_event_setting *setting,
                              struct ompd_cl_registry_object *set);

/* What fails, and why: a user event, which the program has set to an error. */
struct recorder_failure {
    uint64_t event;
    cl_int status;
    uint32_t lwp; /* of the thread that has set it */
    struct recorder_site site;
};

/* The runtime has taken that the user event EVENT was set to an error, in the call that returns to
 * RETURN_ADDRESS: have that in FAILURE.  False: the event is gone. */
bool recorder_event_failure_begin(const struct recorder_entry *event,
                                  struct recorder_failure *failure, const void *return_address);

/* Have in FAILURE who set the user event EVENT to an error.  False: nobody has, or is about to. */
bool recorder_event_failure_get(const struct recorder_entry *event,
                                struct recorder_failure *failure);

/* The record of the command of EVENT, a reference, and in *GENERATION its generation; 0: there is
 * none. */
uint32_t recorder_event_command(const struct recorder_entry *event, uint32_t *generation);

/* It is a user event whose status nobody has set: what the program can do no more once it has
 * released it. */
bool recorder_event_is_unset(const struct recorder_entry *event);

/* ---- error ----------------------------------------------------------------------------------- */

/* The last calls that the runtime has refused. */

/* An argument of a kernel that is about to be enqueued. */
struct recorder_argument {
    uint64_t kernel;
    uint64_t size; /* of the memory object that it is */
    uint32_t number;
};

/* Keep the last LENGTH errors, as far as there is memory; 0: keep none.  Before the root is
 * published. */
void recorder_errors_prepare(uint32_t length);

/* Errors are kept. */
bool recorder_errors_are_kept(void);

/* The call of ACTIVITY, which returns to RETURN_ADDRESS, has failed with ERROR, 0 where nobody
 * knows.  The `released_` members of OBJECT are who made it fail; NULL: nobody is known. */
void recorder_error_keep(const struct recorder_activity *activity, cl_int error,
                         const struct ompd_cl_registry_object *object, const void *return_address);

/* The call that the thread is in, which returns to RETURN_ADDRESS, is about to do what is wrong:
 * MISTAKE is one of the numbers that the registry has beside errors.  OBJECT is what it works on;
 * its `released_` members are who made that wrong: gave the last reference back, say. */
void recorder_mistake_keep(int32_t mistake, const struct ompd_cl_registry_object *object,
                           const void *return_address);

/* The call uses OBJECT, which has no references left: as NUMBER says, of OMPD_CL_REGISTRY_USED. */
void recorder_use_mistake_keep(uint32_t number, const struct ompd_cl_registry_object *object,
                               const void *return_address);

/* The same of the memory object OBJECT, which is ARGUMENT. */
void recorder_argument_mistake_keep(const struct recorder_argument *argument,
                                    const struct ompd_cl_registry_object *object,
                                    const void *return_address);

/* A command that never runs. */
struct recorder_failed_command {
    const struct recorder_failure *failure; /* why */
    uint32_t what;                          /* the call that has enqueued it */
    uint32_t lwp;
    uint32_t stack;
    uint64_t caller;
};

void recorder_failed_command_keep(const struct recorder_failed_command *command);

/* ---- failed-command -------------------------------------------------------------------------- */

/*
 * Commands that never run, as a user event that they wait for was set to an error: itself, or by
 * way of other commands, whose events do not become complete.
 */

/* Whether the program has ever set a user event to an error. */
extern uint32_t recorder_events_have_failed __attribute__((visibility("hidden")));

/* The program has set the user event of EVENT to an error, by the call that returns to
 * RETURN_ADDRESS, and the runtime has taken it: that terminates all commands that wait for it
 * (OpenCL 3.0 clSetUserEventStatus).  Say so in their records, and keep each with the errors. */
void recorder_commands_fail(const struct recorder_entry *event, const void *return_address);

/* The command of ENTRY has been enqueued: do the same if an event that it waits for had failed
 * before. */
void recorder_command_fail_late(const struct recorder_entry *entry);

RECORDER_INLINE void recorder_command_judge(const struct recorder_entry *entry)
{
    if (RECORDER_UNLIKELY(__atomic_load_n(&recorder_events_have_failed, __ATOMIC_SEQ_CST)) &&
        entry->object) {
        recorder_command_fail_late(entry);
    }
}

/* ---- notification ---------------------------------------------------------------------------- */

/*
 * Callbacks of events (clSetEventCallback) and of builds (the `pfn_notify` of clBuildProgram and
 * the like): each is called once, and then its record ends.
 *
 * The program's function is registered with the runtime in the form of a trampoline whose user data
 * names a slot.  Until the callback of a command's event has been called the runtime keeps the
 * event, whoever releases it: the callback counts as a child of the event.  A user event that is
 * released before its status is set is gone, and its callbacks are never called: their slots stay,
 * and are not shown, as their parent is not there.
 */

/* A callback that is about to be registered. */
struct recorder_notification {
    uint32_t table; /* of HANDLE: that of events or of programs */
    const void *handle;
    cl_int status; /* of an event: the execution status that it is called at */
    const void *function;
    const void *user_data;
    const void *return_address;
};

/* Before the runtime is called.  False where the program's own function is to be registered: there
 * is no function, or no room for its record; else *USER_DATA is to be given to the trampoline. */
bool recorder_notification_begin(struct recorder_entry *entry,
                                 const struct recorder_notification *notification,
                                 void **user_data);

/* The runtime has refused the registration, and will not call it. */
void recorder_notification_withdraw(struct recorder_entry *entry);

/* The build has failed.  Where the runtime has not called the callback it may do so all the same,
 * so that the slot stays, but it is shown no more. */
void recorder_notification_hide(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names: the trampolines. */
void CL_CALLBACK recorder_event_callback_run(cl_event event, cl_int status, void *user_data);
void CL_CALLBACK recorder_build_callback_run(cl_program program, void *user_data);

/* ---- svm-free -------------------------------------------------------------------------------- */

/*
 * clEnqueueSVMFree commands: enqueued, running their callback, complete.
 *
 * Completion is learned from what the program does anyway: its callback has run, an event that it
 * asks about is complete, or a clFinish of the queue that began after the command was enqueued
 * returns. A complete command has no record any more.
 */

typedef void(CL_CALLBACK recorder_svm_free_function)(cl_command_queue queue, cl_uint count,
                                                     void *pointers[], void *user_data);

/* What the enqueueing call is given. */
struct recorder_svm_free {
    cl_command_queue queue;
    cl_uint pointer_count;
    void *const *pointers;
    recorder_svm_free_function *function;
    const void *user_data;
    cl_uint wait_count;
    const cl_event *wait_list;
    const void *return_address;
};

/* Before the runtime is called.  False when there is no room. */
bool recorder_svm_free_begin(struct recorder_entry *entry, const struct recorder_svm_free *command);

/* The runtime has taken it as command NUMBER of its queue, and given the program EVENT, or NULL. */
void recorder_svm_free_enqueued(struct recorder_entry *entry, cl_event event, uint32_t number);

/* The runtime has refused it: all is as before. */
void recorder_svm_free_withdraw(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names: what trampolines do. */
void CL_CALLBACK recorder_svm_free_run(cl_command_queue queue, cl_uint count, void *pointers[],
                                       void *user_data);

/* The command that REFERENCE named when its generation was GENERATION has come to STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_svm_free_ended(uint32_t reference, uint32_t generation, cl_int status);

/* The command cannot be pending: the context it was in is gone. */
void recorder_svm_free_forget(struct recorder_entry *entry);

/* The commands of QUEUE up to NUMBER are complete. */
void recorder_svm_frees_finish(const struct recorder_entry *queue, uint32_t number);

#endif
