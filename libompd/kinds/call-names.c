/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The activities of threads: their registry numbers, their names, and the thread states they
 * imply. */
#include "kinds/kinds.h"

#include <ompd-opencl-registry.h>

#define CALL(number, function, ...) {sizeof(ompd_cl_name_t), number, #function, NULL},
const ompd_cl_name_t call_names[CALL_NAME_COUNT] = {
#include <schema/calls.def>
};

static uint64_t call_number(const void *names, uint64_t index)
{
    return ((const ompd_cl_name_t *)names)[index].value;
}

const char *call_name(uint32_t number)
{
    uint64_t index = search_first(call_names, CALL_NAME_COUNT, call_number, number);

    return index < CALL_NAME_COUNT && call_names[index].value == number ? call_names[index].name
                                                                        : NULL;
}

static const struct {
    uint32_t what;
    uint32_t state;
    uint32_t table;
} callbacks[] = {
    {ompd_cl_registry_runs_destructor, ompd_cl_thread_state_runs_destructor,
     ompd_cl_registry_callback},
    {ompd_cl_registry_runs_svm_free, ompd_cl_thread_state_runs_svm_free, ompd_cl_registry_svm_free},
    {ompd_cl_registry_runs_event_callback, ompd_cl_thread_state_runs_event_callback,
     ompd_cl_registry_notification},
    {ompd_cl_registry_runs_build_callback, ompd_cl_thread_state_runs_build_callback,
     ompd_cl_registry_notification},
};

#define CALLBACK_COUNT (sizeof(callbacks) / sizeof(callbacks[0]))

/* The index of the callback WHAT; CALLBACK_COUNT if it is none. */
static size_t find_callback_entry(uint32_t what)
{
    size_t i = 0;

    while (i < CALLBACK_COUNT && callbacks[i].what != what)
        i++;
    return i;
}

uint32_t call_callback_table(uint32_t what)
{
    size_t callback = find_callback_entry(what);

    return callback < CALLBACK_COUNT ? callbacks[callback].table : 0;
}

bool call_is_callback(uint32_t what)
{
    return find_callback_entry(what) < CALLBACK_COUNT;
}

/* The state of a thread in the blocking call NUMBER. */
static uint32_t waiting_state(uint32_t number)
{
    switch (number) {
    case ompd_cl_call_clFinish:
        return ompd_cl_thread_state_waits_for_queue;
    case ompd_cl_call_clWaitForEvents:
        return ompd_cl_thread_state_waits_for_events;
    case ompd_cl_call_clBuildProgram:
    case ompd_cl_call_clCompileProgram:
    case ompd_cl_call_clLinkProgram:
        return ompd_cl_thread_state_builds;
    default:
        return ompd_cl_thread_state_waits_for_transfer;
    }
}

uint32_t call_state(uint32_t what)
{
    uint32_t number = OMPD_CL_REGISTRY_ACTIVITY_WHAT(what);
    size_t callback = find_callback_entry(what);

    if (callback < CALLBACK_COUNT)
        return callbacks[callback].state;
    if (call_name(number) == NULL)
        return 0;
    if (what == number)
        return ompd_cl_thread_state_in_call;
    return what == (number | OMPD_CL_REGISTRY_ACTIVITY_WAITS) ? waiting_state(number) : 0;
}
