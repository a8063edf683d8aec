/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Exported functions that do nothing, for tools to put breakpoints on, and what OMPD asks of a
 * target.
 */
#ifndef RECORDER_BREAKPOINTS_H
#define RECORDER_BREAKPOINTS_H

#include <stdint.h>

/* OMPD (OpenMP 6.0 chapter 42): the libraries that can explain this process, NULL at the end. */
extern const char **ompd_dll_locations;

/* Called once ompd_dll_locations is set. */
void ompd_dll_locations_valid(void);

/* OMPD: a thread has entered OpenCL for the first time; it ends. */
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);

/* Around the program's destructor callback FUNCTION of the object HANDLE. */
void ompd_cl_bp_destructor_begin(uint64_t handle, uint64_t function, uint64_t user_data);
void ompd_cl_bp_destructor_end(uint64_t handle, uint64_t function, uint64_t user_data);

/* Around the program's SVM-free callback FUNCTION of a command in the queue HANDLE. */
void ompd_cl_bp_svm_free_begin(uint64_t queue, uint64_t function, uint64_t user_data);
void ompd_cl_bp_svm_free_end(uint64_t queue, uint64_t function, uint64_t user_data);

/* An object's record has just come to be, or the program's last reference was just given back. */
void ompd_cl_bp_object_created(uint64_t handle);
void ompd_cl_bp_object_released(uint64_t handle);

/* The function CALL (ompd-opencl-calls.h) on HANDLE is about to return ERROR, a cl_int that was
 * made wider; 0: it has made nothing, and nobody knows why. */
void ompd_cl_bp_call_failed(uint64_t handle, uint64_t call, uint64_t error);

/* Find libompd-opencl, publish ompd_dll_locations and call ompd_dll_locations_valid. */
void recorder_dll_locations_publish(void);

#endif
