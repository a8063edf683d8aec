/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target of a sweep: the callbacks of a tool. */
#ifndef SWEEP_TARGET_H
#define SWEEP_TARGET_H

#include <ompd-opencl.h>

struct sweep_target {
    const char *name;
    /* All but alloc_memory, free_memory and print_string, which each session has of its own. */
    ompd_callbacks_t callbacks;
    /* What shows the target; the session adds the memory monitor. */
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
    /* Text that each session gives the library, ended by NUL; NULL: none. */
    const char *layout;
    /* Let the object of KIND (ompd_cl_kind_t) that has most to ask about end, and, if IS_REPLACED,
     * another have its record; and let all be as it was.  Returns whether what it leaves may be an
     * object that the layout does not recognise.  NULL where nothing can end. */
    bool (*end_object)(uint32_t kind, bool is_replaced);
    void (*restore)(void);
};

#endif
