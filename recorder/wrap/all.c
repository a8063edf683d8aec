/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All wrappers for one loader. */
#include "wrap/wrap.h"

#include <stddef.h>

/* The length of the table in Debian 12's headers. */
#define OLD_LENGTH (offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void *) + 1)

#define CALL(number, function, ...)                                                                \
    _Static_assert(offsetof(cl_icd_dispatch, function) == ((number)-1) * sizeof(void *),           \
                   "its number is its place plus 1");                                              \
    table->of.function = RECORDER_WRAPPER(function);
#define NEWER(number, function, ...)                                                               \
    _Static_assert((number) > OLD_LENGTH && (number) <= RECORDER_TABLE_LENGTH,                     \
                   "the headers have it");                                                         \
    table->entries[(number)-1] = (void *)RECORDER_WRAPPER(function);
#define EXTENSION(number, function, ...)

void recorder_wrap_all(union recorder_dispatch *table)
{
#include <schema/calls.def>
}
