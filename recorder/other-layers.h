/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Others between the program and the recorder: layers that are nearer to the program, and libraries
 * that stand in for the OpenCL library, as CLIntercept does.  A call that comes through them was
 * made by the program all the same, and their code is left out of where it was made.
 */
#ifndef RECORDER_OTHER_LAYERS_H
#define RECORDER_OTHER_LAYERS_H

/* A loader is loading layers, this one among them. */
void recorder_layers_load(void);

/* All layers are loaded: find the others, and put OPENCL_LAYERS back as it was (environment.h).  It
 * does so once after each loading. */
void recorder_layers_loaded(void);

#endif
