/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

static uint32_t device_count;

static struct ompd_cl_registry_device_record *device_record_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_device, index);
}

bool recorder_device_is_known(uint64_t handle)
{
    uint32_t count = __atomic_load_n(&device_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < count; index++) {
        if (device_record_at(index)->handle == handle) {
            return true;
        }
    }
    return false;
}

/* Make a record like MADE, unless there is one. Returns whether it was made. The caller has the
 * growth lock. */
static bool device_make(const struct ompd_cl_registry_device_record *made)
{
    if (recorder_device_is_known(made->handle)) {
        return false;
    }
    uint32_t index = device_count;
    struct ompd_cl_registry_device_record *record =
        recorder_record_append(ompd_cl_registry_device, index);
    if (!record) {
        recorder_count_not_recorded();
        return false;
    }
    *record = *made;
    recorder_record_begin(ompd_cl_registry_device, index);
    __atomic_store_n(&device_count, index + 1, __ATOMIC_RELEASE);
    return true;
}

void recorder_device_add(const struct recorder_device *device)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct ompd_cl_registry_device_record made = {
        .handle = device->handle, .flags = device->type, .platform = device->platform};
    /* Before the growth lock is taken, which blocks of texts may need. */
    recorder_text_set(heap, made.name, &made.whole_name, device->name, SIZE_MAX);
    recorder_growth_lock();
    bool is_made = device_make(&made);
    recorder_growth_unlock();
    if (!is_made) {
        recorder_text_end(heap, made.whole_name);
    }
}
