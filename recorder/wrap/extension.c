/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that platforms returned for the wrapped extensions. */
#include "wrap/wrap.h"

#define FIRST 512u /* the number of the first */

#define CALL(number, function, ...)
#define EXTENSION(number, function, ...) PLACE_OF_##function,
enum {
#include <schema/calls.def>
    COUNT
};

#define CALL(number, function, ...)
#define EXTENSION(number, function, ...)                                                           \
    _Static_assert((number) == FIRST + PLACE_OF_##function, "they are numbered in their order");
#include <schema/calls.def>

static struct recorder_extension extensions[COUNT];

void *recorder_extension_of(enum ompd_cl_call call, uint32_t table, const void *handle)
{
    return recorder_extension_choose(&extensions[call - FIRST],
                                     recorder_platform_of(table, handle));
}

bool recorder_extension_function(enum ompd_cl_call call, uint64_t platform, void *function)
{
    return recorder_extension_add(&extensions[call - FIRST], platform, function);
}
