/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM, events, and the thread that executes commands. */
#include "icd.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMMANDS 64

typedef void(CL_CALLBACK *svm_free_function_t)(cl_command_queue, cl_uint, void *[], void *);

typedef struct command_t {
    cl_command_queue queue;
    icd_object_t *waits_for; /* an event, or NULL */
    icd_object_t *event;
    icd_object_t *uses; /* a memory object, or NULL */
    cl_uint pointer_count;
    void **pointers;
    svm_free_function_t function;
    void *user_data;
} command_t;

static command_t *commands[MAX_COMMANDS]; /* not begun */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t worker;
static bool worker_is_there;
static void (*task_function)(void *);
static void *task_argument;
static bool task_is_done;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (task_function == NULL)
            pthread_cond_wait(&changed, &lock);
        void (*function)(void *) = task_function;
        task_function = NULL;
        pthread_mutex_unlock(&lock);
        function(task_argument);
        pthread_mutex_lock(&lock);
        task_is_done = true;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

void icd_worker_run(void (*function)(void *), void *argument)
{
    pthread_mutex_lock(&lock);
    if (!worker_is_there && pthread_create(&worker, NULL, work, NULL) != 0)
        abort();
    worker_is_there = true;
    task_argument = argument;
    task_function = function;
    task_is_done = false;
    pthread_cond_broadcast(&changed);
    while (!task_is_done)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

CL_API_ENTRY void *CL_API_CALL icd_svm_alloc(cl_context context, cl_svm_mem_flags flags,
                                             size_t size, cl_uint alignment)
{
    (void)context;
    (void)flags;
    (void)alignment;
    return size == ICD_SIZE_FAILS ? NULL : malloc(size);
}

CL_API_ENTRY void CL_API_CALL icd_svm_free(cl_context context, void *pointer)
{
    (void)context;
    free(pointer);
}

static void command_run(void *argument)
{
    command_t *command = argument;
    if (command->function != NULL) {
        command->function(command->queue, command->pointer_count, command->pointers,
                          command->user_data);
    } else {
        for (cl_uint i = 0; i < command->pointer_count; i++)
            free(command->pointers[i]);
    }
    command->event->status = CL_COMPLETE;
    icd_object_release(command->event);
    if (command->uses != NULL)
        icd_object_release(command->uses);
    free(command->pointers);
    free(command);
}

/* Take a command that WAITS_FOR this event, or of any event with a NULL. */
static command_t *command_take(const icd_object_t *waits_for)
{
    command_t *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAX_COMMANDS && found == NULL; i++) {
        if (commands[i] != NULL && (waits_for == NULL || commands[i]->waits_for == waits_for)) {
            found = commands[i];
            commands[i] = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void command_keep(command_t *command)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAX_COMMANDS; i++) {
        if (commands[i] == NULL) {
            commands[i] = command;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static command_t *command_create(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                                 const cl_event *waits, cl_event *event)
{
    command_t *command = calloc(1, sizeof(*command));
    if (command == NULL)
        abort();
    command->queue = queue;
    command->waits_for = wait_count > 0 ? (icd_object_t *)waits[0] : NULL;
    command->event = icd_object_create(icd_event, ((icd_object_t *)queue)->context, NULL);
    command->event->status = CL_QUEUED;
    command->event->type = type;
    if (event != NULL) {
        icd_object_retain(command->event);
        *event = (cl_event)command->event;
    }
    return command;
}

void icd_command_complete(cl_command_queue queue, cl_command_type type, cl_event *event)
{
    command_run(command_create(queue, type, 0, NULL, event));
}

void icd_command_enqueue(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                         const cl_event *waits, cl_event *event)
{
    command_keep(command_create(queue, type, wait_count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_svm_free(cl_command_queue queue, cl_uint pointer_count,
                                                     void *pointers[], svm_free_function_t function,
                                                     void *user_data, cl_uint wait_count,
                                                     const cl_event *waits, cl_event *event)
{
    if (pointer_count == 0 || pointer_count == ICD_COUNT_FAILS)
        return CL_INVALID_VALUE;
    command_t *command = command_create(queue, CL_COMMAND_SVM_FREE, wait_count, waits, event);
    size_t bytes = pointer_count * sizeof(*pointers);
    command->pointers = malloc(bytes);
    memcpy(command->pointers, pointers, bytes);
    command->pointer_count = pointer_count;
    command->function = function;
    command->user_data = user_data;
    command_keep(command);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_write(cl_command_queue queue, cl_mem memory,
                                                  cl_bool blocking, size_t offset, size_t size,
                                                  const void *data, cl_uint wait_count,
                                                  const cl_event *waits, cl_event *event)
{
    (void)blocking;
    (void)offset;
    (void)size;
    (void)data;
    command_t *command = command_create(queue, CL_COMMAND_WRITE_BUFFER, wait_count, waits, event);
    command->uses = (icd_object_t *)memory;
    icd_object_retain(command->uses);
    command_keep(command);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_event CL_API_CALL icd_create_user_event(cl_context context, cl_int *status)
{
    icd_object_t *event = icd_object_create(icd_event, context, NULL);
    event->status = CL_SUBMITTED;
    event->type = CL_COMMAND_USER;
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_event)event;
}

CL_API_ENTRY cl_int CL_API_CALL icd_set_user_event_status(cl_event event, cl_int status)
{
    icd_object_t *object = (icd_object_t *)event;
    object->status = status;
    command_t *command;
    while ((command = command_take(object)) != NULL)
        icd_worker_run(command_run, command);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_finish(cl_command_queue queue)
{
    command_t *command;
    (void)queue;
    while ((command = command_take(NULL)) != NULL)
        icd_worker_run(command_run, command);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_flush(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_wait_for_events(cl_uint count, const cl_event *events)
{
    return count > 0 && events != NULL ? icd_finish(NULL) : CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL icd_get_event_info(cl_event event, cl_event_info name, size_t room,
                                                   void *value, size_t *size)
{
    icd_object_t *object = (icd_object_t *)event;
    cl_uint references = (cl_uint)object->references;
    cl_int status = object->status;
    switch (name) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return icd_answer(&status, sizeof(status), room, value, size);
    case CL_EVENT_COMMAND_TYPE:
        return icd_answer(&object->type, sizeof(object->type), room, value, size);
    case CL_EVENT_REFERENCE_COUNT:
        return icd_answer(&references, sizeof(references), room, value, size);
    case CL_EVENT_CONTEXT:
        return icd_answer(&object->context, sizeof(void *), room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}
