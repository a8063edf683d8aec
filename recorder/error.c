/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "error.h"

#include "registry.h"
#include "ring.h"
#include "stack.h"

static struct recorder_ring ring;

void recorder_errors_prepare(uint32_t length)
{
    recorder_rings_prepare(&ring, 1, ompd_cl_registry_error, length);
}

void recorder_error_keep(const struct recorder_activity *activity, cl_int error,
                         const void *return_address)
{
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    struct recorder_ring_place place;
    /* What a thread is in too deeply is not known. */
    if (!ring.length || !thread || activity->count >= OMPD_CL_REGISTRY_ACTIVITY_LIMIT ||
        !recorder_ring_take(&place, &ring, ompd_cl_registry_error, thread->lwp)) {
        return;
    }
    struct ompd_cl_registry_error_record *record = place.record;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    record->handle = thread->activities[activity->count].handle;
    record->serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->what = OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[activity->count].what);
    record->caller = site.caller;
    record->stack = site.stack;
    record->at = recorder_ring_now();
    record->lwp = thread->lwp;
    record->error = error;
    recorder_ring_let_go(&place);
}
