/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder stores for calls: commands and their events, callbacks, errors. */
#ifndef RECORDER_CALLS_H
#define RECORDER_CALLS_H

#include "objects/objects.h"

#include <stdint.h>

#include <CL/cl_ext.h>

/* Newer headers have it only for programs that define CL_ENABLE_BETA_EXTENSIONS. */
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;

/* ---- call ------------------------------------------------------------------------------------ */

/* The calling thread is in the call FUNCTION, on or for HANDLE (NULL for none). */
#define RECORDER_CALL(function, handle)                                                            \
    RECORDER_CALL_OF(ompd_cl_call_##function, 0, (uintptr_t)(handle), NULL)

/* The same for a call that, when IS_BLOCKING, only returns after progress of the device. */
#define RECORDER_CALL_WAITING(function, handle, is_blocking)                                       \
    RECORDER_CALL_OF(ompd_cl_call_##function |                                                     \
                         ((is_blocking) ? OMPD_CL_REGISTRY_ACTIVITY_WAITS : 0),                    \
                     0, (uintptr_t)(handle), NULL)

/* The same for a call that waits for the COUNT events of LIST, which may be NULL. */
#define RECORDER_CALL_WAITING_FOR(function, count, list)                                           \
    RECORDER_CALL_OF(ompd_cl_call_##function | OMPD_CL_REGISTRY_ACTIVITY_WAITS,                    \
                     (list) ? (count) : 0, (uintptr_t)((count) && (list) ? (list)[0] : NULL),      \
                     list)

#define RECORDER_CALL_OF(what, reference, handle, list)                                            \
    RECORDER_ACTIVITY(true, what, reference, handle, list);                                        \
    recorder_call_begun(&activity, __builtin_return_address(0))

/* Results of calls: failures are recorded. Every call is recorded if the last calls of each thread
 * are. */

/* Record the last LENGTH calls of each thread, as memory allows; 0 for none. Call it before there
 * are threads. */
void recorder_calls_prepare(uint32_t length);

/* Statuses below the first limit, and objects up to the second, need a check. */
struct recorder_call_check_limits {
    cl_int status;
    uintptr_t object;
};
extern struct recorder_call_check_limits recorder_call_check_limits
    __attribute__((visibility("hidden")));

/* The slow paths of the functions below, for calls that need a check. */
void recorder_call_returned(const struct recorder_activity *activity, cl_int status,
                            const void *return_address);
/* The same as the first, for a call that fails because of the thread in the `released_` members of
 * OBJECT. */
void recorder_call_returned_after(const struct recorder_activity *activity, cl_int status,
                                  const struct ompd_cl_registry_object *object,
                                  const void *return_address);
void recorder_call_made(const struct recorder_activity *activity, const void *object, cl_int error,
                        const void *return_address);

/* The call of ACTIVITY returns STATUS to RETURN_ADDRESS. */
RECORDER_INLINE cl_int recorder_status(const struct recorder_activity *activity, cl_int status,
                                       const void *return_address)
{
    if (RECORDER_UNLIKELY(status < recorder_call_check_limits.status)) {
        recorder_call_returned(activity, status, return_address);
    }
    return status;
}

/* The call has created OBJECT, or failed if that is NULL. *ERROR is the reason, unless ERROR is
 * NULL. */
RECORDER_INLINE void recorder_made(const struct recorder_activity *activity, const void *object,
                                   const cl_int *error, const void *return_address)
{
    if (RECORDER_UNLIKELY((uintptr_t)object <= recorder_call_check_limits.object)) {
        recorder_call_made(activity, object, error ? *error : 0, return_address);
    }
}

/* ---- callback-rules -------------------------------------------------------------------------- */

/* What callbacks may not call (OpenCL 3.0 clSetMemObjectDestructorCallback, clSetEventCallback). A
 * call counts only if the thread is certainly in the callback. */

/* The slow path of the function below. */
void recorder_nested_call_check(const struct recorder_activity *activity,
                                const void *return_address);

/* The call of ACTIVITY, which returns to RETURN_ADDRESS, has begun. Within a callback of the
 * program, record as mistakes that it blocks, that it creates an OpenCL context or a queue, or that
 * it is on the object of the destructor callback. */
RECORDER_INLINE void recorder_call_begun(const struct recorder_activity *activity,
                                         const void *return_address)
{
    if (RECORDER_UNLIKELY(activity->count)) {
        recorder_nested_call_check(activity, return_address);
    }
}

/* The same for a build of ACTIVITY that has no callback, and blocks. */
void recorder_callback_build_check(const struct recorder_activity *activity,
                                   const void *return_address);

/* Whether the current call is made in the destructor callback of the object HANDLE, which that call
 * uses. Then it is recorded as a mistake. */
bool recorder_callback_uses_own(const void *handle, const void *return_address);

/* The slow path of the function below. */
uint64_t recorder_surrounding_callback(const struct ompd_cl_registry_thread_record *thread);

/* The function of the program's callback that makes the current call of THREAD; 0: none does. */
RECORDER_INLINE uint64_t
recorder_calling_callback(const struct ompd_cl_registry_thread_record *thread)
{
    return RECORDER_LIKELY(thread->activity_count < 2) ? 0 : recorder_surrounding_callback(thread);
}

/* ---- history --------------------------------------------------------------------------------- */

/* The history: records of the commands of each queue. It has all commands that are not known to be
 * complete, and the last complete ones. The commands of a queue are in a list in its record, newest
 * first. Threads add theirs at its head. When the list has doubled, one thread walks it and frees
 * all complete commands except the newest. */

/* The arguments of the call that enqueues the command; 0 for what does not apply. */
struct recorder_command_facts {
    cl_command_type type;
    cl_kernel kernel;
    cl_mem memobj;
    cl_mem destination;
    cl_uint wait_count;
    const cl_event *wait_list;
    const cl_event *event; /* where the program gets its event */
    bool is_blocking;
    /* The bytes of `operand_kinds` are its operands, the first in the lowest; `operands` has the
     * number, address or array of each. */
    uint64_t operand_kinds;
    const uint64_t *operands;
    /* The memory objects or SVM pointers of a list, and the bytes of each pointer, unless NULL. */
    const void *touched;
    const size_t *touched_sizes;
    cl_uint touched_count;
    const struct recorder_entry *svm_free; /* the record of a command that frees SVM */
    cl_command_buffer_khr command_buffer;  /* that it executes */
    bool is_queue_implied; /* the queue is the command buffer's: the program has not passed it */
    cl_uint semaphore_count;
    const cl_semaphore_khr *semaphores; /* that it signals or waits for */
};

/* Record LENGTH complete commands of each queue; 0: record no commands. */
void recorder_history_prepare(uint32_t length);

/* Call it before the runtime's function: record a command of QUEUE. Returns false, with `object` of
 * ENTRY NULL, when the table is full or commands are not recorded. */
bool recorder_history_begin(struct recorder_entry *entry, const struct recorder_entry *queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* The runtime has accepted it as command NUMBER of QUEUE, and returned EVENT, or NULL, to the
 * program. */
void recorder_history_enqueued(const struct recorder_entry *entry,
                               const struct recorder_entry *queue, uint32_t number, cl_event event);

/* The runtime has refused it, or its queue has ended. */
void recorder_history_withdraw(const struct recorder_entry *entry);

/* The command that REFERENCE named when its generation was GENERATION has reached STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_history_ended(struct recorder_heap *heap, uint32_t reference, uint32_t generation,
                            cl_int status);

/* A new queue has no commands yet. */
void recorder_history_open(struct ompd_cl_registry_queue_record *queue);

/* The queue has ended, and with it its commands. */
void recorder_history_close(const struct recorder_entry *queue);

/* In the child of a fork(), before slots are counted again: end the commands that vanished threads
 * were about to enqueue, and unlock the lists that they were walking. */
void recorder_history_repair(void);

/* ---- operands -------------------------------------------------------------------------------- */

/* What a command touches: operands.def has the kinds. */

/* Set OPERANDS, which no other thread can see yet, from FACTS. */
void recorder_operands_set(struct ompd_cl_registry_operands *operands,
                           const struct recorder_command_facts *facts);

/* The runtime has mapped memory at POINTER, whose row and slice pitch are at PITCHES, or NULL. */
void recorder_operands_add_mapping(struct ompd_cl_registry_operands *operands, const void *pointer,
                                   const size_t *const pitches[2]);

/* Set the list of objects of the command of ENTRY, which no other thread can see yet. */
void recorder_touched_set(const struct recorder_entry *entry,
                          const struct recorder_command_facts *facts);

/* ---- command --------------------------------------------------------------------------------- */

/*
 * Commands, and the progress of queues.
 *
 * A queue's commands are numbered from 1, in the order in which the calls that enqueue them
 * returned. Three things show that commands are complete: a clFinish, the end of a blocking call,
 * and an event that is known to be complete. Each shows it for all commands before a point: up to a
 * number, and up to a moment (lingering.c).
 */

/* A point in the work of a queue. */
struct recorder_point {
    uint32_t number;
    uint32_t moment;
};

/* A call that enqueues a command. */
struct recorder_command {
    struct recorder_entry queue; /* `object` NULL: it is not recorded */
    cl_command_queue queue_handle;
    struct recorder_entry record; /* `object` NULL: there is none */
    struct recorder_point point;  /* all commands up to it are complete when this command, in order,
                                   * is */
    uint32_t number;              /* once it is enqueued */
    bool is_blocking;
    bool is_doubtful; /* FACTS have an object of another kind, or of another OpenCL context */
    const struct recorder_command_facts *facts;
};

/* Call it before the runtime's function. FACTS must exist until recorder_command_end. */
void recorder_command_begin(struct recorder_command *command, cl_command_queue queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* Call it after that. EVENT, unless NULL, is where the program gets the command's event, of TYPE.
 */
void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address);

/* Whether all commands of the queue are recorded and known to be complete. */
bool recorder_queue_is_idle(const struct recorder_entry *queue);

/* All commands of the queue up to POINT are complete. */
void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point);

/* Call them around a clFinish or clFlush of QUEUE. */
void recorder_finish_begin(struct recorder_command *finish, cl_command_queue queue);
void recorder_finish_end(const struct recorder_command *finish);
void recorder_flush_begin(struct recorder_command *flush, cl_command_queue queue);
void recorder_flush_end(const struct recorder_command *flush);

/* The queue's last command: its number. */
RECORDER_INLINE uint32_t recorder_queue_last(const struct recorder_entry *queue)
{
    return __atomic_load_n(&recorder_queue_record(queue)->enqueued, __ATOMIC_SEQ_CST);
}

/* Whether the queue is in order: a command is complete only when all commands before it are. */
RECORDER_INLINE bool recorder_queue_is_in_order(const struct recorder_entry *queue)
{
    return !(recorder_queue_record(queue)->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Raise the count at WORD to VALUE. Both may have wrapped around. */
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

/* Set COMMAND's QUEUE and the point that the queue has reached. */
RECORDER_INLINE void recorder_point_get(struct recorder_command *command, cl_command_queue queue)
{
    command->queue_handle = queue;
    command->number = 0;
    command->record.object = NULL;
    if (recorder_object_find(&command->queue, ompd_cl_registry_queue, queue)) {
        command->point.number = recorder_queue_last(&command->queue);
        command->point.moment = recorder_lingering_moment();
    }
}

/* ---- mapping --------------------------------------------------------------------------------- */

/*
 * Mappings of memory objects and of SVM. An object has a list of those that were not undone, newest
 * first. The last ones that were undone, or whose object has ended, remain for some time.
 */

/* The call of COMMAND, with FACTS, has mapped HANDLE of TABLE at POINTER, with PITCHES as above. */
struct recorder_mapping {
    uint32_t table;
    const void *handle;
    const void *pointer;
    const struct recorder_command_facts *facts;
    const size_t *const *pitches;
    const void *return_address;
};

void recorder_mapping_made(const struct recorder_mapping *mapping,
                           const struct recorder_command *command);

/* A call that undoes a mapping. */
struct recorder_unmapping {
    struct recorder_entry owner;
    struct recorder_entry mapping; /* `object` NULL: it is not recorded */
    const void *return_address;
};

/* Call it before the runtime's function, for the mapping of HANDLE of TABLE at POINTER. If a memory
 * object has no such mapping, that is recorded as a mistake. */
void recorder_unmapping_begin(struct recorder_unmapping *unmapping, uint32_t table,
                              const void *handle, const void *pointer);

/* Call it after that. */
void recorder_unmapping_end(const struct recorder_unmapping *unmapping, bool succeeded);

/* The object of ENTRY has ended, and with it the mappings that begin at FIRST. */
void recorder_mappings_abandon(const struct recorder_entry *owner, uint32_t first);

/* In the child of a fork(): unlock the lists. */
void recorder_mappings_repair(void);

/* ---- event ----------------------------------------------------------------------------------- */

/* Events that the program got. */

/* COMMAND, of TYPE, returned EVENT to the program. */
void recorder_event_created(cl_event event, const struct recorder_command *command,
                            cl_command_type type, const void *return_address);

/* The program created EVENT in CONTEXT, without a queue. */
void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address);

/* EVENT is that of the SVM-free command of ENTRY. */
void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command);

/* Whether EVENT belongs to an SVM-free command that is still recorded. */
bool recorder_event_is_of_svm_free(cl_event event);

/* The program waits for EVENT, which flushes the commands before it (OpenCL 3.0 clWaitForEvents).
 */
void recorder_event_flush(cl_event event);

/* The program has got STATUS, the execution status of EVENT. */
void recorder_event_status_seen(cl_event event, cl_int status);

/* The program has been told that one of the COUNT EVENTS, which may be NULL, has failed. */
void recorder_events_error_seen(cl_uint count, const cl_event *events);

/* Whether EVENT, which is about to be released, may have failed without the program knowing: this
 * is its last reference, and its command is not known to have ended. */
bool recorder_event_may_fail_unseen(cl_event event);

/* The recorder has asked the runtime: the execution status of EVENT is STATUS. */
void recorder_event_status_found(cl_event event, cl_int status);

/* EVENT, 0 for none, is of the command whose record is the reference COMMAND and which never runs.
 * The runtime has not reported its final status yet. */
void recorder_event_terminated(uint64_t event, uint32_t command);

/* A call of clSetUserEventStatus. */
struct recorder_event_setting {
    struct recorder_entry event; /* `object` NULL: it is not recorded */
    uint64_t run_before;
    bool is_again; /* the program had set it before; its status does not change */
    bool is_first; /* it is a user event that this call sets */
};

/* Call it before the runtime's function, in the call that returns to RETURN_ADDRESS: what waits for
 * EVENT may be complete before that function returns. */
struct recorder_event_setting recorder_event_set_begin(cl_event event, cl_int status,
                                                       const void *return_address);

/* The runtime has refused it: restore the former state. */
void recorder_event_set_withdraw(const struct recorder_event_setting *setting);

/* Whether the event had been set before. The `released_` members of *SET get the thread that did
 * so, if it is known. */
bool recorder_event_set_again(const struct recorder_event_setting *setting,
                              struct ompd_cl_registry_object *set);

/* Why commands fail: a user event that the program has set to an error. */
struct recorder_failure {
    uint64_t event;
    cl_int status;
    uint32_t lwp; /* the thread that has set it */
    struct recorder_site site;
};

/* The user event EVENT was set to an error, in the call that returns to RETURN_ADDRESS, and the
 * runtime has accepted that: set FAILURE. Returns false when the event has ended. */
bool recorder_event_failure_begin(const struct recorder_entry *event,
                                  struct recorder_failure *failure, const void *return_address);

/* Set FAILURE to who set the user event EVENT to an error. Returns false when no thread has done so
 * or is about to. */
bool recorder_event_failure_get(const struct recorder_entry *event,
                                struct recorder_failure *failure);

/* The record of the command of EVENT, a reference, with its generation in *GENERATION; 0 for none.
 */
uint32_t recorder_event_command(const struct recorder_entry *event, uint32_t *generation);

/* Whether it is a user event whose status was never set. After its release the program can no
 * longer set it. */
bool recorder_event_is_unset(const struct recorder_entry *event);

/* ---- event-release --------------------------------------------------------------------------- */

/* The last reference of EVENT is released, by the call that returns to RETURN_ADDRESS. Note a
 * failure that the program has not looked at, and callbacks that are never called. */
void recorder_event_released(const struct recorder_entry *event, const void *return_address);

/* ---- error ----------------------------------------------------------------------------------- */

/* The last calls that the runtime refused. */

/* An argument of a kernel that is about to be enqueued. */
struct recorder_argument {
    uint64_t kernel;
    uint64_t size; /* of the memory object */
    uint32_t number;
};

/* Record the last LENGTH failures and the last LENGTH mistakes, as memory allows; 0 for none. Call
 * it before the root is published. */
void recorder_errors_prepare(uint32_t length);

/* Whether errors are recorded. */
bool recorder_errors_are_recorded(void);

/* The call of ACTIVITY, which returns to RETURN_ADDRESS, has failed with ERROR, 0 when it is
 * unknown. The `released_` members of OBJECT are the thread that made it fail; NULL: unknown. */
void recorder_error_add(const struct recorder_activity *activity, cl_int error,
                        const struct ompd_cl_registry_object *object, const void *return_address);

/* The calling thread's CALL, whose error is recorded next, was refused for the reason NUMBER with
 * VALUES. */
void recorder_reason_set(uint32_t call, uint32_t number,
                         const uint64_t values[RECORDER_REASON_VALUES]);

/* The current call of the thread, which returns to RETURN_ADDRESS, is about to make a MISTAKE, one
 * of the numbers that the registry adds to error codes. OBJECT is the object that it uses. Its
 * `released_` members are the thread that made that wrong, for example by the last release. */
void recorder_mistake_add(int32_t mistake, const struct ompd_cl_registry_object *object,
                          const void *return_address);

/* The same for the memory object OBJECT, which is ARGUMENT. */
void recorder_argument_mistake_add(const struct recorder_argument *argument,
                                   const struct ompd_cl_registry_object *object,
                                   const void *return_address);

/* ---- mistake --------------------------------------------------------------------------------- */

/* Mistakes of calls, of the whole life of the program: each kind of mistake is one record for each
 * pair of places, and is counted there. */

/* A mistake that the current call of the thread is about to make. 0 and NULL for what does not
 * apply. */
struct recorder_mistake {
    enum ompd_cl_registry_rule rule;
    uint32_t object_table; /* 0: the kind of `object` is unknown */
    uint64_t object;       /* cl handle or SVM pointer */
    uint32_t other_table;
    uint64_t other;
    struct {
        uint32_t lwp;
        uint32_t stack;
        uint64_t caller;
    } other_site;        /* of the call that made it a mistake, for example by the last release */
    const void *address; /* of memory of the program */
    uint64_t size;       /* bytes of it */
    const void *function;
    uint32_t argument; /* index of an argument of a kernel or of the call, plus 1 */
    int32_t error;
};

/* Record mistakes if they ARE_WANTED, and end the program at the first if they ARE_TO_STOP it. Call
 * it before the root is published. */
void recorder_mistakes_prepare(bool are_wanted, bool are_to_stop);

/* Whether mistakes are recorded. */
bool recorder_mistakes_are_recorded(void);

/* Set the object of MISTAKE to OBJECT of TABLE, and its other place to the call that released it.
 */
void recorder_mistake_set_object(struct recorder_mistake *mistake,
                                 const struct ompd_cl_registry_object *object, uint32_t table);

/* Record MISTAKE of the current call, which returns to RETURN_ADDRESS. Without a current call,
 * which is too deep or unknown, nothing is recorded. */
void recorder_mistake_record(const struct recorder_mistake *mistake, const void *return_address);

/* Tell a debugger that the current call breaks RULE with OBJECT, which has been recorded, or end
 * the program if the user asked for that. Notes are not reported. */
void recorder_mistake_report(uint32_t rule, uint64_t object);

/* ---- failed commands ------------------------------------------------------------------------- */

/* A command that never runs. */
struct recorder_failed_command {
    const struct recorder_failure *failure; /* the reason */
    uint32_t what;                          /* the call that enqueued it */
    uint32_t lwp;
    uint32_t stack;
    uint64_t caller;
};

void recorder_failed_command_add(const struct recorder_failed_command *command);

/* ---- failed-command -------------------------------------------------------------------------- */

/*
 * Commands that never run because a user event that they wait for, directly or through other
 * commands, was set to an error.
 */

/* Whether the program has ever set a user event to an error. */
extern uint32_t recorder_events_have_failed __attribute__((visibility("hidden")));

/* The program has set the user event of EVENT to an error, by the call that returns to
 * RETURN_ADDRESS, and the runtime has accepted it. That terminates all commands that wait for the
 * event (OpenCL 3.0 clSetUserEventStatus). Note it in their records, and record each as an error.
 */
void recorder_commands_fail(const struct recorder_entry *event, const void *return_address);

/* The command of ENTRY was enqueued: do the same if an event that it waits for had failed before.
 */
void recorder_command_fail_late(const struct recorder_entry *entry);

RECORDER_INLINE void recorder_command_check(const struct recorder_entry *entry)
{
    if (RECORDER_UNLIKELY(__atomic_load_n(&recorder_events_have_failed, __ATOMIC_SEQ_CST)) &&
        entry->object) {
        recorder_command_fail_late(entry);
    }
}

/* Why the command of EVENT never runs, if a user event that the program has set is the reason.
 * Returns false if it is not. */
bool recorder_command_failure_get(const struct recorder_entry *event,
                                  struct recorder_failure *failure);

/* ---- notification ---------------------------------------------------------------------------- */

/* Callbacks of events (clSetEventCallback) and of builds (the `pfn_notify` of clBuildProgram and
 * similar functions). Each is called once, and then its record ends. The recorder registers a
 * trampoline with the runtime instead of the program's function. Its user data names a slot. The
 * runtime retains the event of a command until its callback has been called, even after the event's
 * release: the callback counts as a child of the event. A user event that is released before its
 * status is set is destroyed, and its callbacks are never called. Their slots remain but are not
 * shown, because their parent has ended. */

/* A callback that is about to be registered. */
struct recorder_notification {
    uint32_t table; /* table of HANDLE: events or programs */
    const void *handle;
    cl_int status; /* of an event: the execution status that triggers it */
    const void *function;
    const void *user_data;
    const void *return_address;
};

/* Call it before the runtime's function. Returns false when the program's own function must be
 * registered, because it is NULL or the table is full. Else *USER_DATA is the user data for the
 * trampoline. */
bool recorder_notification_begin(struct recorder_entry *entry,
                                 const struct recorder_notification *notification,
                                 void **user_data);

/* The runtime has refused the registration, and will not call it. */
void recorder_notification_withdraw(struct recorder_entry *entry);

/* The build has failed. The runtime may still call the callback, so the slot remains, but it is no
 * longer shown. */
void recorder_notification_hide(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names. The trampolines call this. */
void CL_CALLBACK recorder_event_callback_run(cl_event event, cl_int status, void *user_data);
void CL_CALLBACK recorder_build_callback_run(cl_program program, void *user_data);

/* ---- message --------------------------------------------------------------------------------- */

/* What runtimes report to the `pfn_notify` of a context: the last messages of the process. The
 * recorder passes a function of its own to the runtime instead of the program's. */

typedef void(CL_CALLBACK recorder_message_function)(const char *text, const void *private_info,
                                                    size_t size, void *user_data);

/* Record the last LENGTH messages, as memory allows; 0 for none. Call it before the root is
 * published. */
void recorder_messages_prepare(uint32_t length);

/* The recorder asks the runtime something in a call of the program, until the second is called: the
 * program gets no messages about that. */
void recorder_questions_begin(void);
void recorder_questions_end(void);

/* Call it before the runtime's function: what to pass instead of FUNCTION, with the same user data.
 * It is FUNCTION itself if that is NULL, messages are not recorded, or the recorder has no function
 * left. *LISTENER names it below. */
recorder_message_function *recorder_listener_begin(recorder_message_function *function,
                                                   uint32_t *listener);

/* CONTEXT was created with the function of LISTENER; NULL: it was not. */
void recorder_listener_set_context(uint32_t listener, const void *context);

/* ---- svm-free -------------------------------------------------------------------------------- */

/*
 * clEnqueueSVMFree commands: enqueued, running their callback, complete.
 *
 * The recorder learns of completion from what the program does anyway: the callback has run, an
 * event that the program asks about is complete, or a clFinish of the queue that began after the
 * command was enqueued returns. A complete command has no record.
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

/* Call it before the runtime's function. Returns false when the table is full. */
bool recorder_svm_free_begin(struct recorder_entry *entry, const struct recorder_svm_free *command);

/* The runtime has accepted it as command NUMBER of its queue, and returned EVENT, or NULL, to the
 * program. */
void recorder_svm_free_enqueued(struct recorder_entry *entry, cl_event event, uint32_t number);

/* The runtime has refused it: restore the former state. */
void recorder_svm_free_withdraw(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names. Trampolines call this. */
void CL_CALLBACK recorder_svm_free_run(cl_command_queue queue, cl_uint count, void *pointers[],
                                       void *user_data);

/* The command that REFERENCE named when its generation was GENERATION has reached STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_svm_free_ended(uint32_t reference, uint32_t generation, cl_int status);

/* The command cannot be pending, because its context has ended. */
void recorder_svm_free_drop(struct recorder_entry *entry);

/* The commands of QUEUE up to NUMBER are complete. */
void recorder_svm_frees_finish(const struct recorder_entry *queue, uint32_t number);

#endif
