/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads are doing, as states (OpenMP 6.0 section 41.9). */
#include "api/api.h"

/* In the order of enumeration. The first one is for activities that the recorder does not store or
 * this library does not know: tools expect every thread to have an enumerated state. */
static const struct {
    ompd_word_t state;
    const char *name;
} states[] = {
    {0, "opencl_unknown"},
    {ompd_cl_thread_state_outside, "opencl_outside"},
    {ompd_cl_thread_state_in_call, "opencl_in_call"},
    {ompd_cl_thread_state_waits_for_queue, "opencl_waits_for_queue"},
    {ompd_cl_thread_state_waits_for_events, "opencl_waits_for_events"},
    {ompd_cl_thread_state_waits_for_transfer, "opencl_waits_for_transfer"},
    {ompd_cl_thread_state_builds, "opencl_builds"},
    {ompd_cl_thread_state_runs_destructor, "opencl_runs_destructor"},
    {ompd_cl_thread_state_runs_svm_free, "opencl_runs_svm_free"},
    {ompd_cl_thread_state_runs_event_callback, "opencl_runs_event_callback"},
    {ompd_cl_thread_state_runs_build_callback, "opencl_runs_build_callback"},
};

#define STATE_COUNT (sizeof(states) / sizeof(states[0]))

/* The index of the state after CURRENT; STATE_COUNT if there is none. */
static size_t find_next_state(ompd_word_t current)
{
    if (current == OMPD_CL_STATE_UNDEFINED)
        return 0;
    for (size_t i = 0; i < STATE_COUNT; i++) {
        if (current == OMPD_CL_STATE_BASE + states[i].state)
            return i + 1;
    }
    return STATE_COUNT;
}

static ompd_rc_t get_state(struct address_space *space, ompd_word_t current_state,
                           ompd_word_t *next_state, const char **next_state_name,
                           ompd_word_t *more_enums)
{
    size_t next = find_next_state(current_state);
    const char *name;
    ompd_rc_t rc;

    if (next_state == NULL || next_state_name == NULL || more_enums == NULL)
        return address_space_refuse_null(space, "an out parameter");
    if (next == STATE_COUNT)
        return address_space_fail(space, ompd_rc_bad_input, "no state follows this one.");
    rc = memory_copy_for_tool(space->target.memory, states[next].name, &name);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    *next_state = OMPD_CL_STATE_BASE + states[next].state;
    *next_state_name = name;
    *more_enums = next + 1 != STATE_COUNT;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle,
                                       ompd_word_t current_state, ompd_word_t *next_state,
                                       const char **next_state_name, ompd_word_t *more_enums)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(address_space_handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(resolved.space, get_state(resolved.space, current_state, next_state,
                                                         next_state_name, more_enums));
}

/* The state that the innermost activity of the thread of HEAD means, 0 for unknown, and the cl
 * handle that it is about. */
static ompd_rc_t read_state(struct address_space *space, const struct thread_head *head,
                            uint32_t *state, uint64_t *wait_handle)
{
    struct activity activity;
    bool is_known;
    ompd_rc_t rc;

    rc = thread_innermost_read(space, head, &activity, &is_known);
    if (rc != ompd_rc_ok)
        return rc;
    *wait_handle = activity.handle;
    if (!is_known)
        *state = 0;
    else
        *state =
            head->activity_count == 0 ? ompd_cl_thread_state_outside : call_state(activity.what);
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state,
                                ompd_wait_id_t *wait_id)
{
    struct resolved_handle resolved;
    struct thread_head head;
    uint64_t wait_handle = 0;
    uint32_t found = 0;
    ompd_rc_t rc;

    rc = thread_enter(thread_handle, &resolved, &head);
    if (rc != ompd_rc_ok)
        return rc;
    if (state == NULL)
        rc = address_space_refuse_null(resolved.space, "the state");
    else
        rc = read_state(resolved.space, &head, &found, &wait_handle);
    if (rc != ompd_rc_ok)
        return address_space_leave(resolved.space, rc);
    *state = OMPD_CL_STATE_BASE + (ompd_word_t)found;
    if (wait_id != NULL)
        *wait_id = wait_handle;
    return address_space_leave(resolved.space, ompd_rc_ok);
}
