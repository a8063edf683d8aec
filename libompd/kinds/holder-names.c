/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

const ompd_cl_name_t storage_names[STORAGE_NAME_COUNT] = {
    {ompd_cl_storage_register, "register", "a register"},
    {ompd_cl_storage_stack, "stack", "the stack, of a function that has not returned"},
    {ompd_cl_storage_thread_data, "thread-data", "a thread's own variables"},
    {ompd_cl_storage_on_stack, "on-stack", "a stack, perhaps dead"},
    {ompd_cl_storage_module, "module", "a variable of a module"},
    {ompd_cl_storage_heap, "heap", "a heap block"},
    {ompd_cl_storage_freed, "freed", "a heap block that was freed"},
    {ompd_cl_storage_runtime_data, "runtime-data", "a variable of the OpenCL runtime"},
    {ompd_cl_storage_memory, "memory", "memory of which no more is known"},
    {ompd_cl_storage_user_data, "user-data", "the user data of a callback that is to run"},
};
