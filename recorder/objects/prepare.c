/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/prepare.h"

#include "core/process.h"
#include "core/tables.h"
#include "objects/calls.h"
#include "objects/objects.h"

bool recorder_prepare(void)
{
    uint32_t depth = recorder_environment_stack_depth();
    if (recorder_other_is_there() || !recorder_tables_prepare(depth) || !recorder_heaps_prepare() ||
        !recorder_hash_prepare() || !recorder_fork_prepare()) {
        return false;
    }
    recorder_stacks_prepare(depth);
    recorder_user_data_prepare();
    recorder_history_prepare(recorder_environment_history());
    recorder_destroyed_prepare(recorder_environment_history());
    recorder_errors_prepare(recorder_environment_history());
    recorder_mistakes_prepare(recorder_environment_history() != 0,
                              recorder_environment_stops_on_mistake());
    recorder_messages_prepare(recorder_environment_history());
    recorder_ledger_prepare(recorder_environment_ledger(), recorder_environment_ledger_length());
    recorder_calls_prepare(recorder_environment_calls());
    recorder_registry_publish(depth, recorder_environment_switches());
    recorder_dll_locations_publish();
    return true;
}
