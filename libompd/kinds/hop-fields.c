/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hops of chains of waits. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t hop_kind_names[] = {
    {ompd_cl_kind_thread, "thread", NULL},
    {ompd_cl_kind_queue, "queue", NULL},
    {ompd_cl_kind_command, "command", NULL},
    {ompd_cl_kind_event, "event", NULL},
};

/* Of threads, commands and events. */
static const ompd_cl_name_t hop_state_names[] = {
    THREAD_STATES,
    STATE_BEING_ENQUEUED,
    EVENT_STATES,
    {ompd_cl_state_failed, "failed", "ended with an error"},
    {ompd_cl_state_app_released, "app-released",
     "a user event that the program has released before anyone had set it"},
};

static const ompd_cl_name_t end_names[] = {
    {ompd_cl_end_cycle, "cycle", "comes back to what is in the chain before"},
    {ompd_cl_end_user_event, "user-event", "a user event whose status nobody has set"},
    {ompd_cl_end_unflushed, "unflushed", "a command that the runtime was not told to begin"},
    {ompd_cl_end_failed, "failed", "an event that has failed"},
    {ompd_cl_end_callback, "callback", "a callback that has not returned"},
    {ompd_cl_end_build, "build", "the build of a program"},
    {ompd_cl_end_device, "device", "a command that nothing known keeps from running"},
    {ompd_cl_end_unknown, "unknown", "what comes next is not known"},
    {ompd_cl_end_mutex, "mutex", "a mutex that another thread has locked"},
    {ompd_cl_end_behind, "behind",
     "a command behind one of its out-of-order queue that waits for what does not come"},
};

static const ompd_cl_name_t lock_names[] = {
    {ompd_cl_lock_mutex, "mutex", "a mutex of the C library"},
    {ompd_cl_lock_rwlock, "rwlock", "a lock of readers and writers of the C library"},
    {ompd_cl_lock_thread, "thread", "the end of a thread, in pthread_join"},
    {ompd_cl_lock_condition, "condition", "a condition variable, in pthread_cond_wait"},
};

#define INFO ompd_cl_hop_info_t
static const ompd_cl_field_t hop_fields[] = {
    FIELD(chain, "chain", number, 1, "", "number of its chain"),
    FIELD(step, "step", number, 1, "", "its place in the chain"),
    NAMED(kind, "kind", name, 1, hop_kind_names, "what it is"),
    FIELD(handle, "object", handle, 1, "", "queue or event that it is, or that the thread is on"),
    NAMED(state, "state", state, 1, hop_state_names, "what it does, or how far it has come"),
    FIELD(thread, "thread", lwp, 1, "", "thread that waits, or runs the callback"),
    NAMED(call, "in", name, 0, call_names, "function of OpenCL that the thread is in"),
    FIELD(function, "callback", function, 0, "",
          "function of the callback that the thread is in, or that has the handle of a user event"),
    NAMED(type, "command", name, 0, command_type_names, "type of the command"),
    FIELD(queue, "queue", handle, 0, "", "cl_command_queue of the command"),
    FIELD(number, "number", number, 0, "", "place of the command among those of its queue"),
    FIELD(event, "event", handle, 0, "", "cl_event of the command, or that the callback is of"),
    FIELD(kernel, "kernel", handle, 0, "", "cl_kernel that the command runs"),
    FIELD(error, "error", number, 0, "", "status of an event that has failed"),
    FIELD(set_by, "set by", lwp, 0, "", "thread that has set the status of a user event"),
    NAMED(end, "end", name, 1, end_names, "how the chain ends, with its last hop"),
    FIELD(is_mistake, "mistake", boolean, 1, "", "whether the last hop will not end by itself"),
    FIELD(returns_to, "returns to", number, 0, "", "step of the object that a cycle comes back to"),
    FIELD(other, "other", lwp, 0, "",
          "thread that is not known to wait for ever, and may set the user event"),
    FIELD(reason, "reason", text, 0, "", "why it is not known what comes next, or no mistake"),
    MADE_BY,
    SOURCE,
    FIELD(mutex, "mutex", address, 0, "", "mutex that the thread waits for"),
    FIELD(owner, "locked by", lwp, 0, "", "thread that has locked the mutex, or is joined"),
    FIELD(more_events, "more events", count, 0, "",
          "events beside that of the next hop that the thread waits for"),
    FIELD(since, "since", time, 0, "", "when its call began, or the command was enqueued"),
    NAMED(lock, "lock", name, 0, lock_names, "what the thread waits for that is none of OpenCL's"),
};
#undef INFO

KIND(hop, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
