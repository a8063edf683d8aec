/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "other-ompd.h"

#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

static const char *locations[] = {"libother-ompd-debugger-side.so", NULL};
static int calls;

EXPORTED const char **ompd_dll_locations = locations;

EXPORTED void ompd_dll_locations_valid(void);
EXPORTED void ompd_bp_thread_begin(void);
EXPORTED void ompd_bp_thread_end(void);
EXPORTED void ompd_cl_bp_destructor_begin(void);
EXPORTED void ompd_cl_bp_destructor_end(void);
EXPORTED void ompd_cl_bp_object_created(void);
EXPORTED void ompd_cl_bp_object_released(void);

void ompd_dll_locations_valid(void)
{
    calls++;
}

void ompd_bp_thread_begin(void)
{
    calls++;
}

void ompd_bp_thread_end(void)
{
    calls++;
}

void ompd_cl_bp_destructor_begin(void)
{
    calls++;
}

void ompd_cl_bp_destructor_end(void)
{
    calls++;
}

void ompd_cl_bp_object_created(void)
{
    calls++;
}

void ompd_cl_bp_object_released(void)
{
    calls++;
}

EXPORTED const char **other_ompd_locations(void)
{
    return locations;
}

EXPORTED void other_ompd_thread_run(void (*function)(void))
{
    ompd_bp_thread_begin();
    function();
    ompd_bp_thread_end();
}

EXPORTED bool other_ompd_is_untouched(void)
{
    return calls == 0 && ompd_dll_locations == locations;
}
