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

/* The functions that each loader passed; entries beyond a shorter table are NULL. */
extern cl_icd_dispatch recorder_targets[RECORDER_LOADER_LIMIT];

/* The wrappers for each loader. */
extern cl_icd_dispatch recorder_wrappers[RECORDER_LOADER_LIMIT];

/* Set the wrappers of loader 0 and of loader 1. */
void recorder_wrap_all_0(cl_icd_dispatch *table);
void recorder_wrap_all_1(cl_icd_dispatch *table);

#endif
