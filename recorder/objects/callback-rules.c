/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include "objects/kinds.h"

/* The call that the thread has just begun, and the callback around it. */
struct call_in_callback {
    const struct ompd_cl_registry_activity *call;
    const struct ompd_cl_registry_activity *callback;
    const void *return_address;
};

static bool activity_is_callback(const struct ompd_cl_registry_activity *activity)
{
    switch (OMPD_CL_REGISTRY_ACTIVITY_WHAT(activity->what)) {
    case ompd_cl_registry_runs_destructor:
    case ompd_cl_registry_runs_svm_free:
    case ompd_cl_registry_runs_event_callback:
    case ompd_cl_registry_runs_build_callback:
        return true;
    default:
        return false;
    }
}

static bool activity_is_destructor(const struct ompd_cl_registry_activity *activity)
{
    return OMPD_CL_REGISTRY_ACTIVITY_WHAT(activity->what) == ompd_cl_registry_runs_destructor;
}

/* The innermost callback among the first BELOW activities around ACTIVITY, a call: its index plus
 * 1. 0: there is none, or the thread may have left it by longjmp(). */
static uint32_t surrounding_callback_find(const struct recorder_activity *activity, uint32_t below)
{
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    while (below && !activity_is_callback(&thread->activities[below - 1])) {
        below--;
    }
    return below && recorder_activity_is_current(thread, below, thread->frames_in[activity->count])
               ? below
               : 0;
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* Set the object, the function and the registration of the destructor callback at INDEX. */
static void mistake_set_destructor(struct recorder_mistake *mistake, uint32_t index)
{
    const struct ompd_cl_registry_callback_record *record = recorder_callback_record(index);
    mistake->object_table = OMPD_CL_REGISTRY_REFERENCE_TABLE(record->object);
    mistake->function = (const void *)(uintptr_t)record->function;
    mistake->other_site.lwp = record->lwp;
    mistake->other_site.stack = record->stack;
    mistake->other_site.caller = record->caller;
}

/* The same for a callback whose record has a header, and an object of TABLE. */
static void mistake_set_registration(struct recorder_mistake *mistake,
                                     const struct ompd_cl_registry_object *header, uint32_t table,
                                     uint64_t function)
{
    mistake->object_table = table;
    mistake->function = (const void *)(uintptr_t)function;
    mistake->other_site.lwp = header->lwp;
    mistake->other_site.stack = header->stack;
    mistake->other_site.caller = header->caller;
}

static void mistake_set_callback(struct recorder_mistake *mistake,
                                 const struct ompd_cl_registry_activity *callback)
{
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(callback->reference);
    mistake->object = callback->handle;
    if (activity_is_destructor(callback)) {
        mistake_set_destructor(mistake, index);
    } else if (OMPD_CL_REGISTRY_ACTIVITY_WHAT(callback->what) == ompd_cl_registry_runs_svm_free) {
        const struct ompd_cl_registry_svm_free_record *record =
            recorder_record(ompd_cl_registry_svm_free, index);
        mistake_set_registration(mistake, &record->object, ompd_cl_registry_queue,
                                 record->function);
    } else {
        const struct ompd_cl_registry_notification_record *record =
            recorder_record(ompd_cl_registry_notification, index);
        mistake_set_registration(mistake, &record->object, record->object_table, record->function);
    }
}

/* The table of the object that a call works on or waits for, if OpenCL forbids the call in
 * callbacks. */
static uint32_t call_table(uint32_t call)
{
    switch (call) {
    case ompd_cl_call_clWaitForEvents:
        return ompd_cl_registry_event;
    case ompd_cl_call_clBuildProgram:
    case ompd_cl_call_clCompileProgram:
        return ompd_cl_registry_program;
    case ompd_cl_call_clLinkProgram:
    case ompd_cl_call_clCreateCommandQueue:
    case ompd_cl_call_clCreateCommandQueueWithProperties:
    case ompd_cl_call_clCreateCommandQueueWithPropertiesKHR:
        return ompd_cl_registry_context;
    default:
        return ompd_cl_registry_queue;
    }
}

/* Report a call that no callback may make. */
static void forbidden_call_report(const struct call_in_callback *call,
                                  enum ompd_cl_registry_rule rule)
{
    struct recorder_mistake mistake = {.rule = rule, .other = call->call->handle};
    mistake_set_callback(&mistake, call->callback);
    if (mistake.other) {
        mistake.other_table = call_table(OMPD_CL_REGISTRY_ACTIVITY_WHAT(call->call->what));
    }
    recorder_mistake_record(&mistake, call->return_address);
}

/* Report a call with the object that the destructor callback was called for. */
static void own_object_report(const struct call_in_callback *call, enum ompd_cl_registry_rule rule)
{
    struct recorder_mistake mistake = {.rule = rule};
    mistake_set_callback(&mistake, call->callback);
    recorder_mistake_record(&mistake, call->return_address);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Whether the blocking form of the call is in the list of clSetMemObjectDestructorCallback. Builds
 * are, too, but only those without a callback block: see recorder_callback_build_check. */
static bool call_is_listed(uint32_t call)
{
    switch (call) {
    case ompd_cl_call_clFinish:
    case ompd_cl_call_clWaitForEvents:
    case ompd_cl_call_clEnqueueReadBuffer:
    case ompd_cl_call_clEnqueueReadBufferRect:
    case ompd_cl_call_clEnqueueWriteBuffer:
    case ompd_cl_call_clEnqueueWriteBufferRect:
    case ompd_cl_call_clEnqueueReadImage:
    case ompd_cl_call_clEnqueueWriteImage:
    case ompd_cl_call_clEnqueueMapBuffer:
    case ompd_cl_call_clEnqueueMapImage:
        return true;
    default:
        return false;
    }
}

static bool call_is_build(uint32_t call)
{
    return call == ompd_cl_call_clBuildProgram || call == ompd_cl_call_clCompileProgram ||
           call == ompd_cl_call_clLinkProgram;
}

/* Whether calls that block are undefined in CALLBACK. OpenCL does not say that of the callbacks of
 * builds. */
static bool callback_must_not_wait(const struct ompd_cl_registry_activity *callback)
{
    return OMPD_CL_REGISTRY_ACTIVITY_WHAT(callback->what) != ompd_cl_registry_runs_build_callback;
}

/* In an event callback all blocking functions are undefined, elsewhere those of the list. */
static bool wait_is_forbidden(const struct call_in_callback *call)
{
    uint32_t number = OMPD_CL_REGISTRY_ACTIVITY_WHAT(call->call->what);
    return (call->call->what & OMPD_CL_REGISTRY_ACTIVITY_WAITS) && !call_is_build(number) &&
           callback_must_not_wait(call->callback) &&
           (call_is_listed(number) || OMPD_CL_REGISTRY_ACTIVITY_WHAT(call->callback->what) ==
                                          ompd_cl_registry_runs_event_callback);
}

static bool call_creates(uint32_t call)
{
    switch (call) {
    case ompd_cl_call_clCreateContext:
    case ompd_cl_call_clCreateContextFromType:
    case ompd_cl_call_clCreateCommandQueue:
    case ompd_cl_call_clCreateCommandQueueWithProperties:
    case ompd_cl_call_clCreateCommandQueueWithPropertiesKHR:
        return true;
    default:
        return false;
    }
}

static bool call_releases(uint32_t call)
{
    return call == ompd_cl_call_clReleaseMemObject || call == ompd_cl_call_clReleaseContext ||
           call == ompd_cl_call_clReleaseProgram;
}

/* Whether CALLBACK is a destructor callback of the object HANDLE. A runtime that has freed the
 * object before may have given its handle to another one: then the object's record has ended. */
static bool callback_is_of(const struct ompd_cl_registry_activity *callback, uint64_t handle)
{
    if (!activity_is_destructor(callback) || !handle || callback->handle != handle) {
        return false;
    }
    const struct ompd_cl_registry_callback_record *record =
        recorder_callback_record(OMPD_CL_REGISTRY_REFERENCE_INDEX(callback->reference));
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_entry object;
    return heap && recorder_object_get(&object, heap, record->object, record->object_generation);
}

static void own_object_check(const struct call_in_callback *call)
{
    if (callback_is_of(call->callback, call->call->handle)) {
        own_object_report(call, call_releases(OMPD_CL_REGISTRY_ACTIVITY_WHAT(call->call->what))
                                    ? ompd_cl_registry_rule_callback_releases
                                    : ompd_cl_registry_rule_callback_uses);
    }
}

void recorder_nested_call_check(const struct recorder_activity *activity,
                                const void *return_address)
{
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    if (activity->count >= OMPD_CL_REGISTRY_ACTIVITY_LIMIT || !recorder_mistakes_are_recorded()) {
        return;
    }
    struct call_in_callback call = {.call = &thread->activities[activity->count],
                                    .return_address = return_address};
    uint32_t place = surrounding_callback_find(activity, activity->count);
    if (!place) {
        return;
    }
    call.callback = &thread->activities[place - 1];
    if (wait_is_forbidden(&call)) {
        forbidden_call_report(&call, ompd_cl_registry_rule_callback_waits);
    } else if (callback_must_not_wait(call.callback) &&
               call_creates(OMPD_CL_REGISTRY_ACTIVITY_WHAT(call.call->what))) {
        forbidden_call_report(&call, ompd_cl_registry_rule_callback_creates);
    }
    for (; place; place = surrounding_callback_find(activity, place - 1)) {
        call.callback = &thread->activities[place - 1];
        own_object_check(&call);
    }
}

void recorder_callback_build_check(const struct recorder_activity *activity,
                                   const void *return_address)
{
    uint32_t place = activity->count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT
                         ? surrounding_callback_find(activity, activity->count)
                         : 0;
    if (!place) {
        return;
    }
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    struct call_in_callback call = {&thread->activities[activity->count],
                                    &thread->activities[place - 1], return_address};
    if (callback_must_not_wait(call.callback)) {
        forbidden_call_report(&call, ompd_cl_registry_rule_callback_waits);
    }
}

uint64_t recorder_surrounding_callback(const struct ompd_cl_registry_thread_record *thread)
{
    if (thread->activity_count > OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
        return 0;
    }
    struct recorder_activity activity = {recorder_heap_mine()->thread, thread->activity_count - 1};
    uint32_t place = surrounding_callback_find(&activity, activity.count);
    struct recorder_mistake callback = {.function = NULL};
    if (place) {
        mistake_set_callback(&callback, &thread->activities[place - 1]);
    }
    return (uintptr_t)callback.function;
}

bool recorder_callback_uses_own(const void *handle, const void *return_address)
{
    const struct recorder_heap *heap = recorder_heap_mine();
    uint32_t count = heap ? heap->thread->activity_count : 0;
    if (count < 2 || count > OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
        return false;
    }
    struct recorder_activity activity = {heap->thread, count - 1};
    struct call_in_callback call = {.call = &heap->thread->activities[count - 1],
                                    .return_address = return_address};
    uint32_t place = count - 1;
    while ((place = surrounding_callback_find(&activity, place)) != 0) {
        call.callback = &heap->thread->activities[--place];
        if (callback_is_of(call.callback, (uintptr_t)handle)) {
            /* Of the first handle of a call it was reported when the call began. */
            if (call.call->handle != (uintptr_t)handle && recorder_mistakes_are_recorded()) {
                own_object_report(&call, ompd_cl_registry_rule_callback_uses);
            }
            return true;
        }
    }
    return false;
}

/* ---- Registrations --------------------------------------------------------------------------- */

/* The most earlier callbacks of an object that a new one is compared with. */
#define CALLBACKS_COMPARED 16

/* Places that register callbacks twice. Some programs do so for every object, and count references
 * in that way. Then only OMPD_CL_REGISTRY_TWICE_COUNTED of them are counted. */
#define TWICE_PLACES 64

static struct {
    uint64_t key;
    uint32_t count;
} twice_places[TWICE_PLACES];

/* The last call, by its return address, whose registrations are counted often enough: programs that
 * register callbacks twice on every object need no comparison. */
static uint64_t twice_counted_caller;

/* A number for the registrations NEWER and OLDER, from their places and their function. */
static uint64_t twice_key(const struct ompd_cl_registry_callback_record *newer,
                          const struct ompd_cl_registry_callback_record *older)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t key = newer->caller * factor ^ older->caller;
    key = key * factor ^ ((uint64_t)newer->stack << 32 | older->stack);
    return (key ^ newer->function) * factor | 1;
}

/* Whether it was counted often enough. Threads that count at the same time count too little, and a
 * place may replace another one: then more is recorded. */
static bool twice_is_known(uint64_t key)
{
    uint64_t *known = &twice_places[key >> 58].key;
    uint32_t *count = &twice_places[key >> 58].count;
    if (__atomic_load_n(known, __ATOMIC_RELAXED) != key) {
        __atomic_store_n(count, 0, __ATOMIC_RELAXED);
        __atomic_store_n(known, key, __ATOMIC_RELAXED);
    }
    uint32_t before = __atomic_load_n(count, __ATOMIC_RELAXED);
    if (before >= OMPD_CL_REGISTRY_TWICE_COUNTED) {
        return true;
    }
    __atomic_store_n(count, before + 1, __ATOMIC_RELAXED);
    return false;
}

static void twice_report(const struct recorder_registration *registration, uint32_t older,
                         const void *return_address)
{
    const struct ompd_cl_registry_callback_record *record =
        recorder_callback_at(&registration->slot);
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_callback_twice,
                                       .object = registration->object.object->handle,
                                       .address = (const void *)(uintptr_t)record->user_data};
    mistake_set_destructor(&mistake, older);
    recorder_mistake_record(&mistake, return_address);
}

void recorder_callback_compare(const struct recorder_registration *registration,
                               const void *return_address)
{
    const struct ompd_cl_registry_callback_record *record =
        recorder_callback_at(&registration->slot);
    if (record->caller == __atomic_load_n(&twice_counted_caller, __ATOMIC_RELAXED)) {
        return;
    }
    uint32_t place = __atomic_load_n(&record->next, __ATOMIC_RELAXED);
    for (uint32_t i = 0; place && i < CALLBACKS_COMPARED; i++) {
        const struct ompd_cl_registry_callback_record *older = recorder_callback_record(place - 1);
        if (older->function == record->function && older->user_data == record->user_data) {
            if (!twice_is_known(twice_key(record, older))) {
                twice_report(registration, place - 1, return_address);
            } else {
                __atomic_store_n(&twice_counted_caller, record->caller, __ATOMIC_RELAXED);
            }
            return;
        }
        place = __atomic_load_n(&older->next, __ATOMIC_RELAXED);
    }
}
