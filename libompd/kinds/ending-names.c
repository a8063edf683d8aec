/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

const ompd_cl_name_t ending_names[ENDING_NAME_COUNT] = {
    {ompd_cl_ending_released, "released",
     "the program gave its last reference back and nothing was known to hold it"},
    {ompd_cl_ending_callbacks, "callbacks", "its last destructor callback has returned"},
    {ompd_cl_ending_later, "later", "what had held it was found to be gone or over"},
    {ompd_cl_ending_reused, "reused", "its handle was given out again"},
};
