/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registering destructor callbacks, in the standard's way and in the extension's. */
#ifndef RECORDER_WRAP_MEMOBJ_H
#define RECORDER_WRAP_MEMOBJ_H

#include "wrap.h"

#define recorder_memobj_set_destructor RECORDER_PER_LOADER(recorder_memobj_set_destructor)

typedef cl_int(CL_API_CALL recorder_set_destructor_function)(
    cl_mem memobj, void(CL_CALLBACK *function)(cl_mem, void *), void *user_data);

/* Record the callback FUNCTION of MEMOBJ and register it by TARGET. */
cl_int recorder_memobj_set_destructor(recorder_set_destructor_function *target, cl_mem memobj,
                                      void(CL_CALLBACK *function)(cl_mem, void *), void *user_data,
                                      const void *return_address);

#endif
