/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The OpenCL loaders that this layer serves.
 *
 * A process may contain several loaders, and each initialises the layer with its own table of
 * functions. A wrapper cannot see which loader called it. So the other files of this folder are
 * compiled once for each of RECORDER_LOADER_LIMIT loaders, with RECORDER_LOADER defined as its
 * number.
 */
#ifndef RECORDER_DISPATCH_H
#define RECORDER_DISPATCH_H

#include <CL/cl_layer.h>

#define RECORDER_LOADER_LIMIT 2

/* The length of a loader's table since OpenCL 3.1. Older headers have a shorter one. */
#define RECORDER_TABLE_LENGTH 150

/* A loader's table of functions. */
union recorder_dispatch {
    cl_icd_dispatch of;
    void *entries[RECORDER_TABLE_LENGTH];
};

_Static_assert(sizeof(cl_icd_dispatch) <= sizeof(union recorder_dispatch),
               "the table has entries that schema/calls.def lacks");

/* The functions that each loader passed; entries beyond a shorter table are NULL. */
extern union recorder_dispatch recorder_targets[RECORDER_LOADER_LIMIT];

/* The wrappers for each loader. */
extern union recorder_dispatch recorder_wrappers[RECORDER_LOADER_LIMIT];

/* Set the wrappers of loader 0 and of loader 1. */
void recorder_wrap_all_0(union recorder_dispatch *table);
void recorder_wrap_all_1(union recorder_dispatch *table);

#endif
