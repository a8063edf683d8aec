/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target of a sweep: the callbacks of a tool. */
#ifndef SWEEP_TARGET_H
#define SWEEP_TARGET_H

#include <ompd-opencl.h>

struct sweep_target {
    const char *name;
    /* All but alloc_memory, free_memory and print_string, of which each session has its own. */
    ompd_callbacks_t callbacks;
    /* What shows the target; the session adds the memory monitor. */
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
    /* Text that each session passes to the library, ended by NUL; NULL: none. */
    const char *layout;
    /* End the object of KIND (ompd_cl_kind_t) with the most facts. If IS_REPLACED, another object
     * gets its record. Returns whether the remains may be an object that the layout does not
     * recognise. `restore` undoes all of it. NULL if nothing can end. */
    bool (*end_object)(uint32_t kind, bool is_replaced);
    void (*restore)(void);
};

#endif
