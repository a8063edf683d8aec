/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder-scene.h"

#include <check.h>

#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/objects.h"
#include "../../recorder/objects/prepare.h"
#include "recorder-invariants.h"

uint32_t scene_runtime_count;

static uint32_t runtime_count_tell(const void *handle)
{
    (void)handle;
    return scene_runtime_count;
}

void scene_create(uint32_t table, void *handle, void *context)
{
    struct recorder_entry entry;
    struct recorder_entry its_context;
    ck_assert(recorder_object_open(&entry, table, handle, 0, NULL));
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    if (table == ompd_cl_registry_queue) {
        recorder_history_open((void *)entry.object);
    }
    recorder_object_publish(&entry);
}

uint32_t scene_enqueue(void *queue, bool is_blocking, cl_event event)
{
    const struct recorder_command_facts facts = {.type = CL_COMMAND_READ_BUFFER,
                                                 .is_blocking = is_blocking};
    struct recorder_command command;
    recorder_command_begin(&command, queue, &facts, NULL);
    recorder_command_end(&command, true, event ? &event : NULL, CL_COMMAND_READ_BUFFER, NULL);
    return command.number;
}

void scene_finish(void *queue)
{
    struct recorder_command finish;
    recorder_finish_begin(&finish, queue);
    recorder_finish_end(&finish);
}

void scene_release(uint32_t table, const void *handle, bool succeeds)
{
    struct recorder_release release;
    recorder_release_begin(&release, table, handle, runtime_count_tell, NULL);
    recorder_release_end(&release, succeeds);
}

struct ompd_cl_registry_object *scene_object(uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    recorder_object_find(&entry, table, handle);
    return entry.object;
}

void scene_set_up(void)
{
    ck_assert(recorder_prepare());
    scene_runtime_count = 1;
    scene_create(ompd_cl_registry_context, CONTEXT, NULL);
}

void scene_tear_down(void)
{
    ck_assert_str_eq(recorder_invariants_check() ? recorder_invariants_check() : "", "");
}
