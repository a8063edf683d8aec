/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All wrappers for one loader. */
#include "wrap/wrap.h"

#include <stddef.h>

#define CALL(number, function, ...)                                                                \
    _Static_assert(offsetof(cl_icd_dispatch, function) == ((number)-1) * sizeof(void *),           \
                   "its number is its place plus 1");                                              \
    table->function = RECORDER_WRAPPER(function);
#define EXTENSION(number, function, ...)

void recorder_wrap_all(cl_icd_dispatch *table)
{
#include <schema/calls.def>
}
